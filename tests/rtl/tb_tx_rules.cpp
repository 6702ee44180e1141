// SPDX-License-Identifier: Apache-2.0
// tx_rules against times in plain arithmetic: in every word and group, whether a rule's frame is due and which one, with frames
// that start then or later, periods shorter than anything, equal times, tx_send in any clock, far times and skipped words.
// An argument is another seed.
#include "tests/rtl/tb.h"
#include "tests/rtl/tx_rules_model.h"

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif

static const unsigned LOAD_CLOCKS = 8, ENTRIES = 4, NO_SKIP_CLOCKS = 16; // no words are skipped while a frame is in the pipe
static const uint64_t WORD_OCTETS = 8 * TB_GROUPS;

static Vdut dut;
static Random rng(20261123);
static uint64_t begins[ENTRIES], sends, ignored, sends_before_rules, ties, far_begins, once;

static void idle_inputs() {
  dut.load = dut.running = dut.active = dut.begun = dut.group = 0;
  dut.skip_words = 0;
  dut.rule_time_we = dut.rule_period_we = dut.rule_frame_we = dut.send_we = 0;
}

// The two halves of a wide register come one by one, in any order.
static void write_halves(unsigned index, uint64_t value, bool is_time) {
  const unsigned first = rng.one_in(2) ? 1 : 0;
  for (unsigned i = 0; i < 2; i++) {
    const unsigned half = first ^ i;
    dut.rule_index = (uint8_t)index;
    dut.rule_data = (uint32_t)(value >> (32 * half)) | (half ? (uint32_t)rng.next() << 24 : 0); // bits that are not used
    (is_time ? dut.rule_time_we : dut.rule_period_we) = (uint8_t)(1u << half);
    tick(dut);
    idle_inputs();
  }
}

static void write_rule(unsigned index, const TxRule &rule) {
  write_halves(index, rule.time, true);
  write_halves(index, rule.period, false);
  dut.rule_index = (uint8_t)index;
  dut.rule_data = rule.frame.word() | (uint32_t)rng.next() << 27;
  dut.rule_frame_we = 1;
  tick(dut);
  idle_inputs();
}

static TxRuleFrame random_frame() {
  return {(unsigned)rng.below(256), (unsigned)(rng.one_in(3) ? rng.below(60) : rng.below(16384)), (unsigned)rng.below(8)};
}

static TxRule random_rule(uint64_t after) {
  TxRule rule;
  rule.time = after + rng.below(rng.one_in(2) ? 100 : 6000);
  rule.period = rng.one_in(4)   ? 0
                : rng.one_in(2) ? rng.between(1, 40) // it is always overdue
                                : rng.between(1, 4 * 16 * WORD_OCTETS);
  rule.frame = random_frame();
  return rule;
}

static void check_frame(const TxRuleFrame &frame) {
  check(dut.flow == frame.flow && dut.octets == frame.sent_octets() && dut.flags == frame.flags,
        "flow %u, octets %u, flags %u; expected %u, %u, %u", dut.flow, dut.octets, dut.flags, frame.flow, frame.sent_octets(),
        frame.flags);
}

static void load(unsigned rules) {
  dut.cfg_rules = (uint8_t)rules;
  dut.load = 1;
  tick(dut);
  idle_inputs();
  dut.cfg_rules = (uint8_t)rng.below(8); // latched
}

