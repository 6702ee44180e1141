// SPDX-License-Identifier: Apache-2.0
// A port of the core on a CMAC: on one side the core's line (195.3125 MHz, frames start on any group, FCS included), on
// the other the CMAC's two AXI4-Streams (322.265625 MHz, every frame starts a beat, FCS included).
//
//   line_tx -> cmac_tx_store -> ring, descriptors -> cmac_tx_frames -> m_axis sent DELAY_WORDS after it was on the line
//   line_rx <- cmac_rx_line <- ring, descriptors <- cmac_rx_frames <- s_axis comes DELAY_WORDS after its first beat
//
// Both delays are constant, whatever the length of a frame, and long enough for the longest frame to be complete in its
// ring. cmac_time gives both directions, in the CMAC's clock, the word that the core is at. The CMAC must pass the FCS
// in both directions (docs/boards.md has its settings).
//
// Crossings: rings (ordered by the descriptors), descriptors (async_fifo), mark, enable (sync_bit), events
// (event_crossing). link_* tell the core what became of its frames, and of everything that may have cost one
// (link_monitor has the meaning): a host must not be allowed to take that for loss. After each the adapter goes on.
module cmac_adapter #(
  parameter LOCKED = 1,                    // clk is derived from cmac_clk
  parameter [11:0] DELAY_WORDS = 12'd320
) (
  input          clk,
  input          rst,
  input  [511:0] line_tx_data,
  input  [63:0]  line_tx_ctrl,
  output [511:0] line_rx_data,
  output [63:0]  line_rx_ctrl,
  output         link_up,
  output [5:0]   link_lanes,               // fec_uncorrectable, remote_fault, aligned, lanes_synced, block_lock, clock
  output [10:0]  link_events,
  output [7:0]   link_steps,

  input          cmac_clk,
  input          cmac_rst,                 // together with rst, never alone
  input          tx_hold,                  // the CMAC's own resets of a direction
  input          rx_hold,
  input          tx_enable,
  input          rx_enable,
  input          tx_ovfout,
  input          tx_unfout,
  input  [3:0]   rx_lanes,                 // remote_fault, aligned, lanes_synced, block_lock
  input          rx_fec_bad,               // a code word that cannot be corrected
  input          tx_counted,               // the CMAC has sent a frame (stat_tx_total_packets)
  output         m_axis_tvalid,
  input          m_axis_tready,
  output [511:0] m_axis_tdata,
  output [63:0]  m_axis_tkeep,
  output         m_axis_tlast,
  output         m_axis_tuser,
  input          s_axis_tvalid,
  input  [511:0] s_axis_tdata,
  input  [63:0]  s_axis_tkeep,
  input          s_axis_tlast,
  input          s_axis_tuser
);
  localparam GROUPS = 8, RING_LOG2 = 9;    // 512 words: the delay, twice the longest frame, and lateness
  localparam DESCRIPTORS_LOG2 = 9;         // more than the number of 64-octet frames in the delay

  // ---------------------------------------------------------------- time
  reg [11:0] word_reg;
  always @(posedge clk) word_reg <= rst ? 12'd0 : word_reg + 12'd1;

  wire        time_valid, slip;
  wire [11:0] now_word;
  wire [5:0]  now_part;
  cmac_time #(.LOCKED(LOCKED)) u_time (
    .clk(cmac_clk), .rst(cmac_rst), .mark(word_reg[11]), .valid(time_valid), .now_word(now_word), .now_part(now_part),
    .slip(slip));
  reg [11:0] due_word_reg;
  reg [5:0]  due_part_reg;
  reg        tx_go_reg, rx_go_reg, time_was_reg;
  always @(posedge cmac_clk) begin
    due_word_reg <= now_word - DELAY_WORDS;
    due_part_reg <= now_part;
    time_was_reg <= time_valid;
    tx_go_reg    <= tx_enable && time_was_reg && !tx_hold && !cmac_rst;
    rx_go_reg    <= rx_enable && time_was_reg && !rx_hold && !cmac_rst;
  end

  // ---------------------------------------------------------------- transmit
  wire                        tx_wr_en, store_valid, store_ready, refused, tx_frame_valid, tx_frame_ready, tx_rd_en,
                              sent, dropped, overrun;
  wire [RING_LOG2-1:0]        tx_wr_addr;
  wire [GROUPS*RING_LOG2-1:0] tx_rd_addr;
  wire [511:0]                tx_wr_data, tx_rd_data;
  wire [14:0]                 store_place, tx_frame_place;
  wire [13:0]                 store_octets, tx_frame_octets;
  cmac_tx_store #(.GROUPS(GROUPS), .RING_LOG2(RING_LOG2)) u_tx_store (
    .clk(clk), .rst(rst), .word_number(word_reg), .line_data(line_tx_data), .line_ctrl(line_tx_ctrl),
    .wr_en(tx_wr_en), .wr_addr(tx_wr_addr), .wr_data(tx_wr_data),
    .frame_valid(store_valid), .frame_place(store_place), .frame_octets(store_octets), .refused(refused));

  async_fifo #(.WIDTH(29), .DEPTH_LOG2(DESCRIPTORS_LOG2)) u_tx_descriptors (
    .wr_clk(clk), .wr_rst(rst), .wr_valid(store_valid), .wr_ready(store_ready), .wr_data({store_place, store_octets}),
    .rd_clk(cmac_clk), .rd_rst(cmac_rst), .rd_valid(tx_frame_valid), .rd_ready(tx_frame_ready),
    .rd_data({tx_frame_place, tx_frame_octets}));

  cmac_tx_frames #(.GROUPS(GROUPS), .RING_LOG2(RING_LOG2)) u_tx_frames (
    .clk(cmac_clk), .rst(cmac_rst || tx_hold), .enable(tx_go_reg), .due_word(due_word_reg), .due_part(due_part_reg),
    .frame_valid(tx_frame_valid), .frame_ready(tx_frame_ready), .frame_place(tx_frame_place),
    .frame_octets(tx_frame_octets), .rd_en(tx_rd_en), .rd_addr(tx_rd_addr), .rd_data(tx_rd_data),
    .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready), .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep), .m_axis_tlast(m_axis_tlast), .m_axis_tuser(m_axis_tuser), .sent(sent), .dropped(dropped),
    .overrun(overrun));

  // ---------------------------------------------------------------- receive
  wire                        rx_wr_en, found_valid, found_ready, found_bad, rx_lost, rx_frame_valid, rx_frame_ready,
                              rx_frame_bad, rx_late;
  wire [GROUPS*RING_LOG2-1:0] rx_wr_addr;
  wire [RING_LOG2-1:0]        rx_rd_addr;
  wire [511:0]                rx_wr_data, rx_rd_data;
  wire [14:0]                 found_start, rx_frame_start;
  wire [13:0]                 found_octets, rx_frame_octets;
  cmac_rx_frames #(.GROUPS(GROUPS), .RING_LOG2(RING_LOG2)) u_rx_frames (
    .clk(cmac_clk), .rst(cmac_rst || rx_hold), .enable(rx_go_reg), .now_word(now_word), .now_part(now_part),
    .s_axis_tvalid(s_axis_tvalid), .s_axis_tdata(s_axis_tdata), .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tlast(s_axis_tlast), .s_axis_tuser(s_axis_tuser), .wr_en(rx_wr_en), .wr_addr(rx_wr_addr),
    .wr_data(rx_wr_data), .frame_valid(found_valid), .frame_ready(found_ready), .frame_start(found_start),
    .frame_octets(found_octets), .frame_bad(found_bad), .lost(rx_lost));

  async_fifo #(.WIDTH(30), .DEPTH_LOG2(DESCRIPTORS_LOG2)) u_rx_descriptors (
    .wr_clk(cmac_clk), .wr_rst(cmac_rst), .wr_valid(found_valid), .wr_ready(found_ready),
    .wr_data({found_start, found_octets, found_bad}),
    .rd_clk(clk), .rd_rst(rst), .rd_valid(rx_frame_valid), .rd_ready(rx_frame_ready),
    .rd_data({rx_frame_start, rx_frame_octets, rx_frame_bad}));

  cmac_rx_line #(.GROUPS(GROUPS), .RING_LOG2(RING_LOG2), .DELAY_WORDS(DELAY_WORDS)) u_rx_line (
    .clk(clk), .rst(rst), .word_number(word_reg), .frame_valid(rx_frame_valid), .frame_ready(rx_frame_ready),
    .frame_start(rx_frame_start), .frame_octets(rx_frame_octets), .frame_bad(rx_frame_bad),
    .rd_addr(rx_rd_addr), .rd_data(rx_rd_data), .line_data(line_rx_data), .line_ctrl(line_rx_ctrl), .lost(rx_late));

  // ---------------------------------------------------------------- rings: one bank per group
  genvar g;
  generate
    for (g = 0; g < GROUPS; g = g + 1) begin : bank
      dual_clock_ram #(.WIDTH(64), .DEPTH_LOG2(RING_LOG2)) u_tx_ring (
        .wr_clk(clk), .wr_en(tx_wr_en), .wr_addr(tx_wr_addr), .wr_data(tx_wr_data[64*g +: 64]),
        .rd_clk(cmac_clk), .rd_en(tx_rd_en), .rd_addr(tx_rd_addr[RING_LOG2*g +: RING_LOG2]),
        .rd_data(tx_rd_data[64*g +: 64]));
      dual_clock_ram #(.WIDTH(64), .DEPTH_LOG2(RING_LOG2)) u_rx_ring (
        .wr_clk(cmac_clk), .wr_en(rx_wr_en), .wr_addr(rx_wr_addr[RING_LOG2*g +: RING_LOG2]),
        .wr_data(rx_wr_data[64*g +: 64]),
        .rd_clk(clk), .rd_en(1'b1), .rd_addr(rx_rd_addr), .rd_data(rx_rd_data[64*g +: 64]));
    end
  endgenerate

  // ---------------------------------------------------------------- what the core is told
  sync_bit u_tx_go (.clk(clk), .d(tx_go_reg), .q(link_up));
  reg tx_went_reg, rx_was_reg, hold_was_reg, counted_reg;
  reg link_lost_reg, lanes_lost_reg, held_reg, overflow_reg, underflow_reg;
  always @(posedge cmac_clk) begin
    tx_went_reg    <= tx_go_reg;
    rx_was_reg     <= rx_enable;
    hold_was_reg   <= tx_hold || rx_hold;
    counted_reg    <= tx_counted;
    link_lost_reg  <= tx_went_reg && !tx_go_reg;
    lanes_lost_reg <= rx_was_reg && !rx_enable;
    held_reg       <= (tx_hold || rx_hold) && !hold_was_reg;
    overflow_reg   <= tx_go_reg && tx_ovfout;
    underflow_reg  <= tx_go_reg && tx_unfout;
  end

  // How the link is now. The CMAC's clock runs if its beat changes, which it does every 310 words.
  reg  [3:0] lanes_reg;
  reg  [9:0] beat_reg = 10'd0;
  always @(posedge cmac_clk) begin
    lanes_reg <= cmac_rst ? 4'd0 : rx_lanes;
    beat_reg  <= beat_reg + 10'd1;
  end
  generate
    for (g = 0; g < 4; g = g + 1) begin : lane
      sync_bit u_lanes (.clk(clk), .d(lanes_reg[g]), .q(link_lanes[g + 1]));
    end
  endgenerate
  wire       beat;
  reg        beat_was_reg;
  reg [10:0] alive_reg;                    // words until it is taken for stopped
  sync_bit u_beat (.clk(clk), .d(beat_reg[9]), .q(beat));
  always @(posedge clk) begin
    beat_was_reg <= beat;
    alive_reg    <= rst ? 11'd0 : beat != beat_was_reg ? 11'd1024 : alive_reg - {10'd0, alive_reg != 11'd0};
  end
  assign link_lanes[0] = alive_reg != 11'd0;
  assign link_lanes[5] = |events[23:22];

  localparam CROSSING = 12;
  wire [CROSSING-1:0]   cmac_events = {rx_fec_bad, rx_lost, slip, underflow_reg, overflow_reg, held_reg, lanes_lost_reg,
                                       link_lost_reg, counted_reg, overrun, dropped, sent};
  wire [2*CROSSING-1:0] events;
  generate
    for (g = 0; g < CROSSING; g = g + 1) begin : crossing
      event_crossing u_events (
        .wr_clk(cmac_clk), .wr_rst(cmac_rst), .wr_event(cmac_events[g]), .rd_clk(clk), .rd_rst(rst),
        .events(events[2*g +: 2]));
    end
  endgenerate
  wire no_room = store_valid && !store_ready;
  assign link_steps  = events[7:0];
  assign link_events = {|events[21:20], rx_late, |events[19:18], |events[17:16], |events[15:14], |events[5:4], no_room,
                        refused, |events[13:12], |events[11:10], |events[9:8]};
endmodule
