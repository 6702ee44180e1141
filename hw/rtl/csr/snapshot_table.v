// SPDX-License-Identifier: Apache-2.0
// A table of counters in block RAM that can be frozen for reading at one instant without being copied.
//
// Copy on write: an entry is {epoch, frozen, count, state}. A snapshot only advances the current epoch. The first
// update of an entry after it moves the old count to `frozen` and marks the entry with the epoch; a host read takes
// `frozen` from a marked entry and `count` from any other. `state` belongs to the user and is never frozen.
//
// Update: u_valid and u_index in clock t; the entry stands on c_count and c_state in clock t+2 (the commit clock),
// the user gives its new contents on n_count and n_state in that same clock. One update a clock, any index: the
// writes of the last two clocks, which the RAM read of clock t cannot have seen, are forwarded.
// Snapshot in clock t: updates that commit in clock t or later are not in the frozen values.
// Host read: r_req and r_index are levels, held until r_ack; it takes a clock without u_valid and answers 3 clocks
// later. A line of legal frames leaves such a clock at every frame, so a read cannot starve.
// Clear (and reset): one entry a clock; busy meanwhile, updates are ignored and reads wait.
//
// It does not: survive 2^EPOCH_W snapshots between two clears (an untouched entry could then look marked).
module snapshot_table #(
  parameter ENTRIES_LOG2 = 8,
  parameter COUNT_W = 48,
  parameter STATE_W = 1,
  parameter EPOCH_W = 32
) (
  input                     clk,
  input                     rst,
  input                     clear,
  output                    busy,
  input                     snapshot,
  // update
  input                     u_valid,
  input  [ENTRIES_LOG2-1:0] u_index,
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
  localparam STATE_LSB  = 0;
  localparam COUNT_LSB  = STATE_W;
  localparam FROZEN_LSB = COUNT_LSB + COUNT_W;
  localparam EPOCH_LSB  = FROZEN_LSB + COUNT_W;
  localparam ENTRY_W    = EPOCH_LSB + EPOCH_W;

  (* ram_style = "block" *) reg [ENTRY_W-1:0] ram [0:(1<<ENTRIES_LOG2)-1];

  // The epoch of this clock; the strobe already counts in its own clock.
  reg  [EPOCH_W-1:0] epoch_reg;
  wire [EPOCH_W-1:0] epoch_now = epoch_reg + {{(EPOCH_W-1){1'b0}}, snapshot};
  always @(posedge clk)
    if (rst) epoch_reg <= {EPOCH_W{1'b0}};
    else     epoch_reg <= epoch_now;

  // Clear sweep. Begins at reset too: block RAM has no reset.
  reg                    sweep_reg;
  reg [ENTRIES_LOG2-1:0] sweep_index_reg;
  assign busy = sweep_reg;
  always @(posedge clk)
    if (rst || clear) begin
      sweep_reg       <= 1'b1;
      sweep_index_reg <= {ENTRIES_LOG2{1'b0}};
    end else if (sweep_reg) begin
      sweep_reg       <= !(&sweep_index_reg);
      sweep_index_reg <= sweep_index_reg + 1'b1;
    end

  // Clock t: an update or, in a free slot, a host read takes the RAM's read port.
  wire flush      = rst || clear || sweep_reg;
  reg  read_pending_reg;
  wire take_update = u_valid && !flush;
  wire take_read   = r_req && !u_valid && !flush && !read_pending_reg && !r_ack;
  wire [ENTRIES_LOG2-1:0] read_index = u_valid ? u_index : r_index;

  reg                    update1_reg, read1_reg;    // clock t+1
  reg [ENTRIES_LOG2-1:0] index1_reg;
  reg [ENTRY_W-1:0]      ram_reg;
  reg                    update2_reg, read2_reg;    // clock t+2
  reg [ENTRIES_LOG2-1:0] index2_reg;
  reg                    marked2_reg;               // the entry's epoch was current when it was fetched
  reg [COUNT_W-1:0]      frozen2_reg;
  reg [COUNT_W-1:0]      count2_reg;
  reg [STATE_W-1:0]      state2_reg;
  reg                    read3_reg;                 // clock t+3
  reg [COUNT_W-1:0]      count3_reg;

  always @(posedge clk) begin
    update1_reg      <= take_update;
    read1_reg        <= take_read;
    update2_reg      <= update1_reg && !flush;
    read2_reg        <= read1_reg && !flush;
    read3_reg        <= read2_reg && !flush;
    read_pending_reg <= !flush && (take_read || (read_pending_reg && !read2_reg));
  end

  // Commit, clock t+2.
  wire marked_now = marked2_reg && !snapshot;
  wire commit     = update2_reg;
  assign c_valid  = commit;
  assign c_count  = count2_reg;
  assign c_state  = state2_reg;
  wire [COUNT_W-1:0] n_frozen = marked_now ? frozen2_reg : count2_reg;

  // The RAM's write port: commit or sweep. Its last use is kept for forwarding.
  wire                    write       = commit || sweep_reg;
  wire [ENTRIES_LOG2-1:0] write_index = sweep_reg ? sweep_index_reg : index2_reg;
  wire [COUNT_W-1:0]      write_count  = sweep_reg ? {COUNT_W{1'b0}} : n_count;
  wire [COUNT_W-1:0]      write_frozen = sweep_reg ? {COUNT_W{1'b0}} : n_frozen;
  wire [STATE_W-1:0]      write_state  = sweep_reg ? {STATE_W{1'b0}} : n_state;

  reg                    written_reg;
  reg [ENTRIES_LOG2-1:0] written_index_reg;
  reg [COUNT_W-1:0]      written_count_reg, written_frozen_reg;
  reg [STATE_W-1:0]      written_state_reg;

  always @(posedge clk) begin
    written_reg <= write;
    if (write) begin
      ram[write_index]   <= {epoch_now, write_frozen, write_count, write_state};
      written_index_reg  <= write_index;
      written_count_reg  <= write_count;
      written_frozen_reg <= write_frozen;
      written_state_reg  <= write_state;
    end
  end

  // RAM read, clock t to t+1. What it gives when this clock's write has the same index does not matter: forwarded.
  always @(posedge clk)
    if (take_update || take_read) begin
      ram_reg    <= ram[read_index];
      index1_reg <= read_index;
    end

  // Clock t+1: the newest of this clock's write, the last clock's write, and the RAM. What was written in a clock was
  // marked with the epoch of that clock; a snapshot since then unmarks it.
  always @(posedge clk)
    if (update1_reg || read1_reg) begin
      index2_reg <= index1_reg;
      if (write && write_index == index1_reg) begin
        marked2_reg <= 1'b1;
        frozen2_reg <= write_frozen;
        count2_reg  <= write_count;
        state2_reg  <= write_state;
      end else if (written_reg && written_index_reg == index1_reg) begin
        marked2_reg <= !snapshot;
        frozen2_reg <= written_frozen_reg;
        count2_reg  <= written_count_reg;
        state2_reg  <= written_state_reg;
      end else begin
        marked2_reg <= ram_reg[EPOCH_LSB +: EPOCH_W] == epoch_reg && !snapshot;
        frozen2_reg <= ram_reg[FROZEN_LSB +: COUNT_W];
        count2_reg  <= ram_reg[COUNT_LSB +: COUNT_W];
        state2_reg  <= ram_reg[STATE_LSB +: STATE_W];
      end
    end

  always @(posedge clk)
    if (read2_reg) count3_reg <= n_frozen;
  assign r_ack   = read3_reg;
  assign r_count = count3_reg;
`ifdef FORMAL
`include "snapshot_table_properties.vh"
`endif
endmodule
