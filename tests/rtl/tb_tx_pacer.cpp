// SPDX-License-Identifier: Apache-2.0
// tx_pacer against the closed forms of the schedule (tx_model.h): every start in its word and group with its
// descriptor, and no others, with any length for each frame, extreme fractions, bursts, start offsets, skipped words,
// halts in any clock, and descriptors that come late. hw/formal proves it; this runs it. An argument is another seed.
#include "tests/rtl/tx_model.h"
#include <algorithm>

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif
static const unsigned OCTETS = 8 * TB_GROUPS;
static const unsigned LOAD_CLOCKS = 8; // clocks from load to the origin

static Vdut dut;
static Random rng(20260103);

struct Descriptor {
  unsigned flow, octets, flags;
};

static void configure(const TxSettings &s) {
  dut.start_offset = s.start_offset;
  dut.gap_octets = s.gap_octets;
  dut.gap_numerator = (uint32_t)s.gap_numerator;
  dut.gap_denominator = (uint32_t)s.gap_denominator;
  dut.burst_frames = (uint32_t)s.burst_frames;
  dut.burst_gap_octets = s.burst_gap_octets;
}

static void offer(const Descriptor &d) {
  dut.next_valid = 1;
  dut.next_flow = (uint8_t)d.flow;
  dut.next_octets = (uint16_t)d.octets;
  dut.next_flags = (uint8_t)d.flags;
}
static void offer_nothing() {
  offer({(unsigned)rng.below(256), (unsigned)rng.below(16384), (unsigned)rng.below(8)});
  dut.next_valid = 0;
}

static void load(const TxSettings &s) {
  configure(s);
  offer_nothing();
  dut.load = 1;
  tick(dut);
  dut.load = 0;
  configure(TxSettings{}); // latched at load
}

static void halt() {
  dut.halt = 1;
  tick(dut);
  dut.halt = 0;
  for (unsigned i = 0; i < LOAD_CLOCKS + 2; i++) {
    check(!dut.running && !dut.loading && !dut.start && !dut.late, "goes on after halt");
    tick(dut);
  }
}

// lengths: the frames have lengths of their own; starve: one in so many descriptors comes late (0: none).
// holds: one in so many frames is held when it is due, or the port before (0: none).
static void trial(TxSettings s, uint64_t frames, bool skip, bool lengths, unsigned starve, unsigned holds = 0) {
  auto descriptor = [&] {
    unsigned octets = s.frame_octets;
    if (lengths)
      octets = rng.one_in(4) ? (unsigned)rng.between(54, 16383) : (unsigned)rng.between(54, 130);
    return Descriptor{(unsigned)rng.below(256), octets, (unsigned)rng.below(8)};
  };
  load(s);
  // The next descriptor is there in the last clock before the origin at the latest.
  Descriptor next = descriptor(), prepared{};
  unsigned early = (unsigned)rng.between(1, LOAD_CLOCKS - 1);
  for (unsigned i = 1; i < LOAD_CLOCKS; i++) {
    if (i == early)
      offer(next);
    dut.eval();
    check(dut.loading && !dut.running && !dut.start && dut.take == (i == early), "clock %u after load", i);
    if (i == early)
      prepared = next, next = descriptor();
    tick(dut);
    offer_nothing();
  }
  TxPacing pacing(s, OCTETS);
  uint64_t n = 0, word = 0, late_words = 0, closed_form = 0;
  bool is_prepared = true, was_late = false;
  unsigned wait = 0; // clocks until the next descriptor is there
  unsigned hold = 0; // clocks
  while (n < frames) {
    if (wait == 0)
      offer(next);
    else
      offer_nothing(), wait--;
    dut.skip_words = 0;
    if (hold == 0 && holds && rng.one_in(holds)) hold = (unsigned)rng.between(1, rng.one_in(3) ? 200 : 5);
    dut.hold = hold > 0;
    hold -= hold > 0;
    dut.eval();
    uint64_t ideal = pacing.ideal() + late_words * OCTETS;
    bool place = ideal / OCTETS == word, due = place && !dut.hold;
    check(dut.held == (place && dut.hold && is_prepared), "frame %" PRIu64 ": held %d", n, dut.held);
    if (!lengths && late_words == 0)
      closed_form += check(pacing.ideal() == tx_ideal_start(s, n), "the two models differ");
    check(dut.running && dut.ahead_octets == ideal - word * OCTETS,
          "ahead %" PRIu64 " in word %" PRIu64 ", ideal start %" PRIu64, (uint64_t)dut.ahead_octets, word, ideal);
    if (!check(dut.start == (due && is_prepared),
               "frame %" PRIu64 ": start %d in word %" PRIu64 ", ideal start %" PRIu64, n, dut.start, word, ideal))
      break;
    check(dut.late == (due && !is_prepared && !was_late), "frame %" PRIu64 ": late %d", n, dut.late);
    was_late = place && !is_prepared && (was_late || !dut.hold);
    late_words += place && !(due && is_prepared); // the whole schedule is a word later
    bool started = due && is_prepared;
    if (started) {
      check(dut.group == ideal % OCTETS / 8, "frame %" PRIu64 ": group %u, ideal start %" PRIu64, n, dut.group, ideal);
      check(dut.flow == prepared.flow && dut.octets == prepared.octets && dut.flags == prepared.flags,
            "frame %" PRIu64 ": descriptor of another frame", n);
      pacing.done(prepared.octets);
      n++;
      is_prepared = false;
    }
    bool take = dut.next_valid && !is_prepared;
    check(dut.take == take, "frame %" PRIu64 ": take %d", n, dut.take);
    if (take) {
      prepared = next;
      next = descriptor();
      is_prepared = true;
      wait = starve && rng.one_in(starve) ? (unsigned)rng.between(1, 40) : 0;
    }
    uint64_t ahead_words = ideal / OCTETS - word; // skipping one word less leaves the frame in a word of its own
    dut.skip_words =
        !place && skip && ahead_words > 1 && !dut.hold ? (uint32_t)rng.below(std::min<uint64_t>(ahead_words, 1u << 31)) : 0;
    word += 1 + dut.skip_words;
    tick(dut);
  }
  check(starve == 0 || lengths || late_words != 0 || closed_form != 0, "nothing was compared");
  dut.skip_words = 0;
  dut.hold = 0;
  halt();
}

