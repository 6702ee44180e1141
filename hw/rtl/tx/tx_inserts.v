// SPDX-License-Identifier: Apache-2.0
// Puts what differs from frame to frame into header and first body entry, by OR: four fields of 32 bits at any octet
// from 0 to 124, and four words of 16 bits (lengths and checksums) at even octets from 0 to 126, most significant octet
// first. One that is not in use is 0. Octet 64 is octet 0 of the body; in a frame without a body nothing is put there.
//
// In: values and octets one clock before the header (coming_valid), headers in any clocks; the first entry of a header's
// body in any clock after it up to that of the next header. Out: headers and entries, a clock after they came in.
// Clock -1 brings each value to its octet within a group of 8; clock 0 puts the groups where they belong. Frames without
// anything to insert pass.
module tx_inserts (
  input              clk,
  input              rst,
  // one clock before a header
  input              coming_valid,
  input              fields_any,             // else all fields are taken as 0
  input [4*32-1:0]   field_values,           // field 0 lowest
  input [4*7-1:0]    field_octets,
  input              words_any,
  input [4*16-1:0]   word_values,
  input [4*7-1:0]    word_octets,
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
  // ---------------------------------------------------------------- clock -1
  // A field that begins in one of the last three octets of a group ends in the next.
  reg [4*64-1:0] field_low, word_low;
  reg [4*24-1:0] field_high;
  reg [31:0]     line;                       // in line order
  reg [5:0]      bits;
  integer        f, v;
  always @* begin
    field_low  = 256'dx;
    field_high = 96'dx;
    word_low   = 256'dx;
    line       = 32'dx;
    bits       = 6'dx;
    if (coming_valid && fields_any)
      for (f = 0; f < 4; f = f + 1) begin
        line = {field_values[32*f +: 8], field_values[32*f+8 +: 8], field_values[32*f+16 +: 8],
                field_values[32*f+24 +: 8]};
        bits = {field_octets[7*f +: 3], 3'd0};
        field_low[64*f +: 64]  = {32'd0, line} << bits;
        field_high[24*f +: 24] = line[31:8] >> (6'd56 - bits);
      end
    if (coming_valid && words_any)
      for (v = 0; v < 4; v = v + 1)
        word_low[64*v +: 64] = {48'd0, word_values[16*v +: 8], word_values[16*v+8 +: 8]}
                               << {word_octets[7*v+1 +: 2], 4'd0};
  end

  reg            fields_reg, words_reg;
  reg [4*64-1:0] field_low_reg, word_low_reg;
  reg [4*24-1:0] field_high_reg;
  reg [4*4-1:0]  field_group_reg, word_group_reg;
  integer        k;
  always @(posedge clk)
    if (coming_valid) begin
      fields_reg <= fields_any;
      words_reg  <= words_any;
      if (fields_any) begin
        field_low_reg  <= field_low;
        field_high_reg <= field_high;
        for (k = 0; k < 4; k = k + 1) field_group_reg[4*k +: 4] <= field_octets[7*k+3 +: 4];
      end
      if (words_any) begin
        word_low_reg <= word_low;
        for (k = 0; k < 4; k = k + 1) word_group_reg[4*k +: 4] <= word_octets[7*k+3 +: 4];
      end
    end

  // ---------------------------------------------------------------- clock 0
  reg [1023:0] inserts;
  reg [63:0]   fields, words;
  reg [3:0]    group_before;
  integer      g, i;
  always @* begin
    inserts      = 1024'dx;
    fields       = 64'dx;
    words        = 64'dx;
    group_before = 4'dx;
    if (header_valid && (fields_reg || words_reg)) begin
      inserts = 1024'd0;
      if (fields_reg)
        for (g = 0; g < 16; g = g + 1) begin
          fields = 64'd0;
          group_before = g[3:0] - 4'd1;      // that of group 0 is 15, where all fields end
          for (i = 0; i < 4; i = i + 1)
            fields = fields | field_low_reg[64*i +: 64] & {64{field_group_reg[4*i +: 4] == g[3:0]}}
                     | {40'd0, field_high_reg[24*i +: 24]} & {64{field_group_reg[4*i +: 4] == group_before}};
          inserts[64*g +: 64] = fields;
        end
      if (words_reg)
        for (g = 0; g < 16; g = g + 1) begin
          words = 64'd0;
          for (i = 0; i < 4; i = i + 1)
            words = words | word_low_reg[64*i +: 64] & {64{word_group_reg[4*i +: 4] == g[3:0]}};
          inserts[64*g +: 64] = inserts[64*g +: 64] | words;
        end
    end
  end

  reg         body_inserts_reg;              // the last header's frame has some in its body, perhaps
  reg [511:0] body_mask_reg;
  always @(posedge clk) begin
    out_header_valid <= header_valid && !rst;
    out_body_valid   <= body_valid && !rst;
    if (header_valid) begin
      body_inserts_reg <= fields_reg || words_reg;
      if (fields_reg || words_reg) begin
        out_header    <= header | inserts[511:0];
        body_mask_reg <= inserts[1023:512];
      end else
        out_header    <= header;
    end
    if (body_valid) begin
      if (body_first && body_inserts_reg) out_body <= body | body_mask_reg;
      else                                out_body <= body;
    end
  end

  wire unused = &{1'b0, word_octets[21], word_octets[14], word_octets[7], word_octets[0]};
endmodule
