// files: tx/tx_fifo.v
// mode: induction depth=1 base=8 cover=20 mutants=13
// size: 8 entries of 4 bits, a reserve of 2
// mutant push_lost_beside_a_pop: s/written_reg <= written_reg + 1'b1;/written_reg <= written_reg + !pop;/
// mutant pop_lost_beside_a_push: s/if (pop) read_reg/if (pop \&\& !push) read_reg/
// mutant head_is_the_newest: s/head  = ram\[read_reg\[DEPTH_LOG2-1:0\]\]/head  = ram[written_reg[DEPTH_LOG2-1:0]]/
// mutant full_is_empty: s/valid = written_reg != read_reg/valid = written_reg[DEPTH_LOG2-1:0] != read_reg[DEPTH_LOG2-1:0]/
// mutant room_one_more: s/room  = held < ROOM/room  = held <= ROOM/
// mutant clear_does_nothing: s/if (rst || clear)/if (rst)/
// SPDX-License-Identifier: Apache-2.0
// tx_fifo, small, against any pushes and pops that its rules allow. The proven properties are in
// tx_fifo_properties.vh.
module tx_fifo_formal (
  input       clk,
  input       rst,
  input       clear,
  input       push,
  input [3:0] in,
  input       pop
);
  tx_fifo #(.WIDTH(4), .DEPTH_LOG2(3), .RESERVE(2)) dut (
    .clk(clk), .rst(rst), .clear(clear), .push(push), .in(in), .room(), .valid(), .head(), .pop(pop));
endmodule
