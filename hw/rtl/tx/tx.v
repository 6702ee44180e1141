// SPDX-License-Identifier: Apache-2.0
// The transmitter of a port: decides, addresses, builds and sends test frames at their exact places on the line.
//
// A pipe without stalls: schedule (clock 0), destination and sequence (1 to 4), signature (5), contents (6, 7),
// MAC (8 to 12); a word decided in clock t is on line_data in t + LATENCY. The time in a signature is the word_time at
// which the start is on the line. Frames have 61 to 16383 octets.
// It counts no frames: a line_meter beside it sees what really left.
module tx #(
  parameter GROUPS    = 8,
  parameter DEST_LOG2 = 8,
  parameter PORT      = 0
) (
  input                  clk,
  input                  rst,
  input  [47:0]          word_time,
  input  [31:0]          skip_words,
  input                  start,
  input                  stop,
  input                  clear,
  input                  snapshot,

  input  [7:0]           cfg_run_id,
  input                  cfg_enable,
  input  [13:0]          cfg_frame_octets,
  input  [39:0]          cfg_gap_octets,
  input  [31:0]          cfg_gap_numerator,
  input  [31:0]          cfg_gap_denominator,
  input  [31:0]          cfg_burst_frames,
  input  [39:0]          cfg_burst_gap_octets,
  input  [47:0]          cfg_stop_frames,
  input  [55:0]          cfg_duration,
  input  [8:0]           cfg_destinations,
  input                  cfg_random,
  input  [31:0]          cfg_seed,
  input  [7:0]           cfg_payload_offset,
  input                  cfg_tag_enable,
  input  [55:0]          cfg_tag_first,
  input  [55:0]          cfg_tag_interval,
  input  [31:0]          cfg_bad_fcs_every,

  input                  dest_we,
  input  [DEST_LOG2-1:0] dest_index,
  input  [3:0]           dest_port,
  input                  header_we,
  input  [3:0]           header_word,
  input  [31:0]          header_data,

  input                  stream_req,
  input  [DEST_LOG2-1:0] stream_index,
  output                 stream_ack,
  output [47:0]          stream_frames,

  output [64*GROUPS-1:0] line_data,
  output [8*GROUPS-1:0]  line_ctrl,
  output reg [63:0]      bad_fcs_frames,
  output                 busy,
  output                 sending,
  output                 idle,
  output [31:0]          idle_words,
  output reg [47:0]      start_word
);
`include "fpgauge_signature.vh"
  localparam GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS);
  localparam [47:0] LATENCY = 48'd12;      // clocks from the schedule's decision to line_data
  localparam [47:0] SIGN_STAGE = 48'd4;    // the clock in which the signature is made up

  // ---------------------------------------------------------------- clock 0: schedule
  wire               begins1, tag1, bad1, running;
  wire [GROUP_W-1:0] group1;
  tx_schedule #(.GROUPS(GROUPS)) u_schedule (
    .clk(clk), .rst(rst), .start(start), .stop(stop), .skip_words(skip_words), .cfg_enable(cfg_enable),
    .cfg_frame_octets(cfg_frame_octets), .cfg_gap_octets(cfg_gap_octets), .cfg_gap_numerator(cfg_gap_numerator),
    .cfg_gap_denominator(cfg_gap_denominator), .cfg_burst_frames(cfg_burst_frames),
    .cfg_burst_gap_octets(cfg_burst_gap_octets), .cfg_stop_frames(cfg_stop_frames), .cfg_duration(cfg_duration),
    .cfg_tag_enable(cfg_tag_enable), .cfg_tag_first(cfg_tag_first), .cfg_tag_interval(cfg_tag_interval),
    .cfg_bad_fcs_every(cfg_bad_fcs_every),
    .begins(begins1), .group(group1), .tag(tag1), .bad_fcs(bad1), .running(running), .idle_words(idle_words));

  // The origin is decided one clock after the strobe, on an enabled port or not: the same on all ports.
  always @(posedge clk)
    if (start) start_word <= word_time + LATENCY + 48'd1;

  // ---------------------------------------------------------------- clocks 1 to 4: destination, header, sequence
  wire [DEST_LOG2-1:0] entry4;
  wire [3:0]           port4;
  wire [511:0]         header4;
  wire [47:0]          sequence4;
  tx_destinations #(.DEST_LOG2(DEST_LOG2)) u_destinations (
    .clk(clk), .rst(rst), .restart(start), .clear(clear), .snapshot(snapshot), .begins(begins1),
    .cfg_destinations(cfg_destinations), .cfg_random(cfg_random), .cfg_seed(cfg_seed),
    .dest_we(dest_we), .dest_index(dest_index), .dest_port(dest_port), .header_we(header_we),
    .header_word(header_word), .header_data(header_data),
    .stream_req(stream_req), .stream_index(stream_index), .stream_ack(stream_ack), .stream_frames(stream_frames),
    .entry(entry4), .entry_port(port4), .entry_header(header4), .entry_sequence(sequence4), .busy(busy));

  reg [GROUP_W+2:0] frame2_reg, frame3_reg, frame4_reg;   // {begins, tag, bad, group}
  always @(posedge clk) begin
    frame2_reg <= {begins1 && !rst, tag1, bad1, group1};
    frame3_reg <= rst ? {(GROUP_W+3){1'b0}} : frame2_reg;
    frame4_reg <= rst ? {(GROUP_W+3){1'b0}} : frame3_reg;
  end
  wire begins4, tag4, bad4;
  wire [GROUP_W-1:0] group4;
  assign {begins4, tag4, bad4, group4} = frame4_reg;

  // ---------------------------------------------------------------- clock 4: signature
  wire [47:0] start4 = word_time + (LATENCY - SIGN_STAGE);
  wire [39:0] start_groups4 = start4[39:0] * GROUPS + (GROUPS == 1 ? 40'd0 : {{(40-GROUP_W){1'b0}}, group4});
  wire [7:0]  stream4 = entry4;
  wire unused = &{1'b0, start4[47:40]};
  wire [143:0] signature4 = {SIGNATURE_MAGIC, cfg_run_id, PORT[3:0], port4, stream4, sequence4,
                             start_groups4, tag4, 1'b0, cfg_frame_octets};
  reg               begins5_reg, bad5_reg;
  reg [GROUP_W-1:0] group5_reg;
  reg [511:0]       header5_reg;
  reg [143:0]       signature5_reg;
  always @(posedge clk) begin
    begins5_reg <= begins4 && !rst;
    if (begins4) begin
      bad5_reg       <= bad4;
      group5_reg     <= group4;
      header5_reg    <= header4;
      signature5_reg <= signature4;
    end
  end

  // ---------------------------------------------------------------- clocks 5 and 6: contents
  wire [64*GROUPS-1:0] data7;
  wire                 preamble7, a_active7, a_first7, a_end7, b_active7, build_idle;
  wire [GROUP_W-1:0]   group7;
  wire [6:0]           a_octets7;
  tx_build #(.GROUPS(GROUPS)) u_build (
    .clk(clk), .rst(rst), .begins(begins5_reg), .group(group5_reg), .header(header5_reg), .signature(signature5_reg),
    .cfg_frame_octets(cfg_frame_octets), .cfg_payload_offset(cfg_payload_offset),
    .data(data7), .preamble(preamble7), .preamble_group(group7), .a_active(a_active7), .a_first(a_first7),
    .a_end(a_end7), .a_octets(a_octets7), .b_active(b_active7), .idle(build_idle));
  reg bad6_reg, bad7_reg;
  always @(posedge clk) {bad7_reg, bad6_reg} <= {bad6_reg, bad5_reg};

  // ---------------------------------------------------------------- clocks 7 to 12: MAC
  wire bad_sent, mac_idle;
  mac_tx #(.GROUPS(GROUPS)) u_mac (
    .clk(clk), .rst(rst), .data(data7), .preamble(preamble7), .preamble_group(group7), .a_active(a_active7),
    .a_first(a_first7), .a_end(a_end7), .a_octets(a_octets7), .b_active(b_active7), .bad_fcs(bad7_reg),
    .line_data(line_data), .line_ctrl(line_ctrl), .bad_sent(bad_sent), .idle(mac_idle));

  always @(posedge clk)
    if (rst || clear)  bad_fcs_frames <= 64'd0;
    else if (bad_sent) bad_fcs_frames <= bad_fcs_frames + 64'd1;

  assign idle    = !(begins1 || frame2_reg[GROUP_W+2] || frame3_reg[GROUP_W+2] || begins4 || begins5_reg)
                   && build_idle && mac_idle && !start && !busy;
  assign sending = running || !idle;
endmodule
