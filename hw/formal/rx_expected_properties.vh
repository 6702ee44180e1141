// SPDX-License-Identifier: Apache-2.0
// The guarantees of rx_expected, for one stream that the solver picks, hence for any. Included inside the module, by
// hw/formal only.
  (* anyconst *) reg [11:0] f_stream;
  always @* assume (f_stream < PORTS * 256);
  always @* assume (!look || stream < PORTS * 256);

  reg f_bit = 0;                                // the last write of the stream said so
  reg f_written = 0;                            // its word has been written
  reg f_looked = 0;                             // the last look-up was of the stream;
  reg f_answer, f_was_written;                  // values that held then
  reg f_kept = 0, f_kept_answer;                // no look-up since the clock before
  wire f_write = we && word == f_stream[11:5];
  always @(posedge clk) begin
    if (f_write) f_bit <= data[f_stream[4:0]];
    f_written <= f_written || f_write;
    if (look) begin
      f_looked      <= stream == f_stream;
      f_answer      <= f_bit;
      f_was_written <= f_written;
    end
    f_kept        <= !look;
    f_kept_answer <= expected;
  end
  always @* begin
    // The stream is expected exactly if the last write of its word before the look-up says so; other words change nothing.
    last_write_decides: assert (!f_looked || expected == f_answer);
    // It is not expected if its word was never written.
    none_when_loaded: assert (!f_looked || f_was_written || !expected);
    // The answer stays without another look-up, whatever is written.
    answer_stays: assert (!f_kept || expected == f_kept_answer);

    // It is expected, and its word has been written differently since.
    expected_then: cover (f_looked && expected && f_was_written && !f_bit);
    // It is no longer expected after a second write.
    no_longer: cover (f_looked && !expected && f_unset);
    // Another stream of its word is expected, and it is not.
    only_another: cover (f_looked && !expected && |word_reg);
  end
  reg f_unset = 0;                              // it was expected, and a write ended that
  always @(posedge clk) f_unset <= f_unset || (f_bit && f_write && !data[f_stream[4:0]]);
`ifdef FORMAL_HELPERS
  wire [31:0] f_word = ram[f_stream[WORD_W+4:5]];
  always @* begin
    assert (f_word[f_stream[4:0]] == f_bit);
    assert (f_written || !f_bit);
    if (f_looked) assert (bit_reg == f_stream[4:0] && word_reg[f_stream[4:0]] == f_answer && (f_was_written || !f_answer));
  end
`endif
