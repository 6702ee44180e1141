// SPDX-License-Identifier: Apache-2.0
// Finds frames whose payload does not count up: each octet after octet `offset`, as far as the signature, must be one
// more (modulo 256) than the octet before it. Whether a frame has a signature at all is for rx_classify to tell.
//
// It looks at the line as it was TAIL octets ago, the length of signature and FCS: where a frame ends, its payload then
// ends. The place of the last octet that did not count up says it all, and offset is compared with it only at the end
// of the frame. So nothing has to be known of a frame while it comes in, and the header may be anything.
// With offset 0 nothing is computed. A frame that began while it was 0 is not checked.
//
// Latency: bad comes 6 clocks after the word with the frame's end was on word_*, as mac_rx's record. offset counts as it
// is 2 clocks after that word.
module rx_payload #(
  parameter GROUPS  = 8,
  parameter GROUP_W = (GROUPS == 1) ? 1 : $clog2(GROUPS)
) (
  input                      clk,
  input                      rst,
  input      [13:0]          offset,            // 0: off
  input      [64*GROUPS-1:0] word_data,         // output of line_decode
  input                      word_owned,
  input                      word_end,
  input      [GROUP_W-1:0]   word_end_group,
  input      [2:0]           word_end_octet,
  input                      word_live,
  input      [GROUP_W-1:0]   word_live_group,
  output                     bad
);
  `include "fpgauge_signature.vh"
  localparam TAIL    = SIGNATURE_OCTETS + 4;    // octets after the payload: signature and FCS
  localparam HISTORY = (TAIL + 8) / 8;          // groups that hold them, and one octet more
  localparam BACK    = 64*HISTORY - 8*TAIL;     // bit of the past where the word of TAIL octets ago begins
  localparam OCTETS  = 8 * GROUPS;
  localparam LAST    = GROUPS - 1;
  localparam [GROUP_W-1:0] LAST_GROUP = LAST[GROUP_W-1:0];
  localparam [63:0] LOW7 = 64'h7F7F_7F7F_7F7F_7F7F, ONES = 64'h0101_0101_0101_0101;
  wire on = |offset;

  // One block, the last clock first, which a simulator passes by while the check is off.
  reg [2:0]          bad_reg;
  reg                end5_reg, on5_reg;
  reg [13:0]         place5_reg;
  reg [14:0]         limit5_reg;                // the last place that may not count up
  // The word of clock 4: the last group with an octet that is not one more than the octet before, and which octets of it are not,
  // for the frame that was open (a) and the one that begins (b).
  reg                on4_reg, owned4_reg, end4_reg, live4_reg, a_odd4_reg, b_odd4_reg;
  reg [GROUP_W-1:0]  a_group4_reg, b_group4_reg, live_group4_reg;
  reg [7:0]          a_octets4_reg, b_octets4_reg;
  reg                on3_reg, owned3_reg, end3_reg, live3_reg;
  reg [GROUP_W-1:0]  live_group3_reg;
  reg [OCTETS-1:0]   odd3_reg;                  // octets that are not one more than the octet before
  reg [GROUPS-1:0]   before3_reg, at3_reg;      // groups at a frame's end: the groups before it, the group that has it,
  reg [7:0]          octets3_reg;               // and the octets of that group before it
  reg [GROUPS-1:0]   behind3_reg;               // the groups behind the one with the start of the frame that begins
  reg [10:0]         groups_reg;                // groups of the open frame before this word; of a frame too long it stays
  reg                checked_reg;               // the open frame began while the check was on
  reg [13:0]         place_reg;                 // place in the open frame before this word
  reg [64*HISTORY-1:0] history_reg;
  assign bad = bad_reg[2];

  // Variables of the block.
  wire [64*(GROUPS+HISTORY)-1:0] joined = {word_data, history_reg};
  reg  [64*(GROUPS+HISTORY)-1:0] past;
  wire               unused = &{1'b0, joined[64*GROUPS-1:0]};
  reg  [OCTETS-1:0]  odd_next, a_odd, b_odd;
  reg  [63:0]        previous, differs;
  reg  [GROUP_W-1:0] b_groups;
  reg  [2:0]         a_octet, b_octet;
  reg  [13:0]        a_place, b_place;
  integer            g;
  localparam [10:0]  GROUPS_11 = GROUPS[10:0];
  localparam [14:0]  TAIL_15 = TAIL[14:0];
  /* verilator lint_off BLKSEQ */
  always @(posedge clk)
    if (on || on3_reg || on4_reg || on5_reg || checked_reg || end5_reg || |bad_reg || rst) begin
      // Clock 5: compare with the offset, as it was in clock 4. Clocks 6 to 8: wait for the CRC.
      bad_reg    <= {bad_reg[1:0], end5_reg && on5_reg && {1'b0, place5_reg} > limit5_reg};
      on5_reg    <= on;
      limit5_reg <= {1'b0, offset} + TAIL_15;

      // Clock 4: the place of the last of them in the frame that was open and in the one that begins. A place counts from TAIL
      // octets before the frame; 0 is none. Behind a frame's end there is nothing of its payload, and the places of what
      // lies before its first octet are not above TAIL.
      end5_reg <= on4_reg && end4_reg && checked_reg && !rst;
      if (on4_reg) begin
        a_place = place_reg;
        if (owned4_reg && a_odd4_reg) begin
          a_octet = 3'd0;
          for (g = 0; g < 8; g = g + 1) if (a_octets4_reg[g]) a_octet = g[2:0];
          a_place = {groups_reg + {{(11-GROUP_W){1'b0}}, a_group4_reg}, a_octet};
        end
        if (end4_reg) place5_reg <= a_place;
        if (live4_reg) begin
          b_place = 14'd0;
          if (b_odd4_reg) begin
            b_octet = 3'd0;
            for (g = 0; g < 8; g = g + 1) if (b_octets4_reg[g]) b_octet = g[2:0];
            b_groups = b_group4_reg - live_group4_reg - 1'b1;
            b_place  = {{(11-GROUP_W){1'b0}}, b_groups, b_octet};
          end
          groups_reg  <= {{(11-GROUP_W){1'b0}}, LAST_GROUP - live_group4_reg};
          place_reg   <= b_place;
          checked_reg <= 1'b1;
        end else if (owned4_reg) begin
          if (groups_reg < 11'd2047 - GROUPS_11 - GROUPS_11) groups_reg <= groups_reg + GROUPS_11;
          place_reg <= a_place;
        end
      end else begin
        checked_reg <= 1'b0;
      end

      // Clock 3: the last group that has one.
      on4_reg <= on3_reg && !rst;
      if (on3_reg) begin
        owned4_reg      <= owned3_reg;
        end4_reg        <= end3_reg;
        live4_reg       <= live3_reg;
        live_group4_reg <= live_group3_reg;
        if (owned3_reg) begin
          a_odd = odd3_reg;
          if (end3_reg)
            for (g = 0; g < GROUPS; g = g + 1)
              a_odd[8*g +: 8] = a_odd[8*g +: 8] & ({8{before3_reg[g]}} | ({8{at3_reg[g]}} & octets3_reg));
          a_odd4_reg <= |a_odd;
          for (g = 0; g < GROUPS; g = g + 1)
            if (|a_odd[8*g +: 8]) begin
              a_group4_reg  <= g[GROUP_W-1:0];
              a_octets4_reg <= a_odd[8*g +: 8];
            end
        end
        if (live3_reg) begin
          b_odd = odd3_reg;
          for (g = 0; g < GROUPS; g = g + 1)
            if (!behind3_reg[g]) b_odd[8*g +: 8] = 8'd0;
          b_odd4_reg <= |b_odd;
          for (g = 0; g < GROUPS; g = g + 1)
            if (|b_odd[8*g +: 8]) begin
              b_group4_reg  <= g[GROUP_W-1:0];
              b_octets4_reg <= b_odd[8*g +: 8];
            end
        end
      end

      // Clock 2: compare, and find what is the frames' in the word. Eight octets at once, because a simulator adds and compares
      // 64 bits in one operation.
      on3_reg <= on && !rst;
      if (on) begin
        if (word_owned || word_live) begin
          past     = {word_data, history_reg};
          odd_next = {OCTETS{1'b0}};
          for (g = 0; g < GROUPS; g = g + 1) begin
            previous = past[64*g + BACK - 8 +: 64];
            differs  = past[64*g + BACK +: 64] ^ ((previous & LOW7) + ONES) ^ (previous & ~LOW7);
            if (differs != 64'd0) begin         // one bit for each octet, then those side by side
              differs = ((((differs & LOW7) + LOW7) | differs) & ~LOW7) >> 7;
              differs = differs | (differs >> 7);
              differs = differs | (differs >> 14);
              differs = differs | (differs >> 28);
              odd_next[8*g +: 8] = differs[7:0];
            end
          end
          odd3_reg <= odd_next;
        end
        history_reg     <= joined[64*GROUPS +: 64*HISTORY];
        owned3_reg      <= word_owned;
        end3_reg        <= word_end;
        live3_reg       <= word_live;
        live_group3_reg <= word_live_group;
        if (word_end) begin
          octets3_reg <= ~(8'hFF << word_end_octet);
          for (g = 0; g < GROUPS; g = g + 1) begin
            before3_reg[g] <= g[GROUP_W-1:0] < word_end_group;
            at3_reg[g]     <= g[GROUP_W-1:0] == word_end_group;
          end
        end
        if (word_live)
          for (g = 0; g < GROUPS; g = g + 1) behind3_reg[g] <= g[GROUP_W-1:0] > word_live_group;
      end

      if (rst) begin
        checked_reg <= 1'b0;
        bad_reg     <= 3'd0;
        on5_reg     <= 1'b0;
      end
    end
  /* verilator lint_on BLKSEQ */
endmodule
