// SPDX-License-Identifier: Apache-2.0
// A memory with one write port and one read port, each with its own clock, for block RAM. The read is registered: data
// comes one clock after the address. It does not order accesses: a word may be read only when its write is known to be
// complete, which a pointer or a descriptor that crossed separately has to tell.
module dual_clock_ram #(
  parameter WIDTH = 64,
  parameter DEPTH_LOG2 = 9
) (
  input                       wr_clk,
  input                       wr_en,
  input      [DEPTH_LOG2-1:0] wr_addr,
  input      [WIDTH-1:0]      wr_data,
  input                       rd_clk,
  input                       rd_en,
  input      [DEPTH_LOG2-1:0] rd_addr,
  output reg [WIDTH-1:0]      rd_data
);
  reg [WIDTH-1:0] memory [0:(1<<DEPTH_LOG2)-1];
  always @(posedge wr_clk) if (wr_en) memory[wr_addr] <= wr_data;
  always @(posedge rd_clk) if (rd_en) rd_data <= memory[rd_addr];
`ifdef FORMAL
`include "dual_clock_ram_properties.vh"
`endif
endmodule
