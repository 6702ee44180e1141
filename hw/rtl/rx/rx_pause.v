// SPDX-License-Identifier: Apache-2.0
// Finds pause frames (IEEE 802.3 annex 31B) and says for how long they ask. It does not hold anybody: tx_hold does.
//
// A pause frame is one to 01-80-C2-00-00-01 of EtherType 8808 with opcode 0001, of 64 octets or more, with a right FCS and a
// right end. With another opcode it is none, and neither is one to another address: a port has no address of its own.
// `on` says that its port obeys. A frame that began while it was 0 is none.
//
// Latency: with the word of its end on word_* in clock t, `valid` with `quanta` (each of 512 bit times) comes in clock
// t + 7, one clock after the record of mac_rx; the counters change at the end of that clock, if `on` is still set.
module rx_pause #(
  parameter GROUPS  = 8,
  parameter GROUP_W = (GROUPS == 1) ? 1 : $clog2(GROUPS)
) (
  input                      clk,
  input                      rst,
  input                      clear,
  input                      on,
  // line_decode
  input      [64*GROUPS-1:0] word_data,
  input                      word_owned,
  input                      word_end,
  input                      word_live,
  input      [GROUP_W-1:0]   word_live_group,
  // mac_rx: 6 clocks after word_end
  input                      frame_valid,
  input                      frame_right,
  output reg                 valid,
  output reg [15:0]          quanta,
  output reg [63:0]          frames,
  output reg [63:0]          resume_frames
);
  localparam BIT_W = $clog2(64 * GROUPS + 128);
  localparam [GROUP_W+1:0] GROUPS_N = GROUPS[GROUP_W+1:0];
  localparam [47:0] ADDRESS = 48'h01_00_00_C2_80_01;      // first octet lowest, as on the line
  localparam [31:0] TYPE_AND_OPCODE = 32'h01_00_08_88;

  reg                    on_reg;                  // a clock more, in which all is forgotten
  reg                    followed_reg;            // the frame that is open when the word begins
  wire                   whole = on && word_owned && followed_reg;
  reg  [127:0]           history_reg;             // the 2 groups before this word
  wire [64*GROUPS+127:0] joined = {word_data, history_reg};
  reg                    due_reg;                 // octets 16 to 23 of that frame are still to come:
  reg  [GROUP_W+1:0]     at_reg;                  // so many groups from the beginning of this word
  reg  [95:0]            header1_reg;             // octets 0 to 5 and 12 to 17
  reg                    header1_valid_reg, header1_of_open_reg, end1_reg;
  reg                    match_reg;
  reg  [15:0]            quanta_reg;
  reg  [6:2]             pause_reg;
  reg  [15:0]            quanta2_reg, quanta3_reg, quanta4_reg, quanta5_reg, quanta6_reg;

  // One block, the last clock first, which a simulator passes by while nobody obeys. Its variables:
  reg                    match, due_next, here, here_of_open, mine;
  reg  [GROUP_W+1:0]     at_next, live_at;
  reg  [GROUP_W-1:0]     place;                   // the group with octets 16 to 23
  reg  [BIT_W-1:0]       bit_;                    // bit of octet 0, in joined
  wire [15:0]            quanta1 = {header1_reg[87:80], header1_reg[95:88]};
  /* verilator lint_off BLKSEQ */
  always @(posedge clk)
    if (on || on_reg || valid || end1_reg || |pause_reg || clear || rst) begin
      // Clock 7: counted.
      if (valid && on) begin
        frames        <= frames + 64'd1;
        resume_frames <= resume_frames + {63'd0, quanta == 16'd0};
      end
      if (clear || rst) begin
        frames        <= 64'd0;
        resume_frames <= 64'd0;
      end

      // Clocks 2 to 6: until it is known whether the frame is good.
      valid <= pause_reg[6] && frame_valid && frame_right;
      if (pause_reg[6]) quanta <= quanta6_reg;
      if (pause_reg[5]) quanta6_reg <= quanta5_reg;
      if (pause_reg[4]) quanta5_reg <= quanta4_reg;
      if (pause_reg[3]) quanta4_reg <= quanta3_reg;
      if (pause_reg[2]) quanta3_reg <= quanta2_reg;

      // Clock 1: compare. The frame that ended may have had its header earlier, and the next one has its own in that word.
      match     = header1_valid_reg && header1_reg[47:0] == ADDRESS && header1_reg[79:48] == TYPE_AND_OPCODE;
      mine      = header1_valid_reg && header1_of_open_reg;
      pause_reg <= {pause_reg[5:2], end1_reg && (mine ? match : match_reg)};
      if (end1_reg) quanta2_reg <= mine ? quanta1 : quanta_reg;
      if (header1_valid_reg) begin
        match_reg  <= match;
        quanta_reg <= quanta1;
      end

      // Clock 0: octets 16 to 23 of a frame are in its third group after the start. If an open frame's and a beginning
      // one's are in the same word, then the open one is below 64 octets.
      due_next     = 1'b0;
      here         = 1'b0;
      here_of_open = 1'b0;
      at_next      = at_reg - GROUPS_N;
      live_at      = {2'd0, word_live_group} + {{GROUP_W{1'b0}}, 2'd3};
      place        = at_reg[GROUP_W-1:0];
      if (whole && due_reg) begin
        here         = at_reg < GROUPS_N;
        here_of_open = here;
        due_next     = !here && !word_end;
      end
      if (on && word_live) begin
        due_next = live_at >= GROUPS_N;
        at_next  = live_at - GROUPS_N;
        if (live_at < GROUPS_N) begin
          here         = 1'b1;
          here_of_open = 1'b0;
          place        = live_at[GROUP_W-1:0];
        end
      end
      if (here) begin
        bit_ = {{(BIT_W-6-GROUP_W){1'b0}}, GROUPS == 1 ? {GROUP_W{1'b0}} : place, 6'd0};
        header1_reg <= {joined[bit_ + 96 +: 48], joined[bit_ +: 48]};
      end
      history_reg         <= joined[64*GROUPS +: 128];
      at_reg              <= at_next;
      due_reg             <= due_next;
      header1_valid_reg   <= here;
      header1_of_open_reg <= here_of_open;
      end1_reg            <= whole && word_end;
      on_reg              <= on;
      followed_reg        <= on && (word_live || (followed_reg && !(word_owned && word_end)));
      if (rst) begin
        on_reg            <= 1'b0;
        followed_reg      <= 1'b0;
        due_reg           <= 1'b0;
        header1_valid_reg <= 1'b0;
        end1_reg          <= 1'b0;
        pause_reg         <= 5'd0;
        valid             <= 1'b0;
      end
    end
  /* verilator lint_on BLKSEQ */
endmodule
