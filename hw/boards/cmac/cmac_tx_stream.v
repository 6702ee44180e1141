// SPDX-License-Identifier: Apache-2.0
// Transmit, clock of the CMAC: takes beats from cmac_tx_frames and gives them to the CMAC, through a FIFO in LUT RAM.
//
// A CMAC's tready comes late in the clock. Here it moves only pointers and a count, about 20 flip-flops, not the beats:
// they are read where the pointer is, and each 128 bits have a pointer of their own. `go` tells the pipeline in front,
// which never stops, a clock later whether there is room: the up to 3 beats that come after it has fallen still have.
// When it rises again, more beats are left than a new one takes to come, so that tvalid does not fall within a frame.
// Latency: 1 clock, in_valid to tvalid. A reset empties it.
module cmac_tx_stream #(
  parameter GROUPS = 8
) (
  input                      clk,
  input                      rst,
  output reg                 go,
  input                      in_valid,      // 2 clocks after a clock with go
  input      [64*GROUPS-1:0] in_data,
  input      [8*GROUPS-1:0]  in_keep,
  input                      in_last,
  input                      in_user,
  output reg                 m_axis_tvalid,
  input                      m_axis_tready,
  output     [64*GROUPS-1:0] m_axis_tdata,
  output     [8*GROUPS-1:0]  m_axis_tkeep,
  output                     m_axis_tlast,
  output                     m_axis_tuser
);
  localparam DEPTH_LOG2 = 4, DEPTH = 1 << DEPTH_LOG2;
  localparam [DEPTH_LOG2:0] ENOUGH = 8;     // at least 5, since 4 are sent until the next comes; at most DEPTH - 3
  localparam PARTS = GROUPS < 2 ? 1 : GROUPS / 2, PART_GROUPS = GROUPS / PARTS;
  localparam [DEPTH_LOG2:0] NONE = 0, ONE = 1;

  reg  [DEPTH_LOG2-1:0] in_place_reg;
  reg  [DEPTH_LOG2:0]   beats_reg;
  wire                  taken = m_axis_tvalid && m_axis_tready;
  always @(posedge clk) begin
    go <= beats_reg < ENOUGH;
    if (in_valid) in_place_reg <= in_place_reg + 1'b1;
    if (in_valid && !taken) beats_reg <= beats_reg + ONE;
    if (!in_valid && taken) beats_reg <= beats_reg - ONE;
    m_axis_tvalid <= in_valid || (beats_reg != NONE && !(beats_reg == ONE && taken));
    if (rst) begin
      go            <= 1'b0;
      in_place_reg  <= NONE[DEPTH_LOG2-1:0];
      beats_reg     <= NONE;
      m_axis_tvalid <= 1'b0;
    end
  end

  genvar p;
  generate
    for (p = 0; p < PARTS; p = p + 1) begin : part
      (* keep = "true" *) reg [DEPTH_LOG2-1:0] place_reg;   // all are equal, and shall remain several
      reg [72*PART_GROUPS-1:0] beats [0:DEPTH-1];
      always @(posedge clk) begin
        if (in_valid)
          beats[in_place_reg] <= {in_keep[8*PART_GROUPS*p +: 8*PART_GROUPS], in_data[64*PART_GROUPS*p +: 64*PART_GROUPS]};
        if (taken) place_reg <= place_reg + 1'b1;
        if (rst) place_reg <= NONE[DEPTH_LOG2-1:0];
      end
      assign {m_axis_tkeep[8*PART_GROUPS*p +: 8*PART_GROUPS], m_axis_tdata[64*PART_GROUPS*p +: 64*PART_GROUPS]} = beats[place_reg];
    end
  endgenerate
  reg [1:0] ends [0:DEPTH-1];
  always @(posedge clk) if (in_valid) ends[in_place_reg] <= {in_user, in_last};
  assign {m_axis_tuser, m_axis_tlast} = ends[part[0].place_reg];
endmodule
