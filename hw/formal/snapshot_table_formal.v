// files: csr/snapshot_table.v
// mode: induction depth=2 base=14
// mutant: s/if (commit \&\& index2_reg == index1_reg)/if (1'b0)/
// mutant: s/else if (written_reg \&\& written_index_reg == index1_reg)/else if (1'b0)/
// mutant: s/marked3_reg <= marked2_reg \&\& !snapshot/marked3_reg <= marked2_reg/
// mutant: s/if (!marked2_reg || snapshot) frozen_ram/if (!marked2_reg) frozen_ram/
// mutant: s/marked2_reg <= !snapshot;/marked2_reg <= 1'b1;/
// mutant: s/== epoch_reg \&\& !snapshot/== epoch_reg/
// mutant: s/n_count, epoch_reg + {{(EPOCH_W-1){1'b0}}, snapshot}}/n_count, epoch_reg}/
// mutant: s/      update2_reg <= 1'b0;//
// mutant: s/\&\& !(|read_reg)}/\&\& !(|read_reg[2:1])}/
// mutant: s/!u_valid \&\& !(|read_reg)/!(|read_reg)/
// mutant: s/      read_reg    <= 3'b000;//
// mutant: s/sweep_index_reg <= {ENTRIES_LOG2{1'b0}}/sweep_index_reg <= 1/
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
  snapshot_table #(.ENTRIES_LOG2(2), .COUNT_W(3), .STATE_W(1), .EPOCH_W(3)) dut (
    .clk(clk), .rst(rst), .clear(clear), .busy(), .snapshot(snapshot), .u_valid(u_valid), .u_index(u_index),
    .c_valid(), .c_count(), .c_state(), .n_count(n_count), .n_state(n_state), .r_req(r_req), .r_index(r_index),
    .r_ack(), .r_count());
endmodule
