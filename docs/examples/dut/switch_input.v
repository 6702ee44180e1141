// SPDX-License-Identifier: Apache-2.0
// The queue of an input of the example switch: whole frames, good ones, each with the outputs that it still has to go to.
module switch_input #(
  parameter PORTS = 4,
  parameter WIDTH = 64,
  parameter QUEUE_FRAMES = 32,
  parameter QUEUE_BEATS = 8192
) (
  input  wire                     clk,
  input  wire                     rst,
  input  wire [WIDTH-1:0]         s_tdata,
  input  wire [WIDTH/8-1:0]       s_tkeep,
  input  wire                     s_tvalid,
  input  wire                     s_tlast,
  input  wire                     s_tuser,
  // A frame has come in: where is it to go? Answered in the same clock.
  output reg                      ask,
  output reg  [95:0]              header,
  input  wire [PORTS-1:0]         answer,
  // The oldest frame.
  output wire [PORTS-1:0]         want,
  input  wire                     take,
  input  wire [$clog2(PORTS)-1:0] take_by,
  output wire [WIDTH-1:0]         beat_data,
  output wire [WIDTH/8-1:0]       beat_keep,
  output wire                     beat_last,
  output wire                     empty
);
  localparam BEAT_BITS = $clog2(QUEUE_BEATS);
  localparam FRAME_BITS = $clog2(QUEUE_FRAMES) + 1;
  localparam OCTETS = WIDTH / 8;

  reg [WIDTH+OCTETS:0] beats [0:QUEUE_BEATS-1];  // last, keep, data
  reg [PORTS-1:0]      masks [0:(1 << FRAME_BITS)-1];
  // Positions count on; their low bits are places.
  reg [BEAT_BITS:0]    write_at, frame_at;       // next beat; first beat of the frame that comes in
  reg [BEAT_BITS:0]    read_at, oldest_at;       // next beat to leave; first beat of the oldest frame
  reg [FRAME_BITS-1:0] asked, queued, gone;      // frames: with an answer still to come, in the queue, no longer in it
  reg [15:0]           octets;                   // octets of the frame that comes in, before this beat
  reg                  lost;                     // it has found no room

  wire [BEAT_BITS:0] used = write_at - oldest_at;
  wire               full = used == QUEUE_BEATS[BEAT_BITS:0];
  wire [FRAME_BITS-1:0] held = asked - gone;
  wire               keeps = !lost && !full && !s_tuser && held < QUEUE_FRAMES;

  integer k;
  always @(posedge clk) begin
    ask <= 1'b0;
    if (s_tvalid) begin
      if (!full)
        beats[write_at[BEAT_BITS-1:0]] <= {s_tlast, s_tkeep, s_tdata};
      for (k = 0; k < OCTETS; k = k + 1)
        if (octets + k < 12)
          header[8 * (octets + k) +: 8] <= s_tdata[8 * k +: 8];
      write_at <= write_at + !full;
      lost <= lost || full;
      octets <= octets < 12 ? octets + OCTETS : octets;
      if (s_tlast) begin
        octets <= 0;
        lost <= 1'b0;
        ask <= keeps;
        asked <= asked + keeps;
        write_at <= keeps ? write_at + 1'b1 : frame_at;
        frame_at <= keeps ? write_at + 1'b1 : frame_at;
      end
    end
    if (ask) begin
      masks[queued] <= answer;
      queued <= queued + 1'b1;
    end
    if (rst) begin
      ask <= 1'b0;
      write_at <= 0;
      frame_at <= 0;
      asked <= 0;
      queued <= 0;
      octets <= 0;
      lost <= 1'b0;
    end
  end

  // -- the oldest frame: each copy begins at its first beat
  wire there = queued != gone;
  wire [PORTS-1:0] mask = masks[gone];
  wire [PORTS-1:0] left = mask & ~({{PORTS-1{1'b0}}, 1'b1} << take_by);

  assign want = there ? mask : 0;
  assign {beat_last, beat_keep, beat_data} = beats[read_at[BEAT_BITS-1:0]];
  assign empty = asked == gone && octets == 0 && !ask;

  // A frame that is to go nowhere is passed over, beat by beat.
  wire passes = there && mask == 0;

  always @(posedge clk) begin
    if (take || passes) begin
      read_at <= read_at + 1'b1;
      if (beat_last && (passes || left == 0)) begin
        gone <= gone + 1'b1;
        oldest_at <= read_at + 1'b1;
      end else if (beat_last) begin
        read_at <= oldest_at;
        masks[gone] <= left;
      end
    end
    if (rst) begin
      read_at <= 0;
      oldest_at <= 0;
      gone <= 0;
    end
  end
endmodule
