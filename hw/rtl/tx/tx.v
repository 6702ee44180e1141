// SPDX-License-Identifier: Apache-2.0
// Transmit side of a port: schedule and pacer, destinations, contents, MAC, in one pipe that never waits. The pacer
// decides first; a frame's start is on line_data LATENCY clocks later, and its time stamp is the word_time of that
// clock (and its group). The start strobe latches the settings (cfg_*); it is ignored while the port is `sending`.
//
// start_word is the word_time of the first word that could carry a frame after the last start strobe (START_DELAY
// clocks after it), enabled or not, so that all ports agree on it.
// A core of 16 groups would have two such regions of 8 groups per word, with the state of the pacer, the sequence
// table, the image and the CRC passed from one to the other; nothing here assumes that a word is the only region in a
// clock.
module tx #(
  parameter GROUPS = 8,
  parameter DEST_LOG2 = 8,
  parameter PORT = 0
) (
  input                   clk,
  input                   rst,
  input [47:0]            word_time,
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
  input [8:0]             cfg_destinations,
  input                   cfg_random,
  input [31:0]            cfg_seed,
  input [7:0]             cfg_payload_offset,
  input                   cfg_tag_enable,
  input [55:0]            cfg_tag_first,
  input [55:0]            cfg_tag_interval,
  input [31:0]            cfg_bad_fcs_every,
  input                   dest_we,
  input [DEST_LOG2-1:0]   dest_index,
  input [3:0]             dest_port,
  input                   header_we,
  input [3:0]             header_word,
  input [31:0]            header_data,
  input                   stream_req,
  input [DEST_LOG2-1:0]   stream_index,
  output                  stream_ack,
  output [47:0]           stream_frames,
  output [64*GROUPS-1:0]  line_data,
  output [8*GROUPS-1:0]   line_ctrl,
  output reg [63:0]       bad_fcs_frames,
  output                  busy,
  output                  sending,
  output                  idle,
  output [31:0]           idle_words,
  output [47:0]           start_word
);
  localparam GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS);
  // Clocks from the pacer's word to the line: schedule 2, destinations 4, build 2, MAC 5.
  localparam LATENCY = 13;
  // Longest time in clocks for which no valid flag below may show a frame: anything from LATENCY up will do.
  localparam [4:0] DRAIN_CLOCKS = 5'd16;

  wire               load, active, frame_coming, frame_valid, frame_tag, frame_bad_fcs, pipe_busy;
  wire [GROUP_W-1:0] frame_group;
  wire [39:0]        frame_time;
  tx_schedule #(.GROUPS(GROUPS), .LATENCY(LATENCY)) u_schedule (
    .clk(clk), .rst(rst), .word_time(word_time), .skip_words(skip_words), .start(start), .stop(stop),
    .cfg_enable(cfg_enable), .cfg_frame_octets(cfg_frame_octets), .cfg_gap_octets(cfg_gap_octets),
    .cfg_gap_numerator(cfg_gap_numerator), .cfg_gap_denominator(cfg_gap_denominator),
    .cfg_burst_frames(cfg_burst_frames), .cfg_burst_gap_octets(cfg_burst_gap_octets),
    .cfg_stop_frames(cfg_stop_frames), .cfg_duration(cfg_duration), .cfg_tag_enable(cfg_tag_enable),
    .cfg_tag_first(cfg_tag_first), .cfg_tag_interval(cfg_tag_interval), .cfg_bad_fcs_every(cfg_bad_fcs_every),
    .pipe_busy(pipe_busy), .load(load), .active(active), .frame_coming(frame_coming), .frame_valid(frame_valid),
    .frame_group(frame_group), .frame_time(frame_time), .frame_tag(frame_tag), .frame_bad_fcs(frame_bad_fcs),
    .idle_words(idle_words), .start_word(start_word));

  wire                 dest_valid;
  wire [DEST_LOG2-1:0] dest_out_index;
  wire [3:0]           dest_out_port;
  wire [47:0]          dest_sequence;
  wire [511:0]         dest_header;
  tx_destinations #(.DEST_LOG2(DEST_LOG2)) u_destinations (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(busy), .load(load),
    .cfg_destinations(cfg_destinations), .cfg_random(cfg_random), .cfg_seed(cfg_seed),
    .dest_index(dest_index), .dest_we(dest_we), .dest_port(dest_port),
    .header_we(header_we), .header_word(header_word), .header_data(header_data),
    .stream_req(stream_req), .stream_index(stream_index), .stream_ack(stream_ack), .stream_frames(stream_frames),
    .frame_valid(frame_valid), .out_valid(dest_valid), .out_index(dest_out_index), .out_port(dest_out_port),
    .out_sequence(dest_sequence), .out_header(dest_header));

  // Signals that the destinations do not need bypass them.
  localparam BESIDE_W = GROUP_W + 42;
  reg [BESIDE_W-1:0] beside1_reg, beside2_reg, beside3_reg, beside4_reg;
  always @(posedge clk) begin
    beside1_reg <= {frame_group, frame_time, frame_tag, frame_bad_fcs};
    beside2_reg <= beside1_reg;
    beside3_reg <= beside2_reg;
    beside4_reg <= beside3_reg;
  end
  wire [GROUP_W-1:0] build_group;
  wire [39:0]        build_time;
  wire               build_tag, build_bad_fcs;
  assign {build_group, build_time, build_tag, build_bad_fcs} = beside4_reg;

  wire                 build_busy, preamble, a_active, a_first, a_end, a_lone, a_bad_fcs, b_active;
  wire [64*GROUPS-1:0] data;
  wire [GROUP_W-1:0]   preamble_group, b_group;
  wire [6:0]           a_octets;
  tx_build #(.GROUPS(GROUPS), .PORT(PORT), .DEST_LOG2(DEST_LOG2)) u_build (
    .clk(clk), .rst(rst), .load(load), .cfg_run_id(cfg_run_id), .cfg_frame_octets(cfg_frame_octets),
    .cfg_payload_offset(cfg_payload_offset), .frame_valid(dest_valid), .frame_group(build_group),
    .frame_time(build_time), .frame_tag(build_tag), .frame_bad_fcs(build_bad_fcs), .frame_index(dest_out_index),
    .frame_port(dest_out_port), .frame_sequence(dest_sequence), .frame_header(dest_header), .busy(build_busy),
    .data(data), .preamble(preamble), .preamble_group(preamble_group), .a_active(a_active), .a_first(a_first),
    .a_end(a_end), .a_octets(a_octets), .a_lone(a_lone), .a_bad_fcs(a_bad_fcs), .b_active(b_active),
    .b_group(b_group));

  wire bad_fcs_sent;
  mac_tx #(.GROUPS(GROUPS)) u_mac (
    .clk(clk), .rst(rst), .data(data), .preamble(preamble), .preamble_group(preamble_group), .a_active(a_active),
    .a_first(a_first), .a_end(a_end), .a_octets(a_octets), .a_lone(a_lone), .a_bad_fcs(a_bad_fcs),
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
