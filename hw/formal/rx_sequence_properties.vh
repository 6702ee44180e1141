// SPDX-License-Identifier: Apache-2.0
// The guarantees of rx_sequence, for one stream and one sequence number that the solver picks, hence for any. Included
// inside the module, by hw/formal only.
  (* anyconst *) reg [INDEX_W-1:0] f_stream;
  (* anyconst *) reg [47:0]        f_number;
  reg f_past = 1'b0;
  always @(posedge clk) f_past <= 1'b1;
  initial assume (rst);

  // ---- the user: no frames while clear or busy; streams of the table; numbers do not wrap (21 days at 100 Gb/s)
  always @* assume (!(u_valid && (clear || busy)));
  always @* assume (u_stream < PORTS * 256 && !(&u_sequence));

  // ---- what is proven of snapshot_table: updates commit after two clocks, and see what the last one of the entry left
  reg                 f_u1 = 0, f_u2 = 0;
  reg [INDEX_W-1:0]   f_u1_stream, f_u2_stream;
  reg [7*48-1:0]      f_count = 0, f_frozen = 0;
  reg [WINDOW-1:0]    f_window = 0;
  always @(posedge clk) begin
    f_u1 <= u_valid && !rst;
    f_u2 <= f_u1 && !rst && !clear;
    {f_u2_stream, f_u1_stream} <= {f_u1_stream, u_stream[INDEX_W-1:0]};
    if (snapshot) f_frozen <= f_count;
    if (c_valid && f_u2_stream == f_stream) begin
      f_count  <= n_count;
      f_window <= window_next;
    end
    if (rst || clear) {f_count, f_frozen, f_window} <= 0;
  end
  reg [47:0] f_early;                          // the stream's next as it was said a clock before
  always @(posedge clk) f_early <= next_early;
  wire f_commit = c_valid && f_u2_stream == f_stream;
  reg f_cleared = 0;
  always @(posedge clk) f_cleared <= rst || clear;
  always @* begin
    assume (c_valid == (f_u2 && !busy));
    assume (!c_valid || c_count[6*48 +: 48] == f_early);
    assume (!f_commit || (c_count == f_count && window == f_window));
    assume (!(table_ack && stream_index[INDEX_W-1:0] == f_stream) || table_count == f_frozen);
    assume (!table_ack || (stream_req && !beyond));
    assume (!f_cleared || busy);
  end

  // ---- the stream's counts, and what is known of the picked number
  wire [47:0] f_received, f_lost, f_duplicated, f_reordered, f_late, f_gaps, f_next;
  assign {f_next, f_gaps, f_late, f_reordered, f_duplicated, f_lost, f_received} = f_count;
  reg  [47:0] f_sequence1, f_sequence2;        // number of the frame that commits
  reg         f_seen = 0;                      // the picked number has come, and was not late
  reg         f_skipped = 0;                   // it was skipped, and has not come since
  wire        f_is_number = f_commit && f_sequence2 == f_number;
  always @(posedge clk) begin
    {f_sequence2, f_sequence1} <= {f_sequence1, u_sequence};
    if (f_is_number && !too_old) f_seen <= 1'b1;
    if (f_commit && forward && f_number >= f_next && f_number < f_sequence2) f_skipped <= 1'b1;
    else if (f_is_number && reorder) f_skipped <= 1'b0;
    if (rst || clear) {f_seen, f_skipped} <= 2'd0;
  end

  // ---- the sums, while only frames of the picked stream come
  reg f_alone = 1;
  always @(posedge clk) f_alone <= rst || clear || (f_alone && !(c_valid && f_u2_stream != f_stream));

  wire [47:0] f_step = lost_moves ? lost_step : 48'd0;

  // ---- guarantees
  always @* if (!rst && f_past) begin
    // A frame moves next as far as it moves received - duplicated - late + lost; all begin at 0, so they stay equal.
    next_moves_with_counts: assert (!f_commit || next_next - next == 48'd1 - {47'd0, duplicate} - {47'd0, too_old} + f_step);
    // The counters move by this frame's verdict and by nothing else.
    counters_follow_verdict: assert (!f_commit || n_count == {next_next, f_gaps + {47'd0, gap}, f_late + {47'd0, too_old},
      f_reordered + {47'd0, reorder}, f_duplicated + {47'd0, duplicate}, f_lost + f_step, f_received + 48'd1});
`ifndef FORMAL_HELPERS
    // A frame within the window is a duplicate exactly if its number has come before (checked for short runs).
    duplicate_if_seen: assert (!(f_is_number && in_window) || duplicate == f_seen);
    // A frame within the window is reordered only if its number was skipped, and then it is no longer lost (checked for short runs).
    reordered_if_skipped: assert (!(f_is_number && reorder) || (f_skipped && n_count[95:48] == f_lost - 48'd1));
    // A stream's next = received - duplicated - late + lost (by summing up the two promises before; checked for short runs).
    next_adds_up: assert (f_next == f_received - f_duplicated - f_late + f_lost);
`endif
    // A frame has exactly one verdict: in order or ahead, duplicate, reordered, or late.
    one_verdict: assert (!c_valid || {2'd0, forward} + {2'd0, duplicate} + {2'd0, reorder} + {2'd0, too_old} == 3'd1);
    // Only numbers below next, more than 64 behind, or 2^47 ahead, are late; and a late frame moves nothing but its counter.
    late_changes_nothing: assert (!(f_commit && too_old) || ((f_next - f_sequence2 > 64 || f_sequence2 - f_next >= 48'h8000_0000_0000)
                                   && next_next == f_next && window_next == f_window && n_count[95:48] == f_lost));
    // A frame with the number expected next, or one less than 2^47 beyond, moves next past it; others leave next.
    next_follows: assert (!f_commit || next_next == ((f_sequence2 >= f_next && f_sequence2 - f_next < 48'h8000_0000_0000)
                                                     ? f_sequence2 + 48'd1 : f_next));
    // next never goes back.
    next_rises: assert (!f_commit || next_next >= f_next);
    // A gap is counted exactly when numbers are skipped, and flagged in the clock of the commit.
    gap_if_skipped: assert (hit_gap == (c_valid && forward && f_sequence2 != next));
    // A gap is counted at most once for each frame, and every frame is counted as received.
    received_counts_all: assert (!f_commit || (n_count[47:0] == f_received + 48'd1 && n_count[5*48 +: 48] - f_gaps <= 48'd1));
    // The sum of lost frames is that of the streams.
    lost_sum: assert (!f_alone || lost_frames[47:0] == f_lost);
    // The sums of duplicated, reordered and late frames are those of the streams.
    other_sums: assert (!f_alone || (duplicated_frames[47:0] == f_duplicated && reordered_frames[47:0] == f_reordered
                                     && late_frames[47:0] == f_late));
    // The sum of gaps is that of the streams.
    gap_sum: assert (!f_alone || sequence_gaps[47:0] == f_gaps);
    // A read of the picked stream gives its counts of the last snapshot; a stream that is not in the table reads as zero.
    read_gives_snapshot: assert (!stream_ack || (beyond ? stream_count == 0 : stream_index != f_stream || stream_count == f_frozen));

    // A skipped number comes late and is found: reordered, and nothing is lost.
    found_again: cover (f_reordered != 0 && f_lost == 0 && f_next > 2);
    // A duplicate and a lost frame are counted.
    duplicated_and_lost: cover (f_duplicated != 0 && f_lost != 0);
    // A late frame is counted.
    late_frame: cover (f_late != 0);
    // A read is answered with counts that have changed since.
    frozen_is_read: cover (stream_ack && !beyond && stream_index == f_stream && f_frozen != 0 && f_count != f_frozen);
    // A read of a stream beyond the table is answered.
    beyond_is_answered: cover (stream_ack && beyond);
  end
`ifdef FORMAL_HELPERS
  always @* begin
    assert (f_past || rst);
    if (f_u1) assert (valid1_reg && sequence1_reg == f_sequence1 && !(&f_sequence1));
    if (f_u2) assert (ahead2_reg == f_sequence2 - f_early && after2_reg == f_sequence2 + 48'd1 && !(&f_sequence2)
                      && forward2_reg == (f_sequence2 >= f_early && !ahead2_reg[47]) && skips2_reg == |ahead2_reg[46:0]
                      && beyond2_reg == |ahead2_reg[46:6] && in_window2_reg == (f_sequence2 < f_early && f_early - f_sequence2 <= 64));
  end
`endif
