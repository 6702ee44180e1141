// SPDX-License-Identifier: Apache-2.0
// The guarantees of mac_tx, for one octet of the word that the solver picks, hence for any: what it is on the line follows
// from the word that was given 5 clocks ago and from how the one before ended. Included inside the module, by hw/formal only.
  localparam F_OCTETS = 8 * GROUPS, F_PLACE_W = $clog2(F_OCTETS);
  localparam [GROUP_W-1:0] F_LAST = GROUPS - 1;
  (* keep *) wire [31:0]          f_crc;
  (* keep *) wire                 f_crc_valid;
  (* keep *) wire [64*GROUPS-1:0] f_crc_data;
  (* anyconst *) reg [F_PLACE_W-1:0] f_place;

  // ---- what tx_build gives
  initial assume (rst);
  reg       f_was_rst = 1;
  always @(posedge clk) f_was_rst <= rst;
  reg       f_open = 0, f_first = 0;            // a frame owns group 0; its contents begin there
  reg       f_ended = 0;                        // the word before held a frame's last octet, and so many octets of it
  reg [6:0] f_ended_octets = 0;
  reg       f_ended_bad_fcs = 0, f_ended_bad_end = 0;
  always @* begin
    assume (!(rst || f_was_rst) || !(preamble || a_active || a_end || a_lone || b_active));
    assume (a_active == (f_open || a_lone));
    assume (!a_active || a_first == (f_first || a_lone));
    assume (!a_end || (a_active && a_octets >= (a_lone ? 7'd9 : 7'd1) && a_octets <= F_OCTETS));
    assume (!a_lone || (a_end && preamble && preamble_group == 0 && !f_open));
    assume (b_active == (preamble && !a_lone && preamble_group != F_LAST));
    assume (!b_active || b_group == preamble_group + 1'b1);
    // A gap of 4 octets at least: from the last octet 8, with the FCS.
    if (preamble) begin
      assume (!f_open || (a_end && {preamble_group, 3'd0} >= a_octets + 8));
      assume (!f_ended || {preamble_group, 3'd0} + F_OCTETS >= f_ended_octets + 8);
    end
  end
  always @(posedge clk) begin
    f_open          <= a_active && !a_end || preamble && !a_lone;
    f_first         <= preamble && !a_lone && preamble_group == F_LAST;
    f_ended         <= a_end;
    f_ended_octets  <= a_octets;
    f_ended_bad_fcs <= a_bad_fcs;
    f_ended_bad_end <= a_bad_end;
  end
  wire [F_OCTETS-1:0] f_a = a_active ? (a_end ? ~({F_OCTETS{1'b1}} << a_octets) : {F_OCTETS{1'b1}})
                                       & (a_lone ? {F_OCTETS{1'b1}} << 8 : {F_OCTETS{1'b1}}) : 0;
  wire [F_OCTETS-1:0] f_b = b_active ? {F_OCTETS{1'b1}} << {b_group, 3'd0} : 0;
  integer i;
  always @*
    for (i = 0; i < F_OCTETS; i = i + 1)
      assume (f_a[i] || f_b[i] || data[8*i +: 8] == 8'd0);

  // ---- what the picked octet is: part, and its number there
  localparam [2:0] F_IDLE = 0, F_PREAMBLE = 1, F_CONTENTS = 2, F_FCS = 3, F_LAST_FCS = 4, F_END = 5;
  wire [7:0] f_after  = {1'b0, {(7-F_PLACE_W){1'b0}}, f_place} - a_octets;                  // the frame that ends here
  wire [7:0] f_after_ = {1'b0, {(7-F_PLACE_W){1'b0}}, f_place} + F_OCTETS - f_ended_octets; // place in the word before
  reg [2:0] f_part, f_number;
  reg       f_bad;                              // the FCS or the end is to be wrong
  always @* begin
    {f_part, f_number, f_bad} = {F_IDLE, 3'd0, 1'b0};
    if (preamble && f_place[F_PLACE_W-1:3] == preamble_group) {f_part, f_number} = {F_PREAMBLE, f_place[2:0]};
    else if (f_a[f_place] || f_b[f_place])                    f_part = F_CONTENTS;
    else if (a_end && f_after < 4)                            {f_part, f_number, f_bad} = {F_FCS, f_after[2:0], a_bad_fcs};
    else if (a_end && f_after == 4)                           {f_part, f_bad} = {F_END, a_bad_end};
    else if (f_ended && f_after_ < 4)       {f_part, f_number, f_bad} = {F_LAST_FCS, f_after_[2:0], f_ended_bad_fcs};
    else if (f_ended && f_after_ == 4)      {f_part, f_bad} = {F_END, f_ended_bad_end};
  end
  // ---- and 5 clocks later
  reg [14:0] f_is1, f_is2, f_is3, f_is4, f_is5;
  reg [31:0] f_crc5, f_crc_last5;
  reg [4:0]  f_bad_fcs = 0;
  reg [2:0]  f_age = 0;                         // clocks since the reset
  always @(posedge clk) begin
    {f_is5, f_is4, f_is3, f_is2, f_is1} <= {f_is4, f_is3, f_is2, f_is1, f_part, f_number, f_bad, data[8*f_place +: 8]};
    {f_crc_last5, f_crc5} <= {f_crc5, f_crc};
    f_bad_fcs   <= {f_bad_fcs[3:0], a_end && a_bad_fcs};
    f_age       <= rst ? 3'd0 : f_age == 3'd5 ? f_age : f_age + 3'd1;
  end
  wire [2:0]  f_part5, f_number5;
  wire        f_bad5;
  wire [7:0]  f_given5;
  assign {f_part5, f_number5, f_bad5, f_given5} = f_is5;
  wire [7:0]  f_octet = line_data[8*f_place +: 8];
  wire        f_ctrl = line_ctrl[f_place];
  wire [31:0] f_fcs = (f_part5 == F_FCS ? f_crc5 : f_crc_last5) ^ {32{!f_bad5}};

  always @* if (!rst && f_age == 5) begin
    // A preamble with its start character stands where it was asked for.
    preamble_where_asked: assert (f_part5 != F_PREAMBLE || f_octet == PREAMBLE[8*f_number5 +: 8]);
    // The contents are those that were given.
    contents_unchanged: assert (f_part5 != F_CONTENTS || f_octet == f_given5);
    // The four octets after the contents are the FCS: the complement of the CRC, low octet first; with a_bad_fcs the CRC.
    fcs_after_contents: assert (!(f_part5 == F_FCS || f_part5 == F_LAST_FCS) || f_octet == f_fcs[8*f_number5[1:0] +: 8]);
    // The octet after the FCS is a terminate character; with a_bad_end an error character.
    end_after_fcs: assert (f_part5 != F_END || f_octet == (f_bad5 ? ERROR : TERMINATE));
    // All else is idle.
    idle_between: assert (f_part5 != F_IDLE || f_octet == 8'h07);
    // Start, terminate, error and idle characters are control characters, and nothing else is.
    control_marks: assert (f_ctrl == (f_part5 == F_IDLE || f_part5 == F_END || f_part5 == F_PREAMBLE && f_number5 == 0));
    // The clock before a wrong FCS is on the line is marked, once for each.
    bad_fcs_once: assert (bad_fcs_sent == f_bad_fcs[3]);
  end
  always @* if (!rst && f_age == 5) begin
    // The CRC comes when the FCS is put on the line.
    crc_comes_in_time: assert (f_crc_valid == end4_reg);
  end
  always @* begin
    // The line is idle after a clock of reset.
    reset_gives_idle: assert (!f_past || !f_was_rst || f_octet == 8'h07 && f_ctrl);
    // The CRC is made of what was given; for a lone frame the preset is undone in group 0 and done in group 1.
    crc_of_contents: assert (rst || f_crc_octet == (a_lone && f_place < 4 ? 8'hFF : a_lone && f_place >= 8 && f_place < 12
                                                    ? ~data[8*f_place +: 8] : data[8*f_place +: 8]));
  end
  wire [7:0] f_crc_octet = f_crc_data[8*f_place +: 8];
  reg f_past = 0;
  always @(posedge clk) f_past <= 1;

  always @* if (!rst && f_age == 5) begin
    // An FCS goes over into the next word, in which the next frame starts.
    fcs_goes_over: cover (f_part5 == F_LAST_FCS && f_number5 == 3 && |(line_ctrl & f_starts));
    // A wrong FCS is on the line.
    wrong_fcs: cover (f_part5 == F_FCS && f_bad5 && f_octet == 8'h55);
    // A frame ends with an error character in the next word.
    error_character: cover (f_part5 == F_END && f_bad5 && f_place == 4);
    // A frame is in one word with its preamble.
    lone_frame: cover (f_part5 == F_CONTENTS && line_ctrl[0] && f_starts[0]);
  end
  wire [F_OCTETS-1:0] f_starts = {{(F_OCTETS-9){1'b0}}, line_data[64 +: 8] == 8'hFB, 7'd0, line_data[7:0] == 8'hFB};
