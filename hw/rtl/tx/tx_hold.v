// SPDX-License-Identifier: Apache-2.0
// Holds the transmitter of a port for as long as pause frames ask (IEEE 802.3 annex 31B), and counts for how long a frame
// was kept from its start by that. It knows neither frames nor when they are due: tx_pacer asks `hold` in each word.
//
// load latches whether the port obeys, and nothing is held then, whatever came before. A pause of so many quanta (512 bit
// times each) holds from the clock after `pause` on, for quanta x 8 / GROUPS clocks. It replaces the one in force; one of 0
// quanta ends it. `held` says that a word has passed in which a frame of the trial was held: one more in `held_words` at the
// end of its clock. Words are not skipped while there is a hold and the transmitter runs (tx_schedule: idle_words).
module tx_hold #(
  parameter GROUPS = 8
) (
  input             clk,
  input             rst,
  input             load,
  input             clear,
  input             cfg_obey,
  input             pause,
  input [15:0]      quanta,
  input             held,
  output reg        obeys,
  output            hold,
  output reg [57:0] held_words
);
  localparam WORDS_LOG2 = 3 - $clog2(GROUPS);   // words of a quantum
  reg [18:0] left_reg;                          // words, with this one
  assign hold = left_reg != 19'd0;
  always @(posedge clk) begin
    if (load) obeys <= cfg_obey;
    if (pause && obeys) left_reg <= {3'd0, quanta} << WORDS_LOG2;
    else if (hold)      left_reg <= left_reg - 19'd1;
    if (load) left_reg <= 19'd0;
    if (held) held_words <= held_words + 58'd1;
    if (clear) held_words <= 58'd0;
    if (rst) begin
      obeys      <= 1'b0;
      left_reg   <= 19'd0;
      held_words <= 58'd0;
    end
  end
`ifdef FORMAL
`include "tx_hold_properties.vh"
`endif
endmodule
