// SPDX-License-Identifier: Apache-2.0
// The sequence check: for every stream, counts frames received, lost, duplicated, reordered and late.
//
// A stream expects the sequence number `next`, initially 0. A frame with that number or a later one moves `next` past
// it, and the numbers skipped count as lost. An earlier one within the window (the last 64 numbers before `next`) is a
// duplicate if it was seen before, else it is reordered and no longer lost. An earlier one beyond the window, or a step
// forward of 2^47 or more, is late and changes nothing else. So this always holds, for a stream and for the sums:
//   next = received - duplicated - late + lost.
// Two frames of one stream may come in adjacent clocks: snapshot_table forwards. So the way from `next` through the verdict back to `next`
// has to be short: a frame is compared with it a clock before it commits, as soon as it is known (`early`), and what follows from the
// difference alone is in registers beside it.
//
// Latency: u_valid in clock t; table and sums change together at the end of clock t+2 (c_valid). `hit_gap` is valid in
// t+2.
module rx_sequence #(
  parameter PORTS = 2
) (
  input             clk,
  input             rst,
  input             clear,
  input             snapshot,
  output            busy,
  input             u_valid,                    // not while clear or busy
  input      [11:0] u_stream,                   // is below PORTS x 256
  input      [47:0] u_sequence,
  output            hit_gap,                    // the frame that commits now followed a sequence gap
  // sums over all streams
  output reg [63:0] lost_frames,
  output reg [63:0] duplicated_frames,
  output reg [63:0] reordered_frames,
  output reg [63:0] late_frames,
  output reg [63:0] sequence_gaps,
  // frozen table
  input             stream_req,
  input      [11:0] stream_index,
  output            stream_ack,
  output [7*48-1:0] stream_count                // received, lost, duplicated, reordered, late, sequence_gaps, next
);
  localparam INDEX_W = 8 + $clog2(PORTS);
  localparam WINDOW  = 64;

  wire            c_valid;
  wire [7*48-1:0] c_count;
  wire [WINDOW-1:0] window;
  reg  [WINDOW-1:0] window_next;
  reg             valid1_reg;
  reg  [47:0]     sequence1_reg;
  wire [47:0]     next_early;                   // next of the stream, as the frame in clock t+1 will find it
  reg  [48:0]     ahead;                        // sequence - next
  // The frame that commits.
  reg  [47:0]     ahead2_reg;
  reg  [47:0]     after2_reg;                   // its sequence + 1
  reg             forward2_reg;                 // next or beyond it, by less than 2^47
  reg             skips2_reg;                   // if so: beyond it
  reg             beyond2_reg;                  // 64 or more beyond
  reg             in_window2_reg;               // one of the last 64 before next
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (valid1_reg) begin
      ahead          = {1'b0, sequence1_reg} - {1'b0, next_early};
      ahead2_reg     <= ahead[47:0];
      after2_reg     <= sequence1_reg + 48'd1;
      forward2_reg   <= ahead[48:47] == 2'd0;
      skips2_reg     <= |ahead[46:0];
      beyond2_reg    <= |ahead[46:6];
      in_window2_reg <= &ahead[48:6];           // next - 1 - sequence is ~ahead
    end
    if (u_valid) sequence1_reg <= u_sequence;
    valid1_reg <= u_valid;
  end
  /* verilator lint_on BLKSEQ */

  // The verdict on the frame that commits, and what it makes of the entry: in the commit clock only, because the wide
  // sums would cost a simulation time in every clock.
  reg  [47:0]     received, lost, duplicated, reordered, late, gaps, next, next_next;
  reg  [5:0]      behind;                       // next - 1 - sequence, in the window
  reg             forward, in_window, seen, gap, duplicate, reorder, too_old;
  reg             lost_moves;                   // the lost count moves by this:
  reg  [47:0]     lost_step;                    // numbers skipped, or -1 for one found
  reg  [7*48-1:0] n_count;
  always @* begin
    {next, gaps, late, reordered, duplicated, lost, received} = {(7*48){1'bx}};
    {behind, next_next, lost_step} = {(6+2*48){1'bx}};
    {forward, in_window, seen, gap, duplicate, reorder, too_old, lost_moves} = 8'hxx;
    window_next = {WINDOW{1'bx}};
    n_count     = {(7*48){1'bx}};
    if (c_valid) begin
      {next, gaps, late, reordered, duplicated, lost, received} = c_count;
      forward     = forward2_reg;
      in_window   = in_window2_reg;
      behind      = ~ahead2_reg[5:0];
      seen        = window[behind];
      gap         = forward && skips2_reg;
      duplicate   = in_window && seen;
      reorder     = in_window && !seen;
      too_old     = !forward && !in_window;
      lost_moves  = forward || reorder;
      lost_step   = forward ? ahead2_reg : {48{1'b1}};
      window_next = window;
      if (forward)
        window_next = beyond2_reg ? {{(WINDOW-1){1'b0}}, 1'b1}
                                  : ((window << ahead2_reg[5:0]) << 1) | {{(WINDOW-1){1'b0}}, 1'b1};
      else if (in_window)
        window_next[behind] = 1'b1;
      next_next   = forward ? after2_reg : next;
      n_count     = {                           // the verdict comes last, so it selects, and no sum waits for it
        next_next,
        gap        ? gaps       + 48'd1     : gaps,
        too_old    ? late       + 48'd1     : late,
        reorder    ? reordered  + 48'd1     : reordered,
        duplicate  ? duplicated + 48'd1     : duplicated,
        lost_moves ? lost       + lost_step : lost,
        received + 48'd1};
    end
  end
  assign hit_gap = c_valid && gap;

  // An index beyond the table reads as zero.
  wire beyond;
  wire table_ack;
  wire [7*48-1:0] table_count;
  reg  beyond_ack_reg;
  generate
    if (INDEX_W == 12) begin : g_all
      assign beyond = 1'b0;
    end else begin : g_some
      wire unused = &{1'b0, u_stream[11:INDEX_W]};
      assign beyond = |stream_index[11:INDEX_W];
    end
  endgenerate
  always @(posedge clk) beyond_ack_reg <= stream_req && beyond && !beyond_ack_reg && !rst;
  assign stream_ack   = beyond ? beyond_ack_reg : table_ack;
  assign stream_count = beyond ? {(7*48){1'b0}} : table_count;

  snapshot_table #(.ENTRIES_LOG2(INDEX_W), .COUNT_W(7*48), .STATE_W(WINDOW), .EARLY_LSB(6*48), .EARLY_W(48)) u_table (
    .clk(clk), .rst(rst), .clear(clear), .busy(busy), .snapshot(snapshot),
    .u_valid(u_valid), .u_index(u_stream[INDEX_W-1:0]),
    .early(next_early), .c_valid(c_valid), .c_count(c_count), .c_state(window), .n_count(n_count), .n_state(window_next),
    .r_req(stream_req && !beyond), .r_index(stream_index[INDEX_W-1:0]), .r_ack(table_ack), .r_count(table_count));

  always @(posedge clk) begin
    if (c_valid) begin
      if (lost_moves) lost_frames <= lost_frames + {{16{lost_step[47]}}, lost_step};
      if (duplicate) duplicated_frames <= duplicated_frames + 64'd1;
      if (reorder)   reordered_frames  <= reordered_frames + 64'd1;
      if (too_old)   late_frames       <= late_frames + 64'd1;
      if (gap)       sequence_gaps     <= sequence_gaps + 64'd1;
    end
    if (rst || clear) begin
      lost_frames       <= 64'd0;
      duplicated_frames <= 64'd0;
      reordered_frames  <= 64'd0;
      late_frames       <= 64'd0;
      sequence_gaps     <= 64'd0;
    end
  end
`ifdef FORMAL
`include "rx_sequence_properties.vh"
`endif
endmodule
