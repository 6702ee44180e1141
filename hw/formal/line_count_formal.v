// files: mac/line_count.v
// mode: induction depth=1 base=4 cover=9 mutants=6 solver=once
// size: 2 groups per word
// mutant error_ends_count: s/{1'b0, ev_end \&\& ev_well} + /{1'b0, ev_end} + /
// mutant cut_frames_do_not_count: s/ + {1'b0, ev_cut \&\& ev_cut_well}//
// slow octets_of_bad_frames: s/(ev_end \&\& ev_well ? {1'b0, ev_octets}/(ev_end ? {1'b0, ev_octets}/
// slow octets_of_cut_frames_lost: s/(ev_cut \&\& ev_cut_well ? {{(12-GROUP_W)/(1'b0 ? {{(12-GROUP_W)/
// mutant gap_before_any_end: s/(ev_end || ended_reg) \&\& start_time/start_time/
// mutant start_that_ends_makes_a_gap: s/ \&\& start_time != gap_from;/;/
// mutant end_of_this_word_missed: s/gap_from     = ev_end ? end_time :/gap_from     = 1'b0 ? end_time :/
// slow gap_to_the_live_start: s/ev_cut ? ev_cut_group : ev_live_group/ev_live ? ev_live_group : ev_cut_group/
// mutant end_of_a_cut_frame_missed: s/ended_time_reg <= ev_cut ?/ended_time_reg <= 1'b0 ?/
// slow first_time_moves: s/if (!started_reg) first_time_reg/first_time_reg/
// mutant last_time_of_the_first_start: s/last_time_reg <= open_time/last_time_reg <= start_time/
// mutant end_survives_a_clear: s/ended_reg      <= 1'b0;//
// mutant clear_leaves_one_on_its_way: s/if (rst || clear) begin\r*$/if (rst) begin/
// slow saturates_late: s/|gap1_octets_reg\[63:40\]/|gap1_octets_reg[63:41]/
// mutant wraps: s/|gap1_octets_reg\[63:40\] ? {40{1'b1}} : //
// slow short_or_equal: s/gap2_octets_reg < {24'd0, short_gap_octets}/gap2_octets_reg <= {24'd0, short_gap_octets}/
// mutant least_starts_at_0: s/gap_min_reg    <= {40{1'b1}}/gap_min_reg    <= 40'd0/
// mutant longest_never_moves: s/if (gap2_octets_reg > gap_max_reg) gap_max_reg <= gap2_octets_reg;//
// mutant no_gap_has_a_length: s/\&gap_min_reg ? {64{1'b1}} : //
// slow two_frames_count_one: s/frames + {62'd0, frames2_reg}/frames + 64'd1/
// slow gap_counts_two: s/gaps           <= gaps + 64'd1/gaps <= gaps + 64'd2/
// SPDX-License-Identifier: Apache-2.0
// line_count against any events of a line, and clears.
module line_count_formal (
  input        clk,
  input        rst,
  input        clear,
  input [59:0] ev_number,
  input        ev_end,
  input        ev_well,
  input [13:0] ev_octets,
  input [3:0]  ev_end_position,
  input        ev_live,
  input        ev_live_group,
  input        ev_cut,
  input        ev_cut_well,
  input        ev_cut_group,
  input [3:0]  ev_cut_octets,
  input [3:0]  ev_cut_end_position,
  input [15:0] short_gap_octets
);
  line_count #(.GROUPS(2)) dut (
    .clk(clk), .rst(rst), .clear(clear), .ev_number(ev_number), .ev_end(ev_end), .ev_well(ev_well), .ev_octets(ev_octets),
    .ev_end_position(ev_end_position), .ev_live(ev_live), .ev_live_group(ev_live_group), .ev_cut(ev_cut),
    .ev_cut_well(ev_cut_well), .ev_cut_group(ev_cut_group), .ev_cut_octets(ev_cut_octets),
    .ev_cut_end_position(ev_cut_end_position), .short_gap_octets(short_gap_octets), .frames(), .octets(), .first_time(),
    .last_time(), .gaps(), .gap_min_octets(), .gap_max_octets(), .gap_sum_octets(), .short_gaps(), .gap(), .gap_octets());
endmodule
