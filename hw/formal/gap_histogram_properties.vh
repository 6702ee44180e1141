// SPDX-License-Identifier: Apache-2.0
// The guarantees of gap_histogram: it gives every gap to the histogram once, in its bin, and its snapshot takes the gaps
// that line_count has counted. With what is proven of histogram, the frozen bins add up to the frozen gaps. Included
// inside the module, by hw/formal only.
  (* keep *) wire       f_valid, f_snapshot;    // input of the histogram
  (* keep *) wire [9:0] f_bin;
  initial assume (rst);
  always @* assume (!(gap && (clear || busy)));
  // Proven of snapshot_table: a clear makes it busy, and nothing else does.
  reg f_cleared = 0, f_was_busy = 0;
  always @(posedge clk) begin
    f_cleared  <= rst || clear;
    f_was_busy <= busy;
  end
  always @* assume (f_cleared ? busy : !busy || f_was_busy);

  // ---- as line_count counts: a gap of clock t is in `gaps` in clock t+2, and a snapshot takes what is there
  reg        f_past = 0, f_gap1 = 0;
  reg [63:0] f_octets1;
  reg [5:0]  f_gaps = 0, f_gaps_frozen = 0, f_gaps_frozen1, f_gaps_frozen2;
  // ---- as the histogram counts: an event of clock t is in its bin in clock t+3
  reg        f_event1 = 0, f_event2 = 0;
  reg [5:0]  f_events = 0, f_events_frozen = 0;
  reg [2:0]  f_since = 0;                       // clocks since a clear
  reg        f_taken1 = 0, f_taken2 = 0, f_taken3 = 0;
  always @(posedge clk) begin
    f_past    <= 1;
    f_gap1    <= gap && !rst && !clear;
    f_octets1 <= gap_octets;
    if (f_gap1) f_gaps <= f_gaps + 1'b1;
    if (snapshot) f_gaps_frozen <= f_gaps;
    {f_gaps_frozen2, f_gaps_frozen1} <= {f_gaps_frozen1, f_gaps_frozen};
    f_event1 <= f_valid && !clear && !busy && !rst;
    f_event2 <= f_event1 && !clear && !rst;
    if (f_event2) f_events <= f_events + 1'b1;
    if (f_snapshot) f_events_frozen <= f_events;
    {f_taken3, f_taken2, f_taken1} <= {f_taken2, f_taken1, snapshot};
    f_since <= &f_since ? f_since : f_since + 1'b1;
    if (rst || clear) {f_gaps, f_events, f_gaps_frozen, f_events_frozen, f_since, f_taken1, f_taken2, f_taken3} <= 0;
  end
  always @* if (!rst && f_past) begin
    // Every gap reaches the histogram in the next clock, and nothing else does.
    every_gap_once: assert (f_valid == f_gap1 || f_cleared);
    // Its bin is its length; the last bin holds those of 1023 octets and more.
    bin_is_the_length: assert (!(f_valid && f_gap1) || f_bin == (f_octets1 >= 1023 ? 10'd1023 : f_octets1[9:0]));
    // The frozen bins hold as many gaps as line_count had counted in the clock of the snapshot.
    snapshot_agrees: assert (!f_taken3 || f_events_frozen == f_gaps_frozen2);

    // A snapshot takes two gaps while a third is on its way.
    snapshot_between_gaps: cover (f_taken3 && f_events_frozen == 2 && f_events == 3);
    // A gap longer than the last bin is counted.
    long_gap: cover (f_valid && f_bin == 1023 && f_octets1 > 64'd1 << 40);
  end
`ifdef FORMAL_HELPERS
  always @* assert (f_past || rst);
  always @* if (!rst && f_past) begin
    assert (f_gaps == f_events + {5'd0, f_event1} + {5'd0, f_event2});
  end
`endif
