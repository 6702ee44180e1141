// SPDX-License-Identifier: Apache-2.0
// Transmit MAC and reconciliation (IEEE 802.3 clauses 3.2.9, 46, 81): puts preamble, FCS, terminate and idle characters
// around the contents that tx_build gives at wire alignment. Latency: 5 clocks, word in to word on the line.
//
// A frame ends in the word where its last octet before the FCS is, or, with up to one group, in the next. Starts must
// leave a gap of 4 octets or more (what 11 octets on average leave at least). With a_bad_fcs the FCS is complemented,
// and bad_fcs_sent marks the clock before that FCS is on the line.
module mac_tx #(
  parameter GROUPS = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input                      clk,
  input                      rst,
  // words from tx_build: see there
  input [64*GROUPS-1:0]      data,
  input                      preamble,
  input [GROUP_W-1:0]        preamble_group,
  input                      a_active,
  input                      a_first,
  input                      a_end,
  input [6:0]                a_octets,
  input                      a_lone,
  input                      a_bad_fcs,
  input                      b_active,
  input [GROUP_W-1:0]        b_group,
  output                     bad_fcs_sent,
  output reg [64*GROUPS-1:0] line_data,
  output reg [8*GROUPS-1:0]  line_ctrl
);
  localparam [63:0] PREAMBLE = 64'hD5_55_55_55_55_55_55_FB;   // octet 0 is the start character
  localparam [63:0] IDLE     = 64'h07_07_07_07_07_07_07_07;
  localparam [7:0]  TERMINATE = 8'hFD;

  // A lone frame has its first octet in group 1, and for crc32 a first A begins in group 0. A register that is zero
  // stays zero over zero octets, so the preset (complement of four octets) is taken back there and put in group 1.
  reg [64*GROUPS-1:0] crc_data;
  always @* begin
    crc_data = data;
    if (GROUPS > 1 && a_lone) begin
      crc_data[31:0] = 32'hFFFF_FFFF;
      crc_data[64*(GROUPS > 1 ? 1 : 0) +: 32] = ~data[64*(GROUPS > 1 ? 1 : 0) +: 32];
    end
  end

  wire [31:0] crc;
  wire        crc_valid;
  crc32 #(.GROUPS(GROUPS)) u_crc (
    .clk(clk), .rst(rst), .data(crc_data), .a_active(a_active), .a_first(a_first), .a_end(a_end), .a_octets(a_octets),
    .b_active(b_active), .b_group(b_group), .crc(crc), .crc_valid(crc_valid));

  // ---------------------------------------------------------------- the word waits 4 clocks for its FCS
  localparam CONTROL_W = 2*GROUP_W + 7 + 5;
  reg [64*GROUPS-1:0] data1_reg, data2_reg, data3_reg, data4_reg;
  reg [CONTROL_W-1:0] control1_reg, control2_reg, control3_reg, control4_reg;
  wire [CONTROL_W-1:0] control = {preamble && !rst, a_active && !rst, a_end && !rst, a_bad_fcs, b_active && !rst,
                                  preamble_group, b_group, a_octets};
  always @(posedge clk) begin
    data1_reg    <= data;
    data2_reg    <= data1_reg;
    data3_reg    <= data2_reg;
    data4_reg    <= data3_reg;
    control1_reg <= control;
    control2_reg <= control1_reg;
    control3_reg <= control2_reg;
    control4_reg <= control3_reg;
  end
  wire               preamble4, a_active4, a_end4, a_bad_fcs4, b_active4;
  wire [GROUP_W-1:0] preamble_group4, b_group4;
  wire [6:0]         a_octets4;
  assign {preamble4, a_active4, a_end4, a_bad_fcs4, b_active4, preamble_group4, b_group4, a_octets4} = control4_reg;
  assign bad_fcs_sent = a_end4 && a_bad_fcs4;

  // -------------------------------------------------------------- FCS, terminate, idle: two groups from the last octet
  wire [5:0]  tail_shift = {a_octets4[2:0], 3'd0};
  wire [3:0]  tail_lane  = a_octets4[6:3];          // may be GROUPS: all of it in the next word
  wire [63:0] tail       = {IDLE[23:0], TERMINATE, a_bad_fcs4 ? crc : ~crc};
  wire [63:0] tail_low   = tail << tail_shift;
  wire [63:0] tail_high  = (IDLE << tail_shift) | (tail >> (7'd64 - {1'b0, tail_shift}));
  wire [15:0] tail_ctrl  = 16'hFFF0 << a_octets4[2:0];

  reg                 spill_reg;
  reg [63:0]          spill_data_reg;
  reg [7:0]           spill_ctrl_reg;
  integer             g;
  reg [64*GROUPS-1:0] word;
  reg [8*GROUPS-1:0]  ctrl;
  always @* begin
    word = data4_reg;
    ctrl = {(8*GROUPS){1'b0}};
    for (g = 0; g < GROUPS; g = g + 1)
      if (preamble4 && g == {{(32-GROUP_W){1'b0}}, preamble_group4}) begin
        word[64*g +: 64] = PREAMBLE;
        ctrl[8*g +: 8]   = 8'h01;
      end else if ((a_active4 && (!a_end4 || g[3:0] < tail_lane))
                   || (b_active4 && g >= {{(32-GROUP_W){1'b0}}, b_group4})) begin
        ctrl[8*g +: 8]   = 8'h00;
      end else if (a_end4 && g[3:0] == tail_lane) begin
        word[64*g +: 64] = data4_reg[64*g +: 64] | tail_low;
        ctrl[8*g +: 8]   = tail_ctrl[7:0];
      end else if (a_end4 && g[3:0] == tail_lane + 4'd1) begin
        word[64*g +: 64] = tail_high;
        ctrl[8*g +: 8]   = tail_ctrl[15:8];
      end else begin
        word[64*g +: 64] = g == 0 && spill_reg ? spill_data_reg : IDLE;
        ctrl[8*g +: 8]   = g == 0 && spill_reg ? spill_ctrl_reg : 8'hFF;
      end
  end

  localparam [31:0] LANES = GROUPS;
  wire spill_whole = tail_lane == LANES[3:0];
  always @(posedge clk) begin
    line_data      <= word;
    line_ctrl      <= ctrl;
    spill_reg      <= a_end4 && tail_lane + 4'd1 >= LANES[3:0] && !rst;
    spill_data_reg <= spill_whole ? tail_low : tail_high;
    spill_ctrl_reg <= spill_whole ? tail_ctrl[7:0] : tail_ctrl[15:8];
    if (rst) begin
      line_data <= {GROUPS{IDLE}};
      line_ctrl <= {(8*GROUPS){1'b1}};
    end
  end

  wire unused = &{1'b0, crc_valid};   // comes with a_end4, by the latency of crc32
endmodule
