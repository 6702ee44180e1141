// SPDX-License-Identifier: Apache-2.0
// The guarantees of rx_mail_ring, for one word of one frame that the solver picks, hence for any. Included inside the module,
// by hw/formal only. Entries are counted on without end here: entry n of the ring is n modulo its size.
  localparam F_ENTRIES = 1 << ENTRIES_LOG2, F_FRAMES = 1 << FRAMES_LOG2;
  initial assume (rst);
  (* anyconst *) reg [7:0] f_nth, f_word;       // the nth frame that is kept; its word, from 0

  // The open frame: its first entry, its words so far, whether one of them found no room.
  reg               f_open = 0, f_short = 0;
  reg [7:0]         f_start = 0, f_words = 0;
  reg [GROUP_W-1:0] f_open_group;
  reg [WIDTH-1:0]   f_open_word;                // its word f_word
  // The frames that are kept: how many were, how many were given back; the first entries of those that are; the entry
  // after them.
  reg [7:0]         f_kept = 0, f_given = 0, f_base = 0;
  reg [7:0]         f_first [0:F_FRAMES-1];
  wire [7:0]        f_held = f_kept - f_given;
  // The nth.
  reg [7:0]         f_nth_first, f_nth_words;
  reg [GROUP_W-1:0] f_nth_group;
  reg [ABOUT_W-1:0] f_nth_about;
  reg [WIDTH-1:0]   f_nth_word;
  wire [FRAMES_LOG2-1:0] f_oldest_slot = f_given, f_next_slot = f_kept;
  wire              f_nth_held = f_nth >= f_given && f_nth < f_kept;
  // The first entry in use. Room comes two clocks after it was given back.
  reg               f_released = 0;
  reg [7:0]         f_low_then;
  wire [7:0]        f_low_now = f_held != 0 ? f_first[f_oldest_slot] : f_start;
  wire [7:0]        f_low = f_released ? f_low_then : f_low_now;

  wire       f_own     = word_valid && word_owned && f_open;
  wire       f_goes_on = f_own && !word_end;
  wire       f_begins  = word_valid && word_live && !f_goes_on;
  wire [7:0] f_entry   = f_start + f_words;     // entry of this word, if it is the open frame's
  wire       f_no_room = f_short || f_entry >= f_low + F_ENTRIES;
  wire       f_asked   = f_own && word_end && keep && !clear && !rst;
  wire       f_keeps   = f_asked && !f_no_room && f_held != F_FRAMES;
  wire       f_next    = next && there;
  reg        f_settled = 0;                     // the oldest had two clocks to be found
  reg        f_answer = 0;
  always @(posedge clk) begin
    if (word_valid) f_open <= f_begins || f_goes_on;
    if (f_goes_on) begin
      f_short <= f_no_room;
      if (!f_no_room) f_words <= f_words + 8'd1;
      if (f_words == f_word) f_open_word <= word;
    end
    if (f_begins) begin
      f_start <= f_keeps ? f_entry : f_base;
      f_short <= !f_keeps && f_held != 0 && f_base >= f_low + F_ENTRIES;
      f_words <= 8'd1;
      f_open_group <= word_live_group;
      f_open_word  <= word;
    end
    if (f_keeps) begin
      f_kept <= f_kept + 8'd1;
      f_base <= f_entry + 8'd1;
      f_first[f_next_slot] <= f_start;
      if (f_kept == f_nth) begin
        f_nth_first <= f_start;
        f_nth_words <= f_words + 8'd1;
        f_nth_group <= f_open_group;
        f_nth_about <= about;
        f_nth_word  <= f_words == f_word ? word : f_open_word;
      end
    end
    if (f_next) f_given <= f_given + 8'd1;
    if (clear) f_given <= f_kept;
    f_released <= f_next || clear;
    f_low_then <= f_begins && !f_keeps && f_held == 0 ? f_base : f_low_now;
    f_settled  <= !(f_next || clear || (f_keeps && f_held == 0));
    f_answer   <= read && there && f_given == f_nth && f_word < F_ENTRIES && read_word == f_word && f_word < f_nth_words;
    if (rst) begin
      {f_open, f_short, f_released, f_settled, f_answer} <= 5'd0;
      {f_start, f_words, f_kept, f_given, f_base} <= 40'd0;
    end
  end

  // ---- the ghosts do not wrap
  always @* assume (f_base < 8'd200 && f_kept < 8'd200);

  // ---- guarantees
  always @* if (!rst) begin
    // A frame is kept exactly if it was to be, each of its words found room, and there was a place among the frames.
    kept_iff_there_is_room: assert (kept == f_keeps);
    // Otherwise, and only then, it overflows.
    else_it_overflows: assert (overflow == (f_asked && !f_keeps));
    // A frame that is shown is kept and has not been given back: nothing is invented.
    shown_is_kept: assert (!there || f_held != 0);
    // The oldest of those that are kept is shown, at the latest two clocks after it was kept or became the oldest.
    oldest_is_shown: assert (!f_settled || there == (f_held != 0));
    // All that is shown with it is its own: frames come in their order.
    shown_is_the_oldest: assert (!(there && f_given == f_nth) || (there_about == f_nth_about && there_group == f_nth_group));
    // Each word of it is read as it was on the line, whatever came since.
    word_is_as_it_came: assert (!f_answer || read_value == f_nth_word);

    // The third word of a frame is read.
    third_word_read: cover (f_answer && f_word == 2);
    // A frame is read that shares its first entry with the one before, which has been given back.
    shared_entry_read: cover (f_answer && f_word == 0 && f_nth == 1 && f_nth_first == 1 && f_shared);
    // A frame is read whose entries go round.
    goes_round: cover (f_answer && f_nth_first < F_ENTRIES && f_nth_first + f_word >= F_ENTRIES);
    // A frame finds no room in the ring.
    overflow_of_entries: cover (overflow && f_held == 1);
    // A frame for which there is room is one too many.
    overflow_of_frames: cover (overflow && !f_no_room);
  end
  reg f_shared = 0;
  always @(posedge clk) f_shared <= f_shared || (f_keeps && f_kept == 0 && f_begins);

  // ---- what induction needs to know
