// SPDX-License-Identifier: Apache-2.0
// One port: its registers, its transmitter, its receiver, and a meter of what really leaves.
//
// The tx counters of frames, octets, times and gaps come from a line_meter on the transmitted line, not from the
// logic that sends. Strobes and run id come from csr_global, for all ports in the same clock.
// word_time is the number of the word on line_tx, rx_word_time that of the word on line_rx. It neither registers the
// line nor loops it back: fpgauge_core does.
module fpgauge_port #(
  parameter GROUPS = 8,
  parameter PORTS  = 2,
  parameter PORT   = 0
) (
  input                   clk,
  input                   rst,
  input  [47:0]           word_time,
  input  [47:0]           rx_word_time,
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

  output reg              loopback,    // loop the line back
  output                  busy,        // a table is being cleared
  output                  sending,
  output                  tx_idle,     // nothing in the pipe to the line
  output [31:0]           idle_words,
  output [47:0]           start_word
);
`include "fpgauge_regs.vh"

  // ---------------------------------------------------------------- registers
  wire        cfg_enable, cfg_random, cfg_tag_enable, cfg_loopback, dest_we, header_we;
  wire [13:0] cfg_frame_octets, cfg_max_frame_octets;
  wire [39:0] cfg_gap_octets, cfg_burst_gap_octets;
  wire [31:0] cfg_gap_numerator, cfg_gap_denominator, cfg_burst_frames, cfg_seed, cfg_bad_fcs_every, header_data;
  wire [47:0] cfg_stop_frames;
  wire [55:0] cfg_duration, cfg_tag_first, cfg_tag_interval;
  wire [8:0]  cfg_destinations, tag_index;
  wire [7:0]  cfg_payload_offset, dest_index, tx_stream_index;
  wire [3:0]  dest_port, header_word;
  wire [15:0] cfg_short_gap_octets;
  wire [42:0] cfg_histogram_base, tag_latency;
  wire [4:0]  cfg_histogram_width_log2;
  wire [11:0] rx_stream_index, tag_stream;
  wire [9:0]  histogram_index, gap_histogram_index;
  wire [53:0] tag_time;
  wire        tx_stream_req, tx_stream_ack, rx_stream_req, rx_stream_ack, histogram_req, histogram_ack;
  wire        gap_histogram_req, gap_histogram_ack;
  wire [47:0] tx_stream_frames, histogram_count, gap_histogram_count;
  wire [7*48-1:0] rx_stream_count;
  wire        counter_read;
  wire [5:0]  counter_slot;
  wire [63:0] counter_value;

  csr_port #(.PORTS(PORTS)) u_csr (
    .clk(clk), .rst(rst), .bus_req(bus_req), .bus_write(bus_write), .bus_offset(bus_offset), .bus_wdata(bus_wdata),
    .bus_ack(bus_ack), .bus_rdata(bus_rdata), .bus_error(bus_error),
    .cfg_enable(cfg_enable), .cfg_frame_octets(cfg_frame_octets), .cfg_gap_octets(cfg_gap_octets),
    .cfg_gap_numerator(cfg_gap_numerator), .cfg_gap_denominator(cfg_gap_denominator),
    .cfg_burst_frames(cfg_burst_frames), .cfg_burst_gap_octets(cfg_burst_gap_octets),
    .cfg_stop_frames(cfg_stop_frames), .cfg_duration(cfg_duration), .cfg_destinations(cfg_destinations),
    .cfg_random(cfg_random), .cfg_seed(cfg_seed), .cfg_payload_offset(cfg_payload_offset),
    .cfg_tag_enable(cfg_tag_enable), .cfg_tag_first(cfg_tag_first), .cfg_tag_interval(cfg_tag_interval),
    .cfg_bad_fcs_every(cfg_bad_fcs_every),
    .dest_we(dest_we), .dest_index(dest_index), .dest_port(dest_port),
    .header_we(header_we), .header_word(header_word), .header_data(header_data),
    .cfg_short_gap_octets(cfg_short_gap_octets), .cfg_max_frame_octets(cfg_max_frame_octets),
    .cfg_histogram_base(cfg_histogram_base), .cfg_histogram_width_log2(cfg_histogram_width_log2),
    .cfg_loopback(cfg_loopback),
    .tx_stream_req(tx_stream_req), .tx_stream_index(tx_stream_index), .tx_stream_ack(tx_stream_ack),
    .tx_stream_frames(tx_stream_frames),
    .rx_stream_req(rx_stream_req), .rx_stream_index(rx_stream_index), .rx_stream_ack(rx_stream_ack),
    .rx_stream_count(rx_stream_count),
    .histogram_req(histogram_req), .histogram_index(histogram_index), .histogram_ack(histogram_ack),
    .histogram_count(histogram_count),
    .gap_histogram_req(gap_histogram_req), .gap_histogram_index(gap_histogram_index),
    .gap_histogram_ack(gap_histogram_ack), .gap_histogram_count(gap_histogram_count),
    .tag_index(tag_index), .tag_stream(tag_stream), .tag_latency(tag_latency), .tag_time(tag_time),
    .counter_read(counter_read), .counter_slot(counter_slot), .counter_value(counter_value));

  // ---------------------------------------------------------------- transmit
  wire        tx_busy, meter_busy;
  wire [63:0] tx_bad_fcs_frames;
  tx #(.GROUPS(GROUPS), .DEST_LOG2(PORT_TX_DESTINATION_INDEX_BITS), .PORT(PORT)) u_tx (
    .clk(clk), .rst(rst), .word_time(word_time), .skip_words(skip_words),
    .start(start), .stop(stop), .clear(clear), .snapshot(snapshot),
    .cfg_run_id(cfg_run_id), .cfg_enable(cfg_enable), .cfg_frame_octets(cfg_frame_octets),
    .cfg_gap_octets(cfg_gap_octets), .cfg_gap_numerator(cfg_gap_numerator), .cfg_gap_denominator(cfg_gap_denominator),
    .cfg_burst_frames(cfg_burst_frames), .cfg_burst_gap_octets(cfg_burst_gap_octets),
    .cfg_stop_frames(cfg_stop_frames), .cfg_duration(cfg_duration), .cfg_destinations(cfg_destinations),
    .cfg_random(cfg_random), .cfg_seed(cfg_seed), .cfg_payload_offset(cfg_payload_offset),
    .cfg_tag_enable(cfg_tag_enable), .cfg_tag_first(cfg_tag_first), .cfg_tag_interval(cfg_tag_interval),
    .cfg_bad_fcs_every(cfg_bad_fcs_every),
    .dest_we(dest_we), .dest_index(dest_index), .dest_port(dest_port),
    .header_we(header_we), .header_word(header_word), .header_data(header_data),
    .stream_req(tx_stream_req), .stream_index(tx_stream_index), .stream_ack(tx_stream_ack),
    .stream_frames(tx_stream_frames),
    .line_data(line_tx_data), .line_ctrl(line_tx_ctrl), .bad_fcs_frames(tx_bad_fcs_frames),
    .busy(tx_busy), .sending(sending), .idle(tx_idle), .idle_words(idle_words), .start_word(start_word));

  // Never changes in a trial: so no frame of its own is cut, and all frames of a trial go the same way.
  always @(posedge clk)
    if (rst)           loopback <= 1'b0;
    else if (!sending) loopback <= cfg_loopback;

  wire [63:0] tx_frames, tx_octets, tx_first_time, tx_last_time;
  wire [63:0] tx_gaps, tx_gap_min_octets, tx_gap_max_octets, tx_gap_sum_octets, tx_short_gaps;
  line_meter #(.GROUPS(GROUPS)) u_meter (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .word_time(word_time), .line_data(line_tx_data),
    .line_ctrl(line_tx_ctrl), .short_gap_octets(16'd0), .frames(tx_frames), .octets(tx_octets), .first_time(tx_first_time),
    .last_time(tx_last_time), .gaps(tx_gaps), .gap_min_octets(tx_gap_min_octets),
    .gap_max_octets(tx_gap_max_octets), .gap_sum_octets(tx_gap_sum_octets), .short_gaps(tx_short_gaps),
    .histogram_req(gap_histogram_req), .histogram_index(gap_histogram_index), .histogram_ack(gap_histogram_ack),
    .histogram_count(gap_histogram_count), .busy(meter_busy));
  wire unused = &{1'b0, tx_short_gaps};   // nothing is below 0

  // ---------------------------------------------------------------- receive
  wire        rx_busy;
  wire [63:0] rx_frames, rx_octets, rx_bad_frames, rx_bad_code_frames, rx_bad_short_frames, rx_bad_long_frames;
  wire [63:0] rx_bad_fcs_frames, rx_foreign_frames, rx_other_run_frames, rx_wrong_length_frames, rx_wrong_port_frames;
  wire [63:0] rx_received_frames, rx_lost_frames, rx_duplicated_frames, rx_reordered_frames, rx_late_frames;
  wire [63:0] rx_sequence_gaps, rx_first_time, rx_last_time, rx_last_loss_time, rx_silence_max, rx_silence_time;
  wire [63:0] rx_gaps, rx_gap_min_octets, rx_gap_max_octets, rx_gap_sum_octets, rx_short_gaps;
  wire [63:0] rx_latency_frames, rx_latency_min, rx_latency_max, rx_latency_sum, rx_latency_sum_high;
  wire [63:0] rx_tagged_frames;
  rx #(.GROUPS(GROUPS), .PORTS(PORTS), .PORT(PORT)) u_rx (
    .clk(clk), .rst(rst), .word_time(rx_word_time), .clear(clear), .snapshot(snapshot),
    .line_data(line_rx_data), .line_ctrl(line_rx_ctrl), .cfg_run_id(cfg_run_id),
    .cfg_short_gap_octets(cfg_short_gap_octets), .cfg_max_frame_octets(cfg_max_frame_octets),
    .cfg_histogram_base(cfg_histogram_base), .cfg_histogram_width_log2(cfg_histogram_width_log2),
    .stream_req(rx_stream_req), .stream_index(rx_stream_index), .stream_ack(rx_stream_ack),
    .stream_count(rx_stream_count),
    .histogram_req(histogram_req), .histogram_index(histogram_index), .histogram_ack(histogram_ack),
    .histogram_count(histogram_count),
    .tag_index(tag_index), .tag_stream(tag_stream), .tag_latency(tag_latency), .tag_time(tag_time),
    .rx_frames(rx_frames), .rx_octets(rx_octets), .rx_bad_frames(rx_bad_frames),
    .rx_bad_code_frames(rx_bad_code_frames), .rx_bad_short_frames(rx_bad_short_frames),
    .rx_bad_long_frames(rx_bad_long_frames), .rx_bad_fcs_frames(rx_bad_fcs_frames),
    .rx_foreign_frames(rx_foreign_frames), .rx_other_run_frames(rx_other_run_frames),
    .rx_wrong_length_frames(rx_wrong_length_frames), .rx_wrong_port_frames(rx_wrong_port_frames),
    .rx_received_frames(rx_received_frames), .rx_lost_frames(rx_lost_frames),
    .rx_duplicated_frames(rx_duplicated_frames), .rx_reordered_frames(rx_reordered_frames),
    .rx_late_frames(rx_late_frames), .rx_sequence_gaps(rx_sequence_gaps), .rx_first_time(rx_first_time),
    .rx_last_time(rx_last_time), .rx_last_loss_time(rx_last_loss_time), .rx_silence_max(rx_silence_max),
    .rx_silence_time(rx_silence_time), .rx_gaps(rx_gaps), .rx_gap_min_octets(rx_gap_min_octets),
    .rx_gap_max_octets(rx_gap_max_octets), .rx_gap_sum_octets(rx_gap_sum_octets), .rx_short_gaps(rx_short_gaps),
    .rx_latency_frames(rx_latency_frames), .rx_latency_min(rx_latency_min), .rx_latency_max(rx_latency_max),
    .rx_latency_sum(rx_latency_sum), .rx_latency_sum_high(rx_latency_sum_high), .rx_tagged_frames(rx_tagged_frames),
    .busy(rx_busy));

  // ---------------------------------------------------------------- counters
  // Only used in the clock of the snapshot; gathering them in every clock would cost a simulation 4% of its speed.
  reg [64*COUNTERS-1:0] live;
  always @* begin
    live = {(64*COUNTERS){1'bx}};
    if (snapshot) live = `FPGAUGE_LIVE_COUNTERS;
  end
  snapshot_bank #(.SLOTS(COUNTERS)) u_bank (
    .clk(clk), .snapshot(snapshot), .live(live), .read(counter_read), .slot(counter_slot), .value(counter_value));

  assign busy = tx_busy || meter_busy || rx_busy;
endmodule
