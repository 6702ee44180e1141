// SPDX-License-Identifier: Apache-2.0
// Transmit side of a port. What the frames are is decided ahead, as fast as there is room (sequencer, FIFO of
// descriptors); then schedule and pacer, flows, contents, MAC, in one pipe that never waits. The pacer decides when: a
// frame's start is on line_data LATENCY clocks later, and its time stamp is the word_time of that clock (and its group).
//
// In the clock of the start strobe (T) the settings (cfg_*) are latched, if the port is enabled and not `sending`; else
// the strobe is ignored; `started` says in T + 1 that it was not. Table writes up to T count for all frames. Frame 0 is
// prepared in T + 7, and T + 8 is the pacer's first word, which is on the line LATENCY clocks later: start_word, its
// word_time, is that of T plus START_DELAY = LATENCY + 8, the same for all ports. `sending` is set from T + 1 until the
// last frame has left (drain_reg below); a stop strobe in T to T + 8 ends the trial without a frame.
// A core of 16 groups would have two such regions of 8 groups per word, with the state of the pacer, the sequence
// table, the image and the CRC passed from one to the other; nothing here assumes that a word is the only region in a
// clock.
// With TCP, segments (tcp_port) are frames as well: each waits to be the next descriptor, before those of the sequencer. What it
// writes into its frame waits until the frame comes back from the schedule, in their order.
`include "fpgauge_time.vh"
`include "tcp_types.svh"
module tx #(
  parameter GROUPS = 8,
  parameter FLOW_LOG2 = 8,
  parameter TCP = 0,
  parameter TIME_W = `FPGAUGE_WORD_TIME_W(GROUPS)
) (
  input                   clk,
  input                   rst,
  input [3:0]             port,         // its own number
  input [TIME_W-1:0]      word_time,
  input [31:0]            skip_words,
  input                   start,
  input                   stop,
  input                   clear,
  input                   snapshot,
  input [7:0]             cfg_run_id,
  input                   cfg_enable,
  input [13:0]            cfg_frame_octets,
  input [39:0]            cfg_gap_octets,
  input [31:0]            cfg_gap_numerator,
  input [31:0]            cfg_gap_denominator,
  input [31:0]            cfg_burst_frames,
  input [39:0]            cfg_burst_gap_octets,
  input [47:0]            cfg_stop_frames,
  input [55:0]            cfg_duration,
  input [8:0]             cfg_flows,
  input [1:0]             cfg_order,
  input [12:0]            cfg_turns,
  input [31:0]            cfg_seed,
  input [31:0]            cfg_size_seed,
  input [39:0]            cfg_start_offset,
  input [3:0]             cfg_phases,
  input [2:0]             cfg_rules,
  input [31:0]            cfg_every,
  input [FLOW_LOG2-1:0]   cfg_every_flow,
  input [31:0]            cfg_field_seed,
  input                   cfg_tag_enable,
  input [55:0]            cfg_tag_first,
  input [55:0]            cfg_tag_interval,
  input [31:0]            cfg_bad_fcs_every,
  input                   cfg_obey_pause,
  input                   pause,        // a pause frame came: hold for so many quanta of 512 bit times
  input [15:0]            pause_quanta,
  // table writes
  input [FLOW_LOG2-1:0]   flow_index,
  input                   flow_payload_we,
  input                   flow_body_we,
  input                   flow_length1_we,
  input                   flow_length2_we,
  input                   flow_checksum1_we,
  input                   flow_checksum2_we,
  input                   flow_size_we,
  input                   flow_flags_we,
  input [31:0]            flow_data,
  input                   header_we,
  input [3:0]             header_word,
  input [31:0]            header_data,
  input                   body_we,
  input [8:0]             body_index,
  input [3:0]             body_word,
  input [31:0]            body_data,
  input [FLOW_LOG2+1:0]   field_index,
  input                   field_start_we,
  input                   field_step_we,
  input                   field_mask_we,
  input                   field_count_we,
  input                   field_kind_we,
  input [31:0]            field_data,
  input                   value_we,
  input [11:0]            value_index,
  input [31:0]            value_data,
  input                   size_we,
  input [9:0]             size_index,
  input [13:0]            size_octets,
  input                   turn_we,
  input [11:0]            turn_index,
  input [7:0]             turn_flow,
  input [2:0]             phase_index,
  input [1:0]             phase_time_we,           // low half, high half
  input [1:0]             phase_gap_octets_we,
  input                   phase_gap_numerator_we,
  input                   phase_gap_denominator_we,
  input [31:0]            phase_data,
  input [1:0]             rule_index,
  input [1:0]             rule_time_we,            // low half, high half
  input [1:0]             rule_period_we,
  input                   rule_frame_we,
  input                   send_we,                 // asks for one frame, as rule_data says
  input [31:0]            rule_data,
  // TCP segments
  input [6:0]             cfg_tcp_header_octets,
  input                   segment_valid,
  input [FLOW_LOG2-1:0]   segment_flow,
  input [13:0]            segment_octets,          // octets without padding
  input tcp_types::segment_t segment,
  output                  segment_take,
  output                  active,                  // a trial runs
  output                  load,
  // frozen counts
  input                   stream_req,
  input [FLOW_LOG2-1:0]   stream_index,
  output                  stream_ack,
  output [47:0]           stream_frames,
  output [64*GROUPS-1:0]  line_data,
  output [8*GROUPS-1:0]   line_ctrl,
  output reg [63:0]       bad_fcs_frames,
  output reg [63:0]       late_frames,
  output [63:0]           held_time,    // octet times in which a frame was due and was held
  output                  obeys,        // pause frames hold it
  output                  busy,
  output                  sending,
  output                  started,
  output                  idle,
  output [31:0]           idle_words,
  output [TIME_W-1:0]     start_word
);
  localparam GROUPS_LOG2 = $clog2(GROUPS);
  localparam GROUP_W = GROUPS == 1 ? 1 : GROUPS_LOG2;
  // Clocks from the pacer's word to the line: schedule 2, flows, fields and checksums 12, build 2, MAC 5.
  localparam LATENCY = 21;
  // Longest time in clocks for which no valid flag below may show a frame: anything from LATENCY up will do.
  localparam [4:0] DRAIN_CLOCKS = 5'd24;

  // ---------------------------------------------------------------- what
  wire                 take, made_valid, room, next_valid;
  wire                 fifo_valid;
  wire [FLOW_LOG2-1:0] made_flow, fifo_flow, next_flow;
  wire [13:0]          made_octets, fifo_octets, next_octets;
  wire [2:0]           made_flags, fifo_flags;
  wire [3:0]           next_flags;
  wire                 frame_valid;
  tx_sequencer #(.FLOW_LOG2(FLOW_LOG2)) u_sequencer (
    .clk(clk), .rst(rst), .load(load), .cfg_order(cfg_order), .cfg_flows(cfg_flows), .cfg_turns(cfg_turns),
    .cfg_seed(cfg_seed), .cfg_size_seed(cfg_size_seed), .cfg_frame_octets(cfg_frame_octets),
    .cfg_every(cfg_every), .cfg_every_flow(cfg_every_flow),
    .turn_we(turn_we), .turn_index(turn_index), .turn_flow(turn_flow), .size_we(size_we), .size_index(size_index),
    .size_octets(size_octets), .flow_index(flow_index), .flow_size_we(flow_size_we), .flow_size(flow_data[30:0]),
    .flow_flags_we(flow_flags_we), .flow_flags(flow_data[2:0]), .room(room), .valid(made_valid), .flow(made_flow),
    .octets(made_octets), .flags(made_flags));

  tx_fifo #(.WIDTH(FLOW_LOG2 + 17)) u_fifo (
    .clk(clk), .rst(rst), .clear(load), .push(made_valid), .in({made_flags, made_flow, made_octets}), .room(room),
    .valid(fifo_valid), .head({fifo_flags, fifo_flow, fifo_octets}), .pop(take && !segment_take));

  // A segment is the next frame, if there is one. taken: those that the pacer has, until their frames come.
  localparam [13:0] LEAST_OCTETS = 14'd64;
  localparam SEGMENT_W = 122;
  wire                 frame_segment;
  wire [13:0]          taken_octets;
  tcp_types::segment_t taken;
  generate
    if (TCP != 0) begin : g_segments
      wire [SEGMENT_W-1:0] taken_bits;
      wire                 taken_room, taken_valid;
      wire                 unused_taken = &{1'b0, taken_room, taken_valid};
      tx_fifo #(.WIDTH(14 + SEGMENT_W), .DEPTH_LOG2(3), .RESERVE(0)) u_taken (
        .clk(clk), .rst(rst), .clear(load), .push(segment_take), .in({segment_octets, segment}), .room(taken_room),
        .valid(taken_valid), .head({taken_octets, taken_bits}), .pop(frame_valid && frame_segment));
      assign taken        = taken_bits;
      assign segment_take = take && segment_valid;
      assign next_valid   = segment_valid || fifo_valid;
      assign next_flow    = segment_valid ? segment_flow : fifo_flow;
      assign next_octets  = !segment_valid ? fifo_octets : segment_octets < LEAST_OCTETS ? LEAST_OCTETS : segment_octets;
      assign next_flags   = segment_valid ? 4'b1001 : {1'b0, fifo_flags};
    end else begin : g_segments
      assign taken        = {SEGMENT_W{1'b0}};
      assign taken_octets = 14'd0;
      assign segment_take = 1'b0;
      assign {next_valid, next_flow, next_octets, next_flags} = {fifo_valid, fifo_flow, fifo_octets, 1'b0, fifo_flags};
      wire   unused_segment = &{1'b0, LEAST_OCTETS, cfg_tcp_header_octets, segment_valid, segment_flow, segment_octets, segment};
    end
  endgenerate

  // ---------------------------------------------------------------- when
  wire                 frame_coming, frame_tag, frame_bad_fcs, frame_unsigned, frame_bad_end;
  wire                 late, pipe_busy;
  wire [GROUP_W-1:0]   frame_group;
  wire [39:0]          frame_time;
  wire [FLOW_LOG2-1:0] frame_flow;
  wire [13:0]          frame_octets;
  wire        hold, held;
  wire [57:0] held_words;
  assign held_time = {3'd0, held_words, 3'd0} << GROUPS_LOG2;
  tx_hold #(.GROUPS(GROUPS)) u_hold (
    .clk(clk), .rst(rst), .load(load), .clear(clear), .cfg_obey(cfg_obey_pause), .pause(pause), .quanta(pause_quanta),
    .held(held), .obeys(obeys), .hold(hold), .held_words(held_words));

  tx_schedule #(.GROUPS(GROUPS), .LATENCY(LATENCY), .FLOW_LOG2(FLOW_LOG2)) u_schedule (
    .clk(clk), .rst(rst), .word_time(word_time), .skip_words(skip_words), .start(start), .stop(stop),
    .cfg_enable(cfg_enable), .cfg_start_offset(cfg_start_offset), .cfg_gap_octets(cfg_gap_octets),
    .cfg_gap_numerator(cfg_gap_numerator), .cfg_gap_denominator(cfg_gap_denominator),
    .cfg_burst_frames(cfg_burst_frames), .cfg_burst_gap_octets(cfg_burst_gap_octets),
    .cfg_stop_frames(cfg_stop_frames), .cfg_duration(cfg_duration), .cfg_tag_enable(cfg_tag_enable),
    .cfg_tag_first(cfg_tag_first), .cfg_tag_interval(cfg_tag_interval), .cfg_bad_fcs_every(cfg_bad_fcs_every),
    .cfg_phases(cfg_phases), .phase_index(phase_index), .phase_time_we(phase_time_we),
    .phase_gap_octets_we(phase_gap_octets_we), .phase_gap_numerator_we(phase_gap_numerator_we),
    .phase_gap_denominator_we(phase_gap_denominator_we), .phase_data(phase_data),
    .cfg_only_rules(cfg_flows == 9'd0), .cfg_rules(cfg_rules), .rule_index(rule_index), .rule_time_we(rule_time_we),
    .rule_period_we(rule_period_we), .rule_frame_we(rule_frame_we), .send_we(send_we), .rule_data(rule_data),
    .hold(hold), .held(held),
    .next_valid(next_valid), .next_flow(next_flow), .next_octets(next_octets), .next_flags(next_flags), .take(take),
    .pipe_busy(pipe_busy), .load(load), .started(started), .active(active), .frame_coming(frame_coming),
    .frame_valid(frame_valid),
    .frame_group(frame_group), .frame_time(frame_time), .frame_tag(frame_tag), .frame_bad_fcs(frame_bad_fcs),
    .frame_flow(frame_flow), .frame_octets(frame_octets), .frame_unsigned(frame_unsigned),
    .frame_bad_end(frame_bad_end), .frame_segment(frame_segment), .late(late), .idle_words(idle_words), .start_word(start_word));

  always @(posedge clk)
    if (rst || clear) late_frames <= 64'd0;
    else if (late)    late_frames <= late_frames + 64'd1;

  // ---------------------------------------------------------------- contents
  // In clocks after frame_valid:
  //   0 flow -> fields, checksums, flows     4 sequence number -> checksums     6 values of fields -> checksums
  //   10 values, lengths, checksums -> inserts    11 header -> inserts    12 header with all inserts -> build
  // What goes around the contents waits in memories that are addressed by the clock, so nothing moves while it waits; `way`,
  // from flows, says which frames there are. A memory is written after it has been read, as in tx_flows.
  reg [3:0]            clock_reg;
  initial clock_reg = 4'd0;
  always @(posedge clk) clock_reg <= clock_reg + 4'd1;
  wire [10:1]          way;
  reg [39:0]           time4_reg;
  reg                  frame_tag4_reg, segment4_reg;
  (* ram_style = "distributed" *) reg [41:0] time_ram [0:15];
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (way[3]) {segment4_reg, time4_reg, frame_tag4_reg} <= time_ram[clock_reg - 4'd3];
    if (frame_valid) time_ram[clock_reg] = {frame_segment, frame_time, frame_tag};
  end
  /* verilator lint_on BLKSEQ */

  wire                 coming_valid, flow_valid, header_valid, body_valid, body_first;
  wire [FLOW_LOG2-1:0] flow4;
  wire [47:0]          sequence4;
  wire [511:0]         header, body;
  wire [7:0]           payload;
  wire [4:0]           body_words;
  tx_flows #(.GROUPS(GROUPS), .FLOW_LOG2(FLOW_LOG2), .HEADER_DELAY(7)) u_flows (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(busy), .flow_index(flow_index),
    .flow_payload_we(flow_payload_we), .flow_payload(flow_data[7:0]), .flow_body_we(flow_body_we),
    .flow_body_first(flow_data[8:0]), .flow_body_words(flow_data[20:16]), .header_we(header_we),
    .header_word(header_word), .header_data(header_data), .body_we(body_we), .body_index(body_index),
    .body_word(body_word), .body_data(body_data), .stream_req(stream_req), .stream_index(stream_index),
    .stream_ack(stream_ack), .stream_frames(stream_frames), .frame_valid(frame_valid), .frame_flow(frame_flow), .way(way),
    .out_valid(flow_valid), .out_index(flow4), .out_sequence(sequence4), .coming_valid(coming_valid),
    .header_valid(header_valid), .out_header(header), .out_payload(payload), .out_body_words(body_words),
    .body_valid(body_valid), .body_first(body_first), .out_body(body));

  wire         fields_any6;
  wire [127:0] values6;
  wire [27:0]  octets6;
  wire [3:0]   in_checksum1_6, in_checksum2_6;
  tx_fields #(.FLOW_LOG2(FLOW_LOG2)) u_fields (
    .clk(clk), .rst(rst), .load(load), .cfg_field_seed(cfg_field_seed), .field_index(field_index),
    .field_start_we(field_start_we), .field_step_we(field_step_we), .field_mask_we(field_mask_we),
    .field_count_we(field_count_we), .field_kind_we(field_kind_we), .field_data(field_data),
    .value_index(value_index), .value_we(value_we), .value_data(value_data), .frame_valid(frame_valid),
    .frame_flow(frame_flow), .any(fields_any6), .values(values6), .octets(octets6), .in_checksum1(in_checksum1_6),
    .in_checksum2(in_checksum2_6));

  wire [16:0] segment_sum;
  wire        words_any;
  wire [15:0] length1, length2, checksum1, checksum2;
  wire [6:0]  length1_octet, length2_octet, checksum1_octet, checksum2_octet;
  tx_checksum #(.FLOW_LOG2(FLOW_LOG2)) u_checksum (
    .clk(clk), .rst(rst), .load(load), .port(port), .cfg_run_id(cfg_run_id), .flow_index(flow_index),
    .flow_length1_we(flow_length1_we), .flow_length2_we(flow_length2_we), .flow_checksum1_we(flow_checksum1_we),
    .flow_checksum2_we(flow_checksum2_we), .flow_payload_we(flow_payload_we), .flow_data(flow_data),
    .frame_valid(frame_valid), .frame_flow(frame_flow), .frame_octets(frame_segment ? taken_octets : frame_octets),
    .frame_unsigned(frame_unsigned), .frame_time(time4_reg), .frame_tag(frame_tag4_reg), .frame_sequence(sequence4),
    .frame_segment(segment4_reg), .segment_sum(segment_sum),
    .field_any(fields_any6), .field_values(values6),
    .field_odd({octets6[21], octets6[14], octets6[7], octets6[0]}), .field_in_checksum1(in_checksum1_6),
    .field_in_checksum2(in_checksum2_6), .any(words_any), .length1(length1), .length2(length2),
    .checksum1(checksum1), .checksum2(checksum2), .length1_octet(length1_octet), .length2_octet(length2_octet),
    .checksum1_octet(checksum1_octet), .checksum2_octet(checksum2_octet));

  reg [10:7]    fields_any_reg;
  reg [127:0]   field_values_reg;
  reg [27:0]    field_octets_reg;
  (* ram_style = "distributed" *) reg [155:0] fields_ram [0:3];
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (fields_any6 || fields_any_reg != 4'd0) begin
      fields_any_reg <= {fields_any_reg[9:7], fields_any6};
      if (fields_any_reg[9]) {field_octets_reg, field_values_reg} <= fields_ram[clock_reg[1:0] - 2'd3];
      if (fields_any6) fields_ram[clock_reg[1:0]] = {octets6, values6};
    end
    if (rst) fields_any_reg <= 4'd0;
  end
  /* verilator lint_on BLKSEQ */

  // Fields: those of the flow, or of the segment.
  localparam FIELDS = TCP != 0 ? 5 : 4;
  wire                segment_coming;
  wire [FIELDS*32-1:0] field_values;
  wire [FIELDS*7-1:0] field_octets;
  wire [7:0]          stream_first, stream_end;
  generate
    if (TCP != 0) begin : g_fields
      wire [5*32-1:0] segment_values;
      wire [5*7-1:0]  segment_octet;
      reg             segment10_reg;
      (* ram_style = "distributed" *) reg segment_ram [0:15];
      /* verilator lint_off BLKSEQ */
      always @(posedge clk) begin
        if (way[9]) segment10_reg <= segment_ram[clock_reg - 4'd9];
        if (frame_valid) segment_ram[clock_reg] = frame_segment;
      end
      /* verilator lint_on BLKSEQ */
      tx_segment #(.READ(9)) u_segment (
        .clk(clk), .frame_valid(frame_valid && frame_segment), .frame_segment(taken), .header(cfg_tcp_header_octets),
        .sum(segment_sum), .read(way[9]), .field_values(segment_values), .field_octets(segment_octet), .first(stream_first),
        .stream_end(stream_end));
      assign segment_coming = segment10_reg;
      assign field_values   = segment_coming ? segment_values : {32'd0, field_values_reg};
      assign field_octets   = segment_coming ? segment_octet : {7'd0, field_octets_reg};
    end else begin : g_fields
      assign segment_sum    = 17'd0;
      assign segment_coming = 1'b0;
      assign field_values   = field_values_reg;
      assign field_octets   = field_octets_reg;
      assign stream_first   = 8'd0;
      assign stream_end     = 8'd0;
      wire   unused_taken   = &{1'b0, taken};
    end
  endgenerate

  wire         build_valid, build_body_valid;
  wire [511:0] build_header, build_body;
  tx_inserts #(.FIELDS(FIELDS)) u_inserts (
    .clk(clk), .rst(rst), .coming_valid(coming_valid), .fields_any(fields_any_reg[10] || segment_coming),
    .field_values(field_values), .field_octets(field_octets), .count_any(segment_coming),
    .count_at(cfg_tcp_header_octets), .count_end(stream_end), .count_add(stream_first - {1'b0, cfg_tcp_header_octets}),
    .words_any(words_any),
    .word_values({checksum2, checksum1, length2, length1}), .word_octets({checksum2_octet, checksum1_octet, length2_octet, length1_octet}), .header_valid(header_valid),
    .header(header), .body_valid(body_valid), .body_first(body_first), .body(body),
    .out_header_valid(build_valid), .out_header(build_header), .out_body_valid(build_body_valid),
    .out_body(build_body));

  // Signals around them. Length and kind are needed one clock earlier than the rest.
  reg [13:0]           coming_octets_reg;
  reg                  coming_unsigned_reg;
  reg                  build_tag_reg, build_bad_fcs_reg, build_bad_end_reg;
  reg [GROUP_W-1:0]    build_group_reg;
  reg [39:0]           build_time_reg;
  reg [FLOW_LOG2-1:0]  build_index_reg;
  reg [47:0]           build_sequence_reg;
  reg [7:0]            build_payload_reg, stream_first_reg;
  reg                  build_segment_reg;      // belongs to the frame with header_valid
  reg [4:0]            build_body_words_reg;
  (* ram_style = "distributed" *) reg [14:0] length_ram [0:15];
  (* ram_style = "distributed" *) reg [GROUP_W+FLOW_LOG2+42:0] frame_ram [0:15];
  (* ram_style = "distributed" *) reg [47:0] sequence_ram [0:15];
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (coming_valid) build_segment_reg <= segment_coming;
    if (coming_valid) stream_first_reg  <= stream_first;
    if (header_valid) begin
      build_payload_reg    <= build_segment_reg ? {1'b0, cfg_tcp_header_octets} - stream_first_reg : payload;
      build_body_words_reg <= body_words;
      build_sequence_reg   <= sequence_ram[clock_reg - 4'd11];
      {build_group_reg, build_index_reg, build_time_reg, build_tag_reg, build_bad_fcs_reg, build_bad_end_reg}
        <= frame_ram[clock_reg - 4'd11];
    end
    if (coming_valid) {coming_octets_reg, coming_unsigned_reg} <= length_ram[clock_reg - 4'd10];
    if (flow_valid) sequence_ram[clock_reg - 4'd4] = sequence4;
    if (frame_valid) begin
      length_ram[clock_reg] = {frame_octets, frame_unsigned};
      frame_ram[clock_reg]  = {frame_group, frame_flow, frame_time, frame_tag, frame_bad_fcs, frame_bad_end};
    end
  end
  /* verilator lint_on BLKSEQ */
  wire unused = &{1'b0, way, flow4, flow_data[31]};

  wire                 build_busy, preamble, a_active, a_first, a_end, a_lone, a_bad_fcs, a_bad_end, b_active;
  wire [64*GROUPS-1:0] data;
  wire [GROUP_W-1:0]   preamble_group, b_group;
  wire [6:0]           a_octets;
  tx_build #(.GROUPS(GROUPS), .FLOW_LOG2(FLOW_LOG2)) u_build (
    .clk(clk), .rst(rst), .port(port), .load(load), .cfg_run_id(cfg_run_id),
    .coming_valid(header_valid), .coming_octets(coming_octets_reg), .coming_unsigned(coming_unsigned_reg),
    .frame_valid(build_valid), .frame_group(build_group_reg), .frame_time(build_time_reg), .frame_tag(build_tag_reg),
    .frame_bad_fcs(build_bad_fcs_reg), .frame_bad_end(build_bad_end_reg), .frame_index(build_index_reg),
    .frame_sequence(build_sequence_reg), .frame_payload(build_payload_reg), .frame_body_words(build_body_words_reg),
    .frame_header(build_header), .body_valid(build_body_valid), .body(build_body), .busy(build_busy), .data(data),
    .preamble(preamble), .preamble_group(preamble_group), .a_active(a_active), .a_first(a_first),
    .a_end(a_end), .a_octets(a_octets), .a_lone(a_lone), .a_bad_fcs(a_bad_fcs), .a_bad_end(a_bad_end),
    .b_active(b_active), .b_group(b_group));

  wire bad_fcs_sent;
  mac_tx #(.GROUPS(GROUPS)) u_mac (
    .clk(clk), .rst(rst), .data(data), .preamble(preamble), .preamble_group(preamble_group), .a_active(a_active),
    .a_first(a_first), .a_end(a_end), .a_octets(a_octets), .a_lone(a_lone), .a_bad_fcs(a_bad_fcs), .a_bad_end(a_bad_end),
    .b_active(b_active), .b_group(b_group), .bad_fcs_sent(bad_fcs_sent), .line_data(line_data),
    .line_ctrl(line_ctrl));

  always @(posedge clk)
    if (rst || clear) bad_fcs_frames <= 64'd0;
    else              bad_fcs_frames <= bad_fcs_frames + {63'd0, bad_fcs_sent};

  // A frame is visible when it is scheduled and while its words are built; in between and after that, the drain count
  // covers it.
  reg [4:0] drain_reg;
  always @(posedge clk)
    if (rst)                             drain_reg <= 5'd0;
    else if (frame_valid || build_busy)  drain_reg <= DRAIN_CLOCKS;
    else if (drain_reg != 5'd0)          drain_reg <= drain_reg - 5'd1;
  assign pipe_busy = frame_coming || frame_valid || drain_reg != 5'd0;
  assign sending   = active || pipe_busy;
  assign idle      = !pipe_busy && !busy;
endmodule