`ifdef FORMAL_HELPERS
  integer f_slot;
  reg [FRAMES_LOG2-1:0] f_age;
  reg [POINTER_W-1:0]   f_slot_first;
  wire [POINTER_W-1:0]  f_base_p = f_base, f_start_p = f_start, f_entry_p = f_entry, f_low_p = f_low;
  wire [ENTRIES_LOG2-1:0] f_open_at = f_start + f_word, f_nth_at = f_nth_first + f_word;
  wire [FRAMES_LOG2:0]  f_kept_p = f_kept, f_given_p = f_given, f_held_p = f_held;
  wire [FRAMES_LOG2-1:0] f_nth_slot = f_nth, f_last_slot = f_kept - 8'd1;
  always @* if (!rst) begin
    assert (f_held <= F_FRAMES && f_given <= f_kept);
    assert (pushed_reg == f_kept_p && popped_reg == f_given_p);
    assert (base_reg == f_base_p && open_reg == f_open);
    if (f_open) begin
      assert (first_reg == f_start_p && lost_reg == f_short && group_reg == f_open_group);
      assert (f_start == f_base || f_start + 1 == f_base);
      assert (f_words >= 1 && f_start + f_words >= f_base);
      if (!f_short) assert (at_reg == f_entry_p && f_low <= f_start && f_entry <= f_low + F_ENTRIES);
      if (!f_short && f_word < f_words) assert (ram[f_open_at] == f_open_word);
    end
    if (f_held != 0 || f_open) assert (low_reg == f_low_p && f_low <= f_base);
    if (f_held != 0) assert (f_base <= f_low + F_ENTRIES);
    for (f_slot = 0; f_slot < F_FRAMES; f_slot = f_slot + 1) begin
      f_age        = f_slot - popped_reg;
      f_slot_first = f_first[f_slot];
      if ({1'b0, f_age} < f_held_p) begin
        assert (kept_ram[f_slot][KEPT_W-1 -: POINTER_W] == f_slot_first);
        assert (f_low <= f_low_now && f_low_now <= f_first[f_slot] && f_first[f_slot] < f_base);
      end
    end
    if (f_nth_held) begin
      assert (f_first[f_nth_slot] == f_nth_first);
      assert (kept_ram[f_nth_slot][GROUP_W+ABOUT_W-1:0] == {f_nth_group, f_nth_about});
      assert (f_nth_words >= 2 && f_nth_first + f_nth_words <= f_base && f_nth_words <= F_ENTRIES);
      if (f_word < f_nth_words) assert (ram[f_nth_at] == f_nth_word);
    end
    // A frame never begins before the end of the one before.
    if (f_open && f_held != 0) assert (f_start >= f_first[f_last_slot]);
    assert (!fetch_reg || !there);
    assert (!f_released || fetch_reg);
    assert (f_settled == !fetch_reg || f_held == 0);
    if (!fetch_reg) assert (there == (f_held != 0));
  end
`endif
