// SPDX-License-Identifier: Apache-2.0
// The transmit MAC: puts preamble, FCS, terminate and idle characters around frames that stand at their place on the
// wire. Words in (clock t): data with octets of no frame zero, and the layout of tx_layout. Line out in t+5.
//
// bad_fcs stands with the preamble of the frame whose FCS is to be complemented; bad_sent pulses when that is done.
// It moves nothing: who feeds it leaves room for preamble, FCS and gap.
module mac_tx #(
  parameter GROUPS  = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input                      clk,
  input                      rst,
  input  [64*GROUPS-1:0]     data,
  input                      preamble,
  input  [GROUP_W-1:0]       preamble_group,
  input                      a_active,
  input                      a_first,
  input                      a_end,
  input  [6:0]               a_octets,
  input                      b_active,
  input                      bad_fcs,
  output reg [64*GROUPS-1:0] line_data,
  output reg [8*GROUPS-1:0]  line_ctrl,
  output reg                 bad_sent,
  output                     idle
);
  localparam [63:0] IDLE     = 64'h0707_0707_0707_0707;
  localparam [63:0] PREAMBLE = 64'hD555_5555_5555_55FB;

  wire [31:0] crc;
  wire        crc_valid;
  wire [GROUP_W-1:0] b_group = preamble_group + 1'b1;
  crc32 #(.GROUPS(GROUPS)) u_crc (
    .clk(clk), .rst(rst), .data(data), .a_active(a_active), .a_first(a_first), .a_end(a_end), .a_octets(a_octets),
    .b_active(b_active), .b_group(b_group), .crc(crc), .crc_valid(crc_valid));

  // ---------------------------------------------------------------- data and layout wait four clocks for the CRC
  localparam LAYOUT_W = GROUP_W + 11;
  reg  a_bad_reg;    // of the frame that owns lane 0
  always @(posedge clk)
    if (preamble) a_bad_reg <= bad_fcs;
  wire [LAYOUT_W-1:0] layout0 = {a_bad_reg, preamble, a_active, a_end, a_octets - 7'd1, preamble_group};
  reg  [64*GROUPS-1:0] data1_reg, data2_reg, data3_reg, data4_reg;
  reg  [LAYOUT_W-1:0]  layout1_reg, layout2_reg, layout3_reg, layout4_reg;
  reg  [3:0]           b_reg, moves_reg;
  always @(posedge clk) begin
    data1_reg <= data;      layout1_reg <= layout0;
    data2_reg <= data1_reg; layout2_reg <= layout1_reg;
    data3_reg <= data2_reg; layout3_reg <= layout2_reg;
    data4_reg <= data3_reg; layout4_reg <= layout3_reg;
    b_reg     <= {b_reg[2:0], b_active};
    moves_reg <= rst ? 4'd0 : {moves_reg[2:0], preamble || a_active};
  end
  wire moves4 = moves_reg[3];
  wire bad4, preamble4, a_active4, a_end4;
  wire [6:0] last4;                  // A's last octet in this word
  wire [GROUP_W-1:0] group4;
  assign {bad4, preamble4, a_active4, a_end4, last4, group4} = layout4_reg;
  wire [2:0] last_lane = last4[5:3];
  wire b4 = b_reg[3];

  // ---------------------------------------------------------------- the end: last octets, FCS, terminate, idle
  wire [31:0]  fcs = bad4 ? crc : ~crc;
  wire [127:0] end_plain = {88'h07_0707_0707_0707_0707_0707, 8'hFD, fcs};
  reg  [63:0]  last_data;
  reg  [127:0] end_data;
  reg  [15:0]  end_ctrl;
  integer g;
  always @* begin
    last_data = 64'd0;
    for (g = 0; g < GROUPS; g = g + 1)
      if (g == {29'd0, last_lane}) last_data = data4_reg[64*g +: 64];
    // lowest octets of end_plain first; the octets above the shifted-out idles are idles again
    case (last4[2:0])
      3'd0: end_data = {end_plain[119:0], last_data[7:0]};
      3'd1: end_data = {end_plain[111:0], last_data[15:0]};
      3'd2: end_data = {end_plain[103:0], last_data[23:0]};
      3'd3: end_data = {end_plain[95:0],  last_data[31:0]};
      3'd4: end_data = {end_plain[87:0],  last_data[39:0]};
      3'd5: end_data = {end_plain[79:0],  last_data[47:0]};
      3'd6: end_data = {end_plain[71:0],  last_data[55:0]};
      3'd7: end_data = {end_plain[63:0],  last_data};
    endcase
    end_ctrl = 16'hfff0 << (last4[2:0] + 4'd1);
  end

  // ---------------------------------------------------------------- put together
  reg [63:0]           spill_data_reg;   // what of the end falls into the next word
  reg [7:0]            spill_ctrl_reg;
  reg                  spill_reg;
  reg [64*GROUPS-1:0]  out_data;
  reg [8*GROUPS-1:0]   out_ctrl;
  always @* begin
    out_data = {GROUPS{IDLE}};
    out_ctrl = {(8*GROUPS){1'b1}};
    if (spill_reg) begin
      out_data[63:0] = spill_data_reg;
      out_ctrl[7:0]  = spill_ctrl_reg;
    end
    for (g = 0; g < GROUPS; g = g + 1) begin
      if ((a_active4 && (!a_end4 || g < {29'd0, last_lane})) || (b4 && g > {{(32-GROUP_W){1'b0}}, group4})) begin
        out_data[64*g +: 64] = data4_reg[64*g +: 64];
        out_ctrl[8*g +: 8]   = 8'h00;
      end else if (a_end4 && g == {29'd0, last_lane}) begin
        out_data[64*g +: 64] = end_data[63:0];
        out_ctrl[8*g +: 8]   = end_ctrl[7:0];
      end else if (preamble4 && g == {{(32-GROUP_W){1'b0}}, group4}) begin
        out_data[64*g +: 64] = PREAMBLE;
        out_ctrl[8*g +: 8]   = 8'h01;
      end else if (a_end4 && g == {29'd0, last_lane} + 1) begin
        out_data[64*g +: 64] = end_data[127:64];
        out_ctrl[8*g +: 8]   = end_ctrl[15:8];
      end
    end
  end
  always @(posedge clk) begin
    line_data      <= rst ? {GROUPS{IDLE}} : out_data;
    line_ctrl      <= rst ? {(8*GROUPS){1'b1}} : out_ctrl;
    spill_reg      <= a_end4 && {29'd0, last_lane} == GROUPS - 1 && !rst;
    spill_data_reg <= end_data[127:64];
    spill_ctrl_reg <= end_ctrl[15:8];
    bad_sent       <= a_end4 && bad4 && !rst;
  end

  reg out_reg;
  always @(posedge clk) out_reg <= !rst && (moves4 || spill_reg);
  assign idle = !(preamble || a_active || |moves_reg || spill_reg || out_reg);
  wire unused = &{1'b0, crc_valid, last4[6], end_plain[127:120]};
endmodule
