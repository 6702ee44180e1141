// SPDX-License-Identifier: Apache-2.0
// The guarantees of tx_rules, for two rules that the solver picks, hence for any. A frame is known by the low bits of its flow:
// 1 and 2 are those of the picked rules, 0 of other rules, 3 of frames that tx_send asked for. Included inside the module,
// by hw/formal only.
  (* anyconst *) reg [1:0] f_rule_a, f_rule_b;
  always @* assume (f_rule_a != f_rule_b);

  // ---- the user
  initial assume (rst);
  reg f_trial = 0;                              // set since load, while active
  always @(posedge clk) f_trial <= !rst && (load || f_trial && active);
  wire f_writes = |rule_time_we || |rule_period_we || rule_frame_we;
  reg  f_was_running = 0;
  always @(posedge clk) f_was_running <= running && !load;
  always @* begin
    assume (!f_writes || !f_trial && !load && !rst);
    assume (!rule_frame_we || rule_data[1:0] == (rule_index == f_rule_a ? 2'd1 : rule_index == f_rule_b ? 2'd2 : 2'd0));
    assume (!send_we || rule_data[1:0] == 2'd3);
    assume (!(f_writes && send_we));
    assume (!begun || due && f_trial && !load && !rst);
    assume (!running || f_trial && !load && !rst);
    assume (!(f_was_running && f_trial) || running || load || rst);
    // Small times and periods: a solver is done sooner, and carries and borrows are those of wide ones.
    assume (f_word < 53'd1 << 10);
    assume (!(|rule_time_we || |rule_period_we) || rule_data[31:12] == 0);
    assume (!rule_time_we[1] && !rule_period_we[1]);
    assume (!load || rst || (f_named_a || cfg_rules <= f_rule_a) && (f_named_b || cfg_rules <= f_rule_b));
  end

  // ---- the picked rules: as in the table; what they are still to send
  reg        f_named_a = 0, f_named_b = 0;      // its frame was written
  reg [55:0] f_table_time_a = 0, f_table_time_b = 0, f_period_a = 0, f_period_b = 0;
  reg [26:0] f_frame_a = 0, f_frame_b = 0, f_frame_asked;
  reg        f_armed_a = 0, f_armed_b = 0, f_sent_a = 0, f_sent_b = 0;
  reg [56:0] f_time_a = 0, f_time_b = 0;
  reg        f_asked = 0;                       // a frame that was asked for waits
  reg [5:0]  f_since = 0;                       // clocks since a frame began; after a load 8 less than the guard
  reg [52:0] f_word = 0;
  localparam [5:0] F_GUARD = GUARD32[5:0];
  wire f_ask = send_we && active && !f_asked && !load && !rst;
  wire f_due_a = due && !f_asked && flow[1:0] == 2'd1, f_due_b = due && !f_asked && flow[1:0] == 2'd2;
  wire f_a = rule_index == f_rule_a, f_b = rule_index == f_rule_b;
  always @(posedge clk) begin
    if (rule_time_we[0] && f_a)   f_table_time_a[31:0]  <= rule_data;
    if (rule_time_we[1] && f_a)   f_table_time_a[55:32] <= rule_data[23:0];
    if (rule_period_we[0] && f_a) f_period_a[31:0]      <= rule_data;
    if (rule_period_we[1] && f_a) f_period_a[55:32]     <= rule_data[23:0];
    if (rule_frame_we && f_a)     {f_named_a, f_frame_a} <= {1'b1, rule_data[26:0]};
    if (rule_time_we[0] && f_b)   f_table_time_b[31:0]  <= rule_data;
    if (rule_time_we[1] && f_b)   f_table_time_b[55:32] <= rule_data[23:0];
    if (rule_period_we[0] && f_b) f_period_b[31:0]      <= rule_data;
    if (rule_period_we[1] && f_b) f_period_b[55:32]     <= rule_data[23:0];
    if (rule_frame_we && f_b)     {f_named_b, f_frame_b} <= {1'b1, rule_data[26:0]};
    if (begun && f_due_a) {f_sent_a, f_armed_a, f_time_a} <= {1'b1, |f_period_a, f_time_a + {1'b0, f_period_a}};
    if (begun && f_due_b) {f_sent_b, f_armed_b, f_time_b} <= {1'b1, |f_period_b, f_time_b + {1'b0, f_period_b}};
    if (begun) f_asked <= 1'b0;
    if (f_ask) {f_asked, f_frame_asked} <= {1'b1, rule_data[26:0]};
    f_since <= begun ? 6'd1 : f_since == F_GUARD ? F_GUARD : f_since + 6'd1;
    if (running) f_word <= f_word + 53'd1;
    if (load) begin
      {f_sent_a, f_armed_a, f_time_a} <= {1'b0, cfg_rules > f_rule_a, 1'b0, f_table_time_a};
      {f_sent_b, f_armed_b, f_time_b} <= {1'b0, cfg_rules > f_rule_b, 1'b0, f_table_time_b};
      {f_asked, f_since, f_word} <= {1'b0, F_GUARD - 6'd7, 53'd0};
    end
    if (rst) {f_armed_a, f_armed_b, f_asked} <= 3'd0;
  end
  wire [58:0] f_at = {f_word, group, 3'd0};     // octet of a frame that starts in `group`
  wire        f_frame_is_a = flow == f_frame_a[7:0] && flags == f_frame_a[26:24]
                             && octets == (f_frame_a[21:8] < 54 ? 54 : f_frame_a[21:8]);
  wire        f_frame_is_asked = flow == f_frame_asked[7:0] && flags == f_frame_asked[26:24]
                                 && octets == (f_frame_asked[21:8] < 54 ? 54 : f_frame_asked[21:8]);

  always @* if (!rst && f_trial) begin
    // A rule's frame is due at the rule's time or later, a period after that when it has sent one, and once without a period.
    never_early: assert (!f_due_a || f_armed_a && f_at >= f_time_a);
    // A rule's frame is due from its time on, or another rule's, if no frame that was asked for waits and the guard is over.
    on_time: assert (!(f_armed_a && f_at >= f_time_a && !f_asked && f_since == F_GUARD) || due);
    // The rule with the smallest time comes first of those that are still to send; of equal ones that with the lowest number.
    earliest_first: assert (!(f_due_a && f_armed_b) || f_time_a < f_time_b || f_time_a == f_time_b && f_rule_a < f_rule_b);
    // It is the frame of the rule, of 54 octets or more.
    frame_of_the_rule: assert (!f_due_a || f_frame_is_a);
    // No rule's frame is due within the guard after any frame, nor within 8 clocks of a load.
    guard_after_a_frame: assert (!due || f_asked || f_since == F_GUARD);
    // A frame that was asked for is due from the next clock on until it begins; no rule's is.
    asked_frame_is_due: assert (!f_asked || due && f_frame_is_asked);
    // It is sent once, and never after a load.
    asked_frame_once: assert (!due || f_asked || flow[1:0] != 2'd3);
  end
  // Nothing is due after a reset until a load.
  always @* if (!rst && f_past) none_without_load: assert (f_loaded || f_asked || !due);
  reg f_past = 0, f_loaded = 0;
  always @(posedge clk) f_past <= 1;
  always @(posedge clk) f_loaded <= !rst && (f_loaded || load);

  reg f_asked_before = 0;
  always @(posedge clk) f_asked_before <= !load && (f_asked_before || begun && f_asked);
  always @* if (!rst && f_trial) begin
    // A rule has sent a frame, and is to send another one later.
    to_send_again: cover (f_sent_a && f_armed_a && f_time_a > f_at + 8);
    // A frame that was asked for has begun before a rule's.
    asked_before: cover (f_due_b && f_asked_before && f_word > 2);
  end
`ifdef FORMAL_HELPERS
  wire f_table_is_a = {time_high_ram[f_rule_a], time_low_ram[f_rule_a]} == f_table_time_a
                      && {period_high_ram[f_rule_a], period_low_ram[f_rule_a]} == f_period_a && frame_ram[f_rule_a] == f_frame_a;
  wire f_table_is_b = {time_high_ram[f_rule_b], time_low_ram[f_rule_b]} == f_table_time_b
                      && {period_high_ram[f_rule_b], period_low_ram[f_rule_b]} == f_period_b && frame_ram[f_rule_b] == f_frame_b;
  wire f_frame_is_b = flow == f_frame_b[7:0] && flags == f_frame_b[26:24]
                      && octets == (f_frame_b[21:8] < 54 ? 54 : f_frame_b[21:8]);
  wire f_is_a = index_reg == f_rule_a, f_is_b = index_reg == f_rule_b;
  wire f_reading = armed && !ready_reg && !sending_reg && clock_reg > FIRST;
  wire [4:0] f_step = clock_reg - FIRST;
  wire f_best = f_reading || ready_reg;         // best_reg is of the rules seen so far
  wire [4:0] f_seen = ready_reg || clock_reg > READ_FRAME ? 5'd4 : f_step - 5'd1;  // so many
  wire [57:0] f_up = {1'b0, best_reg} + 58'd7;
  wire [WORDS_W-1:0] f_left = f_up[57:6] - f_word[WORDS_W-1:0];
  integer i_f;
  always @* begin
    assert (f_table_is_a && f_table_is_b);
    assert (f_table_time_a >> 12 == 0 && f_table_time_b >> 12 == 0 && f_period_a >> 12 == 0 && f_period_b >> 12 == 0);
    if (f_trial && f_sent_a) assert (f_time_a <= {f_word, 6'd63} + f_period_a);
    if (f_trial && f_sent_b) assert (f_time_b <= {f_word, 6'd63} + f_period_b);
    assert (f_past || rst && !f_trial);
    assert (!f_trial || f_loaded);
    assert (!f_loaded || f_past);
    if (f_past) begin
      assert (sending_reg == f_asked);
      if (f_asked) assert (!ready_reg && f_frame_is_asked && flow[1:0] == 2'd3);
      if (!f_loaded) assert (!armed && !ready_reg);
    end
    if (f_trial) begin
      assert (armed_reg[f_rule_a] == f_armed_a && armed_reg[f_rule_b] == f_armed_b);
      assert (sent_reg[f_rule_a] == f_sent_a && sent_reg[f_rule_b] == f_sent_b);
      assert ((f_sent_a ? next_ram[f_rule_a] : {1'b0, f_table_time_a}) == f_time_a);
      assert ((f_sent_b ? next_ram[f_rule_b] : {1'b0, f_table_time_b}) == f_time_b);
      assert (f_time_a >> 17 == 0 && f_time_b >> 17 == 0);
      if (f_armed_a && f_sent_a) assert (f_period_a != 0);
      if (f_armed_b && f_sent_b) assert (f_period_b != 0);
      if (f_armed_a) assert (f_named_a);
      if (f_armed_b) assert (f_named_b);
      if (armed) assert (passed_reg == f_word[WORDS_W-1:0]);
      if (armed && !f_asked) assert (ready_reg ? f_since == F_GUARD : {1'b0, clock_reg} == f_since && clock_reg <= LAST);
      if (ready_reg) assert (armed);
    end
    if (f_trial && f_reading && clock_reg < READ_FRAME) begin
      assert (time_index_reg == f_step[1:0] - 2'd1 && time_valid_reg == armed_reg[time_index_reg]);
      if (time_index_reg == f_rule_a && time_valid_reg) assert (time_reg == f_time_a);
      if (time_index_reg == f_rule_b && time_valid_reg) assert (time_reg == f_time_b);
    end
    if (f_trial && !rst) assert (!f_due_b || f_armed_b && f_at >= f_time_b);
    if (f_trial && f_best) begin
      assert (!best_valid_reg || armed_reg[index_reg] && {3'd0, index_reg} < f_seen);
      for (i_f = 0; i_f < 4; i_f = i_f + 1)
        if (armed_reg[i_f] && i_f < f_seen) assert (best_valid_reg);
      if (best_valid_reg && f_is_a) assert (best_reg == f_time_a);
      if (best_valid_reg && f_is_b) assert (best_reg == f_time_b);
      if (f_armed_a && {3'd0, f_rule_a} < f_seen) assert (best_reg < f_time_a || best_reg == f_time_a && index_reg <= f_rule_a);
      if (f_armed_b && {3'd0, f_rule_b} < f_seen) assert (best_reg < f_time_b || best_reg == f_time_b && index_reg <= f_rule_b);
    end
    if (f_trial && (f_reading && clock_reg == LAST || ready_reg)) begin
      if (f_is_a) assert (f_frame_is_a && flow[1:0] == 2'd1);
      if (f_is_b) assert (f_frame_is_b && flow[1:0] == 2'd2);
      if (!f_is_a && !f_is_b) assert (flow[1:0] == 2'd0);
    end
    if (f_trial && f_reading && clock_reg == LAST) begin
      if (f_is_a) assert (period_reg == f_period_a);
      if (f_is_b) assert (period_reg == f_period_b);
    end
    if (f_trial && ready_reg) begin
      if (f_is_a) assert (next_reg == f_time_a + {1'b0, f_period_a} && again_reg == (f_period_a != 0));
      if (f_is_b) assert (next_reg == f_time_b + {1'b0, f_period_b} && again_reg == (f_period_b != 0));
      assert (group_reg == f_up[5:3] && left_reg == f_left && word_reg == (f_left == 0) && past_reg == f_left[WORDS_W-1]);
    end
    // frames of other rules
    for (i_f = 0; i_f < 4; i_f = i_f + 1)
      if (f_rule_a != i_f && f_rule_b != i_f) assert (frame_ram[i_f][1:0] == 2'd0);
    if (f_named_a) assert (f_frame_a[1:0] == 2'd1);
    if (f_named_b) assert (f_frame_b[1:0] == 2'd2);
  end
`endif
