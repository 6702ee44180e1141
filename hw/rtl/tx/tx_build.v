// SPDX-License-Identifier: Apache-2.0
// Makes the contents of frames at wire alignment: header, counting payload, signature. Octets never move within their
// group because of the frame's position: a frame starts on a group, so an image made once per frame (the header, with
// the part of the signature that falls into it, rotated by groups) serves the word it starts in and the next; all
// further words are payload, which is a count, and the signature, whose place in the frame is constant in a trial.
//
// In: at most one frame per clock, by its preamble's group. Out, 2 clocks later: the words of the line without
// preamble, FCS and idle; octets that belong to no frame are 0; frames follow the a_/b_ rules of crc32.v, with one
// addition: a_lone marks a frame of up to 60 octets that begins after a preamble in group 0 and ends in the same word.
// mac_tx adds FCS, preamble and idle. Where frames start is decided long before.
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
  output                     busy,           // a frame is in progress
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
  localparam [31:0] GROUPS32 = GROUPS;
  localparam [3:0]  WORD_LANES = GROUPS32[3:0];
  localparam [14:0] WORD_OCTETS = {8'd0, WORD_LANES, 3'd0};
  localparam [GROUP_W-1:0] LAST_GROUP = GROUPS32[GROUP_W-1:0] - 1'b1;
  localparam [31:0] PORT32 = PORT;
  localparam [3:0]  SOURCE_PORT = PORT32[3:0];

  // ---------------------------------------------------------------- settings of the trial
  // The signature ends where the frame ends (without FCS), so header and payload provide exactly the octets before it.
  function [63:0] octet_mask8;               // octets [count-1:0] of a group
    input [3:0] count;
    integer i;
    for (i = 0; i < 8; i = i + 1) octet_mask8[8*i +: 8] = {8{i < {28'd0, count}}};
  endfunction
  function [255:0] below_signature;          // for octets 32 to 63 of a frame
    input [13:0] sig_octet;
    integer i;
    for (i = 0; i < 32; i = i + 1) below_signature[8*i +: 8] = {8{i + 32 < {18'd0, sig_octet}}};
  endfunction
  function [63:0] count_low;                 // low three bits of a count that starts at `from`
    input [2:0] from;
    integer i;
    for (i = 0; i < 8; i = i + 1) count_low[8*i +: 8] = {5'd0, i[2:0] + from};
  endfunction
  function [63:0] count_carry;               // octets where that count has passed a multiple of 8
    input [2:0] from;
    integer i;
    for (i = 0; i < 8; i = i + 1) count_carry[8*i +: 8] = {8{i + {29'd0, from} > 7}};
  endfunction

  wire [13:0] data_octets  = cfg_frame_octets - 14'd4;
  wire [13:0] sig_octet    = data_octets - SIGNATURE_OCTETS[13:0];
  wire [7:0]  count_origin = 8'd0 - cfg_payload_offset;      // counting payload at octet 0 of the frame

  reg [7:0]   run_id_reg;
  reg [13:0]  frame_octets_reg;
  reg [14:0]  word_over_reg;                 // octets without FCS, minus those of a word from group 1 on
  reg         lone_reg;                      // all of the frame is in the groups after group 0 of a word
  reg         long_reg;                      // it continues after the header image
  reg [6:0]   lone_octets_reg;
  reg [2:0]   sig_shift_reg;
  reg         sig_in_image_reg;
  reg [1:0]   sig_image_group_reg;           // of the signature's first octet, minus 4: a frame has at least 54 octets
  reg [255:0] header_mask_reg;
  reg [63:0]  payload_mask_reg;              // for the group in which the signature begins
  reg [7:0]   count_end_reg;                 // counting payload where the frame ends
  reg [63:0]  count_low_reg, count_carry_reg;
  always @(posedge clk)
    if (load) begin
      run_id_reg          <= cfg_run_id;
      frame_octets_reg    <= cfg_frame_octets;
      word_over_reg       <= {1'b0, data_octets} + 15'd8 - WORD_OCTETS;
      lone_reg            <= {1'b0, data_octets} + 15'd8 <= WORD_OCTETS;
      lone_octets_reg     <= data_octets[6:0] + 7'd8;
      long_reg            <= data_octets > 14'd64;
      sig_shift_reg       <= sig_octet[2:0];
      sig_in_image_reg    <= sig_octet < 14'd64;
      sig_image_group_reg <= sig_octet[4:3];
      header_mask_reg     <= below_signature(sig_octet);
      payload_mask_reg    <= octet_mask8({1'b0, sig_octet[2:0]});
      count_end_reg       <= count_origin + data_octets[7:0];
      count_low_reg       <= count_low(count_origin[2:0]);
      count_carry_reg     <= count_carry(count_origin[2:0]);
    end

  // ---------------------------------------------------------------- clock 0: the frame's image and signature
  // Octets in line order, first octet lowest; sig0 to sig3: the groups that hold the signature.
  generate
    if (SIG_MAGIC_LSB != 128 || SIG_RUN_LSB != 120 || SIG_SRC_LSB != 116 || SIG_DST_LSB != 112 || SIG_STREAM_LSB != 104
        || SIG_SEQ_LSB != 56 || SIG_TIME_LSB != 16 || SIG_TAG_BIT != 15 || SIG_LEN_LSB != 0)
      tx_build_must_follow_fpgauge_signature_vh stop_here();
  endgenerate
  wire [7:0]  stream = {{(8-DEST_LOG2){1'b0}}, frame_index};
  wire [5:0]  sig_bits = {sig_shift_reg, 3'd0};
  wire [5:0]  sig_back = 6'd56 - sig_bits;
  integer     g, k;
  reg [63:0]  sig_a, sig_b, sig0, sig1, sig2, sig3;
  reg [15:0]  sig_c;
  reg [255:0] sig_image;
  reg [511:0] image;
  always @* begin
    sig_a = {frame_sequence[31:24], frame_sequence[39:32], frame_sequence[47:40], stream, SOURCE_PORT, frame_port,
             run_id_reg, SIGNATURE_MAGIC[7:0], SIGNATURE_MAGIC[15:8]};
    sig_b = {frame_time[7:0], frame_time[15:8], frame_time[23:16], frame_time[31:24], frame_time[39:32],
             frame_sequence[7:0], frame_sequence[15:8], frame_sequence[23:16]};
    sig_c = {frame_octets_reg[7:0], frame_tag, 1'b0, frame_octets_reg[13:8]};
    sig0  = sig_a << sig_bits;
    sig1  = sig_b << sig_bits | (sig_a >> 8) >> sig_back;
    sig2  = {48'd0, sig_c} << sig_bits | (sig_b >> 8) >> sig_back;
    sig3  = ({48'd0, sig_c} >> 8) >> sig_back;
    sig_image = 256'd0;
    if (sig_in_image_reg)
      case (sig_image_group_reg)
        2'd0:    sig_image = {sig3, sig2, sig1, sig0};
        2'd1:    sig_image = {sig2, sig1, sig0, 64'd0};
        2'd2:    sig_image = {sig1, sig0, 128'd0};
        default: sig_image = {sig0, 192'd0};
      endcase
    image = {frame_header[511:256] & header_mask_reg | sig_image, frame_header[255:0]};
  end

  // The image is placed into a window of the words to come: word_reg is the next, rest_reg what follows it. Where there
  // is no image the window is 0. A previous frame is below this one: it began at least 9 groups earlier.
  reg               start1_reg, bad1_reg;
  reg [GROUP_W-1:0] group1_reg;
  reg [3:0]         header_left_reg;         // groups of A's image still to come
  reg [64*GROUPS-1:0] word_reg;
  reg [511:0]       rest_reg;
  reg [255:0]       sig1_reg, sig_reg;
  always @(posedge clk) begin
    start1_reg <= frame_valid && !rst;
    if (frame_valid) begin
      group1_reg <= frame_group;
      bad1_reg   <= frame_bad_fcs;
      if (long_reg) sig1_reg <= {sig3, sig2, sig1, sig0};
      for (k = 0; k < GROUPS; k = k + 1)
        if (frame_group == k[GROUP_W-1:0]) begin
          for (g = 0; g < GROUPS; g = g + 1)
            word_reg[64*g +: 64] <= g > k ? image[64*((g + 7 - k) % 8) +: 64] : rest_reg[64*g +: 64];
          for (g = 0; g < 8; g = g + 1)
            rest_reg[64*g +: 64] <= g + GROUPS - k <= 8 ? image[64*((g + GROUPS + 7 - k) % 8) +: 64] : 64'd0;
        end
    end else if (start1_reg || header_left_reg != 4'd0) begin
      word_reg <= rest_reg[64*GROUPS-1:0];
      for (g = 0; g < 8; g = g + 1)
        rest_reg[64*g +: 64] <= g + GROUPS < 8 ? rest_reg[64*((g + GROUPS) % 8) +: 64] : 64'd0;
    end
  end

  // ---------------------------------------------------------------- clock 1: words
  // A is the frame that continues from the previous word, as of group 0 of this word.
  reg         active_reg, first_reg, bad_reg;
  reg [14:0]  left_reg;                      // octets still to come
  wire        lone1 = start1_reg && lone_reg && group1_reg == {GROUP_W{1'b0}};
  wire        end1  = active_reg && left_reg <= WORD_OCTETS;
  assign busy = start1_reg || active_reg;

  always @(posedge clk) begin
    if (start1_reg) begin
      active_reg      <= !lone1;
      first_reg       <= group1_reg == LAST_GROUP;
      bad_reg         <= bad1_reg;
      left_reg        <= word_over_reg + {{(12-GROUP_W){1'b0}}, group1_reg, 3'd0};
      header_left_reg <= 4'd9 - WORD_LANES + {{(4-GROUP_W){1'b0}}, group1_reg};
      if (long_reg) sig_reg <= sig1_reg;
    end else begin
      first_reg       <= 1'b0;
      if (active_reg) begin
        active_reg    <= !end1;
        left_reg      <= left_reg - WORD_OCTETS;
      end
      if (header_left_reg != 4'd0)
        header_left_reg <= header_left_reg > WORD_LANES ? header_left_reg - WORD_LANES : 4'd0;
    end
    if (rst) begin
      active_reg      <= 1'b0;
      header_left_reg <= 4'd8;               // empties the window
    end
  end

  // After the image: payload up to the signature, which may begin lanes before this word or after it.
  reg [64*GROUPS-1:0] content;
  wire [14:0]         sig_from = left_reg - SIGNATURE_OCTETS[14:0];
  wire signed [11:0]  sig_lane = sig_from[14:3];
  wire [7:0]          count = count_end_reg - left_reg[7:0];          // of octet 0
  reg [4:0]           upper, upper_next;
  reg [63:0]          payload;
  always @* begin
    content    = word_reg;
    upper      = 5'dx;
    upper_next = 5'dx;
    payload    = 64'dx;
    if (active_reg && long_reg) begin
      for (g = 0; g < GROUPS; g = g + 1)
        if (g[3:0] >= header_left_reg) begin
          upper      = count[7:3] + g[4:0];
          upper_next = count[7:3] + g[4:0] + 5'd1;
          payload    = count_low_reg | {8{upper, 3'd0}} & ~count_carry_reg | {8{upper_next, 3'd0}} & count_carry_reg;
          if (sig_lane > $signed(g[11:0]))           content[64*g +: 64] = payload;
          else if (sig_lane == $signed(g[11:0]))     content[64*g +: 64] = payload & payload_mask_reg | sig_reg[63:0];
          else if (sig_lane == $signed(g[11:0]) - 1) content[64*g +: 64] = sig_reg[127:64];
          else if (sig_lane == $signed(g[11:0]) - 2) content[64*g +: 64] = sig_reg[191:128];
          else if (sig_lane == $signed(g[11:0]) - 3) content[64*g +: 64] = sig_reg[255:192];
        end
    end
  end

  always @(posedge clk) begin
    data           <= content;
    preamble       <= start1_reg && !rst;
    preamble_group <= group1_reg;
    a_active       <= (active_reg || lone1) && !rst;
    a_first        <= (active_reg && first_reg) || lone1;
    a_end          <= (end1 || lone1) && !rst;
    a_octets       <= lone1 ? lone_octets_reg : left_reg[6:0];
    a_lone         <= lone1;
    a_bad_fcs      <= lone1 ? bad1_reg : bad_reg;
    b_active       <= start1_reg && !lone1 && group1_reg != LAST_GROUP && !rst;
    b_group        <= group1_reg + 1'b1;
  end

  wire unused = &{1'b0, sig_from[2:0], count[2:0]};
endmodule
