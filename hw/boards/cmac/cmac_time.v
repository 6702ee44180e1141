// SPDX-License-Identifier: Apache-2.0
// The time of the core in the clock of a CMAC: the word of the line that the core is at, in words and 33rds of a word.
//
// A clock of the CMAC (322.265625 MHz) is 20/33 of a word (195.3125 MHz). So this counts by 20/33, and the core sends
// one bit, `mark`, the top bit of its 12-bit word number, which changes when the number becomes 2048 or 0. It crosses
// through two registers, and the first change sets the count. If the core's clock is derived from this one (LOCKED = 1)
// the count is right from then on, and a change at any other time than expected is a slip: the clocks are not what they
// should be. If it is derived from another CMAC's clock (LOCKED = 0) the count is corrected by one clock when it is
// more than one off.
//
// The time is late by the time the mark takes to cross: 2 to 3 clocks, constant between resets if LOCKED.
module cmac_time #(
  parameter LOCKED = 1
) (
  input             clk,
  input             rst,
  input             mark,       // comes from the clock of the core
  output reg        valid,      // the count has been set
  output reg [11:0] now_word,
  output reg [5:0]  now_part,   // 0 to 32: 33rds of a word
  output reg        slip        // one clock: the mark came more than two words from where it should; count set again
);
  localparam [5:0] STEP = 6'd20, PARTS = 6'd33;

  wire mark_here;
  reg  mark_reg;
  sync_bit u_mark (.clk(clk), .d(mark), .q(mark_here));

  // How far the count is from the mark, in whole words (rounded down) and parts.
  wire        change = mark_here != mark_reg;
  wire [11:0] off_words = now_word - {mark_here, 11'd0};
  wire        far    = off_words != 12'd0 && off_words != 12'd1 && off_words != 12'hFFF && off_words != 12'hFFE;
  wire        ahead  = off_words == 12'd1 || (off_words == 12'd0 && now_part > STEP);
  wire        behind = off_words == 12'hFFE || (off_words == 12'hFFF && now_part < PARTS - STEP);

  wire [5:0]  one   = now_part + STEP;              // at most 52
  wire [6:0]  two   = {1'b0, now_part} + 7'd40;     // at most 72
  always @(posedge clk) begin
    mark_reg <= mark_here;
    slip     <= 1'b0;
    if (one >= PARTS) begin
      now_word <= now_word + 12'd1;
      now_part <= one - PARTS;
    end else begin
      now_part <= one;
    end
    if (change && (!valid || far)) begin
      now_word <= {mark_here, 11'd0};
      now_part <= 6'd0;
      valid    <= 1'b1;
      slip     <= valid;
    end else if (change && LOCKED == 0 && ahead) begin    // holds for a clock
      now_word <= now_word;
      now_part <= now_part;
    end else if (change && LOCKED == 0 && behind) begin   // takes two steps
      now_word <= now_word + (two >= 7'd66 ? 12'd2 : 12'd1);
      now_part <= two >= 7'd66 ? two[5:0] - 6'd2 : two[5:0] - PARTS;
    end
    if (rst) begin
      valid    <= 1'b0;
      slip     <= 1'b0;
      now_word <= 12'd0;
      now_part <= 6'd0;
    end
  end
endmodule
