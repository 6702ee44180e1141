// files: csr/snapshot_table.v
// mode: induction depth=2 base=14 cover=14 mutants=16
// deep: base=24 mutants=24
// size: 4 entries, counts of 3 bits, epochs of 3 bits
// mutant no_forwarding_from_commit: s/if (of_commit1_reg)/if (1'b0)/
// mutant no_forwarding_from_last_commit: s/else if (of_written1_reg)/else if (1'b0)/
// mutant snapshot_forgotten_while_read: s/marked3_reg <= marked2_reg \&\& !snapshot/marked3_reg <= marked2_reg/
// mutant second_snapshot_freezes_nothing: s/if (!marked2_reg || snapshot) frozen_ram/if (!marked2_reg) frozen_ram/
// mutant written_then_snapshot_stays_marked: s/marked2_reg <= !snapshot;/marked2_reg <= 1'b1;/
// mutant fetched_then_snapshot_stays_marked: s/== epoch_reg \&\& !snapshot/== epoch_reg/
// mutant commit_marks_old_epoch: s/n_count, epoch_reg + {{(EPOCH_W-1){1'b0}}, snapshot}}/n_count, epoch_reg}/
// mutant sweep_keeps_update: s/      update2_reg <= 1'b0;//
// mutant read_before_the_last_is_done: s/\&\& !(|read_reg)}/\&\& !(|read_reg[2:1])}/
// mutant read_takes_no_slot: s/!u_valid \&\& !(|read_reg)/!(|read_reg)/
// mutant sweep_keeps_read: s/      read_reg    <= 3'b000;//
// mutant sweep_skips_first_entry: s/sweep_index_reg <= {ENTRIES_LOG2{1'b0}}/sweep_index_reg <= 1/
// mutant sweep_never_ends: s/sweep_reg       <= !(&sweep_index_reg)/sweep_reg <= 1'b1/
// mutant clear_ignored: s/if (rst || clear) begin/if (rst) begin/
// mutant early_before_the_commit: s/assign early = of_commit1_reg  ?/assign early = 1'b0 ?/
// mutant early_before_the_last_commit: s/: of_written1_reg ? written/: 1'b0 ? written/
// mutant compared_with_the_entry_before: s/commit \&\& take_index == index2_reg/commit \&\& index1_reg == index2_reg/
// mutant read_never_answered: s/if (r_req) read_reg <=/if (1'b0) read_reg <=/
// SPDX-License-Identifier: Apache-2.0
// snapshot_table with small parameters against any updates, snapshots, reads and clears. The proven properties are in
// snapshot_table_properties.vh, which the module includes so that helper invariants can see its registers.
module snapshot_table_formal (
  input       clk,
  input       clear,
  input       snapshot,
  input       u_valid,
  input [1:0] u_index,
  input [2:0] n_count,
  input       n_state,
  input       r_req,
  input [1:0] r_index
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;
  snapshot_table #(.ENTRIES_LOG2(2), .COUNT_W(3), .STATE_W(1), .EPOCH_W(3), .EARLY_LSB(1), .EARLY_W(2)) dut (
    .clk(clk), .rst(rst), .clear(clear), .busy(), .snapshot(snapshot), .u_valid(u_valid), .u_index(u_index),
    .early(), .c_valid(), .c_count(), .c_state(), .n_count(n_count), .n_state(n_state), .r_req(r_req), .r_index(r_index),
    .r_ack(), .r_count());
endmodule
