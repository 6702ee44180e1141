// SPDX-License-Identifier: Apache-2.0
// tx_schedule (with tx_pacer, tx_phases and tx_rules) against tx_model.h, frame by frame: when each starts, its tag and its faults,
// where a trial ends by count, duration and stop, phases, rules, tx_send, start offsets, and descriptors that come late. No frame
// contents: see tb_tx. An argument is another seed.
#include "tests/rtl/tx_model.h"
#include <deque>

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif
static const unsigned OCTETS = 8 * TB_GROUPS;
static const unsigned LOAD_CLOCKS = 8; // clocks from the start strobe to the pacer's first word
static const unsigned LATENCY = 13;    // clocks from there to the line
static const unsigned OUT_CLOCKS = 2;  // clocks from the pacer's word to the outputs of its frame
static const unsigned FIRST_DESCRIPTOR = 7;

static Vdut dut;
static Random rng(20260109);
static TxTables tables;
static uint64_t word_time = 5000, late_strobes, rule_frames, sent_frames, only_rule_frames;

static void configure(const TxSettings &s) {
  dut.cfg_start_offset = s.start_offset;
  dut.cfg_gap_octets = s.gap_octets;
  dut.cfg_gap_numerator = (uint32_t)s.gap_numerator;
  dut.cfg_gap_denominator = (uint32_t)s.gap_denominator;
  dut.cfg_burst_frames = (uint32_t)s.burst_frames;
  dut.cfg_burst_gap_octets = s.burst_gap_octets;
  dut.cfg_stop_frames = s.stop_frames;
  dut.cfg_duration = s.duration;
  dut.cfg_tag_enable = s.tag_enable;
  dut.cfg_tag_first = s.tag_first;
  dut.cfg_tag_interval = s.tag_interval;
  dut.cfg_bad_fcs_every = s.bad_fcs_every;
  dut.cfg_phases = (uint8_t)s.phases.size();
  dut.cfg_rules = (uint8_t)s.rules.size();
  dut.cfg_only_rules = s.flows == 0;
}

static void clock_word(uint32_t skip = 0) {
  dut.skip_words = skip;
  tick(dut);
  word_time += 1 + skip;
  dut.word_time = word_time;
  dut.skip_words = 0;
}

static void write_phase(unsigned index, const TxPhase &phase) {
  const uint64_t data[6] = {phase.time,        phase.time >> 32,    phase.gap_octets, phase.gap_octets >> 32,
                            phase.gap_numerator, phase.gap_denominator};
  for (unsigned i = 0; i < 6; i++) {
    dut.phase_index = (uint8_t)index;
    dut.phase_data = (uint32_t)data[i];
    dut.phase_time_we = i < 2 ? 1 << i : 0;
    dut.phase_gap_octets_we = i / 2 == 1 ? 1 << i % 2 : 0;
    dut.phase_gap_numerator_we = i == 4;
    dut.phase_gap_denominator_we = i == 5;
    clock_word();
  }
  dut.phase_gap_denominator_we = 0;
}

static void write_rule(unsigned index, const TxRule &rule) {
  const uint64_t data[5] = {rule.time, rule.time >> 32, rule.period, rule.period >> 32, rule.frame.word()};
  for (unsigned i = 0; i < 5; i++) {
    dut.rule_index = (uint8_t)index;
    dut.rule_data = (uint32_t)data[i];
    dut.rule_time_we = i < 2 ? 1 << i : 0;
    dut.rule_period_we = i / 2 == 1 ? 1 << i % 2 : 0;
    dut.rule_frame_we = i == 4;
    clock_word();
  }
  dut.rule_frame_we = 0;
}

static TxRuleFrame random_frame() {
  return {(unsigned)rng.below(256), (unsigned)(rng.one_in(3) ? rng.below(2000) : rng.below(130)), (unsigned)rng.below(8)};
}

struct Out { // expected at the outputs
  bool valid;
  TxExpected frame;
};

