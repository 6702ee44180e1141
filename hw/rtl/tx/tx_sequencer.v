// SPDX-License-Identifier: Apache-2.0
// Decides what the frames of a trial are, in their order: whose turn it is, how long the frame is, what is special about
// it. One descriptor {flow, octets, flags} per frame, one per clock while there is room; it knows nothing of time and of
// how many frames will pass, so it works ahead until tx_fifo is full.
//
// Turns (order): 0 and 3: flows 0 to flows - 1; 1: drawn, as upper half of xorshift32 x flows / 2^16; 2: the table of
// turns. With cfg_every, frames n, 2n, 3n ... are of cfg_every_flow, and the flow whose turn it is has the next one: no turn
// and no draw of a flow is used up. Without flows (0) there are no descriptors. Lengths (bits 1:0 of a flow's size record): 0: frame_octets; 1: entries of the table of lengths in turn, with a
// position for each flow; 2: a drawn entry; 3: a drawn length. The draw of lengths is a second xorshift32, which steps only
// for a frame whose length is drawn. Both step once before each draw (Marsaglia 2003, shifts 13, 17, 5; seed 0 acts as 1).
// A length below 54 acts as 54: header, signature and FCS need them.
//
// load latches the settings and begins anew: draws, turns and positions. In clocks after load:
//   1 turn 0 is issued   2 its flow is known, records are read   3 record is known, draw   4 product or position
//   5 entry of the table of lengths is read   6 `valid` with the descriptor of frame 0; then one per clock in which `room`
//   was set 5 clocks earlier.
// So writes to the tables (at any time, one entry per clock) count for a frame if they precede these clocks: at the
// latest in the clock of load they count for all. Tables are 0 when the device is loaded.
module tx_sequencer #(
  parameter FLOW_LOG2 = 8,
  parameter EVERY_W = 32                     // narrower only in hw/formal
) (
  input                      clk,
  input                      rst,
  input                      load,
  input [1:0]                cfg_order,
  input [8:0]                cfg_flows,
  input [12:0]               cfg_turns,
  input [31:0]               cfg_seed,
  input [31:0]               cfg_size_seed,
  input [13:0]               cfg_frame_octets,
  input [EVERY_W-1:0]        cfg_every,
  input [FLOW_LOG2-1:0]      cfg_every_flow,
  // table writes
  input                      turn_we,
  input [11:0]               turn_index,
  input [7:0]                turn_flow,
  input                      size_we,
  input [9:0]                size_index,
  input [13:0]               size_octets,
  input [FLOW_LOG2-1:0]      flow_index,
  input                      flow_size_we,
  input [30:0]               flow_size,
  input                      flow_flags_we,
  input [2:0]                flow_flags,
  // descriptors
`ifdef FORMAL
  input [4:0]                f_held,          // entries that the FIFO holds
`endif
  input                      room,
  output                     valid,
  output [FLOW_LOG2-1:0]     flow,
  output [13:0]              octets,
  output [2:0]               flags
);
  localparam [13:0] LEAST_OCTETS = 14'd54;
  localparam [1:0]  IN_TURN = 2'd1, DRAWN_ENTRY = 2'd2, DRAWN_LENGTH = 2'd3;      // how
  localparam [1:0]  DRAWN_FLOW = 2'd1, TABLE_OF_TURNS = 2'd2;                     // order

  // ---------------------------------------------------------------- tables
  (* ram_style = "block" *) reg [7:0]  turn_ram [0:4095];
  (* ram_style = "block" *) reg [13:0] octets_ram [0:1023];
  (* ram_style = "block" *) reg [30:0] size_ram [0:(1<<FLOW_LOG2)-1];
  reg [2:0] flags_ram [0:(1<<FLOW_LOG2)-1];
  reg [9:0] position_ram [0:(1<<FLOW_LOG2)-1];
