// SPDX-License-Identifier: Apache-2.0
// The flows of a port: looks up the header of a frame's flow, its port and its sequence number.
//
// Tables: header (512 bits per entry, written in 32-bit words), port where its frames must arrive, and the count of frames
// sent, which is the sequence number of the next one (snapshot_table: freezes for reading, and forwards, because one flow
// may be used in adjacent clocks). Whose turn it is, is decided in tx_sequencer.
// Everything comes out 4 clocks after frame_valid, with out_valid; coming_valid is one clock ahead of it. While the table
// is being cleared, sequence numbers are 0.
module tx_flows #(
  parameter FLOW_LOG2 = 8
) (
  input                      clk,
  input                      rst,
  input                      clear,
  input                      snapshot,
  output                     busy,
  // table writes
  input [FLOW_LOG2-1:0]      flow_index,
  input                      flow_port_we,
  input [3:0]                flow_port,
  input                      header_we,
  input [3:0]                header_word,
  input [31:0]               header_data,
  // frozen counts
  input                      stream_req,
  input [FLOW_LOG2-1:0]      stream_index,
  output                     stream_ack,
  output [47:0]              stream_frames,
  // frames
  input                      frame_valid,
  input [FLOW_LOG2-1:0]      frame_flow,
  output                     coming_valid,
  output reg                 out_valid,
  output reg [FLOW_LOG2-1:0] out_index,
  output reg [3:0]           out_port,
  output reg [47:0]          out_sequence,
  output reg [511:0]         out_header
);
  // ---------------------------------------------------------------- clock 1
  reg                 valid1_reg;
  reg [FLOW_LOG2-1:0] index1_reg;
  always @(posedge clk) begin
    valid1_reg <= frame_valid && !rst;
    if (frame_valid) index1_reg <= frame_flow;
  end

  // ---------------------------------------------------------------- sequence: clock 1 to clock 3
  wire        c_valid, c_state;
  wire [47:0] c_count;
  snapshot_table #(.ENTRIES_LOG2(FLOW_LOG2), .COUNT_W(48), .STATE_W(1)) u_sequence (
    .clk(clk), .rst(rst), .clear(clear), .busy(busy), .snapshot(snapshot),
    .u_valid(valid1_reg), .u_index(index1_reg), .c_valid(c_valid), .c_count(c_count), .c_state(c_state),
    .n_count(c_count + 48'd1), .n_state(1'b0),
    .r_req(stream_req), .r_index(stream_index), .r_ack(stream_ack), .r_count(stream_frames));

  // ---------------------------------------------------------------- tables: clock 2 to clock 4, output registered
  reg [3:0]           port_ram [0:(1<<FLOW_LOG2)-1];
  reg                 valid2_reg, valid3_reg;
  reg [FLOW_LOG2-1:0] index2_reg, index3_reg;
  reg [3:0]           port3_reg;

  (* ram_style = "block" *) reg [511:0] header_ram [0:(1<<FLOW_LOG2)-1];
  reg [511:0] header3_reg;
  integer     w;
  // The write is blocking and after the read, so it is not seen by it. Sixteen writes put off to the end of the clock
  // would be looked for in every clock of a simulation.
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (valid2_reg) header3_reg <= header_ram[index2_reg];
    if (header_we)
      for (w = 0; w < 16; w = w + 1)
        if (header_word == w[3:0]) header_ram[flow_index][32*w +: 32] = header_data;
  end
  /* verilator lint_on BLKSEQ */
  always @(posedge clk)
    if (valid3_reg) out_header <= header3_reg;

  always @(posedge clk)
    if (flow_port_we) port_ram[flow_index] <= flow_port;
  always @(posedge clk)
    if (valid2_reg) port3_reg <= port_ram[index2_reg];

  assign coming_valid = valid3_reg;
  always @(posedge clk) begin
    valid2_reg <= valid1_reg && !rst;
    valid3_reg <= valid2_reg && !rst;
    out_valid  <= valid3_reg && !rst;
    if (valid1_reg) index2_reg <= index1_reg;
    if (valid2_reg) index3_reg <= index2_reg;
    if (valid3_reg) begin
      out_index    <= index3_reg;
      out_port     <= port3_reg;
      out_sequence <= c_valid ? c_count : 48'd0;
    end
  end

  wire unused = &{1'b0, c_state};
endmodule
