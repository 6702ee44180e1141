// files: ../boards/common/async_fifo.v ../boards/common/dual_clock_ram.v
// mode: induction depth=2 base=14 clocks=free
// mutant: s/assign wr_ready = .*/assign wr_ready = 1'b1;/
// mutant: s/rd_gray_reg != wr_gray_second_reg/1'b1/
// mutant: s/wr_gray_reg    <= wr_pointer_next .*/wr_gray_reg <= wr_pointer_next;/
// SPDX-License-Identifier: Apache-2.0
// async_fifo with 4 entries, from its initial state (the state after both resets), with free clocks. The memory is left
// out: that an entry is where the pointer says is obvious.
module async_fifo_formal (
  input       wr_clk,
  input       rd_clk,
  input       wr_valid,
  input [1:0] wr_data,
  input       rd_ready
);
  wire wr_ready, rd_valid;
  wire [1:0] rd_data;
  async_fifo #(.WIDTH(2), .DEPTH_LOG2(2)) u_fifo (
    .wr_clk(wr_clk), .wr_rst(1'b0), .wr_valid(wr_valid), .wr_ready(wr_ready), .wr_data(wr_data),
    .rd_clk(rd_clk), .rd_rst(1'b0), .rd_valid(rd_valid), .rd_ready(rd_ready), .rd_data(rd_data));
endmodule
