// files: tcp/tcp_choice.v
// mode: induction depth=1 base=4 cover=5 mutants=5 solver=once
// size: as built; the connection is any whose snd_una, snd_nxt and snd_max are in this order, with windows up to the largest
// mutant octets_beyond_the_window: s/: c.probe ? probe_room : usable/: c.probe ? probe_room : peer_reg/
// mutant window_of_the_peer_alone: s/least(c.snd_wnd, c.cwnd + limited)/c.snd_wnd/
// mutant congestion_window_alone: s/least(c.snd_wnd, c.cwnd + limited)/c.cwnd + limited/
// mutant new_octets_for_lost_ones: s/c.resend || c.probe ? c.snd_una : c.snd_nxt/c.probe ? c.snd_una : c.snd_nxt/
// mutant lost_ones_beyond_the_window: s/again_room = least(unacked_reg, c.snd_wnd)/again_room = unacked_reg/
// mutant segment_beyond_the_mss: s/least(least(to_send_reg, mss), room_reg)/least(to_send_reg, room_reg)/
// mutant fin_before_the_end: s/fin_left_reg \&\& all_left \&\&/fin_left_reg \&\&/
// mutant fin_without_room: s/ \&\& all_left \&\& room_reg > to_send_reg/ \&\& all_left/
// SPDX-License-Identifier: Apache-2.0
// tcp_choice: from any connection. That snd_una, snd_nxt and snd_max stay in order is proven of tcp_numbers.
`include "tcp_types.svh"
module tcp_choice_formal (
  input clk,
  input allowed,
  input room,
  input picked
);
  (* anyconst *) tcp_types::connection_t c;
  tcp_choice dut (
    .clk(clk), .allowed(allowed), .room(room), .picked(picked), .c(c), .base_reg(), .pick_reg(), .fin_reg(), .good_reg(), .sends_reg(),
    .persist());
endmodule
