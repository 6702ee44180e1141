// SPDX-License-Identifier: Apache-2.0
// histogram against an array: a bin in any clock, the same one in consecutive clocks, bins that wrap, snapshots, clears
// and reads in random clocks.
#include "tests/rtl/tb.h"
#include <deque>
#include <vector>

using namespace tb;

#ifndef TB_BINS_LOG2
#define TB_BINS_LOG2 10
#endif
#ifndef TB_COUNT_W
#define TB_COUNT_W 48
#endif
static const size_t BINS = 1u << TB_BINS_LOG2;
static const uint64_t MASK = (1ull << TB_COUNT_W) - 1;
static const unsigned COMMIT = 2; // a bin of clock t is in a snapshot of clock t + 3, not in one of t + 2

static Vdut dut;
static std::vector<uint64_t> bins(BINS), frozen(BINS);
static uint64_t answers, snapshots, wraps;

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  Random random(seed);
  printf("seed %" PRIu64 "\n", seed);
  dut.clear = dut.snapshot = dut.valid = dut.req = 0;
  reset(dut);
  std::deque<size_t> coming(COMMIT + 1, BINS);
  uint64_t quiet = 0;
  size_t bin = 0;
  bool answered = false;
  for (uint64_t clock = 0; clock < 2000000; clock++) {
    dut.clear = random.one_in(100000);
    dut.eval();
    const bool hold = dut.clear || dut.busy;
    if (!random.one_in(3)) // often the one of the clock before, or the one before that
      bin = random.one_in(4) ? bin ^ 1 : random.below(random.one_in(2) ? 4 : BINS);
    dut.valid = random.one_in(clock / 5000 % 2 ? 2 : 30) || (clock / 5000 % 4 == 3 && !random.one_in(20)); // also while cleared
    dut.bin = (uint16_t)bin;
    dut.snapshot = !dut.req && quiet > 10 && random.one_in(random.one_in(2) ? 20 : 2000);
    if (coming.front() != BINS) {
      uint64_t &count = bins[coming.front()];
      count = (count + 1) & MASK;
      wraps += count == 0;
    }
    coming.pop_front();
    coming.push_back(dut.valid && !hold ? bin : BINS);
    if (dut.snapshot)
      frozen = bins, quiet = 0, snapshots++;
    else
      quiet++;
    dut.eval();
    const bool next = answered || !dut.req;
    answered = dut.ack;
    if (answered) {
      check(dut.count == frozen[dut.index], "clock %" PRIu64 ": bin %u has %" PRIu64 ", expected %" PRIu64, clock,
            (unsigned)dut.index, (uint64_t)dut.count, frozen[dut.index]);
      answers++;
    }
    if (next) {
      dut.req = quiet > 6 && random.one_in(3);
      dut.index = (uint16_t)random.below(random.one_in(2) ? 4 : BINS);
    }
    if (dut.clear) {
      bins.assign(BINS, 0);
      frozen.assign(BINS, 0);
      coming.assign(COMMIT + 1, BINS);
    }
    tick(dut);
  }
  printf("%" PRIu64 " snapshots, %" PRIu64 " bins read, %" PRIu64 " wraps\n", snapshots, answers, wraps);
  check(snapshots > 1000 && answers > 10000 && (TB_COUNT_W > 20 || wraps > 100), "hard cases are missing");
  return finish("histogram");
}
