// SPDX-License-Identifier: Apache-2.0
// Makes a reset for the domain of clk from an asynchronous one: asserted at once, even while clk is stopped, and
// released four clocks after its cause, at an edge of clk.
module sync_reset (
  input  clk,
  input  async_rst,   // high: reset
  output rst
);
  (* ASYNC_REG = "TRUE" *) reg [3:0] stage_reg = 4'hF;
  always @(posedge clk or posedge async_rst)
    if (async_rst) stage_reg <= 4'hF;
    else           stage_reg <= {stage_reg[2:0], 1'b0};
  assign rst = stage_reg[3];
endmodule
