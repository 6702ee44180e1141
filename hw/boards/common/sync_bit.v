// SPDX-License-Identifier: Apache-2.0
// Brings one level from another clock domain to clk: two registers, kept together by ASYNC_REG. The level must come
// directly from a register of its own domain and last long enough to be seen. Not for buses. Latency: 2 to 3 clocks.
module sync_bit (
  input  clk,
  input  d,        // comes from another clock domain
  output q
);
  (* ASYNC_REG = "TRUE" *) reg sync_first_reg = 1'b0;
  (* ASYNC_REG = "TRUE" *) reg sync_second_reg = 1'b0;
  always @(posedge clk) begin
    sync_first_reg  <= d;
    sync_second_reg <= sync_first_reg;
  end
  assign q = sync_second_reg;
`ifdef FORMAL
`include "sync_bit_properties.vh"
`endif
endmodule
