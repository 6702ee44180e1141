// SPDX-License-Identifier: Apache-2.0
// Transmit, clock of the core: writes the words of the line that hold frames into a ring, and describes where each
// finished frame is. cmac_tx_frames reads it there, aligned to its first octet.
//
// A word's address is its number, with octets where they were on the line. A descriptor is {place, octets}: place of
// the first octet of the destination MAC in groups (word number and group), length with FCS. It goes out after the
// words that it describes. A frame below 64 octets is not described, because a CMAC may lock up on it (PG203), and one
// above 16383 does not fit the length field: `refused` reports that a frame was not sent as requested.
//
// Latency: the descriptor comes 4 clocks after the word with the frame's end.
`include "fpgauge_time.vh"
module cmac_tx_store #(
  parameter GROUPS = 8,
  parameter RING_LOG2 = 9
) (
  input                       clk,
  input                       rst,
  input      [11:0]           word_number,
  input      [64*GROUPS-1:0]  line_data,
  input      [8*GROUPS-1:0]   line_ctrl,
  output reg                  wr_en,
  output reg [RING_LOG2-1:0]  wr_addr,
  output reg [64*GROUPS-1:0]  wr_data,
  output reg                  frame_valid,
  output reg [14:0]           frame_place,
  output reg [13:0]           frame_octets,
  output reg                  refused
);
  localparam GROUP_W = $clog2(GROUPS);
  localparam TIME_W = `FPGAUGE_WORD_TIME_W(GROUPS);
  localparam MIN_FRAME_OCTETS = 14'd64;   // IEEE 802.3 clause 3.2.8: minFrameSize

  wire [64*GROUPS-1:0] word_data;
  wire [TIME_W-1:0]    decode_number, ev_number;
  wire                 word_owned, word_first, word_end, word_live, ev_end, ev_well, ev_over, ev_live, ev_cut, ev_cut_well;
  wire [GROUP_W-1:0]   word_end_group, word_live_group, ev_live_group, ev_cut_group;
  wire [2:0]           word_end_octet;
  wire [13:0]          ev_octets;
  wire [GROUP_W+2:0]   ev_end_position, ev_cut_octets, ev_cut_end_position;
  line_decode #(.GROUPS(GROUPS)) u_decode (
    .clk(clk), .rst(rst), .word_time({{(TIME_W-12){1'b0}}, word_number}), .line_data(line_data), .line_ctrl(line_ctrl),
    .word_data(word_data), .word_number(decode_number), .word_owned(word_owned), .word_first(word_first),
    .word_end(word_end), .word_end_group(word_end_group), .word_end_octet(word_end_octet),
    .word_live(word_live), .word_live_group(word_live_group),
    .ev_number(ev_number), .ev_end(ev_end), .ev_well(ev_well), .ev_octets(ev_octets), .ev_over(ev_over),
    .ev_end_position(ev_end_position), .ev_live(ev_live), .ev_live_group(ev_live_group), .ev_cut(ev_cut),
    .ev_cut_well(ev_cut_well), .ev_cut_group(ev_cut_group), .ev_cut_octets(ev_cut_octets),
    .ev_cut_end_position(ev_cut_end_position));

  wire        fit = ev_well && !ev_over && ev_octets >= MIN_FRAME_OCTETS;
  reg  [14:0] open_place_reg;             // place in the open frame
  always @(posedge clk) begin
    wr_en   <= (word_owned || word_live) && !rst;
    wr_addr <= decode_number[RING_LOG2-1:0];
    wr_data <= word_data;

    frame_valid  <= ev_end && fit && !rst;
    frame_place  <= open_place_reg;
    frame_octets <= ev_octets;
    refused      <= ((ev_end && !fit) || ev_cut) && !rst;
    if (ev_live) open_place_reg <= {ev_number[11:0], ev_live_group} + 15'd1;   // the place after the preamble
  end

  wire unused = &{1'b0, decode_number[TIME_W-1:RING_LOG2], ev_number[TIME_W-1:12], word_first, word_end, word_end_group,
                  word_end_octet, word_live_group, ev_end_position, ev_cut_well, ev_cut_group, ev_cut_octets,
                  ev_cut_end_position};
endmodule
