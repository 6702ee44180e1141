// SPDX-License-Identifier: Apache-2.0
// Counts frames by class. Every flag comes with `valid`; a frame cut short within a word comes in parallel, on `cut_*`.
// rx_frames = tcp + foreign + other_run + wrong_length + bad_payload + wrong_port + received, and bad = code + short + long +
// fcs, in any clock. Latency: the counters change at the end of the clock with `valid`.
module rx_counts (
  input             clk,
  input             rst,
  input             clear,
  input             valid,
  input             good,
  input             bad_code,
  input             bad_short,
  input             bad_long,
  input             bad_fcs,
  input             tcp,
  input             tcp_bad,                // it is, and not right
  input             foreign,
  input             other_run,
  input             wrong_length,
  input             bad_payload,
  input             wrong_port,
  input             received,
  input      [13:0] frame_octets,
  input             cut_valid,
  input             cut_well,
  output reg [63:0] frames,
  output reg [63:0] octets,
  output reg [63:0] bad_frames,
  output reg [63:0] bad_code_frames,
  output reg [63:0] bad_short_frames,
  output reg [63:0] bad_long_frames,
  output reg [63:0] bad_fcs_frames,
  output reg [63:0] tcp_frames,
  output reg [63:0] tcp_bad_frames,
  output reg [63:0] foreign_frames,
  output reg [63:0] other_run_frames,
  output reg [63:0] wrong_length_frames,
  output reg [63:0] bad_payload_frames,
  output reg [63:0] wrong_port_frames,
  output reg [63:0] received_frames
);
  wire bad_any   = valid && !good;
  wire cut_code  = cut_valid && !cut_well;
  wire cut_short = cut_valid && cut_well;

  always @(posedge clk) begin
    if (valid && good) begin
      frames <= frames + 64'd1;
      octets <= octets + {50'd0, frame_octets};
      if (tcp)          tcp_frames          <= tcp_frames + 64'd1;
      if (tcp && tcp_bad) tcp_bad_frames    <= tcp_bad_frames + 64'd1;
      if (foreign)      foreign_frames      <= foreign_frames + 64'd1;
      if (other_run)    other_run_frames    <= other_run_frames + 64'd1;
      if (wrong_length) wrong_length_frames <= wrong_length_frames + 64'd1;
      if (bad_payload)  bad_payload_frames  <= bad_payload_frames + 64'd1;
      if (wrong_port)   wrong_port_frames   <= wrong_port_frames + 64'd1;
      if (received)     received_frames     <= received_frames + 64'd1;
    end
    if (bad_any || cut_valid) begin
      bad_frames       <= bad_frames + {63'd0, bad_any} + {63'd0, cut_valid};
      bad_code_frames  <= bad_code_frames + {63'd0, valid && bad_code} + {63'd0, cut_code};
      bad_short_frames <= bad_short_frames + {63'd0, valid && bad_short} + {63'd0, cut_short};
      if (valid && bad_long) bad_long_frames <= bad_long_frames + 64'd1;
      if (valid && bad_fcs)  bad_fcs_frames  <= bad_fcs_frames + 64'd1;
    end
    if (rst || clear) begin
      frames              <= 64'd0;
      octets              <= 64'd0;
      bad_frames          <= 64'd0;
      bad_code_frames     <= 64'd0;
      bad_short_frames    <= 64'd0;
      bad_long_frames     <= 64'd0;
      bad_fcs_frames      <= 64'd0;
      tcp_frames          <= 64'd0;
      tcp_bad_frames      <= 64'd0;
      foreign_frames      <= 64'd0;
      other_run_frames    <= 64'd0;
      wrong_length_frames <= 64'd0;
      bad_payload_frames  <= 64'd0;
      wrong_port_frames   <= 64'd0;
      received_frames     <= 64'd0;
    end
  end
endmodule
