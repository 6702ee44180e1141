// SPDX-License-Identifier: Apache-2.0
// Histogram of latencies: 1024 bins of 48 bits in block RAM, frozen by a snapshot.
//
// Bin 0 holds what is below cfg_base; bins 1 to 1022 are 2^cfg_width_log2 octet times wide, from cfg_base on; bin 1023
// holds the rest. Latencies come in groups of 8 octets, and the width is at least one group (3). The configuration must
// stand still while frames come.
//
// Latency: valid in clock t, committed at the end of clock t+5. A clear drops what is on its way.
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
  reg  [4:0]  shift_reg;                        // log2 of groups a bin
  wire [40:0] above = {1'b0, latency_groups} - {1'b0, cfg_base[42:3]};
  wire        unused = &{1'b0, cfg_base[2:0], c_valid};
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

  wire        c_valid;
  wire [47:0] count;
  wire        state;
  snapshot_table #(.ENTRIES_LOG2(10), .COUNT_W(48), .STATE_W(1)) u_table (
    .clk(clk), .rst(rst), .clear(clear), .busy(busy), .snapshot(snapshot),
    .u_valid(valid3_reg), .u_index(bin3_reg),
    .c_valid(c_valid), .c_count(count), .c_state(state), .n_count(count + 48'd1), .n_state(state),
    .r_req(histogram_req), .r_index(histogram_index), .r_ack(histogram_ack), .r_count(histogram_count));
endmodule