static TxSettings random_settings() {
  TxSettings s;
  s.frame_octets = rng.one_in(10) ? 16383 : (unsigned)rng.between(54, rng.one_in(3) ? 9216 : 130);
  s.gap_octets = rng.one_in(3) ? rng.between(11, 12) : rng.between(11, 3000);
  s.gap_denominator = rng.one_in(2) ? rng.between(1, 9) : rng.between(1, 0xFFFFFFFF);
  s.gap_numerator = rng.one_in(6) ? s.gap_denominator - 1 : rng.below(s.gap_denominator);
  if (rng.one_in(2)) {
    s.burst_frames = rng.between(1, 6);
    s.burst_gap_octets = rng.one_in(2) ? 11 : rng.between(11, 5000);
  }
  if (rng.one_in(3))
    s.start_offset = rng.below(rng.one_in(2) ? 200 : 20000);
  return s;
}

static void halts_before_the_origin() {
  for (unsigned clocks = 0; clocks < LOAD_CLOCKS; clocks++) {
    load(TxSettings{});
    offer({1, 64, 0});
    for (unsigned i = 0; i < clocks; i++)
      tick(dut);
    halt();
  }
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20260103;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.load = dut.halt = dut.next_valid = dut.phase_due = dut.rule_due = dut.only_rules = dut.hold = 0; // phases: tb_tx_schedule, tb_tx
  dut.skip_words = 0;
  configure(TxSettings{});
  reset(dut);
  for (int i = 0; i < 3000; i++) {
    TxSettings s = random_settings();
    trial(s, rng.between(1, 120), rng.one_in(2), rng.one_in(2), rng.one_in(4) ? (unsigned)rng.between(1, 20) : 0,
          rng.one_in(2) ? (unsigned)rng.between(2, 60) : 0);
  }
  TxSettings far; // settings beyond 32 bits of words
  far.gap_octets = (1ull << 40) - 1;
  far.gap_numerator = 0xFFFFFFFE;
  far.gap_denominator = 0xFFFFFFFF;
  trial(far, 6, true, false, 0);
  far.start_offset = (1ull << 40) - 1;
  trial(far, 6, true, true, 0);
  halts_before_the_origin();
  return finish("tx_pacer");
}
