// SPDX-License-Identifier: Apache-2.0
// Makes the contents of frames at wire alignment: header, counting payload, signature. No octet ever moves to another
// octet of its group for the sake of the frame's position: a frame begins at a group, so an image made once a frame
// (header with what falls into it of the signature, rotated by groups) serves the word it starts in and the next; all
// further words are payload, which is a count, and the signature, whose place in the frame is constant in a trial.
//
// In: one frame a clock at most, by its preamble's group. Out, 2 clocks later: the words of the line without preamble,
// FCS and idle; octets of no frame are 0; frames by the a_/b_ rules of crc32.v, with one addition: a_lone marks a frame
// of up to 60 octets that begins behind a preamble in group 0 and ends in the same word.
// FCS, preamble and idle are mac_tx's work. Where frames start is decided long before.
module tx_build #(
  parameter GROUPS = 8,
  parameter PORT = 0,
  parameter DEST_LOG2 = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input                      clk,
  input                      rst,
  input                      load,
  input [7:0]                cfg_run_id,
  input [13:0]               cfg_frame_octets,
  input [7:0]                cfg_payload_offset,
  // frames
  input                      frame_valid,
  input [GROUP_W-1:0]        frame_group,
  input [39:0]               frame_time,
  input                      frame_tag,
  input                      frame_bad_fcs,
  input [DEST_LOG2-1:0]      frame_index,
  input [3:0]                frame_port,
  input [47:0]               frame_sequence,
  input [511:0]              frame_header,
  // words
  output                     busy,           // a frame is in hand
  output reg [64*GROUPS-1:0] data,
  output reg                 preamble,
  output reg [GROUP_W-1:0]   preamble_group,
  output reg                 a_active,
  output reg                 a_first,
  output reg                 a_end,
  output reg [6:0]           a_octets,
  output reg                 a_lone,
  output reg                 a_bad_fcs,
  output reg                 b_active,
  output reg [GROUP_W-1:0]   b_group
);
  `include "fpgauge_signature.vh"
  localparam HEADER_GROUPS = 8;
  localparam SIG_GROUPS = 4;                 // 18 octets at any octet of a group
  localparam [31:0] GROUPS32 = GROUPS;
  localparam [11:0] WORD_GROUPS = GROUPS32[11:0];
  localparam [3:0]  WORD_LANES = WORD_GROUPS[3:0];
  localparam [31:0] PORT32 = PORT;
  localparam [3:0]  SOURCE_PORT = PORT32[3:0];

  // ---------------------------------------------------------------- settings of the trial
  function [63:0] octet_mask8;               // octets [count-1:0] of a group
    input [3:0] count;
    integer i;
    for (i = 0; i < 8; i = i + 1) octet_mask8[8*i +: 8] = {8{i < {28'd0, count}}};
  endfunction
  function [64*SIG_GROUPS-1:0] signature_mask;
    input [2:0] shift;
    integer i;
    for (i = 0; i < 8*SIG_GROUPS; i = i + 1)
      signature_mask[8*i +: 8] = {8{i >= {29'd0, shift} && i < {29'd0, shift} + SIGNATURE_OCTETS}};
  endfunction
  function [63:0] count_low;                 // low three bits of a count that begins at `from`
    input [2:0] from;
    integer i;
    for (i = 0; i < 8; i = i + 1) count_low[8*i +: 8] = {5'd0, i[2:0] + from};
  endfunction
  function [63:0] count_carry;               // octets where that count has passed a multiple of 8
    input [2:0] from;
    integer i;
    for (i = 0; i < 8; i = i + 1) count_carry[8*i +: 8] = {8{i + {29'd0, from} > 7}};
  endfunction

  wire [14:0] data_octets   = {1'b0, cfg_frame_octets} - 15'd4;
  wire [14:0] data_octets_up = data_octets + 15'd7;
  wire [13:0] sig_octet     = cfg_frame_octets - 14'd4 - SIGNATURE_OCTETS[13:0];
  wire [7:0]  count_origin  = 8'd0 - cfg_payload_offset;

  reg [7:0]  run_id_reg;
  reg [13:0] frame_octets_reg;
  reg [11:0] groups_reg;                     // of a frame without its FCS
  reg [3:0]  tail_octets_reg;                // in the last of them, 1 to 8
  reg [63:0] tail_mask_reg;
  reg [10:0] sig_group_reg;
  reg [2:0]  sig_shift_reg;
  reg [64*SIG_GROUPS-1:0] sig_mask_reg;
  reg [7:0]  count_origin_reg;               // value of the counting payload at octet 0 of the frame
  reg [63:0] count_low_reg, count_carry_reg;
  wire [3:0] tail_octets = data_octets[2:0] == 3'd0 ? 4'd8 : {1'b0, data_octets[2:0]};
  always @(posedge clk)
    if (load) begin
      run_id_reg       <= cfg_run_id;
      frame_octets_reg <= cfg_frame_octets;
      groups_reg       <= data_octets_up[14:3];
      tail_octets_reg  <= tail_octets;
      tail_mask_reg    <= octet_mask8(tail_octets);
      sig_group_reg    <= sig_octet[13:3];
      sig_shift_reg    <= sig_octet[2:0];
      sig_mask_reg     <= signature_mask(sig_octet[2:0]);
      count_origin_reg <= count_origin;
      count_low_reg    <= count_low(count_origin[2:0]);
      count_carry_reg  <= count_carry(count_origin[2:0]);
    end

  // ---------------------------------------------------------------- clock 0: the frame's image and signature
  integer g, i;
  reg [SIGNATURE_W-1:0]   sig_value, sig_line;     // big endian; octet 0 of the line in the low bits
  reg [64*SIG_GROUPS-1:0] sig_shifted;
  reg [511:0]             overlaid, image;
  wire [2:0]              frame_lane = {{(3-GROUP_W){1'b0}}, frame_group} + 3'd1;  // of its first octet, modulo 8
  reg [2:0]               from;

  always @* begin
    sig_value = {SIGNATURE_W{1'b0}};
    sig_value[SIG_MAGIC_LSB  +: 16] = SIGNATURE_MAGIC;
    sig_value[SIG_RUN_LSB    +: 8]  = run_id_reg;
    sig_value[SIG_SRC_LSB    +: 4]  = SOURCE_PORT;
    sig_value[SIG_DST_LSB    +: 4]  = frame_port;
    sig_value[SIG_STREAM_LSB +: 8]  = {{(8-DEST_LOG2){1'b0}}, frame_index};
    sig_value[SIG_SEQ_LSB    +: 48] = frame_sequence;
    sig_value[SIG_TIME_LSB   +: 40] = frame_time;
    sig_value[SIG_TAG_BIT]          = frame_tag;
    sig_value[SIG_LEN_LSB    +: 14] = frame_octets_reg;
    sig_line = {                               // first octet lowest
      sig_value[0 +: 8],   sig_value[8 +: 8],   sig_value[16 +: 8],  sig_value[24 +: 8],  sig_value[32 +: 8],
      sig_value[40 +: 8],  sig_value[48 +: 8],  sig_value[56 +: 8],  sig_value[64 +: 8],  sig_value[72 +: 8],
      sig_value[80 +: 8],  sig_value[88 +: 8],  sig_value[96 +: 8],  sig_value[104 +: 8], sig_value[112 +: 8],
      sig_value[120 +: 8], sig_value[128 +: 8], sig_value[136 +: 8]};
    case (sig_shift_reg)
      3'd0:    sig_shifted = {112'd0, sig_line};
      3'd1:    sig_shifted = {104'd0, sig_line, 8'd0};
      3'd2:    sig_shifted = {96'd0, sig_line, 16'd0};
      3'd3:    sig_shifted = {88'd0, sig_line, 24'd0};
      3'd4:    sig_shifted = {80'd0, sig_line, 32'd0};
      3'd5:    sig_shifted = {72'd0, sig_line, 40'd0};
      3'd6:    sig_shifted = {64'd0, sig_line, 48'd0};
      default: sig_shifted = {56'd0, sig_line, 56'd0};
    endcase
  end

  always @* begin
    overlaid = frame_header;
    if (sig_group_reg < HEADER_GROUPS)
      for (g = 4; g < HEADER_GROUPS; g = g + 1)    // a frame has 54 octets at least
        for (i = 0; i < SIG_GROUPS; i = i + 1)
          if (g[3:0] == {1'b0, sig_group_reg[2:0]} + i[3:0])
            overlaid[64*g +: 64] = (frame_header[64*g +: 64] & ~sig_mask_reg[64*i +: 64]) | sig_shifted[64*i +: 64];
    for (g = 0; g < HEADER_GROUPS; g = g + 1) begin
      from = g[2:0] - frame_lane;
      image[64*g +: 64] = overlaid[{from, 6'd0} +: 64];
    end
  end

  reg                     start1_reg, bad1_reg;
  reg [GROUP_W-1:0]       group1_reg;
  reg [511:0]             image1_reg;
  reg [64*SIG_GROUPS-1:0] sig1_reg;
  always @(posedge clk) begin
    start1_reg <= frame_valid && !rst;
    if (frame_valid) begin
      group1_reg <= frame_group;
      bad1_reg   <= frame_bad_fcs;
      image1_reg <= image;
      sig1_reg   <= sig_shifted;
    end
  end

  // ---------------------------------------------------------------- clock 1: words
  // A is the frame that goes on from the word before, as it stands at group 0 of this word.
  reg                     active_reg, first_reg, bad_reg;
  reg [11:0]              left_reg;          // groups still to come
  reg signed [12:0]       sig_lane_reg;      // lane of the signature's first group
  reg [3:0]               header_left_reg;   // groups of the image still to come
  reg [7:0]               count_reg;         // counting payload of octet 0
  reg [511:0]             image_reg;         // next group of it lowest
  reg [64*SIG_GROUPS-1:0] sig_reg;

  wire [3:0]  lane1  = {{(4-GROUP_W){1'b0}}, group1_reg} + 4'd1;
  wire [3:0]  lanes1 = WORD_LANES - lane1;                               // the new frame's groups in this word
  wire        lone1  = start1_reg && {8'd0, lane1} + groups_reg <= WORD_GROUPS;
  wire [3:0]  lone_last_lane = lane1 + groups_reg[3:0] - 4'd1;
  wire        end1   = active_reg && left_reg <= WORD_GROUPS;
  wire [3:0]  last_lane = end1 ? left_reg[3:0] - 4'd1 : 4'd15;
  wire signed [12:0] sig_group_signed = {2'b00, sig_group_reg};
  wire        sig_near = sig_lane_reg > -13'sd4 && sig_lane_reg < $signed({1'b0, WORD_GROUPS});
  assign busy = start1_reg || active_reg;

  // The image without the groups that a word has taken; round, because its lanes below lane1 are for the next word.
  wire [511:0] image1_rest, image_rest;
  generate
    if (GROUPS == 8) begin : g_rest
      assign image1_rest = image1_reg;
      assign image_rest  = image_reg;
    end else begin : g_rest
      assign image1_rest = {image1_reg[64*GROUPS-1:0], image1_reg[511:64*GROUPS]};
      assign image_rest  = {image_reg[64*GROUPS-1:0], image_reg[511:64*GROUPS]};
    end
  endgenerate

  always @(posedge clk) begin
    if (start1_reg) begin
      active_reg      <= !lone1;
      first_reg       <= lane1 == WORD_LANES;
      bad_reg         <= bad1_reg;
      left_reg        <= groups_reg - {8'd0, lanes1};
      sig_lane_reg    <= sig_group_signed - $signed({9'd0, lanes1});
      header_left_reg <= 4'd8 - lanes1;
      count_reg       <= count_origin_reg + {1'b0, lanes1, 3'd0};
      image_reg       <= image1_rest;
      sig_reg         <= sig1_reg;
    end else if (active_reg) begin
      active_reg      <= !end1;
      first_reg       <= 1'b0;
      left_reg        <= left_reg - WORD_GROUPS;
      sig_lane_reg    <= sig_lane_reg - $signed({1'b0, WORD_GROUPS});
      header_left_reg <= header_left_reg > WORD_LANES ? header_left_reg - WORD_LANES : 4'd0;
      count_reg       <= count_reg + {1'b0, WORD_LANES, 3'd0};
      if (GROUPS != 8) image_reg <= image_rest;
    end
    if (rst) active_reg <= 1'b0;
  end

  reg [64*GROUPS-1:0] content;
  reg [63:0]          x;
  reg [4:0]           upper, upper_next;
  always @* begin
    content = {(64*GROUPS){1'b0}};
    x = 64'd0;
    upper = 5'd0;
    upper_next = 5'd0;
    if (active_reg)
      for (g = 0; g < GROUPS; g = g + 1)
        if (g[3:0] <= last_lane) begin
          upper      = count_reg[7:3] + g[4:0];
          upper_next = count_reg[7:3] + g[4:0] + 5'd1;
          if (g[3:0] < header_left_reg)
            x = image_reg[64*g +: 64];
          else
            x = count_low_reg | ({8{upper, 3'd0}} & ~count_carry_reg) | ({8{upper_next, 3'd0}} & count_carry_reg);
          if (sig_near)
            for (i = 0; i < SIG_GROUPS; i = i + 1)
              if (g - i == {{19{sig_lane_reg[12]}}, sig_lane_reg})
                x = (x & ~sig_mask_reg[64*i +: 64]) | sig_reg[64*i +: 64];
          content[64*g +: 64] = g[3:0] == last_lane ? x & tail_mask_reg : x;
        end
    if (start1_reg)
      for (g = 1; g < GROUPS; g = g + 1)
        if (g[3:0] >= lane1)
          content[64*g +: 64] = lone1 && g[3:0] == lone_last_lane ? image1_reg[64*g +: 64] & tail_mask_reg
                              : image1_reg[64*g +: 64];
  end

  wire [6:0] end_octets  = {left_reg[3:0] - 4'd1, 3'd0} + {3'd0, tail_octets_reg};
  wire [6:0] lone_octets = {lone_last_lane, 3'd0} + {3'd0, tail_octets_reg};
  always @(posedge clk) begin
    data           <= content;
    preamble       <= start1_reg && !rst;
    preamble_group <= group1_reg;
    a_active       <= (active_reg || lone1) && !rst;
    a_first        <= (active_reg && first_reg) || lone1;
    a_end          <= (end1 || lone1) && !rst;
    a_octets       <= lone1 ? lone_octets : end_octets;
    a_lone         <= lone1;
    a_bad_fcs      <= lone1 ? bad1_reg : bad_reg;
    b_active       <= start1_reg && !lone1 && lane1 != WORD_LANES && !rst;
    b_group        <= lane1[GROUP_W-1:0];
  end

  wire unused = &{1'b0, data_octets_up[2:0]};
endmodule
