// SPDX-License-Identifier: Apache-2.0
// The destinations of a port: which one a frame goes to, the header it carries, and its sequence number.
//
// Up to 2^DEST_LOG2 entries, each the first 64 octets of its frames, the port where they must arrive and a count of
// frames, which is the sequence number of the next one. Visited in turn from entry 0, or drawn at random from a seeded
// 32-bit Galois LFSR (index = 16 bits of it x entries / 2^16).
// `begins` in clock t gives entry, port, header and sequence in clock t+3. One a clock.
module tx_destinations #(
  parameter DEST_LOG2 = 8
) (
  input                  clk,
  input                  rst,
  input                  restart,       // strobe: entry 0, or the seed, for the next frame
  input                  clear,         // strobe: all sequences to 0
  input                  snapshot,
  input                  begins,
  input  [8:0]           cfg_destinations,
  input                  cfg_random,
  input  [31:0]          cfg_seed,

  input                  dest_we,
  input  [DEST_LOG2-1:0] dest_index,
  input  [3:0]           dest_port,
  input                  header_we,
  input  [3:0]           header_word,
  input  [31:0]          header_data,

  input                  stream_req,
  input  [DEST_LOG2-1:0] stream_index,
  output                 stream_ack,
  output [47:0]          stream_frames,

  output reg [DEST_LOG2-1:0] entry,     // clock t+3
  output reg [3:0]       entry_port,
  output [511:0]         entry_header,
  output [47:0]          entry_sequence,
  output                 busy
);
  // ---------------------------------------------------------------- clock t: choose
  localparam [31:0] LFSR_TAPS = 32'hA300_0000;   // x^32 + x^30 + x^26 + x^25 + 1, maximal

  reg  [31:0] lfsr_reg;
  reg  [8:0]  turn_reg;
  wire        turn_wraps = turn_reg + 9'd1 >= cfg_destinations;
  wire [24:0] draw = {9'd0, lfsr_reg[15:0]} * {16'd0, cfg_destinations};
  always @(posedge clk)
    if (rst || restart) begin
      lfsr_reg <= cfg_seed == 32'd0 ? 32'd1 : cfg_seed;
      turn_reg <= 9'd0;
    end else if (begins) begin
      lfsr_reg <= {1'b0, lfsr_reg[31:1]} ^ (lfsr_reg[0] ? LFSR_TAPS : 32'd0);
      turn_reg <= turn_wraps ? 9'd0 : turn_reg + 9'd1;
    end

  reg                 begins1_reg;
  reg [DEST_LOG2-1:0] index1_reg, index2_reg;
  always @(posedge clk) begin
    begins1_reg <= begins && !rst;
    if (begins) index1_reg <= cfg_random ? draw[16 +: DEST_LOG2] : turn_reg[DEST_LOG2-1:0];
    if (begins1_reg) index2_reg <= index1_reg;
    entry <= index2_reg;
  end

  // ---------------------------------------------------------------- clocks t+1 to t+3: tables
  reg [3:0] port_ram [0:(1<<DEST_LOG2)-1];
  reg [3:0] port2_reg;
  always @(posedge clk) begin
    if (dest_we) port_ram[dest_index] <= dest_port;
    if (begins1_reg) port2_reg <= port_ram[index1_reg];
    entry_port <= port2_reg;
  end

  genvar w;
  generate
    for (w = 0; w < 16; w = w + 1) begin : g_header
      reg [31:0] ram [0:(1<<DEST_LOG2)-1];
      reg [31:0] read_reg, out_reg;
      always @(posedge clk) begin
        if (header_we && header_word == w) ram[dest_index] <= header_data;
        if (begins1_reg) read_reg <= ram[index1_reg];
        out_reg <= read_reg;
      end
      assign entry_header[32*w +: 32] = out_reg;
    end
  endgenerate

  wire unused_valid, unused_state;
  snapshot_table #(.ENTRIES_LOG2(DEST_LOG2), .COUNT_W(48), .STATE_W(1)) u_sequence (
    .clk(clk), .rst(rst), .clear(clear), .busy(busy), .snapshot(snapshot),
    .u_valid(begins1_reg), .u_index(index1_reg),
    .c_valid(unused_valid), .c_count(entry_sequence), .c_state(unused_state),
    .n_count(entry_sequence + 48'd1), .n_state(1'b0),
    .r_req(stream_req), .r_index(stream_index), .r_ack(stream_ack), .r_count(stream_frames));
  wire unused = &{1'b0, unused_valid, unused_state, draw};
endmodule
