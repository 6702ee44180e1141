// SPDX-License-Identifier: Apache-2.0
// One port: its registers, its transmitter, its receiver, and a meter of what really leaves.
//
// The tx counters of frames, octets, times and gaps come from a line_meter on the transmitted line, not from the
// logic that sends. Strobes and run id come from csr_global, for all ports in the same clock.
// word_time is the number of the word on line_tx, rx_word_time that of the word on line_rx. It neither registers the
// line nor loops it back: fpgauge_core does. rx_clk is clk: under a name of its own, a simulation can play the receiver
// apart from the rest, because between strobes and accesses neither takes anything from the other (sim/rtl/port_model.h),
// but for pause frames while the port `obeys`.
`include "csr_types.svh"
`include "fpgauge_time.vh"
`include "tcp_types.svh"
module fpgauge_port #(
  parameter GROUPS = 8,
  parameter PORTS  = 2,
  parameter TCP    = 0,               // 1: the port has TCP connections
  parameter TIME_W = `FPGAUGE_WORD_TIME_W(GROUPS)
) (
  input                   clk,
  input                   rx_clk,
  input                   rst,
  input  [3:0]            port,
  input  [TIME_W-1:0]     word_time,
  input  [TIME_W-1:0]     rx_word_time,
  input  [31:0]           skip_words,
  input                   start,
  input                   stop,
  input                   clear,
  input                   snapshot,
  input  [7:0]            cfg_run_id,

  input                   bus_req,
  input                   bus_write,
  input  [11:0]           bus_offset,
  input  [31:0]           bus_wdata,
  output                  bus_ack,
  output [31:0]           bus_rdata,
  output                  bus_error,

  output [64*GROUPS-1:0]  line_tx_data,
  output [8*GROUPS-1:0]   line_tx_ctrl,
  input  [64*GROUPS-1:0]  line_rx_data,
  input  [8*GROUPS-1:0]   line_rx_ctrl,

  input                   link_present, // the MAC behind the line (link_monitor); 0 where there is none
  input                   link_up,
  input  [5:0]            link_lanes,
  input  [10:0]           link_events,
  input  [7:0]            link_steps,

  output reg              loopback,    // loop the line back
  output                  busy,        // a table is being cleared
  output                  sending,
  output                  obeys,       // received frames may hold what it sends (tx_obey_pause)
  output                  started,     // it took the start strobe of the previous clock; then start_word is valid
  output                  tx_idle,     // nothing in the pipe to the line
  output [31:0]           idle_words,
  output [TIME_W-1:0]     start_word
);
`include "fpgauge_regs.vh"

  // ---------------------------------------------------------------- registers
  csr_types::port_tx_settings_t tx_settings;
  csr_types::port_rx_settings_t rx_settings;
  csr_types::port_tcp_settings_t tcp_settings;
  csr_types::port_tx_writes_t   tx_writes;
  csr_types::port_rx_writes_t   rx_writes;
  csr_types::port_tcp_writes_t  tcp_writes;
  csr_types::port_tcp_look_values_t            tcp_look_values;
  csr_types::port_tcp_stream_values_t          tcp_stream_values;
  csr_types::port_tx_stream_values_t           tx_stream_values;
  csr_types::port_rx_stream_values_t           rx_stream_values;
  csr_types::port_rx_histogram_values_t        rx_histogram_values;
  csr_types::port_rx_octave_histogram_values_t rx_octave_histogram_values;
  csr_types::port_tx_gap_histogram_values_t    tx_gap_histogram_values;
  csr_types::port_rx_gap_histogram_values_t    rx_gap_histogram_values;
  csr_types::port_rx_mail_values_t             rx_mail_values;
  csr_types::port_rx_tag_values_t              rx_tag_values;
  wire        tx_stream_req, tx_stream_ack, rx_stream_req, rx_stream_ack, rx_histogram_req, rx_histogram_ack;
  wire        rx_octave_histogram_req, rx_octave_histogram_ack, tx_gap_histogram_req, tx_gap_histogram_ack;
  wire        rx_gap_histogram_req, rx_gap_histogram_ack;
  wire [7:0]  tx_stream_index;
  wire [11:0] rx_stream_index;
  wire [9:0]  rx_histogram_index, rx_octave_histogram_index, tx_gap_histogram_index, rx_gap_histogram_index;
  wire        rx_mail_req, rx_mail_ack;
  wire [11:0] rx_mail_index;
  wire [8:0]  rx_tag_index;
  wire [31:0] link_status, link_flaps;
  wire        tcp_status_busy, tcp_look_req, tcp_look_ack, tcp_stream_req, tcp_stream_ack;
  wire [5:0]  tcp_look_index, tcp_stream_index;
  wire        counter_read;
  wire [5:0]  counter_slot;
  wire [63:0] counter_value;

  csr_port #(.RX_STREAM_ENTRIES(PORTS << PORT_TX_FLOW_INDEX_BITS), .TCP_CONNECTIONS(TCP != 0 ? 64 : 0)) u_csr (
    .clk(clk), .rst(rst), .bus_req(bus_req), .bus_write(bus_write), .bus_offset(bus_offset), .bus_wdata(bus_wdata),
    .bus_ack(bus_ack), .bus_rdata(bus_rdata), .bus_error(bus_error),
    .tx_settings(tx_settings), .rx_settings(rx_settings), .tcp_settings(tcp_settings), .tcp_status_busy(tcp_status_busy),
    .tx_writes(tx_writes), .rx_writes(rx_writes), .tcp_writes(tcp_writes),
    .tx_stream_req(tx_stream_req), .tx_stream_index(tx_stream_index), .tx_stream_ack(tx_stream_ack),
    .tx_stream_values(tx_stream_values),
    .rx_stream_req(rx_stream_req), .rx_stream_index(rx_stream_index), .rx_stream_ack(rx_stream_ack),
    .rx_stream_values(rx_stream_values),
    .rx_histogram_req(rx_histogram_req), .rx_histogram_index(rx_histogram_index),
    .rx_histogram_ack(rx_histogram_ack), .rx_histogram_values(rx_histogram_values),
    .rx_octave_histogram_req(rx_octave_histogram_req), .rx_octave_histogram_index(rx_octave_histogram_index),
    .rx_octave_histogram_ack(rx_octave_histogram_ack), .rx_octave_histogram_values(rx_octave_histogram_values),
    .tx_gap_histogram_req(tx_gap_histogram_req), .tx_gap_histogram_index(tx_gap_histogram_index),
    .tx_gap_histogram_ack(tx_gap_histogram_ack), .tx_gap_histogram_values(tx_gap_histogram_values),
    .rx_gap_histogram_req(rx_gap_histogram_req), .rx_gap_histogram_index(rx_gap_histogram_index),
    .rx_gap_histogram_ack(rx_gap_histogram_ack), .rx_gap_histogram_values(rx_gap_histogram_values),
    .rx_mail_req(rx_mail_req), .rx_mail_index(rx_mail_index), .rx_mail_ack(rx_mail_ack), .rx_mail_values(rx_mail_values),
    .rx_tag_index(rx_tag_index), .rx_tag_values(rx_tag_values),
    .tcp_look_req(tcp_look_req), .tcp_look_index(tcp_look_index), .tcp_look_ack(tcp_look_ack),
    .tcp_look_values(tcp_look_values), .tcp_stream_req(tcp_stream_req), .tcp_stream_index(tcp_stream_index),
    .tcp_stream_ack(tcp_stream_ack), .tcp_stream_values(tcp_stream_values),
    .link_status_present(link_status[0]), .link_status_up(link_status[1]), .link_status_clock(link_status[2]),
    .link_status_block_lock(link_status[3]), .link_status_lanes_synced(link_status[4]),
    .link_status_aligned(link_status[5]), .link_status_remote_fault(link_status[6]),
    .link_status_fec_uncorrectable(link_status[7]), .link_status_down(link_status[8]),
    .link_status_lanes_lost(link_status[9]), .link_status_mac_held(link_status[10]),
    .link_status_refused(link_status[11]), .link_status_no_room(link_status[12]), .link_status_late(link_status[13]),
    .link_status_overflow(link_status[14]), .link_status_underflow(link_status[15]),
    .link_status_time_slip(link_status[16]), .link_status_rx_late(link_status[17]),
    .link_status_rx_no_room(link_status[18]), .link_flaps_value(link_flaps),
    .counter_read(counter_read), .counter_slot(counter_slot), .counter_value(counter_value));

  // ---------------------------------------------------------------- transmit
  wire          tcp_busy, segment_valid, segment_take, tx_active, tx_load;
  wire [5:0]    segment_connection;
  wire [13:0]   segment_octets;
  tcp_types::segment_t segment;
  wire          tx_is_idle;
  wire [31:0]   tx_idle_words;
  // While there are TCP connections, time passes clock by clock in a simulation too.
  wire          tcp_on = TCP != 0 && tcp_settings.enable;
  assign tx_idle    = tx_is_idle && !tcp_on;
  assign idle_words = tcp_on ? 32'd0 : tx_idle_words;
  wire        tx_busy, meter_busy;
  wire [63:0] tx_bad_fcs_frames;
  wire [63:0] tx_late_frames, tx_held_time;
  wire        pause;
  wire [15:0] pause_quanta;
  wire [47:0] tx_stream_frames;
  assign tx_stream_values = {16'd0, tx_stream_frames};
  tx #(.GROUPS(GROUPS), .FLOW_LOG2(PORT_TX_FLOW_INDEX_BITS), .TCP(TCP)) u_tx (
    .clk(clk), .rst(rst), .port(port), .word_time(word_time), .skip_words(skip_words),
    .start(start), .stop(stop), .clear(clear), .snapshot(snapshot), .cfg_run_id(cfg_run_id),
    .cfg_enable(tx_settings.enable), .cfg_frame_octets(tx_settings.frame_octets),
    .cfg_gap_octets(tx_settings.gap_octets), .cfg_gap_numerator(tx_settings.gap_numerator),
    .cfg_gap_denominator(tx_settings.gap_denominator), .cfg_burst_frames(tx_settings.burst_frames),
    .cfg_burst_gap_octets(tx_settings.burst_gap_octets), .cfg_stop_frames(tx_settings.stop_frames),
    .cfg_duration(tx_settings.duration), .cfg_flows(tx_settings.flows), .cfg_order(tx_settings.order),
    .cfg_turns(tx_settings.turns), .cfg_seed(tx_settings.seed), .cfg_size_seed(tx_settings.size_seed),
    .cfg_start_offset(tx_settings.start_offset), .cfg_phases(tx_settings.phases), .cfg_rules(tx_settings.rules),
    .cfg_every(tx_settings.every), .cfg_every_flow(tx_settings.every_flow),
    .cfg_tag_enable(tx_settings.tag_enable), .cfg_tag_first(tx_settings.tag_first),
    .cfg_tag_interval(tx_settings.tag_interval), .cfg_bad_fcs_every(tx_settings.bad_fcs_every),
    .cfg_field_seed(tx_settings.field_seed), .cfg_obey_pause(tx_settings.obey_pause), .pause(pause),
    .pause_quanta(pause_quanta), .held_time(tx_held_time), .obeys(obeys),
    .flow_index(tx_writes.flow_index), .flow_payload_we(tx_writes.flow_payload_we),
    .flow_body_we(tx_writes.flow_body_we), .flow_length1_we(tx_writes.flow_length1_we),
    .flow_length2_we(tx_writes.flow_length2_we), .flow_checksum1_we(tx_writes.flow_checksum1_we),
    .flow_checksum2_we(tx_writes.flow_checksum2_we), .flow_size_we(tx_writes.flow_size_we),
    .flow_flags_we(tx_writes.flow_flags_we), .flow_data(tx_writes.data),
    .field_index(tx_writes.field_index), .field_start_we(tx_writes.field_start_we),
    .field_step_we(tx_writes.field_step_we), .field_mask_we(tx_writes.field_mask_we),
    .field_count_we(tx_writes.field_count_we), .field_kind_we(tx_writes.field_kind_we),
    .field_data(tx_writes.data), .value_we(tx_writes.value_we), .value_index(tx_writes.value_index),
    .value_data(tx_writes.data),
    .header_we(tx_writes.header_we), .header_word(tx_writes.word), .header_data(tx_writes.data),
    .body_we(tx_writes.body_we), .body_index(tx_writes.body_index), .body_word(tx_writes.word),
    .body_data(tx_writes.data),
    .size_we(tx_writes.size_octets_we), .size_index(tx_writes.size_index), .size_octets(tx_writes.data[13:0]),
    .turn_we(tx_writes.turn_flow_we), .turn_index(tx_writes.turn_index), .turn_flow(tx_writes.data[7:0]),
    .phase_index(tx_writes.phase_index), .phase_time_we(tx_writes.phase_time_we),
    .phase_gap_octets_we(tx_writes.phase_gap_octets_we), .phase_gap_numerator_we(tx_writes.phase_gap_numerator_we),
    .phase_gap_denominator_we(tx_writes.phase_gap_denominator_we), .phase_data(tx_writes.data),
    .rule_index(tx_writes.rule_index), .rule_time_we(tx_writes.rule_time_we),
    .rule_period_we(tx_writes.rule_period_we), .rule_frame_we(tx_writes.rule_frame_we), .send_we(tx_writes.send_we),
    .rule_data(tx_writes.data),
    .cfg_tcp_header_octets(tcp_settings.header_octets), .segment_valid(segment_valid),
    .segment_flow(tcp_settings.flow + {2'd0, segment_connection}), .segment_octets(segment_octets), .segment(segment),
    .segment_take(segment_take), .active(tx_active), .load(tx_load),
    .stream_req(tx_stream_req), .stream_index(tx_stream_index), .stream_ack(tx_stream_ack),
    .stream_frames(tx_stream_frames),
    .line_data(line_tx_data), .line_ctrl(line_tx_ctrl), .bad_fcs_frames(tx_bad_fcs_frames),
    .late_frames(tx_late_frames), .busy(tx_busy), .sending(sending), .started(started), .idle(tx_is_idle),
    .idle_words(tx_idle_words), .start_word(start_word));

  // Never changes in a trial: so no frame of its own is cut, and all frames of a trial go the same way.
  always @(posedge clk)
    if (rst)           loopback <= 1'b0;
    else if (!sending) loopback <= rx_settings.loopback;

  wire [63:0] tx_frames, tx_octets, tx_first_time, tx_last_time;
  wire [63:0] tx_gaps, tx_gap_min_octets, tx_gap_max_octets, tx_gap_sum_octets, tx_short_gaps;
  wire [47:0] tx_gap_histogram_count;
  assign tx_gap_histogram_values = {16'd0, tx_gap_histogram_count};
  line_meter #(.GROUPS(GROUPS)) u_meter (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .word_time(word_time), .line_data(line_tx_data),
    .line_ctrl(line_tx_ctrl), .short_gap_octets(16'd0), .frames(tx_frames), .octets(tx_octets), .first_time(tx_first_time),
    .last_time(tx_last_time), .gaps(tx_gaps), .gap_min_octets(tx_gap_min_octets),
    .gap_max_octets(tx_gap_max_octets), .gap_sum_octets(tx_gap_sum_octets), .short_gaps(tx_short_gaps),
    .histogram_req(tx_gap_histogram_req), .histogram_index(tx_gap_histogram_index),
    .histogram_ack(tx_gap_histogram_ack), .histogram_count(tx_gap_histogram_count), .busy(meter_busy));

  // ---------------------------------------------------------------- receive
  wire        rx_busy, tcp_valid;
  wire [5:0]  tcp_connection;
  tcp_types::segment_t tcp_segment;
  wire [63:0] rx_tcp_frames, rx_tcp_bad_frames;
  wire [63:0] rx_frames, rx_octets, rx_bad_frames, rx_bad_code_frames, rx_bad_short_frames, rx_bad_long_frames;
  wire [63:0] rx_bad_fcs_frames, rx_foreign_frames, rx_other_run_frames, rx_wrong_length_frames, rx_wrong_port_frames;
  wire [63:0] rx_received_frames, rx_lost_frames, rx_duplicated_frames, rx_reordered_frames, rx_late_frames;
  wire [63:0] rx_sequence_gaps, rx_first_time, rx_last_time, rx_last_loss_time, rx_silence_max, rx_silence_time;
  wire [63:0] rx_gaps, rx_gap_min_octets, rx_gap_max_octets, rx_gap_sum_octets, rx_short_gaps;
  wire [63:0] rx_latency_frames, rx_latency_min, rx_latency_max, rx_latency_sum, rx_latency_sum_high;
  wire [63:0] rx_tagged_frames;
  wire [63:0] rx_bad_payload_frames, rx_mail_frames, rx_mail_overflow_frames, rx_pause_frames, rx_resume_frames;
  wire [47:0] rx_histogram_count, rx_octave_histogram_count, rx_gap_histogram_count;
  wire [42:0] rx_tag_latency;
  wire [63:0] rx_tag_time;
  assign rx_histogram_values        = {16'd0, rx_histogram_count};
  assign rx_octave_histogram_values = {16'd0, rx_octave_histogram_count};
  assign rx_gap_histogram_values    = {16'd0, rx_gap_histogram_count};
  assign rx_tag_values.tag_latency  = {21'd0, rx_tag_latency};
  assign rx_tag_values.tag_time     = rx_tag_time;
  rx #(.GROUPS(GROUPS), .PORTS(PORTS), .TCP(TCP)) u_rx (
    .clk(rx_clk), .rst(rst), .word_time(rx_word_time), .clear(clear), .snapshot(snapshot),
    .line_data(line_rx_data), .line_ctrl(line_rx_ctrl), .cfg_run_id(cfg_run_id),
    .cfg_short_gap_octets(rx_settings.short_gap_octets), .cfg_max_frame_octets(rx_settings.max_frame_octets),
    .cfg_payload_offset(rx_settings.payload_offset),
    .cfg_histogram_base(rx_settings.histogram_base), .cfg_histogram_width_log2(rx_settings.histogram_width_log2),
    .obeys(obeys), .pause(pause), .pause_quanta(pause_quanta), .rx_pause_frames(rx_pause_frames),
    .rx_resume_frames(rx_resume_frames),
    .expected_we(rx_writes.expected_we), .expected_word(rx_writes.word), .expected_data(rx_writes.data),
    .stream_req(rx_stream_req), .stream_index(rx_stream_index), .stream_ack(rx_stream_ack),
    .stream_count(rx_stream_values),
    .histogram_req(rx_histogram_req), .histogram_index(rx_histogram_index), .histogram_ack(rx_histogram_ack),
    .histogram_count(rx_histogram_count),
    .octave_histogram_req(rx_octave_histogram_req), .octave_histogram_index(rx_octave_histogram_index),
    .octave_histogram_ack(rx_octave_histogram_ack), .octave_histogram_count(rx_octave_histogram_count),
    .gap_histogram_req(rx_gap_histogram_req), .gap_histogram_index(rx_gap_histogram_index),
    .gap_histogram_ack(rx_gap_histogram_ack), .gap_histogram_count(rx_gap_histogram_count),
    .tag_index(rx_tag_index), .tag_stream(rx_tag_values.tag_stream), .tag_latency(rx_tag_latency),
    .tag_time(rx_tag_time),
    .cfg_tcp_enable(tcp_settings.enable), .cfg_tcp_port(tcp_settings.port), .tcp_valid(tcp_valid),
    .tcp_connection(tcp_connection), .tcp_segment(tcp_segment),
    .cfg_mail_filter(rx_settings.mail_filter), .cfg_mail_address(rx_settings.mail_address),
    .cfg_mail_types(rx_settings.mail_types), .mail_next(rx_writes.mail_next_we), .mail_req(rx_mail_req),
    .mail_index(rx_mail_index), .mail_ack(rx_mail_ack), .mail_octets(rx_mail_values.mail_octets),
    .mail_time(rx_mail_values.mail_time), .mail_data(rx_mail_values.mail_data),
    .rx_frames(rx_frames), .rx_octets(rx_octets), .rx_bad_frames(rx_bad_frames),
    .rx_bad_code_frames(rx_bad_code_frames), .rx_bad_short_frames(rx_bad_short_frames),
    .rx_bad_long_frames(rx_bad_long_frames), .rx_bad_fcs_frames(rx_bad_fcs_frames),
    .rx_tcp_frames(rx_tcp_frames), .rx_tcp_bad_frames(rx_tcp_bad_frames), .rx_foreign_frames(rx_foreign_frames), .rx_other_run_frames(rx_other_run_frames),
    .rx_wrong_length_frames(rx_wrong_length_frames), .rx_bad_payload_frames(rx_bad_payload_frames),
    .rx_wrong_port_frames(rx_wrong_port_frames),
    .rx_received_frames(rx_received_frames), .rx_lost_frames(rx_lost_frames),
    .rx_duplicated_frames(rx_duplicated_frames), .rx_reordered_frames(rx_reordered_frames),
    .rx_late_frames(rx_late_frames), .rx_sequence_gaps(rx_sequence_gaps), .rx_first_time(rx_first_time),
    .rx_last_time(rx_last_time), .rx_last_loss_time(rx_last_loss_time), .rx_silence_max(rx_silence_max),
    .rx_silence_time(rx_silence_time), .rx_gaps(rx_gaps), .rx_gap_min_octets(rx_gap_min_octets),
    .rx_gap_max_octets(rx_gap_max_octets), .rx_gap_sum_octets(rx_gap_sum_octets), .rx_short_gaps(rx_short_gaps),
    .rx_latency_frames(rx_latency_frames), .rx_latency_min(rx_latency_min), .rx_latency_max(rx_latency_max),
    .rx_latency_sum(rx_latency_sum), .rx_latency_sum_high(rx_latency_sum_high), .rx_tagged_frames(rx_tagged_frames),
    .rx_mail_frames(rx_mail_frames), .rx_mail_overflow_frames(rx_mail_overflow_frames), .busy(rx_busy));

  // ---------------------------------------------------------------- what became of the frames behind the line
  wire [63:0] mac_sent_frames, mac_dropped_frames, mac_late_frames, mac_counted_frames;
  link_monitor u_link (
    .clk(clk), .rst(rst), .clear(clear), .attached(link_present), .present(link_present && !loopback), .up(link_up),
    .lanes(link_lanes[4:0]), .fec_uncorrectable(link_lanes[5]), .events(link_events), .steps(link_steps), .status(link_status),
    .flaps(link_flaps), .mac_sent_frames(mac_sent_frames),
    .mac_dropped_frames(mac_dropped_frames), .mac_late_frames(mac_late_frames),
    .mac_counted_frames(mac_counted_frames));
  // ---------------------------------------------------------------- TCP
  wire [63:0] tcp_sent_segments, tcp_sent_again_segments, tcp_dropped_segments, tcp_lost_connections;
  generate
    if (TCP != 0) begin : g_tcp
      tcp_port #(.TIME_W(TIME_W)) u_tcp (
        .clk(clk), .rx_clk(rx_clk), .rst(rst), .clear(clear), .snapshot(snapshot), .word_time(word_time),
        .rx_word_time(rx_word_time), .cfg(tcp_settings), .writes(tcp_writes), .command_busy(tcp_status_busy),
        .look_req(tcp_look_req), .look_index(tcp_look_index), .look_ack(tcp_look_ack), .look_values(tcp_look_values),
        .stream_req(tcp_stream_req), .stream_index(tcp_stream_index), .stream_ack(tcp_stream_ack),
        .stream_values(tcp_stream_values), .busy(tcp_busy), .sent_segments(tcp_sent_segments),
        .sent_again_segments(tcp_sent_again_segments), .dropped_segments(tcp_dropped_segments),
        .lost_connections(tcp_lost_connections), .rx_valid(tcp_valid), .rx_connection(tcp_connection),
        .rx_segment(tcp_segment), .active(tx_active), .load(tx_load), .out_valid(segment_valid),
        .out_connection(segment_connection), .out_octets(segment_octets), .out_segment(segment), .out_take(segment_take));
    end else begin : g_tcp
      assign tcp_status_busy   = 1'b0;
      assign tcp_look_ack      = tcp_look_req;
      assign tcp_look_values   = 372'd0;
      assign tcp_stream_ack    = tcp_stream_req;
      assign tcp_stream_values = 128'd0;
      assign {tcp_sent_segments, tcp_sent_again_segments, tcp_dropped_segments, tcp_lost_connections} = 256'd0;
      assign tcp_busy           = 1'b0;
      assign segment_valid      = 1'b0;
      assign segment_connection = 6'd0;
      assign segment_octets     = 14'd0;
      assign segment            = 122'd0;
      wire   unused_tcp = &{1'b0, tcp_writes, tcp_look_index, tcp_stream_index, tcp_valid, tcp_connection, tcp_segment, tx_active,
                            tx_load, segment_take};
    end
  endgenerate

  // ---------------------------------------------------------------- counters
  // Only used in the clock of the snapshot; gathering them in every clock would cost a simulation 4% of its speed.
  reg [64*COUNTERS-1:0] live;
  always @* begin
    live = {(64*COUNTERS){1'bx}};
    if (snapshot) live = `FPGAUGE_LIVE_COUNTERS;
  end
  snapshot_bank #(.SLOTS(COUNTERS)) u_bank (
    .clk(clk), .snapshot(snapshot), .live(live), .read(counter_read), .slot(counter_slot), .value(counter_value));

  assign busy = tx_busy || meter_busy || rx_busy || tcp_busy;

  // tx_short_gaps: nothing is below 0.
  wire unused = &{1'b0, tx_short_gaps, port, tx_settings, rx_settings, tx_writes, tcp_settings, link_status[31:19]};
endmodule
