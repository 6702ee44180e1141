// SPDX-License-Identifier: Apache-2.0
// Receive, clock of the CMAC: finds the place of each frame on the core's line and writes the frame to the ring there.
//
// The place is the group of the line at which the first beat came (now_word, now_part), or the first free one after the
// previous frame: the group after its terminate character. Since the wire cannot be faster than that, a place is late
// only by the rounding of the clock, less than one clock (39 octets) and one group, and lateness does not accumulate
// (docs/boards.md). Beats are rotated by whole groups and written one per clock, with octets where the line will have
// them, each bank at the beat's word or the next.
// Preamble and terminate character are not stored: cmac_rx_line makes them.
//
// A descriptor {start, octets, bad} goes out with the last beat. bad: tuser of the last beat, or more than 16383
// octets; octets beyond those are dropped. A runt that would end within its word is moved back until it does not, so
// that a word never has two ends; a CMAC delivers no runts. `lost`: there was no room for a descriptor.
// Latency: the write is 5 clocks after the beat; the time is that of the clock before the beat.
module cmac_rx_frames #(
  parameter GROUPS = 8,
  parameter RING_LOG2 = 9
) (
  input                              clk,
  input                              rst,
  input                              enable,
  input      [11:0]                  now_word,
  input      [5:0]                   now_part,
  input                              s_axis_tvalid,
  input      [64*GROUPS-1:0]         s_axis_tdata,
  input      [8*GROUPS-1:0]          s_axis_tkeep,
  input                              s_axis_tlast,
  input                              s_axis_tuser,
  output reg                         wr_en,
  output reg [GROUPS*RING_LOG2-1:0]  wr_addr,      // one address per bank
  output reg [64*GROUPS-1:0]         wr_data,
  output reg                         frame_valid,
  input                              frame_ready,
  output reg [14:0]                  frame_start,  // place of the preamble: word number and group
  output reg [13:0]                  frame_octets,
  output reg                         frame_bad,
  output reg                         lost
);
  localparam [13:0] MAX_OCTETS = 14'd16383;

  // Clock 1: the beat, with its octets counted, and the group of the line. now0_reg is the one of the beat behind it.
  reg                 valid1_reg, first1_reg, last1_reg, error1_reg, in_frame_reg;
  reg [64*GROUPS-1:0] data1_reg;
  reg [6:0]           octets1_reg, octets1_next;
  reg [14:0]          now0_reg, now1_reg;
  reg [2:0]           now_group;
  integer             b, i;
  always @* begin
    // tkeep has no holes, so bit b of the count is set where an odd multiple of 2^b is reached and the next is not.
    octets1_next = {s_axis_tkeep[8*GROUPS-1], 6'd0};
    for (b = 0; b < 6; b = b + 1)
      for (i = 0; i < (4 * GROUPS) >> b; i = i + 1)
        if (s_axis_tkeep[((2 * i + 1) << b) - 1] && !s_axis_tkeep[((2 * i + 2) << b) - 1]) octets1_next[b] = 1'b1;
    now_group = now_part >= 6'd29 ? 3'd7 : now_part >= 6'd25 ? 3'd6 : now_part >= 6'd21 ? 3'd5
              : now_part >= 6'd17 ? 3'd4 : now_part >= 6'd13 ? 3'd3 : now_part >= 6'd9 ? 3'd2
              : now_part >= 6'd5 ? 3'd1 : 3'd0;
  end
  always @(posedge clk) begin
    valid1_reg  <= s_axis_tvalid && (enable || in_frame_reg);
    first1_reg  <= !in_frame_reg;
    last1_reg   <= s_axis_tlast;
    error1_reg  <= s_axis_tuser;
    data1_reg   <= s_axis_tdata;
    octets1_reg <= octets1_next;
    now0_reg    <= {now_word, now_group};
    now1_reg    <= now0_reg;
    if (s_axis_tvalid && (enable || in_frame_reg)) in_frame_reg <= !s_axis_tlast;
    if (rst) begin
      valid1_reg   <= 1'b0;
      in_frame_reg <= 1'b0;
    end
  end

  // Clock 2: how much of the frame has come, and by how much the beat changes the wait, below: the groups that it takes
  // of the line, less those that pass until the next clock (9.7 at most, unless the time is set again). The first beat also takes
  // a group for the preamble and one for the terminate character, and if it is a runt as many as one that reaches into the next word.
  reg  [13:0] octets_reg;                          // octets of the frame, before this beat
  reg         full_reg;                            // the frame has reached its maximum length
  wire [14:0] octets_sum = {1'b0, first1_reg ? 14'd0 : octets_reg} + {8'd0, octets1_reg};
  wire        over = octets_sum > {1'b0, MAX_OCTETS};
  wire        full = full_reg && !first1_reg;
  wire [3:0]  groups = octets1_reg[6:3];
  wire [3:0]  takes = !valid1_reg || full ? 4'd0 : !first1_reg ? groups : groups[3] ? 4'd10 : 4'd9;
  wire [3:0]  passes = now0_reg[3:0] - now1_reg[3:0];
  reg         valid2_reg, first2_reg, last2_reg, bad2_reg, tiny2_reg;
  reg  [2:0]  tiny_group2_reg;                     // the first group from which a runt reaches into the next word
  reg  [4:0]  change2_reg;
  reg  [14:0] now2_reg;
  reg  [13:0] octets2_reg;
  reg  [64*GROUPS-1:0] data2_reg;
  always @(posedge clk) begin
    valid2_reg  <= valid1_reg && !full && !rst;
    first2_reg  <= first1_reg;
    last2_reg   <= last1_reg || over;
    bad2_reg    <= over || error1_reg;
    tiny2_reg   <= last1_reg && octets1_reg < 7'd56;
    tiny_group2_reg <= 3'd7 - octets1_reg[5:3];
    change2_reg <= {1'b0, takes} - {1'b0, passes};
    now2_reg    <= now1_reg;
    octets2_reg <= over ? MAX_OCTETS : octets_sum[13:0];
    data2_reg   <= data1_reg;
    if (valid1_reg) begin
      octets_reg <= octets_sum[13:0];
      full_reg   <= full || over;
    end
  end

  // Clock 3: where the frame starts. wait_reg: from now to the first group on which a frame may start; below 0 there has been none
  // to wait for, and it begins again at 0. In one loop with the change, so that only this sum has to be done in a clock.
  reg  [14:0] wait_reg;
  wire [14:0] waits = wait_reg[14] ? 15'd0 : wait_reg;
  reg         valid3_reg, first3_reg, last3_reg, bad3_reg, tiny3_reg;
  reg  [2:0]  tiny_group3_reg;
  reg  [14:0] start3_reg;                          // start of a first beat
  reg  [13:0] octets3_reg;
  reg  [64*GROUPS-1:0] data3_reg;
  always @(posedge clk) begin
    wait_reg    <= waits + {{10{change2_reg[4]}}, change2_reg};
    start3_reg  <= now2_reg + waits;
    valid3_reg  <= valid2_reg && !rst;
    first3_reg  <= first2_reg;
    last3_reg   <= last2_reg;
    bad3_reg    <= bad2_reg;
    tiny3_reg   <= tiny2_reg;
    tiny_group3_reg <= tiny_group2_reg;
    octets3_reg <= octets2_reg;
    data3_reg   <= data2_reg;
    if (rst) wait_reg <= 15'd0;
  end

  // Clock 4: the place of the beat's first octet: behind the preamble, or a word behind the beat before.
  wire [2:0]  start_group = tiny3_reg && start3_reg[2:0] < tiny_group3_reg ? tiny_group3_reg : start3_reg[2:0];
  reg         valid4_reg, last4_reg, bad4_reg;
  reg  [14:0] start4_reg;
  reg  [2:0]  place_group_reg;
  reg  [RING_LOG2-1:0] place_word_reg;
  reg  [13:0] octets4_reg;
  reg  [64*GROUPS-1:0] data4_reg;
  always @(posedge clk) begin
    valid4_reg  <= valid3_reg && !rst;
    last4_reg   <= last3_reg;
    bad4_reg    <= bad3_reg;
    octets4_reg <= octets3_reg;
    data4_reg   <= data3_reg;
    if (valid3_reg && first3_reg) begin
      start4_reg      <= {start3_reg[14:3], start_group};
      place_group_reg <= start_group + 3'd1;
      place_word_reg  <= start3_reg[3 +: RING_LOG2] + {{(RING_LOG2-1){1'b0}}, start_group == 3'd7};
    end else if (valid3_reg) begin
      place_word_reg  <= place_word_reg + 1'b1;
    end
  end

  // Clock 5: rotated and written; a descriptor after the last beat.
  integer g;
  always @(posedge clk) begin
    wr_en <= valid4_reg && !rst;
    for (g = 0; g < GROUPS; g = g + 1) begin
      wr_data[64*g +: 64] <= data4_reg[{g[2:0] - place_group_reg, 6'd0} +: 64];
      wr_addr[RING_LOG2*g +: RING_LOG2] <= g[2:0] < place_group_reg ? place_word_reg + 1'b1 : place_word_reg;
    end
    frame_valid  <= valid4_reg && last4_reg && !rst;
    frame_start  <= start4_reg;
    frame_octets <= octets4_reg;
    frame_bad    <= bad4_reg;
    lost         <= frame_valid && !frame_ready && !rst;
  end
endmodule
