// SPDX-License-Identifier: Apache-2.0
// A table of counters in block RAM that can be frozen for reading at one instant without being copied.
//
// Copy on write: an entry is {epoch, count, state} and, in a separate RAM, {frozen}. A snapshot only advances the
// current epoch. The first update of an entry after it moves the old count to `frozen` and marks the entry with the
// epoch; a host read takes `frozen` from a marked entry and `count` from any other. `state` belongs to the user and is
// never frozen. Epoch 0 is never current: cleared entries have it.
//
// Update: u_valid and u_index in clock t; the entry is on c_count and c_state in clock t+2 (the commit clock), and the
// user gives its new contents on n_count and n_state in that same clock. One update per clock, any index: the writes of
// the last two clocks, which the RAM read of clock t cannot have seen, are forwarded. A part of the entry's count is on
// `early` already in clock t+1, for a user who has to compare with it: behind the RAM, or behind n_count of that clock.
// Snapshot in clock t: updates that commit in clock t or later are not in the frozen values.
// Host read: r_req and r_index are levels, held until and including the clock of r_ack (a read advances only while it
// is requested); it takes a clock without u_valid and answers 3 clocks later. A line of legal frames leaves such a
// clock at every frame, so a read cannot starve.
// Clear (and reset): one entry per clock; busy meanwhile, updates are ignored and reads wait.
//
// It does not: survive 2^EPOCH_W snapshots between two clears (an untouched entry could then look marked).
module snapshot_table #(
  parameter ENTRIES_LOG2 = 8,
  parameter COUNT_W = 48,
  parameter STATE_W = 1,
  parameter EPOCH_W = 32,
  parameter EARLY_LSB = 0,
  parameter EARLY_W = 1
) (
  input                     clk,
  input                     rst,
  input                     clear,
  output                    busy,
  input                     snapshot,
  // update
  input                     u_valid,
  input  [ENTRIES_LOG2-1:0] u_index,
  output [EARLY_W-1:0]      early,             // c_count[EARLY_LSB +: EARLY_W] of the next clock, if that has c_valid
  output                    c_valid,
  output [COUNT_W-1:0]      c_count,
  output [STATE_W-1:0]      c_state,
  input  [COUNT_W-1:0]      n_count,
  input  [STATE_W-1:0]      n_state,
  // host read
  input                     r_req,
  input  [ENTRIES_LOG2-1:0] r_index,
  output                    r_ack,
  output [COUNT_W-1:0]      r_count
);
  // This order aligns them to 32-bit words in a simulation, which is faster there.
  localparam EPOCH_LSB = 0;
  localparam COUNT_LSB = EPOCH_LSB + EPOCH_W;
  localparam STATE_LSB = COUNT_LSB + COUNT_W;
  localparam ENTRY_W   = STATE_LSB + STATE_W;

  (* ram_style = "block" *) reg [ENTRY_W-1:0] ram        [0:(1<<ENTRIES_LOG2)-1];
  (* ram_style = "block" *) reg [COUNT_W-1:0] frozen_ram [0:(1<<ENTRIES_LOG2)-1];

  reg  [EPOCH_W-1:0]     epoch_reg;
  reg                    sweep_reg;             // the clear sweep: begins at reset too, because block RAM has no reset
  reg [ENTRIES_LOG2-1:0] sweep_index_reg;
  assign busy = sweep_reg;

  reg  [3:1]             read_reg;              // a host read in clock t+1, t+2, t+3
  reg                    update1_reg;           // clock t+1
  reg [ENTRIES_LOG2-1:0] index1_reg;
  reg                    of_commit1_reg;        // its entry is that of the commit of this clock, or
  reg                    of_written1_reg;       // it is the last one written; compared a clock before, because all of the entry
                                                // waits for it
  reg [ENTRY_W-1:0]      ram_reg;
  reg                    update2_reg;           // clock t+2
  reg [ENTRIES_LOG2-1:0] index2_reg;
  reg                    marked2_reg;           // the entry's epoch was current when it was fetched
  reg [COUNT_W-1:0]      count2_reg;
  reg [STATE_W-1:0]      state2_reg;
  reg                    marked3_reg;           // clock t+3
  reg [COUNT_W-1:0]      count3_reg, frozen3_reg;
  reg                    written_reg;           // the last commit, for forwarding; after a sweep nothing is fetched
  reg [COUNT_W-1:0]      written_count_reg;     // count before its last write has arrived
  reg [STATE_W-1:0]      written_state_reg;

  // Commit, clock t+2.
  wire commit     = update2_reg;
  assign c_valid  = commit;
  assign c_count  = count2_reg;
  assign c_state  = state2_reg;
  assign r_ack    = read_reg[3];
  assign r_count  = marked3_reg ? frozen3_reg : count3_reg;

  assign early = of_commit1_reg  ? n_count[EARLY_LSB +: EARLY_W]
               : of_written1_reg ? written_count_reg[EARLY_LSB +: EARLY_W]
               : ram_reg[COUNT_LSB + EARLY_LSB +: EARLY_W];

  // All in one block, the last clock first, so that a simulator needs no copies, and passes it by in most clocks. The
  // writes to the RAMs are blocking and after the reads, so they are not seen by them.
  reg [ENTRY_W-1:0]      put;                   // goes to the RAM
  reg [ENTRIES_LOG2-1:0] put_index, take_index;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk)
    if (u_valid || update1_reg || commit || written_reg || r_req || |read_reg || snapshot || rst || clear || sweep_reg) begin
      // Clock t+2 of a host read: no commit in this clock is for its entry, because the read took the slot.
      if (read_reg[2]) begin
        marked3_reg <= marked2_reg && !snapshot;
        count3_reg  <= count2_reg;
        frozen3_reg <= frozen_ram[index2_reg];
      end

      // The RAM's write port: commit or sweep.
      put       = sweep_reg ? {ENTRY_W{1'b0}} : {n_state, n_count, epoch_reg + {{(EPOCH_W-1){1'b0}}, snapshot}};
      put_index = sweep_reg ? sweep_index_reg : index2_reg;
      if (commit)
        if (!marked2_reg || snapshot) frozen_ram[index2_reg] = count2_reg;

      // Clock t+1: the newest of this clock's commit, the previous clock's, and the RAM. What was written in a clock was
      // marked with the epoch of that clock; a snapshot since then unmarks it.
      if (update1_reg || read_reg[1]) begin
        index2_reg <= index1_reg;
        if (of_commit1_reg) begin
          marked2_reg <= 1'b1;
          count2_reg  <= n_count;
          state2_reg  <= n_state;
        end else if (of_written1_reg) begin
          marked2_reg <= !snapshot;
          count2_reg  <= written_count_reg;
          state2_reg  <= written_state_reg;
        end else begin
          marked2_reg <= ram_reg[EPOCH_LSB +: EPOCH_W] == epoch_reg && !snapshot;
          count2_reg  <= ram_reg[COUNT_LSB +: COUNT_W];
          state2_reg  <= ram_reg[STATE_LSB +: STATE_W];
        end
      end

      // Clock t: an update or, in a free slot, a host read takes the RAM's read port. The result does not matter if this
      // clock's write has the same index, because that is forwarded, nor in a clock in which nothing is taken.
      if (u_valid || r_req) begin
        take_index      = u_valid ? u_index : r_index;
        ram_reg         <= ram[take_index];
        index1_reg      <= take_index;
        of_commit1_reg  <= update1_reg && take_index == index1_reg;
        of_written1_reg <= commit && take_index == index2_reg;
      end

      if (commit || sweep_reg) ram[put_index] = put;
      written_reg <= commit;
      if (commit) begin
        written_count_reg <= put[COUNT_LSB +: COUNT_W];
        written_state_reg <= put[STATE_LSB +: STATE_W];
      end
      if (r_req) read_reg <= {read_reg[2:1], !u_valid && !(|read_reg)};
      update2_reg <= update1_reg;
      update1_reg <= u_valid;
      if (rst || clear || sweep_reg) begin
        update1_reg <= 1'b0;
        update2_reg <= 1'b0;
        read_reg    <= 3'b000;
      end

      if (sweep_reg) begin
        sweep_reg       <= !(&sweep_index_reg);
        sweep_index_reg <= sweep_index_reg + 1'b1;
      end
      if (rst || clear) begin
        sweep_reg       <= 1'b1;
        sweep_index_reg <= {ENTRIES_LOG2{1'b0}};
      end
      // The strobe already takes effect in its own clock.
      if (snapshot) epoch_reg <= epoch_reg + {{(EPOCH_W-1){1'b0}}, 1'b1};
      if (rst)      epoch_reg <= {{(EPOCH_W-1){1'b0}}, 1'b1};
    end
  /* verilator lint_on BLKSEQ */
`ifdef FORMAL
`include "snapshot_table_properties.vh"
`endif
endmodule
