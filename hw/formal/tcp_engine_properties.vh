// SPDX-License-Identifier: Apache-2.0
// The guarantees of tcp_engine: that it uses its parts as their proofs assume. Included inside the module, by hw/formal only.
  // ---- what tcp_numbers was asked in CHECK, and said
  reg [31:0] f_una, f_max;
  reg        f_fits;
  always @(posedge clk) if (stage_reg == CHECK) begin
    f_una  <= c.snd_una;
    f_max  <= c.snd_max;
    f_fits <= fits;
  end
  // Assumed as proven of tcp_numbers: what it leaves, when what was sent is to be sent again.
  always @* if (syn_back || expires) assume (next_una == c.snd_una && next_max == c.snd_max);
  // ---- the connection that tcp_choice looks at; it does not look at persist, which follows from it
  tcp_types::connection_t f_chosen_for, f_changed;
  always @(posedge clk) if (stage_reg == ALLOWED) f_chosen_for <= c;
  always @* begin
    f_changed         = c ^ f_chosen_for;
    f_changed.persist = 1'b0;
  end
  // Assumed as proven of tcp_choice: a segment at snd_una or snd_nxt, of no more than MSS octets and not nothing.
  wire f_begin = base_reg == c.snd_una || base_reg == c.snd_nxt;
  always @* if (stage_reg == SENT && good_reg) assume (f_begin && pick_reg <= mss && (pick_reg != 32'd0 || fin_reg));
  // ---- what tcp_ranges compares
  reg [323:0] f_compared;
  wire [323:0] f_compares = {begin_reg, end_reg, c.range_used, c.range_begin, c.range_end};
  always @(posedge clk) if (stage_reg == GROWN) f_compared <= f_compares;
  // ---- the clock before
  reg         f_first = 1'b1, f_numbers, f_edge, f_fin_is_next, f_syn_counts, f_latched;
  reg [31:0]  f_old_rcv, f_found, f_old_seq;
  reg [95:0]  f_old, f_next;
  always @(posedge clk) begin
    f_first       <= rst;
    f_latched     <= stage_reg == IDLE && start;
    f_numbers     <= numbers;
    f_old         <= {c.snd_una, c.snd_nxt, c.snd_max};
    f_next        <= {next_una, next_nxt, next_max};
    f_old_rcv     <= c.rcv_nxt;
    f_found       <= merged_end;
    f_edge        <= stage_reg == MERGED && take_data_reg && begin_reg == c.rcv_nxt;
    f_fin_is_next <= stage_reg == ENDED && take_data_reg && c.fin_known && c.fin_seq == c.rcv_nxt;
    f_syn_counts  <= stage_reg == EVENT && (kind_reg == OPEN || kind_reg == SEGMENT && f_syn && (c.state == LISTEN || c.state == SYN_SENT));
    f_old_seq     <= kind_reg == OPEN ? 32'd0 : in.seq + 32'd1;
  end
  wire [31:0] f_length = {16'd0, out.octets} + {31'd0, out.flags[`TCP_SYN]} + {31'd0, out.flags[`TCP_FIN]};
  wire        f_carries = sent && !out.flags[`TCP_RST] && f_length != 32'd0;
  reg         f_counted;
  reg [31:0]  f_counted_base, f_counted_length;
  always @(posedge clk) if (stage_reg == SENT) {f_counted, f_counted_base, f_counted_length} <= {sends_more, sent_base, sent_length};

  always @* if (!rst && !f_first) begin
    // An acknowledgement is taken only of a segment that has it, and if tcp_numbers said in the same step that it fits; nothing that it
    // was compared with has changed.
    takes_what_fits: assert (!acks_more || f_fits && f_ack && !f_rst && kind_reg == SEGMENT && c.snd_una == f_una && c.snd_max == f_max);
    // A connection is established only by an acknowledgement of what was sent: of its SYN.
    established_by_ack: assert (!begins || f_ack && !f_rst && kind_reg == SEGMENT && c.snd_una == f_una && c.snd_max == f_max
                                && (c.state == SYN_SENT ? in.ack == f_una + 32'd1 && f_max != f_una : f_fits && in.ack != f_una));
    // At most one thing happens to the numbers in a clock.
    one_at_a_time: assert ({2'd0, opens} + {2'd0, syn_back || expires} + {2'd0, begins} + {2'd0, acks_more} + {2'd0, sends_more} <= 3'd1);
    // They change only to what tcp_numbers says, and when a step begins.
    numbers_by_tcp_numbers: assert (f_latched || {c.snd_una, c.snd_nxt, c.snd_max} == (f_numbers ? f_next : f_old));
    // tcp_choice is asked in three clocks in which the connection does not change, and what it found is counted while it still has not.
    chooses_for_one_connection: assert (stage_reg != ROOM && stage_reg != PICKED && stage_reg != SENT || f_changed == 1029'd0);
    // The octets that are counted as sent begin at snd_una or snd_nxt, and are not nothing.
    counts_from_where_it_is: assert (!sends_more || (sent_base == c.snd_una || sent_base == c.snd_nxt) && sent_length != 32'd0);
    // tcp_ranges compares octets and ranges in two clocks in which they do not change.
    compares_what_stays: assert (stage_reg != MERGED || !take_data_reg || f_compared == f_compares);
    // rcv_nxt moves only to the end of what tcp_ranges found, if the octets begin at it; past FIN, if it is next; and behind a SYN.
    rcv_nxt_to_what_is_there: assert (f_latched || c.rcv_nxt == f_old_rcv || f_edge && c.rcv_nxt == f_found
                                      || f_fin_is_next && c.rcv_nxt == f_old_rcv + 32'd1 || f_syn_counts && c.rcv_nxt == f_old_seq);
    // Octets are taken.
    takes_octets: cover (f_edge && c.rcv_nxt == f_found && c.rcv_nxt != f_old_rcv);
  end
  always @* if (!rst && (stage_reg == TIMED || done)) begin
    // Segments with octets, SYN or FIN are sent as they are counted, and none is sent that is not.
    sent_as_counted: assert (f_carries == f_counted && (!f_carries || out.seq == f_counted_base && f_length == f_counted_length));
    // The number that is acknowledged is rcv_nxt.
    acknowledges_rcv_nxt: assert (!(sent && out.flags[`TCP_ACK] && !out.flags[`TCP_RST]) || out.ack == c.rcv_nxt);
    // Octets are sent.
    sends_octets: cover (f_counted && out.octets != 16'd0);
  end
`ifdef FORMAL_HELPERS
  always @* if (!rst && f_first) assert (stage_reg == IDLE && !done);
  always @* if (!rst && !f_first) begin
    assert (stage_reg <= TIMED);
    assert (stage_reg != EVENT || kind_reg >= TICK && kind_reg <= CLOSE);
    assert (stage_reg < ACKED || stage_reg > ENDED || kind_reg == TICK || kind_reg == SEGMENT);
    if (stage_reg == CHECK || stage_reg == EVENT) assert ({take_ack_reg, take_data_reg, begins_reg, expires_reg} == 4'd0);
    if (stage_reg == EVENT)
      assert (c.snd_una == f_una && c.snd_max == f_max && within_reg == f_fits && same_reg == (in.ack == f_una)
              && acks_syn_reg == (f_ack && in.ack == f_una + 32'd1 && f_max != f_una));
    if (stage_reg == ACKED) begin
      assert ((kind_reg != SEGMENT && kind_reg != TICK) || c.snd_una == f_una && c.snd_max == f_max);
      assert (!begins_reg || take_ack_reg && (c.state == SYN_SENT ? in.ack == f_una + 32'd1 && f_max != f_una : f_fits && in.ack != f_una));
      assert (!take_ack_reg || f_ack && !f_rst && kind_reg == SEGMENT && (begins_reg || f_fits));
    end
    assert (stage_reg <= EVENT || stage_reg > ENDED || (!expires_reg || kind_reg == TICK) && (!take_data_reg || kind_reg == SEGMENT));
    if (stage_reg == MERGED) assert (!data_reg && !take_data_reg || take_data_reg && at_edge_reg == (begin_reg == c.rcv_nxt));
    if (stage_reg == MERGED || stage_reg == ENDED) assert (!data_reg || take_data_reg);
    if (stage_reg == ROOM || stage_reg == PICKED || stage_reg == SENT)
      assert (!syn_reg || (c.state == SYN_SENT || c.state == SYN_RECEIVED));
  end
`endif
