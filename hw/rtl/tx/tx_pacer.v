// SPDX-License-Identifier: Apache-2.0
// Decides in which group of which word a frame begins, so that the long-term rate is exact.
//
// The ideal start of a frame is the ideal start of the one before plus frame + preamble + gap octets, the gap being a
// whole number and a fraction. A frame begins at its ideal start rounded down to a group of 8 octets. That is the
// deficit idle count of IEEE 802.3 81.3.1.4: a gap differs from the average by less than 8 octets, the average does not.
// No drift: the fraction is summed up as an integer remainder (Bresenham).
//
// It does not know why a frame may begin (`able`), nor what is in it. Combinational from its registers to `begins`.
module tx_pacer #(
  parameter GROUPS  = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input                clk,
  input                rst,
  input                origin,        // strobe: the ideal start of the next frame is octet 0 of the next word
  input                able,          // a frame may begin in this word
  input  [31:0]        skip_words,    // simulation only: this clock stands for 1 + skip_words words
  input  [40:0]        period_octets, // to the next frame: frame + 8 + whole octets of the gap; at least 8 x GROUPS + 1
  input                fraction,      // the gap to the next frame has the fractional part too
  input  [31:0]        numerator,     // < denominator
  input  [31:0]        denominator,
  output               begins,
  output [GROUP_W-1:0] group,
  output               due,           // the ideal start lies in this word
  output [41:0]        next_octets    // from octet 0 of this word to the ideal start of the next frame, rounded down
);
  localparam WORD_LOG2 = $clog2(8*GROUPS);
  localparam [41:0] WORD_OCTETS = 42'd8 * GROUPS;

  reg [41:0] next_reg;
  assign next_octets = next_reg;
  assign due    = ~|next_reg[41:WORD_LOG2];
  assign begins = able && due;
  generate
    if (GROUPS == 1) assign group = 1'b0;
    else             assign group = next_reg[WORD_LOG2-1:3];
  endgenerate

  // The remainder after the next period and whether it carries an octet are known one frame ahead, so that frames may
  // begin in neighbouring clocks with one adder in the loop.
  reg  [31:0] remainder_reg;
  reg         carry_reg;
  wire [32:0] sum       = {1'b0, remainder_reg} + {1'b0, numerator};
  wire        sum_whole = sum >= {1'b0, denominator};
  wire [32:0] sum_rest  = sum - {1'b0, denominator};
  wire unused = sum_rest[32];
  always @(posedge clk)
    if (rst || origin) begin
      remainder_reg <= numerator;   // after one period; it carries nothing, being below the denominator
      carry_reg     <= 1'b0;
    end else if (begins && fraction) begin
      remainder_reg <= sum_whole ? sum_rest[31:0] : sum[31:0];
      carry_reg     <= sum_whole;
    end

  wire [41:0] step = {1'b0, period_octets} - WORD_OCTETS;
  always @(posedge clk)
    if (rst || origin) next_reg <= 42'd0;
    else if (begins)   next_reg <= next_reg + step + {41'd0, carry_reg && fraction};
    else if (due)      next_reg <= 42'd0;   // not able: wait at the head of the next word
    else               next_reg <= next_reg - WORD_OCTETS - ({10'd0, skip_words} << WORD_LOG2);
endmodule
