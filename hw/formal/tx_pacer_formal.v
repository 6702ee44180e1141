// files: tx/tx_pacer.v
// mode: induction depth=1 base=5 cover=9 mutants=9
// size: gaps of 15 bits, fractions of 6, bursts of 4
// mutant carry_adds_nothing: s/gap_octets} + ONE;/gap_octets};/
// mutant burst_one_short: s/burst_left_reg == {{(BURST_W-1){1'b0}}, 1'b1}/burst_left_reg == 2/
// mutant carry_never_exact: s/carry = !fraction_over\[FRACTION_W\]/carry = !fraction_over[FRACTION_W] \&\& fraction_over != 0/
// slow fraction_advances_in_burst_gap: s/else if (!burst_last) fraction_reg/else fraction_reg/
// mutant step_one_more: s/frame_step + gap_step;/frame_step + gap_step + 1;/
// mutant start_ends_it: s/|| running_reg) \&\& !halt/|| running_reg) \&\& !halt \&\& !start/
// mutant gap_of_the_frame_before: s/frame_step = {{(STEP_W-14){1'b0}}, octets}/frame_step = {{(STEP_W-14){1'b0}}, octets_reg}/
// mutant prepares_over_a_frame: s/(!prepared_reg || turn) \&\& !load/(!prepared_reg || running_reg) \&\& !load/
// mutant stays_prepared: s/(take || prepared_reg \&\& !turn)/(take || prepared_reg)/
// mutant starts_unprepared: s/(prepared_reg || rule_due);/(prepared_reg || next_valid || rule_due);/
// mutant late_slides_on: s/running_reg \&\& !place)/running_reg)/
// mutant held_slides_on: s/running_reg \&\& !place)/running_reg \&\& !due)/
// mutant starts_while_held: s/due = place \&\& !hold;/due = place \&\& !(hold \&\& prepared_reg);/
// mutant held_without_a_frame: s/held         = place \&\& hold \&\& (prepared_reg || rule_due);/held         = place \&\& hold;/
// mutant late_more_than_once: s/ \&\& !late_reg \&\& / \&\& /
// mutant late_without_flows: s/ \&\& !late_reg \&\& !only_rules_reg;/ \&\& !late_reg;/
// mutant phase_keeps_the_old_step: s/? phase_step1 : step_reg;/? step_reg : step_reg;/
// slow fraction_advances_in_the_last_of_a_burst: s/(last_reg ? {FRACTION_W{1'b0}} : phase_fraction1)/phase_fraction1/
// mutant phase_burst_the_wrong_way: s/phase_begun ? (last_reg ?/phase_begun ? (!last_reg ?/
// mutant phase_ignores_the_burst: s/!rule_due \&\& !last_reg ? phase_step1/!rule_due ? phase_step1/
// slow phase_keeps_the_numerator: s/      numerator_reg               <= phase_numerator;//
// slow offset_ignored: s/if (load)             ahead_reg <= {2'd0, start_offset}/if (load)             ahead_reg <= 0/
// mutant rule_waits_for_a_descriptor: s/start        = due \&\& (prepared_reg || rule_due);/start        = due \&\& prepared_reg;/
// mutant rule_takes_the_descriptor: s/turn = due \&\& prepared_reg \&\& !rule_due;/turn = due \&\& prepared_reg;/
// mutant rule_begins_a_phase: s/phase_begun  = turn \&\& phase_due;/phase_begun  = start \&\& phase_due;/
// slow rule_has_the_gap_of_a_phase: s/phase_due \&\& !rule_due \&\& !last_reg ?/phase_due \&\& !last_reg ?/
// slow rule_has_no_place: s/loading_reg\[0\] || start)/loading_reg[0] || turn)/
// mutant rule_of_a_flow_in_turn: s/flow   = rule_due ? rule_flow : flow_reg/flow   = flow_reg/
// SPDX-License-Identifier: Apache-2.0
// tx_pacer: spacing, rate and punctuality of starts, for any length of each frame, gap, fraction, burst and start offset,
// whenever descriptors come, whatever is held, a phase that begins with any frame, and frames of rules in any place. A narrow word carries and
// borrows as a wide one does, and a solver is done sooner. Time is not skipped here: that is only for simulation.
module tx_pacer_formal #(
  parameter GAP_W = 15,           // the width that the longest frame needs
  parameter FRACTION_W = 6,
  parameter BURST_W = 4
) (
  input clk,
  input rst,
  input load,
  input halt,
  input phase_due,
  input [GAP_W+1:0] phase_step,
  input [GAP_W+1:0] phase_step_plus,
  input [GAP_W+1:0] phase_step1,
  input [GAP_W+1:0] phase_step2,
  input [FRACTION_W-1:0] phase_numerator,
  input [FRACTION_W:0] phase_numerator_m_denominator,
  input [FRACTION_W-1:0] phase_fraction1,
  input [FRACTION_W-1:0] phase_fraction2,
  input rule_due,
  input [7:0] rule_flow,
  input [13:0] rule_octets,
  input [2:0] rule_flags,
  input hold,
  input next_valid,
  input [13:0] next_octets,
  input [7:0] next_flow,
  input [3:0] next_flags
);
  // Any settings; constant, because the pacer latches them at load.
  (* anyconst *) reg [GAP_W-1:0] start_offset, gap_octets, burst_gap_octets;
  (* anyconst *) reg [FRACTION_W-1:0] gap_numerator, gap_denominator;
  (* anyconst *) reg [BURST_W-1:0] burst_frames;
  (* anyconst *) reg only_rules;
  tx_pacer #(.GROUPS(8), .LOAD_CLOCKS(3), .GAP_W(GAP_W), .FRACTION_W(FRACTION_W), .BURST_W(BURST_W)) dut (
    .clk(clk), .rst(rst), .load(load), .halt(halt), .skip_words(32'd0), .start_offset(start_offset),
    .gap_octets(gap_octets), .gap_numerator(gap_numerator), .gap_denominator(gap_denominator),
    .burst_frames(burst_frames), .burst_gap_octets(burst_gap_octets), .only_rules(only_rules),
    .phase_due(phase_due), .phase_step(phase_step), .phase_step_plus(phase_step_plus), .phase_step1(phase_step1),
    .phase_step2(phase_step2), .phase_numerator(phase_numerator),
    .phase_numerator_m_denominator(phase_numerator_m_denominator), .phase_fraction1(phase_fraction1),
    .phase_fraction2(phase_fraction2), .phase_begun(), .rule_due(rule_due), .rule_flow(rule_flow), .rule_octets(rule_octets),
    .rule_flags(rule_flags), .rule_begun(), .hold(hold), .next_valid(next_valid), .next_flow(next_flow),
    .next_octets(next_octets), .next_flags(next_flags), .take(), .start(), .group(), .flow(), .octets(), .flags(),
    .late(), .held(), .waiting(), .loading(), .running(), .ahead_octets());
endmodule
