// SPDX-License-Identifier: Apache-2.0
// Counters by stream beside the sequence check: the latency of received frames (smallest, largest, total), and frames that are
// not expected at this port. Frozen by a snapshot.
// 
// Every latency counts, even zero. Groups of 8 octets in, octet times out. The total has 80 bits, as in rx_latency.
// Two frames of one stream may come in adjacent clocks: snapshot_table forwards.
// 
// Latency: u_valid in clock t; c_unexpected and c_latency_groups belong to clock t+2, at whose end the table changes.
module rx_stream_table #(
  parameter PORTS = 2
) (
  input         clk,
  input         rst,
  input         clear,
  input         snapshot,
  output        busy,
  input         u_valid,                        // a frame received or unexpected; ignored while clear or busy
  input  [11:0] u_stream,                       // is below PORTS x 256
  input         c_unexpected,                   // it was unexpected: its latency does not count
  input  [39:0] c_latency_groups,
  // frozen table; an index beyond it reads as a stream without frames
  input         stream_req,
  input  [11:0] stream_index,
  output        stream_ack,
  output [63:0] unexpected,
  output [63:0] latency_min,                    // all ones if there is none
  output [63:0] latency_max,
  output [63:0] latency_sum,                    // low 64 bits
  output [63:0] latency_sum_high
);
  localparam INDEX_W = 8 + $clog2(PORTS);

  // An entry, cleared to 0: the smallest latency is kept as {1, its complement}, so that the largest value wins and 0
  // says that there is none.
  localparam SUM_W = 61, HIGH_W = 16, MAX_W = 40, MIN_W = 41, UNEXPECTED_W = 48;
  localparam SUM_LSB        = 0;
  localparam MAX_LSB        = SUM_LSB + SUM_W;
  localparam MIN_LSB        = MAX_LSB + MAX_W;
  localparam HIGH_LSB       = MIN_LSB + MIN_W;
  localparam UNEXPECTED_LSB = HIGH_LSB + HIGH_W;
  localparam COUNT_W        = UNEXPECTED_LSB + UNEXPECTED_W;

  wire               c_valid, c_state;
  wire [COUNT_W-1:0] now;
  wire               early;
  wire               unused = &{1'b0, c_state, early};

  reg [COUNT_W-1:0]      next;
  reg [SUM_W:0]          sum;
  reg [HIGH_W-1:0]       high;
  reg [MAX_W-1:0]        max;
  reg [MIN_W-1:0]        min, nearness;
  reg [UNEXPECTED_W-1:0] strays;
  always @* begin
    sum      = {(SUM_W+1){1'bx}};
    high     = {HIGH_W{1'bx}};
    max      = {MAX_W{1'bx}};
    min      = {MIN_W{1'bx}};
    strays   = {UNEXPECTED_W{1'bx}};
    nearness = {MIN_W{1'bx}};
    next     = {COUNT_W{1'bx}};
    if (c_valid) begin
      sum      = {1'b0, now[SUM_LSB +: SUM_W]};
      high     = now[HIGH_LSB +: HIGH_W];
      max      = now[MAX_LSB +: MAX_W];
      min      = now[MIN_LSB +: MIN_W];
      strays   = now[UNEXPECTED_LSB +: UNEXPECTED_W];
      nearness = {1'b1, ~c_latency_groups};
      if (c_unexpected)
        strays = strays + {{(UNEXPECTED_W-1){1'b0}}, 1'b1};
      else begin
        sum  = sum + {{(SUM_W-39){1'b0}}, c_latency_groups};
        high = high + {{(HIGH_W-1){1'b0}}, sum[SUM_W]};
        if (c_latency_groups > max) max = c_latency_groups;
        if (nearness > min)         min = nearness;
      end
      next = {strays, high, min, max, sum[SUM_W-1:0]};
    end
  end

  wire beyond;
  wire table_ack;
  wire [COUNT_W-1:0] count;
  reg  beyond_ack_reg;
  generate
    if (INDEX_W == 12) begin : g_all
      assign beyond = 1'b0;
    end else begin : g_some
      wire unused_index = &{1'b0, u_stream[11:INDEX_W]};
      assign beyond = |stream_index[11:INDEX_W];
    end
  endgenerate
  always @(posedge clk) beyond_ack_reg <= stream_req && beyond && !beyond_ack_reg && !rst;
  assign stream_ack = beyond ? beyond_ack_reg : table_ack;

  assign unexpected       = beyond ? 64'd0 : {{(64-UNEXPECTED_W){1'b0}}, count[UNEXPECTED_LSB +: UNEXPECTED_W]};
  assign latency_min      = beyond || !count[MIN_LSB+40] ? {64{1'b1}} : {21'd0, ~count[MIN_LSB +: 40], 3'd0};
  assign latency_max      = beyond ? 64'd0 : {21'd0, count[MAX_LSB +: MAX_W], 3'd0};
  assign latency_sum      = beyond ? 64'd0 : {count[SUM_LSB +: SUM_W], 3'd0};
  assign latency_sum_high = beyond ? 64'd0 : {{(64-HIGH_W){1'b0}}, count[HIGH_LSB +: HIGH_W]};

  snapshot_table #(.ENTRIES_LOG2(INDEX_W), .COUNT_W(COUNT_W), .STATE_W(1)) u_table (
    .clk(clk), .rst(rst), .clear(clear), .busy(busy), .snapshot(snapshot),
    .u_valid(u_valid), .u_index(u_stream[INDEX_W-1:0]),
    .early(early), .c_valid(c_valid), .c_count(now), .c_state(c_state), .n_count(next), .n_state(1'b0),
    .r_req(stream_req && !beyond), .r_index(stream_index[INDEX_W-1:0]), .r_ack(table_ack), .r_count(count));
endmodule
