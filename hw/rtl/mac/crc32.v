// SPDX-License-Identifier: Apache-2.0
// Ethernet CRC-32 (IEEE 802.3 clause 3.2.9) of frames on a word of GROUPS x 8 octets per clock, where the end of one
// frame (A, which owns group 0) and the beginning of the next (B, at group b_group) may share a word.
//
// crc and crc_valid come exactly 4 clocks after the word with a_end: the register after A's last octet, reflected,
// initialised to ones, not complemented. The FCS on the wire is ~crc, low octet first; a good frame with its FCS leaves
// 32'hDEBB20E3. Octets of `data` that belong to no frame must be 0. a_end with a_octets = 0: the last octet of A was
// the last of the previous word. It does not find frames; the modules around it do.
//
// Two forms, equal bit for bit (tests/rtl/tb_crc32.cpp): XOR matrices for synthesis, and tables for a fast simulation
// (FPGAUGE_CRC_TABLE). In both the preset to ones is a complement of a frame's first four octets over a zero register.
module crc32 #(
  parameter GROUPS = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input                 clk,
  input                 rst,
  input [64*GROUPS-1:0] data,
  input                 a_active,
  input                 a_first,
  input                 a_end,
  input [6:0]           a_octets,
  input                 b_active,
  input [GROUP_W-1:0]   b_group,
  output reg [31:0]     crc,
  output reg            crc_valid
);
  localparam [31:0] OCTETS = 8*GROUPS;
  localparam [6:0] WORD_OCTETS = OCTETS[6:0];

  integer g;

