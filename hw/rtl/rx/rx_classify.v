// SPDX-License-Identifier: Apache-2.0
// Classifies every frame by its signature, and computes its latency.
//
// Exactly one of the outputs frame_bad_*, tcp, foreign, other_run, wrong_length, bad_payload, wrong_port, received is set with
// out_valid. They are tried in that order: a segment of a TCP connection (rx_tcp) is one whatever its last octets are; no
// magic (or a source port that this tester does not have) is foreign, and so
// on; only a frame that passes all of them is received. wrong_port is a frame whose stream is not expected here: where that is
// known (rx_expected) is looked up by `look_stream`, in the clock of frame_valid, and `expected` is the answer in the
// next clock. Latency is start to start, in groups of 8 octets, modulo 2^40. It counts nothing and keeps no state.
//
// Latency: 2 clocks.
`include "fpgauge_time.vh"
module rx_classify #(
  parameter PORTS = 2,
  parameter START_W = `FPGAUGE_GROUP_TIME_W
) (
  input              clk,
  input              rst,
  input      [7:0]   cfg_run_id,
  // mac_rx
  input              frame_valid,
  input              frame_good,
  input              frame_bad_code,
  input              frame_bad_short,
  input              frame_bad_long,
  input              frame_bad_fcs,
  input      [13:0]  frame_octets,
  input      [143:0] frame_signature,
  input      [START_W-1:0] frame_start_groups,
  input              frame_bad_payload, // output of rx_payload
  input              frame_tcp,         // output of rx_tcp
  input              cut_valid,
  input              cut_well,
  // the stream is expected here
  output     [11:0]  look_stream,
  input              expected,
  // kind of the frame
  output reg         out_valid,
  output reg         out_good,
  output reg         out_bad_code,
  output reg         out_bad_short,
  output reg         out_bad_long,
  output reg         out_bad_fcs,
  output reg         out_tcp,
  output reg         out_foreign,
  output reg         out_other_run,
  output reg         out_wrong_length,
  output reg         out_bad_payload,
  output reg         out_wrong_port,
  output reg         out_received,
  output reg [13:0]  out_octets,
  output reg [11:0]  out_stream,
  output reg [47:0]  out_sequence,
  output reg [39:0]  out_latency_groups,
  output reg         out_tag,
  output reg [START_W-1:0] out_start_groups,
  output reg         out_cut_valid,
  output reg         out_cut_well
);
  `include "fpgauge_signature.vh"
  wire [8*SIGNATURE_OCTETS-1:0] signature = frame_signature;
  localparam [4:0] PORTS_5 = PORTS[4:0];

  // Clock 1: compare.
  reg        valid1_reg, good1_reg, cut1_reg, cut_well1_reg;
  reg [3:0]  bad1_reg;
  reg        tcp1_reg, ours1_reg, run1_reg, length1_reg, payload1_reg, tag1_reg;
  reg [13:0] octets1_reg;
  reg [11:0] stream1_reg;
  reg [47:0] sequence1_reg;
  reg [39:0] latency1_reg;
  reg [START_W-1:0] start1_reg;
  wire [3:0] source = signature[SIG_SRC_LSB +: 4];
  wire       unused = &{1'b0, signature[SIG_LEN_LSB+14], signature[SIG_SRC_LSB-1 -: 4]};
  assign look_stream = {source, signature[SIG_STREAM_LSB +: 8]};
  always @(posedge clk) begin
    valid1_reg    <= frame_valid && !rst;
    cut1_reg      <= cut_valid && !rst;
    cut_well1_reg <= cut_well;
    if (frame_valid) begin
      good1_reg     <= frame_good;
      bad1_reg      <= {frame_bad_code, frame_bad_short, frame_bad_long, frame_bad_fcs};
      tcp1_reg      <= frame_tcp;
      ours1_reg     <= signature[SIG_MAGIC_LSB +: 16] == SIGNATURE_MAGIC && {1'b0, source} < PORTS_5;
      run1_reg      <= signature[SIG_RUN_LSB +: 8] == cfg_run_id;
      length1_reg   <= signature[SIG_LEN_LSB +: 14] == frame_octets;
      payload1_reg  <= !frame_bad_payload;
      tag1_reg      <= signature[SIG_TAG_BIT];
      octets1_reg   <= frame_octets;
      stream1_reg   <= look_stream;
      sequence1_reg <= signature[SIG_SEQ_LSB +: 48];
      latency1_reg  <= frame_start_groups[39:0] - signature[SIG_TIME_LSB +: 40];
      start1_reg    <= frame_start_groups;
    end
  end

  // Clock 2: one of them.
  always @(posedge clk) begin
    out_valid     <= valid1_reg && !rst;
    out_cut_valid <= cut1_reg && !rst;
    out_cut_well  <= cut_well1_reg;
    if (valid1_reg) begin
      {out_bad_code, out_bad_short, out_bad_long, out_bad_fcs} <= bad1_reg;
      out_good           <= good1_reg;
      out_tcp            <= good1_reg && tcp1_reg;
      out_foreign        <= good1_reg && !tcp1_reg && !ours1_reg;
      out_other_run      <= good1_reg && !tcp1_reg && ours1_reg && !run1_reg;
      out_wrong_length   <= good1_reg && !tcp1_reg && ours1_reg && run1_reg && !length1_reg;
      out_bad_payload    <= good1_reg && !tcp1_reg && ours1_reg && run1_reg && length1_reg && !payload1_reg;
      out_wrong_port     <= good1_reg && !tcp1_reg && ours1_reg && run1_reg && length1_reg && payload1_reg && !expected;
      out_received       <= good1_reg && !tcp1_reg && ours1_reg && run1_reg && length1_reg && payload1_reg && expected;
      out_octets         <= octets1_reg;
      out_stream         <= stream1_reg;
      out_sequence       <= sequence1_reg;
      out_latency_groups <= latency1_reg;
      out_tag            <= tag1_reg;
      out_start_groups   <= start1_reg;
    end
  end
endmodule
