// SPDX-License-Identifier: Apache-2.0
// Finds frames in the words of a line: where the frame that owns group 0 ends, and where the next one begins.
//
// A start character counts only in octet 0 of a group; with one group, that is why a line of 10 or 25 Gb/s Ethernet,
// where one in octet 4 of 8 is legal, cannot be connected. A frame ends at the first control character after its start
// group's octet 0, whatever it is; it ended well if that is a terminate character. A word has at most
//   - one end: of the frame that was open when the word began, at the first control character of the word;
//   - one live start: the last start of the word, if no control character follows it; that frame is then open;
//   - one cut frame: begun by the first start that is not live, and over within this word. On a legal line that is a
//     frame below 56 octets. Further starts before the live one are merged into it, and then it did not end well.
// So a start inside a frame ends the old frame and begins the new one, nothing is lost after a runt, and whatever the
// line carries, the decoder is in step again at the next start. Preamble octets are not checked, as long as they are
// data.
//
// For 16 groups per word, the region of 8 groups would be repeated: two of these, with the open frame passed along.
//
// Latency: word_* describe the word of 2 clocks ago (its data on word_data), ev_* the word of 3 clocks ago.
// ev_octets saturates at 16383, and then ev_over is set.
`include "fpgauge_time.vh"
module line_decode #(
  parameter GROUPS  = 8,
  parameter GROUP_W = (GROUPS == 1) ? 1 : $clog2(GROUPS),
  parameter TIME_W  = `FPGAUGE_WORD_TIME_W(GROUPS)
) (
  input                       clk,
  input                       rst,
  input      [TIME_W-1:0]     word_time,
  input      [64*GROUPS-1:0]  line_data,
  input      [8*GROUPS-1:0]   line_ctrl,
  // the word of 2 clocks ago
  output reg [64*GROUPS-1:0]  word_data,
  output reg [TIME_W-1:0]     word_number,
  output reg                  word_owned,       // an open frame owns group 0
  output reg                  word_first,       // and its data begins there
  output reg                  word_end,         // it ends in this word
  output reg [GROUP_W-1:0]    word_end_group,   // the frame ends at this control character
  output reg [2:0]            word_end_octet,
  output reg                  word_live,        // a frame begins and is open at the end of the word
  output reg [GROUP_W-1:0]    word_live_group,  // the frame starts in this group
  // the word of 3 clocks ago
  output reg [TIME_W-1:0]     ev_number,
  output reg                  ev_end,
  output reg                  ev_well,          // ended by a terminate character
  output reg [13:0]           ev_octets,        // length, FCS included
  output reg                  ev_over,
  output reg [GROUP_W+2:0]    ev_end_position,  // octet of the word
  output reg                  ev_live,
  output reg [GROUP_W-1:0]    ev_live_group,
  output reg                  ev_cut,
  output reg                  ev_cut_well,
  output reg [GROUP_W-1:0]    ev_cut_group,
  output reg [GROUP_W+2:0]    ev_cut_octets,
  output reg [GROUP_W+2:0]    ev_cut_end_position
);
  localparam [7:0] START = 8'hFB, TERMINATE = 8'hFD;
  localparam POSITION_W = $clog2(8 * GROUPS);
  localparam LAST = GROUPS - 1;
  localparam [GROUP_W-1:0] LAST_GROUP = LAST[GROUP_W-1:0];

  // Clock 1: flags per group.
  reg [64*GROUPS-1:0] data1_reg;
  reg [8*GROUPS-1:0]  ctrl1_reg;
  reg [TIME_W-1:0]    number1_reg;
  reg [GROUPS-1:0]    any1_reg, any1_next;      // a control character
  reg [GROUPS-1:0]    after1_reg, after1_next;  // one in octets 1 to 7
  reg [GROUPS-1:0]    start1_reg, start1_next;
  // The eight groups are done at once, folded: bit 8g becomes the OR of the group's bits, and then moves to bit g. In gates this
  // is the same as group by group; a simulator does it in a few 64-bit operations.
  localparam [63:0] OCTET0 = 64'h0101_0101_0101_0101;
  wire [63:0] ctrl64 = {{(64-8*GROUPS){1'b0}}, line_ctrl};
  reg  [63:0] after64, first64, any64;
  integer g;
  always @* begin
    after64 = {64{1'bx}};
    first64 = {64{1'bx}};
    any64   = {64{1'bx}};
    any1_next   = {GROUPS{1'b0}};
    after1_next = {GROUPS{1'b0}};
    start1_next = {GROUPS{1'b0}};
    if (|line_ctrl) begin                       // not within a frame
      after64 = ctrl64 & ~OCTET0;
      after64 = after64 | (after64 >> 4);
      after64 = after64 | (after64 >> 2);
      after64 = (after64 | (after64 >> 1)) & OCTET0;
      first64 = ctrl64 & OCTET0;
      any64   = after64 | first64;
      after64 = after64 | (after64 >> 7);
      after64 = after64 | (after64 >> 14);
      after64 = after64 | (after64 >> 28);
      any64   = any64 | (any64 >> 7);
      any64   = any64 | (any64 >> 14);
      any64   = any64 | (any64 >> 28);
      any1_next   = any64[GROUPS-1:0];
      after1_next = after64[GROUPS-1:0];
      if (|first64)
        for (g = 0; g < GROUPS; g = g + 1)
          if (line_data[64*g +: 8] == START) start1_next[g] = line_ctrl[8*g];
    end
  end
  always @(posedge clk) begin
    data1_reg   <= line_data;
    ctrl1_reg   <= line_ctrl;
    number1_reg <= word_time;
    any1_reg    <= any1_next;
    after1_reg  <= after1_next;
    start1_reg  <= start1_next;
    if (rst) begin
      any1_reg   <= {GROUPS{1'b1}};
      start1_reg <= {GROUPS{1'b0}};
    end
  end

  // Clock 2: ends and starts.
  reg               open_reg;                   // the word in clock 1 begins inside a frame
  reg               open_first_reg;             // the data of that frame begins with it
  reg               live, cut, merged;
  reg [GROUP_W-1:0] end_group, last_group, cut_group, cut_end_group;
  reg [2:0]         end_octet;
  reg [7:0]         end_ctrl;
  reg [GROUPS-1:0]  followed;                   // groups behind which there is a control character, so no start in them is live
  reg [GROUPS-1:0]  cut_starts, behind, beyond; // groups behind the first start; where the frame that it begins may end
  // Indices of octets in a word. With one group the group's number is always 0, and its bit has no place in an index.
  reg [GROUP_W+2:0] end_place_top_unused;
  always @* begin
    end_group     = {GROUP_W{1'b0}};
    last_group    = {GROUP_W{1'b0}};
    end_octet     = 3'd7;
    live          = 1'b0;
    cut           = 1'b0;
    cut_group     = {GROUP_W{1'bx}};
    cut_end_group = {GROUP_W{1'bx}};
    merged        = 1'bx;
    end_place_top_unused = {(GROUP_W+3){1'bx}};
    end_ctrl      = 8'dx;
    followed      = {GROUPS{1'bx}};
    cut_starts    = {GROUPS{1'bx}};
    behind        = {GROUPS{1'bx}};
    beyond        = {GROUPS{1'bx}};
    if (|any1_reg) begin                        // not within a frame
      for (g = GROUPS - 1; g >= 0; g = g - 1) if (any1_reg[g]) end_group = g[GROUP_W-1:0];
      for (g = 0; g < GROUPS; g = g + 1)      if (any1_reg[g]) last_group = g[GROUP_W-1:0];
      end_place_top_unused = {end_group, 3'd0};
      end_ctrl      = ctrl1_reg[end_place_top_unused[POSITION_W-1:0] +: 8];
      for (g = 6; g >= 0; g = g - 1) if (end_ctrl[g]) end_octet = g[2:0];
      followed      = any1_reg >> 1;            // folded, as above
      followed      = followed | (followed >> 1);
      followed      = followed | (followed >> 2);
      followed      = followed | (followed >> 4) | after1_reg;
      cut_starts    = start1_reg & followed;
      live          = |(start1_reg & ~followed);
      cut           = |cut_starts;
      if (cut) begin                            // never on a line of legal frames, so it costs a simulation nothing
        // If any start is cut, the first one is, and everything follows from that without waiting for the verdict.
        for (g = GROUPS - 1; g >= 0; g = g - 1) if (start1_reg[g]) cut_group = g[GROUP_W-1:0];
        behind = start1_reg << 1;
        behind = behind | (behind << 1);
        behind = behind | (behind << 2);
        behind = behind | (behind << 4);
        beyond = behind & any1_reg | start1_reg & ~behind & after1_reg;
        for (g = GROUPS - 1; g >= 0; g = g - 1) if (beyond[g]) cut_end_group = g[GROUP_W-1:0];
        merged = |(cut_starts & behind);
      end
    end
  end

  reg               cut2_reg, merged2_reg;
  reg [GROUP_W-1:0] cut_group2_reg, cut_end_group2_reg;
  reg [8*GROUPS-1:0] ctrl2_reg;
  always @(posedge clk) begin
    word_data       <= data1_reg;
    word_number     <= number1_reg;
    word_owned      <= open_reg;
    word_first      <= open_first_reg;
    word_end        <= open_reg && |any1_reg;
    word_end_group  <= end_group;
    word_end_octet  <= end_octet;
    word_live       <= live;
    word_live_group <= last_group;
    open_reg        <= live || (open_reg && !(|any1_reg));
    open_first_reg  <= live && last_group == LAST_GROUP;
    ctrl2_reg       <= ctrl1_reg;
    cut2_reg        <= cut;
    if (cut) begin
      merged2_reg        <= merged;
      cut_group2_reg     <= cut_group;
      cut_end_group2_reg <= cut_end_group;
    end
    if (rst) begin
      open_reg   <= 1'b0;
      word_owned <= 1'b0;
      word_end   <= 1'b0;
      word_live  <= 1'b0;
      cut2_reg   <= 1'b0;
    end
  end

  // Clock 3: lengths, and which character ended a frame.
  reg  [11:0] groups_reg;                       // groups of the open frame before this word; bit 11 sticks: too many
  wire [11:0] groups_at_end = groups_reg + {{(12-GROUP_W){1'b0}}, word_end_group};
  reg  [7:0]         cut_flags;
  reg  [2:0]         cut_octet;
  reg  [GROUP_W+2:0] cut_from;
  reg  [GROUP_W+2:0] cut_group_place_top_unused, cut_place_top_unused, end2_place_top_unused;
  always @* begin
    end2_place_top_unused      = {word_end_group, word_end_octet};
    cut_group_place_top_unused = {cut_end_group2_reg, 3'd0};
    cut_flags = 8'd0;
    cut_octet = 3'd7;
    cut_from  = {(GROUP_W+3){1'b0}};
    if (cut2_reg) begin
      cut_flags = ctrl2_reg[cut_group_place_top_unused[POSITION_W-1:0] +: 8];
      if (cut_end_group2_reg == cut_group2_reg) cut_flags[0] = 1'b0;
      for (g = 6; g >= 0; g = g - 1) if (cut_flags[g]) cut_octet = g[2:0];
      cut_from  = {cut_group2_reg + 1'b1, 3'b000};   // may wrap: then the frame ended in its start group
    end
    cut_place_top_unused = {cut_end_group2_reg, cut_octet};
  end
  always @(posedge clk) begin
    ev_number <= word_number;
    ev_end    <= word_end;
    ev_live   <= word_live;
    ev_cut    <= cut2_reg;
    if (word_end) begin
      ev_well         <= word_data[{end2_place_top_unused[POSITION_W-1:0], 3'b000} +: 8] == TERMINATE;
      ev_octets       <= groups_at_end[11] ? 14'h3FFF : {groups_at_end[10:0], word_end_octet};
      ev_over         <= groups_at_end[11];
      ev_end_position <= {word_end_group, word_end_octet};
    end
    if (word_live) ev_live_group <= word_live_group;
    if (cut2_reg) begin
      ev_cut_well  <= !merged2_reg && word_data[{cut_place_top_unused[POSITION_W-1:0], 3'b000} +: 8] == TERMINATE;
      ev_cut_group <= cut_group2_reg;
      ev_cut_end_position <= {cut_end_group2_reg, cut_octet};
      ev_cut_octets <= cut_end_group2_reg == cut_group2_reg ? {(GROUP_W+3){1'b0}}
                                                            : {cut_end_group2_reg, cut_octet} - cut_from;
    end
    if (word_owned && !groups_reg[11])
      groups_reg <= groups_reg + GROUPS[11:0];
    if (word_live)
      groups_reg <= {{(12-GROUP_W){1'b0}}, LAST_GROUP - word_live_group};
    if (rst) begin
      ev_end  <= 1'b0;
      ev_live <= 1'b0;
      ev_cut  <= 1'b0;
    end
  end
`ifdef FORMAL
`include "line_decode_properties.vh"
`endif
endmodule
