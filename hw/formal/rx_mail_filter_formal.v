// files: rx/rx_mail_filter.v
// mode: induction depth=1 base=5 cover=8 mutants=7
// size: 8 groups per word, as in the core; wanted comes 3 clocks after the end instead of 13
// mutant broadcast_is_a_group: s/filter\[2\] \&\& to\[0\] \&\& !(\&to)/filter[2] \&\& to[0]/
// mutant groups_are_all: s/(filter\[1\] \&\& \&to)/(filter[1] \&\& to[0])/
// mutant own_address_without_its_rule: s/(filter\[0\] \&\& to == address)/(to == address)/
// mutant type_0_is_listed: s/ \&\& |ethertype) match = 1/) match = 1/
// mutant type_the_other_way_round: s/ethertype = {header3_reg\[55:48\], header3_reg\[63:56\]}/ethertype = header3_reg[63:48]/
// mutant type_of_the_octets_before: s/{place, 6'd32}/{place, 6'd16}/
// mutant last_type_ignored: s/t < 4; t = t/t < 3; t = t/
// mutant type_or_address: s/match = match \&\& (filter\[3\]/match = match || (filter[3]/
// mutant any_type_ignored: s/match = filter\[4\];/match = 1'b0;/
// mutant judged_by_the_next_header: s/header3_valid_reg \&\& header3_of_open_reg ? match/header3_valid_reg ? match/
// mutant judged_by_the_last_header: s/header3_valid_reg \&\& header3_of_open_reg ? match : match_reg/match_reg/
// mutant address_of_this_words_last_group: s/word_data\[64\*GROUPS-64 +: 48\]/word_data[47:0]/
// mutant followed_though_off: s/followed_reg      <= on \&\& (/followed_reg <= (/
// mutant never_forgotten: s/on || on_reg || header3/on || header3/
// mutant wanted_without_an_end: s/end3_reg          <= whole \&\& word_end/end3_reg <= whole/
// mutant wanted_twice: s/{wanted_reg\[WAIT-1:2\], end3_reg/{wanted_reg[WAIT-1:2] | wanted_reg[WAIT:3], end3_reg/
// mutant wanted_early: s/assign wanted = wanted_reg\[WAIT\]/assign wanted = wanted_reg[WAIT-1]/
// mutant stops_with_the_filter: s/|wanted_reg || rst) begin/rst) begin/
// mutant reset_lets_pass: s/wanted_reg        <= {(WAIT-1){1'b0}};//
// SPDX-License-Identifier: Apache-2.0
// rx_mail_filter against any frames, as line_decode reports them, under any filter that changes at any time.
module rx_mail_filter_formal (
  input         clk,
  input         rst,
  input [4:0]   filter,
  input [47:0]  address,
  input [63:0]  types,
  input [511:0] word_data,
  input         word_owned,
  input         word_end,
  input         word_live,
  input [2:0]   word_live_group
);
  rx_mail_filter #(.GROUPS(8), .WAIT(3)) dut (
    .clk(clk), .rst(rst), .filter(filter), .address(address), .types(types), .word_data(word_data), .word_owned(word_owned),
    .word_end(word_end), .word_live(word_live), .word_live_group(word_live_group), .words(), .whole(), .wanted());
endmodule
