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
  reg [CONTROL_W-1:0] control1_reg, control2_reg, control3_reg;
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
  end

  // What stands in each lane is decided one clock ahead: data as it is, preamble, first or second group of the tail.
  wire               preamble3, a_active3, a_end3, a_bad_fcs3, b_active3;
  wire [GROUP_W-1:0] preamble_group3, b_group3;
  wire [6:0]         a_octets3;
  assign {preamble3, a_active3, a_end3, a_bad_fcs3, b_active3, preamble_group3, b_group3, a_octets3} = control3_reg;
  localparam [GROUPS:0] ONE = 1;
  localparam [GROUPS-1:0] ALL  = {GROUPS{1'b1}};
  localparam [GROUPS-1:0] NONE = {GROUPS{1'b0}};
  wire [GROUPS:0] tail_lane3 = ONE << a_octets3[6:3];    // the top bit: all of the tail is in the next word
  wire [GROUPS-1:0] behind3    = ALL << a_octets3[6:3];  // the tail's lane and those behind
  wire [GROUPS-1:0] a_lanes3   = !a_active3 ? NONE : a_end3 ? ~behind3 : ALL;
  wire [GROUPS-1:0] b_lanes3   = b_active3 ? ALL << b_group3 : NONE;
  wire [GROUPS-1:0] preamble_lane3 = preamble3 ? ONE[GROUPS-1:0] << preamble_group3 : NONE;
  reg [GROUPS-1:0] data_lanes4_reg, preamble_lane4_reg, tail_low_lane4_reg, tail_high_lane4_reg;
  reg              a_end4_reg, a_bad_fcs4_reg, spill_whole4_reg, spill4_reg;
  reg [2:0]        tail_octets4_reg;
  always @(posedge clk) begin
    preamble_lane4_reg  <= preamble_lane3;
    data_lanes4_reg     <= (a_lanes3 | b_lanes3) & ~preamble_lane3;   // a lone frame's A has lane 0 for crc32 only
    tail_low_lane4_reg  <= a_end3 ? tail_lane3[GROUPS-1:0] : NONE;
    tail_high_lane4_reg <= a_end3 ? tail_lane3[GROUPS-1:0] << 1 : NONE;
    tail_octets4_reg    <= a_octets3[2:0];
    a_end4_reg          <= a_end3;
    a_bad_fcs4_reg      <= a_bad_fcs3;
    spill4_reg          <= a_end3 && |tail_lane3[GROUPS:GROUPS-1] && !rst;
    spill_whole4_reg    <= tail_lane3[GROUPS];
  end
  assign bad_fcs_sent = a_end4_reg && a_bad_fcs4_reg;

  // -------------------------------------------------------------- FCS, terminate, idle: two groups from the last octet
  wire [5:0]  tail_shift = {tail_octets4_reg, 3'd0};
  wire [63:0] tail       = {IDLE[23:0], TERMINATE, a_bad_fcs4_reg ? crc : ~crc};
  wire [63:0] tail_low   = tail << tail_shift;
  wire [63:0] tail_high  = (IDLE << tail_shift) | (tail >> (7'd64 - {1'b0, tail_shift}));
  wire [15:0] tail_ctrl  = 16'hFFF0 << tail_octets4_reg;

  reg                 spill_reg;
  reg [63:0]          spill_data_reg;
  reg [7:0]           spill_ctrl_reg;
  integer             g;
  reg [64*GROUPS-1:0] word;
  reg [8*GROUPS-1:0]  ctrl;
  always @* begin
    word = data4_reg;
    ctrl = {(8*GROUPS){1'b0}};
    if (!(&data_lanes4_reg))
      for (g = 0; g < GROUPS; g = g + 1)
        if (!data_lanes4_reg[g]) begin
          word[64*g +: 64] = IDLE;
          ctrl[8*g +: 8]   = 8'hFF;
          if (g == 0 && spill_reg) begin
            word[64*g +: 64] = spill_data_reg;
            ctrl[8*g +: 8]   = spill_ctrl_reg;
          end
          if (tail_low_lane4_reg[g]) begin
            word[64*g +: 64] = data4_reg[64*g +: 64] | tail_low;
            ctrl[8*g +: 8]   = tail_ctrl[7:0];
          end
          if (tail_high_lane4_reg[g]) begin
            word[64*g +: 64] = tail_high;
            ctrl[8*g +: 8]   = tail_ctrl[15:8];
          end
          if (preamble_lane4_reg[g]) begin
            word[64*g +: 64] = PREAMBLE;
            ctrl[8*g +: 8]   = 8'h01;
          end
        end
  end

  always @(posedge clk) begin
    line_data      <= word;
    line_ctrl      <= ctrl;
    spill_reg      <= spill4_reg && !rst;
    spill_data_reg <= spill_whole4_reg ? tail_low : tail_high;
    spill_ctrl_reg <= spill_whole4_reg ? tail_ctrl[7:0] : tail_ctrl[15:8];
    if (rst) begin
      line_data <= {GROUPS{IDLE}};
      line_ctrl <= {(8*GROUPS){1'b1}};
    end
  end

  wire unused = &{1'b0, crc_valid};   // comes with a_end4, by the latency of crc32
endmodule
