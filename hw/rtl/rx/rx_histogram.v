// SPDX-License-Identifier: Apache-2.0
// Two histograms of latencies, linear and by octaves: each 1024 bins of 48 bits in block RAM, frozen by a snapshot.
//
// Linear: bin 0 holds what is below cfg_base; bins 1 to 1022 are 2^cfg_width_log2 octet times wide, from cfg_base on;
// bin 1023 holds the rest. Latencies come in groups of 8 octets, and the width is at least one group (3). The
// configuration must not change while frames come.
// Log bins: a latency of v groups below 32 is in bin v; from there on each power of two has 32 bins. If s is the number of
// bits by which v must be shifted to fit into 6 bits, it is in bin s x 32 + (v >> s). Bin 1023 also holds all from 2^36
// groups on, for which there are no bins.
// Both see every latency in the same clock, so their sums are equal in any snapshot.
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
  output [47:0] histogram_count,
  input         octave_req,
  input  [9:0]  octave_index,
  output        octave_ack,
  output [47:0] octave_count
);
  localparam [39:0] REGULAR_BINS = 40'd1022;
  localparam [4:0]  GROUP_LOG2   = 5'd3;

  reg         valid1_reg, valid2_reg, valid3_reg;
  reg         below1_reg, below2_reg;
  reg  [39:0] above1_reg, above2_reg;           // distance beyond the base: in groups, then in bins
  reg  [9:0]  bin3_reg;
  reg  [4:0]  shift_reg;                        // log2 of groups per bin
  wire        unused = &{1'b0, cfg_base[2:0]};

  // Log bins: the latency is shifted by 16 if 6 bits are left after that, then by 8, and so on; two or three steps in a clock.
  reg         over1_reg, over2_reg;             // 2^36 or more
  reg  [35:0] octave1_reg;
  reg  [14:0] octave2_reg;                      // {by 16, by 8, the rest}
  reg  [9:0]  octave_bin3_reg;

  // One block, the last clock first, which a simulator passes by where no frame is. Its variables are what is left after a
  // shift, by the number of shifts still to come.
  reg  [20:0] rest8;
  reg  [8:0]  rest4;
  reg  [6:0]  rest2;
  reg  [5:0]  rest1;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk)
    if (valid || valid1_reg || valid2_reg || valid3_reg || rst) begin
      valid3_reg <= valid2_reg && !clear && !rst;
      if (valid2_reg) begin
        bin3_reg <= below2_reg ? 10'd0 : above2_reg >= REGULAR_BINS ? 10'd1023 : above2_reg[9:0] + 10'd1;
        rest4 = |octave2_reg[12:9] ? octave2_reg[12:4] : octave2_reg[8:0];
        rest2 = |rest4[8:7] ? rest4[8:2] : rest4[6:0];
        rest1 = rest2[6] ? rest2[6:1] : rest2[5:0];
        octave_bin3_reg <= over2_reg ? 10'd1023
                                     : {octave2_reg[14:13], |octave2_reg[12:9], |rest4[8:7], rest2[6], 5'd0} + {4'd0, rest1};
      end
      valid2_reg <= valid1_reg && !clear && !rst;
      if (valid1_reg) begin
        below2_reg <= below1_reg;
        above2_reg <= above1_reg >> shift_reg;
        rest8 = |octave1_reg[35:21] ? {1'b0, octave1_reg[35:16]} : octave1_reg[20:0];
        over2_reg   <= over1_reg;
        octave2_reg <= {|octave1_reg[35:21], |rest8[20:13], |rest8[20:13] ? rest8[20:8] : rest8[12:0]};
      end
      valid1_reg <= valid && !clear && !rst;
      if (valid) begin
        shift_reg   <= cfg_width_log2 < GROUP_LOG2 ? 5'd0 : cfg_width_log2 - GROUP_LOG2;
        {below1_reg, above1_reg} <= {1'b0, latency_groups} - {1'b0, cfg_base[42:3]};
        over1_reg   <= |latency_groups[39:36];
        octave1_reg <= latency_groups[35:0];
      end
    end
  /* verilator lint_on BLKSEQ */

  wire linear_busy, octave_busy;
  assign busy = linear_busy || octave_busy;
  histogram u_linear (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(linear_busy), .valid(valid3_reg), .bin(bin3_reg),
    .req(histogram_req), .index(histogram_index), .ack(histogram_ack), .count(histogram_count));
  histogram u_octave (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(octave_busy), .valid(valid3_reg),
    .bin(octave_bin3_reg), .req(octave_req), .index(octave_index), .ack(octave_ack), .count(octave_count));
endmodule
