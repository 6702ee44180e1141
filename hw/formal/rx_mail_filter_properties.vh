// SPDX-License-Identifier: Apache-2.0
// The guarantees of rx_mail_filter, for any frames under any filter. Included inside the module, by hw/formal only.
// A frame of less than 64 octets is never good, so nothing is promised of it but that it is judged no more than once.
  initial assume (rst);

  // ---- what line_decode says: frames come one after the other, and the next one begins where one ends or later
  (* anyseq *) reg [GROUP_W-1:0] f_end_group;
  reg f_line_open = 0;
  always @(posedge clk) f_line_open <= !rst && (word_live || (word_owned && !word_end));
  always @* begin
    assume (word_owned == f_line_open);
    assume (!word_end || word_owned);
    assume (!word_live || !word_owned || (word_end && word_live_group >= f_end_group));
  end

  // ---- the frame that is open and was from its first word on while the filter was not 0; groups of it before this word
  reg         f_open = 0, f_on_last = 0;
  reg [5:0]   f_age = 0;
  reg [63:0]  f_o1;                             // its octets 0 to 7, and 8 to 15, once they have come
  reg [63:0]  f_o2;
  reg         f_pending = 0;                    // the latter were in the last word
  reg [1:0]   f_verdict;                        // its destination and its type are asked for
  wire        f_on    = filter != 0;
  wire        f_whole = f_open && f_on && word_owned;
  wire        f_ends  = f_whole && word_end;
  wire        f_long  = f_age + f_end_group >= 8;
  wire        f_o1_here = f_age == 0, f_o2_here = f_age < 2;          // octets with 8 groups, from the second word on
  wire [63:0] f_o1_now  = f_age == 0 ? word_data[63:0] : f_o1;
  wire [63:0] f_o2_now  = f_age == 0 ? word_data[127:64] : f_age == 1 ? word_data[63:0] : f_o2;
  wire [GROUP_W-1:0] f_live_o1 = word_live_group + 1, f_live_o2 = word_live_group + 2;

  // ---- the rules, for the open frame and for one that has ended with the word of its header
  reg         f_end = 0, f_end_long, f_end_pending;
  reg [63:0]  f_end_o1, f_end_o2;
  reg [1:0]   f_end_verdict;
  wire [63:0] f_a = f_pending ? f_o1 : f_end_o1, f_b = f_pending ? f_o2 : f_end_o2;
  wire [15:0] f_type  = {f_b[39:32], f_b[47:40]};
  wire        f_bcast = f_a[47:0] == 48'hFFFF_FFFF_FFFF;
  wire        f_to    = filter[3] || (filter[2] && f_a[0] && !f_bcast) || (filter[1] && f_bcast)
                        || (filter[0] && f_a[47:0] == address);
  wire        f_listed = f_type != 0 && (f_type == types[15:0] || f_type == types[31:16] || f_type == types[47:32]
                                         || f_type == types[63:48]);
  wire [1:0]  f_rules = {f_to, filter[4] || f_listed};
  wire [1:0]  f_verdict_now = f_pending ? f_rules : f_verdict;
  // Where both are to be judged in the same clock, the one that has ended is below 64 octets.
  wire [1:0]  f_end_verdict_now = f_end_pending ? f_rules : f_end_verdict;
  // delayed values of the frame that ended WAIT clocks ago
  reg [WAIT:2] f_ended = 0, f_ended_long;
  reg [WAIT:2] f_ended_to, f_ended_type;

  always @(posedge clk) begin
    f_on_last <= f_on && !rst;
    f_open    <= f_on && (word_live || (f_whole && !word_end)) && !rst;
    f_pending <= 0;
    if (f_pending) f_verdict <= f_rules;
    if (f_whole) begin
      f_o1 <= f_o1_now;
      f_o2 <= f_o2_now;
      f_pending <= f_o2_here && !word_end && !rst;
      if (f_age < 16) f_age <= f_age + GROUPS;
    end
    if (f_on && word_live) begin
      f_age <= GROUPS - 1 - word_live_group;
      f_o1  <= word_data[{f_live_o1, 6'd0} +: 64];
      f_o2  <= word_data[{f_live_o2, 6'd0} +: 64];
      f_pending <= word_live_group < GROUPS - 2 && !rst;
    end
    f_end         <= f_ends && !rst;
    f_end_long    <= f_long;
    f_end_pending <= f_o2_here;
    f_end_o1      <= f_o1_now;
    f_end_o2      <= f_o2_now;
    f_end_verdict <= f_verdict_now;
    f_ended       <= {f_ended, f_end};
    f_ended_long  <= {f_ended_long, f_end_long};
    f_ended_to    <= {f_ended_to, f_end_verdict_now[1]};
    f_ended_type  <= {f_ended_type, f_end_verdict_now[0]};
    if (rst) f_ended <= 0;
  end
  wire f_judged = f_ended[WAIT], f_judged_long = f_judged && f_ended_long[WAIT];

  always @* if (!rst) begin
    // Nothing is followed with filter 0.
    off_follows_nothing: assert (f_on || !(words || whole));
    // A frame is followed exactly if it began while the filter was not 0, which has not been 0 since.
    followed_from_its_start: assert (whole == f_whole);
    // A word is reported exactly if it has something of a frame that is followed.
    words_of_frames: assert (words == (f_whole || (f_on && word_live)));
    // A frame is judged once: wanted comes only WAIT clocks after the end of a frame that was followed to there. So none is wanted while which the filter was 0.
    judged_once: assert (!wanted || f_judged);
    // A frame that is wanted goes where frames are asked for: to the own address, to all, to another group, or anywhere.
    wanted_for_its_destination: assert (!(wanted && f_judged_long) || f_ended_to[WAIT]);
    // A frame that is wanted has a type that is listed, and is not 0, unless any type is asked for.
    wanted_for_its_type: assert (!(wanted && f_judged_long) || f_ended_type[WAIT]);
    // A frame for which both hold is wanted. They are judged as they are set in the clock after the word with octets 8 to 15.
    wanted_if_rules_hold: assert (!f_judged_long || !f_ended_to[WAIT] || !f_ended_type[WAIT] || wanted);

    // A frame is wanted by the rule for the own address and for its type.
    wanted_by_two_rules: cover (wanted && f_judged_long && f_seen_own);
    // A frame of 64 octets or more that ended in the word of its header is wanted.
    wanted_by_its_last_word: cover (wanted && f_judged_long && f_seen_short);
    // A frame is wanted when the filter is 0 again.
    wanted_later: cover (wanted && f_judged_long && !f_on && !f_on_last);
    // A frame ends that is not followed, because the filter was 0 in between.
    ceased: cover (f_seen_off && word_owned && word_end && f_on && !whole);
  end
  reg f_seen_own = 0, f_seen_short = 0, f_seen_off = 0;
  always @(posedge clk) begin
    if (f_end) f_seen_own   <= filter == 5'd1 && f_end_long && &f_end_verdict_now;
    if (f_end) f_seen_short <= f_end_pending;
    f_seen_off <= f_open && !f_on && word_owned && !word_end || f_seen_off && !word_live;
  end

  // ---- what induction needs to know
`ifdef FORMAL_HELPERS
  always @* if (!rst) begin
    assert (on_reg == f_on_last && followed_reg == f_open && end3_reg == f_end);
    assert (!f_open || (f_on_last && f_line_open));
    assert (!f_pending || (f_open && f_age >= 2));
    if (f_open) begin
      assert (due_reg == (f_age < 2));
      if (f_age < 2) assert (at_reg == 1 - f_age);
      if (f_age == 1) assert (last_group_reg == f_o1[47:0]);
      if (f_age >= 2 && !f_pending) assert (match_reg == &f_verdict);
    end
    if (f_pending) assert (header3_valid_reg && header3_reg == {f_o2[47:32], f_o1[47:0]} && header3_of_open_reg == f_follows);
    if (f_end && f_end_long && f_end_pending) assert (header3_valid_reg && header3_of_open_reg && header3_reg == {f_end_o2[47:32], f_end_o1[47:0]});
    if (f_end && f_end_long && !f_end_pending) assert (match_reg == &f_end_verdict && !(header3_valid_reg && header3_of_open_reg));
    assert (!header3_valid_reg || f_pending || (f_end && f_end_pending));
    assert (!(f_end && f_open) || f_age < 2 || f_pending);
    for (f_i = 2; f_i <= WAIT; f_i = f_i + 1) begin
      assert (!wanted_reg[f_i] || f_ended[f_i]);
      if (f_ended[f_i] && f_ended_long[f_i]) assert (wanted_reg[f_i] == (f_ended_to[f_i] && f_ended_type[f_i]));
    end
  end
  integer f_i;
  reg     f_follows = 0;                        // the header is of a frame that began in an earlier word
  always @(posedge clk) f_follows <= f_whole && f_o2_here && !(word_live);
`endif
