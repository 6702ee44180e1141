// SPDX-License-Identifier: Apache-2.0
// Histogram of the gaps that line_count measures: bin i counts gaps of exactly i octets, bin 1023 those of 1023 and more.
//
// A gap comes in clock t and is committed at the end of clock t+3, two clocks after line_count has counted it. The
// snapshot waits those two clocks, so that what it freezes sums up to the gaps that are frozen with it; no access of the
// register bus is near enough to see that.
module gap_histogram (
  input         clk,
  input         rst,
  input         clear,
  input         snapshot,
  output        busy,
  input         gap,                            // not while clear or busy
  input  [53:0] gap_octets,
  input         histogram_req,
  input  [9:0]  histogram_index,
  output        histogram_ack,
  output [47:0] histogram_count
);
  reg       gap_reg, snapshot1_reg, snapshot2_reg;
  reg [9:0] bin_reg;
  always @(posedge clk) begin
    gap_reg       <= gap && !clear && !rst;
    snapshot1_reg <= snapshot && !rst;
    snapshot2_reg <= snapshot1_reg && !rst;
    if (gap) bin_reg <= |gap_octets[53:10] ? 10'd1023 : gap_octets[9:0];
  end

  histogram u_histogram (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot2_reg), .busy(busy), .valid(gap_reg), .bin(bin_reg),
    .req(histogram_req), .index(histogram_index), .ack(histogram_ack), .count(histogram_count));
endmodule
