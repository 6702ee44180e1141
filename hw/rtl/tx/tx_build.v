// SPDX-License-Identifier: Apache-2.0
// Fills words with the octets of test frames: header, counting payload, signature. No FCS, no preamble.
//
// Contents are made at wire alignment, lane by lane, as a function of the frame and the group of it that stands in the
// lane; there is no shifter over octets but for the 18 of the signature, whose place in its group is the same for all
// frames of a run. A header of 64 octets is split once into what stands in its first word and the rest.
// Clock t: begins with group, header and signature. Outputs in t+2: data with octets of no frame zero, and the layout.
module tx_build #(
  parameter GROUPS  = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input                     clk,
  input                     rst,
  input                     begins,
  input  [GROUP_W-1:0]      group,
  input  [511:0]            header,
  input  [143:0]            signature,       // first octet on the wire in bits 143:136
  input  [13:0]             cfg_frame_octets,
  input  [7:0]              cfg_payload_offset,
  output reg [64*GROUPS-1:0] data,
  output reg                preamble,
  output reg [GROUP_W-1:0]  preamble_group,
  output reg                a_active,
  output reg                a_first,
  output reg                a_end,
  output reg [6:0]          a_octets,
  output reg                b_active,
  output                    idle
);
  integer i, g;

  // ---------------------------------------------------------------- what holds still while running
  reg [13:0]  data_octets_reg;
  reg [10:0]  sign_index_reg;      // group of the frame where the signature begins
  reg [2:0]   sign_shift_reg;      // and the octet in it
  reg [255:0] sign_mask_reg;       // the octets of the signature in its four groups
  reg [63:0]  count_low_reg;       // low three bits of the counting octets of a group
  reg [63:0]  count_same_reg;      // ones in octets that count in the same eight as the group's last
  wire [13:0] sign_octet = data_octets_reg - 14'd18;
  always @(posedge clk) begin
    data_octets_reg <= cfg_frame_octets - 14'd4;
    sign_index_reg  <= sign_octet[13:3];
    sign_shift_reg  <= sign_octet[2:0];
    sign_mask_reg   <= {112'd0, {144{1'b1}}} << {sign_shift_reg, 3'd0};
    for (i = 0; i < 8; i = i + 1) begin
      count_low_reg[8*i +: 8]  <= {5'd0, i[2:0] - cfg_payload_offset[2:0]};
      count_same_reg[8*i +: 8] <= {8{i[2:0] >= cfg_payload_offset[2:0]}};
    end
  end

  // ---------------------------------------------------------------- clock t: split header, align signature
  reg [143:0] wire_order;
  reg [64*GROUPS-1:0] first_part, first1_reg;
  reg [511:0] rest_part, rest_b1_reg, rest_a1_reg;
  reg [255:0] aligned, sign_b1_reg, sign_a1_reg;
  always @* begin
    for (i = 0; i < 18; i = i + 1) wire_order[8*i +: 8] = signature[143-8*i -: 8];
    case (sign_shift_reg)
      3'd0: aligned = {112'd0, wire_order};
      3'd1: aligned = {104'd0, wire_order,  8'd0};
      3'd2: aligned = { 96'd0, wire_order, 16'd0};
      3'd3: aligned = { 88'd0, wire_order, 24'd0};
      3'd4: aligned = { 80'd0, wire_order, 32'd0};
      3'd5: aligned = { 72'd0, wire_order, 40'd0};
      3'd6: aligned = { 64'd0, wire_order, 48'd0};
      3'd7: aligned = { 56'd0, wire_order, 56'd0};
    endcase
  end
  always @* begin
    first_part = {(64*GROUPS){1'b0}};
    rest_part  = header;
    for (g = 0; g < GROUPS; g = g + 1)
      if (g == {{(32-GROUP_W){1'b0}}, group}) begin
        rest_part = header >> (64*(GROUPS-1-g));
        if (g != GROUPS-1) first_part = header[64*GROUPS-1:0] << (64*(g+1));
      end
  end
  wire               preamble1, a_active1, a_first1, a_end1, b_active1, layout_idle;
  wire [GROUP_W-1:0] group1;
  wire [6:0]         a_octets1;
  wire [10:0]        a_index1;
  tx_layout #(.GROUPS(GROUPS)) u_layout (
    .clk(clk), .rst(rst), .begins(begins), .group(group), .data_octets(data_octets_reg),
    .preamble(preamble1), .preamble_group(group1), .a_active(a_active1), .a_first(a_first1), .a_end(a_end1),
    .a_octets(a_octets1), .a_index(a_index1), .b_active(b_active1), .idle(layout_idle));
  always @(posedge clk) begin
    if (begins) begin
      first1_reg  <= first_part;
      rest_b1_reg <= rest_part;
      sign_b1_reg <= aligned;
    end
    if (preamble1) begin
      rest_a1_reg <= rest_b1_reg;
      sign_a1_reg <= sign_b1_reg;
    end else
      rest_a1_reg <= GROUPS == 8 ? 512'd0 : rest_a1_reg >> (64*GROUPS);
  end

  // ---------------------------------------------------------------- clock t+1: fill the lanes
  reg [64*GROUPS-1:0] lanes;
  reg [63:0] lane, sign_lane, mask_lane;
  reg [10:0] index, from_sign;
  reg [4:0]  eight;
  reg        in_b;
  wire [6:0] last_place = a_octets1 - 7'd1;
  wire [2:0] last_lane  = last_place[5:3];
  wire [2:0] last_octet = last_place[2:0];
  wire unused = last_place[6];
  always @* begin
    lanes = {(64*GROUPS){1'b0}};
    lane = 64'd0; sign_lane = 64'd0; mask_lane = 64'd0; index = 11'd0; from_sign = 11'd0; eight = 5'd0; in_b = 1'b0;
    for (g = 0; g < GROUPS; g = g + 1) begin
      in_b = b_active1 && g > {{(32-GROUP_W){1'b0}}, group1};
      if (in_b || (a_active1 && (!a_end1 || g <= {29'd0, last_lane}))) begin
        index = in_b ? g[10:0] - {{(11-GROUP_W){1'b0}}, group1} - 11'd1 : a_index1 + g[10:0];
        if (index < 11'd8)
          lane = in_b ? first1_reg[64*g +: 64] : rest_a1_reg[64*g +: 64];
        else begin
          eight = index[4:0] - cfg_payload_offset[7:3];
          lane  = count_low_reg | ({8{eight, 3'd0}} & count_same_reg) | ({8{eight - 5'd1, 3'd0}} & ~count_same_reg);
        end
        from_sign = index - sign_index_reg;
        if (from_sign < 11'd4) begin
          sign_lane = in_b ? sign_b1_reg[{from_sign[1:0], 6'd0} +: 64] : sign_a1_reg[{from_sign[1:0], 6'd0} +: 64];
          mask_lane = sign_mask_reg[{from_sign[1:0], 6'd0} +: 64];
          lane = (lane & ~mask_lane) | sign_lane;
        end
        if (!in_b && a_end1 && g == {29'd0, last_lane})
          lane = lane & (64'hffff_ffff_ffff_ffff >> {3'd7 - last_octet, 3'd0});
        lanes[64*g +: 64] = lane;
      end
    end
  end
  always @(posedge clk) begin
    data           <= lanes;
    preamble       <= preamble1 && !rst;
    preamble_group <= group1;
    a_active       <= a_active1 && !rst;
    a_first        <= a_first1;
    a_end          <= a_end1 && !rst;
    a_octets       <= a_octets1;
    b_active       <= b_active1 && !rst;
  end
  assign idle = layout_idle && !(preamble || a_active);
endmodule
