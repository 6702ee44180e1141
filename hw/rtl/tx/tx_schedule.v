// SPDX-License-Identifier: Apache-2.0
// Schedule of a trial, from the start strobe to its last frame: lets the pacer's starts pass until the count of frames, the
// duration or a stop strobe ends it, and decides which frames are tagged or get a wrong FCS. Frames of rules are frames like
// others here.
// 
// The start strobe latches all settings; a start while the port is still `sending` is ignored. The origin of the trial
// (its ideal first start, without start offset) is the word LATENCY + LOAD_CLOCKS clocks after the strobe. LATENCY is the
// number of clocks from the pacer's word to the same word on the line, so that `frame_time` is what an observer of the
// line will see. Times of the settings (duration, tags) count from the origin, whatever the start offset is.
// Frame outputs are registered, two clocks after the pacer's word.
// 
// All elapsed times are counted down in the clock after the pacer, word by word: no wide times are compared.
// It knows nothing about contents: flow, octets and flags of a descriptor only pass through.
`include "fpgauge_time.vh"
module tx_schedule #(
  parameter GROUPS = 8,
  parameter LATENCY = 13,
  parameter FLOW_LOG2 = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS),
  parameter TIME_W = `FPGAUGE_WORD_TIME_W(GROUPS)
) (
  input                    clk,
  input                    rst,
  input [TIME_W-1:0]       word_time,
  input [31:0]             skip_words,
  input                    start,
  input                    stop,
  input                    cfg_enable,
  input [39:0]             cfg_start_offset,
  input [39:0]             cfg_gap_octets,
  input [31:0]             cfg_gap_numerator,
  input [31:0]             cfg_gap_denominator,
  input [31:0]             cfg_burst_frames,
  input [39:0]             cfg_burst_gap_octets,
  input [47:0]             cfg_stop_frames,
  input [55:0]             cfg_duration,
  input                    cfg_only_rules,   // there will be no descriptors
  input                    cfg_tag_enable,
  input [55:0]             cfg_tag_first,
  input [55:0]             cfg_tag_interval,
  input [31:0]             cfg_bad_fcs_every,
  input [3:0]              cfg_phases,
  input [2:0]              phase_index,
  input [1:0]              phase_time_we,
  input [1:0]              phase_gap_octets_we,
  input                    phase_gap_numerator_we,
  input                    phase_gap_denominator_we,
  input [31:0]             phase_data,
  input [2:0]              cfg_rules,
  input [1:0]              rule_index,
  input [1:0]              rule_time_we,
  input [1:0]              rule_period_we,
  input                    rule_frame_we,
  input                    send_we,
  input [31:0]             rule_data,
  input                    hold,             // no frame starts
  input                    next_valid,       // the next descriptor of tx_fifo
  input [FLOW_LOG2-1:0]    next_flow,
  input [13:0]             next_octets,
  input [3:0]              next_flags,       // bit 3: a TCP segment
  output                   take,
  input                    pipe_busy,        // frames are in the pipe after this module
  output                   load,             // strobe: the following modules latch their settings
  output                   started,          // the clock after load
  output                   active,           // a trial is running
  output                   frame_coming,     // a start from the pacer is being handled here
  output reg               frame_valid,
  output reg [GROUP_W-1:0] frame_group,
  output reg [39:0]        frame_time,       // time in groups
  output reg               frame_tag,
  output reg               frame_bad_fcs,
  output reg [FLOW_LOG2-1:0] frame_flow,
  output reg [13:0]        frame_octets,
  output reg               frame_unsigned,
  output reg               frame_bad_end,
  output reg               frame_segment,
  output                   late,             // strobe, once a frame that was not ready when it was due
  output                   held,             // a frame of the trial was held in the pacer's word of the clock before
  output reg [31:0]        idle_words,
  output reg [TIME_W-1:0]  start_word        // valid if started
);
  localparam GROUPS_LOG2 = $clog2(GROUPS);
  localparam WORD_LOG2 = 3 + GROUPS_LOG2;
  localparam LOAD_CLOCKS = 8;
  localparam [TIME_W-1:0] LATENCY_WORDS = LATENCY, ORIGIN_WORDS = LATENCY + LOAD_CLOCKS;
  localparam [31:0] IDLE_MARGIN_WORDS = 32'd4;

  // ---------------------------------------------------------------- the trial as a whole
  reg  open_reg, load1_reg;
  wire close, loading, running;
  assign active = loading || open_reg || running;
  assign started = load1_reg;
  assign load   = start && cfg_enable && !active && !pipe_busy;
  always @(posedge clk) begin
    load1_reg <= load && !rst;
    open_reg  <= (load || open_reg) && !close && !stop && !rst;
    if (start) start_word <= word_time + ORIGIN_WORDS;
  end

  wire                 paced, paced_late, paced_held;
  wire [GROUP_W-1:0]   paced_group;
  wire [FLOW_LOG2-1:0] paced_flow;
  wire [13:0]          paced_octets;
  wire [3:0]           paced_flags;
  wire [41:0]          ahead_octets;
  wire        phase_due, phase_begun;
  wire [41:0] phase_step, phase_step_plus, phase_step1, phase_step2;
  wire [31:0] phase_numerator, phase_fraction1, phase_fraction2;
  wire [32:0] phase_numerator_m_denominator;
  tx_phases #(.GROUPS(GROUPS)) u_phases (
    .clk(clk), .rst(rst), .load(load), .running(running), .skip_words(skip_words), .cfg_phases(cfg_phases),
    .phase_index(phase_index), .phase_time_we(phase_time_we), .phase_gap_octets_we(phase_gap_octets_we),
    .phase_gap_numerator_we(phase_gap_numerator_we), .phase_gap_denominator_we(phase_gap_denominator_we),
    .phase_data(phase_data), .group(paced_group), .due(phase_due), .begun(phase_begun),
    .step(phase_step), .step_plus(phase_step_plus), .step1(phase_step1), .step2(phase_step2),
    .numerator(phase_numerator), .numerator_m_denominator(phase_numerator_m_denominator),
    .fraction1(phase_fraction1), .fraction2(phase_fraction2));

  wire                 rule_due, rule_begun, waiting;
  wire [FLOW_LOG2-1:0] rule_flow;
  wire [13:0]          rule_octets;
  wire [2:0]           rule_flags;
  wire [31:0]          rule_wait_words;
  tx_rules #(.GROUPS(GROUPS), .FLOW_LOG2(FLOW_LOG2)) u_rules (
    .clk(clk), .rst(rst), .load(load), .active(active), .running(running), .skip_words(skip_words),
    .cfg_rules(cfg_rules), .rule_index(rule_index), .rule_time_we(rule_time_we), .rule_period_we(rule_period_we),
    .rule_frame_we(rule_frame_we), .send_we(send_we), .rule_data(rule_data), .group(paced_group), .due(rule_due),
    .begun(rule_begun), .flow(rule_flow), .octets(rule_octets), .flags(rule_flags), .wait_words(rule_wait_words));

  tx_pacer #(.GROUPS(GROUPS), .LOAD_CLOCKS(LOAD_CLOCKS), .FLOW_LOG2(FLOW_LOG2)) u_pacer (
    .clk(clk), .rst(rst), .load(load), .halt(!open_reg || close || stop), .skip_words(skip_words),
    .start_offset(cfg_start_offset), .gap_octets(cfg_gap_octets), .gap_numerator(cfg_gap_numerator),
    .gap_denominator(cfg_gap_denominator), .burst_frames(cfg_burst_frames), .burst_gap_octets(cfg_burst_gap_octets),
    .only_rules(cfg_only_rules), .phase_due(phase_due), .phase_step(phase_step), .phase_step_plus(phase_step_plus),
    .phase_step1(phase_step1), .phase_step2(phase_step2), .phase_numerator(phase_numerator),
    .phase_numerator_m_denominator(phase_numerator_m_denominator), .phase_fraction1(phase_fraction1),
    .phase_fraction2(phase_fraction2), .phase_begun(phase_begun),
    .rule_due(rule_due), .rule_flow(rule_flow), .rule_octets(rule_octets), .rule_flags(rule_flags), .rule_begun(rule_begun),
    .hold(hold), .held(paced_held),
    .next_valid(next_valid), .next_flow(next_flow), .next_octets(next_octets), .next_flags(next_flags), .take(take),
    .start(paced), .group(paced_group), .flow(paced_flow), .octets(paced_octets), .flags(paced_flags), .late(paced_late),
    .waiting(waiting), .loading(loading), .running(running), .ahead_octets(ahead_octets));

  // ---------------------------------------------------------------- the clock after the pacer
  // word1_reg: this is a word of the trial; words1: how many pass with it (more than 1 only in simulation).
  reg               word1_reg, start1_reg, held1_reg;
  reg [GROUP_W-1:0] group1_reg;
  reg [39:0]        time1_reg;
  reg [31:0]        skip1_reg;
  reg [FLOW_LOG2-1:0] flow1_reg;
  reg [13:0]        octets1_reg;
  reg [3:0]         flags1_reg;
  wire [TIME_W-1:0] line_word = word_time + LATENCY_WORDS;
  always @(posedge clk) begin
    word1_reg  <= running && !rst;
    start1_reg <= paced && !rst;
    held1_reg  <= paced_held && !rst;
    group1_reg <= paced_group;
    skip1_reg  <= skip_words;
    if (paced) begin
      flow1_reg   <= paced_flow;
      octets1_reg <= paced_octets;
      flags1_reg  <= paced_flags;
    end
  end
  generate
    if (GROUPS == 1) begin : g_time
      always @(posedge clk) time1_reg <= line_word[39:0];
    end else begin : g_time
      always @(posedge clk) time1_reg <= {line_word[39-GROUPS_LOG2:0], paced_group};
    end
  endgenerate
  wire [32:0] words1 = {1'b0, skip1_reg} + 33'd1;

  // Frames: stop_frames counted down.
  reg        count_limited_reg;
  reg [47:0] frames_left_reg;
  wire       accept;
  wire       last_frame = count_limited_reg && frames_left_reg == 48'd1;
  always @(posedge clk)
    if (load) begin
      count_limited_reg <= cfg_stop_frames != 48'd0;
      frames_left_reg   <= cfg_stop_frames;
    end else if (accept)
      frames_left_reg <= frames_left_reg - 48'd1;

  // Duration: words left until the word in which it ends, and the first group there that is too late. A group starts
  // at duration or later if and only if its number is at least duration / 8, rounded up.
  wire [56:0]             duration_up = {1'b0, cfg_duration} + 57'd7;
  reg                     time_limited_reg;
  reg [56-WORD_LOG2:0]    words_left_reg;
  reg [GROUP_W-1:0]       late_group_reg;
  wire                    late_word = time_limited_reg && words_left_reg == 0;
  wire                    too_late = late_word && group1_reg >= late_group_reg;
  always @(posedge clk)
    if (load) begin
      time_limited_reg <= cfg_duration != 56'd0;
      words_left_reg   <= duration_up[56:WORD_LOG2];
    end else if (word1_reg)
      words_left_reg <= words_left_reg - {{(24-WORD_LOG2){1'b0}}, words1};
  generate
    if (GROUPS == 1) begin : g_late
      always @(posedge clk) late_group_reg <= 1'b0;
    end else begin : g_late
      always @(posedge clk) if (load) late_group_reg <= duration_up[WORD_LOG2-1:3];
    end
  endgenerate

  assign frame_coming = start1_reg;
  assign late = paced_late && open_reg && !close;
  assign accept = start1_reg && open_reg && !too_late;
  assign held   = held1_reg && open_reg && !too_late;
  assign close  = (accept && last_frame) || (word1_reg && late_word);

  // Tags: octets from this word to the time when the next tag is due; below zero it is overdue. A tagged frame advances
  // the due time by one interval, however late it was.
  reg               tag_armed_reg, tag_again_reg;
  reg signed [57:0] tag_left_reg;
  reg [57:0]        tag_step_reg;     // interval minus the word that passes
  wire [WORD_LOG2-1:0] group_octets;
  generate
    if (GROUPS == 1) begin : g_octets
      assign group_octets = 3'd0;
    end else begin : g_octets
      assign group_octets = {group1_reg, 3'd0};
    end
  endgenerate
  wire tag_due = tag_left_reg[57] || (tag_left_reg[56:WORD_LOG2] == 0 && tag_left_reg[WORD_LOG2-1:0] <= group_octets);
  wire tag_now = accept && tag_armed_reg && tag_due;
  wire [57:0] words1_octets = {25'd0, words1} << WORD_LOG2;
  always @(posedge clk)
    if (load) begin
      tag_armed_reg <= cfg_tag_enable;
      tag_again_reg <= cfg_tag_interval != 56'd0;
      tag_left_reg  <= {2'd0, cfg_tag_first};
      tag_step_reg  <= {2'd0, cfg_tag_interval} - (58'd1 << WORD_LOG2);
    end else begin
      if (tag_now && !tag_again_reg) tag_armed_reg <= 1'b0;
      if (word1_reg) tag_left_reg <= tag_left_reg + (tag_now ? tag_step_reg : -words1_octets);
    end

  // Wrong FCS: frames n, 2n, 3n ... of the trial.
  reg        bad_fcs_reg;
  reg [31:0] bad_fcs_every_reg, bad_fcs_left_reg;
  wire       bad_fcs_now = bad_fcs_reg && bad_fcs_left_reg == 32'd1;
  always @(posedge clk)
    if (load) begin
      bad_fcs_reg       <= cfg_bad_fcs_every != 32'd0;
      bad_fcs_every_reg <= cfg_bad_fcs_every;
      bad_fcs_left_reg  <= cfg_bad_fcs_every;
    end else if (accept)
      bad_fcs_left_reg <= bad_fcs_now ? bad_fcs_every_reg : bad_fcs_left_reg - 32'd1;

  always @(posedge clk) begin
    frame_valid   <= accept && !rst;
    frame_group   <= group1_reg;
    frame_time    <= time1_reg;
    frame_tag     <= tag_now;
    frame_bad_fcs <= bad_fcs_now || flags1_reg[1];
    if (start1_reg) begin
      frame_flow   <= flow1_reg;
      frame_octets <= octets1_reg;
      {frame_segment, frame_bad_end, frame_unsigned} <= {flags1_reg[3:2], flags1_reg[0]};
    end
  end

  // ---------------------------------------------------------------- simulation only: what may be skipped from here on
  // Up to the next start or the end of the duration, minus a margin, because it may be used up to 2 clocks late. A frame that
  // is held may start in any word.
  // Nothing in the clock after a skip, because words_left_reg does not include it yet.
  wire [63:0] to_start = waiting ? {32'd0, rule_wait_words} : {{(22+WORD_LOG2){1'b0}}, ahead_octets[41:WORD_LOG2]};
  wire [63:0] to_end   = {{(7+WORD_LOG2){1'b0}}, words_left_reg};
  wire [63:0] to_event = time_limited_reg && to_end < to_start ? to_end : to_start;
  always @*
    if (!running)                                     idle_words = loading ? 32'd0 : 32'hFFFF_FFFF;
    else if (skip1_reg != 32'd0 || hold)              idle_words = 32'd0;
    else if (to_event <= {32'd0, IDLE_MARGIN_WORDS})  idle_words = 32'd0;
    else if (|to_event[63:32])                        idle_words = 32'hFFFF_FFFF - IDLE_MARGIN_WORDS;
    else                                              idle_words = to_event[31:0] - IDLE_MARGIN_WORDS;

  wire unused = &{1'b0, ahead_octets[WORD_LOG2-1:0], line_word[TIME_W-1:40-GROUPS_LOG2], duration_up[2:0]};
endmodule
