// SPDX-License-Identifier: Apache-2.0
// Lengths and checksums of a frame: what is to be OR'ed into which octets of it. Nothing of the frame itself is needed:
// the host has added up what is constant, and what varies is known ahead of the octets. One's complement sums (RFC 1071):
//   length n    frame octets - octets not counted, modulo 2^16
//   checksum1   ~(constant + length1, if that is in use + fields in checksum1)
//   checksum2   ~(constant + times x (frame octets - octets that length2 does not count) + fields in checksum2
//                 + counting payload + signature); 0 is sent as ffff if the flow says so
// A TCP segment (frame_segment, which is unsigned) has segment_sum in place of counting payload and signature, and frame_octets is
// its length without padding.
// A field counts as two words of 16 bits, with their octets swapped if it begins at an odd octet. The counting payload is n
// octets: from tx_flow_payload to the signature, or to the FCS; it begins at an even octet. The signature's nine words are
// swapped if n is odd. If the signature begins before the payload, n is negative: then it acts as n modulo 2^14, and
// checksum2 is wrong. All sums are exact: zero only if every octet is.
//
// LATENCY 10, one frame per clock. In clocks after frame_valid:
//   0 frame_flow, frame_octets, frame_unsigned      4 frame_time, frame_tag, frame_sequence (clock of tx_flows' out_valid)
//   6 field_* (outputs of tx_fields, if its frame_valid is this one)      10 `any`, if the flow has a length or a
//   checksum, and all outputs. What is not in use is 0 (value); without `any` the outputs hold what they were.
// A write to a table counts for a frame if it precedes its clock 0. Nothing is in use when the device is loaded. load latches
// run id and port; a frame may have its clock 0 from the clock after it on. What is on its way then is not dropped.
module tx_checksum #(
  parameter FLOW_LOG2 = 8
) (
  input                 clk,
  input                 rst,
  input                 load,
  input [3:0]           port,                // its own number: the source in the signature
  input [7:0]           cfg_run_id,
  // table writes
  input [FLOW_LOG2-1:0] flow_index,
  input                 flow_length1_we,
  input                 flow_length2_we,
  input                 flow_checksum1_we,
  input                 flow_checksum2_we,
  input                 flow_payload_we,
  input [31:0]          flow_data,
  // frames
  input                 frame_valid,
  input [FLOW_LOG2-1:0] frame_flow,
  input [13:0]          frame_octets,
  input                 frame_unsigned,
  // 4 clocks later
  input [39:0]          frame_time,
  input                 frame_tag,
  input [47:0]          frame_sequence,
  input                 frame_segment,
  input [16:0]          segment_sum,
  // 6 clocks later, as in tx_fields
  input                 field_any,
  input [127:0]         field_values,
  input [3:0]           field_odd,           // the field begins at an odd octet
  input [3:0]           field_in_checksum1,
  input [3:0]           field_in_checksum2,
  // 10 clocks later; big-endian at an even octet, 0 to 126
  output                any,
  output reg [15:0]     length1,
  output reg [15:0]     length2,
  output reg [15:0]     checksum1,
  output reg [15:0]     checksum2,
  output [6:0]          length1_octet,
  output [6:0]          length2_octet,
  output [6:0]          checksum1_octet,
  output [6:0]          checksum2_octet
);
  `include "fpgauge_signature.vh"
  localparam LENGTH1 = 0, LENGTH2 = 1, CHECKSUM1 = 2, CHECKSUM2 = 3;              // bits of `uses`
  localparam FLOWS = 1 << FLOW_LOG2;
  generate
    if (SIG_MAGIC_LSB != 128 || SIG_RUN_LSB != 120 || SIG_SRC_LSB != 116 || SIG_STREAM_LSB != 104 || SIG_SEQ_LSB != 56
        || SIG_TIME_LSB != 16 || SIG_TAG_BIT != 15 || SIG_LEN_LSB != 0) begin : wrong_signature
      tx_checksum_must_follow_fpgauge_signature_vh stop_here();
    end
  endgenerate

  // ---------------------------------------------------------------- settings of the trial: signature words 0 and 1
  reg         loaded_reg;
  reg [16:0]  fixed_sum_reg;
  reg [15:0]  fixed_reg;
  always @(posedge clk) begin
    loaded_reg <= load;
    if (load)       fixed_sum_reg <= {1'b0, SIGNATURE_MAGIC} + {1'b0, cfg_run_id, port, 4'd0};
    if (loaded_reg) fixed_reg     <= fixed_sum_reg[15:0] + {15'd0, fixed_sum_reg[16]};
  end

  // ---------------------------------------------------------------- sums of 00 01 02 ... as big-endian words
  // Of n mod 256 octets, and of n / 256 times 256 octets; folded to 16 bits, 0 only if all octets are. With e even
  // and o odd octets: 256 x (0 + 2 + ... + 2(e - 1)) + (1 + 3 + ... + 2o - 1).
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

  // ---------------------------------------------------------------- tables
  reg [3:0] uses_ram [0:FLOWS-1];
  (* ram_style = "block" *) reg [19:0] length1_ram [0:FLOWS-1];                   // base, octet / 2
  (* ram_style = "block" *) reg [19:0] length2_ram [0:FLOWS-1];
  (* ram_style = "block" *) reg [21:0] checksum1_ram [0:FLOWS-1];                 // constant, octet / 2
  (* ram_style = "block" *) reg [24:0] checksum2_ram [0:FLOWS-1];                 // constant, ffff, times, octet / 2
  (* ram_style = "block" *) reg [7:0]  payload_ram [0:FLOWS-1];
  wire    table_we = flow_length1_we || flow_length2_we || flow_checksum1_we || flow_checksum2_we || flow_payload_we;
  integer i;
  initial
    for (i = 0; i < FLOWS; i = i + 1) begin
      uses_ram[i]    = 4'd0;
      length2_ram[i] = 20'd0;
      payload_ram[i] = 8'd0;
    end
  // ---------------------------------------------------------------- the pipe
  // Numbers at the end of names are clocks after frame_valid. All clocks are in one block, so that a simulation skips it when
  // no frame on its way has anything to be computed (`active`), and the last one first, so that it need not keep what registers
  // were. What is blocking is used in its own clock alone, and tables are written after they have been read.
  reg                 valid1_reg, unsigned1_reg, unsigned2_reg, unsigned3_reg, unsigned4_reg, unsigned5_reg;
  reg [10:2]          any_reg;
  reg [FLOW_LOG2-1:0] flow1_reg, flow2_reg, flow3_reg, flow4_reg;
  reg [13:0]          octets1_reg, octets2_reg, octets3_reg, octets4_reg;
  reg [3:0]           uses1_reg, uses2_reg, uses3_reg, uses4_reg, uses5_reg, uses6_reg, uses7_reg, uses8_reg, uses9_reg;
  wire                any1 = valid1_reg && uses1_reg != 4'd0;
  wire                active = any1 || any_reg[9:2] != 8'd0;
  assign any = any_reg[10];

  reg [13:0] to_end2_reg;                    // octets before the signature, or before the FCS
  reg [19:0] length1_2_reg, length2_2_reg;
  reg [21:0] checksum1_2_reg, checksum1_3_reg;
  reg [24:0] checksum2_2_reg, checksum2_3_reg;
  reg [7:0]  payload2_reg;
  reg [13:0] payload3_reg;                   // its octets
  reg [15:0] length1_3_reg, length2_3_reg;
  reg [11:0] places3_reg;                    // places of the lengths: octet / 2

  // A register takes along what the last clock needs: {0 as ffff, octets / 2, lengths}.
  localparam BESIDE_W = 1 + 24 + 32;
  reg [BESIDE_W-1:0] beside4_reg, beside5_reg, beside6_reg, beside7_reg, beside8_reg, beside9_reg;
  reg                odd4_reg;
  reg [15:0]         rest4_reg, blocks4_reg;
  reg [16:0]         base1_4_reg, base1_5_reg, base1_6_reg, base1_7_reg, base1_8_reg;
  reg [17:0]         base2_4_reg, base2_5_reg;
  reg [16:0]         counted;                // part of the length that checksum2 adds

  reg [7:0]     stream;
  reg [127:0]   words;
  reg [67:0]    pairs5_reg;                  // 17 bits each
  reg [16:0]    payload5_reg;
  reg [17:0]    low6_reg, high6_reg;
  reg [18:0]    signature7_reg, base2_6_reg, base2_7_reg;
  reg [19:0]    base2_8_reg;

  reg           fields7_reg, fields8_reg;
  reg           summed6;
  reg [3:0]     in1_7_reg, in2_7_reg;
  reg [127:0]   swapped;
  reg [67:0]    field7_reg;                  // 17 bits each
  reg [17:0]    low1_8_reg, high1_8_reg, low2_8_reg, high2_8_reg;
  reg [20:0]    sum1_9_reg, sum2_9_reg;
  reg [16:0]    round1, round2;
  reg [15:0]    folded1, folded2;
  reg [5:0]     length1_pair_reg, length2_pair_reg, checksum1_pair_reg, checksum2_pair_reg;
  integer       k, f;

  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (active) begin
      summed6 = any_reg[6] && field_any && (uses6_reg[CHECKSUM1] || uses6_reg[CHECKSUM2]);

      // Clock 9: carries come round, complement.
      if (any_reg[9]) begin
        round1  = {1'b0, sum1_9_reg[15:0]} + {12'd0, sum1_9_reg[20:16]};
        round2  = {1'b0, sum2_9_reg[15:0]} + {12'd0, sum2_9_reg[20:16]};
        folded1 = round1[15:0] + {15'd0, round1[16]};
        folded2 = round2[15:0] + {15'd0, round2[16]};
        {checksum2_pair_reg, checksum1_pair_reg, length2_pair_reg, length1_pair_reg, length2, length1}
          <= beside9_reg[BESIDE_W-2:0];
        checksum1 <= uses9_reg[CHECKSUM1] ? ~folded1 : 16'd0;
        checksum2 <= !uses9_reg[CHECKSUM2] ? 16'd0 : folded2 == 16'hFFFF && beside9_reg[BESIDE_W-1] ? 16'hFFFF : ~folded2;
      end

      // Clock 8: everything.
      if (any_reg[8]) begin
        uses9_reg   <= uses8_reg;
        beside9_reg <= beside8_reg;
        if (uses8_reg[CHECKSUM1])
          sum1_9_reg <= (fields8_reg ? {3'd0, low1_8_reg} + {3'd0, high1_8_reg} : 21'd0) + {4'd0, base1_8_reg};
        if (uses8_reg[CHECKSUM2])
          sum2_9_reg <= (fields8_reg ? {3'd0, low2_8_reg} + {3'd0, high2_8_reg} : 21'd0) + {1'b0, base2_8_reg};
      end

      // Clocks 6 and 7: fields.
      if (any_reg[7] && fields7_reg) begin
        low1_8_reg  <= {1'b0, field7_reg[0 +: 17]  & {17{in1_7_reg[0]}}} + {1'b0, field7_reg[17 +: 17] & {17{in1_7_reg[1]}}};
        high1_8_reg <= {1'b0, field7_reg[34 +: 17] & {17{in1_7_reg[2]}}} + {1'b0, field7_reg[51 +: 17] & {17{in1_7_reg[3]}}};
        low2_8_reg  <= {1'b0, field7_reg[0 +: 17]  & {17{in2_7_reg[0]}}} + {1'b0, field7_reg[17 +: 17] & {17{in2_7_reg[1]}}};
        high2_8_reg <= {1'b0, field7_reg[34 +: 17] & {17{in2_7_reg[2]}}} + {1'b0, field7_reg[51 +: 17] & {17{in2_7_reg[3]}}};
      end
      if (summed6) begin
        in1_7_reg <= field_in_checksum1;
        in2_7_reg <= field_in_checksum2;
        for (f = 0; f < 8; f = f + 1)
          swapped[16*f +: 16] = field_odd[f/2] ? {field_values[16*f +: 8], field_values[16*f + 8 +: 8]}
                                               : field_values[16*f +: 16];
        for (f = 0; f < 4; f = f + 1)
          field7_reg[17*f +: 17] <= {1'b0, swapped[32*f +: 16]} + {1'b0, swapped[32*f + 16 +: 16]};
      end

      // Clocks 5 to 7: all but the fields.
      if (any_reg[7]) begin
        uses8_reg   <= uses7_reg;
        beside8_reg <= beside7_reg;
        base1_8_reg <= base1_7_reg;
        fields8_reg <= fields7_reg;
        if (uses7_reg[CHECKSUM2]) base2_8_reg <= {1'b0, signature7_reg} + {1'b0, base2_7_reg};
      end
      if (any_reg[6]) begin
        uses7_reg   <= uses6_reg;
        beside7_reg <= beside6_reg;
        base1_7_reg <= base1_6_reg;
        fields7_reg <= summed6;
        if (uses6_reg[CHECKSUM2]) begin
          signature7_reg <= {1'b0, low6_reg} + {1'b0, high6_reg};
          base2_7_reg    <= base2_6_reg;
        end
      end
      if (any_reg[5]) begin
        uses6_reg   <= uses5_reg;
        beside6_reg <= beside5_reg;
        base1_6_reg <= base1_5_reg;
        if (uses5_reg[CHECKSUM2]) begin
          low6_reg    <= unsigned5_reg ? 18'd0 : {1'b0, pairs5_reg[0 +: 17]} + {1'b0, pairs5_reg[17 +: 17]};
          high6_reg   <= unsigned5_reg ? 18'd0 : {1'b0, pairs5_reg[34 +: 17]} + {1'b0, pairs5_reg[51 +: 17]};
          base2_6_reg <= {1'b0, base2_5_reg} + {2'd0, payload5_reg};
        end
      end

      // Clock 4: pairs of words of the signature.
      if (any_reg[4]) begin
        uses5_reg     <= uses4_reg;
        unsigned5_reg <= unsigned4_reg;
        beside5_reg   <= beside4_reg;
        base1_5_reg   <= base1_4_reg;
        if (uses4_reg[CHECKSUM2]) begin
          payload5_reg <= frame_segment ? segment_sum : {1'b0, rest4_reg} + {1'b0, blocks4_reg};
          base2_5_reg  <= base2_4_reg;
        end
        if (uses4_reg[CHECKSUM2] && !unsigned4_reg) begin
          stream = {{(8-FLOW_LOG2){1'b0}}, flow4_reg};
          words = {fixed_reg, stream, frame_sequence, frame_time, frame_tag, 1'b0, octets4_reg};
          if (odd4_reg)
            for (k = 0; k < 8; k = k + 1) words[16*k +: 16] = {words[16*k +: 8], words[16*k + 8 +: 8]};
          for (k = 0; k < 4; k = k + 1)
            pairs5_reg[17*k +: 17] <= {1'b0, words[32*k +: 16]} + {1'b0, words[32*k + 16 +: 16]};
        end
      end

      // Clock 3: constants and lengths, sums of the payload.
      if (any_reg[3]) begin
        flow4_reg     <= flow3_reg;
        octets4_reg   <= octets3_reg;
        unsigned4_reg <= unsigned3_reg;
        uses4_reg     <= uses3_reg;
        beside4_reg   <= {checksum2_3_reg[8], checksum2_3_reg[5:0], checksum1_3_reg[5:0], places3_reg,
                          uses3_reg[LENGTH2] ? length2_3_reg : 16'd0, uses3_reg[LENGTH1] ? length1_3_reg : 16'd0};
        base1_4_reg   <= {1'b0, checksum1_3_reg[21:6]} + (uses3_reg[LENGTH1] ? {1'b0, length1_3_reg} : 17'd0);
        if (uses3_reg[CHECKSUM2]) begin
          case (checksum2_3_reg[7:6])
            2'd0:    counted = 17'd0;
            2'd1:    counted = {1'b0, length2_3_reg};
            default: counted = {length2_3_reg, 1'b0};
          endcase
          odd4_reg    <= payload3_reg[0];
          rest4_reg   <= rest_rom[payload3_reg[7:0]];
          blocks4_reg <= blocks_rom[payload3_reg[13:8]];
          base2_4_reg <= {2'd0, checksum2_3_reg[24:9]} + {1'b0, counted};
        end
      end

      // Clock 2: lengths.
      if (any_reg[2]) begin
        flow3_reg       <= flow2_reg;
        octets3_reg     <= octets2_reg;
        unsigned3_reg   <= unsigned2_reg;
        uses3_reg       <= uses2_reg;
        payload3_reg    <= to_end2_reg - {6'd0, payload2_reg};
        length1_3_reg   <= {2'd0, octets2_reg} - {2'd0, length1_2_reg[19:6]};
        length2_3_reg   <= {2'd0, octets2_reg} - {2'd0, length2_2_reg[19:6]};
        checksum1_3_reg <= checksum1_2_reg;
        checksum2_3_reg <= checksum2_2_reg;
        places3_reg     <= {length2_2_reg[5:0], length1_2_reg[5:0]};
      end

      // Clock 1: records.
      if (any1) begin
        flow2_reg       <= flow1_reg;
        octets2_reg     <= octets1_reg;
        unsigned2_reg   <= unsigned1_reg;
        uses2_reg       <= uses1_reg;
        to_end2_reg     <= octets1_reg - (unsigned1_reg ? 14'd4 : 14'd4 + SIGNATURE_OCTETS[13:0]);
        length1_2_reg   <= length1_ram[flow1_reg];
        length2_2_reg   <= length2_ram[flow1_reg];
        checksum1_2_reg <= checksum1_ram[flow1_reg];
        checksum2_2_reg <= checksum2_ram[flow1_reg];
        payload2_reg    <= payload_ram[flow1_reg];
      end
    end

    any_reg    <= rst ? 9'd0 : {any_reg[9:2], any1};
    valid1_reg <= frame_valid && !rst;

    // Clock 0: what is in use.
    if (frame_valid) begin
      flow1_reg     <= frame_flow;
      octets1_reg   <= frame_octets;
      unsigned1_reg <= frame_unsigned;
      uses1_reg     <= uses_ram[frame_flow];
    end

    if (table_we) begin
      if (flow_length1_we) begin
        uses_ram[flow_index][LENGTH1] = flow_data[31];
        length1_ram[flow_index]        = {flow_data[29:16], flow_data[6:1]};
      end
      if (flow_length2_we) begin
        uses_ram[flow_index][LENGTH2] = flow_data[31];
        length2_ram[flow_index]        = {flow_data[29:16], flow_data[6:1]};
      end
      if (flow_checksum1_we) begin
        uses_ram[flow_index][CHECKSUM1] = flow_data[15];
        checksum1_ram[flow_index]      = {flow_data[31:16], flow_data[6:1]};
      end
      if (flow_checksum2_we) begin
        uses_ram[flow_index][CHECKSUM2] = flow_data[15];
        checksum2_ram[flow_index]      = {flow_data[31:16], flow_data[14:12], flow_data[6:1]};
      end
      if (flow_payload_we) payload_ram[flow_index] = flow_data[7:0];
    end
  end
  /* verilator lint_on BLKSEQ */
  assign length1_octet   = {length1_pair_reg, 1'b0};
  assign length2_octet   = {length2_pair_reg, 1'b0};
  assign checksum1_octet = {checksum1_pair_reg, 1'b0};
  assign checksum2_octet = {checksum2_pair_reg, 1'b0};

  wire unused = &{1'b0, flow_data};
endmodule
