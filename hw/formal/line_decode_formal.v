// files: mac/line_decode.v
// mode: induction depth=3 base=4 cover=8 mutants=7
// deep: base=10 mutants=12
// size: 2 groups per word
// mutant start_in_any_octet: s/first64 = ctrl64 \& OCTET0;/first64 = ctrl64;/;s/line_ctrl\[8\*g\];/|line_ctrl[8*g +: 2];/
// mutant start_is_not_compared: s/if (line_data\[64\*g +: 8\] == START) //
// mutant preamble_may_hold_control: s/(followed >> 4) | after1_reg;/(followed >> 4);/
// mutant end_keeps_frame_open: s/live || (open_reg \&\& !(|any1_reg))/live || open_reg/
// mutant end_of_no_frame: s/word_end        <= open_reg \&\& |any1_reg/word_end <= |any1_reg/
// slow last_control_ends_it: s/if (any1_reg\[g\]) end_group = g\[GROUP_W-1:0\]/if (any1_reg[GROUPS - 1 - g]) end_group = GROUPS - 1 - g/
// mutant cut_is_silent: s/cut           = |cut_starts;/cut = 1'b0;/
// slow live_frame_is_cut_too: s/cut_starts    = start1_reg \& followed;/cut_starts = start1_reg;/
// slow merged_ended_well: s/ev_cut_well  <= !merged2_reg \&\& /ev_cut_well <= /
// slow any_character_ends_well: s/end2_place_top_unused\[POSITION_W-1:0\], 3'b000} +: 8\] == TERMINATE/end2_place_top_unused[POSITION_W-1:0], 3'b000} +: 8] != START/
// slow length_counts_start_group: s/LAST_GROUP - word_live_group}/LAST_GROUP - word_live_group + 1'b1}/
// slow length_forgets_last_word: s/ev_octets       <= groups_at_end\[11\] ? 14'h3FFF : {groups_at_end/ev_octets <= groups_at_end[11] ? 14'h3FFF : {groups_reg/
// slow first_of_every_word: s/open_first_reg  <= live \&\& last_group == LAST_GROUP/open_first_reg <= live/
// mutant cut_end_in_start_group_missed: s/ | start1_reg \& ~behind \& after1_reg;/;/
// mutant cut_length_with_start_group: s/cut_from  = {cut_group2_reg + 1'b1, 3'b000}/cut_from = {cut_group2_reg, 3'b000}/
// slow number_one_late: s/ev_number <= word_number/ev_number <= number1_reg/
// SPDX-License-Identifier: Apache-2.0
// line_decode against any octets on the line. The promises, in line_decode_properties.vh, compare it with a decoder that
// goes from octet to octet.
module line_decode_formal (
  input         clk,
  input         rst,
  input [59:0]  word_time,
  input [127:0] line_data,
  input [15:0]  line_ctrl
);
  line_decode #(.GROUPS(2)) dut (
    .clk(clk), .rst(rst), .word_time(word_time), .line_data(line_data), .line_ctrl(line_ctrl), .word_data(),
    .word_number(), .word_owned(), .word_first(), .word_end(), .word_end_group(), .word_end_octet(), .word_live(),
    .word_live_group(), .ev_number(), .ev_end(), .ev_well(), .ev_octets(), .ev_over(), .ev_end_position(), .ev_live(),
    .ev_live_group(), .ev_cut(), .ev_cut_well(), .ev_cut_group(), .ev_cut_octets(), .ev_cut_end_position());
endmodule
