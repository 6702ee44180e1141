// files: mac/gap_histogram.v csr/histogram.v ../formal/snapshot_table_model.v
// see: dut.f_valid = dut.u_histogram.valid
// see: dut.f_bin = dut.u_histogram.bin
// see: dut.f_snapshot = dut.u_histogram.snapshot
// mode: induction depth=5 base=8 cover=10 mutants=12
// size: as in the core; the table is left out, its delays are those proven of histogram
// mutant snapshot_one_early: s/.snapshot(snapshot2_reg)/.snapshot(snapshot1_reg)/
// mutant snapshot_not_delayed: s/.snapshot(snapshot2_reg)/.snapshot(snapshot)/
// mutant gap_not_delayed: s/.valid(gap_reg)/.valid(gap)/
// mutant long_gaps_wrap: s/|gap_octets\[63:10\] ? 10'd1023 : //
// mutant long_gaps_by_40_bits: s/|gap_octets\[63:10\]/|gap_octets[39:10]/
// mutant last_bin_is_1022: s/10'd1023/10'd1022/
// SPDX-License-Identifier: Apache-2.0
// gap_histogram against any gaps and snapshots.
module gap_histogram_formal (
  input        clk,
  input        clear,
  input        snapshot,
  input        gap,
  input [63:0] gap_octets,
  input        histogram_req,
  input [9:0]  histogram_index
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;
  gap_histogram dut (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(), .gap(gap), .gap_octets(gap_octets),
    .histogram_req(histogram_req), .histogram_index(histogram_index), .histogram_ack(), .histogram_count());
endmodule
