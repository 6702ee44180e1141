// files: rx/rx_expected.v
// mode: induction depth=1 base=4 cover=5 mutants=5
// size: as in the core, 2 ports
// mutant words_of_other_builds_written: s/assign there = ~|word\[6:WORD_W\]/assign there = 1'b1/
// mutant one_word_more_ignored: s/we \&\& there)/we \&\& there \&\& word != 7'd9)/
// mutant word_index_one_bit_short: s/ram\[word\[WORD_W-1:0\]\] =/ram[{1'b0, word[WORD_W-2:0]}] =/
// mutant looks_up_the_word_before: s/ram\[stream\[WORD_W+4:5\]\]/ram[stream[WORD_W+4:5] - 1'b1]/
// mutant bit_of_the_next_look: s/word_reg\[bit_reg\]/word_reg[stream[4:0]]/
// mutant bits_the_other_way_round: s/bit_reg  <= stream\[4:0\]/bit_reg  <= ~stream[4:0]/
// mutant write_counts_at_once: s/word_reg <= ram\[stream\[WORD_W+4:5\]\]/word_reg <= we \&\& word == stream[11:5] ? data : ram[stream[WORD_W+4:5]]/
// mutant write_only_beside_a_look: s/if (we \&\& there)/if (we \&\& there \&\& look)/
// mutant write_adds_to_the_word: s/\] = data;/] = ram[word[WORD_W-1:0]] | data;/
// mutant changes_without_a_look: s/if (look) begin/begin/
// mutant all_expected_when_loaded: s/ram\[i\] = 32'd0/ram[i] = 32'hFFFF_FFFF/
// SPDX-License-Identifier: Apache-2.0
// rx_expected for one stream that the solver picks, against any writes and look-ups.
module rx_expected_formal (
  input        clk,
  input        we,
  input [6:0]  word,
  input [31:0] data,
  input        look,
  input [11:0] stream
);
  rx_expected #(.PORTS(2)) dut (
    .clk(clk), .we(we), .word(word), .data(data), .look(look), .stream(stream), .expected());
endmodule
