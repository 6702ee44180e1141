// SPDX-License-Identifier: Apache-2.0
// line_meter against the reader of line_model.h: every counter in every clock, and the histogram of gaps frozen by
// snapshots in random clocks, with clears in random clocks.
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

// Contents that the histogram must have, and its frozen state; and a reader of bins, which requests the next one as
// soon as it has an answer.
struct Histogram {
  static constexpr size_t BINS = 1024;
  std::vector<uint64_t> bins = std::vector<uint64_t>(BINS), frozen = bins;
  uint64_t gaps = 0, answers = 0, snapshots = 0;
  bool answered = false;
  Rng r;
  explicit Histogram(uint64_t seed) : r(seed) {}

  // At most one gap is measured per clock.
  void follow(const Meter &m) {
    if (m.gaps != gaps) bins[m.gap < BINS - 1 ? m.gap : BINS - 1]++;
    gaps = m.gaps;
  }
  void clear() { bins.assign(BINS, 0), frozen = bins, gaps = 0; }

  // Drives the inputs before the edge of a clock. No snapshot comes while a bin is read, because none can come within
  // one bus access.
  void drive(Vdut &d, bool may_ask, uint64_t clock) {
    const bool next = answered || !d.histogram_req; // a request is held in the clock of its answer too
    answered = d.histogram_ack;
    if (answered) {
      same("a bin", d.histogram_count, frozen[d.histogram_index], clock);
      answers++;
    }
    if (next) {
      d.histogram_req = may_ask && r.chance(300);
      d.histogram_index = r.chance(700) ? r.below(100) : r.chance(200) ? BINS - 1 - r.below(2) : r.below(BINS);
    }
  }
  void whole(Vdut &d) {
    uint64_t sum = 0;
    for (size_t bin = 0; bin < BINS; bin++) {
      d.histogram_req = 1, d.histogram_index = bin;
      for (int clocks = 0; !d.histogram_ack && clocks < 10; clocks++) d.clk = 1, d.eval(), d.clk = 0, d.eval();
      same("a bin at the end", d.histogram_ack ? d.histogram_count : ~0ull, frozen[bin], bin);
      sum += d.histogram_count;
      d.clk = 1, d.eval(), d.clk = 0, d.eval();
      d.histogram_req = 0;
      d.clk = 1, d.eval(), d.clk = 0, d.eval();
    }
    same("the sum of all bins", sum, d.gaps, 0);
  }
};

// Frames that fit into a word, at the smallest gaps, must be separated and measured (RFC 2889 5.9: undersize frames).
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
  Histogram h(seed);
  uint64_t snapshot_clock = 0;
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
    d.snapshot = !d.histogram_req && clock > snapshot_clock + 10 && r.below(clock % 1000 < 500 ? 3 : 300) == 0;
    if (d.snapshot) snapshot_clock = clock, h.snapshots++;
    d.eval();
    if (clock) {
      same("frames", d.frames, shown.frames, clock), same("octets", d.octets, shown.octets, clock);
      same("gaps", d.gaps, shown.gaps, clock), same("gap_min_octets", d.gap_min_octets, shown.min, clock);
      same("gap_max_octets", d.gap_max_octets, shown.max, clock), same("gap_sum_octets", d.gap_sum_octets, shown.sum, clock);
      same("short_gaps", d.short_gaps, shown.shorts, clock);
      same("first_time", d.first_time, m.first, clock), same("last_time", d.last_time, m.last, clock);
    }
    h.follow(shown);
    if (d.snapshot) h.frozen = h.bins;
    h.drive(d, clock > snapshot_clock + 6, clock);
    if (clock >= SEEN) {
      meter_word(m, k, found, at, WORD, clock - SEEN, octet_time);
      commits.push_back({clock + COMMIT - SEEN, m});
    }
    while (!commits.empty() && commits.front().first <= clock) shown = commits.front().second, commits.pop_front();
    gaps_seen = shown.gaps > gaps_seen ? shown.gaps : gaps_seen;
    if (d.clear || d.busy) m = shown = Meter(), commits.clear(), h.clear();
    d.clk = 1, d.eval(), d.clk = 0, d.eval();
    if (clock == 0) m = shown = Meter(), h.clear();
  }
  while (d.histogram_req && !failures) h.drive(d, false, time.size()), d.clk = 1, d.eval(), d.clk = 0, d.eval();
  while (d.busy) d.clk = 1, d.eval(), d.clk = 0, d.eval();
  d.snapshot = 1, d.clk = 1, d.eval(), d.clk = 0, d.eval();
  d.snapshot = 0, d.clk = 1, d.eval(), d.clk = 0, d.eval(), d.clk = 1, d.eval(), d.clk = 0, d.eval();
  h.follow(shown), h.frozen = h.bins;
  h.whole(d);
  if (h.answers < 500 || h.snapshots < 100) failures++, fprintf(stderr, "too few bins read or snapshots made\n");
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
