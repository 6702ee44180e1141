// files: tx/tx_pacer.v
// mode: induction depth=1 base=5 cover=9 mutants=9
// slow carry_adds_nothing: s/gap_octets} + 42'd1;/gap_octets};/
// mutant burst_one_short: s/burst_left_reg == 32'd1/burst_left_reg == 32'd2/
// slow carry_never_exact: s/carry = !fraction_over\[32\]/carry = !fraction_over[32] \&\& fraction_over != 0/
// slow fraction_advances_in_burst_gap: s/if (!burst_last)$/if (1)/
// mutant step_one_more: s/begin_step_reg : step_reg);/begin_step_reg : step_reg + 42'd1);/
// mutant start_ends_it: s/|| running_reg) \&\& !halt/|| running_reg) \&\& !halt \&\& !start/
// mutant burst_gap_of_the_next_frame: s/next_octets_wide + burst_step_reg/{28'd0, octets_reg} + burst_step_reg/
// slow prepares_over_a_frame: s/(!prepared_reg || start) \&\& !load/(!prepared_reg || running_reg) \&\& !load/
// mutant stays_prepared: s/(take || prepared_reg \&\& !start)/(take || prepared_reg)/
// mutant starts_unprepared: s/due \&\& prepared_reg;/due \&\& (prepared_reg || next_valid);/
// mutant late_slides_on: s/running_reg \&\& !due)/running_reg)/
// mutant late_more_than_once: s/!prepared_reg \&\& !late_reg;/!prepared_reg;/
// slow phase_keeps_the_old_step: s/phase_due ? begin_step_reg : step_reg/step_reg/
// slow fraction_advances_in_the_last_of_a_burst: s/if (phase_begun) fraction_reg <= last_reg ? 32'd0 : phase_fraction1/if (phase_begun) fraction_reg <= phase_fraction1/
// slow phase_burst_the_wrong_way: s/phase_begun ? (last_reg ? next/phase_begun ? (!last_reg ? next/
// slow phase_ignores_the_burst: s/last_reg ? octets_wide + burst_step_reg : octets_wide + phase_step1/octets_wide + phase_step1/
// slow phase_keeps_the_numerator: s/      numerator_reg               <= phase_numerator;//
// mutant offset_ignored: s/if (load)             ahead_reg <= {2'd0, start_offset}/if (load)             ahead_reg <= 42'd0/
// SPDX-License-Identifier: Apache-2.0
// tx_pacer: spacing, rate and punctuality of starts, for any length of each frame, gap, fraction, burst and start offset,
// whenever descriptors come, and a phase that begins with any frame. Time is not skipped here: that is only for simulation.
module tx_pacer_formal (
  input clk,
  input rst,
  input load,
  input halt,
  input phase_coming,
  input phase_due,
  input [41:0] phase_step,
  input [41:0] phase_step_plus,
  input [41:0] phase_step1,
  input [41:0] phase_step2,
  input [31:0] phase_numerator,
  input [32:0] phase_numerator_m_denominator,
  input [31:0] phase_fraction1,
  input [31:0] phase_fraction2,
  input next_valid,
  input [13:0] next_octets,
  input [7:0] next_flow,
  input [2:0] next_flags
);
  // Any settings; constant, because the pacer latches them at load.
  (* anyconst *) reg [39:0] start_offset, gap_octets, burst_gap_octets;
  (* anyconst *) reg [31:0] gap_numerator, gap_denominator, burst_frames;
  tx_pacer #(.GROUPS(8), .LOAD_CLOCKS(3)) dut (
    .clk(clk), .rst(rst), .load(load), .halt(halt), .skip_words(32'd0), .start_offset(start_offset),
    .gap_octets(gap_octets), .gap_numerator(gap_numerator), .gap_denominator(gap_denominator),
    .burst_frames(burst_frames), .burst_gap_octets(burst_gap_octets), .phase_coming(phase_coming),
    .phase_due(phase_due), .phase_step(phase_step), .phase_step_plus(phase_step_plus), .phase_step1(phase_step1),
    .phase_step2(phase_step2), .phase_numerator(phase_numerator),
    .phase_numerator_m_denominator(phase_numerator_m_denominator), .phase_fraction1(phase_fraction1),
    .phase_fraction2(phase_fraction2), .phase_begun(), .next_valid(next_valid), .next_flow(next_flow),
    .next_octets(next_octets), .next_flags(next_flags), .take(), .start(), .group(), .flow(), .octets(), .flags(),
    .late(), .loading(), .running(), .ahead_octets());
endmodule
