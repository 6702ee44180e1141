// SPDX-License-Identifier: Apache-2.0
// Octets that came early, and octets that join them: merge() and keep() of sim/tcp/receive.c, all four ranges at once. Ranges are
// apart, so at most one reaches below what joins them and at most one beyond it.
//
// With `match`, [first, last) is compared with the ranges. In the next clock, with the same inputs, `left` are the ranges that it
// does not touch, merged_end is where it ends with those that it does; kept_* are the ranges with the result in the lowest
// free one of the four, free_one (none if it is 0).
module tcp_ranges (
  input              clk,
  input              match,
  input      [31:0]  first,
  input      [31:0]  last,
  input      [3:0]   used,
  input      [127:0] range_begin,
  input      [127:0] range_end,
  output reg [31:0]  merged_end,
  output     [3:0]   left,
  output     [3:0]   free_one,
  output reg [127:0] kept_begin,
  output reg [127:0] kept_end
);
  `include "tcp_arithmetic.vh"
  reg [3:0]  touch, low, high, touch_reg, low_reg, high_reg;
  reg [31:0] merged_begin;
  integer    i;
  assign left = used & ~touch_reg;
  assign free_one = ~left & (left + 4'd1);      // the lowest that is free
  always @* begin
    merged_begin = first;
    merged_end   = last;
    kept_begin   = range_begin;
    kept_end     = range_end;
    for (i = 0; i < 4; i = i + 1) begin
      touch[i] = used[i] && !precedes(last, range_begin[32*i +: 32]) && !precedes(range_end[32*i +: 32], first);
      low[i]   = touch[i] && precedes(range_begin[32*i +: 32], first);
      high[i]  = touch[i] && precedes(last, range_end[32*i +: 32]);
      if (low_reg[i]) merged_begin = range_begin[32*i +: 32];
      if (high_reg[i]) merged_end  = range_end[32*i +: 32];
    end
    for (i = 0; i < 4; i = i + 1) if (free_one[i]) begin
      kept_begin[32*i +: 32] = merged_begin;
      kept_end[32*i +: 32]   = merged_end;
    end
  end
  always @(posedge clk) if (match) {touch_reg, low_reg, high_reg} <= {touch, low, high};
`ifdef FORMAL
`include "tcp_ranges_properties.vh"
`endif
endmodule
