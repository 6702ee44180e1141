// SPDX-License-Identifier: Apache-2.0
// rx_sequence against sets of numbers: frames of few streams in adjacent clocks, sums in every clock, frozen entries.
#include "Vdut.h"
#include "rx_model.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
#include <deque>

using namespace line;

static unsigned failures;
static void same(const char *name, uint64_t is, uint64_t should, uint64_t clock) {
  if (is != should && failures++ < 20)
    fprintf(stderr, "clock %llu: %s is %llu, should be %llu\n", (unsigned long long)clock, name, (unsigned long long)is,
            (unsigned long long)should);
}

static uint64_t number_from(Rng &r, uint64_t next) {
  switch (r.below(20)) {
    case 0: return next + r.below(4);
    case 1: return next + 60 + r.below(8);
    case 2: return next + r.below(1000);
    case 3: case 4: case 5: case 6: return next > 12 ? next - 1 - r.below(12) : next;
    case 7: return next > 70 ? next - 60 - r.below(10) : next + 64; // is near the end of the window
    case 8: return r.below(100) ? next : (next + (1ull << 47) - 2 + r.below(4)) & MASK48;
    case 9: return r.below(20) ? next : (next + MASK48 - r.below(80)) & MASK48;
    default: return next;
  }
}

static void check_stream(Vdut &d, const Counts &frozen, uint64_t clock) {
  auto it = frozen.streams.find(d.stream_index);
  Stream s = it == frozen.streams.end() ? Stream{} : it->second;
  uint64_t should[7] = {s.received, s.lost, s.duplicated, s.reordered, s.late, s.gaps, s.next};
  static const char *const names[7] = {"received", "lost", "duplicated", "reordered", "late", "gaps", "next"};
  for (int n = 0; n < 7; n++) {
    uint64_t v = 0;
    for (int b = 0; b < 48; b++) v |= uint64_t(d.stream_count[(48 * n + b) / 32] >> ((48 * n + b) % 32) & 1) << b;
    same(names[n], v, should[n], clock);
  }
}

static void run(uint64_t seed) {
  Vdut d;
  Rng r(seed);
  Counts c, frozen;
  std::deque<std::pair<uint64_t, Signature>> commits;
  std::map<unsigned, uint64_t> next; // including frames in progress
  uint64_t read_back = 0;
  bool valid = false;
  d.rst = 1, d.eval(), d.clk = 1, d.eval(), d.clk = 0, d.eval(), d.rst = 0;
  for (int i = 0; i < 600; i++) d.clk = 1, d.eval(), d.clk = 0, d.eval();
  same("busy", d.busy, 0, 0);
  unsigned density = seed % 2 ? 1000 : 700, streams = r.range(1, 4);
  for (uint64_t clock = 0; clock < 200000; clock++) {
    d.clear = r.below(60000) == 0;
    d.u_valid = !d.clear && !d.busy && clock % 97 && r.below(1000) < density;
    Signature s;
    s.source = r.below(2), s.entry = r.below(streams);
    if (d.u_valid) {
      uint64_t &n = next[s.source * 256 + s.entry];
      s.sequence = number_from(r, n);
      if (s.sequence >= n && s.sequence - n < 1ull << 47) n = s.sequence + 1;
      d.u_stream = s.source * 256 + s.entry;
      d.u_sequence = s.sequence;
      commits.push_back({clock + 2, s});
    }
    d.snapshot = !valid || (!d.stream_req && r.below(300) == 0);
    if (d.snapshot) frozen = c, valid = true;
    d.eval();
    bool commit = !commits.empty() && commits.front().first == clock;
    uint64_t gaps = c.gaps;
    same("lost", d.lost_frames, c.lost, clock), same("duplicated", d.duplicated_frames, c.duplicated, clock);
    same("reordered", d.reordered_frames, c.reordered, clock), same("late", d.late_frames, c.late, clock);
    same("sequence_gaps", d.sequence_gaps, c.gaps, clock);
    if (d.stream_ack && d.stream_req) check_stream(d, frozen, clock), d.stream_req = 0, read_back++;
    else if (!d.stream_req && !d.snapshot && r.below(3) == 0) {
      d.stream_req = 1;
      d.stream_index = r.below(10) ? r.below(2) * 256 + r.below(streams) : r.below(4096);
    }
    if (commit) {
      check_sequence(c, commits.front().second, 0);
      commits.pop_front();
    }
    if (commit) same("hit_gap", d.hit_gap, c.gaps != gaps, clock);
    if (d.clear) c = Counts(), commits.clear(), next.clear(), valid = false, d.stream_req = 0;
    d.clk = 1, d.eval(), d.clk = 0, d.eval();
  }
  printf("seed %llu: lost %llu dup %llu reordered %llu late %llu, %llu entries read\n", (unsigned long long)seed,
         (unsigned long long)c.lost, (unsigned long long)c.duplicated, (unsigned long long)c.reordered,
         (unsigned long long)c.late, (unsigned long long)read_back);
  if (read_back < 100) failures++, fprintf(stderr, "too few entries read\n");
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1, n = argc > 2 ? strtoull(argv[2], nullptr, 0) : 6;
  for (uint64_t seed = first; seed < first + n && !failures; seed++) run(seed);
  printf(failures ? "FAILED\n" : "passed\n");
  return failures ? 1 : 0;
}
