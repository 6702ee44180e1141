// files: tx/tx_sequencer.v
// mode: induction depth=1 base=9 cover=16 mutants=14
// deep: mutants=32
// size: tx_every of 4 bits
// mutant turn_beyond_the_last: s/turn_next == turns_reg/turn_next > turns_reg/
// slow issues_without_room: s/turn  = issue \&\& /turn  = loaded_reg \&\& /
// slow load_leaves_one_on_its_way: s/<= load || rst ? 5'd0 :/<= load || rst ? {2'd0, valid_reg[2] \&\& !rst, 2'd0} :/
// slow a_flow_comes_twice: s/flow2_reg  <= flow1;/flow2_reg  <= valid_reg[2] ? flow2_reg : flow1;/
// mutant length_of_53: s/octets5 < LEAST_OCTETS ?/octets5 <= LEAST_OCTETS - 2 ?/
// mutant table_in_turn: s/table1_used_reg <= !other \&\& order_reg == /table1_used_reg <= !other \&\& order_reg != /
// mutant every_uses_a_turn_up: s/if (turn) turn_reg/if (issue) turn_reg/
// mutant every_one_late: s/every_left_reg   <= cfg_every;/every_left_reg   <= cfg_every + 1;/
// mutant every_only_once: s/other ? every_frames_reg :/other ? 0 :/
// mutant frames_without_flows: s/load ? cfg_flows != 9'd0/load ? 1'b1/
// SPDX-License-Identifier: Apache-2.0
// tx_sequencer: no turn is skipped or doubled, whenever there is room, in turn and by the table of turns, whatever cfg_every
// says; and a FIFO whose `room` it follows does not overflow. Lengths by drawing are left to tests/rtl/tb_tx_sequencer.cpp.
// The proven properties are in tx_sequencer_properties.vh.
module tx_sequencer_formal (
  input clk,
  input rst,
  input load,
  input pop
);
  // Any settings and tables; constant, because tables are not written in a trial.
  (* anyconst *) reg [1:0] order;
  (* anyconst *) reg [8:0] flows;
  (* anyconst *) reg [3:0] every;
  (* anyconst *) reg [7:0] every_flow;
  (* anyconst *) reg [12:0] turns;
  (* anyconst *) reg [13:0] frame_octets;
  wire valid;
  // tx_fifo, as far as it counts
  reg [4:0] held = 0;
  always @(posedge clk) held <= rst || load ? 5'd0 : held + {4'd0, valid} - {4'd0, pop};
  always @* if (pop) assume (held != 0);
  // The FIFO never has to hold more than its 16 entries.
  always @* if (!rst) fifo_holds_all: assert (held <= 5'd16);
  tx_sequencer #(.FLOW_LOG2(8), .EVERY_W(4)) dut (
    .clk(clk), .rst(rst), .load(load), .cfg_order(order), .cfg_flows(flows), .cfg_turns(turns), .cfg_seed(32'd1),
    .cfg_size_seed(32'd1), .cfg_frame_octets(frame_octets), .cfg_every(every), .cfg_every_flow(every_flow), .turn_we(1'b0), .turn_index(12'd0), .turn_flow(8'd0),
    .size_we(1'b0), .size_index(10'd0), .size_octets(14'd0), .flow_index(8'd0), .flow_size_we(1'b0), .flow_size(31'd0),
    .flow_flags_we(1'b0), .flow_flags(3'd0), .f_held(held), .room(held < 5'd11), .valid(valid), .flow(), .octets(),
    .flags());
endmodule
