// SPDX-License-Identifier: Apache-2.0
// The guarantees of tx_fifo, for one entry that the solver picks, hence for any. Included inside the module, by hw/formal
// only.
  localparam F_DEPTH = 1 << DEPTH_LOG2;
  initial assume (rst);
  (* anyconst *) reg [7:0] f_nth;
  reg [7:0]       f_pushed = 0, f_popped = 0;
  reg [WIDTH-1:0] f_entry;
  wire [7:0]      f_held = f_pushed - f_popped;
  always @(posedge clk) begin
    if (push && f_pushed == f_nth) f_entry <= in;
    f_pushed <= rst || clear ? 8'd0 : f_pushed + {7'd0, push};
    f_popped <= rst || clear ? 8'd0 : f_popped + {7'd0, pop};
  end

  // ---- the user: does not push when it is full or pop when it is empty; the ghosts do not wrap
  always @* begin
    if (push) assume (f_held < F_DEPTH || pop);
    if (pop) assume (f_held != 0);
    assume (f_pushed < 8'd200);
  end

  // ---- guarantees
  always @* if (!rst) begin
    // There is an entry at the head whenever one is held.
    head_when_held: assert (valid == (f_held != 0));
    // The nth entry pushed since the last clear is the nth at the head, unchanged: none is lost, none comes twice.
    in_order: assert (!(valid && f_popped == f_nth) || head == f_entry);
    // RESERVE + 1 entries fit when there is room.
    room_for_reserve: assert (room == (f_held + RESERVE + 1 <= F_DEPTH));
    // It fills up.
    full: cover (f_held == F_DEPTH);
    // The last entry of a full FIFO comes out.
    emptied_after_full: cover (f_popped == F_DEPTH && f_nth == F_DEPTH - 1 && pop);
  end

  // ---- what induction needs to know
`ifdef FORMAL_HELPERS
  always @* if (!rst) begin
    assert (f_held <= F_DEPTH && f_popped <= f_pushed);
    assert (written_reg == f_pushed[DEPTH_LOG2:0] && read_reg == f_popped[DEPTH_LOG2:0]);
    if (f_nth >= f_popped && f_nth < f_pushed) assert (ram[f_nth[DEPTH_LOG2-1:0]] == f_entry);
  end
`endif
