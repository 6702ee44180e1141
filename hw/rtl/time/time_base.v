// SPDX-License-Identifier: Apache-2.0
// The time of the core: the number of this clock's line word, counted from reset. A time stamp in octet times is this
// number times the octets of a word; it wraps when 64 bits of octet times do (fpgauge_time.vh).
//
// START_HIGH is the high word of the octet time at reset, whose low word is 0: 0 in hardware, anything in a simulation.
// skip_words is for simulation: if it is s, the next clock is 1 + s words later. Tied to 0 it leaves a plain counter.
// It does not know whether anything is on the line: whoever skips has to.
`include "fpgauge_time.vh"
module time_base #(
  parameter GROUPS = 8,
  parameter TIME_W = `FPGAUGE_WORD_TIME_W(GROUPS),
  parameter [31:0] START_HIGH = 32'd0
) (
  input                   clk,
  input                   rst,
  input      [31:0]       skip_words,
  output reg [TIME_W-1:0] word_time
);
  always @(posedge clk)
    if (rst) word_time <= {START_HIGH, {(TIME_W-32){1'b0}}};
    else     word_time <= word_time + {{(TIME_W-32){1'b0}}, skip_words} + 1'b1;
`ifdef FORMAL
`include "time_base_properties.vh"
`endif
endmodule
