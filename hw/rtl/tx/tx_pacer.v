// SPDX-License-Identifier: Apache-2.0
// Decides in which group of which word a frame starts. It is first in the transmit pipe; everything after it follows.
//
// It counts down the octets from the first octet of the current word to the ideal start of the next frame, and starts
// the frame in the group where that falls: the ideal start rounded down to 8 octets. That is the deficit idle count of
// IEEE 802.3 clause 46.3.1.4: a frame is up to 7 octets early, never late, and the average gap is exact.
// The average gap may have a fraction numerator/denominator (Bresenham's algorithm). After the last frame of a burst
// the gap is burst_gap_octets, a whole number; the fraction does not advance there.
//
// load latches the settings; the word of the second clock after it is the origin, where the first frame starts. halt
// ends it at once. start and group belong to the word of this clock (combinational from registers: latency 0). The
// increment of the next start is ready before it is needed, so starts in adjacent clocks are one adder apart.
//
// It does not count frames or know when to stop (tx_schedule). Lengths below one word would need two starts per word:
// a core of 16 groups would have two of these regions, each with half of the starts; this one never starts two.
// Proven by induction: hw/formal/tx_pacer_properties.vh.
module tx_pacer #(
  parameter GROUPS = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input                    clk,
  input                    rst,
  input                    load,
  input                    halt,
  input [31:0]             skip_words,
  input [13:0]             frame_octets,
  input [39:0]             gap_octets,
  input [31:0]             gap_numerator,     // below gap_denominator
  input [31:0]             gap_denominator,
  input [31:0]             burst_frames,      // 0: one burst without end
  input [39:0]             burst_gap_octets,
  output                   start,
  output [GROUP_W-1:0]     group,
  output                   running,
  output [41:0]            ahead_octets       // to the ideal start of the next frame
);
  localparam WORD_LOG2 = 3 + $clog2(GROUPS);
  localparam [41:0] WORD_OCTETS = 42'd1 << WORD_LOG2;
  localparam [41:0] PREAMBLE_OCTETS = 42'd8;

  // Settings: what a start adds to the count, minus the word that passes meanwhile.
  wire [41:0] frame_m_word = {28'd0, frame_octets} + PREAMBLE_OCTETS - WORD_OCTETS;
  reg  [41:0] gap_step_reg, gap_step_plus_reg, burst_step_reg;
  reg  [31:0] numerator_reg, burst_frames_reg;
  reg  [32:0] numerator_m_denominator_reg;
  reg         bursts_reg;
  always @(posedge clk)
    if (load) begin
      gap_step_reg                <= frame_m_word + {2'd0, gap_octets};
      gap_step_plus_reg           <= frame_m_word + {2'd0, gap_octets} + 42'd1;
      burst_step_reg              <= frame_m_word + {2'd0, burst_gap_octets};
      numerator_reg               <= gap_numerator;
      numerator_m_denominator_reg <= {1'b0, gap_numerator} - {1'b0, gap_denominator};
      burst_frames_reg            <= burst_frames;
      bursts_reg                  <= burst_frames != 32'd0;
    end

  reg        load1_reg, running_reg;
  reg [41:0] ahead_reg;
  assign running      = running_reg;
  assign ahead_octets = ahead_reg;
  assign start        = running_reg && ahead_reg[41:WORD_LOG2] == 0;
  generate
    if (GROUPS == 1) begin : g_group
      assign group = 1'b0;
    end else begin : g_group
      assign group = ahead_reg[WORD_LOG2-1:3];
    end
  endgenerate

  // Prepares the step after the next frame to start: at load, then at every start for the frame after it.
  reg [41:0] step_reg;
  reg [31:0] fraction_reg, burst_left_reg;
  wire       prepare = load1_reg || start;
  wire       burst_last = bursts_reg && burst_left_reg == 32'd1;
  wire [32:0] fraction_over = {1'b0, fraction_reg} + numerator_m_denominator_reg;
  wire       carry = !fraction_over[32];
  always @(posedge clk) begin
    if (load) begin
      fraction_reg   <= 32'd0;
      burst_left_reg <= burst_frames;
    end else if (prepare) begin
      step_reg       <= burst_last ? burst_step_reg : carry ? gap_step_plus_reg : gap_step_reg;
      burst_left_reg <= burst_last ? burst_frames_reg : burst_left_reg - 32'd1;
      if (!burst_last)
        fraction_reg <= carry ? fraction_over[31:0] : fraction_reg + numerator_reg;
    end
  end

  // Words that pass in this clock: 1; more only in simulation.
  wire [41:0] words_passed = {10'd0, skip_words} + 42'd1;
  always @(posedge clk) begin
    load1_reg   <= load && !rst;
    running_reg <= (load1_reg || running_reg) && !halt && !rst;
    if (!running_reg) ahead_reg <= 42'd0;
    else              ahead_reg <= ahead_reg + (start ? step_reg : -(words_passed << WORD_LOG2));
  end
`ifdef FORMAL
`include "tx_pacer_properties.vh"
`endif
endmodule
