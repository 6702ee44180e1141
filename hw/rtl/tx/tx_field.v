// SPDX-License-Identifier: Apache-2.0
// One field of every flow: its tables, its position in each flow, its generator. Part of tx_fields, which says what the
// tables mean, has the kinds and the pipe; the numbers at the end of names are clocks after its
// frame_valid.
//
// The draw is xorshift32 (Marsaglia 2003, shifts 13, 17, 5; seed 0 acts as 1), stepped once before each draw.
module tx_field #(
  parameter FLOW_LOG2 = 8
) (
  input                 clk,
  input                 load,
  input                 active,              // load, or any of `any`
  input [31:0]          seed,
  // table writes
  input [FLOW_LOG2-1:0] write_flow,
  input                 table_we,            // one of the following
  input                 start_we,
  input                 step_we,
  input                 mask_we,
  input                 count_we,
  input [31:0]          data,
  input                 value_we,
  input [11:0]          value_index,
  input [31:0]          value_data,
  // frames whose flow has a field; kind 0: not this one
  input [5:1]           any,
  input [FLOW_LOG2-1:0] flow1,
  input [FLOW_LOG2-1:0] flow2,
  input [FLOW_LOG2-1:0] flow3,
  input [FLOW_LOG2-1:0] flow4,
  input [1:0]           kind1,
  input [1:0]           kind2,
  input [1:0]           kind3,
  input [1:0]           kind4,
  input [1:0]           kind5,
  input                 used3,               // not the first frame of its flow in this trial
  input                 again3,              // the frame one clock before was of the same flow
  output reg [31:0]     value
);
  localparam [1:0] NONE = 2'd0, INCREMENT = 2'd1, LIST = 2'd2, DRAW = 2'd3;       // kind

  // ---------------------------------------------------------------- tables
  (* ram_style = "block" *) reg [31:0] start_ram [0:(1<<FLOW_LOG2)-1];
  (* ram_style = "block" *) reg [31:0] step_ram [0:(1<<FLOW_LOG2)-1];
  (* ram_style = "block" *) reg [31:0] mask_ram [0:(1<<FLOW_LOG2)-1];
  (* ram_style = "block" *) reg [24:0] count_ram [0:(1<<FLOW_LOG2)-1];
  (* ram_style = "block" *) reg [23:0] position_ram [0:(1<<FLOW_LOG2)-1];
  (* ram_style = "block" *) reg [31:0] offset_ram [0:(1<<FLOW_LOG2)-1];           // position x step
  (* ram_style = "block" *) reg [31:0] value_ram [0:4095];  // one for each field, because all may read it in a clock

  // All clocks are in one block, so that a simulation skips it with `active`, and the last one first, so that it need not keep
  // what registers were. What is blocking is used in its own clock alone, and tables are written after they have been read.
  reg [31:0] draw_reg;                       // stepped already
  reg [31:0] from, from_13, from_17;
  reg [24:0] count2_reg;
  reg [36:0] high3_reg, low3_reg;
  reg [23:0] last3_reg, position3_reg;
  reg [31:0] start3_reg, step3_reg, offset3_reg;
  reg        stepped3, stepped_reg, last3;
  reg [23:0] position, position_next, stored_position_reg;
  reg [31:0] offset, offset_next, stored_offset_reg;
  reg [36:0] product;                        // product of all 24 bits and count, from bit 12 on
  reg [31:0] addend4_reg, start4_reg;
  reg [4:0]  shift4_reg;
  reg [11:0] entry4_reg;                     // entry of the table of values
  reg [31:0] addend5_reg, start5_reg, mask5_reg, value5_reg;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (active) begin
      // Clock 5.
      if (any[5])
        case (kind5)
          NONE:    value <= 32'd0;
          LIST:    value <= value5_reg & mask5_reg;
          default: value <= start5_reg + addend5_reg & mask5_reg;
        endcase

      // Clock 4.
      if (any[4]) begin
        start5_reg <= start4_reg;
        if (kind4 == INCREMENT) addend5_reg <= addend4_reg;
        if (kind4 == DRAW)      addend5_reg <= addend4_reg << shift4_reg;
        if (kind4 == LIST)      value5_reg  <= value_ram[entry4_reg];
      end
      if (any[4] && kind4 != NONE) mask5_reg <= mask_ram[flow4];

      // Clock 3: the position, and the next one. It is 0 until the flow has been used in this trial. What the frame one
      // clock before has stored is not yet read.
      stepped3 = any[3] && (kind3 == INCREMENT || kind3 == LIST);
      position = again3 && stepped_reg ? stored_position_reg : used3 ? position3_reg : 24'd0;
      offset   = again3 && stepped_reg ? stored_offset_reg : used3 ? offset3_reg : 32'd0;
      product  = high3_reg + {12'd0, low3_reg[36:12]};
      last3    = position == last3_reg;
      position_next = last3 ? 24'd0 : position + 24'd1;
      offset_next   = last3 ? 32'd0 : offset + step3_reg;
      if (any[3]) begin
        stepped_reg <= stepped3;
        start4_reg  <= start3_reg;
        if (kind3 == INCREMENT) addend4_reg <= offset;
        if (kind3 == LIST) entry4_reg <= start3_reg[11:0] + position[11:0];
        if (kind3 == DRAW) begin
          addend4_reg <= {8'd0, product[35:12]};
          shift4_reg  <= step3_reg[4:0];
        end
      end
      if (stepped3) stored_position_reg <= position_next;
      if (stepped3 && kind3 == INCREMENT) stored_offset_reg <= offset_next;

      // Clock 2: draw, 24 bits x count in two halves, so that each product fits a multiplier. Or position.
      if (any[2] && kind2 == DRAW) begin
        high3_reg <= {25'd0, draw_reg[31:20]} * {12'd0, count2_reg};
        low3_reg  <= {25'd0, draw_reg[19:8]} * {12'd0, count2_reg};
      end
      if (load || any[2] && kind2 == DRAW) begin
        from     = !load ? draw_reg : seed == 32'd0 ? 32'd1 : seed;
        from_13  = from ^ {from[18:0], 13'd0};
        from_17  = from_13 ^ {17'd0, from_13[31:17]};
        draw_reg <= from_17 ^ {from_17[26:0], 5'd0};
      end
      if (any[2] && kind2 != NONE) start3_reg <= start_ram[flow2];
      if (any[2] && kind2[0]) step3_reg <= step_ram[flow2];
      if (any[2] && (kind2 == INCREMENT || kind2 == LIST)) begin
        last3_reg     <= count2_reg[23:0] - 24'd1;
        position3_reg <= position_ram[flow2];
      end
      if (any[2] && kind2 == INCREMENT) offset3_reg <= offset_ram[flow2];

      // Clock 1.
      if (any[1] && kind1 != NONE) count2_reg <= count_ram[flow1];

      if (stepped3) position_ram[flow3] = position_next;
      if (stepped3 && kind3 == INCREMENT) offset_ram[flow3] = offset_next;
    end
    if (table_we) begin
      if (start_we) start_ram[write_flow] = data;
      if (step_we)  step_ram[write_flow]  = data;
      if (mask_we)  mask_ram[write_flow]  = data;
      if (count_we) count_ram[write_flow] = data[24:0];
    end
    if (value_we) value_ram[value_index] = value_data;
  end
  /* verilator lint_on BLKSEQ */

  wire unused = &{1'b0, product, low3_reg};
endmodule
