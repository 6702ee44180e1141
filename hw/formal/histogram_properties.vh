// SPDX-License-Identifier: Apache-2.0
// The guarantees of histogram, for one bin that the solver picks, hence for any: that each bin counts its own events. Every
// event has one bin, so the bins add up to the number of events. Included inside the module, by hw/formal only.
  (* keep *) wire [BINS_LOG2-1:0] f_bin;        // the entry that snapshot_table's properties pick
  (* keep *) wire [COUNT_W-1:0]   f_live, f_frozen;   // its contents, as these know them
  (* keep *) wire [2:0]           f_free;       // and how long a read has waited
  reg f_past = 1'b0;
  always @(posedge clk) f_past <= 1'b1;

  reg [COUNT_W-1:0] f_events = 0, f_events_frozen = 0;  // events of the bin that count by now; by the last snapshot
  reg               f_in1 = 0, f_in2 = 0;               // an event of the bin on its way
  reg [2:0]         f_waited = 0;
  always @(posedge clk) begin
    f_in1 <= valid && bin == f_bin && !clear && !busy && !rst;
    f_in2 <= f_in1 && !clear && !rst;
    if (f_in2) f_events <= f_events + 1'b1;
    if (snapshot) f_events_frozen <= f_events;
    if (rst || clear) {f_events, f_events_frozen} <= 0;
    f_waited <= (req && !ack && !valid && !busy && !clear && !rst) ? f_waited + 3'd1 :
                (ack || busy || clear || rst || !req) ? 3'd0 : f_waited;
  end
  always @* if (!rst && f_past) begin
    // A read of a bin gives the number of its events that were committed, two clocks after they came, before the snapshot.
    bin_counts_its_events: assert (!(ack && index == f_bin) || count == f_events_frozen);
    // A read is answered after at most four clocks without an event.
    bin_is_read: assert (f_waited <= 4);
    // An answer has a request.
    answer_has_a_request: assert (!ack || req);

    // A read gives two, while the bin has three.
    two_of_three: cover (ack && index == f_bin && count == 2 && f_events == 3);
    // A read gives none for a bin whose first event came after the snapshot.
    none_yet: cover (ack && index == f_bin && count == 0 && f_events == 1 && f_snapped);
  end
  reg f_snapped = 0;
  always @(posedge clk) f_snapped <= (f_snapped || snapshot) && !rst && !clear;
`ifdef FORMAL_HELPERS
  always @* if (!rst && f_past) assert (f_live == f_events && f_frozen == f_events_frozen && f_free == f_waited);
`endif
