// SPDX-License-Identifier: Apache-2.0
// Finds segments of the port's TCP connections among the frames that arrive, and says what is in their headers.
//
// A segment of connection c: Ethernet with 0 to 2 VLAN tags (8100 or 88a8), then IPv4 of 20 octets, which is no fragment, or
// IPv6 without extension headers, then 20 octets of TCP with destination port `base` + c, c < 2^CONNECTIONS_LOG2, before the
// FCS. Nothing else is looked at: neither addresses nor the other port. Such a frame is `right` if the lengths are possible and the checksums of IPv4 and TCP
// are. Behind the packet there may be padding up to 72 octets of frame, which is not looked at; more is not right.
//
// Options, of a SYN: they are read in words of 4 octets, as stacks align them: 02 04 m m is the MSS; 01 03 03 s, or 03 03 s
// with anything behind it, the window scale, s above 14 taken as 14 (RFC 7323 section 2.3); behind another word that ends with
// the beginning of a time stamp option, 08 0a, two words are passed over. The first 20 octets of options are read. Others are
// taken as not there.
//
// No octet of the stream is compared with what it should be: the checksum has all of them. It takes the words of line_decode,
// as the filter of frames for the host does, and does not know whether a frame is good. While `on` is 0 nothing is computed; a
// frame that began while it was 0 is no segment.
//
// Sums (RFC 1071): all octets of the frame but the FCS, as words from octet 0 on, less those that TCP does not cover. An IPv4
// header sums up to 0 if it is right, and the payload length of IPv6 is the length of the pseudo-header.
//
// Latency: the answer comes 6 clocks after the word with the frame's end was on word_*, as mac_rx's record.
`include "tcp_types.svh"
module rx_tcp #(
  parameter GROUPS  = 8,
  parameter GROUP_W = (GROUPS == 1) ? 1 : $clog2(GROUPS),
  parameter CONNECTIONS_LOG2 = 6
) (
  input                             clk,
  input                             rst,
  input                             on,
  input      [15:0]                 base,
  input      [64*GROUPS-1:0]        word_data,         // output of line_decode
  input                             word_owned,
  input                             word_first,
  input                             word_end,
  input      [GROUP_W-1:0]          word_end_group,
  input      [2:0]                  word_end_octet,
  input                             word_live,
  input      [GROUP_W-1:0]          word_live_group,
  output                            valid,             // it is a segment
  output reg                        right,
  output reg [CONNECTIONS_LOG2-1:0] connection,
  output tcp_types::segment_t       segment
);
  localparam HEAD   = 13;                       // groups: two tags, IPv6, TCP and 20 octets of options are 102 octets
  localparam LAST   = GROUPS - 1;
  localparam [GROUP_W-1:0] LAST_GROUP = LAST[GROUP_W-1:0];
  localparam [10:0] GROUPS_11 = GROUPS[10:0], HEAD_11 = HEAD[10:0];
  localparam PAD_AT = 54, PAD_OCTETS = 14;      // where padding may be: behind IPv4 and TCP, up to 72 octets of frame
  localparam IP_OCTETS = 82;                    // type, IPv6, TCP and options

  // One block, the last clock first, which a simulator passes by while it is off.
  // Clock 2: words.
  reg                  followed_reg;            // the open frame began while it was on
  reg [10:0]           before_reg;              // groups of the open frame before this word; of a frame too long it stays
  reg [64*HEAD-1:0]    head_reg;                // head of the frame that is open; blocking, used in its own clock
  reg [31:0]           history_reg;
  // Clock 3: the frame that has ended; sums of groups.
  reg                  end3_reg, owned3_reg, live3_reg;
  reg [64*HEAD-1:0]    head3_reg;
  reg [13:0]           octets3_reg;
  reg [18*GROUPS-1:0]  sums3_reg;
  reg [GROUPS-1:0]     of_next3_reg;            // the group is of the frame that begins
  // Clock 4
  reg                  end4_reg, owned4_reg, live4_reg;
  reg [13:0]           octets4_reg;
  reg [8*IP_OCTETS-1:0] ip4_reg;                // octet 0 lowest
  reg [6:0]            l3_4_reg;
  reg [19:0]           ethernet4_reg;           // sum
  reg [8*PAD_OCTETS-1:0] pad4_reg;
  reg [21:0]           a4_reg, b4_reg;
  // Clock 5
  reg                  end5_reg, ours5_reg, header5_reg;
  reg [13:0]           octets5_reg;
  /* verilator lint_off UNUSEDSIGNAL */         // only some of the TCP header is looked at
  reg [319:0]          tcp5_reg;
  /* verilator lint_on UNUSEDSIGNAL */
  reg [15:0]           length5_reg;             // length of TCP
  reg [16:0]           ip_end5_reg;             // octet of the frame
  reg [19:0]           add5_reg;
  reg [16:0]           ethernet5_reg;
  reg [8*PAD_OCTETS-1:0] pad5_reg;
  reg [31:0]           open5_reg, total5_reg;
  // Clock 6
  reg                  end6_reg, right6_reg;
  reg [CONNECTIONS_LOG2-1:0] connection6_reg;
  tcp_types::segment_t segment6_reg;
  reg [21:0]           sum6_reg;
  reg [159:0]          options6_reg;
  reg [2:0]            option_words6_reg;
  // Clock 7
  reg                  end7_reg, right7_reg;
  reg [CONNECTIONS_LOG2-1:0] connection7_reg;
  tcp_types::segment_t segment7_reg;
  reg [16:0]           sum7_reg;
  reg                  valid_reg;
  assign valid = valid_reg;

  // Variables of the block. No word of a header lies across two groups' octets in a way that matters: all are even.
  wire [64*GROUPS+31:0] past = {word_data, history_reg};    // the line 4 octets ago: where a frame ends, its FCS is cut off
  wire                 unused = &{1'b0, past[64*GROUPS+31:64*GROUPS]};
  reg  [63:0]          octets;                  // octets of a group
  reg  [17:0]          group_sum;
  reg  [21:0]          a, b;
  reg                  tag1, tag2, ipv4, ipv6;
  reg  [15:0]          ethertype, ip_length, port;
  reg  [19:0]          ip_sum, pad_sum;
  reg  [16:0]          pad_end;
  reg  [5:0]           offset_octets;
  reg  [31:0]          option;
  reg  [1:0]           pass;
  reg  [16:0]          folded;
  integer              g, j, i;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk)
    if (on || followed_reg || end3_reg || end4_reg || end5_reg || end6_reg || end7_reg || valid_reg || rst) begin
      // ---------------------------------------------------------------- clock 7: the checksum
      valid_reg <= end7_reg && !rst;
      if (end7_reg) begin
        folded     = {1'b0, sum7_reg[15:0]} + {16'd0, sum7_reg[16]};
        right      <= right7_reg && folded[15:0] == 16'hffff;
        connection <= connection7_reg;
        segment    <= segment7_reg;
      end

      // ---------------------------------------------------------------- clock 6: options
      end7_reg <= end6_reg && !rst;
      if (end6_reg) begin
        right7_reg      <= right6_reg;
        connection7_reg <= connection6_reg;
        segment7_reg    <= segment6_reg;
        sum7_reg        <= {1'b0, sum6_reg[15:0]} + {11'd0, sum6_reg[21:16]};
        if (segment6_reg.flags[`TCP_SYN]) begin
          pass = 2'd0;
          for (i = 0; i < 5; i = i + 1) begin
            option = {options6_reg[32*i +: 8], options6_reg[32*i+8 +: 8], options6_reg[32*i+16 +: 8], options6_reg[32*i+24 +: 8]};
            if (i[2:0] < option_words6_reg && pass == 2'd0) begin
              if (option[31:16] == 16'h0204) segment7_reg.mss <= option[15:0];
              else if (option[31:8] == 24'h010303) begin
                segment7_reg.scale_is_there <= 1'b1;
                segment7_reg.scale          <= option[7:0] > 8'd14 ? 4'd14 : option[3:0];
              end else if (option[31:16] == 16'h0303) begin
                segment7_reg.scale_is_there <= 1'b1;
                segment7_reg.scale          <= option[15:8] > 8'd14 ? 4'd14 : option[11:8];
              end else if (option[15:0] == 16'h080a) pass = 2'd2;
            end else if (pass != 2'd0) pass = pass - 2'd1;
          end
        end
      end

      // ---------------------------------------------------------------- clock 5: TCP
      port          = {tcp5_reg[8*2 +: 8], tcp5_reg[8*3 +: 8]} - base;
      offset_octets = {tcp5_reg[8*12+4 +: 4], 2'd0};
      end6_reg <= end5_reg && ours5_reg && port[15:CONNECTIONS_LOG2] == 0 && !rst;
      if (end5_reg && ours5_reg) begin
        connection6_reg <= port[CONNECTIONS_LOG2-1:0];
        right6_reg      <= header5_reg && offset_octets >= 6'd20 && {10'd0, offset_octets} <= length5_reg
                           && ip_end5_reg <= {3'd0, octets5_reg} - 17'd4
                           && (ip_end5_reg == {3'd0, octets5_reg} - 17'd4 || octets5_reg <= 14'd72);
        segment6_reg.seq    <= {tcp5_reg[8*4 +: 8], tcp5_reg[8*5 +: 8], tcp5_reg[8*6 +: 8], tcp5_reg[8*7 +: 8]};
        segment6_reg.ack    <= {tcp5_reg[8*8 +: 8], tcp5_reg[8*9 +: 8], tcp5_reg[8*10 +: 8], tcp5_reg[8*11 +: 8]};
        segment6_reg.flags  <= tcp5_reg[8*13 +: 5];
        segment6_reg.window <= {tcp5_reg[8*14 +: 8], tcp5_reg[8*15 +: 8]};
        segment6_reg.octets <= length5_reg - {10'd0, offset_octets};
        segment6_reg.mss    <= 16'd0;
        segment6_reg.scale_is_there <= 1'b0;
        segment6_reg.scale  <= 4'd0;
        options6_reg        <= tcp5_reg[319:160];
        option_words6_reg   <= offset_octets > 6'd40 ? 3'd5 : offset_octets[5:2] < 4'd5 ? 3'd0 : offset_octets[4:2] - 3'd5;
        pad_sum = 20'd0;
        pad_end = {3'd0, octets5_reg} - 17'd4;
        if (octets5_reg <= 14'd72)
          for (i = 0; i < PAD_OCTETS; i = i + 1)
            if (PAD_AT + i >= {15'd0, ip_end5_reg} && PAD_AT + i < {15'd0, pad_end})
              pad_sum = pad_sum + (i[0] ? {12'd0, pad5_reg[8*i +: 8]} : {4'd0, pad5_reg[8*i +: 8], 8'd0});
        folded   = {1'b0, pad_sum[15:0]} + {13'd0, pad_sum[19:16]};
        sum6_reg <= {6'd0, total5_reg[15:0]} + {6'd0, total5_reg[31:16]} + {2'd0, add5_reg}
                    + {6'd0, ~ethernet5_reg[15:0]} + {6'd0, ~{15'd0, ethernet5_reg[16]}}
                    + {6'd0, ~folded[15:0]} + {6'd0, ~{15'd0, folded[16]}};
      end

      // ---------------------------------------------------------------- clock 4: IP; the sum of the frame
      end5_reg <= end4_reg && !rst;
      if (owned4_reg) total5_reg <= open5_reg + {10'd0, a4_reg};
      if (live4_reg)       open5_reg <= {10'd0, b4_reg};
      else if (owned4_reg) open5_reg <= open5_reg + {10'd0, a4_reg};
      if (end4_reg) begin
        octets5_reg <= octets4_reg;
        pad5_reg    <= pad4_reg;
        ethertype   = {ip4_reg[0 +: 8], ip4_reg[8 +: 8]};
        ipv4        = ethertype == 16'h0800 && ip4_reg[16 +: 8] == 8'h45;
        ipv6        = ethertype == 16'h86dd && ip4_reg[16+4 +: 4] == 4'd6;
        ours5_reg   <= octets4_reg >= {7'd0, l3_4_reg} + (ipv6 ? 14'd64 : 14'd44) && (
                       ipv4 && ip4_reg[8*11 +: 8] == 8'd6 && ip4_reg[8*9 +: 8] == 8'd0 && ip4_reg[8*8 +: 6] == 6'd0
                       || ipv6 && ip4_reg[8*8 +: 8] == 8'd6);
        tcp5_reg    <= ipv6 ? ip4_reg[8*42 +: 320] : ip4_reg[8*22 +: 320];
        ip_length   = ipv6 ? {ip4_reg[8*6 +: 8], ip4_reg[8*7 +: 8]} : {ip4_reg[8*4 +: 8], ip4_reg[8*5 +: 8]} - 16'd20;
        length5_reg <= ip_length;
        ip_end5_reg <= {10'd0, l3_4_reg} + (ipv6 ? 17'd40 : 17'd20) + {1'b0, ip_length};
        ip_sum = 20'd0;
        for (i = 0; i < 10; i = i + 1) ip_sum = ip_sum + {4'd0, ip4_reg[16+16*i +: 8], ip4_reg[24+16*i +: 8]};
        folded      = {1'b0, ip_sum[15:0]} + {13'd0, ip_sum[19:16]};
        header5_reg <= ipv6 || folded[15:0] + {15'd0, folded[16]} == 16'hffff && {ip4_reg[8*4 +: 8], ip4_reg[8*5 +: 8]} >= 16'd20;
        add5_reg <= 20'd6 + (ipv6 ? {4'd0, ~{ip4_reg[16 +: 8], ip4_reg[24 +: 8]}} + {4'd0, ~{ip4_reg[32 +: 8], ip4_reg[40 +: 8]}}
                                    + {4'd0, ~{ip4_reg[64 +: 8], ip4_reg[72 +: 8]}}
                                  : {4'd0, ip4_reg[8*14 +: 8], ip4_reg[8*15 +: 8]} + {4'd0, ip4_reg[8*16 +: 8], ip4_reg[8*17 +: 8]}
                                    + {4'd0, ip4_reg[8*18 +: 8], ip4_reg[8*19 +: 8]} + {4'd0, ip4_reg[8*20 +: 8], ip4_reg[8*21 +: 8]}
                                    + {4'd0, ip_length});
        ethernet5_reg <= {1'b0, ethernet4_reg[15:0]} + {13'd0, ethernet4_reg[19:16]};
      end

      // ---------------------------------------------------------------- clock 3: tags; sums of the two frames in the word
      end4_reg   <= end3_reg && !rst;
      owned4_reg <= owned3_reg;
      live4_reg  <= live3_reg;
      a = 22'd0;
      b = 22'd0;
      for (g = 0; g < GROUPS; g = g + 1)
        if (of_next3_reg[g]) b = b + {4'd0, sums3_reg[18*g +: 18]};
        else                 a = a + {4'd0, sums3_reg[18*g +: 18]};
      a4_reg <= a;
      b4_reg <= b;
      if (end3_reg) begin
        tag1 = is_tag(head3_reg[8*12 +: 16]);
        tag2 = tag1 && is_tag(head3_reg[8*16 +: 16]);
        octets4_reg <= octets3_reg;
        pad4_reg    <= head3_reg[8*PAD_AT +: 8*PAD_OCTETS];
        ip4_reg     <= tag2 ? head3_reg[8*20 +: 8*IP_OCTETS] : tag1 ? head3_reg[8*16 +: 8*IP_OCTETS] : head3_reg[8*12 +: 8*IP_OCTETS];
        l3_4_reg    <= tag2 ? 7'd22 : tag1 ? 7'd18 : 7'd14;
        ip_sum = 20'd0;
        for (i = 0; i < 11; i = i + 1)
          if (i < 7 || i < 9 && tag1 || tag2) ip_sum = ip_sum + {4'd0, head3_reg[16*i +: 8], head3_reg[16*i+8 +: 8]};
        ethernet4_reg <= ip_sum;
      end

      // ---------------------------------------------------------------- clock 2: words
      end3_reg   <= word_owned && followed_reg && word_end && !rst;
      owned3_reg <= word_owned && followed_reg;
      live3_reg  <= on && word_live;
      if (word_owned && followed_reg || on && word_live) begin
        for (g = 0; g < GROUPS; g = g + 1) begin
          octets = past[64*g +: 64];
          if (word_live && g[GROUP_W-1:0] > word_live_group) begin
            if (g[GROUP_W-1:0] == word_live_group + 1'b1) octets[31:0] = 32'd0;
          end else if (!word_owned || word_end && g[GROUP_W-1:0] > word_end_group) octets = 64'd0;
          else begin
            if (word_end && g[GROUP_W-1:0] == word_end_group) octets = octets & ~(64'hffff_ffff_ffff_ffff << {word_end_octet, 3'd0});
            if (g == 0 && word_first) octets[31:0] = 32'd0;
          end
          group_sum = {2'd0, octets[7:0], octets[15:8]} + {2'd0, octets[23:16], octets[31:24]}
                      + {2'd0, octets[39:32], octets[47:40]} + {2'd0, octets[55:48], octets[63:56]};
          sums3_reg[18*g +: 18] <= group_sum;
          of_next3_reg[g]       <= word_live && g[GROUP_W-1:0] > word_live_group;
        end
        if (word_owned && before_reg < HEAD_11)
          for (j = 0; j < HEAD; j = j + 1)
            for (g = 0; g < GROUPS; g = g + 1)
              if (before_reg[4:0] + g[4:0] == j[4:0]) head_reg[64*j +: 64] = word_data[64*g +: 64];
        if (word_end) begin
          head3_reg   <= head_reg;
          octets3_reg <= {before_reg + {{(11-GROUP_W){1'b0}}, word_end_group}, word_end_octet};
        end
        if (word_live)
          for (j = 0; j + 1 < GROUPS; j = j + 1)
            for (g = j + 1; g < GROUPS; g = g + 1)
              if (g[GROUP_W-1:0] == word_live_group + j[GROUP_W-1:0] + 1'b1) head_reg[64*j +: 64] = word_data[64*g +: 64];
      end
      history_reg <= word_data[64*GROUPS-32 +: 32];
      if (word_live)                                     before_reg <= {{(11-GROUP_W){1'b0}}, LAST_GROUP - word_live_group};
      else if (before_reg < 11'd2047 - 11'd2*GROUPS_11)  before_reg <= before_reg + GROUPS_11;
      followed_reg <= !rst && (on && word_live || followed_reg && !(word_owned && word_end));
    end
  /* verilator lint_on BLKSEQ */

  function is_tag(input [15:0] octets_of_type);
    is_tag = octets_of_type == 16'h0081 || octets_of_type == 16'ha888;
  endfunction
endmodule
