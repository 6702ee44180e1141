// SPDX-License-Identifier: Apache-2.0
// The guarantees of tx_hold. Included inside the module, by hw/formal only. The pause in force is kept here as what it asked
// for and the clocks since, and not as what is left of it.
  initial assume (rst);
  reg        f_obeys = 0;                       // the last load's setting
  reg [15:0] f_quanta = 0;
  reg [16:0] f_since = 0;                       // clocks that it has held, up to its end
  reg [57:0] f_held = 0;
  reg        f_was_held = 0;
  always @(posedge clk) begin
    if (f_since < {1'b0, f_quanta}) f_since <= f_since + 17'd1;
    if (pause && f_obeys) {f_quanta, f_since} <= {quanta, 17'd0};
    if (load || rst) {f_quanta, f_since} <= 33'd0;
    f_obeys <= (load ? cfg_obey : f_obeys) && !rst;
    f_held  <= clear || rst ? 58'd0 : f_held + {57'd0, held};
    f_was_held <= hold && !rst;
  end
  always @* if (!rst) begin
    // A pause holds for exactly so many quanta, from the clock after it on; the next one replaces it, and a load ends it.
    exactly_its_quanta: assert (hold == (f_since < {1'b0, f_quanta}));
    // It obeys exactly if the last load said so.
    obeys_as_loaded: assert (obeys == f_obeys);
    // The words held since the last clear are counted.
    counts_held_words: assert (held_words == f_held);
    // A hold ends by itself.
    hold_ends: cover (f_was_held && !hold && f_quanta > 16'd3);
  end
`ifdef FORMAL_HELPERS
  always @* if (!rst) begin
    assert (f_since <= {1'b0, f_quanta});
    assert (left_reg == {3'd0, f_quanta} - {2'd0, f_since});
  end
`endif
