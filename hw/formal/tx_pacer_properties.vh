// SPDX-License-Identifier: Apache-2.0
// The guarantees of tx_pacer. Included inside the module, by hw/formal only.
// The ideal schedule is kept here in a different way than in the pacer: not one step ahead but at the next frame
// itself, as an exact rational position (whole octets and a remainder over the denominator), and bursts are counted
// upwards.
  initial assume (rst);
  (* anyconst *) reg [GAP_W-1:0] f_p_gap_octets;
  (* anyconst *) reg [FRACTION_W-1:0] f_p_numerator, f_p_denominator;
  wire [FRACTION_W:0] f_p_less2 = {1'b0, phase_fraction1} + phase_numerator_m_denominator;
  always @* begin
    assume (next_octets >= 54);
    assume (rule_octets >= 54);     // the limit of tx_rules
    assume (gap_octets >= 11);
    assume (burst_gap_octets >= 11);
    assume (gap_numerator < gap_denominator);
    // The ranges are those of tx_phases. One phase stands for all: it may begin any number of times.
    assume (f_p_numerator < f_p_denominator && f_p_gap_octets >= 11);
    assume (phase_numerator == f_p_numerator);
    assume (phase_numerator_m_denominator == {1'b0, f_p_numerator} - {1'b0, f_p_denominator});
    assume (phase_step == REST + {2'd0, f_p_gap_octets});
    assume (phase_step_plus == REST + {2'd0, f_p_gap_octets} + ONE);
    assume (phase_step1 == phase_step && phase_fraction1 == phase_numerator);
    assume (phase_step2 == (f_p_less2[FRACTION_W] ? phase_step : phase_step_plus));
    assume (phase_fraction2 == (f_p_less2[FRACTION_W] ? phase_fraction1 + phase_numerator : f_p_less2[FRACTION_W-1:0]));
    // The rule of tx_schedule: no load while it runs or is about to run.
    if (running_reg || loading) assume (!load);
  end

  localparam [STEP_W-1:0] F_WORD = 8*GROUPS;
  reg [LOAD_CLOCKS-2:0] f_loading = 0;
  reg f_on = 0;
  always @(posedge clk) begin
    f_loading <= rst ? 0 : halt ? {{(LOAD_CLOCKS-2){1'b0}}, load} : {f_loading[LOAD_CLOCKS-3:0], load};
    f_on      <= (f_loading[LOAD_CLOCKS-2] || f_on) && !halt && !rst;
  end

  // ---- the next descriptor, which waits until a frame that is not a rule's starts
  wire       f_turn = start && !rule_due;
  reg        f_have = 0, f_late = 0;
  reg [13:0] f_octets = 54;
  reg [7:0]  f_flow = 0;
  reg [3:0]  f_flags = 0;
  always @(posedge clk) begin
    f_have <= (take || f_have && !f_turn) && !load && !rst;
    if (take) {f_octets, f_flow, f_flags} <= {next_octets, next_flow, next_flags};
    f_late <= (late || f_late) && !start && !load;
  end

  // ---- the ideal schedule: octets from this word to the ideal start of the next frame
  reg [STEP_W-1:0] f_whole = 0;
  reg [FRACTION_W-1:0] f_remainder = 0;
  reg [BURST_W-1:0] f_burst_done = 0;      // frames of the burst that precede the next frame
  reg        f_valid = 0;           // there was a load
  wire       f_due = running_reg && f_whole < F_WORD;
  wire        f_burst_last = burst_frames != 0 && f_burst_done + 1'b1 == burst_frames;
  // (Sums are written in the pacer's order, because a solver cannot reassociate wide adders. That they are the right
  // sums is the guarantee `exact` below.)
  reg         f_phase = 0;          // the phase has begun
  wire        f_begin = f_turn && phase_due;
  wire [GAP_W-1:0] f_gap  = f_phase ? f_p_gap_octets : gap_octets;
  wire [FRACTION_W-1:0] f_numerator   = f_phase ? f_p_numerator : gap_numerator;
  wire [FRACTION_W-1:0] f_denominator = f_phase ? f_p_denominator : gap_denominator;
  wire [FRACTION_W:0] f_sum  = {1'b0, f_remainder} + {1'b0, f_numerator};
  wire [FRACTION_W:0] f_less = {1'b0, f_remainder} + ({1'b0, f_numerator} - {1'b0, f_denominator});
  wire        f_over = !f_less[FRACTION_W];
  wire [FRACTION_W:0] f_rest = f_over ? f_less : f_sum;
  wire [STEP_W-1:0] f_frame = {{(STEP_W-14){1'b0}}, rule_due ? rule_octets : f_octets};
  wire [STEP_W-1:0] f_pitch_m_word = f_burst_last ? f_frame + (REST + {2'd0, burst_gap_octets})
                             : f_begin ? f_frame + (REST + {2'd0, f_p_gap_octets})      // 0 + numerator does not carry
                             : f_over ? f_frame + (REST + {2'd0, f_gap} + ONE)
                             : f_frame + (REST + {2'd0, f_gap});
  always @(posedge clk)
    if (rst) f_valid <= 0;
    else if (load) begin
      f_valid      <= 1;
      f_whole      <= {2'd0, start_offset};
      f_remainder  <= 0;
      f_burst_done <= 0;
      f_phase      <= 0;
    end else begin
      if (start)                       f_whole <= f_whole + f_pitch_m_word;
      else if (running_reg && !f_due)  f_whole <= f_whole - F_WORD;
      if (start) f_burst_done <= f_burst_last ? 0 : f_burst_done + 1'b1;
      if (start && !f_burst_last) f_remainder <= f_begin ? f_p_numerator : f_rest[FRACTION_W-1:0];
      if (f_begin && f_burst_last) f_remainder <= 0;
      if (f_begin) f_phase <= 1;
    end

  // ---- distance: octets from the last start to this word, and the least distance between two starts
  reg        f_seen = 0;
  reg [STEP_W:0] f_since = 0, f_need = 0;
  localparam [STEP_W:0] F_SATURATED = 1 << STEP_W;
  always @(posedge clk)
    if (rst || !running_reg) begin
      f_seen  <= 0;
      f_since <= 0;
      f_need  <= 0;
    end else if (start) begin
      f_seen  <= 1;
      f_since <= {1'b0, F_WORD} - {{(STEP_W-5){1'b0}}, group, 3'd0};
      f_need  <= {1'b0, f_pitch_m_word} + {1'b0, F_WORD} - 7;
    end else if (f_since < F_SATURATED)
      f_since <= f_since + {1'b0, F_WORD};

  // ---- guarantees
  reg f_was_held = 0;
  always @(posedge clk) f_was_held <= held && !rst;
  reg f_stopped = 0, f_gave_way = 0;        // it stopped; a descriptor waited for a rule's frame
  always @(posedge clk) f_gave_way <= !load && !f_turn && (rule_begun && f_have || f_gave_way);
  always @(posedge clk) f_stopped <= running_reg && halt && f_seen;
  always @* if (!rst) begin
    // No start is closer to the one before than that frame + 8 + gap - 7 octets.
    spacing: assert (!(start && f_seen) || f_since + {{(STEP_W-5){1'b0}}, group, 3'd0} >= f_need);
    // A start is never 8 or more octets ahead of the ideal schedule, and never behind it.
    early: assert (!start || (f_due && {group, 3'd0} == {f_whole[5:3], 3'd0}));
    // A frame whose ideal start falls into a word starts in that word, if its descriptor is there or it is a rule's, and it is
    // not held.
    on_time: assert (!(f_due && !hold && (f_have || rule_due)) || start);
    // While it is held no frame starts; one that could start but for that is held, and starts as soon as the hold is over.
    held_does_not_start: assert (!(hold && (start || late)) && held == (f_due && hold && (f_have || rule_due)));
    // A frame whose descriptor is not there when it is due is reported as late, once; never if there are only rules.
    late_once: assert (late == (f_due && !hold && !f_have && !rule_due && !f_late && !only_rules));
    // If there are only rules, it says when it waits for one.
    waits_for_rules: assert (waiting == (f_due && only_rules));
    // The ideal schedule advances by exactly frame + 8 + gap + numerator / denominator per frame.
    exact: assert (!running_reg
      || (f_rest < {1'b0, f_denominator} && f_sum == f_rest + (f_over ? {1'b0, f_denominator} : 0)));
    // A phase begins with the frame that starts when it is due and is not a rule's, and with no other.
    phase_in_the_frame: assert (phase_begun == f_begin);
    // A frame that starts when a rule is due is the rule's.
    rule_in_its_place: assert (rule_begun == (f_due && !hold && rule_due)
      && (!rule_begun || (start && octets == rule_octets && flow == rule_flow && flags == rule_flags)));
    // Each other frame is that of the next descriptor taken: none is skipped, none comes twice, whatever rules send.
    order: assert (!start || rule_due || (f_have && octets == f_octets && flow == f_flow && flags == f_flags));
    // A descriptor is taken only if there is one, and room for it.
    take_has_room: assert (!take || (next_valid && (!f_have || f_turn)));
    // It runs from its first word after the load, and only halt ends it.
    runs_until_halt: assert (running_reg == f_on && loading == (f_loading != 0));
    // Frames start, and one follows another.
    frame_follows_frame: cover (start && f_seen);
    // A frame is late, and starts then.
    late_frame_starts: cover (start && f_late);
    // A frame that was held starts.
    held_frame_starts: cover (start && f_was_held);
    // A rule's frame starts while another one is ready, which is not late and starts after it.
    frame_follows_rule: cover (f_turn && f_gave_way && !f_late);
    // A rule's frame starts with no descriptor, as the only frame there is.
    rule_alone: cover (rule_begun && f_seen && only_rules && !f_have);
    // It stops.
    halted: cover (f_stopped);
  end

  // ---- what induction needs to know
`ifdef FORMAL_HELPERS
  always @* if (!rst) begin
    if (running_reg || loading) assert (f_valid);
    assert (prepared_reg == f_have);
    if (f_have) assert (f_octets >= 54);
    if (f_valid) begin
      assert (gap_step_reg      == REST + {2'd0, f_gap});
      assert (gap_step_plus_reg == REST + {2'd0, f_gap} + ONE);
      assert (burst_step_reg    == REST + {2'd0, burst_gap_octets});
      assert (numerator_reg == f_numerator && burst_frames_reg == burst_frames);
      assert (numerator_m_denominator_reg == {1'b0, f_numerator} - {1'b0, f_denominator});
      assert (bursts_reg == (burst_frames != 0));
      assert (late_reg == f_late && f_loading == loading_reg);
      assert (f_remainder < f_denominator);
      assert (burst_frames == 0 || f_burst_done < burst_frames);
      assert (f_whole == ahead_reg && !f_whole[STEP_W-1]);
      assert (only_rules_reg == only_rules);
      if (f_have) assert (octets_reg == f_octets && flow_reg == f_flow && flags_reg == f_flags);
      if (loading_reg[0]) begin
        // The first place is not prepared yet.
        assert (!running_reg && f_remainder == 0 && fraction_reg == 0);
        assert (f_burst_done == 0 && burst_left_reg == burst_frames);
      end else begin
        // The pacer has prepared the gap, the remainder and the burst after the next place.
        // (f_begin, as part of a start, is not known when the gap is prepared.)
        assert (last_reg == f_burst_last);
        assert (step_reg == (f_burst_last ? burst_step_reg : f_over ? gap_step_plus_reg : gap_step_reg));
        assert (fraction_reg == (f_burst_last ? f_remainder : f_rest[FRACTION_W-1:0]));
        assert (burst_frames == 0
                || burst_left_reg == (f_burst_last ? burst_frames : burst_frames - f_burst_done - 1'b1));
      end
      // The next ideal start is at least the pitch after the last start, which was early by up to 7 octets.
      if (f_seen) assert (f_since[2:0] == 0 && f_since < F_SATURATED + {1'b0, F_WORD});
      if (f_seen) assert (f_need < F_SATURATED);
      if (f_seen) assert (f_since >= F_SATURATED || f_since + {1'b0, f_whole} >= f_need + 7);
    end
  end
`endif
