// SPDX-License-Identifier: Apache-2.0
// The guarantees of time_base. Included inside the module, by hw/formal only.
  reg        f_past = 0, f_rst = 0;
  reg [TIME_W-1:0] f_time;
  reg [31:0] f_skip;
  always @(posedge clk) begin
    f_past <= 1;
    f_rst  <= rst;
    f_time <= word_time;
    f_skip <= skip_words;
  end
  always @* if (f_past) begin
    // The octet time is START_HIGH in its high word, 0 in its low word after a reset.
    begins_at_start: assert (!f_rst || word_time == {START_HIGH, {(TIME_W-32){1'b0}}});
    // Every clock is one word later without a skip: none is left out and none comes twice.
    one_word_a_clock: assert (f_rst || f_skip != 0 || word_time == f_time + 1'b1);
    // The time is 1 + s words later after a skip of s words.
    skips_exactly: assert (f_rst || word_time - f_time == {{(TIME_W-32){1'b0}}, f_skip} + 1'b1);
    // Time only rises, until its bits are full.
    rises: assert (f_rst || word_time > f_time || f_time >= ~{{(TIME_W-32){1'b0}}, f_skip});
    // Time passes 2^32 words by a skip and goes on.
    passes_32_bits: cover (word_time[TIME_W-1:32] != 0 && f_skip == 0 && !f_rst);
  end
