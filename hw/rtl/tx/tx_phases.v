// SPDX-License-Identifier: Apache-2.0
// The phases of a trial: when the gap changes next, and to what. tx_pacer asks in the word of each start; this module
// knows nothing of frames.
//
// `due` is set for a frame that starts in `group` of this clock's word, if the start of that group is at the phase's time
// or later: octets from the origin, the first word in which `running` is set. With `begun` (which needs `due`) the phase
// begins; the next one is prepared meanwhile and not due for GUARD words. The values of the phase are there in each
// clock in which it is due:
//   step, step_plus, numerator, numerator_m_denominator     as in tx_pacer
//   step1, fraction1, step2, fraction2                      its first and its second step, and the fraction after each
// load latches the number of phases (above 7 acts as 7); phase 1 may be due 7 clocks later. A table entry is read in the
// first clock after load, or in the second after `begun`; it can be written at any time, a half of a wide register with
// each strobe. It is 0 when the device is loaded. After the last phase nothing changes here in a clock.
module tx_phases #(
  parameter GROUPS = 8,
  parameter GUARD = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input                    clk,
  input                    rst,
  input                    load,
  input                    running,
  input [31:0]             skip_words,
  input [3:0]              cfg_phases,
  // table writes
  input [2:0]              phase_index,
  input [1:0]              phase_time_we,       // low half, high half
  input [1:0]              phase_gap_octets_we,
  input                    phase_gap_numerator_we,
  input                    phase_gap_denominator_we,
  input [31:0]             phase_data,
  // the next phase
  input [GROUP_W-1:0]      group,
  output                   due,
  input                    begun,
  output reg [41:0]        step,
  output reg [41:0]        step_plus,
  output reg [41:0]        step1,
  output reg [41:0]        step2,
  output reg [31:0]        numerator,
  output reg [32:0]        numerator_m_denominator,
  output reg [31:0]        fraction1,
  output reg [31:0]        fraction2
);
  localparam WORD_LOG2 = 3 + $clog2(GROUPS);
  localparam WORDS_W = 58 - WORD_LOG2;          // a time in words, and its sign
  localparam [41:0] REST = 42'd8 - (42'd1 << WORD_LOG2);   // preamble, minus the word that passes
  localparam [31:0] GUARD32 = GUARD;

  // ---------------------------------------------------------------- table
  reg [31:0] time_low_ram [0:7];
  reg [23:0] time_high_ram [0:7];
  reg [31:0] gap_low_ram [0:7];
  reg [7:0]  gap_high_ram [0:7];
  reg [31:0] numerator_ram [0:7], denominator_ram [0:7];
  integer i;
  initial
    for (i = 0; i < 8; i = i + 1) begin
      time_low_ram[i]    = 32'd0;
      time_high_ram[i]   = 24'd0;
      gap_low_ram[i]     = 32'd0;
      gap_high_ram[i]    = 8'd0;
      numerator_ram[i]   = 32'd0;
      denominator_ram[i] = 32'd0;
    end
  wire table_we = phase_time_we != 2'd0 || phase_gap_octets_we != 2'd0 || phase_gap_numerator_we || phase_gap_denominator_we;

  // ---------------------------------------------------------------- from one phase to the next
  // All is in one block, so that a simulation passes by it when there is no next phase, and what reads a register comes
  // before what writes it. What is blocking is used in its own clock alone, and tables are written after they have been read.
  //
  // clock_reg: clocks since load or since the last phase began, up to GUARD; pending_reg: there is a next phase.
  reg         pending_reg, ready_reg;
  reg [2:0]   index_reg, phases_reg;
  reg [3:0]   clock_reg;
  reg [31:0]  denominator_reg;
  reg [55:0]  time_reg;
  reg [32:0]  over2;                            // fraction 1 and one step

  // Words from this one to that in which the phase's time is, negative after it. A group is at the time or later if and
  // only if its number is at least time / 8, rounded up.
  reg [32:0]               words;
  reg [56:0]               time_up;
  reg signed [WORDS_W-1:0] passed_reg;          // words since the origin
  reg signed [WORDS_W-1:0] left_reg;
  reg                      word_reg, past_reg;  // left_reg is 0, is negative
  reg [GROUP_W-1:0]        group_reg;
  reg [WORDS_W-1:0]        passing, passed_next, left_next;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (pending_reg) begin
      // When.
      words       = {1'b0, skip_words} + 33'd1;
      time_up     = {1'b0, time_reg} + 57'd7;
      passing     = running ? {{(WORDS_W-33){1'b0}}, words} : {WORDS_W{1'b0}};
      passed_next = passed_reg + passing;
      left_next   = clock_reg == GUARD32[3:0] - 4'd5 ? {1'b0, time_up[56:WORD_LOG2]} - passed_next : left_reg - passing;
      passed_reg <= passed_next;
      left_reg   <= left_next;
      word_reg   <= left_next == {WORDS_W{1'b0}};
      past_reg   <= left_next[WORDS_W-1];

      // Prepare: one sum a clock, the last one first.
      if (!ready_reg) begin
        group_reg <= GROUPS == 1 ? {GROUP_W{1'b0}} : time_up[WORD_LOG2-1 -: GROUP_W];
        if (clock_reg == GUARD32[3:0] - 4'd3) begin
          over2 = {1'b0, fraction1} + numerator_m_denominator;
          step2     <= over2[32] ? step : step_plus;
          fraction2 <= over2[32] ? fraction1 + numerator : over2[31:0];
        end
        if (clock_reg == GUARD32[3:0] - 4'd4) begin
          step1     <= numerator_m_denominator[32] ? step : step_plus;
          fraction1 <= numerator_m_denominator[32] ? numerator : numerator_m_denominator[31:0];
        end
        if (clock_reg == GUARD32[3:0] - 4'd5) begin
          step_plus               <= step + 42'd1;
          numerator_m_denominator <= {1'b0, numerator} - {1'b0, denominator_reg};
        end
        if (clock_reg == GUARD32[3:0] - 4'd6) begin
          time_reg        <= {time_high_ram[index_reg], time_low_ram[index_reg]};
          step            <= {2'd0, gap_high_ram[index_reg], gap_low_ram[index_reg]} + REST;
          numerator       <= numerator_ram[index_reg];
          denominator_reg <= denominator_ram[index_reg];
        end
        ready_reg <= clock_reg == GUARD32[3:0] - 4'd1;
        clock_reg <= clock_reg + 4'd1;
      end
      if (begun) begin
        pending_reg <= index_reg != phases_reg;
        index_reg   <= index_reg + 3'd1;
        clock_reg   <= 4'd1;
        ready_reg   <= 1'b0;
      end
    end
    if (load) begin
      passed_reg  <= {WORDS_W{1'b0}};
      pending_reg <= cfg_phases != 4'd0;
      phases_reg  <= cfg_phases > 4'd7 ? 3'd7 : cfg_phases[2:0];
      index_reg   <= 3'd1;
      clock_reg   <= GUARD32[3:0] - 4'd6;       // nothing has to be kept at a distance at load
      ready_reg   <= 1'b0;
    end
    if (rst) {pending_reg, ready_reg} <= 2'd0;

    if (table_we) begin
      if (phase_time_we[0])         time_low_ram[phase_index]    = phase_data;
      if (phase_time_we[1])         time_high_ram[phase_index]   = phase_data[23:0];
      if (phase_gap_octets_we[0])   gap_low_ram[phase_index]     = phase_data;
      if (phase_gap_octets_we[1])   gap_high_ram[phase_index]    = phase_data[7:0];
      if (phase_gap_numerator_we)   numerator_ram[phase_index]   = phase_data;
      if (phase_gap_denominator_we) denominator_ram[phase_index] = phase_data;
    end
  end
  /* verilator lint_on BLKSEQ */
  assign due = ready_reg && (past_reg || word_reg && group >= group_reg);

  wire unused = &{1'b0, time_up[2:0]};
endmodule
