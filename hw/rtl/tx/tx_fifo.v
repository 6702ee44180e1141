// SPDX-License-Identifier: Apache-2.0
// Small first-in first-out memory: the descriptors that tx_sequencer has made and tx_pacer has not yet taken.
//
// `head` is the oldest entry in the clock in which `valid` is set; `pop` takes it. An entry is at the head in the clock
// after its push. `room`: RESERVE + 1 entries still fit. So a source whose entries come RESERVE clocks after it saw
// `room` never overflows it, and with DEPTH at least twice RESERVE + 3 a reader that pops in every clock never starves.
// `clear` empties it; a push in that clock is lost. Neither full nor empty is checked: the modules around it do.
// Proven by induction: hw/formal/tx_fifo_properties.vh.
module tx_fifo #(
  parameter WIDTH = 25,
  parameter DEPTH_LOG2 = 4,
  parameter RESERVE = 5
) (
  input              clk,
  input              rst,
  input              clear,
  input              push,
  input [WIDTH-1:0]  in,
  output             room,
  output             valid,
  output [WIDTH-1:0] head,
  input              pop
);
  localparam [31:0] ROOM_BELOW = (1 << DEPTH_LOG2) - RESERVE;

  reg [WIDTH-1:0]    ram [0:(1<<DEPTH_LOG2)-1];
  reg [DEPTH_LOG2:0] written_reg, read_reg;      // one bit more than an address
  wire [DEPTH_LOG2:0] held = written_reg - read_reg;
  assign room  = held < ROOM_BELOW[DEPTH_LOG2:0];
  assign valid = written_reg != read_reg;
  assign head  = ram[read_reg[DEPTH_LOG2-1:0]];

  always @(posedge clk) begin
    if (push) begin
      ram[written_reg[DEPTH_LOG2-1:0]] <= in;
      written_reg <= written_reg + 1'b1;
    end
    if (pop) read_reg <= read_reg + 1'b1;
    if (rst || clear) begin
      written_reg <= {(DEPTH_LOG2+1){1'b0}};
      read_reg    <= {(DEPTH_LOG2+1){1'b0}};
    end
  end
`ifdef FORMAL
`include "tx_fifo_properties.vh"
`endif
endmodule
