// SPDX-License-Identifier: Apache-2.0
// line_meter against the reader of line_model.h: every counter in every clock, with clears in random clocks.
#include "Vdut.h"
#include "rx_traffic.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
#include <deque>

using namespace line;

static constexpr size_t WORD = sizeof(std::declval<Vdut>().line_data);
static constexpr uint64_t SEEN = 3, COMMIT = 5; // clocks from a word on the line to its effect, at their ends
static unsigned failures;

static void same(const char *name, uint64_t is, uint64_t should, uint64_t clock) {
  if (is != should && failures++ < 20)
    fprintf(stderr, "clock %llu: %s is %llu, should be %llu\n", (unsigned long long)clock, name, (unsigned long long)is,
            (unsigned long long)should);
}

// Frames that fit into a word, at the smallest gaps, must be told apart and measured (RFC 2889 5.9: undersize frames).
static void undersize_frames(Traffic &t) {
  for (size_t octets = 0; octets < 70; octets++)
    for (int n = 0; n < 9; n++) {
      t.send(Signature(), octets);
      t.gap(5 + n);
    }
}

static void run(uint64_t seed) {
  Vdut d;
  Rng r(seed);
  Config k;
  k.short_gap_octets = r.range(0, 20);
  Traffic t(seed, k, WORD);
  t.e.idle(WORD);
  undersize_frames(t);
  if (seed % 2) t.monster(16380 + r.below(30)), t.monster(40000);
  while (t.e.position() < 64 * 30000) t.stretch();
  t.jump(1ull << 38); // a gap beyond 2^40 octets
  t.test_frame(0, 0, 0);
  t.e.align(WORD);
  t.e.idle(10 * WORD);
  std::vector<Found> found = read(t.e.octets, WORD);
  std::vector<uint64_t> time = t.word_times();
  auto octet_time = [&](size_t p) { return time[p / WORD] * WORD + p % WORD; };

  d.short_gap_octets = k.short_gap_octets;
  Meter m, shown;
  std::deque<std::pair<uint64_t, Meter>> commits;
  size_t at = 0;
  uint64_t gaps_seen = 0, clear_until = 0;
  for (uint64_t clock = 0; clock < time.size(); clock++) {
    uint8_t data[WORD], ctrl[WORD / 8] = {};
    for (size_t i = 0; i < WORD; i++) {
      data[i] = t.e.octets[clock * WORD + i].data;
      ctrl[i / 8] |= t.e.octets[clock * WORD + i].ctrl << (i % 8);
    }
    memcpy(&d.line_data, data, WORD);
    memcpy(&d.line_ctrl, ctrl, WORD / 8);
    d.word_time = time[clock];
    d.rst = clock == 0;
    if (seed % 3 == 0 && r.below(5000) == 0) clear_until = clock + r.range(1, 40);
    d.clear = clock < clear_until;
    d.eval();
    if (clock) {
      same("frames", d.frames, shown.frames, clock), same("octets", d.octets, shown.octets, clock);
      same("gaps", d.gaps, shown.gaps, clock), same("gap_min_octets", d.gap_min_octets, shown.min, clock);
      same("gap_max_octets", d.gap_max_octets, shown.max, clock), same("gap_sum_octets", d.gap_sum_octets, shown.sum, clock);
      same("short_gaps", d.short_gaps, shown.shorts, clock);
      same("first_time", d.first_time, m.first, clock), same("last_time", d.last_time, m.last, clock);
    }
    if (clock >= SEEN) {
      meter_word(m, k, found, at, WORD, clock - SEEN, octet_time);
      commits.push_back({clock + COMMIT - SEEN, m});
    }
    while (!commits.empty() && commits.front().first <= clock) shown = commits.front().second, commits.pop_front();
    gaps_seen = shown.gaps > gaps_seen ? shown.gaps : gaps_seen;
    if (d.clear) m = shown = Meter(), commits.clear();
    d.clk = 1, d.eval(), d.clk = 0, d.eval();
    if (clock == 0) m = shown = Meter();
  }
  if (gaps_seen < 500) failures++, fprintf(stderr, "too few gaps seen\n");
  printf("seed %llu: %zu clocks, %llu frames, %llu gaps, smallest %llu, largest %llu\n", (unsigned long long)seed, time.size(),
         (unsigned long long)m.frames, (unsigned long long)m.gaps, (unsigned long long)m.min, (unsigned long long)m.max);
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1, n = argc > 2 ? strtoull(argv[2], nullptr, 0) : 6;
  for (uint64_t seed = first; seed < first + n && !failures; seed++) run(seed);
  printf(failures ? "FAILED\n" : "passed\n");
  return failures ? 1 : 0;
}
