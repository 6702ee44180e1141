// SPDX-License-Identifier: Apache-2.0
// rx_tags against a list: tagged frames in adjacent clocks, reads of any entry at any time, also of one that is just
// being written, more frames than entries, clears in any clock.
#include "tb.h"
#include <deque>
#include <vector>

namespace {

struct Entry {
  unsigned stream = 0;
  uint64_t latency = 0, time = 0;
};

uint64_t beyond, there, absent;

void run(uint64_t seed) {
  printf("seed %" PRIu64 "\n", seed);
  tb::Random random(seed);
  Vdut dut;
  std::vector<Entry> entries;
  uint64_t frames = 0;
  dut.clear = dut.valid = 0, dut.tag_index = 0;
  tb::reset(dut);
  std::deque<Entry> answers(2);
  for (uint64_t clock = 0; clock < 100000; clock++) {
    dut.valid = random.below(100) < (clock / 2000 % 2 ? 90 : 20);
    dut.stream = uint16_t(random.below(4096));
    dut.latency_groups = random.next() >> (24 + random.below(40));
    dut.start_groups = random.one_in(3) ? (1ull << 61) - 1 - random.below(5) : random.next() >> 3;
    dut.clear = random.one_in(clock % 20000 < 5000 ? 100 : 3000);
    // Most reads are near the entry that is written next, some near the last of the table.
    const uint64_t near = random.one_in(8) ? 511 - random.below(3) : frames + random.below(4) - 2;
    dut.tag_index = uint16_t(random.one_in(4) ? random.below(512) : near & 511);
    dut.eval();
    tb::check(dut.tagged_frames == frames, "clock %" PRIu64 ": %" PRIu64 " tagged frames, should be %" PRIu64, clock,
              uint64_t(dut.tagged_frames), frames);
    const Entry &a = answers.front();
    tb::check(dut.tag_stream == a.stream && dut.tag_latency == a.latency && dut.tag_time == a.time,
              "clock %" PRIu64 ": stream %u, latency %" PRIx64 ", time %" PRIx64 ", should be %u, %" PRIx64 ", %" PRIx64,
              clock, dut.tag_stream, uint64_t(dut.tag_latency), uint64_t(dut.tag_time), a.stream, a.latency, a.time);
    answers.pop_front();
    const bool is_there = dut.tag_index < entries.size();
    answers.push_back(is_there ? entries[dut.tag_index] : Entry());
    ++(is_there ? there : absent);
    if (dut.valid) {
      if (entries.size() < 512) entries.push_back({dut.stream, 8 * dut.latency_groups, 8 * dut.start_groups});
      else beyond++;
      frames++;
    }
    if (dut.clear) entries.clear(), frames = 0;
    tb::tick(dut);
  }
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  for (uint64_t seed = first; seed < first + 3; seed++) run(seed);
  tb::check(beyond > 1000 && there > 10000 && absent > 1000, "every kind of read and frame occurs");
  return tb::finish("rx_tags");
}
