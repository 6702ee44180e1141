// SPDX-License-Identifier: Apache-2.0
// Transmit MAC and reconciliation (IEEE 802.3 clauses 3.2.9, 46, 81): puts preamble, FCS, terminate and idle characters
// around the contents that tx_build gives at wire alignment. Latency: 5 clocks, word in to word on the line.
//
// A frame ends in the word with its last octet before the FCS, or in the next, with up to one group there. Starts must
// leave a gap of 4 octets or more (the least that an average of 11 octets leaves). With a_bad_fcs the FCS is
// complemented, and bad_fcs_sent marks the clock before that FCS is on the line. With a_bad_end an error character stands
// in place of the terminate character.
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
  input                      a_bad_end,
  input                      b_active,
  input [GROUP_W-1:0]        b_group,
  output                     bad_fcs_sent,
  output reg [64*GROUPS-1:0] line_data,
  output reg [8*GROUPS-1:0]  line_ctrl
);
  localparam [63:0] PREAMBLE = 64'hD5_55_55_55_55_55_55_FB;   // octet 0 is the start character
  localparam [63:0] IDLE     = 64'h07_07_07_07_07_07_07_07;
  localparam [7:0]  TERMINATE = 8'hFD, ERROR = 8'hFE;
  localparam [31:0] GROUPS32 = GROUPS;
  localparam [3:0]  LANES = GROUPS32[3:0];
  localparam [6:0]  WORD_OCTETS = {LANES, 3'd0};

  // A lone frame has its first octet in group 1, but crc32 expects a first A to begin in group 0. A register that is
  // zero stays zero over zero octets, so the preset (complement of four octets) is undone there and put in group 1.
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

  // ---------------------------------------------------------------- the word without its tail, decided as it comes
  // Lanes that belong to no frame get idle and preamble at once; the lane of A's last octets stays as it is, for the
  // tail. The word then waits 4 clocks for its FCS.
  localparam [GROUPS-1:0] ALL = {GROUPS{1'b1}};
  localparam [8*GROUPS-1:0] ALL_OCTETS = {(8*GROUPS){1'b1}};
  localparam [8*GROUPS-1:0] START = 1;
  wire       goes_on   = a_active && !a_end && !rst;          // all octets are A's
  reg  [3:0] spill_octets_reg;                                // octets of this word that hold the FCS of the previous frame
  reg  [GROUPS-1:0]    idle_lanes;
  reg  [8*GROUPS-1:0]  filled_ctrl;
  reg  [64*GROUPS-1:0] data1_reg, data2_reg, data3_reg, data4_reg;
  reg  [8*GROUPS-1:0]  ctrl1_reg, ctrl2_reg, ctrl3_reg, ctrl4_reg;
  integer              g;
  always @* begin
    filled_ctrl = {(8*GROUPS){1'b0}};
    idle_lanes  = {GROUPS{1'bx}};
    if (!goes_on) begin
      idle_lanes  = ALL;
      filled_ctrl = ALL_OCTETS << spill_octets_reg;
      if (a_end && !rst) begin
        idle_lanes  = ALL << (a_octets[6:3] + 4'd1);
        filled_ctrl = ALL_OCTETS << (a_octets + 7'd4);
      end
      if (preamble && !rst) begin
        if (!a_lone) begin
          idle_lanes  = idle_lanes & ~(ALL << preamble_group);
          filled_ctrl = filled_ctrl & ~(ALL_OCTETS << {preamble_group, 3'd0});
        end
        filled_ctrl = filled_ctrl | START << {preamble_group, 3'd0};
      end
    end
  end
  always @(posedge clk) begin
    data4_reg <= data3_reg;   // last first, so that a simulator needs no copies
    data3_reg <= data2_reg;
    data2_reg <= data1_reg;
    data1_reg <= data;
    if (!goes_on) begin
      for (g = 0; g < GROUPS; g = g + 1)
        if (idle_lanes[g]) data1_reg[64*g +: 64] <= IDLE;
      if (preamble && !rst)
        for (g = 0; g < GROUPS; g = g + 1)
          if (preamble_group == g[GROUP_W-1:0]) data1_reg[64*g +: 64] <= PREAMBLE;
    end
    ctrl4_reg <= ctrl3_reg;
    ctrl3_reg <= ctrl2_reg;
    ctrl2_reg <= ctrl1_reg;
    ctrl1_reg <= filled_ctrl;
  end

  reg       end1_reg, end2_reg, end3_reg, end4_reg;
  reg [8:0] tail1_reg, tail2_reg, tail3_reg, tail4_reg;    // error character, octets, wrong FCS
  always @(posedge clk) begin
    end4_reg  <= end3_reg && !rst;
    end3_reg  <= end2_reg && !rst;
    end2_reg  <= end1_reg && !rst;
    end1_reg  <= a_end && !rst;
    tail4_reg <= tail3_reg;
    tail3_reg <= tail2_reg;
    tail2_reg <= tail1_reg;
    tail1_reg <= {a_bad_end, a_octets, a_bad_fcs};
    spill_octets_reg <= 4'd0;
    if (a_end && a_octets > WORD_OCTETS - 7'd4) spill_octets_reg <= a_octets[3:0] + 4'd4 - WORD_OCTETS[3:0];
  end
  assign bad_fcs_sent = end4_reg && tail4_reg[0];

  // -------------------------------------------------------------- FCS, terminate, idle: two groups from the last octet
  // The second is idle, and perhaps the next preamble, if the last octet was the last of its group.
  wire [3:0]  tail_lane   = tail4_reg[7:4];   // GROUPS: all of the tail is in the next word
  wire [2:0]  tail_octets = tail4_reg[3:1];
  wire [5:0]  tail_shift  = {tail_octets, 3'd0};
  reg  [63:0] tail, tail_low, tail_high;
  reg         spill_reg;
  reg  [63:0] spill_data_reg;
  always @* begin
    tail      = 64'dx;
    tail_low  = 64'dx;
    tail_high = 64'dx;
    if (end4_reg) begin
      tail      = {IDLE[23:0], tail4_reg[8] ? ERROR : TERMINATE, tail4_reg[0] ? crc : ~crc};
      tail_low  = tail << tail_shift;
      tail_high = (IDLE << tail_shift) | (tail >> (7'd64 - {1'b0, tail_shift}));
    end
  end

  always @(posedge clk) begin
    line_data <= data4_reg;
    line_ctrl <= ctrl4_reg;
    if (spill_reg) line_data[63:0] <= spill_data_reg;
    spill_reg <= 1'b0;
    if (end4_reg) begin
      for (g = 0; g < GROUPS; g = g + 1)
        if (tail_lane == g[3:0]) begin
          line_data[64*g +: 64] <= data4_reg[64*g +: 64] | tail_low;
          if (g + 1 < GROUPS && tail_octets != 3'd0) line_data[64*((g + 1) % GROUPS) +: 64] <= tail_high;
        end
      spill_reg      <= tail_lane == LANES || tail_lane == LANES - 4'd1 && tail_octets != 3'd0;
      spill_data_reg <= tail_lane == LANES ? tail_low : tail_high;
    end
    if (rst) begin
      line_data <= {GROUPS{IDLE}};
      line_ctrl <= ALL_OCTETS;
    end
  end

  wire unused = &{1'b0, crc_valid};   // comes with end4_reg, given the latency of crc32
`ifdef FORMAL
`include "mac_tx_properties.vh"
`endif
endmodule
