// SPDX-License-Identifier: Apache-2.0
// The clock buffer BUFG (AMD UG974) for simulation.
module BUFG (
  input  I,
  output O
);
  assign O = I;
endmodule
