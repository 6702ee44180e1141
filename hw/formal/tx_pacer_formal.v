// files: tx/tx_pacer.v
// mode: induction depth=1 base=5
// mutant: s/{2'd0, gap_octets} + 42'd1;/{2'd0, gap_octets};/
// mutant: s/burst_left_reg == 32'd1/burst_left_reg == 32'd2/
// mutant: s/carry = !fraction_over\[32\]/carry = !fraction_over[32] \&\& fraction_over != 0/
// mutant: s/if (!burst_last)$/if (1)/
// mutant: s/ahead_reg + (start ? step_reg/ahead_reg + (start ? step_reg + 42'd1/
// mutant: s/(load1_reg || running_reg) && !halt/(load1_reg || running_reg) \&\& !halt \&\& !start/
// SPDX-License-Identifier: Apache-2.0
// tx_pacer: spacing, rate and punctuality of starts, for any frame length, gap, fraction and burst. The proven
// properties are in tx_pacer_properties.vh. Time is not skipped here: that is only for simulation.
module tx_pacer_formal (
  input clk,
  input rst,
  input load,
  input halt
);
  // Any settings; constant, because the pacer latches them at load.
  (* anyconst *) reg [13:0] frame_octets;
  (* anyconst *) reg [39:0] gap_octets, burst_gap_octets;
  (* anyconst *) reg [31:0] gap_numerator, gap_denominator, burst_frames;
  tx_pacer #(.GROUPS(8)) dut (
    .clk(clk), .rst(rst), .load(load), .halt(halt), .skip_words(32'd0), .frame_octets(frame_octets),
    .gap_octets(gap_octets), .gap_numerator(gap_numerator), .gap_denominator(gap_denominator),
    .burst_frames(burst_frames), .burst_gap_octets(burst_gap_octets), .start(), .group(), .running(),
    .ahead_octets());
endmodule
