// files: time/time_base.v
// mode: induction depth=1 base=4 cover=5 mutants=5
// mutant stands_still: s/ + 1'b1;/;/
// mutant two_at_a_time: s/ + 1'b1/ + 2'd2/
// mutant skip_ignored: s/, skip_words}/, 32'd0}/
// mutant skip_without_its_own_word: s/ + 1'b1;/ + {{(TIME_W-1){1'b0}}, skip_words == 0};/
// mutant reset_keeps_time: s/if (rst) word_time <= .*;/if (rst) word_time <= word_time;/
// mutant upper_half_lost: s/word_time <= word_time + /word_time <= {{(TIME_W-32){1'b0}}, word_time[31:0]} + /
// SPDX-License-Identifier: Apache-2.0
// time_base with any skips.
module time_base_formal (
  input        clk,
  input        rst,
  input [31:0] skip_words
);
  time_base dut (.clk(clk), .rst(rst), .skip_words(skip_words), .word_time());
endmodule
