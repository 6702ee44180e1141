// SPDX-License-Identifier: Apache-2.0
// Histogram of latencies: 1024 bins of 48 bits in block RAM, frozen by a snapshot.
//
// Bin 0 holds what is below cfg_base; bins 1 to 1022 are 2^cfg_width_log2 octet times wide, from cfg_base on; bin 1023
// holds the rest. Latencies come in groups of 8 octets, and the width is at least one group (3). The configuration must
// not change while frames come.
//
// Latency: valid in clock t, committed at the end of clock t+5. A clear drops what is in the pipe.
module rx_histogram (
  input         clk,
  input         rst,
  input         clear,
  input         snapshot,
  output        busy,
  input  [42:0] cfg_base,
  input  [4:0]  cfg_width_log2,
  input         valid,                          // not while clear or busy
  input  [39:0] latency_groups,
  input         histogram_req,
  input  [9:0]  histogram_index,
  output        histogram_ack,
  output [47:0] histogram_count
);
  localparam [39:0] REGULAR_BINS = 40'd1022;
  localparam [4:0]  GROUP_LOG2   = 5'd3;

  reg         valid1_reg, valid2_reg, valid3_reg;
  reg         below1_reg, below2_reg;
  reg  [39:0] above1_reg, above2_reg;           // beyond the base: in groups, then in bins
  reg  [9:0]  bin3_reg;
  reg  [4:0]  shift_reg;                        // log2 of groups per bin
  wire [40:0] above = {1'b0, latency_groups} - {1'b0, cfg_base[42:3]};
  wire        unused = &{1'b0, cfg_base[2:0]};
  always @(posedge clk) begin
    shift_reg  <= cfg_width_log2 < GROUP_LOG2 ? 5'd0 : cfg_width_log2 - GROUP_LOG2;
    valid1_reg <= valid && !clear && !rst;
    valid2_reg <= valid1_reg && !clear && !rst;
    valid3_reg <= valid2_reg && !clear && !rst;
    if (valid) {below1_reg, above1_reg} <= above;
    if (valid1_reg) begin
      below2_reg <= below1_reg;
      above2_reg <= above1_reg >> shift_reg;
    end
    if (valid2_reg)
      bin3_reg <= below2_reg ? 10'd0 : above2_reg >= REGULAR_BINS ? 10'd1023 : above2_reg[9:0] + 10'd1;
  end

  histogram u_histogram (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(busy), .valid(valid3_reg), .bin(bin3_reg),
    .req(histogram_req), .index(histogram_index), .ack(histogram_ack), .count(histogram_count));
endmodule
