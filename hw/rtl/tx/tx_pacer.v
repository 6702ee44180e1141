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
// Frames have places, one after another, and the gap after a place is prepared while the frame before it starts. Most
// places are for the frames that come as descriptors, at the head of tx_fifo. A place for which rule_due is set is for the
// rule's frame, and the descriptor has the next place; no phase begins there. flow and flags of a frame only pass through.
// A start adds to the count the octets of its frame and the gap of its place, which are there: so starts in adjacent clocks
// are one adder (of three numbers) apart. A frame that is due and whose descriptor has not come is late: `late` is set for one
// clock, and the schedule stands still until a frame can start. With only_rules it stands there in the same way, but that is
// not late: `waiting`. With hold no frame starts; from when the next one is due the schedule stands still in the same way,
// and `held` says in each word that the frame could start but for that. So what follows is later by as many whole words.
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
  parameter GAP_W = 40,                       // all three narrower only in hw/formal
  parameter FRACTION_W = 32,
  parameter BURST_W = 32,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS),
  parameter STEP_W = GAP_W + 2
) (
  input                    clk,
  input                    rst,
  input                    load,
  input                    halt,
  input [31:0]             skip_words,
  input [GAP_W-1:0]        start_offset,
  input [GAP_W-1:0]        gap_octets,
  input [FRACTION_W-1:0]   gap_numerator,     // is below gap_denominator
  input [FRACTION_W-1:0]   gap_denominator,
  input [BURST_W-1:0]      burst_frames,      // 0: one burst without end
  input [GAP_W-1:0]        burst_gap_octets,
  input                    only_rules,        // there will be no descriptors
  input                    phase_due,         // the next phase: see tx_phases
  input [STEP_W-1:0]       phase_step,
  input [STEP_W-1:0]       phase_step_plus,
  input [STEP_W-1:0]       phase_step1,
  input [STEP_W-1:0]       phase_step2,
  input [FRACTION_W-1:0]   phase_numerator,
  input [FRACTION_W:0]     phase_numerator_m_denominator,
  input [FRACTION_W-1:0]   phase_fraction1,
  input [FRACTION_W-1:0]   phase_fraction2,
  output                   phase_begun,
  input                    rule_due,          // a rule's frame: see tx_rules
  input [FLOW_LOG2-1:0]    rule_flow,
  input [13:0]             rule_octets,
  input [2:0]              rule_flags,
  output                   rule_begun,
  input                    hold,
  input                    next_valid,        // the next descriptor
  input [FLOW_LOG2-1:0]    next_flow,
  input [13:0]             next_octets,
  input [3:0]              next_flags,         // bit 3: a TCP segment
  output                   take,
  output                   start,
  output [GROUP_W-1:0]     group,
  output [FLOW_LOG2-1:0]   flow,
  output [13:0]            octets,
  output [3:0]             flags,
  output                   late,
  output                   waiting,
  output                   held,
  output                   loading,
  output                   running,
  output [STEP_W-1:0]      ahead_octets       // octets to the ideal start of the next frame
);
  localparam WORD_LOG2 = 3 + $clog2(GROUPS);
  localparam [STEP_W-1:0] ONE = {{(STEP_W-1){1'b0}}, 1'b1};
  localparam [STEP_W-1:0] PREAMBLE_OCTETS = {{(STEP_W-4){1'b0}}, 4'd8};

  // Settings: what a start adds to the count besides the frame, minus the word that passes meanwhile.
  localparam [STEP_W-1:0] REST = PREAMBLE_OCTETS - (ONE << WORD_LOG2);
  reg  [STEP_W-1:0]     gap_step_reg, gap_step_plus_reg, burst_step_reg;
  reg  [FRACTION_W-1:0] numerator_reg;
  reg  [FRACTION_W:0]   numerator_m_denominator_reg;
  reg  [BURST_W-1:0]    burst_frames_reg;
  reg                   bursts_reg, only_rules_reg;
  always @(posedge clk)
    if (load) begin
      gap_step_reg                <= REST + {2'd0, gap_octets};
      gap_step_plus_reg           <= REST + {2'd0, gap_octets} + ONE;
      burst_step_reg              <= REST + {2'd0, burst_gap_octets};
      numerator_reg               <= gap_numerator;
      numerator_m_denominator_reg <= {1'b0, gap_numerator} - {1'b0, gap_denominator};
      burst_frames_reg            <= burst_frames;
      bursts_reg                  <= burst_frames != {BURST_W{1'b0}};
      only_rules_reg              <= only_rules;
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

  // ---------------------------------------------------------------- starts
  // place: the start of the next place falls into this word; due: and nothing holds it.
  reg              prepared_reg, late_reg;
  reg [STEP_W-1:0] ahead_reg;
  wire             place = running_reg && ahead_reg[STEP_W-1:WORD_LOG2] == 0;
  wire             due = place && !hold;
  wire             turn = due && prepared_reg && !rule_due;      // the descriptor's frame starts
  assign ahead_octets = ahead_reg;
  assign rule_begun   = due && rule_due;
  assign start        = due && (prepared_reg || rule_due);
  assign phase_begun  = turn && phase_due;
  assign waiting      = place && only_rules_reg;
  assign held         = place && hold && (prepared_reg || rule_due);
  assign late         = due && !prepared_reg && !rule_due && !late_reg && !only_rules_reg;
  generate
    if (GROUPS == 1) begin : g_group
      assign group = 1'b0;
    end else begin : g_group
      assign group = ahead_reg[WORD_LOG2-1:3];
    end
  endgenerate

  // The descriptor of the frame to start next, unless that is a rule's.
  reg [FLOW_LOG2-1:0] flow_reg;
  reg [13:0] octets_reg;
  reg [3:0]  flags_reg;
  assign take   = next_valid && (!prepared_reg || turn) && !load;
  assign flow   = rule_due ? rule_flow : flow_reg;
  assign octets = rule_due ? rule_octets : octets_reg;
  assign flags  = rule_due ? {1'b0, rule_flags} : flags_reg;
  always @(posedge clk) begin
    if (take) begin
      flow_reg   <= next_flow;
      octets_reg <= next_octets;
      flags_reg  <= next_flags;
    end
    prepared_reg <= (take || prepared_reg && !turn) && !load && !rst;
    late_reg     <= (late || late_reg) && !start && !load;
  end

  // ---------------------------------------------------------------- the next place
  // step_reg: its gap (or, if a phase begins in it, that of the phase); fraction_reg and burst_left_reg: after it.
  // The first place is prepared in the clock after load.
  reg [STEP_W-1:0]     step_reg;
  reg                  last_reg;              // last of its burst
  reg [FRACTION_W-1:0] fraction_reg;
  reg [BURST_W-1:0]    burst_left_reg;
  wire                burst_last = bursts_reg && burst_left_reg == {{(BURST_W-1){1'b0}}, 1'b1};
  wire [FRACTION_W:0] fraction_over = {1'b0, fraction_reg} + numerator_m_denominator_reg;
  wire                carry = !fraction_over[FRACTION_W];
  always @(posedge clk) begin
    if (load) begin
      fraction_reg   <= {FRACTION_W{1'b0}};
      burst_left_reg <= burst_frames;
    end else if (loading_reg[0] || start) begin
      last_reg       <= burst_last;
      burst_left_reg <= burst_last ? burst_frames_reg : burst_left_reg - 1'b1;
      step_reg       <= burst_last ? burst_step_reg
                        : phase_begun ? (last_reg ? phase_step1 : phase_step2)
                        : carry ? gap_step_plus_reg : gap_step_reg;
      if (phase_begun)      fraction_reg <= burst_last ? (last_reg ? {FRACTION_W{1'b0}} : phase_fraction1)
                                            : last_reg ? phase_fraction1 : phase_fraction2;
      else if (!burst_last) fraction_reg <= carry ? fraction_over[FRACTION_W-1:0] : fraction_reg + numerator_reg;
    end
  end

  // Words that pass in this clock: 1; more only in simulation. None for the schedule while a frame is late or held.
  wire [41:0]       words_passed = {10'd0, skip_words} + 42'd1;
  wire [STEP_W-1:0] frame_step = {{(STEP_W-14){1'b0}}, octets};
  wire [STEP_W-1:0] gap_step = phase_due && !rule_due && !last_reg ? phase_step1 : step_reg;
  always @(posedge clk)
    if (load)             ahead_reg <= {2'd0, start_offset};
    else if (start)       ahead_reg <= ahead_reg + frame_step + gap_step;
    else if (running_reg && !place) ahead_reg <= ahead_reg - (words_passed << WORD_LOG2);
`ifdef FORMAL
`include "tx_pacer_properties.vh"
`endif
endmodule
