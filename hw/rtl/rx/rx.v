// SPDX-License-Identifier: Apache-2.0
// The receive side of a port: from the words of the line to every rx counter and table of the register description.
//
//   line -> line_decode -> mac_rx -> rx_classify -> (3 clocks: rx_histogram finds the bins) -> commit
//                     |-> rx_payload -^                                                             |
//                     |-> rx_tcp -----^                                                             |
//                     |-> rx_mail (unexpected frames, for the host) <-------------------------------/
//                     |-> rx_pause (frames that hold the transmitter of the port)
//                     \-> line_count (gaps) -> gap_histogram
//
// Everything that one frame changes, scalars and tables, changes at the end of the same clock, the commit clock. So a
// snapshot in any clock is consistent: sums over streams equal their scalars, the sum of each histogram of latencies
// equals latency_frames, and so on. Only the gaps have their own timing: they belong to starts, not to ends. Their
// histogram adds up to rx_gaps. And pause frames, which must act soon: those count with the record of mac_rx, and during a
// clear too, but for its first clock.
// From `clear` until not busy, frames are not counted at all; one that ends later is counted completely.
//
// Which streams are expected here is in a table of the port (rx_expected), so a receiver does not know its own number.
//
// Latency: with the word of its end on line_data in clock t, a frame commits at the end of clock t+15. A write of the
// table of expected streams in clock t counts for the frames whose last word is on line_data in clock t-7 or later.
// With TCP, frames that are segments of the port's connections are found (rx_tcp), and what is in their headers comes out with
// tcp_valid, 8 clocks after the word with the frame's end was on line_data.
`include "fpgauge_time.vh"
`include "tcp_types.svh"
module rx #(
  parameter GROUPS = 8,
  parameter PORTS  = 2,
  parameter TCP    = 0,
  parameter TIME_W = `FPGAUGE_WORD_TIME_W(GROUPS)
) (
  input                  clk,
  input                  rst,
  input  [TIME_W-1:0]    word_time,
  input                  clear,
  input                  snapshot,
  input  [64*GROUPS-1:0] line_data,
  input  [8*GROUPS-1:0]  line_ctrl,
  input  [7:0]           cfg_run_id,
  input  [15:0]          cfg_short_gap_octets,
  input  [13:0]          cfg_max_frame_octets,
  input  [13:0]          cfg_payload_offset,
  input  [42:0]          cfg_histogram_base,
  input  [4:0]           cfg_histogram_width_log2,
  input                  obeys,        // pause frames hold the transmitter (rx_pause)
  input                  expected_we,
  input  [6:0]           expected_word,
  input  [31:0]          expected_data,
  // frozen tables: level request, ack pulse, value with it. stream_count, 64 bits each, the first one highest: received,
  // lost, duplicated, reordered, late, sequence_gaps, next, unexpected, latency_min, latency_max, latency_sum,
  // latency_sum_high
  input                  stream_req,
  input  [11:0]          stream_index,
  output                 stream_ack,
  output reg [12*64-1:0] stream_count,
  input                  histogram_req,
  input  [9:0]           histogram_index,
  output                 histogram_ack,
  output [47:0]          histogram_count,
  input                  octave_histogram_req,
  input  [9:0]           octave_histogram_index,
  output                 octave_histogram_ack,
  output [47:0]          octave_histogram_count,
  input                  gap_histogram_req,
  input  [9:0]           gap_histogram_index,
  output                 gap_histogram_ack,
  output [47:0]          gap_histogram_count,
  // tagged frames: 2 clocks
  input  [8:0]           tag_index,
  output [11:0]          tag_stream,
  output [42:0]          tag_latency,
  output [63:0]          tag_time,
  // unexpected frames, for the host (rx_mail)
  input  [4:0]           cfg_mail_filter,
  input  [47:0]          cfg_mail_address,
  input  [63:0]          cfg_mail_types,
  input                  mail_next,
  input                  mail_req,
  input  [11:0]          mail_index,
  output                 mail_ack,
  output [13:0]          mail_octets,
  output [63:0]          mail_time,
  output [31:0]          mail_data,
  // segments of TCP connections
  input                  cfg_tcp_enable,
  input  [15:0]          cfg_tcp_port,
  output                 tcp_valid,
  output [5:0]           tcp_connection,
  output tcp_types::segment_t tcp_segment,
  output                 pause,
  output [15:0]          pause_quanta,
  // live counters
  output [63:0]          rx_frames,
  output [63:0]          rx_octets,
  output [63:0]          rx_bad_frames,
  output [63:0]          rx_bad_code_frames,
  output [63:0]          rx_bad_short_frames,
  output [63:0]          rx_bad_long_frames,
  output [63:0]          rx_bad_fcs_frames,
  output [63:0]          rx_tcp_frames,
  output [63:0]          rx_tcp_bad_frames,
  output [63:0]          rx_foreign_frames,
  output [63:0]          rx_other_run_frames,
  output [63:0]          rx_wrong_length_frames,
  output [63:0]          rx_bad_payload_frames,
  output [63:0]          rx_wrong_port_frames,
  output [63:0]          rx_received_frames,
  output [63:0]          rx_lost_frames,
  output [63:0]          rx_duplicated_frames,
  output [63:0]          rx_reordered_frames,
  output [63:0]          rx_late_frames,
  output [63:0]          rx_sequence_gaps,
  output [63:0]          rx_first_time,
  output [63:0]          rx_last_time,
  output [63:0]          rx_last_loss_time,
  output [63:0]          rx_silence_max,
  output [63:0]          rx_silence_time,
  output [63:0]          rx_gaps,
  output [63:0]          rx_gap_min_octets,
  output [63:0]          rx_gap_max_octets,
  output [63:0]          rx_gap_sum_octets,
  output [63:0]          rx_short_gaps,
  output [63:0]          rx_latency_frames,
  output [63:0]          rx_latency_min,
  output [63:0]          rx_latency_max,
  output [63:0]          rx_latency_sum,
  output [63:0]          rx_latency_sum_high,
  output [63:0]          rx_tagged_frames,
  output [63:0]          rx_mail_frames,
  output [63:0]          rx_mail_overflow_frames,
  output [63:0]          rx_pause_frames,
  output [63:0]          rx_resume_frames,
  output                 busy
);
  localparam START_W = `FPGAUGE_GROUP_TIME_W;
  localparam GROUP_W = (GROUPS == 1) ? 1 : $clog2(GROUPS);

  wire   sequence_busy, table_busy, histogram_busy, gaps_busy;
  assign busy = sequence_busy || table_busy || histogram_busy || gaps_busy;
  wire   hold = clear || busy;

  // ---- line
  wire [64*GROUPS-1:0] word_data;
  wire [TIME_W-1:0]    word_number, ev_number;
  wire [GROUP_W-1:0]   word_end_group, word_live_group, ev_live_group, ev_cut_group;
  wire [2:0]           word_end_octet;
  wire                 word_owned, word_first, word_end, word_live;
  wire                 ev_end, ev_well, ev_over, ev_live, ev_cut, ev_cut_well;
  wire [13:0]          ev_octets;
  wire [GROUP_W+2:0]   ev_end_position, ev_cut_octets, ev_cut_end_position;
  line_decode #(.GROUPS(GROUPS)) u_decode (
    .clk(clk), .rst(rst), .word_time(word_time), .line_data(line_data), .line_ctrl(line_ctrl),
    .word_data(word_data), .word_number(word_number), .word_owned(word_owned), .word_first(word_first),
    .word_end(word_end), .word_end_group(word_end_group), .word_end_octet(word_end_octet), .word_live(word_live),
    .word_live_group(word_live_group),
    .ev_number(ev_number), .ev_end(ev_end), .ev_well(ev_well), .ev_octets(ev_octets), .ev_over(ev_over),
    .ev_end_position(ev_end_position), .ev_live(ev_live), .ev_live_group(ev_live_group), .ev_cut(ev_cut),
    .ev_cut_well(ev_cut_well), .ev_cut_group(ev_cut_group), .ev_cut_octets(ev_cut_octets),
    .ev_cut_end_position(ev_cut_end_position));

  wire [63:0] line_frames, line_octets, line_first_time, line_last_time;
  wire        line_gap;
  wire [63:0] line_gap_octets;
  wire        unused = &{1'b0, line_frames, line_octets, line_first_time, line_last_time};
  line_count #(.GROUPS(GROUPS)) u_count (
    .clk(clk), .rst(rst), .clear(hold), .ev_number(ev_number), .ev_end(ev_end), .ev_well(ev_well),
    .ev_octets(ev_octets), .ev_end_position(ev_end_position), .ev_live(ev_live), .ev_live_group(ev_live_group),
    .ev_cut(ev_cut), .ev_cut_well(ev_cut_well), .ev_cut_group(ev_cut_group), .ev_cut_octets(ev_cut_octets),
    .ev_cut_end_position(ev_cut_end_position), .short_gap_octets(cfg_short_gap_octets),
    .frames(line_frames), .octets(line_octets), .first_time(line_first_time), .last_time(line_last_time),
    .gaps(rx_gaps), .gap_min_octets(rx_gap_min_octets), .gap_max_octets(rx_gap_max_octets),
    .gap_sum_octets(rx_gap_sum_octets), .short_gaps(rx_short_gaps),
    .gap(line_gap), .gap_octets(line_gap_octets));
  gap_histogram u_gaps (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(gaps_busy), .gap(line_gap),
    .gap_octets(line_gap_octets), .histogram_req(gap_histogram_req), .histogram_index(gap_histogram_index),
    .histogram_ack(gap_histogram_ack), .histogram_count(gap_histogram_count));

  // ---- frames
  wire         frame_valid, frame_good, frame_right, frame_bad_code, frame_bad_short, frame_bad_long, frame_bad_fcs;
  wire         cut_valid, cut_well;
  wire [13:0]  frame_octets;
  wire [143:0] frame_signature;
  wire [START_W-1:0] frame_start_groups;
  mac_rx #(.GROUPS(GROUPS)) u_mac (
    .clk(clk), .rst(rst), .max_frame_octets(cfg_max_frame_octets),
    .word_data(word_data), .word_number(word_number), .word_owned(word_owned), .word_first(word_first),
    .word_end(word_end), .word_end_group(word_end_group), .word_end_octet(word_end_octet), .word_live(word_live),
    .word_live_group(word_live_group), .ev_end(ev_end), .ev_well(ev_well), .ev_octets(ev_octets), .ev_over(ev_over),
    .ev_cut(ev_cut), .ev_cut_well(ev_cut_well),
    .frame_valid(frame_valid), .frame_good(frame_good), .frame_right(frame_right), .frame_bad_code(frame_bad_code),
    .frame_bad_short(frame_bad_short), .frame_bad_long(frame_bad_long), .frame_bad_fcs(frame_bad_fcs),
    .frame_octets(frame_octets), .frame_signature(frame_signature), .frame_start_groups(frame_start_groups),
    .cut_valid(cut_valid), .cut_well(cut_well));

  rx_pause #(.GROUPS(GROUPS)) u_pause (
    .clk(clk), .rst(rst), .clear(clear), .on(obeys), .word_data(word_data), .word_owned(word_owned), .word_end(word_end),
    .word_live(word_live), .word_live_group(word_live_group), .frame_valid(frame_valid), .frame_right(frame_right),
    .valid(pause), .quanta(pause_quanta), .frames(rx_pause_frames), .resume_frames(rx_resume_frames));

  wire bad_payload;                             // belongs to the frame with frame_valid
  rx_payload #(.GROUPS(GROUPS)) u_payload (
    .clk(clk), .rst(rst), .offset(cfg_payload_offset), .word_data(word_data), .word_owned(word_owned),
    .word_end(word_end), .word_end_group(word_end_group), .word_end_octet(word_end_octet), .word_live(word_live),
    .word_live_group(word_live_group), .bad(bad_payload));

  wire is_segment, right_segment;               // belongs to the frame with frame_valid
  generate
    if (TCP != 0) begin : g_tcp
      rx_tcp #(.GROUPS(GROUPS)) u_tcp (
        .clk(clk), .rst(rst), .on(cfg_tcp_enable), .base(cfg_tcp_port), .word_data(word_data), .word_owned(word_owned),
        .word_first(word_first), .word_end(word_end), .word_end_group(word_end_group), .word_end_octet(word_end_octet),
        .word_live(word_live), .word_live_group(word_live_group), .valid(is_segment), .right(right_segment),
        .connection(tcp_connection), .segment(tcp_segment));
    end else begin : g_tcp
      assign is_segment     = 1'b0;
      assign right_segment  = 1'b0;
      assign tcp_connection = 6'd0;
      assign tcp_segment    = 122'd0;
      wire   unused_tcp     = &{1'b0, cfg_tcp_enable, cfg_tcp_port};
    end
  endgenerate
  assign tcp_valid = frame_valid && frame_good && is_segment && right_segment && !hold;

  localparam FLAGS_W = 13;
  wire               class_valid, class_good, class_tag, class_cut, class_cut_well, class_received, class_unexpected;
  wire               class_bad_code, class_bad_short, class_bad_long, class_bad_fcs, class_foreign, class_other_run;
  wire               class_wrong_length, class_bad_payload, class_tcp;
  wire [13:0]        class_octets;
  wire [11:0]        class_stream;
  wire [47:0]        class_sequence;
  wire [39:0]        class_latency;
  wire [START_W-1:0] class_start;
  wire [11:0]        look_stream;
  wire               expected;
  rx_expected #(.PORTS(PORTS)) u_expected (
    .clk(clk), .we(expected_we), .word(expected_word), .data(expected_data), .look(frame_valid), .stream(look_stream),
    .expected(expected));
  rx_classify #(.PORTS(PORTS)) u_classify (
    .clk(clk), .rst(rst), .cfg_run_id(cfg_run_id),
    .frame_valid(frame_valid), .frame_good(frame_good), .frame_bad_code(frame_bad_code),
    .frame_bad_short(frame_bad_short), .frame_bad_long(frame_bad_long), .frame_bad_fcs(frame_bad_fcs),
    .frame_octets(frame_octets), .frame_signature(frame_signature), .frame_start_groups(frame_start_groups),
    .frame_bad_payload(bad_payload), .frame_tcp(is_segment), .cut_valid(cut_valid), .cut_well(cut_well),
    .look_stream(look_stream),
    .expected(expected),
    .out_valid(class_valid), .out_good(class_good), .out_bad_code(class_bad_code),
    .out_bad_short(class_bad_short), .out_bad_long(class_bad_long), .out_bad_fcs(class_bad_fcs),
    .out_tcp(class_tcp), .out_foreign(class_foreign), .out_other_run(class_other_run), .out_wrong_length(class_wrong_length),
    .out_bad_payload(class_bad_payload), .out_wrong_port(class_unexpected), .out_received(class_received),
    .out_octets(class_octets), .out_stream(class_stream), .out_sequence(class_sequence),
    .out_latency_groups(class_latency), .out_tag(class_tag), .out_start_groups(class_start),
    .out_cut_valid(class_cut), .out_cut_well(class_cut_well));

  // ---- three clocks to find the bins, two for the tables: clock 3 accesses the tables (u_valid), clock 5 commits
  localparam COMMIT = 5, ASK = 3;
  localparam KIND_W = FLAGS_W + 1 + 14 + 12;    // kind, tag, length and stream
  reg [COMMIT:1]   valid_reg, received_reg, cut_reg, cut_well_reg;
  reg [ASK:1]      of_stream_reg;               // received or unexpected: counted by stream
  // No arrays, and the last clock comes first, so that a simulator needs no copies.
  reg [KIND_W-1:0] kind1_reg, kind2_reg, kind3_reg, kind4_reg, kind5_reg;
  reg [39:0]       latency1_reg, latency2_reg, latency3_reg, latency4_reg, latency5_reg;
  reg [START_W-1:0] start1_reg, start2_reg, start3_reg, start4_reg, start5_reg;
  reg [47:0]       sequence1_reg, sequence2_reg, sequence3_reg;
  reg                 tcp_bad1_reg, tcp_bad2_reg;   // kept in step with rx_classify
  wire                counted = class_valid && !hold;
  always @(posedge clk) begin
    if (frame_valid) tcp_bad1_reg <= is_segment && !right_segment;
    tcp_bad2_reg <= tcp_bad1_reg;
  end
  always @(posedge clk)
    if (class_valid || class_cut || |valid_reg || |cut_reg || rst || clear) begin
      if (valid_reg[4]) {kind5_reg, latency5_reg, start5_reg} <= {kind4_reg, latency4_reg, start4_reg};
      if (valid_reg[3]) {kind4_reg, latency4_reg, start4_reg} <= {kind3_reg, latency3_reg, start3_reg};
      if (valid_reg[2]) {kind3_reg, latency3_reg, start3_reg} <= {kind2_reg, latency2_reg, start2_reg};
      if (valid_reg[1]) {kind2_reg, latency2_reg, start2_reg} <= {kind1_reg, latency1_reg, start1_reg};
      if (received_reg[2]) sequence3_reg <= sequence2_reg;
      if (received_reg[1]) sequence2_reg <= sequence1_reg;
      if (class_valid) begin
        kind1_reg     <= {class_good, class_tcp, tcp_bad2_reg, class_bad_code, class_bad_short, class_bad_long,
                          class_bad_fcs, class_foreign, class_other_run, class_wrong_length, class_bad_payload,
                          class_unexpected, class_received, class_tag, class_octets, class_stream};
        latency1_reg  <= class_latency;
        start1_reg    <= class_start;
        sequence1_reg <= class_sequence;
      end
      valid_reg    <= {valid_reg[COMMIT-1:1], counted};
      received_reg <= {received_reg[COMMIT-1:1], counted && class_received};
      of_stream_reg <= {of_stream_reg[ASK-1:1], counted && (class_received || class_unexpected)};
      cut_reg      <= {cut_reg[COMMIT-1:1], class_cut && !hold};
      cut_well_reg <= {cut_well_reg[COMMIT-1:1], class_cut_well};
      if (rst || clear) begin
        valid_reg    <= {COMMIT{1'b0}};
        received_reg <= {COMMIT{1'b0}};
        of_stream_reg <= {ASK{1'b0}};
        cut_reg      <= {COMMIT{1'b0}};
      end
    end
  wire        commit_good, commit_tag, commit_gap;
  wire [FLAGS_W-2:0] commit_is;
  wire [13:0] commit_octets;
  wire [11:0] commit_stream;
  assign {commit_good, commit_is, commit_tag, commit_octets, commit_stream} = kind5_reg;

  // ---- counters and tables
  rx_counts u_counts (
    .clk(clk), .rst(rst), .clear(clear), .valid(valid_reg[COMMIT]), .good(commit_good), .tcp(commit_is[11]),
    .tcp_bad(commit_is[10]), .bad_code(commit_is[9]),
    .bad_short(commit_is[8]), .bad_long(commit_is[7]), .bad_fcs(commit_is[6]), .foreign(commit_is[5]),
    .other_run(commit_is[4]), .wrong_length(commit_is[3]), .bad_payload(commit_is[2]), .wrong_port(commit_is[1]),
    .received(commit_is[0]),
    .frame_octets(commit_octets), .cut_valid(cut_reg[COMMIT]), .cut_well(cut_well_reg[COMMIT]),
    .frames(rx_frames), .octets(rx_octets), .bad_frames(rx_bad_frames), .bad_code_frames(rx_bad_code_frames),
    .bad_short_frames(rx_bad_short_frames), .bad_long_frames(rx_bad_long_frames), .bad_fcs_frames(rx_bad_fcs_frames),
    .tcp_frames(rx_tcp_frames), .tcp_bad_frames(rx_tcp_bad_frames), .foreign_frames(rx_foreign_frames),
    .other_run_frames(rx_other_run_frames),
    .wrong_length_frames(rx_wrong_length_frames), .bad_payload_frames(rx_bad_payload_frames),
    .wrong_port_frames(rx_wrong_port_frames), .received_frames(rx_received_frames));

  wire            sequence_ack;
  wire [7*48-1:0] sequence_count;
  reg             sequence_done_reg;
  rx_sequence #(.PORTS(PORTS)) u_check (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(sequence_busy), .u_valid(received_reg[ASK]),
    .u_stream(kind3_reg[11:0]), .u_sequence(sequence3_reg), .hit_gap(commit_gap), .lost_frames(rx_lost_frames),
    .duplicated_frames(rx_duplicated_frames), .reordered_frames(rx_reordered_frames), .late_frames(rx_late_frames),
    .sequence_gaps(rx_sequence_gaps), .stream_req(stream_req && !sequence_done_reg), .stream_index(stream_index),
    .stream_ack(sequence_ack), .stream_count(sequence_count));

  wire [63:0] stream_unexpected, stream_latency_min, stream_latency_max, stream_latency_sum, stream_latency_sum_high;
  rx_stream_table #(.PORTS(PORTS)) u_stream_table (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(table_busy), .u_valid(of_stream_reg[ASK]),
    .u_stream(kind3_reg[11:0]), .c_unexpected(commit_is[1]), .c_latency_groups(latency5_reg),
    .stream_req(stream_req), .stream_index(stream_index), .stream_ack(stream_ack),
    .unexpected(stream_unexpected), .latency_min(stream_latency_min), .latency_max(stream_latency_max),
    .latency_sum(stream_latency_sum), .latency_sum_high(stream_latency_sum_high));

  // A read of a stream takes a free slot of either table. The sequence check never answers last, because a frame that
  // takes a slot there takes one here too; it then keeps its answer.
  always @(posedge clk) sequence_done_reg <= !rst && !stream_ack && (sequence_done_reg || sequence_ack);
  // Only valid with the answer: gathering it in every clock would cost a simulation an eighth of the receiver's time.
  always @* begin
    stream_count = {(12*64){1'bx}};
    if (stream_ack)
      stream_count = {
        16'd0, sequence_count[48*0 +: 48], 16'd0, sequence_count[48*1 +: 48], 16'd0, sequence_count[48*2 +: 48],
        16'd0, sequence_count[48*3 +: 48], 16'd0, sequence_count[48*4 +: 48], 16'd0, sequence_count[48*5 +: 48],
        16'd0, sequence_count[48*6 +: 48],
        stream_unexpected, stream_latency_min, stream_latency_max, stream_latency_sum, stream_latency_sum_high};
  end

  rx_times u_times (
    .clk(clk), .rst(rst), .clear(clear), .update(received_reg[ASK]), .start_groups(start3_reg), .gap(commit_gap),
    .first_time(rx_first_time), .last_time(rx_last_time), .last_loss_time(rx_last_loss_time),
    .silence_max(rx_silence_max), .silence_time(rx_silence_time));

  rx_latency u_latency (
    .clk(clk), .rst(rst), .clear(clear), .valid(received_reg[COMMIT]), .latency_groups(latency5_reg),
    .frames(rx_latency_frames), .min_octets(rx_latency_min), .max_octets(rx_latency_max),
    .sum_octets(rx_latency_sum), .sum_high_octets(rx_latency_sum_high));

  rx_histogram u_histogram (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(histogram_busy), .cfg_base(cfg_histogram_base),
    .cfg_width_log2(cfg_histogram_width_log2), .valid(counted && class_received), .latency_groups(class_latency),
    .histogram_req(histogram_req), .histogram_index(histogram_index), .histogram_ack(histogram_ack),
    .histogram_count(histogram_count), .octave_req(octave_histogram_req), .octave_index(octave_histogram_index),
    .octave_ack(octave_histogram_ack), .octave_count(octave_histogram_count));

  rx_tags u_tags (
    .clk(clk), .rst(rst), .clear(clear), .valid(received_reg[COMMIT] && commit_tag), .stream(commit_stream),
    .latency_groups(latency5_reg), .start_groups(start5_reg), .tagged_frames(rx_tagged_frames),
    .tag_index(tag_index), .tag_stream(tag_stream), .tag_latency(tag_latency), .tag_time(tag_time));

  // COMMIT clocks after rx_classify, which is 8 after word_*.
  rx_mail #(.GROUPS(GROUPS), .WAIT(COMMIT + 8)) u_mail (
    .clk(clk), .rst(rst), .clear(clear), .filter(cfg_mail_filter), .address(cfg_mail_address), .types(cfg_mail_types),
    .word_data(word_data), .word_owned(word_owned), .word_end(word_end), .word_live(word_live),
    .word_live_group(word_live_group), .commit_foreign(valid_reg[COMMIT] && commit_is[5]),
    .commit_octets(commit_octets), .commit_start_groups(start5_reg), .frames(rx_mail_frames),
    .overflow_frames(rx_mail_overflow_frames), .next(mail_next), .req(mail_req), .index(mail_index), .ack(mail_ack),
    .octets(mail_octets), .start_time(mail_time), .data(mail_data));
endmodule
