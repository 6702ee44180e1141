// files: mac/mac_tx.v ../formal/crc32_model.v
// see: dut.f_crc = dut.u_crc.crc
// see: dut.f_crc_valid = dut.u_crc.crc_valid
// see: dut.f_crc_data = dut.u_crc.data
// mode: induction depth=6 base=8 cover=10 mutants=9 solver=once
// size: 2 groups per word; the CRC is anything
// mutant preamble_always_in_group_0: s/if (preamble_group == g\[GROUP_W-1:0\]) data1_reg/if (g == 0) data1_reg/
// mutant start_is_no_control: s/filled_ctrl = filled_ctrl | START << {preamble_group, 3'd0}/filled_ctrl = filled_ctrl/
// mutant lone_contents_are_control: s/if (!a_lone) begin/if (!a_lone || 1'b1) begin/
// mutant tail_in_the_next_word_lost: s/spill_reg      <= tail_lane == LANES ||/spill_reg      <= tail_lane == LANES \&\&/
// slow tail_in_the_next_word_is_control: s/filled_ctrl = ALL_OCTETS << spill_octets_reg/filled_ctrl = ALL_OCTETS/
// slow control_one_early_in_the_next_word: s/a_octets\[3:0\] + 4'd4 - WORD/a_octets[3:0] + 4'd3 - WORD/
// mutant fcs_is_the_crc: s/tail4_reg\[0\] ? crc : ~crc/tail4_reg[0] ? ~crc : crc/
// slow bad_fcs_ignored: s/tail4_reg\[0\] ? crc : ~crc/~crc/
// mutant bad_end_ignored: s/tail4_reg\[8\] ? ERROR : TERMINATE/TERMINATE/
// slow bad_fcs_without_an_end: s/bad_fcs_sent = end4_reg \&\& /bad_fcs_sent = /
// mutant bad_fcs_one_early: s/bad_fcs_sent = end4_reg \&\& tail4_reg/bad_fcs_sent = end3_reg \&\& tail3_reg/
// mutant flags_one_early: s/tail4_reg <= tail3_reg/tail4_reg <= tail2_reg/
// mutant last_octets_are_idle: s/a_octets\[6:3\] + 4'd1)/a_octets[6:3])/
// mutant tail_in_one_group: s/tail_octets != 3'd0) line_data/tail_octets == 3'd7) line_data/
// mutant lone_preset_stays: s/if (GROUPS > 1 \&\& a_lone)/if (GROUPS > 1 \&\& a_lone \&\& b_active)/
// slow reset_shows_words: s/line_data <= {GROUPS{IDLE}};/line_data <= data4_reg;/
// mutant old_tail_over_the_next_frame: s/if (spill_reg) line_data\[63:0\]/if (spill_reg || end4_reg) line_data[63:0]/
// SPDX-License-Identifier: Apache-2.0
// mac_tx against any words that tx_build may give, and any CRC, for one octet of the word that the solver picks.
module mac_tx_formal (
  input         clk,
  input         rst,
  input [127:0] data,
  input         preamble,
  input         preamble_group,
  input         a_active,
  input         a_first,
  input         a_end,
  input [6:0]   a_octets,
  input         a_lone,
  input         a_bad_fcs,
  input         a_bad_end,
  input         b_active,
  input         b_group
);
  mac_tx #(.GROUPS(2)) dut (
    .clk(clk), .rst(rst), .data(data), .preamble(preamble), .preamble_group(preamble_group), .a_active(a_active),
    .a_first(a_first), .a_end(a_end), .a_octets(a_octets), .a_lone(a_lone), .a_bad_fcs(a_bad_fcs), .a_bad_end(a_bad_end),
    .b_active(b_active), .b_group(b_group), .bad_fcs_sent(), .line_data(), .line_ctrl());
endmodule
