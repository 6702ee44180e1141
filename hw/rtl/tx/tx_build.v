// SPDX-License-Identifier: Apache-2.0
// Makes the contents of frames at wire alignment: header, body, counting payload, signature. Octets never move within
// their group because of the frame's position: a frame starts on a group, so an image made once per frame (the header,
// with the part of the signature that falls into it, rotated by groups) serves the word it starts in and the next. So
// does each entry of 64 octets of a body, in a window of its own: in the clock of a frame's header an entry may come for
// the frame before. All that follows is payload, which is a count, and the signature. Each frame has a length of its own,
// 54 octets or more, which may cut header or body; one without a signature (unsigned) has in its place what would be
// there otherwise.
//
// In: at most one frame per clock, by its preamble's group; its length and kind one clock earlier (coming_*), so that
// what follows from them is in registers; entry i of its body i + 1 times 8 / GROUPS clocks later, but none after the
// next frame, as tx_flows gives them. Out, 2 clocks after frame_valid: the words of the line without
// preamble, FCS and idle; octets that belong to no frame are 0; frames follow the a_/b_ rules of crc32.v, with one
// addition: a_lone marks a frame of up to 60 octets that begins after a preamble in group 0 and ends in the same word.
// mac_tx adds FCS, preamble and idle. Where frames start is decided long before.
module tx_build #(
  parameter GROUPS = 8,
  parameter FLOW_LOG2 = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input                      clk,
  input                      rst,
  input [3:0]                port,           // its own number: the source in the signature
  input                      load,
  input [7:0]                cfg_run_id,
  // one clock before a frame
  input                      coming_valid,
  input [13:0]               coming_octets,
  input                      coming_unsigned,
  // frames
  input                      frame_valid,
  input [GROUP_W-1:0]        frame_group,
  input [39:0]               frame_time,
  input                      frame_tag,
  input                      frame_bad_fcs,
  input                      frame_bad_end,
  input [FLOW_LOG2-1:0]      frame_index,
  input [47:0]               frame_sequence,
  input [7:0]                frame_payload,  // octet where the counting payload begins
  input [4:0]                frame_body_words,
  input [511:0]              frame_header,
  // the body of the last frame before
  input                      body_valid,
  input [511:0]              body,
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
  output reg                 a_bad_end,
  output reg                 b_active,
  output reg [GROUP_W-1:0]   b_group
);
  `include "fpgauge_signature.vh"
  localparam [31:0] GROUPS32 = GROUPS;
  localparam [3:0]  WORD_LANES = GROUPS32[3:0];
  localparam [14:0] WORD_OCTETS = {8'd0, WORD_LANES, 3'd0};
  localparam [GROUP_W-1:0] LAST_GROUP = GROUPS32[GROUP_W-1:0] - 1'b1;

  // ---------------------------------------------------------------- settings of the trial
  reg [3:0] port_reg;
  reg [7:0] run_id_reg;
  always @(posedge clk)
    if (load) begin
      port_reg   <= port;
      run_id_reg <= cfg_run_id;
    end

  // All clocks are in one block, the last one first, so that a simulation need not keep what registers were. What is blocking
  // is used in its own clock alone; rest_reg and body_rest_reg are read before they are written.
  generate
    if (SIG_MAGIC_LSB != 128 || SIG_RUN_LSB != 120 || SIG_SRC_LSB != 116 || SIG_STREAM_LSB != 104
        || SIG_SEQ_LSB != 56 || SIG_TIME_LSB != 16 || SIG_TAG_BIT != 15 || SIG_LEN_LSB != 0) begin : wrong_signature
      tx_build_must_follow_fpgauge_signature_vh stop_here();
    end
  endgenerate

  // Places in the frame of frame_valid, from its length. The signature ends where the frame ends (without FCS), so header and
  // payload provide exactly the octets before it: up to `cut`.
  wire [13:0] data_octets = coming_octets - 14'd4;
  wire [13:0] cut_octet   = coming_unsigned ? data_octets : data_octets - SIGNATURE_OCTETS[13:0];
  reg         unsigned0_reg;
  reg [13:0]  octets0_reg;
  reg [14:0]  over0_reg;                     // octets without FCS, minus those of a word from group 1 on
  reg         lone0_reg;                     // all of the frame is in the groups after group 0 of a word
  reg         long0_reg;                     // it continues after the header image
  reg         cut_in_image0_reg;
  reg [4:0]   cut0_reg;                      // low bits: in the image the cut is in octet 32 or later

  // Its image and signature. Octets in line order, first octet lowest; sig0 to sig3: the groups that hold the signature, 0 if
  // there is none.
  reg [7:0]   stream;
  reg [5:0]   sig_bits, sig_back;
  reg [63:0]  below_cut;                     // octets in the group where the signature begins
  reg [63:0]  sig_a, sig_b, sig0, sig1, sig2, sig3;
  reg [15:0]  sig_c;
  reg [511:0] image;

  // The image is placed into a window of the words to come: word_reg is the next, rest_reg what follows it. Where there
  // is no image the window is 0. A previous frame is below this one: it began at least 9 groups earlier.
  reg               start1_reg, bad_fcs1_reg, bad_end1_reg, lone1_reg, long1_reg, unsigned1_reg;
  reg [14:0]        over1_reg;
  reg [63:0]        below_cut1_reg;
  reg [7:0]         origin1_reg;             // counting payload at octet 0 of the frame
  reg [4:0]         body_words1_reg;
  reg [GROUP_W-1:0] group1_reg;
  reg [3:0]         header_left_reg;         // groups of A's image still to come
  reg [64*GROUPS-1:0] word_reg;
  reg [511:0]       rest_reg;
  reg [255:0]       sig1_reg, sig_reg;

  // Body entries have a window of their own; what is in it where no body belongs is not looked at.
  reg [8:0]           body_left_reg;         // groups of A's image and body still to come; 0: no body
  reg [64*GROUPS-1:0] body_word_reg;
  reg [511:0]         body_rest_reg;

  // A is the frame that continues from the previous word, as of group 0 of this word.
  reg         active_reg, first_reg, bad_fcs_reg, bad_end_reg, long_reg, unsigned_reg;
  reg [63:0]  below_cut_reg;
  reg [7:0]   count_reg;                     // counting payload at octet 0 of this word
  reg [63:0]  count_low_reg;                 // low three bits of a count that starts at its origin
  reg [63:0]  count_carry_reg;               // octets where that count has passed a multiple of 8
  reg [14:0]  left_reg;                      // octets still to come
  reg [14:0]  sig_left_reg;                  // octets before the signature, which may be less than 0
  localparam [63:0] COUNT_UP = 64'h0706_0504_0302_0100;
  reg [5:0]   origin1_bits;
  reg [3:0]   header_left1;
  wire        lone1 = start1_reg && lone1_reg && group1_reg == {GROUP_W{1'b0}};
  wire        end1  = active_reg && left_reg <= WORD_OCTETS;
  assign busy = start1_reg || active_reg;

  // The octets after the image: body and payload up to the signature, which may begin lanes before this word or after it.
  reg signed [11:0]  sig_lane;
  reg [4:0]          upper, upper_next;
  reg [63:0]         payload;                // or body
  integer            g, k;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    // ---------------------------------------------------------------- clock 1: words
    data <= word_reg;
    if (active_reg && long_reg) begin
      sig_lane = sig_left_reg[14:3];
      for (g = 0; g < GROUPS; g = g + 1)
        if (g[3:0] >= header_left_reg) begin
          upper      = count_reg[7:3] + g[4:0];
          upper_next = count_reg[7:3] + g[4:0] + 5'd1;
          payload    = count_low_reg | {8{upper, 3'd0}} & ~count_carry_reg | {8{upper_next, 3'd0}} & count_carry_reg;
          if (g[8:0] < body_left_reg) payload = body_word_reg[64*g +: 64];
          if (sig_lane > $signed(g[11:0]))           data[64*g +: 64] <= payload;
          else if (sig_lane == $signed(g[11:0]))     data[64*g +: 64] <= payload & below_cut_reg | sig_reg[63:0];
          else if (!unsigned_reg) begin
            if (sig_lane == $signed(g[11:0]) - 1)      data[64*g +: 64] <= sig_reg[127:64];
            else if (sig_lane == $signed(g[11:0]) - 2) data[64*g +: 64] <= sig_reg[191:128];
            else if (sig_lane == $signed(g[11:0]) - 3) data[64*g +: 64] <= sig_reg[255:192];
          end
        end
    end
    preamble       <= start1_reg && !rst;
    preamble_group <= group1_reg;
    a_active       <= (active_reg || lone1) && !rst;
    a_first        <= (active_reg && first_reg) || lone1;
    a_end          <= (end1 || lone1) && !rst;
    a_octets       <= lone1 ? over1_reg[6:0] + WORD_OCTETS[6:0] : left_reg[6:0];
    a_lone         <= lone1;
    a_bad_fcs      <= lone1 ? bad_fcs1_reg : bad_fcs_reg;
    a_bad_end      <= lone1 ? bad_end1_reg : bad_end_reg;
    b_active       <= start1_reg && !lone1 && group1_reg != LAST_GROUP && !rst;
    b_group        <= group1_reg + 1'b1;

    // ---------------------------------------------------------------- the windows
    if (body_valid) begin
      for (k = 0; k < GROUPS; k = k + 1)
        if (group1_reg == k[GROUP_W-1:0]) begin
          for (g = 0; g < GROUPS; g = g + 1)
            body_word_reg[64*g +: 64] <= g > k ? body[64*((g + 7 - k) % 8) +: 64] : body_rest_reg[64*g +: 64];
          for (g = 0; g < 8; g = g + 1)
            body_rest_reg[64*g +: 64] = body[64*((g + GROUPS + 7 - k) % 8) +: 64];
        end
    end else if (body_left_reg != 9'd0) begin
      body_word_reg <= body_rest_reg[64*GROUPS-1:0];
      for (g = 0; g + GROUPS < 8; g = g + 1)
        body_rest_reg[64*g +: 64] = body_rest_reg[64*((g + GROUPS) % 8) +: 64];
    end
    if (frame_valid) begin
      stream    = {{(8-FLOW_LOG2){1'b0}}, frame_index};
      sig_bits  = {cut0_reg[2:0], 3'd0};
      sig_back  = 6'd56 - sig_bits;
      below_cut = ~(64'hFFFF_FFFF_FFFF_FFFF << sig_bits);
      sig_a = {frame_sequence[31:24], frame_sequence[39:32], frame_sequence[47:40], stream, port_reg, 4'd0,
               run_id_reg, SIGNATURE_MAGIC[7:0], SIGNATURE_MAGIC[15:8]};
      sig_b = {frame_time[7:0], frame_time[15:8], frame_time[23:16], frame_time[31:24], frame_time[39:32],
               frame_sequence[7:0], frame_sequence[15:8], frame_sequence[23:16]};
      sig_c = {octets0_reg[7:0], frame_tag, 1'b0, octets0_reg[13:8]};
      if (unsigned0_reg) begin
        sig_a = 64'd0;
        sig_b = 64'd0;
        sig_c = 16'd0;
      end
      sig0  = sig_a << sig_bits;
      sig1  = sig_b << sig_bits | (sig_a >> 8) >> sig_back;
      sig2  = {48'd0, sig_c} << sig_bits | (sig_b >> 8) >> sig_back;
      sig3  = ({48'd0, sig_c} >> 8) >> sig_back;
      image = frame_header;
      if (cut_in_image0_reg)
        case (cut0_reg[4:3])
          2'd0:    image[511:256] = {sig3, sig2, sig1, frame_header[319:256] & below_cut | sig0};
          2'd1:    image[511:320] = {sig2, sig1, frame_header[383:320] & below_cut | sig0};
          2'd2:    image[511:384] = {sig1, frame_header[447:384] & below_cut | sig0};
          default: image[511:448] = frame_header[511:448] & below_cut | sig0;
        endcase
      for (k = 0; k < GROUPS; k = k + 1)
        if (frame_group == k[GROUP_W-1:0]) begin
          for (g = 0; g < GROUPS; g = g + 1)
            word_reg[64*g +: 64] <= g > k ? image[64*((g + 7 - k) % 8) +: 64] : rest_reg[64*g +: 64];
          for (g = 0; g < 8; g = g + 1)
            rest_reg[64*g +: 64] = g + GROUPS - k <= 8 ? image[64*((g + GROUPS + 7 - k) % 8) +: 64] : 64'd0;
        end
    end else if (start1_reg || header_left_reg != 4'd0) begin
      word_reg <= rest_reg[64*GROUPS-1:0];
      for (g = 0; g < 8; g = g + 1)
        rest_reg[64*g +: 64] = g + GROUPS < 8 ? rest_reg[64*((g + GROUPS) % 8) +: 64] : 64'd0;
    end

    // ---------------------------------------------------------------- clock 1: the frame that continues
    if (start1_reg) begin
      header_left1    = 4'd9 - WORD_LANES + {{(4-GROUP_W){1'b0}}, group1_reg};
      active_reg      <= !lone1;
      first_reg       <= group1_reg == LAST_GROUP;
      bad_fcs_reg     <= bad_fcs1_reg;
      bad_end_reg     <= bad_end1_reg;
      long_reg        <= long1_reg;
      left_reg        <= over1_reg + {{(12-GROUP_W){1'b0}}, group1_reg, 3'd0};
      header_left_reg <= header_left1;
      body_left_reg   <= 9'd0;
      if (long1_reg) begin
        origin1_bits    = {origin1_reg[2:0], 3'd0};
        unsigned_reg    <= unsigned1_reg;
        below_cut_reg   <= below_cut1_reg;
        sig_reg         <= sig1_reg;
        if (body_words1_reg != 5'd0) body_left_reg <= {1'b0, body_words1_reg, 3'd0} + {5'd0, header_left1};
        count_reg       <= origin1_reg + WORD_OCTETS[7:0] - 8'd8 - {{(5-GROUP_W){1'b0}}, group1_reg, 3'd0};
        sig_left_reg    <= over1_reg + {{(12-GROUP_W){1'b0}}, group1_reg, 3'd0}
                         - (unsigned1_reg ? 15'd0 : SIGNATURE_OCTETS[14:0]);
        count_low_reg   <= COUNT_UP >> origin1_bits | (COUNT_UP << 8) << (6'd56 - origin1_bits);
        count_carry_reg <= ~(64'hFFFF_FFFF_FFFF_FFFF >> origin1_bits);
      end
    end else begin
      first_reg       <= 1'b0;
      if (active_reg) begin
        active_reg    <= !end1;
        left_reg      <= left_reg - WORD_OCTETS;
        if (long_reg) begin
          sig_left_reg <= sig_left_reg - WORD_OCTETS;
          count_reg    <= count_reg + WORD_OCTETS[7:0];
        end
      end
      if (header_left_reg != 4'd0)
        header_left_reg <= header_left_reg > WORD_LANES ? header_left_reg - WORD_LANES : 4'd0;
      if (body_left_reg != 9'd0)
        body_left_reg <= body_left_reg > {5'd0, WORD_LANES} ? body_left_reg - {5'd0, WORD_LANES} : 9'd0;
    end
    if (rst) begin
      active_reg      <= 1'b0;
      header_left_reg <= 4'd8;               // empties the window
      body_left_reg   <= 9'd0;
    end

    // ---------------------------------------------------------------- clock 0: the frame that begins
    start1_reg <= frame_valid && !rst;
    if (frame_valid) begin
      group1_reg   <= frame_group;
      bad_fcs1_reg <= frame_bad_fcs;
      bad_end1_reg <= frame_bad_end;
      lone1_reg    <= lone0_reg;
      long1_reg    <= long0_reg;
      over1_reg    <= over0_reg;
      if (long0_reg) begin
        unsigned1_reg   <= unsigned0_reg;
        below_cut1_reg  <= below_cut;
        sig1_reg        <= {sig3, sig2, sig1, sig0};
        origin1_reg     <= 8'd0 - frame_payload;
        body_words1_reg <= frame_body_words;
      end
    end

    // ---------------------------------------------------------------- clock -1: its length
    if (coming_valid) begin
      unsigned0_reg     <= coming_unsigned;
      octets0_reg       <= coming_octets;
      over0_reg         <= {1'b0, data_octets} + 15'd8 - WORD_OCTETS;
      lone0_reg         <= {1'b0, data_octets} + 15'd8 <= WORD_OCTETS;
      long0_reg         <= data_octets > 14'd64;
      cut_in_image0_reg <= cut_octet < 14'd64;
      cut0_reg          <= cut_octet[4:0];
    end
  end
  /* verilator lint_on BLKSEQ */

  wire unused = &{1'b0, sig_left_reg[2:0], count_reg[2:0]};
endmodule
