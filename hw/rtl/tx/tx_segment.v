// SPDX-License-Identifier: Apache-2.0
// Fields that a TCP segment writes into its frame, beside what its flow has: five fields of 32 bits, the first octets of the
// stream, and the sum of all that, for the checksum.
// 
// With the TCP header 20 octets before `header` (even): sequence number, acknowledgement, data offset with flags and window, and
// as options the MSS (RFC 9293 section 3.2) and behind it, after a NOP, the window scale (RFC 7323 section 2.2), if they are
// there. The scale is not there without the MSS. The octet with sequence number s is s mod 256, and the stream begins at `header`.
// Sum of n octets from s on (RFC 1071): that of the first s mod 256 + n, less that of the first s mod 256, with the octets of all
// words swapped if s is odd: sim/tcp/payload.c. s mod 256 + n is below 2^14.
// 
// Latency, in clocks after frame_valid: 4 sum   READ + 1 all else, which stays until the next.
`include "tcp_types.svh"
module tx_segment #(
  parameter READ = 9
) (
  input               clk,
  input               frame_valid,             // valid with a segment
  input tcp_types::segment_t frame_segment,
  input [6:0]         header,
  output reg [16:0]   sum,
  input               read,                    // READ clocks after frame_valid
  output [5*32-1:0]   field_values,            // field 0 lowest
  output [5*7-1:0]    field_octets,
  output [7:0]        first,                   // s mod 256
  output [7:0]        stream_end               // octet of the frame behind the last one, at most 128
);
  localparam SEGMENT_W = 122;
  localparam [31:0] READ32 = READ;
  // A block sum as in tx_checksum.
  localparam BLOCK_SUM = 256*128*127 + 128*128;
  reg [15:0] rest_rom [0:255];
  reg [15:0] blocks_rom [0:63];
  integer r, q;
  /* verilator lint_off WIDTH */             // integers, which fit
  initial begin
    for (r = 0; r < 256; r = r + 1)
      rest_rom[r] = r < 2 ? 0 : 1 + (256*((r+1)/2)*((r+1)/2 - 1) + (r/2)*(r/2) - 1) % 65535;
    for (q = 0; q < 64; q = q + 1)
      blocks_rom[q] = q == 0 ? 0 : 1 + (BLOCK_SUM*q - 1) % 65535;
  end
  /* verilator lint_on WIDTH */

  function [15:0] offset_and_flags(input has_mss, input has_scale, input [4:0] flags);
    offset_and_flags = {4'd5 + {3'd0, has_mss} + {3'd0, has_scale}, 7'd0, flags};
  endfunction
  function [31:0] mss_option(input [15:0] mss);
    mss_option = mss != 16'd0 ? {16'h0204, mss} : 32'd0;
  endfunction
  function [31:0] scale_option(input has_scale, input [3:0] scale);
    scale_option = has_scale ? {28'h0103030, scale} : 32'd0;
  endfunction

  // One block, the last clock first; memories are written after they have been read.
  (* ram_style = "distributed" *) reg [SEGMENT_W-1:0] wait_ram [0:15];
  reg [3:0]   clock_reg;
  initial clock_reg = 4'd0;
  reg [3:1]   valid_reg;
  reg         odd1_reg, some1_reg;
  reg [15:0]  rest1_reg, blocks1_reg, before1_reg, rest, blocks, earlier;
  reg [16:0]  seq1_reg, ack1_reg, flags1_reg;
  reg [18:0]  options1_reg;
  reg [17:0]  numbers2_reg, payload2_reg;
  reg [19:0]  rest2_reg, sum3_reg;
  reg [31:0]  option1, option2;
  wire [13:0] end_of = {6'd0, frame_segment.seq[7:0]} + frame_segment.octets[13:0];
  tcp_types::segment_t read_reg;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    clock_reg <= clock_reg + 4'd1;
    if (read) read_reg <= wait_ram[clock_reg - READ32[3:0]];
    if (valid_reg[3]) sum       <= {1'b0, sum3_reg[15:0]} + {13'd0, sum3_reg[19:16]};
    if (valid_reg[2]) sum3_reg  <= {2'd0, numbers2_reg} + rest2_reg + {2'd0, payload2_reg};
    if (valid_reg[1]) begin
      rest   = odd1_reg ? {rest1_reg[7:0], rest1_reg[15:8]} : rest1_reg;
      blocks = odd1_reg ? {blocks1_reg[7:0], blocks1_reg[15:8]} : blocks1_reg;
      earlier = odd1_reg ? {before1_reg[7:0], before1_reg[15:8]} : before1_reg;
      numbers2_reg <= {1'b0, seq1_reg} + {1'b0, ack1_reg};
      rest2_reg    <= {3'd0, flags1_reg} + {1'b0, options1_reg};
      payload2_reg <= some1_reg ? {2'd0, rest} + {2'd0, blocks} + {2'd0, ~earlier} : 18'd0;
    end
    if (frame_valid) begin
      option1 = mss_option(frame_segment.mss);
      option2 = scale_option(frame_segment.scale_is_there, frame_segment.scale);
      seq1_reg     <= {1'b0, frame_segment.seq[31:16]} + {1'b0, frame_segment.seq[15:0]};
      ack1_reg     <= {1'b0, frame_segment.ack[31:16]} + {1'b0, frame_segment.ack[15:0]};
      flags1_reg   <= {1'b0, offset_and_flags(frame_segment.mss != 16'd0, frame_segment.scale_is_there, frame_segment.flags)} + {1'b0, frame_segment.window};
      options1_reg <= {3'd0, option1[31:16]} + {3'd0, option1[15:0]} + {3'd0, option2[31:16]} + {3'd0, option2[15:0]};
      rest1_reg    <= rest_rom[end_of[7:0]];
      blocks1_reg  <= blocks_rom[end_of[13:8]];
      before1_reg  <= rest_rom[frame_segment.seq[7:0]];
      odd1_reg     <= frame_segment.seq[0];
      some1_reg    <= frame_segment.octets != 16'd0;
      wait_ram[clock_reg] = frame_segment;
    end
    valid_reg <= {valid_reg[2:1], frame_valid};
  end
  /* verilator lint_on BLKSEQ */

  wire [6:0]  l4 = header - 7'd20;
  wire [14:0] ends = {8'd0, header} + {1'b0, read_reg.octets[13:0]};
  assign field_values = {scale_option(read_reg.scale_is_there, read_reg.scale), mss_option(read_reg.mss),
                         offset_and_flags(read_reg.mss != 16'd0, read_reg.scale_is_there, read_reg.flags), read_reg.window,
                         read_reg.ack, read_reg.seq};
  assign field_octets = {header + 7'd4, header, l4 + 7'd12, l4 + 7'd8, l4 + 7'd4};
  assign first        = read_reg.seq[7:0];
  assign stream_end   = ends > 15'd128 ? 8'd128 : ends[7:0];
  wire unused = &{1'b0, frame_segment.octets[15:14], read_reg.octets[15:14]};
endmodule
