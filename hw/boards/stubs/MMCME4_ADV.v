// SPDX-License-Identifier: Apache-2.0
// The pins and parameters in use of the UltraScale+ primitive MMCME4_ADV (AMD UG974), for lint. Empty.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNDRIVEN */
(* blackbox *)
module MMCME4_ADV #(
  parameter real CLKIN1_PERIOD = 0.0,
  parameter integer DIVCLK_DIVIDE = 1,
  parameter real CLKFBOUT_MULT_F = 5.0,
  parameter real CLKOUT0_DIVIDE_F = 1.0
) (
  input  CLKIN1,
  input  CLKIN2,
  input  CLKINSEL,
  input  CLKFBIN,
  input  RST,
  input  PWRDWN,
  output CLKFBOUT,
  output CLKOUT0,
  output LOCKED
);
endmodule
/* verilator lint_on UNUSEDSIGNAL */
/* verilator lint_on UNUSEDPARAM */
/* verilator lint_on UNDRIVEN */
