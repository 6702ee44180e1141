// SPDX-License-Identifier: Apache-2.0
// Puts what differs from frame to frame into header and first body entry, by OR: four fields of 32 bits at any octet
// from 0 to 124, and four words of 16 bits (lengths and checksums) at even octets from 0 to 126, most significant octet
// first. One that is not in use is 0. More fields than four are those of TCP segments, and so are octets that count up: octet i
// is (i + count_add) mod 256, from count_at to before count_end. Octet 64 is octet 0 of the body; in a frame without a body nothing is put there.
//
// In: values and octets one clock before the header (coming_valid), headers in any clocks; the first entry of a header's
// body in any clock after it up to that of the next header. Out: headers and entries, a clock after they came in.
// Clock -1 brings each value to its octet within a group of 8; clock 0 puts the groups where they belong. Frames without
// anything to insert pass.
module tx_inserts #(
  parameter FIELDS = 4
) (
  input              clk,
  input              rst,
  // one clock before a header
  input              coming_valid,
  input              fields_any,             // else all fields are taken as 0
  input [FIELDS*32-1:0] field_values,        // field 0 lowest
  input [FIELDS*7-1:0] field_octets,
  input              words_any,
  input [4*16-1:0]   word_values,
  input [4*7-1:0]    word_octets,
  input              count_any,
  input [6:0]        count_at,
  input [7:0]        count_end,              // at most 128
  input [7:0]        count_add,
  // octets in line order, first octet lowest
  input              header_valid,
  input [511:0]      header,
  input              body_valid,
  input              body_first,
  input [511:0]      body,
  output reg         out_header_valid,
  output reg [511:0] out_header,
  output reg         out_body_valid,
  output reg [511:0] out_body
);
  // Both clocks are in one block, the last one first, so that a simulation passes by what is not in use. What is blocking is
  // used in its own clock alone.
  reg            fields_reg, words_reg, count_reg;
  reg [FIELDS*64-1:0] field_low_reg;
  reg [FIELDS*24-1:0] field_high_reg;
  reg [FIELDS*4-1:0]  field_group_reg;
  reg [4*64-1:0] word_low_reg;
  reg [4*4-1:0]  word_group_reg;
  reg [7:0]      count_add_reg;
  reg [6:0]      count_at_reg;
  reg [7:0]      count_end_reg;
  reg            body_inserts_reg;           // the last header's frame has some in its body, perhaps
  reg [511:0]    body_mask_reg;
  reg [1023:0]   inserts;
  reg [63:0]     group;
  reg [3:0]      group_before;
  reg [31:0]     line;                       // a field in line order
  reg [5:0]      bits;
  integer        f, g, i, k;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    out_header_valid <= header_valid && !rst;
    out_body_valid   <= body_valid && !rst;
    if (body_valid) begin
      if (body_first && body_inserts_reg) out_body <= body | body_mask_reg;
      else                                out_body <= body;
    end

    // ---------------------------------------------------------------- clock 0
    if (header_valid) begin
      body_inserts_reg <= fields_reg || words_reg;
      if (fields_reg || words_reg) begin
        for (g = 0; g < 16; g = g + 1) begin
          group = 64'd0;
          group_before = g[3:0] - 4'd1;      // group 0 has 15 before it, where all fields end
          if (fields_reg)
            for (i = 0; i < FIELDS; i = i + 1)
              group = group | field_low_reg[64*i +: 64] & {64{field_group_reg[4*i +: 4] == g[3:0]}}
                      | {40'd0, field_high_reg[24*i +: 24]} & {64{field_group_reg[4*i +: 4] == group_before}};
          if (words_reg)
            for (i = 0; i < 4; i = i + 1)
              group = group | word_low_reg[64*i +: 64] & {64{word_group_reg[4*i +: 4] == g[3:0]}};
          inserts[64*g +: 64] = group;
        end
        if (count_reg)
          for (k = 0; k < 128; k = k + 1)
            if (k[6:0] >= count_at_reg && k[7:0] < count_end_reg)
              inserts[8*k +: 8] = inserts[8*k +: 8] | (k[7:0] + count_add_reg);
        out_header    <= header | inserts[511:0];
        body_mask_reg <= inserts[1023:512];
      end else
        out_header    <= header;
    end

    // ---------------------------------------------------------------- clock -1
    // A field that begins in one of the last three octets of a group ends in the next.
    if (coming_valid) begin
      fields_reg <= fields_any;
      words_reg  <= words_any;
      count_reg  <= count_any;
      if (count_any) begin
        count_add_reg <= count_add;
        count_at_reg  <= count_at;
        count_end_reg <= count_end;
      end
      if (fields_any)
        for (f = 0; f < FIELDS; f = f + 1) begin
          line = {field_values[32*f +: 8], field_values[32*f+8 +: 8], field_values[32*f+16 +: 8],
                  field_values[32*f+24 +: 8]};
          bits = {field_octets[7*f +: 3], 3'd0};
          field_low_reg[64*f +: 64]  <= {32'd0, line} << bits;
          field_high_reg[24*f +: 24] <= line[31:8] >> (6'd56 - bits);
          field_group_reg[4*f +: 4]  <= field_octets[7*f+3 +: 4];
        end
      if (words_any)
        for (k = 0; k < 4; k = k + 1) begin
          word_low_reg[64*k +: 64] <= {48'd0, word_values[16*k +: 8], word_values[16*k+8 +: 8]}
                                       << {word_octets[7*k+1 +: 2], 4'd0};
          word_group_reg[4*k +: 4] <= word_octets[7*k+3 +: 4];
        end
    end
  end
  /* verilator lint_on BLKSEQ */

  wire unused = &{1'b0, word_octets[21], word_octets[14], word_octets[7], word_octets[0]};
endmodule
