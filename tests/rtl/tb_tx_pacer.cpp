// SPDX-License-Identifier: Apache-2.0
// tx_pacer against the closed form of the schedule (tx_model.h): every start in its word and group, and no others, with
// extreme fractions, bursts, skipped words, and halts in any clock. hw/formal proves it; this runs it.
#include "tests/rtl/tx_model.h"
#include <algorithm>

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif
static const unsigned OCTETS = 8 * TB_GROUPS;

static Vdut dut;
static Random rng(20260103);

static void configure(const TxSettings &s) {
  dut.frame_octets = (uint16_t)s.frame_octets;
  dut.gap_octets = s.gap_octets;
  dut.gap_numerator = (uint32_t)s.gap_numerator;
  dut.gap_denominator = (uint32_t)s.gap_denominator;
  dut.burst_frames = (uint32_t)s.burst_frames;
  dut.burst_gap_octets = s.burst_gap_octets;
}

static void load(const TxSettings &s) {
  configure(s);
  dut.load = 1;
  tick(dut);
  dut.load = 0;
  configure(TxSettings{}); // latched at load
  check(!dut.running && !dut.start, "runs in the first clock after load");
  tick(dut);
  check(dut.running, "does not run in the second clock after load");
}

static void halt() {
  dut.halt = 1;
  tick(dut);
  dut.halt = 0;
  for (int i = 0; i < 5; i++) {
    check(!dut.running && !dut.start, "goes on after halt");
    tick(dut);
  }
}

static void trial(const TxSettings &s, uint64_t frames, bool skip) {
  load(s);
  uint64_t n = 0, word = 0;
  while (n < frames) {
    uint64_t ideal = tx_ideal_start(s, n);
    bool due = ideal / OCTETS == word;
    check(dut.running && dut.ahead_octets == ideal - word * OCTETS,
          "ahead %" PRIu64 " in word %" PRIu64 ", ideal start %" PRIu64, (uint64_t)dut.ahead_octets, word, ideal);
    if (!check(dut.start == due, "frame %" PRIu64 ": start %d in word %" PRIu64 ", ideal start %" PRIu64 ", %u octets",
               n, dut.start, word, ideal, s.frame_octets))
      break;
    if (due) {
      check(dut.group == ideal % OCTETS / 8, "frame %" PRIu64 ": group %u, ideal start %" PRIu64, n, dut.group, ideal);
      n++;
    }
    uint64_t ahead_words = ideal / OCTETS - word; // skipping one word less leaves the frame in a word of its own
    dut.skip_words =
        !due && skip && ahead_words > 1 ? (uint32_t)rng.below(std::min<uint64_t>(ahead_words, 1u << 31)) : 0;
    word += 1 + dut.skip_words;
    tick(dut);
    dut.skip_words = 0;
    dut.eval();
  }
  halt();
}

int main() {
  dut.load = dut.halt = 0;
  dut.skip_words = 0;
  configure(TxSettings{});
  reset(dut);
  for (int i = 0; i < 3000; i++) {
    TxSettings s;
    s.frame_octets = rng.one_in(10) ? 16383 : (unsigned)rng.between(54, rng.one_in(3) ? 9216 : 130);
    s.gap_octets = rng.one_in(3) ? rng.between(11, 12) : rng.between(11, 3000);
    s.gap_denominator = rng.one_in(2) ? rng.between(1, 9) : rng.between(1, 0xFFFFFFFF);
    s.gap_numerator = rng.one_in(6) ? s.gap_denominator - 1 : rng.below(s.gap_denominator);
    if (rng.one_in(2)) {
      s.burst_frames = rng.between(1, 6);
      s.burst_gap_octets = rng.one_in(2) ? 11 : rng.between(11, 5000);
    }
    trial(s, rng.between(1, 120), rng.one_in(2));
  }
  TxSettings far; // beyond 32 bits of words
  far.gap_octets = (1ull << 40) - 1;
  far.gap_numerator = 0xFFFFFFFE;
  far.gap_denominator = 0xFFFFFFFF;
  trial(far, 6, true);
  return finish("tx_pacer");
}
