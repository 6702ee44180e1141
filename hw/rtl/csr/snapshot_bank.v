// SPDX-License-Identifier: Apache-2.0
// Freezes SLOTS live 64-bit counters at one instant: `snapshot` in clock t copies the values of clock t.
//
// Read: `read` and slot in clock t give value in clock t+1. It does not check that slot is below SLOTS, and it does not
// clear: the live counters do that, and frozen values stay until the next snapshot.
module snapshot_bank #(
  parameter SLOTS = 8,
  parameter SLOT_W = $clog2(SLOTS)
) (
  input                clk,
  input                snapshot,
  input [64*SLOTS-1:0] live,        // slot i at bits [64*i +: 64]
  input                read,
  input [SLOT_W-1:0]   slot,
  output reg [63:0]    value
);
  reg [64*SLOTS-1:0] frozen_reg;
  always @(posedge clk)
    if (snapshot) frozen_reg <= live;

  always @(posedge clk)
    if (read) value <= frozen_reg[{slot, 6'd0} +: 64];
`ifdef FORMAL
`include "snapshot_bank_properties.vh"
`endif
endmodule
