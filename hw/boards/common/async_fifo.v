// SPDX-License-Identifier: Apache-2.0
// A FIFO between two clocks: 2^DEPTH_LOG2 entries, plus one in the output register. Each side keeps a binary pointer
// and passes its Gray code, of which only one bit changes at a time, to the other side through two registers. What a
// side sees of the other is therefore old but never wrong: the writer may see the FIFO fuller than it is, the reader
// emptier.
//
// Both resets must have been high at the same time once; a side must not be reset alone. wr_data is taken in a clock
// with wr_valid and wr_ready; rd_data is there before rd_ready (first word falls through). Latency: an entry reaches
// rd_data 3 to 4 reader clocks after its write. Proven: hw/formal/async_fifo_formal.v.
module async_fifo #(
  parameter WIDTH = 32,
  parameter DEPTH_LOG2 = 4
) (
  input                  wr_clk,
  input                  wr_rst,
  input                  wr_valid,
  output                 wr_ready,
  input      [WIDTH-1:0] wr_data,
  input                  rd_clk,
  input                  rd_rst,
  output reg             rd_valid,
  input                  rd_ready,
  output     [WIDTH-1:0] rd_data
);
  localparam POINTER_W = DEPTH_LOG2 + 1;        // one bit more than an address: full and empty differ
  localparam [POINTER_W-1:0] ONE = 1;
  localparam [POINTER_W-1:0] FULL = 3 << (DEPTH_LOG2 - 1);   // Gray codes that are DEPTH apart differ in the top two bits

  localparam [POINTER_W-1:0] NONE = 0;

  reg [POINTER_W-1:0] wr_pointer_reg = NONE, wr_gray_reg = NONE, rd_pointer_reg = NONE, rd_gray_reg = NONE;
  (* ASYNC_REG = "TRUE" *) reg [POINTER_W-1:0] wr_gray_first_reg = NONE, wr_gray_second_reg = NONE;   // synchronous to rd_clk
  (* ASYNC_REG = "TRUE" *) reg [POINTER_W-1:0] rd_gray_first_reg = NONE, rd_gray_second_reg = NONE;   // synchronous to wr_clk

  // ---------------------------------------------------------------- writer
  wire                 write = wr_valid && wr_ready;
  wire [POINTER_W-1:0] wr_pointer_next = wr_pointer_reg + ONE;
  assign wr_ready = wr_gray_reg != (rd_gray_second_reg ^ FULL);
  always @(posedge wr_clk) begin
    rd_gray_first_reg  <= rd_gray_reg;
    rd_gray_second_reg <= rd_gray_first_reg;
    if (write) begin
      wr_pointer_reg <= wr_pointer_next;
      wr_gray_reg    <= wr_pointer_next ^ (wr_pointer_next >> 1);
    end
    if (wr_rst) begin
      wr_pointer_reg     <= NONE;
      wr_gray_reg        <= NONE;
      rd_gray_first_reg  <= NONE;
      rd_gray_second_reg <= NONE;
    end
  end

  // ---------------------------------------------------------------- reader
  wire                 fetch = rd_gray_reg != wr_gray_second_reg && (!rd_valid || rd_ready);
  wire [POINTER_W-1:0] rd_pointer_next = rd_pointer_reg + ONE;
  always @(posedge rd_clk) begin
    wr_gray_first_reg  <= wr_gray_reg;
    wr_gray_second_reg <= wr_gray_first_reg;
    if (fetch) begin
      rd_pointer_reg <= rd_pointer_next;
      rd_gray_reg    <= rd_pointer_next ^ (rd_pointer_next >> 1);
    end
    if (fetch)         rd_valid <= 1'b1;
    else if (rd_ready) rd_valid <= 1'b0;
    if (rd_rst) begin
      rd_pointer_reg     <= NONE;
      rd_gray_reg        <= NONE;
      wr_gray_first_reg  <= NONE;
      wr_gray_second_reg <= NONE;
      rd_valid           <= 1'b0;
    end
  end

  dual_clock_ram #(.WIDTH(WIDTH), .DEPTH_LOG2(DEPTH_LOG2)) u_memory (
    .wr_clk(wr_clk), .wr_en(write), .wr_addr(wr_pointer_reg[DEPTH_LOG2-1:0]), .wr_data(wr_data),
    .rd_clk(rd_clk), .rd_en(fetch), .rd_addr(rd_pointer_reg[DEPTH_LOG2-1:0]), .rd_data(rd_data));

`ifdef FORMAL
`include "async_fifo_properties.vh"
`endif
endmodule
