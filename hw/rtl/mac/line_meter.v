// SPDX-License-Identifier: Apache-2.0
// An independent meter of a line: which frames pass and with what gaps, from the bare words of the line.
//
// It has its own decoder and counter, knows nothing about what was to be sent, and does not look into frames.
// short_gaps counts gaps below short_gap_octets. Times are octet times of start characters. The frozen histogram adds
// up to `gaps` in the clock of the snapshot. From `clear` until not busy nothing is counted.
// Latency: counters are up to date 6 clocks after the word (first_time and last_time: 4).
`include "fpgauge_time.vh"
module line_meter #(
  parameter GROUPS = 8,
  parameter TIME_W = `FPGAUGE_WORD_TIME_W(GROUPS)
) (
  input                  clk,
  input                  rst,
  input                  clear,
  input                  snapshot,
  input  [TIME_W-1:0]    word_time,
  input  [64*GROUPS-1:0] line_data,
  input  [8*GROUPS-1:0]  line_ctrl,
  input  [15:0]          short_gap_octets,
  output [63:0]          frames,
  output [63:0]          octets,
  output [63:0]          first_time,
  output [63:0]          last_time,
  output [63:0]          gaps,
  output [63:0]          gap_min_octets,
  output [63:0]          gap_max_octets,
  output [63:0]          gap_sum_octets,
  output [63:0]          short_gaps,
  input                  histogram_req,
  input  [9:0]           histogram_index,
  output                 histogram_ack,
  output [47:0]          histogram_count,
  output                 busy
);
  localparam GROUP_W = (GROUPS == 1) ? 1 : $clog2(GROUPS);

  wire [TIME_W-1:0]  ev_number;
  wire               ev_end, ev_well, ev_live, ev_cut, ev_cut_well;
  wire [13:0]        ev_octets;
  wire [GROUP_W+2:0] ev_end_position, ev_cut_octets, ev_cut_end_position;
  wire [GROUP_W-1:0] ev_live_group, ev_cut_group;
  wire               gap;
  wire [63:0]        gap_octets;

  // Outputs that only a receiver needs.
  wire [64*GROUPS-1:0] word_data;
  wire [TIME_W-1:0]    word_number;
  wire [GROUP_W-1:0]   word_end_group, word_live_group;
  wire [2:0]           word_end_octet;
  wire                 word_owned, word_first, word_end, word_live, ev_over;
  wire unused = &{1'b0, word_data, word_number, word_owned, word_first, word_end, word_end_group, word_end_octet,
                  word_live, word_live_group, ev_over};

  line_decode #(.GROUPS(GROUPS)) u_decode (
    .clk(clk), .rst(rst), .word_time(word_time), .line_data(line_data), .line_ctrl(line_ctrl),
    .word_data(word_data), .word_number(word_number), .word_owned(word_owned), .word_first(word_first),
    .word_end(word_end), .word_end_group(word_end_group), .word_end_octet(word_end_octet),
    .word_live(word_live), .word_live_group(word_live_group),
    .ev_number(ev_number), .ev_end(ev_end), .ev_well(ev_well), .ev_octets(ev_octets), .ev_over(ev_over),
    .ev_end_position(ev_end_position), .ev_live(ev_live), .ev_live_group(ev_live_group), .ev_cut(ev_cut),
    .ev_cut_well(ev_cut_well), .ev_cut_group(ev_cut_group), .ev_cut_octets(ev_cut_octets),
    .ev_cut_end_position(ev_cut_end_position));

  line_count #(.GROUPS(GROUPS)) u_count (
    .clk(clk), .rst(rst), .clear(clear || busy), .ev_number(ev_number), .ev_end(ev_end), .ev_well(ev_well),
    .ev_octets(ev_octets), .ev_end_position(ev_end_position), .ev_live(ev_live), .ev_live_group(ev_live_group),
    .ev_cut(ev_cut), .ev_cut_well(ev_cut_well), .ev_cut_group(ev_cut_group), .ev_cut_octets(ev_cut_octets),
    .ev_cut_end_position(ev_cut_end_position), .short_gap_octets(short_gap_octets),
    .frames(frames), .octets(octets), .first_time(first_time), .last_time(last_time), .gaps(gaps),
    .gap_min_octets(gap_min_octets), .gap_max_octets(gap_max_octets), .gap_sum_octets(gap_sum_octets),
    .short_gaps(short_gaps), .gap(gap), .gap_octets(gap_octets));

  gap_histogram u_histogram (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(busy), .gap(gap), .gap_octets(gap_octets),
    .histogram_req(histogram_req), .histogram_index(histogram_index), .histogram_ack(histogram_ack),
    .histogram_count(histogram_count));
endmodule
