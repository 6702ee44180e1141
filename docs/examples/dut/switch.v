// SPDX-License-Identifier: Apache-2.0
// A store-and-forward switch, as an example of a device under test: learns addresses, floods what it does not know, and has
// a queue of known size at each input.
//
// What is known of it (docs/your-own-dut.md holds it to that):
//   latency       a frame's first beat leaves 4 clocks after its last one has come in, if its output is free
//   throughput    a frame of n beats takes an output n + 1 clocks, and at least FORWARD_CLOCKS
//   buffer        QUEUE_FRAMES frames at each input, the one that leaves included; any more are dropped, whole
module switch #(
  parameter PORTS = 4,
  parameter WIDTH = 64,           // bits of the data of a port, a multiple of 8
  parameter QUEUE_FRAMES = 32,    // room at each input
  parameter QUEUE_BEATS = 8192,   // likewise: room for their octets, a power of two
  parameter FORWARD_CLOCKS = 1,   // least time from one frame of an output to the next
  parameter TABLE_BITS = 10       // log2 of the number of addresses
) (
  input  wire                     clk,
  input  wire                     rst,
  input  wire [PORTS*WIDTH-1:0]   s_axis_tdata,
  input  wire [PORTS*WIDTH/8-1:0] s_axis_tkeep,
  input  wire [PORTS-1:0]         s_axis_tvalid,
  output wire [PORTS-1:0]         s_axis_tready,
  input  wire [PORTS-1:0]         s_axis_tlast,
  input  wire [PORTS-1:0]         s_axis_tuser,
  output wire [PORTS*WIDTH-1:0]   m_axis_tdata,
  output wire [PORTS*WIDTH/8-1:0] m_axis_tkeep,
  output wire [PORTS-1:0]         m_axis_tvalid,
  input  wire [PORTS-1:0]         m_axis_tready,
  output wire [PORTS-1:0]         m_axis_tlast,
  output wire [PORTS-1:0]         m_axis_tuser,
  output wire                     idle
);
  localparam PORT_BITS = $clog2(PORTS);

  // Signals from the inputs: their oldest frame, and where it is to go; to them: which output takes a beat of it, and whether
  // that was its last copy.
  wire [PORTS*PORTS-1:0]   want;       // input i, output o: bit i * PORTS + o
  wire [PORTS*WIDTH-1:0]   beat_data;
  wire [PORTS*WIDTH/8-1:0] beat_keep;
  wire [PORTS-1:0]         beat_last;
  reg  [PORTS-1:0]         take;       // a beat of the input
  reg  [PORTS*PORT_BITS-1:0] take_by;
  wire [PORTS-1:0]         inputs_empty;

  // The addresses: every input asks for one and tells one with each frame.
  wire [PORTS-1:0]    ask;
  wire [PORTS*96-1:0] header;          // destination, source
  wire [PORTS*PORTS-1:0] answer;       // valid in the clock of the question

  switch_table #(.PORTS(PORTS), .TABLE_BITS(TABLE_BITS)) u_table (
    .clk(clk), .rst(rst), .ask(ask), .header(header), .answer(answer));

  genvar i;
  generate
    for (i = 0; i < PORTS; i = i + 1) begin : g_input
      switch_input #(.PORTS(PORTS), .WIDTH(WIDTH), .QUEUE_FRAMES(QUEUE_FRAMES), .QUEUE_BEATS(QUEUE_BEATS)) u_input (
        .clk(clk), .rst(rst),
        .s_tdata(s_axis_tdata[i*WIDTH +: WIDTH]), .s_tkeep(s_axis_tkeep[i*WIDTH/8 +: WIDTH/8]),
        .s_tvalid(s_axis_tvalid[i]), .s_tlast(s_axis_tlast[i]), .s_tuser(s_axis_tuser[i]),
        .ask(ask[i]), .header(header[i*96 +: 96]), .answer(answer[i*PORTS +: PORTS]),
        .want(want[i*PORTS +: PORTS]), .take(take[i]), .take_by(take_by[i*PORT_BITS +: PORT_BITS]),
        .beat_data(beat_data[i*WIDTH +: WIDTH]), .beat_keep(beat_keep[i*WIDTH/8 +: WIDTH/8]), .beat_last(beat_last[i]),
        .empty(inputs_empty[i]));
    end
  endgenerate
  assign s_axis_tready = {PORTS{1'b1}};

  // The outputs. One sends a frame of one input at a time, and takes the inputs in turns.
  reg [PORTS-1:0]     busy;
  reg [PORT_BITS-1:0] from [0:PORTS-1], turn [0:PORTS-1];
  reg [15:0]          age [0:PORTS-1];  // clocks since it took its frame
  reg [PORTS-1:0]     valid, last;
  reg [WIDTH-1:0]     data [0:PORTS-1];
  reg [WIDTH/8-1:0]   keep [0:PORTS-1];

  wire [PORTS-1:0] moves = busy & (~valid | m_axis_tready);

  integer o, n;
  always @* begin
    take = 0;
    take_by = 0;
    for (o = 0; o < PORTS; o = o + 1)
      if (moves[o]) begin
        take[from[o]] = 1'b1;
        take_by[from[o]*PORT_BITS +: PORT_BITS] = o[PORT_BITS-1:0];
      end
  end

  reg [PORTS-1:0]     taken;  // inputs that an output has
  reg                 found;
  reg [PORT_BITS-1:0] pick;
  always @(posedge clk) begin
    taken = 0;
    for (o = 0; o < PORTS; o = o + 1)
      if (busy[o])
        taken[from[o]] = 1'b1;
    for (o = 0; o < PORTS; o = o + 1) begin
      if (m_axis_tready[o])
        valid[o] <= 1'b0;
      if (moves[o]) begin
        valid[o] <= 1'b1;
        data[o] <= beat_data[from[o]*WIDTH +: WIDTH];
        keep[o] <= beat_keep[from[o]*(WIDTH/8) +: WIDTH/8];
        last[o] <= beat_last[from[o]];
        if (beat_last[from[o]])
          busy[o] <= 1'b0;
      end
      if (!(&age[o]))
        age[o] <= age[o] + 1'b1;
      found = 1'b0;
      pick = 0;
      for (n = 0; n < PORTS; n = n + 1)
        if (!found && !taken[(turn[o] + n) % PORTS] && want[((turn[o] + n) % PORTS) * PORTS + o]) begin
          found = 1'b1;
          pick = (turn[o] + n) % PORTS;
        end
      if (!busy[o] && found && age[o] + 1 >= FORWARD_CLOCKS) begin
        busy[o] <= 1'b1;
        from[o] <= pick;
        turn[o] <= (pick + 1) % PORTS;
        age[o] <= 0;
        taken[pick] = 1'b1;
      end
      if (rst) begin
        busy[o] <= 1'b0;
        valid[o] <= 1'b0;
        turn[o] <= 0;
        age[o] <= 16'hffff;
      end
    end
  end

  generate
    for (i = 0; i < PORTS; i = i + 1) begin : g_output
      assign m_axis_tdata[i*WIDTH +: WIDTH] = data[i];
      assign m_axis_tkeep[i*WIDTH/8 +: WIDTH/8] = keep[i];
    end
  endgenerate
  assign m_axis_tvalid = valid;
  assign m_axis_tlast = last;
  assign m_axis_tuser = 0;
  // All that happens in a clock without input is that frames leave, and that the age of an output grows, which counts up to
  // FORWARD_CLOCKS.
  wire [PORTS-1:0] rested;
  generate
    for (i = 0; i < PORTS; i = i + 1) begin : g_rested
      assign rested[i] = age[i] >= FORWARD_CLOCKS;
    end
  endgenerate
  assign idle = &inputs_empty && &rested && valid == 0 && busy == 0;
endmodule
