// SPDX-License-Identifier: Apache-2.0
// What tx_pacer guarantees. Included inside the module, by hw/formal only.
//   spacing  no start is closer to the one before than frame + 8 + gap - 7 octets, gap being the one between them;
//   early    a start is never 8 or more octets ahead of the ideal schedule, and never behind it;
//   late     while the pacer runs, a frame whose ideal start falls into a word starts in that word;
//   exact    the ideal schedule advances by exactly frame + 8 + gap + numerator / denominator per frame.
// The ideal schedule is kept here in a different way than in the pacer: not one step ahead but at the next frame
// itself, as an exact rational position (whole octets and a remainder over the denominator), and bursts are counted
// upwards.
  initial assume (rst);
  always @* begin
    assume (frame_octets >= 54);
    assume (gap_octets >= 11);
    assume (burst_gap_octets >= 11);
    assume (gap_numerator < gap_denominator);
    // As in tx_schedule: no load while it runs or is about to run.
    if (running_reg || load1_reg) assume (!load);
  end

  localparam [41:0] F_WORD = 8*GROUPS;
  reg f_loaded = 0, f_on = 0;
  always @(posedge clk) begin
    f_loaded <= load && !rst;
    f_on     <= (f_loaded || f_on) && !halt && !rst;
  end

  // ---- the ideal schedule: octets from this word to the ideal start of the next frame
  reg [41:0] f_whole = 0;
  reg [31:0] f_remainder = 0;
  reg [31:0] f_burst_done = 0;      // frames of the burst that precede the next frame
  wire        f_burst_last = burst_frames != 0 && f_burst_done + 32'd1 == burst_frames;
  // (Sums are written in the pacer's order, because a solver cannot reassociate wide adders. That they are the right
  // sums is the guarantee `exact` below.)
  wire [32:0] f_sum  = {1'b0, f_remainder} + {1'b0, gap_numerator};
  wire [32:0] f_less = {1'b0, f_remainder} + ({1'b0, gap_numerator} - {1'b0, gap_denominator});
  wire        f_over = !f_less[32];
  wire [32:0] f_rest = f_over ? f_less : f_sum;
  wire [41:0] f_frame_m_word = {28'd0, frame_octets} + 42'd8 - F_WORD;
  wire [41:0] f_pitch_m_word = f_burst_last ? f_frame_m_word + {2'd0, burst_gap_octets}
                             : f_over ? f_frame_m_word + {2'd0, gap_octets} + 42'd1
                             : f_frame_m_word + {2'd0, gap_octets};
  always @(posedge clk)
    if (rst || !running_reg) begin
      f_whole      <= 0;
      f_remainder  <= 0;
      f_burst_done <= 0;
    end else begin
      f_whole <= f_whole + (start ? f_pitch_m_word : -F_WORD);
      if (start) f_burst_done <= f_burst_last ? 32'd0 : f_burst_done + 32'd1;
      if (start && !f_burst_last) f_remainder <= f_rest[31:0];
    end

  // ---- distance: octets from the last start to this word, and the least distance between two starts
  reg        f_seen = 0;
  reg [42:0] f_since = 0, f_need = 0;
  localparam [42:0] F_SATURATED = 43'd1 << 42;
  always @(posedge clk)
    if (rst || !running_reg) begin
      f_seen  <= 0;
      f_since <= 0;
      f_need  <= 0;
    end else if (start) begin
      f_seen  <= 1;
      f_since <= {1'b0, F_WORD} - {37'd0, group, 3'd0};
      f_need  <= {1'b0, f_pitch_m_word} + {1'b0, F_WORD} - 43'd7;
    end else if (f_since < F_SATURATED)
      f_since <= f_since + {1'b0, F_WORD};

  // ---- guarantees
  always @* if (!rst) begin
    if (start && f_seen) assert (f_since + {37'd0, group, 3'd0} >= f_need);                 // spacing
    if (start) assert (f_whole < F_WORD && {group, 3'd0} == {f_whole[5:3], 3'd0});          // early
    if (running_reg && f_whole < F_WORD) assert (start);                                   // late
    if (running_reg)                                                                       // exact
      assert (f_rest < {1'b0, gap_denominator} && f_sum == f_rest + (f_over ? {1'b0, gap_denominator} : 33'd0));
    assert (running_reg == f_on);                                                          // only halt ends it
  end

  // ---- what induction needs to know
  always @* if (!rst) begin
    if (running_reg || load1_reg) begin
      assert (gap_step_reg      == f_frame_m_word + {2'd0, gap_octets});
      assert (gap_step_plus_reg == f_frame_m_word + {2'd0, gap_octets} + 42'd1);
      assert (burst_step_reg    == f_frame_m_word + {2'd0, burst_gap_octets});
      assert (numerator_reg == gap_numerator && burst_frames_reg == burst_frames);
      assert (numerator_m_denominator_reg == {1'b0, gap_numerator} - {1'b0, gap_denominator});
      assert (bursts_reg == (burst_frames != 0));
    end
    assert (!(running_reg && load1_reg) && load1_reg == f_loaded);
    if (load1_reg) assert (fraction_reg == 0 && burst_left_reg == burst_frames);
    if (running_reg) begin
      assert (f_remainder < gap_denominator);
      assert (burst_frames == 0 || f_burst_done < burst_frames);
      assert (f_whole == ahead_reg && !f_whole[41]);
      // The pacer is one frame ahead: it has prepared the step, the remainder and the burst after the next frame.
      assert (step_reg == (f_burst_last ? burst_step_reg : f_over ? gap_step_plus_reg : gap_step_reg));
      assert (fraction_reg == (f_burst_last ? f_remainder : f_rest[31:0]));
      assert (burst_frames == 0
              || burst_left_reg == (f_burst_last ? burst_frames : burst_frames - f_burst_done - 32'd1));
      // The next ideal start is at least the pitch after the last start, which was early by up to 7 octets.
      if (f_seen) assert (f_since[2:0] == 0 && f_since < F_SATURATED + {1'b0, F_WORD} && f_need < F_SATURATED);
      if (f_seen) assert (f_since >= F_SATURATED || f_since + {1'b0, f_whole} >= f_need + 43'd7);
    end
  end
