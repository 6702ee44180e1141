// SPDX-License-Identifier: Apache-2.0
// Counts what line_decode finds: frames, octets, first and last start, and the gaps between frames.
//
// frames and octets: frames that ended with a terminate character, whatever is in them. A gap runs from the control
// character that ended a frame (included) to the next start character (excluded); a start inside a frame makes no gap,
// and of the gaps in one word only the one before its first start is measured (legal lines have no second). `clear` may
// be held; the first gap after it is the one after the first frame that ends after it. Gaps saturate at 2^40 - 1.
//
// Latency: the counters lag an event by 3 clocks. All change together, except first_time and last_time (1 clock).
`include "fpgauge_time.vh"
module line_count #(
  parameter GROUPS  = 8,
  parameter GROUP_W = (GROUPS == 1) ? 1 : $clog2(GROUPS),
  parameter TIME_W  = `FPGAUGE_WORD_TIME_W(GROUPS)
) (
  input                    clk,
  input                    rst,
  input                    clear,
  input      [TIME_W-1:0]  ev_number,
  input                    ev_end,
  input                    ev_well,
  input      [13:0]        ev_octets,
  input      [GROUP_W+2:0] ev_end_position,
  input                    ev_live,
  input      [GROUP_W-1:0] ev_live_group,
  input                    ev_cut,
  input                    ev_cut_well,
  input      [GROUP_W-1:0] ev_cut_group,
  input      [GROUP_W+2:0] ev_cut_octets,
  input      [GROUP_W+2:0] ev_cut_end_position,
  input      [15:0]        short_gap_octets,
  output reg [63:0]        frames,
  output reg [63:0]        octets,
  output     [63:0]        first_time,
  output     [63:0]        last_time,
  output reg [63:0]        gaps,
  output     [63:0]        gap_min_octets,
  output     [63:0]        gap_max_octets,
  output reg [63:0]        gap_sum_octets,
  output reg [63:0]        short_gaps,
  output                   gap,                 // a gap is measured in this clock, 2 clocks ahead of `gaps`
  output     [63:0]        gap_octets           // its length, which does not saturate
);
  localparam WORD_LOG2 = $clog2(8 * GROUPS);

  // The octet time of a position is that of the word, or'ed with the position.
  localparam PAD_W = 61 - GROUP_W;
  wire [63:0] word_octet_time = {ev_number, {WORD_LOG2{1'b0}}};

  reg  [63:0] ended_time_reg;
  reg         ended_reg;                        // a frame has ended since the clear; ended_time_reg says when
  reg         started_reg;
  reg  [63:0] first_time_reg, last_time_reg;
  reg         gap1_reg;
  reg  [63:0] gap1_octets_reg;
  reg  [1:0]  frames1_reg;
  reg  [14:0] octets1_reg;
  reg         gap2_reg;
  reg  [39:0] gap2_octets_reg;
  reg  [1:0]  frames2_reg;
  reg  [14:0] octets2_reg;
  reg  [39:0] gap_min_reg, gap_max_reg;
  assign first_time = first_time_reg;
  assign last_time  = last_time_reg;
  assign gap        = gap1_reg;
  assign gap_octets = gap1_octets_reg;
  assign gap_min_octets = &gap_min_reg ? {64{1'b1}} : {24'd0, gap_min_reg};
  assign gap_max_octets = {24'd0, gap_max_reg};

  // One block, the last clock first, which a simulator passes by while no frame begins or ends. Its variables:
  reg  [63:0] start_time, open_time, end_time, gap_from;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk)
    if (ev_end || ev_live || ev_cut || gap1_reg || |frames1_reg || gap2_reg || |frames2_reg || rst || clear) begin
      // Clock 3: count.
      if (gap2_reg) begin
        gaps           <= gaps + 64'd1;
        gap_sum_octets <= gap_sum_octets + {24'd0, gap2_octets_reg};
        if (gap2_octets_reg < gap_min_reg) gap_min_reg <= gap2_octets_reg;
        if (gap2_octets_reg > gap_max_reg) gap_max_reg <= gap2_octets_reg;
        if (gap2_octets_reg < {24'd0, short_gap_octets}) short_gaps <= short_gaps + 64'd1;
      end
      if (|frames2_reg) begin
        frames <= frames + {62'd0, frames2_reg};
        octets <= octets + {49'd0, octets2_reg};
      end

      // Clock 2: saturate.
      gap2_reg <= gap1_reg;
      if (gap1_reg) gap2_octets_reg <= |gap1_octets_reg[63:40] ? {40{1'b1}} : gap1_octets_reg[39:0];
      frames2_reg <= frames1_reg;
      octets2_reg <= octets1_reg;

      // Clock 1: the gap before the first start of the word.
      gap1_reg    <= 1'b0;
      frames1_reg <= 2'd0;
      octets1_reg <= 15'd0;
      end_time     = word_octet_time | {{PAD_W{1'b0}}, ev_end_position};
      if (ev_live || ev_cut) begin
        start_time   = word_octet_time | {{PAD_W{1'b0}}, ev_cut ? ev_cut_group : ev_live_group, 3'b000};
        open_time    = word_octet_time | {{PAD_W{1'b0}}, ev_live ? ev_live_group : ev_cut_group, 3'b000};
        gap_from     = ev_end ? end_time : ended_time_reg;
        gap1_reg        <= (ev_end || ended_reg) && start_time != gap_from;
        gap1_octets_reg <= start_time - gap_from;
        if (!started_reg) first_time_reg <= start_time;
        started_reg     <= 1'b1;
        last_time_reg <= open_time;
      end
      if (ev_end || ev_cut) begin
        frames1_reg    <= {1'b0, ev_end && ev_well} + {1'b0, ev_cut && ev_cut_well};
        octets1_reg    <= (ev_end && ev_well ? {1'b0, ev_octets} : 15'd0) +
                          (ev_cut && ev_cut_well ? {{(12-GROUP_W){1'b0}}, ev_cut_octets} : 15'd0);
        ended_reg      <= 1'b1;
        ended_time_reg <= ev_cut ? word_octet_time | {{PAD_W{1'b0}}, ev_cut_end_position} : end_time;
      end

      if (rst || clear) begin
        gap1_reg       <= 1'b0;
        frames1_reg    <= 2'd0;
        octets1_reg    <= 15'd0;
        ended_reg      <= 1'b0;
        started_reg    <= 1'b0;
        first_time_reg <= 64'd0;
        last_time_reg  <= 64'd0;
        gap2_reg       <= 1'b0;
        frames2_reg    <= 2'd0;
        octets2_reg    <= 15'd0;
        gaps           <= 64'd0;
        gap_sum_octets <= 64'd0;
        gap_min_reg    <= {40{1'b1}};
        gap_max_reg    <= 40'd0;
        short_gaps     <= 64'd0;
        frames         <= 64'd0;
        octets         <= 64'd0;
      end
    end
  /* verilator lint_on BLKSEQ */
`ifdef FORMAL
`include "line_count_properties.vh"
`endif
endmodule
