// files: tx/tx_rules.v
// mode: induction depth=1 base=2 cover=13 mutants=12 solver=once
// size: a guard of 8 clocks, times of rules and periods below 4096 octets, trials of 64 Koctets; no words are skipped
// mutant one_group_late: s/group >= group_reg/group > group_reg/
// slow time_rounded_down: s/= {1'b0, best_reg} + 58'd7/= {1'b0, best_reg}/
// slow words_before_the_origin_count: s/passing     = running ?/passing     = 1'b1 ?/
// mutant ready_one_clock_early: s/ready_reg <= clock_reg == LAST/ready_reg <= clock_reg == LAST - 5'd1/
// slow last_of_equal_times: s/time_reg < best_reg/time_reg <= best_reg/
// slow latest_first: s/time_reg < best_reg/time_reg > best_reg/
// slow one_rule_too_many: s/cfg_rules > 3'd1,/cfg_rules > 3'd0,/
// slow shorter_than_54: s/< LEAST_OCTETS ? LEAST_OCTETS/< LEAST_OCTETS ? LEAST_OCTETS - 14'd1/
// mutant asked_while_not_active: s/send        = send_we \&\& active/send        = send_we/
// mutant asked_twice_replaces: s/ \&\& active \&\& !sending_reg;/ \&\& active;/
// mutant asked_frame_stays: s/^        sending_reg <= 1'b0;//
// slow load_keeps_an_asked_frame: s/^      sending_reg <= 1'b0;//
// slow asked_frame_waits_for_the_rule: s/due = sending_reg ||/due = sending_reg \&\& !armed ||/
// SPDX-License-Identifier: Apache-2.0
// tx_rules for two rules that the solver picks, against any tables, frames asked for and frames that begin. Words are
// skipped only in simulation.
module tx_rules_formal (
  input        clk,
  input        rst,
  input        load,
  input        active,
  input        running,
  input [2:0]  cfg_rules,
  input [1:0]  rule_index,
  input [1:0]  rule_time_we,
  input [1:0]  rule_period_we,
  input        rule_frame_we,
  input        send_we,
  input [31:0] rule_data,
  input [2:0]  group,
  input        begun
);
  tx_rules #(.GROUPS(8), .GUARD(8)) dut (
    .clk(clk), .rst(rst), .load(load), .active(active), .running(running), .skip_words(32'd0), .cfg_rules(cfg_rules),
    .rule_index(rule_index), .rule_time_we(rule_time_we), .rule_period_we(rule_period_we), .rule_frame_we(rule_frame_we),
    .send_we(send_we), .rule_data(rule_data), .group(group), .due(), .begun(begun), .flow(), .octets(), .flags(),
    .wait_words());
endmodule
