// SPDX-License-Identifier: Apache-2.0
// rx_latency against 128-bit arithmetic, in every clock: latencies of every magnitude in adjacent clocks, clears in any
// clock, and a total that passes 2^64.
#include "tb.h"

namespace {

constexpr uint64_t MASK40 = (1ull << 40) - 1;

struct Model {
  uint64_t frames = 0, min = UINT64_MAX, max = 0;
  unsigned __int128 sum = 0;
  void add(uint64_t octets) {
    frames++;
    min = octets < min ? octets : min;
    max = octets > max ? octets : max;
    sum += octets;
  }
};

void compare(const Vdut &dut, const Model &m, uint64_t clock) {
  tb::check(dut.frames == m.frames && dut.min_octets == m.min && dut.max_octets == m.max,
            "clock %" PRIu64 ": %" PRIu64 " frames, min %" PRIx64 ", max %" PRIx64 ", should be %" PRIu64 ", %" PRIx64
            ", %" PRIx64,
            clock, uint64_t(dut.frames), uint64_t(dut.min_octets), uint64_t(dut.max_octets), m.frames, m.min, m.max);
  tb::check(dut.sum_octets == uint64_t(m.sum) && dut.sum_high_octets == uint64_t(m.sum >> 64),
            "clock %" PRIu64 ": sum %" PRIx64 " %" PRIx64 ", should be %" PRIx64 " %" PRIx64, clock,
            uint64_t(dut.sum_high_octets), uint64_t(dut.sum_octets), uint64_t(m.sum >> 64), uint64_t(m.sum));
}

uint64_t latency_groups(tb::Random &random) {
  const uint64_t value = random.next() & MASK40;
  switch (random.below(6)) {
    case 0: return random.below(2);
    case 1: return MASK40 - random.below(2); // also the smallest of a trial, if nothing else comes
    default: return value >> random.below(40);
  }
}

void any_clock(uint64_t seed) {
  printf("seed %" PRIu64 "\n", seed);
  tb::Random random(seed);
  Vdut dut;
  Model m;
  dut.clear = dut.valid = 0;
  tb::reset(dut);
  for (uint64_t clock = 0; clock < 200000; clock++) {
    dut.valid = !random.one_in(4);
    dut.latency_groups = latency_groups(random);
    dut.clear = random.one_in(clock % 2000 < 1000 ? 4 : 100); // often so few frames that the first one matters
    dut.rst = random.one_in(1000);
    dut.eval();
    compare(dut, m, clock);
    if (dut.valid) m.add(8 * dut.latency_groups);
    if (dut.clear || dut.rst) m = Model();
    tb::tick(dut);
  }
}

void beyond_64_bits() {
  Vdut dut;
  Model m;
  dut.clear = dut.valid = 0;
  tb::reset(dut);
  dut.valid = 1;
  for (uint64_t clock = 0; clock < 5u << 20; clock++) { // a little more than 2^21 of the largest latency are 2^64
    dut.latency_groups = MASK40 - clock % 3;
    dut.eval();
    if ((clock & 0xFFF) == 0 || (uint64_t(m.sum) >> 44) == 0xFFFFF) compare(dut, m, clock);
    m.add(8 * dut.latency_groups);
    tb::tick(dut);
  }
  compare(dut, m, 5u << 20);
  tb::check(uint64_t(m.sum >> 64) == 2, "the total passes 2^64 twice");
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  for (uint64_t seed = first; seed < first + 3; seed++) any_clock(seed);
  beyond_64_bits();
  return tb::finish("rx_latency");
}
