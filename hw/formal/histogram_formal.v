// files: csr/histogram.v csr/snapshot_table.v
// with: snapshot_table
// see: dut.f_bin = dut.u_table.f_entry
// see: dut.f_live = dut.u_table.f_live
// see: dut.f_frozen = dut.u_table.f_frozen
// see: dut.f_free = dut.u_table.f_free
// mode: induction depth=4 base=8 cover=16 mutants=14
// deep: base=14 mutants=20
// size: 4 bins, counts of 4 bits
// mutant counts_two: s/{{(COUNT_W-1){1'b0}}, 1'b1}/{{(COUNT_W-2){1'b0}}, 2'b10}/
// mutant counts_nothing: s/now + {{(COUNT_W-1){1'b0}}, 1'b1}/now/
// mutant counts_the_bin_that_is_read: s/.u_index(bin)/.u_index(index)/
// mutant counts_without_valid: s/.u_valid(valid)/.u_valid(1'b1)/
// mutant reads_the_bin_that_is_counted: s/.r_index(index)/.r_index(bin)/
// SPDX-License-Identifier: Apache-2.0
// histogram with small parameters, for one bin that the solver picks.
module histogram_formal (
  input       clk,
  input       clear,
  input       snapshot,
  input       valid,
  input [1:0] bin,
  input       req,
  input [1:0] index
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;
  histogram #(.BINS_LOG2(2), .COUNT_W(4)) dut (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(), .valid(valid), .bin(bin), .req(req),
    .index(index), .ack(), .count());
endmodule
