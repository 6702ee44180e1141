// SPDX-License-Identifier: Apache-2.0
// Table of the streams that are expected at this port: one bit a stream, written in words of 32.
// 
// Bit s mod 32 of word s / 32 is stream s. Nothing is expected when the device is loaded; neither reset nor clear
// changes that. Words of streams that this build does not have are ignored.
// Latency of a look-up: `look` and `stream` in clock t, `expected` in clock t+1. A write in clock t counts for look-ups
// of clock t+1 and later, not for that of clock t.
module rx_expected #(
  parameter PORTS = 2
) (
  input         clk,
  input         we,
  input  [6:0]  word,
  input  [31:0] data,
  input         look,
  input  [11:0] stream,                         // is below PORTS x 256, or the answer does not matter
  output        expected
);
  localparam WORD_W = 3 + $clog2(PORTS);

  reg [31:0] ram [0:(1<<WORD_W)-1];
  reg [31:0] word_reg;
  reg [4:0]  bit_reg;
  integer    i;
  initial for (i = 0; i < 1 << WORD_W; i = i + 1) ram[i] = 32'd0;

  wire there;
  generate
    if (WORD_W == 7) begin : g_all
      assign there = 1'b1;
    end else begin : g_some
      wire unused = &{1'b0, stream[11:WORD_W+5]};
      assign there = ~|word[6:WORD_W];
    end
  endgenerate

  /* verilator lint_off BLKSEQ */            // the write comes after the read, which does not see it
  always @(posedge clk) begin
    if (look) begin
      word_reg <= ram[stream[WORD_W+4:5]];
      bit_reg  <= stream[4:0];
    end
    if (we && there) ram[word[WORD_W-1:0]] = data;
  end
  /* verilator lint_on BLKSEQ */
  assign expected = word_reg[bit_reg];

`ifdef FORMAL
`include "rx_expected_properties.vh"
`endif
endmodule
