// files: tx/tx_hold.v
// mode: induction depth=1 base=4 cover=8 mutants=6
// mutant one_word_short: s/<< WORDS_LOG2;/<< WORDS_LOG2) - 19'd1;/;s/left_reg <= {3'd0, quanta}/left_reg <= ({3'd0, quanta}/
// mutant obeys_always: s/if (pause \&\& obeys)/if (pause)/
// mutant pause_adds: s/left_reg <= {3'd0, quanta} << WORDS_LOG2;/left_reg <= left_reg + ({3'd0, quanta} << WORDS_LOG2);/
// mutant never_ends: s/else if (hold)      left_reg/else if (hold \&\& pause) left_reg/
// mutant load_keeps_the_hold: s/if (load) left_reg <= 19'd0;//
// mutant held_is_not_cleared: s/if (clear) held_words <= 58'd0;//
// SPDX-License-Identifier: Apache-2.0
// tx_hold: a pause holds for exactly its quanta, and the next one replaces it, for any pauses at any times.
module tx_hold_formal (
  input        clk,
  input        rst,
  input        load,
  input        clear,
  input        cfg_obey,
  input        pause,
  input [15:0] quanta,
  input        held
);
  tx_hold #(.GROUPS(8)) dut (
    .clk(clk), .rst(rst), .load(load), .clear(clear), .cfg_obey(cfg_obey), .pause(pause), .quanta(quanta), .held(held),
    .obeys(), .hold(), .held_words());
endmodule
