// SPDX-License-Identifier: Apache-2.0
// Properties of async_fifo, in its own scope. Ghosts number the entries on each side, modulo more than the FIFO holds.
// The solver picks an entry, hence any, when it is written; its data are kept until it is read.
localparam [POINTER_W-1:0] DEPTH = 1 << DEPTH_LOG2;
(* anyseq *) reg f_pick;
localparam F_W = POINTER_W + 1;
reg [F_W-1:0]   f_written = 0, f_taken = 0, f_picked_number = 0;
reg [WIDTH-1:0] f_picked_data;
reg             f_picked = 0, f_picked_taken = 0;
wire            f_take = rd_valid && rd_ready;
wire [F_W-1:0]  f_held = f_written - f_taken;      // written and not taken, the output register included
wire            f_at_output = f_picked && !f_picked_taken && f_taken == f_picked_number;
always @(posedge wr_clk)
  if (write) begin
    f_written <= f_written + 1'b1;
    if (f_pick && !f_picked) begin
      f_picked        <= 1'b1;
      f_picked_number <= f_written;
      f_picked_data   <= wr_data;
    end
  end
always @(posedge rd_clk)
  if (f_take) begin
    f_taken <= f_taken + 1'b1;
    if (f_at_output) f_picked_taken <= 1'b1;
  end
initial assume (!rd_valid);

(* keep *) wire [DEPTH_LOG2-1:0] f_address = f_picked_number[DEPTH_LOG2-1:0];
(* keep *) wire [WIDTH-1:0]      f_entry;          // the memory at f_address

always @* begin
  // Never more entries than fit: the depth and the output register.
  never_overfull: assert (f_held <= DEPTH + 1'b1);
  // Everything that is read was written: nothing is invented.
  nothing_invented: assert (!rd_valid || f_held != 0);
  // Entries are read in the order in which they were written, with their data; none is lost or read twice.
  order_and_data: assert (!(rd_valid && f_at_output) || rd_data == f_picked_data);
  // The number of entries that the writer sees is never too small: room that it sees is there.
  room_is_there: assert (!wr_ready || f_held <= DEPTH);

  // It is full.
  full: cover (!wr_ready);
  // All entries of a full FIFO have been read again, and one more.
  drained: cover (f_taken == 6 && f_held == 0 && f_filled);
  // The picked entry is the fifth, and is read: the pointers have gone round.
  pointers_go_round: cover (f_picked_taken && f_picked_number >= 4);
end
reg f_filled = 0;
always @(posedge wr_clk) f_filled <= f_filled || !wr_ready;

`ifdef FORMAL_HELPERS
function [POINTER_W-1:0] binary(input [POINTER_W-1:0] gray);
  integer b;
  begin
    binary = gray;
    for (b = POINTER_W - 2; b >= 0; b = b - 1) binary[b] = gray[b] ^ binary[b+1];
  end
endfunction
wire [POINTER_W-1:0] wr_first_seen = binary(wr_gray_first_reg), wr_seen = binary(wr_gray_second_reg);
wire [POINTER_W-1:0] rd_first_seen = binary(rd_gray_first_reg), rd_seen = binary(rd_gray_second_reg);
wire [POINTER_W-1:0] held = wr_pointer_reg - rd_pointer_reg;
wire [F_W-1:0]       f_ahead = f_picked_number - f_taken;     // entries before the picked one

// The pointers are compared in order: the value that one side has of the other's pointer lies between an old and the
// current value.
always @* begin
  assert (wr_gray_reg == (wr_pointer_reg ^ (wr_pointer_reg >> 1)));
  assert (rd_gray_reg == (rd_pointer_reg ^ (rd_pointer_reg >> 1)));
  assert (held <= DEPTH);
  // reader's pointer <= what it has seen <= what it will see <= the writer's pointer
  assert (wr_seen - rd_pointer_reg <= wr_first_seen - rd_pointer_reg);
  assert (wr_first_seen - rd_pointer_reg <= held);
  // and the other way round, counting back from the writer's pointer
  assert (held <= wr_pointer_reg - rd_first_seen);
  assert (wr_pointer_reg - rd_first_seen <= wr_pointer_reg - rd_seen);
  assert (wr_pointer_reg - rd_seen <= DEPTH);
  // the pointers and the ghosts
  assert (wr_pointer_reg == f_written[POINTER_W-1:0]);
  assert (f_held == {1'b0, held} + rd_valid);
  if (f_picked && !f_picked_taken) begin
    assert (f_ahead < f_held);
    if (rd_valid && f_ahead == 0) assert (rd_data == f_picked_data);
    else                          assert (f_entry == f_picked_data);
  end
end
`endif
