// SPDX-License-Identifier: Apache-2.0
// The guarantees of snapshot_table, for one entry that the solver picks, hence for any. Ghosts keep a plain copy of its
// live and of its frozen contents. Included inside the module, by hw/formal only.
  (* anyconst *) reg [ENTRIES_LOG2-1:0] f_entry;
  reg f_past = 1'b0;
  always @(posedge clk) f_past <= 1'b1;
  initial assume (rst);

  // ---- the user: a read request stays until its answer; the epoch does not wrap (2^EPOCH_W snapshots)
  // (Assumptions are not clocked: yosys delays clocked ones by a step, so the last step would have none.)
  reg f_holds = 0;
  reg [ENTRIES_LOG2-1:0] f_held_index;
  always @(posedge clk) begin
    f_holds      <= r_req && !r_ack && !rst;
    f_held_index <= r_index;
  end
  always @* assume (!f_holds || (r_req && r_index == f_held_index));
  always @* assume (!(snapshot && &epoch_reg));

  // ---- ghosts
  reg [COUNT_W-1:0] f_live, f_frozen;
  reg [STATE_W-1:0] f_state;
  reg f_u1 = 0, f_u2 = 0;                       // updates in progress, and their entries
  reg [ENTRIES_LOG2-1:0] f_u1_index, f_u2_index;
  reg [2:0] f_free = 0;                         // free slots that passed while a read waited
  always @(posedge clk) begin
    if (snapshot) f_frozen <= f_live;
    if (c_valid && f_u2_index == f_entry) begin
      f_live  <= n_count;
      f_state <= n_state;
    end
    f_u1 <= u_valid && !rst && !clear && !busy;
    f_u2 <= f_u1 && !rst && !clear;
    {f_u2_index, f_u1_index} <= {f_u1_index, u_index};
    f_free <= (r_req && !r_ack && !u_valid && !busy && !clear && !rst) ? f_free + 3'd1 :
              (r_ack || busy || clear || rst || !r_req) ? 3'd0 : f_free;
    if (rst || clear) {f_live, f_frozen, f_state} <= 0;
  end

  reg [ENTRIES_LOG2:0] f_busy = 0;              // clocks since the last clear
  reg f_cleared = 0, f_was_clear = 0, f_was_busy = 0, f_twice = 0, f_snapped = 0;
  always @(posedge clk) begin
    f_busy      <= (rst || clear || !busy) ? 0 : f_busy + 1'b1;
    f_was_clear <= rst || clear;
    f_was_busy  <= busy && !rst && !clear;
    f_cleared   <= (f_cleared || clear) && !rst;
    f_twice     <= c_valid && f_u2_index == f_entry && !rst && !clear;
    f_snapped   <= (f_snapped || snapshot) && !rst && !clear;
  end

  reg [EARLY_W-1:0] f_early;
  always @(posedge clk) f_early <= early;

  // ---- guarantees
  always @*
    if (!rst && f_past) begin
      // Every update that is admitted commits two clocks later.
      updates_commit: assert (!f_u2 || c_valid);
      // Nothing commits that was not admitted: while it is busy nothing does.
      nothing_else_commits: assert (!c_valid || (f_u2 && !busy));
      // An update that commits sees the counts of all earlier ones, including those of adjacent clocks.
      no_update_is_lost: assert (!(c_valid && f_u2_index == f_entry) || c_count == f_live);
      // A clock before, early has been what it sees of the count.
      early_is_the_count: assert (!c_valid || c_count[EARLY_LSB +: EARLY_W] == f_early);
      // It sees the state that the last one left.
      state_is_kept: assert (!(c_valid && f_u2_index == f_entry) || c_state == f_state);
      // An answer has a request.
      answers_have_requests: assert (!r_ack || r_req);
      // A read gives the count at the last snapshot, whatever came after.
      read_gives_snapshot: assert (!(r_ack && r_index == f_entry) || r_count == f_frozen);
      // A read needs at most four free slots, the first of which serves it.
      reads_are_served: assert (f_free <= 4);
      // A clear takes as many clocks as there are entries, and then ends.
      busy_ends: assert (!busy || f_busy < (1 << ENTRIES_LOG2));
      // A clear takes effect in the next clock.
      clear_makes_busy: assert (!f_was_clear || busy);
      // Only a clear makes it busy.
      only_clear_makes_busy: assert (!busy || f_was_clear || f_was_busy);

      // A sweep ends.
      busy_falls: cover (f_was_busy && !busy && f_cleared);
      // A read is answered with a frozen count that the live one has left behind.
      frozen_count_is_read: cover (r_ack && r_index == f_entry && f_snapped && f_frozen != 0 && f_live != f_frozen);
      // Updates of one entry commit in adjacent clocks.
      adjacent_updates: cover (f_twice && c_valid && f_u2_index == f_entry);
      // A snapshot falls between an update and its commit.
      snapshot_before_commit: cover (snapshot && f_u2 && f_u2_index == f_entry && f_live != 0);
    end

  // ---- helper invariants for the induction