// starve: one in so many descriptors comes late (0: none). stop_clock: clock of a stop strobe, 0: none.
// send: one in so many clocks has a tx_send (0: none).
static void trial(const TxSettings &s, unsigned starve, unsigned stop_clock, bool skip, unsigned send) {
  for (unsigned i = 0; i < s.phases.size(); i++)
    write_phase(i + 1, s.phases[i]);
  for (unsigned i = 0; i < s.rules.size(); i++)
    write_rule(i, s.rules[i]);
  configure(s);
  dut.cfg_enable = 1;
  dut.start = 1;
  uint64_t origin_ot = (word_time + LOAD_CLOCKS + LATENCY) * OCTETS;
  dut.eval();
  check(dut.load, "no load");
  clock_word();
  dut.start = 0;
  configure(TxSettings{}); // latched at the start
  check(dut.start_word * OCTETS == origin_ot, "start_word %" PRIu64, (uint64_t)dut.start_word);

  TxModel model(s, tables, OCTETS);
  TxSequence sequence(s, tables);
  TxSequence::Frame next = s.flows ? sequence.next() : TxSequence::Frame{0, 0};
  std::deque<Out> out(OUT_CLOCKS, Out{false, {}});
  bool prepared = false, open = true, was_late = false;
  unsigned wait = 0, frames = 0, quiet_clocks = 0;
  uint64_t word = 0; // word of the pacer, from the origin
  for (uint64_t clock = 1; clock < 4000000; clock++) {
    bool on = clock >= LOAD_CLOCKS;
    dut.stop = stop_clock && clock == stop_clock;
    dut.next_valid = s.flows && clock >= FIRST_DESCRIPTOR && wait == 0;
    wait -= wait > 0;
    const TxFlow &flow = tables.flows[next.flow];
    dut.next_flow = (uint8_t)next.flow;
    dut.next_octets = (uint16_t)next.octets;
    dut.next_flags = (uint8_t)(flow.is_unsigned | flow.bad_fcs << 1 | flow.bad_end << 2);
    const TxRuleFrame asked_for = random_frame();
    dut.send_we = send && rng.one_in(send);
    dut.rule_data = asked_for.word();
    const bool accepted = dut.send_we && !model.asked();
    dut.eval();
    // move of the pacer in this clock
    Out now{false, {}};
    bool due = on && open && model.start() / OCTETS <= word;
    const bool by_rule = due && model.rule_due();
    if (due && (prepared || by_rule)) {
      const bool was_asked = model.asked();
      now.valid = open = model.next(now.frame);
      if (dut.stop)
        now.valid = false;
      was_late = false;
      prepared = prepared && by_rule;
      rule_frames += now.valid && by_rule && !was_asked;
      sent_frames += now.valid && was_asked;
      only_rule_frames += now.valid && s.flows == 0;
      frames += now.valid;
      quiet_clocks = 0;
      if (s.stop_frames && frames == s.stop_frames)
        open = false;
    } else if (due) {
      check(dut.late == (s.flows && !was_late), "late %d", dut.late);
      late_strobes += dut.late;
      was_late = true;
      model.slide();
    } else if (open) {
      check(!dut.late, "late, but not due");
    }
    if (accepted)
      model.ask(asked_for);
    if (on && s.duration && word >= (s.duration + 7) / OCTETS) // the word in which it ends
      open = false;
    if (dut.stop)
      open = false;
    if (dut.next_valid && !prepared) {
      if (open)
        check(dut.take, "does not take a descriptor");
      prepared = true;
      next = sequence.next();
      wait = starve && rng.one_in(starve) ? (unsigned)rng.between(1, 30) : 0;
    }
    // decision of OUT_CLOCKS ago
    const Out &then = out.front();
    check(dut.frame_valid == then.valid, "frame_valid %d in word %" PRIu64, dut.frame_valid, word);
    if (then.valid) {
      const TxExpected &f = then.frame;
      check(dut.frame_time == ((origin_ot + f.start_ot) / 8 & 0xFFFFFFFFFF) &&
                (TB_GROUPS == 1 || dut.frame_group == f.start_ot / 8 % TB_GROUPS),
            "time of frame %u", frames);
      check(dut.frame_flow == f.flow && dut.frame_octets == f.octets, "flow or octets of frame %u", frames);
      check(dut.frame_tag == f.tag && dut.frame_bad_fcs == f.bad_fcs, "tag or FCS of frame %u", frames);
      check(dut.frame_unsigned == (f.flags & 1) && dut.frame_bad_end == f.flags >> 2, "kind of frame %u", frames);
    }
    out.pop_front();
    out.push_back(now);
    bool quiet = !open && std::none_of(out.begin(), out.end(), [](const Out &o) { return o.valid; });
    if (quiet && !dut.active)
      break;
    // the skip is that of tx: not while a frame is in the pipe
    uint32_t words = skip && starve == 0 && !dut.stop && !accepted && ++quiet_clocks > 16 ? dut.idle_words : 0;
    words = words && words != 0xFFFFFFFF ? (uint32_t)rng.between(0, words) : 0;
    if (due && was_late)
      model.slide(words); // only rules: it waits
    word += on ? 1 + words : 0;
    clock_word(on ? words : 0);
  }
  dut.stop = dut.send_we = 0;
  check(!dut.active, "goes on after the end");
  for (int i = 0; i < 30; i++) {
    clock_word();
    check(!dut.frame_valid && !dut.active && !dut.late, "something after the end");
  }
}

