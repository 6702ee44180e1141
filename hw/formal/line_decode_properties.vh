// SPDX-License-Identifier: Apache-2.0
// The guarantees of line_decode: that it finds in a word what a decoder finds that goes from octet to octet. Included
// inside the module, by hw/formal only.
  initial assume (rst);
  localparam F_PLACE_W = GROUP_W + 3;

  // ---- the decoder from octet to octet
  reg        f_open = 0, f_first = 0;           // a frame is open when the word begins; its data begin there
  reg [15:0] f_octets = 0;                      // its octets so far; stays above 32767
  reg        f_now, f_old, f_end, f_end_well, f_cut, f_cut_well;
  reg [F_PLACE_W-1:0] f_end_at, f_cut_at, f_cut_octets;
  reg [GROUP_W-1:0]   f_start, f_cut_start;
  integer i;
  always @* begin
    f_now = f_open;                             // a frame is open at this octet
    f_old = f_open;                             // it is the one that was when the word began
    {f_end, f_end_well, f_cut, f_cut_well} = 4'd0;
    {f_end_at, f_cut_at, f_cut_octets, f_start, f_cut_start} = 0;
    for (i = 0; i < 8*GROUPS; i = i + 1)
      if (line_ctrl[i]) begin
        if (f_now && f_old) begin
          f_end      = 1'b1;
          f_end_at   = i[F_PLACE_W-1:0];
          f_end_well = line_data[8*i +: 8] == TERMINATE;
        end else if (f_now && !f_cut) begin
          f_cut        = 1'b1;
          f_cut_start  = f_start;
          f_cut_at     = i[F_PLACE_W-1:0];
          f_cut_octets = i[31:3] == f_start ? 0 : i[F_PLACE_W-1:0] - {f_start, 3'd0} - 4'd8;
          f_cut_well   = line_data[8*i +: 8] == TERMINATE;
        end else if (f_now)
          f_cut_well = 1'b0;                    // merged into the one before
        f_now = i % 8 == 0 && line_data[8*i +: 8] == START;
        f_old = 1'b0;
        if (f_now) f_start = i[F_PLACE_W-1:3];
      end
  end
  wire f_live = f_now && !f_old;                // a frame that began in this word is open at its end
  always @(posedge clk) begin
    f_open  <= f_now && !rst;
    f_first <= f_live && &f_start;
    if (f_live)                             f_octets <= 8*(LAST_GROUP - f_start);
    else if (f_open && f_octets < 16'h8000) f_octets <= f_octets + 8*GROUPS;
  end

  // ---- what it found in the word of 1, 2 and 3 clocks ago
  localparam F_FOUND_W = 7 + 3*F_PLACE_W + 2*GROUP_W + 16;
  reg [F_FOUND_W-1:0]    f_found1 = 0, f_found2 = 0, f_found3 = 0;
  reg [64*GROUPS-1:0]    f_data1, f_data2;
  reg [TIME_W-1:0]       f_number1, f_number2, f_number3;
  reg [1:0]              f_age = 0;             // clocks since the reset
  wire [F_FOUND_W-1:0]   f_found = {f_first, f_open, f_live, f_end, f_end_well, f_cut, f_cut_well, f_end_at, f_cut_at,
                                    f_cut_octets, f_start, f_cut_start, f_octets + {{(16-F_PLACE_W){1'b0}}, f_end_at}};
  always @(posedge clk) begin
    f_found1 <= rst ? 0 : f_found;
    f_found2 <= rst ? 0 : f_found1;
    f_found3 <= rst ? 0 : f_found2;
    {f_data2, f_data1}               <= {f_data1, line_data};
    {f_number3, f_number2, f_number1} <= {f_number2, f_number1, word_time};
    f_age <= rst ? 0 : &f_age ? f_age : f_age + 1'b1;
  end
  wire f_first2, f_open2, f_live2, f_end2, f_end_well2, f_cut2, f_cut_well2;
  wire f_first3, f_open3, f_live3, f_end3, f_end_well3, f_cut3, f_cut_well3;
  wire [F_PLACE_W-1:0] f_end_at2, f_cut_at2, f_cut_octets2, f_end_at3, f_cut_at3, f_cut_octets3;
  wire [GROUP_W-1:0]   f_start2, f_cut_start2, f_start3, f_cut_start3;
  wire [15:0]          f_octets2, f_octets3;
  assign {f_first2, f_open2, f_live2, f_end2, f_end_well2, f_cut2, f_cut_well2, f_end_at2, f_cut_at2, f_cut_octets2,
          f_start2, f_cut_start2, f_octets2} = f_found2;
  assign {f_first3, f_open3, f_live3, f_end3, f_end_well3, f_cut3, f_cut_well3, f_end_at3, f_cut_at3, f_cut_octets3,
          f_start3, f_cut_start3, f_octets3} = f_found3;

  // ---- frames as a user of ev_* sees them
  reg f_user_open = 0;
  always @(posedge clk) f_user_open <= !rst && (ev_live || (f_user_open && !ev_end));

  reg f_past = 0;
  always @(posedge clk) f_past <= 1;

  // ---- guarantees
  always @* if (f_past) begin
    // An open frame owns group 0 exactly if the octets say that one is open when the word begins.
    owned_if_open: assert (word_owned == f_open2);
    // A frame's data begin in group 0 if its start was the last group of the word before.
    first_if_start_was_last: assert (!word_owned || word_first == f_first2);
    // word_data and word_number are those of the word of 2 clocks ago.
    word_is_of_two_clocks_ago: assert (f_age < 2 || (word_data == f_data2 && word_number == f_number2));
    // word_end: the open frame meets a control character in this word, the first one at the place that is given.
    word_end_is_first_control: assert (word_end == f_end2 && (!f_end2 || {word_end_group, word_end_octet} == f_end_at2));
    // word_live: a frame that starts in this word is open at its end; the group is its start's.
    word_live_is_open_start: assert (word_live == f_live2 && (!f_live2 || word_live_group == f_start2));
    // An end is reported exactly if the open frame ends in the word.
    end_is_reported: assert (ev_end == f_end3);
    // A frame ended well exactly if the character is a terminate character.
    end_is_well: assert (!ev_end || ev_well == f_end_well3);
    // The place of the end is that of the first control character of the word.
    end_position_is_right: assert (!ev_end || ev_end_position == f_end_at3);
    // The length is the number of octets between the start's group and the end; above 16383 it is 16383 and over.
    length_is_right: assert (!ev_end || (ev_over == (f_octets3 >= 16384) && ev_octets == (ev_over ? 14'h3FFF : f_octets3[13:0])));
    // A live frame is reported exactly if a frame that began in the word is open at its end, with its start's group.
    live_is_reported: assert (ev_live == f_live3 && (!ev_live || ev_live_group == f_start3));
    // A cut frame is reported exactly if a frame begins and ends within the word; with the group of the first one's start.
    cut_is_reported: assert (ev_cut == f_cut3 && (!ev_cut || ev_cut_group == f_cut_start3));
    // The end of a cut frame is the first control character after its start.
    cut_end_is_right: assert (!ev_cut || ev_cut_end_position == f_cut_at3);
    // Its length is the number of octets between its start's group and that character.
    cut_length_is_right: assert (!ev_cut || ev_cut_octets == f_cut_octets3);
    // It ended well if that is a terminate character and no other frame begins and ends within the word.
    cut_is_well: assert (!ev_cut || ev_cut_well == f_cut_well3);
    // Events belong to the word of 3 clocks ago.
    event_is_of_three_clocks_ago: assert (f_age < 3 || ev_number == f_number3);
    // Nothing is invented: an end has a live frame that has not ended.
    end_has_a_live_frame: assert (!ev_end || f_user_open);
    // Nothing is forgotten: a frame begins only when the one before has ended, if need be in the same word.
    frames_do_not_overlap: assert (!(f_user_open && (ev_live || ev_cut)) || ev_end);
    // The end of the old frame, the cut frame and the live frame come in this order in a word.
    order_in_word: assert (!(ev_end && ev_cut) || ev_end_position <= {ev_cut_group, 3'd0});
    // A cut frame is over before the live frame begins, and an old frame too.
    live_comes_last: assert (!ev_live || ((!ev_end || ev_end_position <= {ev_live_group, 3'd0})
                                          && (!ev_cut || ev_cut_end_position <= {ev_live_group, 3'd0})));

    // A frame of 3 words passes and ends well, and the next one begins in its last word.
    frame_passes: cover (ev_end && ev_well && ev_octets > 20 && ev_live && ev_live_group != 0);
    // A frame begins and ends well within a word in which another one ends.
    frame_is_cut: cover (ev_cut && ev_cut_well && ev_end && ev_well);
    // A frame's data begin in group 0.
    data_begin_in_group_0: cover (word_owned && word_first && word_end);
    // A frame ends with an error character.
    error_ends_a_frame: cover (ev_end && !ev_well && ev_octets > 8 && !ev_live);
  end
`ifdef FORMAL_HELPERS
  wire [15:0] f_octets_here = f_octets2 - {{(16-F_PLACE_W){1'b0}}, f_end_at2};   // octets of the open frame before the word of
                                                                                 // word_*
  wire f_first1 = f_found1[F_FOUND_W-1], f_open1 = f_found1[F_FOUND_W-2];
  reg [8*GROUPS-1:0] f_ctrl1;
  always @(posedge clk) f_ctrl1 <= line_ctrl;
  always @* if (f_past) begin
    if (f_age >= 1) assert (data1_reg == f_data1 && ctrl1_reg == f_ctrl1 && number1_reg == f_number1);
    if (f_age >= 1) assert (open_reg == f_open1);
    if (f_age >= 1 && open_reg) assert (open_first_reg == f_first1);
    if (f_age >= 2 && f_open2) assert (groups_reg[11] ? f_octets_here >= 16384 : f_octets_here == {2'd0, groups_reg[10:0], 3'd0});
    if (f_age >= 2 && f_open2) assert (!groups_reg[11] || groups_reg[10:0] < GROUPS);
    if (f_age >= 2 && f_open2) assert (f_octets_here < 16'h8000 + 8*GROUPS && f_octets_here[2:0] == 0);
    assert (f_user_open == f_open3);
    if (f_age == 0) assert (!f_open && !f_open1 && !f_open2);
  end
`endif
