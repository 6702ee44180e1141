// SPDX-License-Identifier: Apache-2.0
// Filter for the frames that the host wants to read, by destination and type: the first 14 octets, as they are on the line.
// 
// It takes the words of line_decode and follows every frame from its start. `words` says that the word has something of a
// frame that it follows, `whole` that the frame that owns group 0 is one: it began while the filter was not 0, which has
// not been 0 since. What it says of a frame below 64 octets may be that of another: such a frame is never good. It does
// not know whether a frame is good, or whose it is.
// 
// Latency: words and whole in the clock of word_*; `wanted` comes WAIT clocks after the word with the frame's end was on
// word_*, and is 0 without one. The filter counts as it is in the clock after the word with octets 8 to 15 of the frame.
module rx_mail_filter #(
  parameter GROUPS  = 8,
  parameter GROUP_W = (GROUPS == 1) ? 1 : $clog2(GROUPS),
  parameter WAIT    = 13                        // at least 3
) (
  input                      clk,
  input                      rst,
  input      [4:0]           filter,            // own address, broadcast, other groups, any destination; any type
  input      [47:0]          address,           // octet 0 lowest
  input      [63:0]          types,             // four; 0 is none
  input      [64*GROUPS-1:0] word_data,         // output of line_decode
  input                      word_owned,
  input                      word_end,
  input                      word_live,
  input      [GROUP_W-1:0]   word_live_group,
  output                     words,
  output                     whole,
  output                     wanted
);
  localparam BIT_W = $clog2(64 * GROUPS);
  localparam [GROUP_W+1:0] GROUPS_N = GROUPS[GROUP_W+1:0];
  wire on = |filter;

  reg    followed_reg;                          // the frame that is open when the word begins
  assign whole = on && word_owned && followed_reg;
  assign words = whole || (on && word_live);

  reg [47:0]          last_group_reg;           // end of the word before: octets 0 to 5 of its last group
  reg                 due_reg;
  reg [GROUP_W+1:0]   at_reg;
  reg                 on_reg;                   // a clock more, in which all is forgotten
  reg [63:0]          header3_reg;              // octets 0 to 5 and 12, 13: what is compared
  reg                 header3_valid_reg, header3_of_open_reg, end3_reg;
  reg                 match_reg;
  reg [WAIT:2]        wanted_reg;
  assign wanted = wanted_reg[WAIT];

  // One block, the last clock first, which a simulator passes by while no frame is wanted. Its variables:
  wire [47:0]         to        = header3_reg[47:0];
  wire [15:0]         ethertype = {header3_reg[55:48], header3_reg[63:56]};
  reg                 match, due_next, here, here_of_open;
  reg [GROUP_W+1:0]   at_next, live_at;
  reg [GROUP_W-1:0]   place;                    // the group with octets 8 to 15
  reg [GROUP_W+5:0]   place_bit_unused, before_bit_unused;  // the top bit, with one group
  integer             t;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk)
    if (on || on_reg || header3_valid_reg || end3_reg || |wanted_reg || rst) begin
      // Clock 3: compare. The frame that ended may have had its header earlier, and the next one has its own in that word.
      match = 1'b0;
      if (header3_valid_reg) begin
        match = filter[4];
        for (t = 0; t < 4; t = t + 1)
          if (types[16*t +: 16] == ethertype && |ethertype) match = 1'b1;
        match = match && (filter[3] || (filter[0] && to == address) || (filter[1] && &to) || (filter[2] && to[0] && !(&to)));
      end
      if (end3_reg || |wanted_reg)
        wanted_reg <= {wanted_reg[WAIT-1:2], end3_reg && (header3_valid_reg && header3_of_open_reg ? match : match_reg)};
      if (header3_valid_reg) match_reg <= match;

      // Clock 2: octets 8 to 15 of a frame are in its second group after the start. `at` counts groups from the beginning of
      // the word to it. If an open frame's and a beginning one's are in the same word, then the open one is below 56 octets.
      due_next     = 1'b0;
      here         = 1'b0;
      here_of_open = 1'b0;
      if (on) begin
        at_next = at_reg - GROUPS_N;
        live_at = {2'd0, word_live_group} + {{(GROUP_W){1'b0}}, 2'd2};
        place   = at_reg[GROUP_W-1:0];
        if (whole && due_reg) begin
          here         = at_reg < GROUPS_N;
          here_of_open = here;
          due_next     = !here && !word_end;
        end
        if (word_live) begin
          due_next = live_at >= GROUPS_N;
          at_next  = live_at - GROUPS_N;
          if (live_at < GROUPS_N) begin
            here         = 1'b1;
            here_of_open = 1'b0;
            place        = live_at[GROUP_W-1:0];
          end
        end
        if (here) begin
          place_bit_unused  = {place, 6'd32};
          before_bit_unused = {place - 1'b1, 6'd0};
          header3_reg <= {word_data[place_bit_unused[BIT_W-1:0] +: 16],
                          place == {GROUP_W{1'b0}} ? last_group_reg : word_data[before_bit_unused[BIT_W-1:0] +: 48]};
        end
        last_group_reg      <= word_data[64*GROUPS-64 +: 48];
        at_reg              <= at_next;
        header3_of_open_reg <= here_of_open;
      end
      header3_valid_reg <= here;
      end3_reg          <= whole && word_end;
      due_reg           <= due_next;
      on_reg            <= on;
      followed_reg      <= on && (word_live || (followed_reg && !(word_owned && word_end)));
      if (rst) begin
        followed_reg      <= 1'b0;
        header3_valid_reg <= 1'b0;
        end3_reg          <= 1'b0;
        due_reg           <= 1'b0;
        on_reg            <= 1'b0;
        wanted_reg        <= {(WAIT-1){1'b0}};
      end
    end
  /* verilator lint_on BLKSEQ */
`ifdef FORMAL
`include "rx_mail_filter_properties.vh"
`endif
endmodule
