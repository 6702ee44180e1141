// SPDX-License-Identifier: Apache-2.0
// The guarantees of line_count, of any events. Counts are compared with ghosts that count events of the ports, as many clocks
// later as the module is. Included inside the module, by hw/formal only.
  initial assume (rst);
  reg f_past = 0;
  always @(posedge clk) f_past <= 1;
  wire f_clear = rst || clear;

  // ---- frames and octets of 1 and 2 clocks ago, and their sums
  wire [1:0]  f_frames_now = {1'b0, ev_end && ev_well} + {1'b0, ev_cut && ev_cut_well};
  wire [14:0] f_octets_now = (ev_end && ev_well ? ev_octets : 15'd0) + (ev_cut && ev_cut_well ? ev_cut_octets : 15'd0);
  reg [1:0]   f_frames1 = 0, f_frames2 = 0;
  reg [14:0]  f_octets1 = 0, f_octets2 = 0;
  reg [63:0]  f_frames = 0, f_octets = 0;
  always @(posedge clk) begin
    {f_frames2, f_frames1} <= {f_frames1, f_frames_now};
    {f_octets2, f_octets1} <= {f_octets1, f_octets_now};
    f_frames <= f_frames + f_frames2;
    f_octets <= f_octets + f_octets2;
    if (f_clear) {f_frames1, f_frames2, f_frames, f_octets1, f_octets2, f_octets} <= 0;
  end

  // ---- starts and ends as they follow one another in a word: old end, cut frame, live frame
  wire [63:0] f_base = {ev_number, 4'd0};
  wire [63:0] f_first_start = f_base + (ev_cut ? {ev_cut_group, 3'd0} : {ev_live_group, 3'd0});
  wire [63:0] f_last_start  = f_base + (ev_live ? {ev_live_group, 3'd0} : {ev_cut_group, 3'd0});
  reg         f_ended = 0, f_started = 0;       // seen since the clear
  reg [63:0]  f_end_time, f_first_time = 0, f_last_time = 0;
  wire        f_ended_here = ev_end || f_ended; // state before the word's first start
  wire [63:0] f_end_here = ev_end ? f_base + ev_end_position : f_end_time;
  wire        f_start = ev_live || ev_cut;
  reg         f_gap1 = 0;
  reg [63:0]  f_length1;
  reg [63:0]  f_starts = 0;                     // words with a start
  always @* assume (!f_starts[63]);
  reg         f_open = 0, f_legal = 0;          // a frame is open; frames have come one by one since the clear
  always @(posedge clk) begin
    f_gap1    <= f_start && f_ended_here && f_first_start != f_end_here;
    f_length1 <= f_first_start - f_end_here;
    if (ev_end) {f_ended, f_end_time} <= {1'b1, f_base + ev_end_position};
    if (ev_cut) {f_ended, f_end_time} <= {1'b1, f_base + ev_cut_end_position};
    if (f_start) {f_started, f_last_time} <= {1'b1, f_last_start};
    if (f_start && !f_started) f_first_time <= f_first_start;
    if (f_start) f_starts <= f_starts + 1;
    f_open  <= ev_live || f_open && !ev_end;
    f_legal <= f_legal && !(ev_live && ev_cut) && (!ev_end || f_open) && (!f_start || (!f_open || ev_end))
               && !(f_start && f_ended_here && f_first_start == f_end_here) && (!f_start || !f_started || f_ended_here);
    if (f_clear) begin
      {f_gap1, f_ended, f_started, f_first_time, f_last_time, f_starts} <= 0;
      f_open  <= 0;
      f_legal <= 1;
    end
  end

  // ---- gaps as the port `gap` reports them, a clock ago, and what they make
  localparam [63:0] F_LONGEST = (64'd1 << 40) - 1;
  reg         f_gap2 = 0;
  reg [63:0]  f_length2;
  reg [63:0]  f_gaps = 0, f_sum = 0, f_shorts = 0, f_least = ~64'd0, f_longest = 0;
  always @(posedge clk) begin
    f_gap2    <= gap;
    f_length2 <= gap_octets > F_LONGEST ? F_LONGEST : gap_octets;
    if (f_gap2) begin
      f_gaps   <= f_gaps + 1;
      f_sum    <= f_sum + f_length2;
      f_shorts <= f_shorts + (f_length2 < short_gap_octets);
      if (f_length2 < f_least && f_length2 != F_LONGEST) f_least <= f_length2;
      if (f_length2 > f_longest) f_longest <= f_length2;
    end
    if (f_clear) {f_gap2, f_gaps, f_sum, f_shorts, f_longest, f_least} <= {1'b0, {4{64'd0}}, ~64'd0};
  end

  always @* if (!rst && f_past) begin
    // A frame that ended with a terminate character is counted once; one that ended otherwise is not.
    frames_once: assert (frames == f_frames);
    // octets are those of the frames that are counted.
    octets_of_frames: assert (octets == f_octets);
    // first_time and last_time are those of the first and last start since the clear; 0 without one.
    first_and_last_start: assert (first_time == f_first_time && last_time == f_last_time);
    // A gap is reported exactly for a start before which a frame has ended since the clear, but not by that start itself.
    gap_before_a_start: assert (gap == f_gap1);
    // It runs from the end of the frame before to the first start in the word.
    gap_from_end_to_start: assert (!gap || gap_octets == f_length1);
    // Each gap that is reported is counted once.
    gaps_once: assert (gaps == f_gaps);
    // There is one gap less than there are starts on a line with frame after frame, one start a word.
    one_less_than_starts: assert (!(f_legal && f_started) || f_gaps + f_gap1 + f_gap2 == f_starts - 1);
    // The sum is that of the gaps, each of which counts as 2^40 - 1 octets at most.
    sum_of_gaps: assert (gap_sum_octets == f_sum);
    // The minimum is the shortest gap, all ones if there is none shorter than 2^40 - 1; the maximum is the longest, 0 if there is none.
    shortest_and_longest: assert (gap_min_octets == f_least && gap_max_octets == f_longest);
    // Short gaps are those below the limit in the clock in which they are counted.
    short_gaps_once: assert (short_gaps == f_shorts && short_gaps <= gaps);

    // Two gaps are counted, a short one and a long one.
    two_gaps: cover (gaps == 2 && short_gaps == 1 && gap_min_octets == 12 && gap_max_octets > 64'd1 << 30);
    // Two frames of one word are counted, with their octets.
    two_in_a_word: cover (frames == 2 && octets == 70 && f_starts == 1);
    // A gap is longer than can be counted.
    saturated: cover (gaps == 1 && gap_sum_octets == F_LONGEST && f_length1 == 64'd1 << 50);
  end
`ifdef FORMAL_HELPERS
  always @* begin
    assert (f_past || rst);
    if (f_past) begin
      assert (frames1_reg == f_frames1 && frames2_reg == f_frames2 && octets1_reg == f_octets1 && octets2_reg == f_octets2);
      assert (f_frames1 != 0 || f_octets1 == 0);
      assert (f_frames2 != 0 || f_octets2 == 0);
      assert (ended_reg == f_ended && started_reg == f_started && (!f_ended || ended_time_reg == f_end_time));
      assert (gap2_reg == f_gap2 && (!f_gap2 || gap2_octets_reg == f_length2));
      assert (f_shorts <= f_gaps && f_gaps <= f_starts && f_gaps + f_gap1 + f_gap2 <= f_starts);
      assert (f_started == (f_starts != 0));
      if (f_legal) assert (f_started ? f_ended || f_open : !f_ended && !f_open);
      if (f_legal && f_started) assert (f_gaps + f_gap1 + f_gap2 == f_starts - 1);
    end
  end
`endif
