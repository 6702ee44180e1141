// SPDX-License-Identifier: Apache-2.0
// Latency statistics of received test frames: count, smallest, largest, total. Groups of 8 octets in, octet times out.
//
// Every latency counts, even zero; the total has 80 bits (2^37 frames of the largest latency).
// Latency: the values change at the end of the clock with `valid`.
module rx_latency (
  input             clk,
  input             rst,
  input             clear,
  input             valid,
  input      [39:0] latency_groups,
  output reg [63:0] frames,
  output     [63:0] min_octets,                 // all ones if there is none
  output     [63:0] max_octets,
  output     [63:0] sum_octets,                 // low 64 bits
  output     [63:0] sum_high_octets
);
  reg [39:0] min_reg, max_reg;
  reg [60:0] sum_reg;
  reg [15:0] sum_high_reg;
  reg [61:0] sum_next;
  assign min_octets      = frames == 64'd0 ? {64{1'b1}} : {21'd0, min_reg, 3'd0};
  assign max_octets      = {21'd0, max_reg, 3'd0};
  assign sum_octets      = {sum_reg, 3'd0};
  assign sum_high_octets = {48'd0, sum_high_reg};

  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (valid) begin
      sum_next = {1'b0, sum_reg} + {22'd0, latency_groups};
      frames       <= frames + 64'd1;
      if (latency_groups < min_reg) min_reg <= latency_groups;
      if (latency_groups > max_reg) max_reg <= latency_groups;
      sum_high_reg <= sum_high_reg + {15'd0, sum_next[61]};
      sum_reg      <= sum_next[60:0];
    end
    if (rst || clear) begin
      frames       <= 64'd0;
      min_reg      <= {40{1'b1}};
      max_reg      <= 40'd0;
      sum_reg      <= 61'd0;
      sum_high_reg <= 16'd0;
    end
  end
  /* verilator lint_on BLKSEQ */
endmodule
