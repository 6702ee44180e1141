// SPDX-License-Identifier: Apache-2.0
// Turns the starts of frames into words: which lanes belong to the frame that is on the line (A), which to the frame
// that begins (B), and where A ends. Lengths here are without FCS; mac_tx adds it.
//
// Inputs in clock t, outputs registered in t+1. A frame without FCS (57 octets or more) never ends in the word in
// which it begins: at most 56 of its octets are there.
module tx_layout #(
  parameter GROUPS  = 8,
  parameter GROUP_W = GROUPS == 1 ? 1 : $clog2(GROUPS)
) (
  input                    clk,
  input                    rst,
  input                    begins,
  input  [GROUP_W-1:0]     group,
  input  [13:0]            data_octets,   // of a frame, without FCS
  output reg               preamble,      // a preamble stands in this word, at preamble_group
  output reg [GROUP_W-1:0] preamble_group,
  output reg               a_active,
  output reg               a_first,
  output reg               a_end,
  output reg [6:0]         a_octets,      // of A in this word when a_end, 1 to 8 x GROUPS
  output reg [10:0]        a_index,       // group of the frame that stands in lane 0
  output reg               b_active,      // B's data begins in this word, one group after its preamble
  output                   idle
);
  localparam [31:0] GROUPS_32   = GROUPS;
  localparam [31:0] LAST_GROUP  = GROUPS - 1;
  localparam [13:0] WORD_OCTETS = {GROUPS_32[10:0], 3'd0};

  reg         on_reg, first_reg;
  reg  [13:0] left_reg;    // octets of A from lane 0 on
  reg  [10:0] index_reg;
  wire        ends   = left_reg <= WORD_OCTETS;
  wire [10:0] in_word = GROUPS == 1 ? 11'd0 : {{(11-GROUP_W){1'b0}}, LAST_GROUP[GROUP_W-1:0] - group};  // groups of B here
  always @(posedge clk)
    if (rst) on_reg <= 1'b0;
    else if (begins) begin
      on_reg    <= 1'b1;
      first_reg <= in_word == 11'd0;
      left_reg  <= data_octets - {in_word, 3'd0};
      index_reg <= in_word;
    end else if (on_reg) begin
      on_reg    <= !ends;
      first_reg <= 1'b0;
      left_reg  <= left_reg - WORD_OCTETS;
      index_reg <= index_reg + GROUPS_32[10:0];
    end

  always @(posedge clk) begin
    preamble       <= begins && !rst;
    preamble_group <= group;
    a_active       <= on_reg && !rst;
    a_first        <= on_reg && first_reg;
    a_end          <= on_reg && ends && !rst;
    a_octets       <= left_reg[6:0];
    a_index        <= index_reg;
    b_active       <= begins && in_word != 11'd0 && !rst;
  end
  assign idle = !(begins || on_reg || preamble || a_active);
endmodule
