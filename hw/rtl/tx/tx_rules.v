// SPDX-License-Identifier: Apache-2.0
// The rules of a trial: frames that are sent at given times, between the others, and the frame that tx_send asks for. This
// module knows nothing of pacing: tx_pacer asks in the word of each start whether a rule's frame takes its place.
//
// `due` is set for a frame that starts in `group` of this clock's word, if a rule's frame is due there; flow, octets
// and flags are then those of that frame. With `begun` (which needs `due`) it starts. Times are octets from the origin, the
// first word in which `running` is set.
//
// One rule is the candidate: of the rules that are still to send, the one with the smallest time; of equal ones, the one
// with the lowest number. It is due in the groups at its time or later. With its frame, its time grows by its period; without
// one it has sent for the last time. A new candidate is looked for after load, due 8 clocks after it at the earliest, and after
// each frame, due GUARD clocks after it at the earliest.
//
// send_we asks for one frame (rule_data, as a rule's), which is due in every group from the next clock on until it begins;
// no rule is due meanwhile. It is ignored unless `active`, and while a frame that was asked for waits, up to and including
// the clock in which that begins. load forgets it.
//
// load latches the number of rules (above 4 acts as 4). The tables can be written while the port is not sending, a half
// of a wide register with each strobe. They are 0 when the device is loaded. Without rules nothing changes here in a clock.
module tx_rules #(
  parameter GROUPS = 8,
  parameter GUARD = 16,                         // at least 8, at most 31
  parameter FLOW_LOG2 = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input                    clk,
  input                    rst,
  input                    load,
  input                    active,
  input                    running,
  input [31:0]             skip_words,
  input [2:0]              cfg_rules,
  // table writes
  input [1:0]              rule_index,
  input [1:0]              rule_time_we,        // low half, high half
  input [1:0]              rule_period_we,
  input                    rule_frame_we,
  input                    send_we,
  input [31:0]             rule_data,
  // the next frame
  input [GROUP_W-1:0]      group,
  output                   due,
  input                    begun,
  output reg [FLOW_LOG2-1:0] flow,
  output reg [13:0]        octets,
  output reg [2:0]         flags,
  output reg [31:0]        wait_words           // simulation only: so many words from this one, none is due
);
  localparam WORD_LOG2 = 3 + $clog2(GROUPS);
  localparam TIME_W = 57;                       // a time that has passed, and a period
  localparam WORDS_W = TIME_W + 1 - WORD_LOG2;  // a time in words, and its sign
  localparam [13:0] LEAST_OCTETS = 14'd54;
  // Clocks since load or the last frame: rules are read from FIRST on, one a clock; READ_FRAME: the candidate is known.
  localparam [31:0] GUARD32 = GUARD;
  localparam [4:0]  FIRST = GUARD32[4:0] - 5'd7, READ_FRAME = FIRST + 5'd5, LAST = FIRST + 5'd6;

  // ---------------------------------------------------------------- table
  reg [31:0] time_low_ram [0:3], period_low_ram [0:3];
  reg [23:0] time_high_ram [0:3], period_high_ram [0:3];
  reg [26:0] frame_ram [0:3];
  integer i;
  initial
    for (i = 0; i < 4; i = i + 1) begin
      time_low_ram[i]    = 32'd0;
      time_high_ram[i]   = 24'd0;
      period_low_ram[i]  = 32'd0;
      period_high_ram[i] = 24'd0;
      frame_ram[i]       = 27'd0;
    end
  wire table_we = rule_time_we != 2'd0 || rule_period_we != 2'd0 || rule_frame_we;

  // ---------------------------------------------------------------- from one frame to the next
  // All is in one block, so that a simulation passes by it without rules and frames asked for, and what reads a register
  // comes before what writes it. What is blocking is used in its own clock alone, and tables are written after they have been
  // read.
  reg [3:0]  armed_reg, sent_reg;               // one bit a rule: it is still to send; it has sent
  reg        ready_reg, sending_reg;            // the candidate may be due; a frame that was asked for waits
  reg [4:0]  clock_reg;
  reg [1:0]  index_reg, begun_index;            // index of the candidate
  reg        again_reg, begun_again;            // it has a period
  wire       armed = armed_reg != 4'd0;
  reg        looking, send, rule_begun;

  reg [TIME_W-1:0] next_ram [0:3];              // times of rules that have sent
  reg [TIME_W-1:0] time_reg, best_reg, next_reg, begun_next;
  reg [TIME_W-2:0] period_reg;
  reg              best_valid_reg, time_valid_reg;
  reg [1:0]        time_index_reg, read_index;
  reg [26:0]       frame;                       // frame as in a rule's register

  // Words from this one to that in which the candidate's time is, negative after it. A group is at the time or later if and
  // only if its number is at least time / 8, rounded up.
  reg [32:0]               words;
  reg [TIME_W:0]           time_up;
  reg signed [WORDS_W-1:0] passed_reg;          // words since the origin
  reg signed [WORDS_W-1:0] left_reg;
  reg                      word_reg, past_reg;  // left_reg is 0, is negative
  reg [GROUP_W-1:0]        group_reg;
  reg [WORDS_W-1:0]        passing, passed_next, left_next;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (load || armed || sending_reg || send_we) begin
      looking     = armed && !ready_reg && !sending_reg;
      send        = send_we && active && !sending_reg;
      rule_begun  = begun && !sending_reg;
      begun_index = index_reg;
      begun_again = again_reg;
      begun_next  = next_reg;

      // When.
      words       = {1'b0, skip_words} + 33'd1;
      time_up     = {1'b0, best_reg} + 58'd7;
      passing     = running ? {{(WORDS_W-33){1'b0}}, words} : {WORDS_W{1'b0}};
      passed_next = passed_reg + passing;
      left_next   = looking ? time_up[TIME_W:WORD_LOG2] - passed_next : left_reg - passing;
      if (!load && (ready_reg || looking && clock_reg == LAST)) begin
        left_reg <= left_next;
        word_reg <= left_next == {WORDS_W{1'b0}};
        past_reg <= left_next[WORDS_W-1];
      end
      if (looking && clock_reg == LAST) group_reg <= GROUPS == 1 ? {GROUP_W{1'b0}} : time_up[WORD_LOG2-1 -: GROUP_W];
      if (armed) passed_reg <= passed_next;
      if (load)  passed_reg <= {WORDS_W{1'b0}};

      // The candidate.
      if (send || looking && clock_reg == READ_FRAME) begin
        frame = send ? rule_data[26:0] : frame_ram[index_reg];
        flow   <= frame[FLOW_LOG2-1:0];
        octets <= frame[21:8] < LEAST_OCTETS ? LEAST_OCTETS : frame[21:8];
        flags  <= frame[26:24];
      end
      if (looking && clock_reg >= FIRST) begin
        if (clock_reg == LAST) begin
          next_reg  <= best_reg + {1'b0, period_reg};
          again_reg <= period_reg != {(TIME_W-1){1'b0}};
        end
        if (clock_reg == READ_FRAME) period_reg <= {period_high_ram[index_reg], period_low_ram[index_reg]};
        if (clock_reg == FIRST) best_valid_reg <= 1'b0;
        else if (clock_reg < READ_FRAME && time_valid_reg && (!best_valid_reg || time_reg < best_reg)) begin
          best_valid_reg <= 1'b1;
          best_reg       <= time_reg;
          index_reg      <= time_index_reg;
        end
        read_index = clock_reg[1:0] - FIRST[1:0];
        time_reg       <= sent_reg[read_index] ? next_ram[read_index]
                          : {1'b0, time_high_ram[read_index], time_low_ram[read_index]};
        time_valid_reg <= armed_reg[read_index];
        time_index_reg <= read_index;
      end
      if (rule_begun) next_ram[begun_index] = begun_next;
    end

    if (load) begin
      armed_reg   <= {cfg_rules > 3'd3, cfg_rules > 3'd2, cfg_rules > 3'd1, cfg_rules > 3'd0};
      sent_reg    <= 4'd0;
      clock_reg   <= FIRST;                     // nothing has to be kept at a distance at load
      ready_reg   <= 1'b0;
      sending_reg <= 1'b0;
    end else if (armed || sending_reg || send_we) begin
      if (begun) begin
        clock_reg   <= 5'd1;
        ready_reg   <= 1'b0;
        sending_reg <= 1'b0;
      end else if (looking) begin
        clock_reg <= clock_reg + 5'd1;
        ready_reg <= clock_reg == LAST;
      end
      if (rule_begun) begin
        sent_reg[begun_index]  <= 1'b1;
        armed_reg[begun_index] <= begun_again;
      end
      if (send) begin
        sending_reg <= 1'b1;
        ready_reg   <= 1'b0;                    // looked for again after this frame
      end
    end
    if (rst) begin
      armed_reg   <= 4'd0;
      ready_reg   <= 1'b0;
      sending_reg <= 1'b0;
    end

    if (table_we) begin
      if (rule_time_we[0])   time_low_ram[rule_index]    = rule_data;
      if (rule_time_we[1])   time_high_ram[rule_index]   = rule_data[23:0];
      if (rule_period_we[0]) period_low_ram[rule_index]  = rule_data;
      if (rule_period_we[1]) period_high_ram[rule_index] = rule_data[23:0];
      if (rule_frame_we)     frame_ram[rule_index]       = rule_data[26:0];
    end
  end
  /* verilator lint_on BLKSEQ */
  assign due = sending_reg || ready_reg && (past_reg || word_reg && group >= group_reg);

  always @*
    if (sending_reg || send_we && active)                wait_words = 32'd0;
    else if (!armed)                                     wait_words = 32'hFFFF_FFFF;
    else if (!ready_reg || past_reg || word_reg)         wait_words = 32'd0;
    else if (|left_reg[WORDS_W-1:32])                    wait_words = 32'hFFFF_FFFF;
    else                                                 wait_words = left_reg[31:0];

  wire unused = &{1'b0, time_up[2:0], frame, rule_data[31:27]};
`ifdef FORMAL
`include "tx_rules_properties.vh"
`endif
endmodule
