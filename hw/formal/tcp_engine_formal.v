// files: tcp/tcp_engine.v ../formal/tcp_parts_model.v
// mode: induction depth=1 base=2 cover=9 mutants=9 solver=once
// size: any step of any connection; how its parts are used, each of which is assumed to be anything, or as proven
// mutant takes_what_does_not_fit: s/take_ack_reg  <= within_reg;/take_ack_reg <= 1'b1;/
// mutant any_acknowledgement_of_a_syn: s/acks_syn_reg     <= f_ack \&\& in.ack == c.snd_una + 32'd1/acks_syn_reg <= f_ack/
// mutant compared_too_late: s/if (stage_reg == CHECK) begin/if (stage_reg == EVENT) begin/
// mutant changes_while_it_chooses: s/ALLOWED: stage_reg <= ROOM;/ALLOWED: begin stage_reg <= ROOM; c.snd_wnd <= mss; end/
// slow sends_from_snd_max: s/sent_base = syn_reg ? c.snd_una : base_reg/sent_base = c.snd_max/
// slow another_length: s/pick_reg + {31'd0, fin_reg};/pick_reg;/
// slow octets_beyond_a_gap_taken: s/if (at_edge_reg) begin/if (1) begin/
// slow end_of_the_segment_alone: s/c.rcv_nxt   <= merged_end;/c.rcv_nxt <= end_reg;/
// slow acknowledges_what_is_early: s/acks ? c.rcv_nxt : 32'd0/acks ? in_end_reg : 32'd0/
// SPDX-License-Identifier: Apache-2.0
// tcp_engine: any step of any connection.
`include "tcp_types.svh"
module tcp_engine_formal (
  input                  clk,
  input                  start,
  input [2:0]            kind,
  input tcp_types::segment_t    segment,
  input                  open_passive,
  input                  open_endless,
  input [31:0]           open_iss,
  input [31:0]           open_octets,
  input [31:0]           now,
  input                  may_send,
  input tcp_types::connection_t connection
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;
  // The first step begins at once, so that runs are short; others when they like.
  reg first = 1'b0;
  always @(posedge clk) first <= rst;
  always @* if (first) assume (start);
  (* anyconst *) tcp_types::settings_t cfg;
  tcp_engine dut (
    .clk(clk), .rst(rst), .cfg(cfg), .start(start), .kind(kind), .segment(segment), .open_passive(open_passive), .open_endless(open_endless),
    .open_iss(open_iss), .open_octets(open_octets), .now(now), .may_send(may_send), .connection(connection), .busy(), .done(),
    .next_connection(), .sent(), .out(), .again());
endmodule
