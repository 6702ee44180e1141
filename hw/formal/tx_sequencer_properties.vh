// SPDX-License-Identifier: Apache-2.0
// The guarantees of tx_sequencer. Included inside the module, by hw/formal only.
  initial assume (rst);
  reg        f_loaded = 0;
  reg [12:0] f_turns;
  reg [11:0] f_turn = 0;            // turn of the next descriptor, or of the one after it
  reg [EVERY_W-1:0] f_number = 1;          // number of the next descriptor, from 1 to cfg_every
  wire       f_other = cfg_every != 0 && f_number == cfg_every;
  wire [12:0] f_next = {1'b0, f_turn} + 13'd1;
  always @(posedge clk)
    if (rst) f_loaded <= 0;
    else if (load) begin
      f_loaded <= 1;
      f_turn   <= 0;
      f_number <= 1;
    end else if (valid) begin
      if (!f_other) f_turn <= f_next == f_turns ? 12'd0 : f_next[11:0];
      f_number <= f_other ? {{(EVERY_W-1){1'b0}}, 1'b1} : f_number + 1'b1;
    end
  always @* f_turns = cfg_order == 2 ? cfg_turns : {4'd0, cfg_flows};
  wire [7:0] f_flow = cfg_order == 2 ? turn_ram[f_turn] : f_turn[7:0];

  // ---- guarantees
  wire [13:0] f_fixed = cfg_frame_octets < 54 ? 14'd54 : cfg_frame_octets;
  always @* if (!rst && valid) begin
    // The descriptors since load are of the turns one after another, in turn or by the table, but for those of cfg_every:
    // no turn is skipped or doubled.
    turns: assert (cfg_order == 1 || f_other || flow == f_flow);
    // Descriptors n, 2n, 3n ... are of the flow for these.
    every: assert (!f_other || flow == cfg_every_flow);
    // There is none without flows.
    none_without_flows: assert (cfg_flows != 0);
    // No frame is shorter than 54 octets.
    least_octets: assert (octets >= 54);
    // A frame of a flow without lengths of its own has those of the port.
    fixed_octets: assert (size_ram[flow][1:0] != 0 || octets == f_fixed);
    // Flags are those of the flow.
    flags_of_flow: assert (flags == flags_ram[flow]);
    // The turns begin anew.
    turns_begin_anew: cover (cfg_order == 2 && cfg_turns == 3 && f_turn == 0 && f_again);
    // Every other one is of the flow for these.
    every_other: cover (cfg_every == 2 && f_other && f_again);
  end
  reg f_again = 0;
  always @(posedge clk) f_again <= !rst && !load && (f_again || valid && f_turn != 0);

`ifdef FORMAL_HELPERS
  // ---- what induction needs to know: the turn of each descriptor on its way, from the last one
  function [11:0] f_after(input [11:0] turn, input [12:0] turns);
    f_after = {1'b0, turn} + 13'd1 == turns ? 12'd0 : turn + 12'd1;
  endfunction
  function f_is_other(input [EVERY_W-1:0] number);
    f_is_other = cfg_every != 0 && number == cfg_every;
  endfunction
  function [EVERY_W-1:0] f_number_after(input [EVERY_W-1:0] number);
    f_number_after = f_is_other(number) ? {{(EVERY_W-1){1'b0}}, 1'b1} : number + 1'b1;
  endfunction
  wire f_other4 = f_is_other(f_number4), f_other3 = f_is_other(f_number3), f_other2 = f_is_other(f_number2);
  wire f_other1 = f_is_other(f_number1);
  wire [EVERY_W-1:0] f_number4 = valid_reg[5] ? f_number_after(f_number) : f_number;
  wire [EVERY_W-1:0] f_number3 = valid_reg[4] ? f_number_after(f_number4) : f_number4;
  wire [EVERY_W-1:0] f_number2 = valid_reg[3] ? f_number_after(f_number3) : f_number3;
  wire [EVERY_W-1:0] f_number1 = valid_reg[2] ? f_number_after(f_number2) : f_number2;
  wire [EVERY_W-1:0] f_number0 = valid_reg[1] ? f_number_after(f_number1) : f_number1;
  wire [11:0] f_turn4 = valid_reg[5] && !f_other  ? f_after(f_turn, f_turns)  : f_turn;
  wire [11:0] f_turn3 = valid_reg[4] && !f_other4 ? f_after(f_turn4, f_turns) : f_turn4;
  wire [11:0] f_turn2 = valid_reg[3] && !f_other3 ? f_after(f_turn3, f_turns) : f_turn3;
  wire [11:0] f_turn1 = valid_reg[2] && !f_other2 ? f_after(f_turn2, f_turns) : f_turn2;
  wire [11:0] f_turn0 = valid_reg[1] && !f_other1 ? f_after(f_turn1, f_turns) : f_turn1;
  wire [7:0]  f_entry4 = turn_ram[f_turn4], f_entry3 = turn_ram[f_turn3], f_entry2 = turn_ram[f_turn2];
  wire [7:0]  f_entry1 = turn_ram[f_turn1];
  wire [4:0]  f_coming = {4'd0, valid_reg[1]} + {4'd0, valid_reg[2]} + {4'd0, valid_reg[3]} + {4'd0, valid_reg[4]}
                       + {4'd0, valid_reg[5]};
  always @* if (!rst) begin
    assert (loaded_reg == (f_loaded && cfg_flows != 0));
    if (!loaded_reg) assert (f_coming == 0);
    assert (f_held + f_coming <= 5'd16);
    if (f_loaded) begin
      assert (order_reg == cfg_order && turns_reg == f_turns && frame_octets_reg == cfg_frame_octets);
      assert (every_reg == (cfg_every != 0) && every_frames_reg == cfg_every && every_flow_reg == cfg_every_flow);
      if (cfg_every != 0) assert (f_number != 0 && f_number <= cfg_every && every_left_reg == cfg_every - f_number0 + 1'b1);
      if (valid_reg[1] && f_other1) assert (!table1_used_reg && flow1_reg == cfg_every_flow);
      if (valid_reg[2] && f_other2) assert (flow2_reg == cfg_every_flow);
      if (valid_reg[3] && f_other3) assert (flow3_reg == cfg_every_flow);
      if (valid_reg[4] && f_other4) assert (flow4_reg == cfg_every_flow);
      if (valid_reg[5] && f_other)  assert (flow5_reg == cfg_every_flow);
      if (cfg_order != 1) begin
        assert (turn_reg == f_turn0);
        if (valid_reg[1]) assert (table1_used_reg == (cfg_order == 2 && !f_other1));
        if (valid_reg[1]) assert (flow1 == (f_other1 ? cfg_every_flow : cfg_order == 2 ? f_entry1 : f_turn1[7:0]));
        if (valid_reg[2]) assert (flow2_reg == (f_other2 ? cfg_every_flow : cfg_order == 2 ? f_entry2 : f_turn2[7:0]));
        if (valid_reg[3]) assert (flow3_reg == (f_other3 ? cfg_every_flow : cfg_order == 2 ? f_entry3 : f_turn3[7:0]));
        if (valid_reg[4]) assert (flow4_reg == (f_other4 ? cfg_every_flow : cfg_order == 2 ? f_entry4 : f_turn4[7:0]));
      end
      if (valid_reg[2]) assert (size2_reg == size_ram[flow2_reg] && flags2_reg == flags_ram[flow2_reg]);
      if (valid_reg[3]) assert (how3_reg == size_ram[flow3_reg][1:0] && flags3_reg == flags_ram[flow3_reg]);
      if (valid_reg[4]) assert (how4_reg == size_ram[flow4_reg][1:0] && flags4_reg == flags_ram[flow4_reg]);
      if (valid_reg[5]) assert (how5_reg == size_ram[flow5_reg][1:0]);
    end
  end
`endif
