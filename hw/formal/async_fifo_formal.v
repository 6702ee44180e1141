// files: ../boards/common/async_fifo.v ../boards/common/dual_clock_ram.v
// with: dual_clock_ram
// see: u_fifo.u_memory.f_address = u_fifo.f_address
// see: u_fifo.f_entry = u_fifo.u_memory.f_entry
// mode: induction depth=2 base=8 cover=22 mutants=12 clocks=free
// deep: base=14 mutants=16
// size: 4 entries of 2 bits
// mutant writes_when_full: s/assign wr_ready = .*/assign wr_ready = 1'b1;/
// mutant reads_when_empty: s/rd_gray_reg != wr_gray_second_reg/1'b1/
// mutant pointer_not_in_gray_code: s/wr_gray_reg    <= wr_pointer_next .*/wr_gray_reg <= wr_pointer_next;/
// mutant output_register_overwritten: s/ \&\& (!rd_valid || rd_ready)//
// mutant output_stays_after_it_is_taken: s/else if (rd_ready) rd_valid <= 1'b0;//
// mutant last_entry_never_read: s/wire                 fetch = /wire fetch = !rd_gray_reg[POINTER_W-1] \&\& /
// mutant read_pointer_seen_one_late: s/rd_gray_first_reg  <= rd_gray_reg/rd_gray_first_reg <= rd_gray_reg ^ ONE/
// mutant read_address_one_off: s/.rd_addr(rd_pointer_reg\[DEPTH_LOG2-1:0\])/.rd_addr(rd_pointer_next[DEPTH_LOG2-1:0])/
// mutant data_kept_over_a_fetch: s/if (rd_en) rd_data <= memory/if (rd_en \&\& !rd_data[0]) rd_data <= memory/
// SPDX-License-Identifier: Apache-2.0
// async_fifo with 4 entries, from its initial state (the state after both resets), with free clocks: in every step of
// the proof each may or may not rise, which covers every ratio and phase, and every delay that metastability of the
// first register can add to the one changing bit of a Gray code.
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
