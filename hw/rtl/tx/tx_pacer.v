// SPDX-License-Identifier: Apache-2.0
// Decides in which group of which word a frame starts. It is first in the transmit pipe; everything after it follows.
//
// It counts down the octets from the first octet of the current word to the ideal start of the next frame, and starts
// the frame in the group where that falls: the ideal start rounded down to 8 octets. That is the deficit idle count of
// IEEE 802.3 clause 46.3.1.4: a frame is up to 7 octets early, never late, and the average gap is exact.
// The average gap may have a fraction numerator/denominator (Bresenham's algorithm). After the last frame of a burst
// the gap is burst_gap_octets, a whole number; the fraction does not advance there. With a start for which phase_due is
// set, a phase begins: its gap is that after this frame (after the first one that is not the last of its burst), and its
// fraction begins at 0, as after load.
//
// Frames come as descriptors, at the head of tx_fifo; flow and flags only pass through. The step to the start after a
// frame is prepared when its descriptor is taken: at the earliest in the clock in which the frame before it starts. So
// starts in adjacent clocks are one adder apart. A frame that is due and whose descriptor has not come is late: `late` is
// set for one clock, and the schedule stands still until the frame can start.
//
// load latches the settings; LOAD_CLOCKS later is the word of the origin, and the first frame is due start_offset
// octets after it. That is as long as tx_sequencer and tx_fifo need for the first descriptor. halt ends it at once, also
// before the origin. start, group, flow, octets and flags belong to the word of this clock (from registers: latency 0).
//
// It does not count frames or know when to stop (tx_schedule). Lengths below one word would need two starts per word:
// a core of 16 groups would have two of these regions, each with half of the starts; this one never starts two.
// Proven by induction: hw/formal/tx_pacer_properties.vh.
module tx_pacer #(
  parameter GROUPS = 8,
  parameter LOAD_CLOCKS = 8,
  parameter FLOW_LOG2 = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input                    clk,
  input                    rst,
  input                    load,
  input                    halt,
  input [31:0]             skip_words,
  input [39:0]             start_offset,
  input [39:0]             gap_octets,
  input [31:0]             gap_numerator,     // below gap_denominator
  input [31:0]             gap_denominator,
  input [31:0]             burst_frames,      // 0: one burst without end
  input [39:0]             burst_gap_octets,
  input                    phase_coming,      // the next phase: see tx_phases
  input                    phase_due,
  input [41:0]             phase_step,
  input [41:0]             phase_step_plus,
  input [41:0]             phase_step1,
  input [41:0]             phase_step2,
  input [31:0]             phase_numerator,
  input [32:0]             phase_numerator_m_denominator,
  input [31:0]             phase_fraction1,
  input [31:0]             phase_fraction2,
  output                   phase_begun,
  input                    next_valid,        // the next descriptor
  input [FLOW_LOG2-1:0]    next_flow,
  input [13:0]             next_octets,
  input [2:0]              next_flags,
  output                   take,
  output                   start,
  output [GROUP_W-1:0]     group,
  output [FLOW_LOG2-1:0]   flow,
  output [13:0]            octets,
  output [2:0]             flags,
  output                   late,
  output                   loading,
  output                   running,
  output [41:0]            ahead_octets       // to the ideal start of the next frame
);
  localparam WORD_LOG2 = 3 + $clog2(GROUPS);
  localparam [41:0] WORD_OCTETS = 42'd1 << WORD_LOG2;
  localparam [41:0] PREAMBLE_OCTETS = 42'd8;

  // Settings: what a start adds to the count besides the frame, minus the word that passes meanwhile.
  localparam [41:0] REST = PREAMBLE_OCTETS - WORD_OCTETS;
  reg  [41:0] gap_step_reg, gap_step_plus_reg, burst_step_reg;
  reg  [31:0] numerator_reg, burst_frames_reg;
  reg  [32:0] numerator_m_denominator_reg;
  reg         bursts_reg;
  always @(posedge clk)
    if (load) begin
      gap_step_reg                <= REST + {2'd0, gap_octets};
      gap_step_plus_reg           <= REST + {2'd0, gap_octets} + 42'd1;
      burst_step_reg              <= REST + {2'd0, burst_gap_octets};
      numerator_reg               <= gap_numerator;
      numerator_m_denominator_reg <= {1'b0, gap_numerator} - {1'b0, gap_denominator};
      burst_frames_reg            <= burst_frames;
      bursts_reg                  <= burst_frames != 32'd0;
    end else if (phase_begun) begin
      gap_step_reg                <= phase_step;
      gap_step_plus_reg           <= phase_step_plus;
      numerator_reg               <= phase_numerator;
      numerator_m_denominator_reg <= phase_numerator_m_denominator;
    end

  // The clocks from load to the origin.
  reg [LOAD_CLOCKS-2:0] loading_reg;
  reg        running_reg;
  always @(posedge clk) begin
    loading_reg <= {loading_reg[LOAD_CLOCKS-3:0] & {(LOAD_CLOCKS-2){!halt}}, load} & {(LOAD_CLOCKS-1){!rst}};
    running_reg <= (loading_reg[LOAD_CLOCKS-2] || running_reg) && !halt && !rst;
  end
  assign loading = loading_reg != {(LOAD_CLOCKS-1){1'b0}};
  assign running = running_reg;

  reg        prepared_reg, late_reg;
  reg [41:0] ahead_reg;
  wire       due = running_reg && ahead_reg[41:WORD_LOG2] == 0;
  assign ahead_octets = ahead_reg;
  assign start        = due && prepared_reg;
  assign phase_begun  = start && phase_due;
  assign late         = due && !prepared_reg && !late_reg;
  assign take         = next_valid && (!prepared_reg || start) && !load;
  generate
    if (GROUPS == 1) begin : g_group
      assign group = 1'b0;
    end else begin : g_group
      assign group = ahead_reg[WORD_LOG2-1:3];
    end
  endgenerate

  // The prepared frame, and the step from its start to the next one; another if a phase begins with it.
  reg [41:0] step_reg, begin_step_reg;
  reg        last_reg;                        // last of its burst
  reg [31:0] fraction_reg, burst_left_reg;
  reg [FLOW_LOG2-1:0] flow_reg;
  reg [13:0] octets_reg;
  reg [2:0]  flags_reg;
  assign flow   = flow_reg;
  assign octets = octets_reg;
  assign flags  = flags_reg;
  wire        burst_last = bursts_reg && burst_left_reg == 32'd1;
  wire [32:0] fraction_over = {1'b0, fraction_reg} + numerator_m_denominator_reg;
  wire        carry = !fraction_over[32];
  wire [41:0] next_octets_wide = {28'd0, next_octets};
  wire [41:0] octets_wide = {28'd0, octets_reg};
  always @(posedge clk) begin
    if (load) begin
      fraction_reg   <= 32'd0;
      burst_left_reg <= burst_frames;
    end else begin
      if (phase_begun) fraction_reg <= last_reg ? 32'd0 : phase_fraction1;
      if (take) begin
        flow_reg   <= next_flow;
        octets_reg <= next_octets;
        flags_reg  <= next_flags;
        last_reg   <= burst_last;
        step_reg   <= burst_last ? next_octets_wide + burst_step_reg
                      : phase_begun ? (last_reg ? next_octets_wide + phase_step1 : next_octets_wide + phase_step2)
                      : carry ? next_octets_wide + gap_step_plus_reg : next_octets_wide + gap_step_reg;
        burst_left_reg <= burst_last ? burst_frames_reg : burst_left_reg - 32'd1;
        if (!burst_last)
          fraction_reg <= phase_begun ? (last_reg ? phase_fraction1 : phase_fraction2)
                          : carry ? fraction_over[31:0] : fraction_reg + numerator_reg;
      end
      if (phase_coming) begin
        if (take) begin_step_reg <= burst_last ? next_octets_wide + burst_step_reg : next_octets_wide + phase_step1;
        else      begin_step_reg <= last_reg ? octets_wide + burst_step_reg : octets_wide + phase_step1;
      end
    end
    prepared_reg <= (take || prepared_reg && !start) && !load && !rst;
    late_reg     <= (late || late_reg) && !start && !load;
  end

  // Words that pass in this clock: 1; more only in simulation. None for the schedule while a frame is late.
  wire [41:0] words_passed = {10'd0, skip_words} + 42'd1;
  always @(posedge clk)
    if (load)             ahead_reg <= {2'd0, start_offset};
    else if (start)       ahead_reg <= ahead_reg + (phase_due ? begin_step_reg : step_reg);
    else if (running_reg && !due) ahead_reg <= ahead_reg - (words_passed << WORD_LOG2);
`ifdef FORMAL
`include "tx_pacer_properties.vh"
`endif
endmodule