static TxSettings random_settings() {
  TxSettings s;
  s.frame_octets = (unsigned)rng.between(54, rng.one_in(3) ? 2000 : 130);
  s.flows = (unsigned)rng.between(1, 6);
  s.order = (unsigned)rng.below(2);
  s.gap_octets = rng.one_in(2) ? rng.between(11, 12) : rng.between(11, 1500);
  s.gap_denominator = rng.between(1, 30);
  s.gap_numerator = rng.below(s.gap_denominator);
  if (rng.one_in(3)) {
    s.burst_frames = rng.between(1, 6);
    s.burst_gap_octets = rng.between(11, 900);
  }
  s.stop_frames = rng.between(1, 120);
  if (rng.one_in(3))
    s.duration = rng.between(1, 30000);
  if (rng.one_in(3))
    s.start_offset = rng.below(5000);
  s.tag_enable = rng.one_in(2);
  s.tag_first = rng.below(5000);
  s.tag_interval = rng.below(2000);
  s.bad_fcs_every = (uint32_t)rng.below(5);
  if (rng.one_in(2))
    for (unsigned n = (unsigned)rng.between(1, 7); n > 0; n--) {
      uint64_t denominator = rng.between(1, 12);
      s.phases.push_back({rng.below(40000), rng.between(11, rng.one_in(2) ? 12 : 2000), rng.below(denominator),
                          denominator});
    }
  if (rng.one_in(2))
    for (unsigned n = (unsigned)rng.between(1, 4); n > 0; n--) {
      TxRule rule;
      rule.time = rng.below(rng.one_in(2) ? 300 : 20000);
      rule.period = rng.one_in(4) ? 0 : rng.one_in(3) ? rng.between(1, 60) : rng.between(60, 9000); // small ones: less than a frame
      rule.frame = random_frame();
      s.rules.push_back(rule);
    }
  if (rng.one_in(7)) { // only rules and tx_send
    s.flows = 0;
    s.duration = rng.between(1, 30000);
  }
  return s;
}

