// SPDX-License-Identifier: Apache-2.0
// The guarantees of snapshot_bank, for one slot that the solver picks. Included inside the module, by hw/formal only.
  (* anyconst *) reg [SLOT_W-1:0] f_slot;
  reg        f_taken = 0, f_read = 0, f_past = 0, f_idle = 0, f_changed = 0;
  reg [63:0] f_frozen, f_expected, f_value;
  always @(posedge clk) begin
    if (snapshot) begin
      f_taken  <= 1;
      f_frozen <= live[{f_slot, 6'd0} +: 64];
    end
    f_read     <= f_taken && read && slot == f_slot;
    f_expected <= f_frozen;
    f_past     <= 1;
    f_idle     <= !read;
    f_value    <= value;
    f_changed  <= f_taken && live[{f_slot, 6'd0} +: 64] != f_frozen && !snapshot;
  end
  always @* begin
    // A read gives the value that the counter had in the clock of the last snapshot.
    read_gives_snapshot: assert (!f_read || value == f_expected);
    // The value stays without a read.
    value_stays: assert (!(f_past && f_idle) || value == f_value);
    // A read is answered with a frozen value while the live counter has another.
    frozen_value_is_read: cover (f_read && f_changed && value != 64'd0);
  end
`ifdef FORMAL_HELPERS
  always @* if (f_taken) assert (frozen_reg[{f_slot, 6'd0} +: 64] == f_frozen);
`endif
