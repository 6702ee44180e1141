// files: tcp/tcp_numbers.v
// mode: induction depth=1 base=1 cover=1 mutants=1 solver=once
// size: numbers of 8 bits; from any that are in order
// mutant acknowledgement_of_what_was_not_sent: s/ack - una <= max - una/ack - una <= max - una + 1'b1/
// mutant acknowledgement_goes_back: s/ack - una <= max - una/max - ack <= max/
// mutant acknowledgement_is_one_more: s/next_una = ack;/next_una = ack + 1'b1;/
// mutant snd_nxt_left_behind: s/if (nxt_from_ack\[W-1\]) next_nxt = ack;//
// mutant snd_nxt_goes_back: s/if (nxt_from_ack\[W-1\]) next_nxt/next_nxt/
// mutant snd_max_forgets: s/if (max_from_end\[W-1\]) next_max = sent_end;//
// mutant snd_max_falls: s/if (max_from_end\[W-1\]) next_max/next_max/
// mutant end_is_one_short: s/sent_end = base + length/sent_end = base + length - 1'b1/
// mutant sent_again_leaves_one_out: s/next_nxt = una;/next_nxt = una + 1'b1;/
// mutant sent_again_from_where_it_is: s/if (back) next_nxt = una;//
// mutant established_without_its_syn: s/{next_una, next_nxt} = {max, max}/next_nxt = max/
// mutant opens_with_what_was: s/= {iss, iss, iss}/= {iss, iss, max}/
// mutant a_probe_moves_snd_nxt: s/ \&\& !stays//
// SPDX-License-Identifier: Apache-2.0
// tcp_numbers: any numbers, and anything that may happen to them. In 8 bits as in 32: it adds and compares them, and a window takes
// at most a quarter of them, as 65535 << 14 does of 2^32.
module tcp_numbers_formal #(
  parameter W = 8
) (
  input         clk,
  input [W-1:0] una,
  input [W-1:0] nxt,
  input [W-1:0] max,
  input         opens,
  input [W-1:0] iss,
  input         back,
  input         begins,
  input         acks,
  input [W-1:0] ack,
  input         sends,
  input [W-1:0] base,
  input [W-1:0] length,
  input         stays
);
  localparam [W-1:0] MOST = {2'd1, {(W-2){1'b0}}};
  wire         fits;
  wire [W-1:0] next_una, next_nxt, next_max;
  tcp_numbers #(.W(W)) dut (
    .una(una), .nxt(nxt), .max(max), .opens(opens), .iss(iss), .back(back), .begins(begins), .acks(acks), .ack(ack), .fits(fits),
    .sends(sends), .base(base), .length(length), .stays(stays), .next_una(next_una), .next_nxt(next_nxt), .next_max(next_max));

  // ---- the user: numbers in order, one thing at a time. tcp_choice is proven to give such segments.
  wire [W-1:0] f_reach = (base == una ? {W{1'b0}} : nxt - una) + length;
  always @* begin
    assume (nxt - una <= max - una && max - una <= MOST);
    assume ({2'd0, opens} + {2'd0, back} + {2'd0, begins} + {2'd0, acks} + {2'd0, sends} <= 3'd1);
    assume (!acks || fits);
    assume (!sends || (base == una || base == nxt) && length != 0 && length <= MOST && f_reach <= MOST);
  end

  wire [W-1:0] f_had = max - una, f_sent = max - next_una;
  always @* begin
    // snd_una, snd_nxt and snd_max stay in this order, and no further apart than a window.
    in_order: assert (next_nxt - next_una <= next_max - next_una && next_max - next_una <= MOST);
    // snd_una moves to an acknowledgement that arrived, or past the SYN; forward, and not beyond what had been sent.
    una_forward: assert (opens || next_una == una || next_una == (acks ? ack : max) && (acks || begins) && next_una - una <= f_had);
    // It does move there.
    una_moves: assert (!acks && !begins || next_una == (acks ? ack : max));
    // The octets that are sent begin at one that is not acknowledged, and leave none out that was never sent.
    none_left_out: assert (!sends || base - una <= f_had);
    // snd_max is the end of all that was ever sent: it moves only with what is sent, and to its end.
    max_is_the_end: assert (opens || next_max - una == (sends && f_reach > f_had ? f_reach : f_had));
    // snd_nxt is behind what was sent last, so that it is not sent at once again, but for a probe.
    nxt_behind_it: assert (!sends || next_nxt - una == (!stays && f_reach > nxt - una ? f_reach : nxt - una));
    // Only what is to be sent again takes snd_nxt back, and then to the first octet that is not acknowledged.
    nxt_back: assert (back ? next_nxt == una : opens || !(next_nxt - una < nxt - una));
    // An acknowledgement takes snd_nxt along, but not past what it acknowledges.
    nxt_acknowledged: assert (!acks || next_nxt == (nxt - una > ack - una ? nxt : ack));
    // A connection begins with nothing sent.
    opens_at_iss: assert (!opens || next_una == iss && next_nxt == iss && next_max == iss);
    // An acknowledgement is beyond snd_nxt, after a timeout.
    beyond_snd_nxt: cover (acks && next_nxt != nxt && next_max != next_una);
    // The octets that are sent again reach beyond all that was sent.
    again_and_more: cover (sends && base == una && nxt != una && next_max != max);
    // Numbers pass 0.
    passes_zero: cover (sends && next_max < max && f_sent != 0);
  end
endmodule
