// SPDX-License-Identifier: Apache-2.0
// Receive MAC: one record for every frame that ends, in line order, at most one per clock.
//
// Takes what line_decode found, computes the FCS (IEEE 802.3 clause 3.2.9) and extracts the 18 octets before it,
// wherever they are. A frame is good, or bad for exactly one reason, the first that holds: code (it did not end with a
// terminate character), short (below 64 octets), long (above max_frame_octets), fcs. Frames that begin and end within
// one word are never good (below 56 octets); they come on rx_cut, beside the record of another frame, without a record
// of their own. It does not look into the signature, and does not check preambles.
//
// Latency: the record comes 8 clocks after the word with the frame's end was at line_decode's input (6 after word_*).
`include "fpgauge_time.vh"
module mac_rx #(
  parameter GROUPS  = 8,
  parameter GROUP_W = (GROUPS == 1) ? 1 : $clog2(GROUPS),
  parameter TIME_W  = `FPGAUGE_WORD_TIME_W(GROUPS),
  parameter START_W = `FPGAUGE_GROUP_TIME_W
) (
  input                      clk,
  input                      rst,
  input      [13:0]          max_frame_octets,
  // line_decode: the word of 2 clocks ago
  input      [64*GROUPS-1:0] word_data,
  input      [TIME_W-1:0]    word_number,
  input                      word_owned,
  input                      word_first,
  input                      word_end,
  input      [GROUP_W-1:0]   word_end_group,
  input      [2:0]           word_end_octet,
  input                      word_live,
  input      [GROUP_W-1:0]   word_live_group,
  // line_decode: the word of 3 clocks ago
  input                      ev_end,
  input                      ev_well,
  input      [13:0]          ev_octets,
  input                      ev_over,
  input                      ev_cut,
  input                      ev_cut_well,
  // one frame
  output reg                 frame_valid,
  output reg                 frame_good,
  output reg                 frame_right,       // good, whatever max_frame_octets says
  output reg                 frame_bad_code,
  output reg                 frame_bad_short,
  output reg                 frame_bad_long,
  output reg                 frame_bad_fcs,
  output reg [13:0]          frame_octets,
  output reg [143:0]         frame_signature,   // first octet highest
  output reg [START_W-1:0]          frame_start_groups,
  output reg                 cut_valid,
  output reg                 cut_well
);
  localparam        MIN_FRAME_OCTETS = 14'd64;  // IEEE 802.3 clause 3.2.8: minFrameSize
  localparam [31:0] CRC_GOOD = 32'hDEBB20E3;    // state after a frame and its right FCS
  localparam        GROUPS_LOG2 = $clog2(GROUPS);
  localparam        PAST_W = $clog2(64 * GROUPS + 192);
  localparam        LAST = GROUPS - 1;
  localparam [GROUP_W-1:0] LAST_GROUP = LAST[GROUP_W-1:0];

  // Clock 3: octets that belong to no frame become 0; the window of 4 groups that holds the signature is taken. Its
  // last group is the one with the end, because 4 octets of FCS and 18 of signature reach at most 22 octets back.
  reg  [64*GROUPS-1:0] masked3_reg;
  reg  [63:0]          end_mask;
  reg                  owned3_reg, first3_reg, end3_reg, begin3_reg;
  reg  [6:0]           octets3_reg;
  reg  [GROUP_W-1:0]   begin_group3_reg;
  reg  [191:0]         history_reg;             // the 3 groups before this word
  wire [64*GROUPS+191:0] joined = {word_data, history_reg};
  reg  [64*GROUPS+191:0] past;                  // the same, where a frame ends: only there a simulator joins them
  reg  [255:0]         window3_reg;
  reg  [2:0]           shift3_reg;
  reg  [START_W-1:0]          open_start_reg, start3_reg;
  localparam [GROUPS-1:0] ALL = {GROUPS{1'b1}}, NONE = {GROUPS{1'b0}};
  wire [63:0]          word_octets = {word_number, {(3+GROUPS_LOG2){1'b0}}};
  reg  [GROUPS-1:0]    whole;                   // groups that belong entirely to a frame
  integer g;
  always @* begin
    end_mask = ~({64{1'b1}} << {word_end_octet, 3'b000});
    whole    = (!word_owned ? NONE : word_end ? ~(ALL << word_end_group) : ALL)
             | (word_live ? (ALL << word_live_group) << 1 : NONE);
  end
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    masked3_reg      <= word_data;
    if (whole != ALL)
      for (g = 0; g < GROUPS; g = g + 1)
        if (!whole[g])
          masked3_reg[64*g +: 64] <= word_end && g[GROUP_W-1:0] == word_end_group ? word_data[64*g +: 64] & end_mask
                                                                                  : 64'd0;
    owned3_reg       <= word_owned;
    first3_reg       <= word_first;
    end3_reg         <= word_end;
    octets3_reg      <= {{(4-GROUP_W){1'b0}}, word_end_group, word_end_octet};
    begin3_reg       <= word_live && word_live_group != LAST_GROUP;
    begin_group3_reg <= word_live_group + 1'b1;
    if (word_end) begin
      past        = {word_data, history_reg};
      window3_reg <= past[{{(PAST_W-6-GROUP_W){1'b0}}, word_end_group, 6'd0} +: 256];
      shift3_reg  <= word_end_octet;
      start3_reg  <= open_start_reg;
    end
    history_reg <= joined[64*GROUPS +: 192];
    if (word_live)
      open_start_reg <= word_octets[63:3] | {{(START_W-GROUP_W){1'b0}}, word_live_group};
    if (rst) begin
      owned3_reg <= 1'b0;
      end3_reg   <= 1'b0;
      begin3_reg <= 1'b0;
    end
  end
  /* verilator lint_on BLKSEQ */

  wire [31:0] crc;
  wire        crc_valid;
  crc32 #(.GROUPS(GROUPS)) u_crc (
    .clk(clk), .rst(rst), .data(masked3_reg), .a_active(owned3_reg), .a_first(first3_reg), .a_end(end3_reg),
    .a_octets(octets3_reg), .b_active(begin3_reg), .b_group(begin_group3_reg), .crc(crc), .crc_valid(crc_valid));

  // Clock 4: the octet shift. The end is octet shift3_reg of the window's last group; the signature begins 22 before
  // it.
  reg  [143:0] aligned;                         // first octet lowest
  reg  [143:0] signature4_reg;
  reg  [START_W-1:0]  start4_reg;
  reg  [13:0]  octets4_reg;
  reg          valid4_reg, code4_reg, short4_reg, long4_reg, cut4_reg, cut_well4_reg;
  wire         unused = &{1'b0, joined[64*GROUPS-1:0], window3_reg[255:216], window3_reg[15:0], word_octets[2:0]};
  wire [199:0] near = window3_reg[16 +: 200];
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    valid4_reg    <= ev_end && !rst;
    cut4_reg      <= ev_cut && !rst;
    cut_well4_reg <= ev_cut_well;
    if (ev_end) begin
      aligned = near[{2'b00, shift3_reg, 3'b000} +: 144];
      signature4_reg <= {                       // first octet highest
        aligned[0 +: 8],  aligned[8 +: 8],   aligned[16 +: 8],  aligned[24 +: 8],  aligned[32 +: 8],  aligned[40 +: 8],
        aligned[48 +: 8], aligned[56 +: 8],  aligned[64 +: 8],  aligned[72 +: 8],  aligned[80 +: 8],  aligned[88 +: 8],
        aligned[96 +: 8], aligned[104 +: 8], aligned[112 +: 8], aligned[120 +: 8], aligned[128 +: 8], aligned[136 +: 8]};
      start4_reg     <= start3_reg;
      octets4_reg    <= ev_octets;
      code4_reg      <= !ev_well;
      short4_reg     <= ev_octets < MIN_FRAME_OCTETS;
      long4_reg      <= ev_octets > max_frame_octets || ev_over;
    end
  end
  /* verilator lint_on BLKSEQ */

  // Clocks 5 to 7: wait for the CRC.
  localparam WAIT = 3;
  reg [143:0]        signature5_reg, signature6_reg, signature7_reg;
  reg [START_W-1:0]         start5_reg, start6_reg, start7_reg;
  reg [16:0]         verdict5_reg, verdict6_reg, verdict7_reg;   // octets, code, short, long
  reg [WAIT-1:0]     valid_reg, cut_reg, cut_well_reg;
  always @(posedge clk) begin
    if (valid_reg[1]) begin                     // last first, so that a simulator needs no copies
      signature7_reg <= signature6_reg;
      start7_reg     <= start6_reg;
      verdict7_reg   <= verdict6_reg;
    end
    if (valid_reg[0]) begin
      signature6_reg <= signature5_reg;
      start6_reg     <= start5_reg;
      verdict6_reg   <= verdict5_reg;
    end
    if (valid4_reg) begin
      signature5_reg <= signature4_reg;
      start5_reg     <= start4_reg;
      verdict5_reg   <= {octets4_reg, code4_reg, short4_reg, long4_reg};
    end
    valid_reg    <= {valid_reg[WAIT-2:0], valid4_reg};
    cut_reg      <= {cut_reg[WAIT-2:0], cut4_reg};
    cut_well_reg <= {cut_well_reg[WAIT-2:0], cut_well4_reg};
    if (rst) begin
      valid_reg <= {WAIT{1'b0}};
      cut_reg   <= {WAIT{1'b0}};
    end
  end

  // Clock 8: the verdict.
  wire code7, short7, long7;
  wire fcs7 = !(crc_valid && crc == CRC_GOOD);
  assign {code7, short7, long7} = verdict7_reg[2:0];
  always @(posedge clk) begin
    frame_valid <= valid_reg[WAIT-1] && !rst;
    cut_valid   <= cut_reg[WAIT-1] && !rst;
    cut_well    <= cut_well_reg[WAIT-1];
    if (valid_reg[WAIT-1]) begin
      frame_signature    <= signature7_reg;
      frame_start_groups <= start7_reg;
      frame_octets       <= verdict7_reg[16:3];
      frame_bad_code  <= code7;
      frame_bad_short <= !code7 && short7;
      frame_bad_long  <= !code7 && !short7 && long7;
      frame_bad_fcs   <= !code7 && !short7 && !long7 && fcs7;
      frame_good      <= !code7 && !short7 && !long7 && !fcs7;
      frame_right     <= !code7 && !short7 && !fcs7;
    end
  end
endmodule