`ifdef FPGAUGE_CRC_TABLE
  // Slice-by-8: entry {n, v} is what octet v contributes when n zero octets follow it. A constant, not a memory, so
  // that all instances share one table; separate ones would fill a processor's first-level cache.
  // Not counted: a constant is computed when the design is built, not in a run.
  // verilator coverage_off
  function [65535:0] tables(input integer unused_argument);
    reg [31:0] entry;
    integer e, bit_of;
    begin
      tables = 65536'd0;
      for (e = 0; e < 2048; e = e + 1) begin
        // entry {n, v} from {n - 1, v}: one more zero octet
        entry = e < 256 ? e : tables[32*(e - 256) +: 32];
        for (bit_of = 0; bit_of < 8; bit_of = bit_of + 1)
          entry = {1'b0, entry[31:1]} ^ (entry[0] ? 32'hEDB88320 : 32'd0);
        tables[32*e +: 32] = entry;
      end
    end
  endfunction
  // verilator coverage_on
  localparam [65535:0] TABLES = tables(0);

  reg [31:0] state_reg, crc1_reg, crc2_reg, crc3_reg;
  reg        valid1_reg, valid2_reg, valid3_reg;
  reg [31:0] a_state, b_state;
  reg [6:0]  octets;
  reg [63:0] x, y;

  always @* begin
    a_state = a_first ? 32'd0 : state_reg;
    octets  = a_end ? a_octets : WORD_OCTETS;
    x       = 64'd0;
    if (a_active)
      for (g = 0; g < GROUPS; g = g + 1)
        if (g < {28'd0, octets[6:3]}) begin
          x = data[64*g +: 64] ^ {32'd0, a_state};
          if (g == 0 && a_first) x[31:0] = ~x[31:0];
          a_state = TABLES[{3'd7, x[7:0], 5'd0} +: 32]   ^ TABLES[{3'd6, x[15:8], 5'd0} +: 32]
                  ^ TABLES[{3'd5, x[23:16], 5'd0} +: 32] ^ TABLES[{3'd4, x[31:24], 5'd0} +: 32]
                  ^ TABLES[{3'd3, x[39:32], 5'd0} +: 32] ^ TABLES[{3'd2, x[47:40], 5'd0} +: 32]
                  ^ TABLES[{3'd1, x[55:48], 5'd0} +: 32] ^ TABLES[{3'd0, x[63:56], 5'd0} +: 32];
        end else if (g == {28'd0, octets[6:3]} && octets[2:0] != 3'd0) begin
          x = data[64*g +: 64] ^ {32'd0, a_state};
          if (g == 0 && a_first) x[31:0] = ~x[31:0];
          case (octets[2:0])
            3'd1: a_state = TABLES[{3'd0, x[7:0], 5'd0} +: 32] ^ {8'd0, x[31:8]};
            3'd2: a_state = TABLES[{3'd1, x[7:0], 5'd0} +: 32] ^ TABLES[{3'd0, x[15:8], 5'd0} +: 32] ^ {16'd0, x[31:16]};
            3'd3: a_state = TABLES[{3'd2, x[7:0], 5'd0} +: 32] ^ TABLES[{3'd1, x[15:8], 5'd0} +: 32] ^ TABLES[{3'd0, x[23:16], 5'd0} +: 32]
                          ^ {24'd0, x[31:24]};
            3'd4: a_state = TABLES[{3'd3, x[7:0], 5'd0} +: 32] ^ TABLES[{3'd2, x[15:8], 5'd0} +: 32] ^ TABLES[{3'd1, x[23:16], 5'd0} +: 32]
                          ^ TABLES[{3'd0, x[31:24], 5'd0} +: 32];
            3'd5: a_state = TABLES[{3'd4, x[7:0], 5'd0} +: 32] ^ TABLES[{3'd3, x[15:8], 5'd0} +: 32] ^ TABLES[{3'd2, x[23:16], 5'd0} +: 32]
                          ^ TABLES[{3'd1, x[31:24], 5'd0} +: 32] ^ TABLES[{3'd0, x[39:32], 5'd0} +: 32];
            3'd6: a_state = TABLES[{3'd5, x[7:0], 5'd0} +: 32] ^ TABLES[{3'd4, x[15:8], 5'd0} +: 32] ^ TABLES[{3'd3, x[23:16], 5'd0} +: 32]
                          ^ TABLES[{3'd2, x[31:24], 5'd0} +: 32] ^ TABLES[{3'd1, x[39:32], 5'd0} +: 32] ^ TABLES[{3'd0, x[47:40], 5'd0} +: 32];
            default: a_state = TABLES[{3'd6, x[7:0], 5'd0} +: 32] ^ TABLES[{3'd5, x[15:8], 5'd0} +: 32] ^ TABLES[{3'd4, x[23:16], 5'd0} +: 32]
                          ^ TABLES[{3'd3, x[31:24], 5'd0} +: 32] ^ TABLES[{3'd2, x[39:32], 5'd0} +: 32] ^ TABLES[{3'd1, x[47:40], 5'd0} +: 32]
                          ^ TABLES[{3'd0, x[55:48], 5'd0} +: 32];
          endcase
        end
  end

  always @* begin
    b_state = 32'd0;
    y       = 64'd0;
    if (b_active)
      for (g = 1; g < GROUPS; g = g + 1)
        if (g >= {{(32-GROUP_W){1'b0}}, b_group}) begin
          y = data[64*g +: 64] ^ {32'd0, b_state};
          if (g == {{(32-GROUP_W){1'b0}}, b_group}) y[31:0] = ~y[31:0];
          b_state = TABLES[{3'd7, y[7:0], 5'd0} +: 32]   ^ TABLES[{3'd6, y[15:8], 5'd0} +: 32]
                  ^ TABLES[{3'd5, y[23:16], 5'd0} +: 32] ^ TABLES[{3'd4, y[31:24], 5'd0} +: 32]
                  ^ TABLES[{3'd3, y[39:32], 5'd0} +: 32] ^ TABLES[{3'd2, y[47:40], 5'd0} +: 32]
                  ^ TABLES[{3'd1, y[55:48], 5'd0} +: 32] ^ TABLES[{3'd0, y[63:56], 5'd0} +: 32];
        end
  end

  always @(posedge clk) begin
    if (a_end) crc1_reg <= a_state;
    if (b_active) state_reg <= b_state;
    else if (a_active) state_reg <= a_state;
    crc2_reg   <= crc1_reg;
    crc3_reg   <= crc2_reg;
    crc        <= crc3_reg;
    valid1_reg <= a_end && !rst;
    valid2_reg <= valid1_reg && !rst;
    valid3_reg <= valid2_reg && !rst;
    crc_valid  <= valid3_reg && !rst;
  end

`else
  `include "crc32_matrix.vh"

  // Clock 1: every group by itself, moved to the end of the word.
  reg [64*GROUPS-1:0] preset_data;
  reg [32*GROUPS-1:0] lanes, lanes1_reg;
  always @* begin
    preset_data = data;
    if (a_first) preset_data[31:0] = ~data[31:0];
    for (g = 1; g < GROUPS; g = g + 1)
      if (b_active && g == {{(32-GROUP_W){1'b0}}, b_group}) preset_data[64*g +: 32] = ~data[64*g +: 32];
    for (g = 0; g < GROUPS; g = g + 1)
      case (GROUPS - 1 - g)
        0:       lanes[32*g +: 32] = crc_lane_0(preset_data[64*g +: 64]);
        1:       lanes[32*g +: 32] = crc_lane_1(preset_data[64*g +: 64]);
        2:       lanes[32*g +: 32] = crc_lane_2(preset_data[64*g +: 64]);
        3:       lanes[32*g +: 32] = crc_lane_3(preset_data[64*g +: 64]);
        4:       lanes[32*g +: 32] = crc_lane_4(preset_data[64*g +: 64]);
        5:       lanes[32*g +: 32] = crc_lane_5(preset_data[64*g +: 64]);
        6:       lanes[32*g +: 32] = crc_lane_6(preset_data[64*g +: 64]);
        default: lanes[32*g +: 32] = crc_lane_7(preset_data[64*g +: 64]);
      endcase
  end

  reg               a1_reg, first1_reg, end1_reg, b1_reg;
  reg [6:0]         octets1_reg;
  reg [GROUP_W-1:0] group1_reg;
  always @(posedge clk) begin
    lanes1_reg  <= lanes;
    a1_reg      <= a_active;
    first1_reg  <= a_first;
    end1_reg    <= a_end && !rst;
    b1_reg      <= b_active;
    octets1_reg <= a_octets;
    group1_reg  <= b_group;
  end

  // Clock 2: add up A and B; octets that belong to no frame are zero and contribute nothing.
  reg [31:0] a_sum, b_sum, passed, a_now;
  reg [31:0] state_reg, ended2_reg;
  reg [5:0]  undo2_reg;
  wire [5:0] trailing = WORD_OCTETS[5:0] - octets1_reg[5:0];
  reg        end2_reg;
  always @* begin
    a_sum = 32'd0;
    b_sum = 32'd0;
    for (g = 0; g < GROUPS; g = g + 1)
      if (b1_reg && g >= {{(32-GROUP_W){1'b0}}, group1_reg}) b_sum = b_sum ^ lanes1_reg[32*g +: 32];
      else                                                  a_sum = a_sum ^ lanes1_reg[32*g +: 32];
    case (GROUPS)
      1:       passed = crc_pass_8(state_reg);
      2:       passed = crc_pass_16(state_reg);
      4:       passed = crc_pass_32(state_reg);
      default: passed = crc_pass_64(state_reg);
    endcase
    a_now = (first1_reg ? 32'd0 : passed) ^ a_sum;
  end
  always @(posedge clk) begin
    if (b1_reg) state_reg <= b_sum;
    else if (a1_reg) state_reg <= a_now;
    ended2_reg <= octets1_reg == 7'd0 ? state_reg : a_now;
    undo2_reg  <= octets1_reg == 7'd0 ? 6'd0 : trailing;
    end2_reg   <= end1_reg && !rst;
  end

  // Clocks 3 and 4: undo the zero octets after A's last one; in each clock one of four numbers, and one of two.
  reg [31:0] undo16, undo8, ended3_reg, undo2, undo1;
  reg [2:0]  undo3_reg;
  reg        end3_reg;
  always @* begin
    case (undo2_reg[5:4])
      2'd0:    undo16 = ended2_reg;
      2'd1:    undo16 = crc_undo_16(ended2_reg);
      2'd2:    undo16 = crc_undo_32(ended2_reg);
      default: undo16 = crc_undo_48(ended2_reg);
    endcase
    undo8 = undo2_reg[3] ? crc_undo_8(undo16) : undo16;
    case (undo3_reg[2:1])
      2'd0:    undo2 = ended3_reg;
      2'd1:    undo2 = crc_undo_2(ended3_reg);
      2'd2:    undo2 = crc_undo_4(ended3_reg);
      default: undo2 = crc_undo_6(ended3_reg);
    endcase
    undo1 = undo3_reg[0] ? crc_undo_1(undo2) : undo2;
  end
  always @(posedge clk) begin
    ended3_reg <= undo8;
    undo3_reg  <= undo2_reg[2:0];
    end3_reg   <= end2_reg && !rst;
    crc        <= undo1;
    crc_valid  <= end3_reg && !rst;
  end
`endif
endmodule
