// SPDX-License-Identifier: Apache-2.0
// Behavioural model of hw/rtl/mac/crc32.v, octet by octet; not for synthesis.
module crc32 #(parameter GROUPS = 8, parameter GROUP_W = (GROUPS == 1) ? 1 : $clog2(GROUPS)) (
  input clk, input rst, input [64*GROUPS-1:0] data, input a_active, input a_first, input a_end, input [6:0] a_octets,
  input b_active, input [GROUP_W-1:0] b_group, output reg [31:0] crc, output reg crc_valid);
  reg [31:0] st, c1, c2, c3, x; reg v1, v2, v3; integer i;
  reg [31:0] T [0:255]; integer j, k; reg [31:0] t;
  initial for (j = 0; j < 256; j = j + 1) begin
    t = j; for (k = 0; k < 8; k = k + 1) t = t[0] ? (t >> 1) ^ 32'hEDB88320 : t >> 1;
    T[j] = t;
  end
  always @(posedge clk) begin
    x = a_first ? 32'hFFFFFFFF : st;
    if (a_active) begin
      for (i = 0; i < 8*GROUPS; i = i + 1) if (!a_end || i < {25'd0, a_octets}) x = (x >> 8) ^ T[x[7:0] ^ data[8*i +: 8]];
      c1 <= x; st <= x;
    end
    if (b_active) begin
      x = 32'hFFFFFFFF;
      for (i = 0; i < 8*GROUPS; i = i + 1) if (i >= 8 * b_group) x = (x >> 8) ^ T[x[7:0] ^ data[8*i +: 8]];
      st <= x;
    end
    v1 <= a_active & a_end & ~rst; v2 <= v1; v3 <= v2; crc_valid <= v3; c2 <= c1; c3 <= c2; crc <= c3;
  end
endmodule
