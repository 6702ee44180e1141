// SPDX-License-Identifier: Apache-2.0
// Keeps unexpected frames for the host: good ones without our signature, to an address and of a type that it asks for.
//
// The words of the line wait here until what is decided about the frame that ends in them is known: they are written to the
// ring (rx_mail_ring) in the clock in which rx counts that frame. There they are as they were on the line; a frame is only
// cut out when it is read. The oldest frame stays until `next`, whatever comes. A frame for which there is no room is
// counted in overflow_frames and not kept. From clear until rx is not busy no frame is kept, as none is counted.
// With filter 0 nothing moves.
//
// Latency: commit_foreign comes WAIT clocks after the word with the frame's end was on word_*; both counters change at the
// end of that clock. A read takes 3 clocks from req to ack, and its req comes at the earliest 2 clocks after next.
`include "fpgauge_time.vh"
module rx_mail #(
  parameter GROUPS  = 8,
  parameter GROUP_W = (GROUPS == 1) ? 1 : $clog2(GROUPS),
  parameter START_W = `FPGAUGE_GROUP_TIME_W,
  parameter WAIT    = 13,
  parameter OCTETS_LOG2 = 15,                   // size of the ring
  parameter FRAMES_LOG2 = 6
) (
  input                      clk,
  input                      rst,
  input                      clear,
  input      [4:0]           filter,            // setting rx_mail_filter
  input      [47:0]          address,
  input      [63:0]          types,
  input      [64*GROUPS-1:0] word_data,         // output of line_decode
  input                      word_owned,
  input                      word_end,
  input                      word_live,
  input      [GROUP_W-1:0]   word_live_group,
  input                      commit_foreign,    // a frame is counted, and it is good and foreign
  input      [13:0]          commit_octets,
  input      [START_W-1:0]   commit_start_groups,
  output reg [63:0]          frames,
  output reg [63:0]          overflow_frames,
  // the oldest frame: level request, ack pulse, values with it; all 0 if there is none
  input                      next,              // give it back
  input                      req,
  input      [11:0]          index,             // a word of 32 bits of it
  output                     ack,
  output reg [13:0]          octets,
  output reg [63:0]          start_time,
  output reg [31:0]          data               // octet 4 x index lowest
);
  localparam ENTRIES_LOG2 = OCTETS_LOG2 - 3 - $clog2(GROUPS);
  localparam WORD_W       = 64 * GROUPS;
  localparam LANE_W       = $clog2(2 * GROUPS); // 32 bits of a word

  wire words, whole, wanted;
  rx_mail_filter #(.GROUPS(GROUPS), .WAIT(WAIT)) u_filter (
    .clk(clk), .rst(rst), .filter(filter), .address(address), .types(types), .word_data(word_data),
    .word_owned(word_owned), .word_end(word_end), .word_live(word_live), .word_live_group(word_live_group),
    .words(words), .whole(whole), .wanted(wanted));

  wire               late_valid, late_owned, late_end, late_live;
  wire [GROUP_W-1:0] late_live_group;
  wire [WORD_W-1:0]  late_data;
  delay_ram #(.WIDTH(WORD_W + GROUP_W + 3), .CLOCKS(WAIT)) u_wait (
    .clk(clk), .rst(rst), .in_valid(words),
    .in({whole, word_end, word_live, word_live_group, word_data}),
    .out_valid(late_valid), .out({late_owned, late_end, late_live, late_live_group, late_data}));

  wire               kept, overflow, there;
  wire [13:0]        there_octets;
  wire [START_W-1:0] there_start;
  wire [GROUP_W-1:0] there_group;
  wire               read;
  wire [12:0]        place;                     // place in the ring's words of the frame, in 32 bits
  wire [WORD_W-1:0]  read_value;
  rx_mail_ring #(.WIDTH(WORD_W), .ABOUT_W(14 + START_W), .GROUP_W(GROUP_W), .ENTRIES_LOG2(ENTRIES_LOG2),
                 .FRAMES_LOG2(FRAMES_LOG2)) u_ring (
    .clk(clk), .rst(rst), .clear(clear), .word_valid(late_valid), .word(late_data), .word_owned(late_owned),
    .word_end(late_end), .word_live(late_live), .word_live_group(late_live_group), .keep(commit_foreign && wanted),
    .about({commit_octets, commit_start_groups}), .kept(kept), .overflow(overflow), .there(there),
    .there_about({there_octets, there_start}), .there_group(there_group), .next(next), .read(read),
    .read_word(place[LANE_W +: ENTRIES_LOG2]), .read_value(read_value));

  always @(posedge clk) begin
    if (late_valid) begin
      if (kept)     frames          <= frames + 64'd1;
      if (overflow) overflow_frames <= overflow_frames + 64'd1;
    end
    if (rst || clear) begin
      frames          <= 64'd0;
      overflow_frames <= 64'd0;
    end
  end

  // ---- reading: the frame begins in the group after that of its start character. Three clocks, each with a bit of
  // step_reg: read the ring, choose 32 bits, answer.
  reg [2:0]        step_reg;
  reg              there_reg;
  reg [LANE_W-1:0] lane_reg;
  assign place = {1'b0, index} + {{(12-GROUP_W){1'b0}}, there_group, 1'b0} + 13'd2;
  assign read  = step_reg[0];
  assign ack   = step_reg[2];
  always @(posedge clk) begin
    if (step_reg[1]) begin
      octets     <= there_reg ? there_octets : 14'd0;
      start_time <= there_reg ? {there_start, 3'd0} : 64'd0;
      data       <= there_reg ? read_value[{lane_reg, 5'd0} +: 32] : 32'd0;
    end
    if (step_reg[0]) begin
      there_reg <= there;
      lane_reg  <= place[LANE_W-1:0];
    end
    if (req) step_reg <= {step_reg[1:0], step_reg == 3'd0};
    if (rst) step_reg <= 3'd0;
  end
endmodule
