// SPDX-License-Identifier: Apache-2.0
// Histogram of the gaps that line_count measures: bin i counts gaps of exactly i octets, bin 1023 those of 1023 or
// more.
//
// A gap comes in clock t and is committed at the end of clock t+3, two clocks after line_count has counted it. The
// snapshot is delayed by those two clocks, so that the frozen bins add up to the gap count frozen with them; no access
// on the register bus is close enough to notice.
module gap_histogram (
  input         clk,
  input         rst,
  input         clear,
  input         snapshot,
  output        busy,
  input         gap,                            // not while clear or busy
  input  [63:0] gap_octets,
  input         histogram_req,
  input  [9:0]  histogram_index,
  output        histogram_ack,
  output [47:0] histogram_count
);
  reg       gap_reg, snapshot1_reg, snapshot2_reg;
  reg [9:0] bin_reg;
  always @(posedge clk) begin
    gap_reg       <= gap;                       // the table takes none during clear
    snapshot1_reg <= snapshot;
    snapshot2_reg <= snapshot1_reg;
    if (gap) bin_reg <= |gap_octets[63:10] ? 10'd1023 : gap_octets[9:0];
  end

  histogram u_histogram (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot2_reg), .busy(busy), .valid(gap_reg), .bin(bin_reg),
    .req(histogram_req), .index(histogram_index), .ack(histogram_ack), .count(histogram_count));
`ifdef FORMAL
`include "gap_histogram_properties.vh"
`endif
endmodule
