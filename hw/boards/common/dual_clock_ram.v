// SPDX-License-Identifier: Apache-2.0
// A memory with one port to write and one to read, each with its own clock, for block RAM. The read is registered: data
// one clock after the address. It orders nothing: a word must be read only when its write is known to be over, which a
// pointer or a descriptor that has crossed by another way has to say.
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
endmodule
