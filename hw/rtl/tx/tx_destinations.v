// SPDX-License-Identifier: Apache-2.0
// The destinations of a port: picks one for every frame, in turn or at random, and looks up its header, its port and
// its sequence number.
//
// Tables: header (512 bits per entry, written in 32-bit words), destination port, and the count of frames sent, which
// is the sequence number of the next one (snapshot_table: freezes for reading, and forwards, because one destination
// may be used in adjacent clocks). At random: xorshift32 (Marsaglia 2003, shifts 13, 17, 5), one step before each draw;
// the entry is the upper half of its state times the number of destinations, divided by 2^16.
// Everything comes out 4 clocks after frame_valid, with out_valid. While the table is being cleared, sequence numbers
// are 0.
module tx_destinations #(
  parameter DEST_LOG2 = 8
) (
  input                      clk,
  input                      rst,
  input                      clear,
  input                      snapshot,
  output                     busy,
  input                      load,
  input [8:0]                cfg_destinations,
  input                      cfg_random,
  input [31:0]               cfg_seed,
  // table writes
  input [DEST_LOG2-1:0]      dest_index,
  input                      dest_we,
  input [3:0]                dest_port,
  input                      header_we,
  input [3:0]                header_word,
  input [31:0]               header_data,
  // frozen counts
  input                      stream_req,
  input [DEST_LOG2-1:0]      stream_index,
  output                     stream_ack,
  output [47:0]              stream_frames,
  // frames
  input                      frame_valid,
  output reg                 out_valid,
  output reg [DEST_LOG2-1:0] out_index,
  output reg [3:0]           out_port,
  output reg [47:0]          out_sequence,
  output reg [511:0]         out_header
);
  // ---------------------------------------------------------------- clock 0: pick
  function [31:0] xorshift32;
    input [31:0] x;
    reg [31:0] y, z;
    begin
      y = x ^ {x[18:0], 13'd0};
      z = y ^ {17'd0, y[31:17]};
      xorshift32 = z ^ {z[26:0], 5'd0};
    end
  endfunction

  reg [8:0]           destinations_reg;
  reg                 random_reg, load1_reg;
  reg [31:0]          draw_reg;
  reg [DEST_LOG2-1:0] turn_reg;
  wire [8:0]          turn_next = {{(9-DEST_LOG2){1'b0}}, turn_reg} + 9'd1;
  wire [24:0]         product = {9'd0, draw_reg[31:16]} * {16'd0, destinations_reg};
  always @(posedge clk) begin
    load1_reg <= load && !rst;
    if (load) begin
      destinations_reg <= cfg_destinations;
      random_reg       <= cfg_random;
      turn_reg         <= {DEST_LOG2{1'b0}};
      draw_reg         <= cfg_seed == 32'd0 ? 32'd1 : cfg_seed;
    end else begin
      if (load1_reg || frame_valid) draw_reg <= xorshift32(draw_reg);
      if (frame_valid) turn_reg <= turn_next == destinations_reg ? {DEST_LOG2{1'b0}} : turn_next[DEST_LOG2-1:0];
    end
  end

  // ---------------------------------------------------------------- clock 1: the entry is known
  reg                  valid1_reg;
  reg [DEST_LOG2-1:0]  turn1_reg, draw1_reg;
  wire [DEST_LOG2-1:0] index1 = random_reg ? draw1_reg : turn1_reg;
  always @(posedge clk) begin
    valid1_reg <= frame_valid && !rst;
    if (frame_valid) begin
      turn1_reg <= turn_reg;
      draw1_reg <= product[16 +: DEST_LOG2];
    end
  end

  // ---------------------------------------------------------------- sequence: clock 1 to clock 3
  wire        c_valid, c_state;
  wire [47:0] c_count;
  snapshot_table #(.ENTRIES_LOG2(DEST_LOG2), .COUNT_W(48), .STATE_W(1)) u_sequence (
    .clk(clk), .rst(rst), .clear(clear), .busy(busy), .snapshot(snapshot),
    .u_valid(valid1_reg), .u_index(index1), .c_valid(c_valid), .c_count(c_count), .c_state(c_state),
    .n_count(c_count + 48'd1), .n_state(1'b0),
    .r_req(stream_req), .r_index(stream_index), .r_ack(stream_ack), .r_count(stream_frames));

  // ---------------------------------------------------------------- tables: clock 2 to clock 4, output registered
  reg [3:0]           port_ram [0:(1<<DEST_LOG2)-1];
  reg                 valid2_reg, valid3_reg;
  reg [DEST_LOG2-1:0] index2_reg, index3_reg;
  reg [3:0]           port3_reg;

  (* ram_style = "block" *) reg [511:0] header_ram [0:(1<<DEST_LOG2)-1];
  reg [511:0] header3_reg;
  integer     w;
  always @(posedge clk)
    if (header_we)
      for (w = 0; w < 16; w = w + 1)
        if (header_word == w[3:0]) header_ram[dest_index][32*w +: 32] <= header_data;
  always @(posedge clk)
    if (valid2_reg) header3_reg <= header_ram[index2_reg];
  always @(posedge clk)
    if (valid3_reg) out_header <= header3_reg;

  always @(posedge clk)
    if (dest_we) port_ram[dest_index] <= dest_port;
  always @(posedge clk)
    if (valid2_reg) port3_reg <= port_ram[index2_reg];

  always @(posedge clk) begin
    valid2_reg <= valid1_reg && !rst;
    valid3_reg <= valid2_reg && !rst;
    out_valid  <= valid3_reg && !rst;
    if (valid1_reg) index2_reg <= index1;
    if (valid2_reg) index3_reg <= index2_reg;
    if (valid3_reg) begin
      out_index    <= index3_reg;
      out_port     <= port3_reg;
      out_sequence <= c_valid ? c_count : 48'd0;
    end
  end

  wire unused = &{1'b0, product, c_state};
endmodule
