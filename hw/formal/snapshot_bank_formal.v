// files: csr/snapshot_bank.v
// mode: induction depth=2 base=6 cover=6 mutants=6
// size: 4 slots
// mutant frozen_without_snapshot: s/if (snapshot) frozen_reg <= live/frozen_reg <= live/
// mutant slot_ignored: s/{slot, 6'd0}/{2'd1, 6'd0}/
// mutant value_without_read: s/if (read) value/if (!read) value/
// mutant value_not_held: s/if (read) value/value/
// mutant snapshot_of_half: s/frozen_reg <= live;/frozen_reg <= {frozen_reg[64*SLOTS-1:64], live[63:0]};/
// SPDX-License-Identifier: Apache-2.0
// snapshot_bank: a read gives the value of the live counter in the clock of the last snapshot, for a slot that the
// solver picks, whatever the counters do afterwards. The proven properties are in snapshot_bank_properties.vh.
module snapshot_bank_formal (
  input         clk,
  input         snapshot,
  input [255:0] live,
  input         read,
  input [1:0]   slot
);
  snapshot_bank #(.SLOTS(4)) dut (
    .clk(clk), .snapshot(snapshot), .live(live), .read(read), .slot(slot), .value());
endmodule