`ifdef FORMAL_HELPERS
  wire [ENTRY_W-1:0] f_ram = ram[f_entry];
  wire f_swept   = !sweep_reg || sweep_index_reg > f_entry;
  wire f_current = f_ram[EPOCH_LSB +: EPOCH_W] == epoch_reg;
  reg [ENTRIES_LOG2-1:0] f_written_index;
  always @(posedge clk) if (commit) f_written_index <= index2_reg;
  wire f_written = written_reg && f_written_index == f_entry;
  wire f_read    = |read_reg;
  wire [COUNT_W-1:0] f_ram_frozen = frozen_ram[f_entry];
  always @*
    if (!rst && f_past) begin
      assert (epoch_reg != 0);
      assert (!sweep_reg || f_busy == {1'b0, sweep_index_reg});
      assert (f_was_clear == (sweep_reg && sweep_index_reg == 0));
      assert (f_was_busy || !sweep_reg || f_was_clear);
      // The RAM holds what the ghosts hold.
      if (f_swept) begin
        assert (f_ram[COUNT_LSB +: COUNT_W] == f_live && f_ram[STATE_LSB +: STATE_W] == f_state);
        assert (f_ram[EPOCH_LSB +: EPOCH_W] <= epoch_reg);
        assert ((f_current ? f_ram_frozen : f_ram[COUNT_LSB +: COUNT_W]) == f_frozen);
      end
      if (sweep_reg) assert (f_live == 0 && f_frozen == 0 && f_state == 0);
      if (sweep_reg) assert (!update1_reg && !update2_reg && !(|read_reg[2:1]));
      // The last write, for forwarding, is what the RAM now holds.
      if (f_written && f_swept)
        assert (f_ram == {written_state_reg, written_count_reg, epoch_reg});
      // An entry that was fetched is what the RAM holds, except for writes that are forwarded.
      if ((update1_reg || read_reg[1]) && index1_reg == f_entry && !f_written) assert (ram_reg == f_ram);
      if ((update2_reg || read_reg[2]) && index2_reg == f_entry && !sweep_reg) begin
        assert (count2_reg == f_live && state2_reg == f_state && marked2_reg == f_current);
        assert ((marked2_reg ? f_ram_frozen : count2_reg) == f_frozen);
      end
      if (update1_reg || read_reg[1])
        assert (of_commit1_reg == (update2_reg && index2_reg == index1_reg)
                && of_written1_reg == (written_reg && f_written_index == index1_reg));
      assert (update1_reg == f_u1 && (update2_reg == f_u2));
      if (f_u1) assert (index1_reg == f_u1_index);
      if (f_u2) assert (index2_reg == f_u2_index);
      // One read at a time, for the index at the port.
      assert (read_reg == 0 || read_reg == 1 || read_reg == 2 || read_reg == 4);
      assert (!(update1_reg && read_reg[1]) && !(update2_reg && read_reg[2]));
      if (f_read) assert (f_holds);
      if (read_reg[1]) assert (index1_reg == f_held_index);
      if (read_reg[2]) assert (index2_reg == f_held_index);
      if (f_free != 0 && !f_read) assert (0);
      if (read_reg[1]) assert (f_free <= 1);
      if (read_reg[2]) assert (f_free <= 2);
      if (read_reg[3]) assert (f_free <= 3);
    end
`endif
