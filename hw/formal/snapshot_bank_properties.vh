// SPDX-License-Identifier: Apache-2.0
// What snapshot_bank guarantees, for one slot that the solver picks. Included inside the module, by hw/formal only.
  (* anyconst *) reg [SLOT_W-1:0] f_slot;
  reg        f_taken = 0, f_read = 0;
  reg [63:0] f_frozen, f_expected;
  always @(posedge clk) begin
    if (snapshot) begin
      f_taken  <= 1;
      f_frozen <= live[{f_slot, 6'd0} +: 64];
    end
    f_read     <= f_taken && read && slot == f_slot;
    f_expected <= f_frozen;
  end
  always @* begin
    if (f_read)  assert (value == f_expected);
    if (f_taken) assert (frozen_reg[{f_slot, 6'd0} +: 64] == f_frozen);   // helper for the induction
  end
