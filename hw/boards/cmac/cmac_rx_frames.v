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
// Latency: the write is 3 clocks after the beat.
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

  // Clock 1: the beat, with its octets counted, and the current group of the line.
  reg                 valid1_reg, first1_reg, last1_reg, error1_reg, in_frame_reg;
  reg [64*GROUPS-1:0] data1_reg;
  reg [6:0]           octets1_reg, octets1_next;
  reg [14:0]          now1_reg;
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
    now1_reg    <= {now_word, now_group};
    if (s_axis_tvalid && (enable || in_frame_reg)) in_frame_reg <= !s_axis_tlast;
    if (rst) begin
      valid1_reg   <= 1'b0;
      in_frame_reg <= 1'b0;
    end
  end

  // Clock 2: the place. free_reg is the first group on which a frame may start; it does not fall behind the time.
  reg  [14:0] free_reg, start_reg, place_reg;      // start of the frame; first octet of the next beat
  reg  [13:0] octets_reg;                          // of the frame, before this beat
  reg         full_reg;                            // the frame has reached its maximum length
  wire [14:0] wait_groups = free_reg - now1_reg;
  wire        must_wait = !wait_groups[14] && wait_groups != 15'd0;
  wire        tiny = last1_reg && octets1_reg < 7'd56;
  wire [2:0]  tiny_group = 3'd7 - octets1_reg[5:3];   // the first group from which it reaches into the next word
  wire [14:0] start_first = must_wait ? free_reg : now1_reg;
  wire [14:0] start_tiny  = {start_first[14:3], start_first[2:0] < tiny_group ? tiny_group : start_first[2:0]};
  wire [14:0] start = !first1_reg ? start_reg : tiny ? start_tiny : start_first;
  wire [14:0] place = first1_reg ? start + 15'd1 : place_reg;
  wire [14:0] octets_sum = {1'b0, first1_reg ? 14'd0 : octets_reg} + {8'd0, octets1_reg};
  wire        over = octets_sum > {1'b0, MAX_OCTETS};
  wire        full = full_reg && !first1_reg;
  reg         valid2_reg, last2_reg, bad2_reg;
  reg  [14:0] place2_reg, start2_reg;
  reg  [13:0] octets2_reg;
  reg  [64*GROUPS-1:0] data2_reg;
  always @(posedge clk) begin
    valid2_reg <= valid1_reg && !full;
    last2_reg  <= last1_reg || over;
    bad2_reg   <= over || error1_reg;
    place2_reg <= place;
    start2_reg <= start;
    octets2_reg <= over ? MAX_OCTETS : octets_sum[13:0];
    data2_reg  <= data1_reg;
    if (!must_wait) free_reg <= now1_reg;
    if (valid1_reg) begin
      start_reg  <= start;
      place_reg  <= place + 15'd8;
      octets_reg <= octets_sum[13:0];
      full_reg   <= full || over;
      if (!full) free_reg <= place + {11'd0, octets1_reg[6:3]} + 15'd1;   // after the terminate character
    end
    if (rst) begin
      valid2_reg <= 1'b0;
      free_reg   <= now1_reg;
    end
  end

  wire unused = &{1'b0, place2_reg[14:12]};        // the ring is smaller than the range of word numbers

  // Clock 3: rotated and written; a descriptor after the last beat.
  integer g;
  always @(posedge clk) begin
    wr_en <= valid2_reg && !rst;
    for (g = 0; g < GROUPS; g = g + 1) begin
      wr_data[64*g +: 64] <= data2_reg[{g[2:0] - place2_reg[2:0], 6'd0} +: 64];
      wr_addr[RING_LOG2*g +: RING_LOG2] <= g[2:0] < place2_reg[2:0] ? place2_reg[3 +: RING_LOG2] + 1'b1
                                                                    : place2_reg[3 +: RING_LOG2];
    end
    frame_valid  <= valid2_reg && last2_reg && !rst;
    frame_start  <= start2_reg;
    frame_octets <= octets2_reg;
    frame_bad    <= bad2_reg;
    lost         <= frame_valid && !frame_ready && !rst;
  end
endmodule
