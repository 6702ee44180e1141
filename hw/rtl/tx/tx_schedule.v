// SPDX-License-Identifier: Apache-2.0
// Which frames are sent when: from start to the last frame, bursts, the stop conditions, tags and deliberate FCS errors.
//
// One word a clock. `begins`, `group` and what belongs to the frame are registered: they stand one clock after the word
// was decided. The origin of all times is the word decided in the clock after `start`.
// It does not choose destinations and builds nothing.
module tx_schedule #(
  parameter GROUPS  = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input         clk,
  input         rst,
  input         start,
  input         stop,
  input  [31:0] skip_words,
  input         cfg_enable,
  input  [13:0] cfg_frame_octets,
  input  [39:0] cfg_gap_octets,
  input  [31:0] cfg_gap_numerator,
  input  [31:0] cfg_gap_denominator,
  input  [31:0] cfg_burst_frames,
  input  [39:0] cfg_burst_gap_octets,
  input  [47:0] cfg_stop_frames,
  input  [55:0] cfg_duration,
  input         cfg_tag_enable,
  input  [55:0] cfg_tag_first,
  input  [55:0] cfg_tag_interval,
  input  [31:0] cfg_bad_fcs_every,
  output reg               begins,
  output reg [GROUP_W-1:0] group,
  output reg               tag,
  output reg               bad_fcs,
  output reg               running,     // frames are still to come
  output [31:0]            idle_words   // that may be skipped from here because certainly nothing begins; saturates
);
  localparam WORD_LOG2 = $clog2(8*GROUPS);
  localparam [57:0] WORD_OCTETS = 58'd8 * GROUPS;

  wire go = start && cfg_enable;

  // Octets that the counters of time advance in this clock.
  wire [57:0] advance = WORD_OCTETS + ({26'd0, skip_words} << WORD_LOG2);

  // ---------------------------------------------------------------- periods, registered: they hold still while running
  reg [40:0] period_reg, burst_period_reg;
  always @(posedge clk) begin
    period_reg       <= {27'd0, cfg_frame_octets} + {1'b0, cfg_gap_octets} + 41'd8;
    burst_period_reg <= {27'd0, cfg_frame_octets} + {1'b0, cfg_burst_gap_octets} + 41'd8;
  end

  // ---------------------------------------------------------------- pacer
  reg                burst_end_reg;   // the next frame is the last of its burst
  reg                open_reg;        // the time in which frames may begin reaches beyond this word
  reg  [55:0]        time_left_reg;   // from octet 0 of this word to the end of the duration
  wire               able, pace_begins, due;
  wire [GROUP_W-1:0] pace_group;
  wire [41:0]        next_octets;
  tx_pacer #(.GROUPS(GROUPS)) u_pacer (
    .clk(clk), .rst(rst), .origin(go), .able(able), .skip_words(skip_words),
    .period_octets(burst_end_reg ? burst_period_reg : period_reg), .fraction(!burst_end_reg),
    .numerator(cfg_gap_numerator), .denominator(cfg_gap_denominator),
    .begins(pace_begins), .group(pace_group), .due(due), .next_octets(next_octets));

  wire [WORD_LOG2-1:0] position = next_octets[WORD_LOG2-1:0] & ~{{(WORD_LOG2-3){1'b0}}, 3'd7};
  wire in_time = open_reg || position < time_left_reg[WORD_LOG2-1:0];
  assign able = running && in_time && !stop;

  // ---------------------------------------------------------------- end by time
  wire [55:0] first_left = cfg_duration;
  always @(posedge clk)
    if (go) begin
      time_left_reg <= first_left;
      open_reg      <= cfg_duration == 56'd0 || |first_left[55:WORD_LOG2];
    end else begin
      if ({2'd0, time_left_reg} > advance) begin
        time_left_reg <= time_left_reg - advance[55:0];
        open_reg      <= cfg_duration == 56'd0 || {2'd0, time_left_reg} - advance >= WORD_OCTETS;
      end else begin
        time_left_reg <= 56'd0;
        open_reg      <= cfg_duration == 56'd0;
      end
    end

  // ---------------------------------------------------------------- end by count, bursts, deliberate errors
  reg [47:0] frames_left_reg;
  reg        last_reg;                // the next frame is the last by count
  reg [31:0] burst_left_reg, bad_left_reg;
  reg        bad_next_reg;
  always @(posedge clk)
    if (go) begin
      frames_left_reg <= cfg_stop_frames;
      last_reg        <= cfg_stop_frames == 48'd1;
      burst_left_reg  <= cfg_burst_frames;
      burst_end_reg   <= cfg_burst_frames == 32'd1;
      bad_left_reg    <= cfg_bad_fcs_every;
      bad_next_reg    <= cfg_bad_fcs_every == 32'd1;
    end else if (pace_begins) begin
      frames_left_reg <= frames_left_reg - 48'd1;
      last_reg        <= frames_left_reg == 48'd2;
      burst_left_reg  <= burst_end_reg ? cfg_burst_frames : burst_left_reg - 32'd1;
      burst_end_reg   <= burst_end_reg ? cfg_burst_frames == 32'd1 : burst_left_reg == 32'd2;
      bad_left_reg    <= bad_next_reg ? cfg_bad_fcs_every : bad_left_reg - 32'd1;
      bad_next_reg    <= bad_next_reg ? cfg_bad_fcs_every == 32'd1 : bad_left_reg == 32'd2;
    end

  always @(posedge clk)
    if (rst || stop)                      running <= 1'b0;
    else if (go)                          running <= 1'b1;
    else if (pace_begins && last_reg)     running <= 1'b0;
    else if (running && due && !in_time)  running <= 1'b0;

  // ---------------------------------------------------------------- tags
  // Octets from octet 0 of this word to the next tag's time; negative when it is past.
  reg         tag_armed_reg;
  reg  [57:0] tag_left_reg;
  wire        tag_past = tag_left_reg[57];
  wire        tag_here = ~|tag_left_reg[56:WORD_LOG2] && position >= tag_left_reg[WORD_LOG2-1:0];
  wire        tag_hit  = tag_armed_reg && (tag_past || tag_here);
  always @(posedge clk)
    if (go) begin
      tag_armed_reg <= cfg_tag_enable;
      tag_left_reg  <= {2'd0, cfg_tag_first};
    end else begin
      tag_left_reg <= tag_left_reg - advance + (pace_begins && tag_hit ? {2'd0, cfg_tag_interval} : 58'd0);
      if (pace_begins && tag_hit && cfg_tag_interval == 56'd0) tag_armed_reg <= 1'b0;
    end

  // ---------------------------------------------------------------- result
  always @(posedge clk) begin
    begins  <= pace_begins && !rst;
    group   <= pace_group;
    tag     <= tag_hit;
    bad_fcs <= bad_next_reg;
  end

  // Whole words before the next ideal start, less a few for the registers between here and who skips. The end of the
  // duration needs no clock of its own: it acts when a frame is due.
  localparam [41-WORD_LOG2:0] MARGIN_WORDS = 8;
  wire [41-WORD_LOG2:0] words = next_octets[41:WORD_LOG2];
  wire [41-WORD_LOG2:0] free  = words < MARGIN_WORDS ? {(42-WORD_LOG2){1'b0}} : words - MARGIN_WORDS;
  assign idle_words = !running || |(free >> 32) ? 32'hffff_ffff : free[31:0];
endmodule
