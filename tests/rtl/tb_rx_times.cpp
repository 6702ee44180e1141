// SPDX-License-Identifier: Apache-2.0
// rx_times against the definition of first, last and silence, in every clock: frames in adjacent clocks, equal silences,
// times up to the largest, clears in any clock.
#include "tb.h"
#include <deque>
#include <optional>

namespace {

struct Times {
  bool any = false;
  uint64_t first = 0, last = 0, last_loss = 0, silence = 0, silence_start = 0;
  void frame(uint64_t start, bool gap) {
    if (!any) first = start;
    if (any && start - last > silence) silence = start - last, silence_start = last;
    if (gap) last_loss = start;
    last = start;
    any = true;
  }
};

uint64_t equal, gaps;

void compare(const Vdut &dut, const Times &t, uint64_t clock) {
  tb::check(dut.first_time == 8 * t.first && dut.last_time == 8 * t.last && dut.last_loss_time == 8 * t.last_loss,
            "clock %" PRIu64 ": first %" PRIx64 ", last %" PRIx64 ", last loss %" PRIx64 ", should be %" PRIx64 ", %" PRIx64
            ", %" PRIx64,
            clock, uint64_t(dut.first_time), uint64_t(dut.last_time), uint64_t(dut.last_loss_time), 8 * t.first, 8 * t.last,
            8 * t.last_loss);
  tb::check(dut.silence_max == 8 * t.silence && dut.silence_time == 8 * t.silence_start,
            "clock %" PRIu64 ": silence of %" PRIx64 " from %" PRIx64 ", should be %" PRIx64 " from %" PRIx64, clock,
            uint64_t(dut.silence_max), uint64_t(dut.silence_time), 8 * t.silence, 8 * t.silence_start);
}

void run(uint64_t seed) {
  printf("seed %" PRIu64 "\n", seed);
  tb::Random random(seed);
  Vdut dut;
  Times t;
  dut.clear = dut.update = dut.gap = 0;
  tb::reset(dut);
  // Time goes on only as far as 61 bits go, so every few thousand clocks it begins anew, after a clear.
  uint64_t now = 0, longest = 0;
  std::deque<std::optional<uint64_t>> pipe(2);
  for (uint64_t clock = 0; clock < 200000; clock++) {
    dut.clear = clock % 4000 == 0 || random.one_in(500);
    if (clock % 4000 == 0) {
      now = random.one_in(2) ? (1ull << 61) - 8192 : random.below(1ull << 60);
      longest = random.one_in(2) ? 2 : random.one_in(2) ? 4 : 1ull << random.between(3, 37);
      if (now > 1ull << 60) longest = 2;
    }
    now += random.between(1, longest); // few different silences: many are equal
    dut.update = random.below(100) < 80;
    dut.start_groups = now;
    const std::optional<uint64_t> commits = pipe.front();
    dut.gap = random.one_in(3); // matters in the commit clock only
    dut.eval();
    compare(dut, t, clock);
    if (commits) {
      equal += t.any && *commits - t.last == t.silence;
      gaps += dut.gap;
      t.frame(*commits, dut.gap);
    }
    pipe.pop_front();
    pipe.push_back(dut.update ? std::optional<uint64_t>(now) : std::nullopt);
    if (dut.clear) t = Times(), pipe.assign(2, std::nullopt);
    tb::tick(dut);
  }
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  for (uint64_t seed = first; seed < first + 3; seed++) run(seed);
  tb::check(equal > 1000 && gaps > 1000, "%" PRIu64 " equal silences, %" PRIu64 " gaps", equal, gaps);
  return tb::finish("rx_times");
}