`ifndef FORMAL                                // there: any contents
  integer i;
  initial begin
    for (i = 0; i < 4096; i = i + 1) turn_ram[i] = 8'd0;
    for (i = 0; i < 1024; i = i + 1) octets_ram[i] = 14'd0;
    for (i = 0; i < 1 << FLOW_LOG2; i = i + 1) begin
      size_ram[i]     = 31'd0;
      flags_ram[i]    = 3'd0;
      position_ram[i] = 10'd0;
    end
  end
`endif
  wire table_we = turn_we || size_we || flow_size_we || flow_flags_we;

  // ---------------------------------------------------------------- the pipe
  // Numbers at the end of names are clocks after load, for frame 0. All clocks are in one block, so that a simulation passes
  // by it while the FIFO is full, and the last one first, so that it need not keep what registers were. What is blocking is
  // used in its own clock alone, and tables are written after they have been read.
  reg         loaded_reg;
  reg [5:1]   valid_reg;
  reg [1:0]   order_reg;
  reg [12:0]  turns_reg;                     // number of turns after which the first comes again
  reg [8:0]   flows_reg;
  reg [13:0]  frame_octets_reg;
  reg [31:0]  draw_reg;                      // stepped already
  reg [11:0]  turn_reg;
  wire        issue = loaded_reg && room;
  reg [12:0]  turn_next;
  reg [24:0]  flow_product;
  reg         every_reg;                     // there are such frames
  reg [EVERY_W-1:0] every_frames_reg, every_left_reg;
  reg [FLOW_LOG2-1:0] every_flow_reg;
  reg         other, turn, draw;             // other: one of cfg_every_flow
  reg [31:0]  from1, from1_13, from1_17;     // xorshift32

  reg [7:0]           table1_reg;
  reg [FLOW_LOG2-1:0] flow1_reg, flow2_reg, flow3_reg, flow4_reg, flow5_reg;
  reg                 table1_used_reg;       // the flow is that of the table
  wire [FLOW_LOG2-1:0] flow1 = table1_used_reg ? table1_reg[FLOW_LOG2-1:0] : flow1_reg;

  reg [30:0]  size2_reg;
  reg [2:0]   flags2_reg, flags3_reg, flags4_reg, flags5_reg;
  reg [31:0]  size_draw_reg;                 // stepped already
  reg         size_draw;
  reg [31:0]  from2, from2_13, from2_17;     // xorshift32
  wire [1:0]  how2 = size2_reg[1:0];

  // The position of a flow is 0 until it has been used in this trial. A flow may be used in adjacent clocks: then its
  // position is not yet in the memory.
  reg [1:0]   how3_reg;
  reg [13:0]  first3_reg;
  reg [14:0]  count3_reg;
  reg [15:0]  draw3_reg;
  reg [9:0]   position3_reg;
  reg         used3_reg, moved_reg;
  reg [9:0]   moved_position_reg;
  reg [FLOW_LOG2-1:0] moved_flow_reg;
  reg [(1<<FLOW_LOG2)-1:0] used_reg;
  reg         move;
  reg [9:0]   position3, position_step, position_next;

  reg [1:0]   how4_reg, how5_reg;
  reg [13:0]  first4_reg, offset4_reg;
  reg [30:0]  draw_product;
  reg [13:0]  chosen4, chosen5_reg, entry5_reg;

  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (load || issue || valid_reg[4:1] != 4'd0) begin
      // Clock 5: which length.
      if (valid_reg[4]) begin
        flow5_reg  <= flow4_reg;
        flags5_reg <= flags4_reg;
        how5_reg   <= how4_reg;
        chosen4    = first4_reg + offset4_reg;
        if (how4_reg == IN_TURN || how4_reg == DRAWN_ENTRY) entry5_reg <= octets_ram[chosen4[9:0]];
        if (how4_reg == DRAWN_LENGTH) chosen5_reg <= chosen4;
      end

      // Clock 4: its position, or a draw.
      move = valid_reg[3] && how3_reg == IN_TURN;
      if (move) begin
        position3     = moved_reg && moved_flow_reg == flow3_reg ? moved_position_reg : used3_reg ? position3_reg : 10'd0;
        position_step = position3 + 10'd1;
        position_next = {5'd0, position_step} == count3_reg ? 10'd0 : position_step;
        moved_flow_reg     <= flow3_reg;
        moved_position_reg <= position_next;
      end
      moved_reg <= move && !load;
      if (valid_reg[3]) begin
        flow4_reg  <= flow3_reg;
        flags4_reg <= flags3_reg;
        how4_reg   <= how3_reg;
        if (how3_reg != 2'd0) begin
          draw_product = {15'd0, draw3_reg} * {16'd0, count3_reg};
          first4_reg  <= first3_reg;
          offset4_reg <= how3_reg[1] ? draw_product[29:16] : {4'd0, position3};
        end
      end
      if (valid_reg[2] && how2 == IN_TURN) begin
        used3_reg     <= used_reg[flow2_reg];
        position3_reg <= position_ram[flow2_reg];
      end
      if (move) begin
        used_reg[flow3_reg]     <= 1'b1;
        position_ram[flow3_reg] = position_next;
      end
      if (load) used_reg <= {(1<<FLOW_LOG2){1'b0}};

      // Clock 3: its record is known.
      if (valid_reg[2]) begin
        flow3_reg  <= flow2_reg;
        flags3_reg <= flags2_reg;
        how3_reg   <= how2;
        if (how2 != 2'd0) begin
          first3_reg <= size2_reg[15:2];
          count3_reg <= size2_reg[30:16];
          draw3_reg  <= size_draw_reg[31:16];
        end
      end
      size_draw = valid_reg[2] && how2[1];
      if (load || size_draw) begin
        from2    = !load ? size_draw_reg : cfg_size_seed == 32'd0 ? 32'd1 : cfg_size_seed;
        from2_13 = from2 ^ {from2[18:0], 13'd0};
        from2_17 = from2_13 ^ {17'd0, from2_13[31:17]};
        size_draw_reg <= from2_17 ^ {from2_17[26:0], 5'd0};
      end

      // Clock 2: the flow is known.
      if (valid_reg[1]) begin
        flow2_reg  <= flow1;
        size2_reg  <= size_ram[flow1];
        flags2_reg <= flags_ram[flow1];
      end

      // Clock 1: whose turn it is.
      other = issue && every_reg && every_left_reg == {{(EVERY_W-1){1'b0}}, 1'b1};
      turn  = issue && !other;
      draw  = turn && order_reg == DRAWN_FLOW;
      if (turn && order_reg == TABLE_OF_TURNS) table1_reg <= turn_ram[turn_reg];
      if (issue) begin
        table1_used_reg <= !other && order_reg == TABLE_OF_TURNS;
        flow_product = {9'd0, draw_reg[31:16]} * {16'd0, flows_reg};
        flow1_reg <= other ? every_flow_reg
                     : order_reg == DRAWN_FLOW ? flow_product[16 +: FLOW_LOG2] : turn_reg[FLOW_LOG2-1:0];
      end
      if (load || draw) begin
        from1     = !load ? draw_reg : cfg_seed == 32'd0 ? 32'd1 : cfg_seed;
        from1_13  = from1 ^ {from1[18:0], 13'd0};
        from1_17  = from1_13 ^ {17'd0, from1_13[31:17]};
        draw_reg <= from1_17 ^ {from1_17[26:0], 5'd0};
      end
      turn_next = {1'b0, turn_reg} + 13'd1;
      if (turn) turn_reg <= turn_next == turns_reg ? 12'd0 : turn_next[11:0];
      if (issue && every_reg) every_left_reg <= other ? every_frames_reg : every_left_reg - 1'b1;
      if (load) begin
        order_reg        <= cfg_order;
        flows_reg        <= cfg_flows;
        turns_reg        <= cfg_order == TABLE_OF_TURNS ? cfg_turns : {4'd0, cfg_flows};
        frame_octets_reg <= cfg_frame_octets;
        turn_reg         <= 12'd0;
        every_reg        <= cfg_every != {EVERY_W{1'b0}};
        every_frames_reg <= cfg_every;
        every_left_reg   <= cfg_every;
        every_flow_reg   <= cfg_every_flow;
      end
    end
    valid_reg  <= load || rst ? 5'd0 : {valid_reg[4:1], issue};
    loaded_reg <= (load ? cfg_flows != 9'd0 : loaded_reg) && !rst;

    if (table_we) begin
      if (turn_we)       turn_ram[turn_index]   = turn_flow;
      if (size_we)       octets_ram[size_index] = size_octets;
      if (flow_size_we)  size_ram[flow_index]   = flow_size;
      if (flow_flags_we) flags_ram[flow_index]  = flow_flags;
    end
  end
  /* verilator lint_on BLKSEQ */

  // ---------------------------------------------------------------- clock 6: the descriptor
  reg [13:0] octets5;
  always @* begin
    octets5 = 14'dx;
    if (valid_reg[5]) octets5 = how5_reg == 2'd0 ? frame_octets_reg : how5_reg == DRAWN_LENGTH ? chosen5_reg : entry5_reg;
  end
  assign valid  = valid_reg[5];
  assign flow   = flow5_reg;
  assign octets = octets5 < LEAST_OCTETS ? LEAST_OCTETS : octets5;
  assign flags  = flags5_reg;

  wire unused = &{1'b0, flow_product, draw_product};
`ifdef FORMAL
`include "tx_sequencer_properties.vh"
`endif
endmodule