// start: one in so many due frames starts. send: one in so many clocks asks for a frame (0: none).
static void trial(unsigned clocks, unsigned start, unsigned send) {
  const unsigned asked = (unsigned)rng.below(8), rules = asked > ENTRIES ? ENTRIES : asked;
  const uint64_t far = rng.one_in(3) ? rng.below(1ull << 50) : 0; // where its rules are
  std::vector<TxRule> table;
  for (unsigned i = 0; i < ENTRIES; i++) {
    TxRule rule = random_rule(far);
    if (!table.empty() && rng.one_in(4)) rule.time = table[0].time;
    write_rule(i, rule);
    if (i < rules) table.push_back(rule);
  }
  dut.active = 0;
  dut.send_we = 1;                                               // not sending: ignored
  dut.rule_data = (uint32_t)rng.next();
  tick(dut);
  idle_inputs();
  load(asked);
  TxRulesModel model(table, WORD_OCTETS);
  uint64_t word = 0, quiet = 0;
  for (unsigned clock = 1; clock < LOAD_CLOCKS + clocks; clock++) {
    const bool running = clock >= LOAD_CLOCKS;
    idle_inputs();
    dut.active = 1;
    dut.running = running;
    const uint64_t far_word = far / WORD_OCTETS, to_far = word < far_word ? far_word - word : 0;
    const bool ask = send && rng.one_in(send);
    if (running && quiet > NO_SKIP_CLOCKS && !model.asked() && !ask)
      dut.skip_words = to_far > 1 ? (uint32_t)(to_far - 1 < 0xFFFFFFFEull ? to_far - 1 : 0xFFFFFFFEull)
                       : rng.one_in(10) ? (uint32_t)rng.below(20) : 0;
    dut.group = TB_GROUPS == 1 ? 0 : (uint8_t)rng.below(TB_GROUPS);
    const uint64_t at = word * WORD_OCTETS + 8 * dut.group;
    const TxRuleFrame asked_for = random_frame();
    dut.send_we = ask;
    dut.rule_data = ask ? asked_for.word() : (uint32_t)rng.next();
    dut.eval();
    if (running) {
      const bool due = model.due(at);
      check(dut.due == due, "due %d at octet %" PRIu64 ", clock %u", dut.due, at, clock);
      if (due) check_frame(model.frame());
      if (dut.wait_words)
        check(dut.wait_words == 0xFFFFFFFF ? !model.due((word + 1) * WORD_OCTETS - 8)
                                           : !model.due((word + dut.wait_words) * WORD_OCTETS - 8),
              "%u words to wait at octet %" PRIu64, dut.wait_words, at);
      if (due && rng.one_in(start)) {
        dut.begun = 1;
        dut.skip_words = 0;
        sends += model.asked();
        sends_before_rules += model.asked() && model.rule_due(at);
        if (!model.asked()) {
          begins[model.candidate()]++;
          ties += model.is_tie();
          far_begins += far >> 32 != 0;
          once += table[model.candidate()].period == 0;
        }
      }
    }
    ignored += ask && model.asked();
    const bool accepted = ask && !model.asked();
    if (dut.begun) model.begun(word);
    if (accepted) model.ask(asked_for);
    quiet = dut.begun ? 0 : quiet + 1;
    if (running) word += (uint64_t)dut.skip_words + 1;
    tick(dut);
  }
  idle_inputs();
}

// A frame that was asked for in a trial and never began is forgotten.
static void load_forgets_a_frame() {
  load(0);
  dut.active = dut.send_we = 1;
  tick(dut);
  idle_inputs();
  dut.eval();
  check(dut.due, "a frame was asked for");
  load(0);
  for (unsigned i = 0; i < 40; i++) {
    dut.running = dut.active = 1;
    dut.eval();
    check(!dut.due, "a frame of the trial before");
    tick(dut);
  }
  idle_inputs();
}

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20261123;
  rng = Random(seed);
  printf("seed %" PRIu64 "\n", seed);
  idle_inputs();
  dut.cfg_rules = 0;
  reset(dut);
  for (unsigned i = 0; i < 1500; i++)
    trial((unsigned)rng.between(20, 2500), rng.one_in(2) ? 1 : (unsigned)rng.between(1, 30),
          rng.one_in(2) ? 0 : (unsigned)rng.between(1, 100));
  load_forgets_a_frame();
  for (unsigned i = 0; i < ENTRIES; i++)
    check(begins[i] > 100, "rule %u sent %" PRIu64 " frames", i, begins[i]);
  check(sends > 100 && ignored > 100 && sends_before_rules > 100 && ties > 100 && far_begins > 100 && once > 100,
        "a case hardly happened: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, sends, ignored,
        sends_before_rules, ties, far_begins, once);
  return finish("tx_rules");
}
