// SPDX-License-Identifier: Apache-2.0
// The pins of the primitive BUFG (AMD UG974), for lint. Empty.
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNDRIVEN */
(* blackbox *)
module BUFG (
  input  I,
  output O
);
endmodule
/* verilator lint_on UNUSEDSIGNAL */
/* verilator lint_on UNDRIVEN */
