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
  input      [64*GROUPS-1:0] word_data,         // of line_decode
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

  // Clock 2: compare. Eight octets at once, because a simulator adds and compares 64 bits in one operation.
  reg  [64*HISTORY-1:0] history_reg;
  wire [64*(GROUPS+HISTORY)-1:0] past = {word_data, history_reg};
  reg  [OCTETS-1:0] odd_next, odd3_reg;         // octets that are not one more than the octet before
  reg  [63:0]       previous, differs;
  integer g;
  always @* begin
    odd_next = {OCTETS{1'bx}};
    previous = 64'dx;
    differs  = 64'dx;
    if (on && (word_owned || word_live)) begin
      odd_next = {OCTETS{1'b0}};
      for (g = 0; g < GROUPS; g = g + 1) begin
        previous = past[64*g + BACK - 8 +: 64];
        differs  = past[64*g + BACK +: 64] ^ ((previous & LOW7) + ONES) ^ (previous & ~LOW7);
        if (differs != 64'd0) begin             // one bit for each octet, then those side by side
          differs = ((((differs & LOW7) + LOW7) | differs) & ~LOW7) >> 7;
          differs = differs | (differs >> 7);
          differs = differs | (differs >> 14);
          differs = differs | (differs >> 28);
          odd_next[8*g +: 8] = differs[7:0];
        end
      end
    end
  end
  reg               on3_reg, owned3_reg, end3_reg, live3_reg;
  reg [GROUP_W-1:0] end_group3_reg, live_group3_reg;
  reg [2:0]         end_octet3_reg;
  always @(posedge clk) begin
    on3_reg <= on && !rst;
    if (on) begin
      history_reg     <= past[64*GROUPS +: 64*HISTORY];
      if (word_owned || word_live) odd3_reg <= odd_next;
      owned3_reg      <= word_owned;
      end3_reg        <= word_end;
      end_group3_reg  <= word_end_group;
      end_octet3_reg  <= word_end_octet;
      live3_reg       <= word_live;
      live_group3_reg <= word_live_group;
    end
  end

  // Clock 3: the last of them in the frame that was open (a) and in the one that begins (b). A place counts from TAIL
  // octets before the frame; 0 is none. Behind a frame's end there is nothing of its payload, and the places of what
  // lies before its first octet are not above TAIL.
  reg  [10:0]        groups_reg;                // of the open frame before this word; of a frame too long it stays
  reg                checked_reg;               // the open frame began while the check was on
  reg  [13:0]        place_reg;                 // in the open frame before this word
  reg  [OCTETS-1:0]  a_odd, b_odd;
  reg  [7:0]         a_octets, b_octets;
  reg  [GROUP_W-1:0] a_group, b_group;
  reg  [2:0]         a_octet, b_octet;
  reg  [13:0]        a_place, b_place;
  reg  [GROUP_W-1:0] b_groups;
  localparam [10:0]  GROUPS_11 = GROUPS[10:0];
  always @* begin
    a_odd    = {OCTETS{1'bx}};
    b_odd    = {OCTETS{1'bx}};
    a_group  = {GROUP_W{1'bx}};
    b_group  = {GROUP_W{1'bx}};
    a_octet  = 3'dx;
    b_octet  = 3'dx;
    a_octets = 8'dx;
    b_octets = 8'dx;
    a_place  = 14'dx;
    b_place  = 14'dx;
    b_groups = {GROUP_W{1'bx}};
    if (on3_reg && owned3_reg) begin
      a_odd   = odd3_reg;
      a_place = place_reg;
      if (end3_reg)
        for (g = 0; g < GROUPS; g = g + 1)
          if (g[GROUP_W-1:0] > end_group3_reg)       a_odd[8*g +: 8] = 8'd0;
          else if (g[GROUP_W-1:0] == end_group3_reg) a_odd[8*g +: 8] = a_odd[8*g +: 8] & ~(8'hFF << end_octet3_reg);
      if (|a_odd) begin
        a_octet = 3'd0;
        for (g = 0; g < GROUPS; g = g + 1)
          if (|a_odd[8*g +: 8]) begin
            a_group  = g[GROUP_W-1:0];
            a_octets = a_odd[8*g +: 8];
          end
        for (g = 0; g < 8; g = g + 1) if (a_octets[g]) a_octet = g[2:0];
        a_place = {groups_reg + {{(11-GROUP_W){1'b0}}, a_group}, a_octet};
      end
    end
    if (on3_reg && live3_reg) begin
      b_odd   = odd3_reg;
      b_place = 14'd0;
      for (g = 0; g < GROUPS; g = g + 1)
        if (g[GROUP_W-1:0] <= live_group3_reg) b_odd[8*g +: 8] = 8'd0;
      if (|b_odd) begin
        b_octet = 3'd0;
        for (g = 0; g < GROUPS; g = g + 1)
          if (|b_odd[8*g +: 8]) begin
            b_group  = g[GROUP_W-1:0];
            b_octets = b_odd[8*g +: 8];
          end
        for (g = 0; g < 8; g = g + 1) if (b_octets[g]) b_octet = g[2:0];
        b_groups = b_group - live_group3_reg - 1'b1;
        b_place  = {{(11-GROUP_W){1'b0}}, b_groups, b_octet};
      end
    end
  end
  reg        end4_reg;
  reg [13:0] place4_reg;
  always @(posedge clk) begin
    end4_reg <= on3_reg && end3_reg && checked_reg && !rst;
    if (on3_reg) begin
      if (end3_reg) place4_reg <= owned3_reg ? a_place : place_reg;
      if (live3_reg) begin
        groups_reg  <= {{(11-GROUP_W){1'b0}}, LAST_GROUP - live_group3_reg};
        place_reg   <= b_place;
        checked_reg <= 1'b1;
      end else if (owned3_reg) begin
        if (groups_reg < 11'd2047 - GROUPS_11 - GROUPS_11) groups_reg <= groups_reg + GROUPS_11;
        place_reg <= a_place;
      end
    end else begin
      checked_reg <= 1'b0;
    end
    if (rst) checked_reg <= 1'b0;
  end

  // Clock 4: compare with the offset. Clocks 5 to 8: wait for the CRC.
  localparam [14:0] TAIL_15 = TAIL[14:0];
  reg [3:0] bad_reg;
  assign bad = bad_reg[3];
  always @(posedge clk) begin
    bad_reg <= {bad_reg[2:0], end4_reg && on && {1'b0, place4_reg} > {1'b0, offset} + TAIL_15};
    if (rst) bad_reg <= 4'd0;
  end
endmodule
