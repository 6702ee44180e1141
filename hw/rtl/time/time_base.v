// SPDX-License-Identifier: Apache-2.0
// The time of the core: the number of this clock's line word, counted from reset. 48 bits last 16.6 days at 195.3125
// MHz; a time stamp in octet times is this number times the octets of a word.
//
// skip_words is for simulation: if it is s, the next clock is 1 + s words later. Tied to 0 it leaves a plain counter.
// It does not know whether anything is on the line: whoever skips has to.
module time_base (
  input             clk,
  input             rst,
  input      [31:0] skip_words,
  output reg [47:0] word_time
);
  always @(posedge clk)
    if (rst) word_time <= 48'd0;
    else     word_time <= word_time + {16'd0, skip_words} + 48'd1;
endmodule