// A frame of the rule is the first one in each of its periods, to the group, and without the rules' frames the test frames are
// those of a trial without rules, in their order. Truth: periods counted, not the model.
static void first_in_each_period() {
  for (unsigned i = 0; i < 100; i++) {
    TxSettings s;
    s.frame_octets = (unsigned)rng.between(54, 400);
    s.gap_octets = rng.between(11, 900);
    s.stop_frames = 300;
    TxRule rule;
    rule.time = rng.below(3000);
    rule.period = rng.between(16 * OCTETS + 8 + 2 * (400 + 8 + 900), 20000); // no two in less than the guard
    rule.frame = {77, (unsigned)rng.between(54, 400), 0};
    s.rules = {rule};
    write_rule(0, rule);
    configure(s);
    dut.cfg_enable = dut.start = 1;
    const uint64_t origin = (word_time + LOAD_CLOCKS + LATENCY) * TB_GROUPS; // time in groups
    clock_word();
    dut.start = 0;
    uint64_t periods = 0;                 // periods that have begun with a frame of the rule
    unsigned turn = 0, frames = 0;
    for (unsigned clock = 1, made = 0; frames < s.stop_frames && clock < 4000000; clock++) {
      dut.next_valid = clock >= FIRST_DESCRIPTOR;
      dut.next_octets = (uint16_t)s.frame_octets;
      dut.next_flow = (uint8_t)(made % 64);
      dut.next_flags = 0;
      dut.eval();
      made += dut.take;
      if (dut.frame_valid) {
        const uint64_t at = (dut.frame_time - origin) * 8;
        const bool first = at >= rule.time + periods * rule.period;
        check(first ? dut.frame_flow == 77 && dut.frame_octets == rule.frame.octets
                    : dut.frame_flow == turn % 64 && dut.frame_octets == s.frame_octets,
              "flow %u at octet %" PRIu64 ", frame %u", dut.frame_flow, at, frames);
        periods += first;
        turn += !first;
        frames++;
      }
      clock_word();
    }
    check(frames == s.stop_frames && periods > 0, "%u frames, %" PRIu64 " of the rule", frames, periods);
    for (unsigned n = 0; n < 40; n++) {
      clock_word();
      check(!dut.frame_valid && !dut.active, "something after the last frame");
    }
  }
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20260109;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.start = dut.stop = dut.cfg_enable = dut.next_valid = dut.pipe_busy = 0;
  dut.cfg_rules = dut.rule_time_we = dut.rule_period_we = dut.rule_frame_we = dut.send_we = dut.cfg_only_rules = 0;
  dut.phase_time_we = dut.phase_gap_octets_we = dut.phase_gap_numerator_we = dut.phase_gap_denominator_we = 0;
  dut.skip_words = 0;
  dut.word_time = word_time;
  configure(TxSettings{});
  reset(dut);
  for (int i = 0; i < 2000; i++) {
    for (unsigned n = 0; n < 6; n++) {
      TxFlow &f = tables.flows[n];
      f.how = rng.one_in(2) ? 3 : 0; // drawn lengths need no table
      f.first = 54;
      f.count = (unsigned)rng.between(1, rng.one_in(4) ? 16330 : 100);
      f.is_unsigned = rng.one_in(2);
      f.bad_fcs = rng.one_in(4);
      f.bad_end = rng.one_in(2);
    }
    TxSettings s = random_settings();
    // One after another: compilers evaluate arguments in different orders.
    const unsigned starve = rng.one_in(3) ? (unsigned)rng.between(1, 20) : 0;
    const unsigned stop_clock = rng.one_in(4) ? (unsigned)rng.between(1, 300) : 0;
    const bool skip = rng.one_in(2);
    trial(s, starve, stop_clock, skip, rng.one_in(3) ? (unsigned)rng.between(1, 60) : 0);
  }
  printf("%" PRIu64 " frames were late\n", late_strobes);
  check(late_strobes > 100, "only %" PRIu64 " frames were late", late_strobes);
  check(rule_frames > 1000 && sent_frames > 1000 && only_rule_frames > 1000,
        "a case hardly happened: %" PRIu64 " %" PRIu64 " %" PRIu64, rule_frames, sent_frames, only_rule_frames);
  first_in_each_period();
  return finish("tx_schedule");
}
