// SPDX-License-Identifier: Apache-2.0
// gap_histogram against an array: gaps of every magnitude in any clock, snapshots that freeze what the gap count of
// line_count (two clocks behind the gap) has in the same clock, clears and reads in random clocks.
#include "tests/rtl/tb.h"
#include <deque>
#include <vector>

using namespace tb;

static const size_t BINS = 1024;
static const unsigned LAG = 2; // clocks from a gap to the clock in which line_count shows it

static Vdut dut;
static std::vector<uint64_t> bins(BINS), frozen(BINS);
static std::deque<size_t> coming; // bins of the gaps of the last clocks; BINS: none
static uint64_t answers, snapshots, most;

static uint64_t any_gap(Random &random) {
  switch (random.below(5)) {
  case 0: return random.between(1021, 1025);
  case 1: return random.next() >> random.below(64);
  case 2: return 1ull << random.below(64);
  default: return random.below(40);
  }
}

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  Random random(seed);
  printf("seed %" PRIu64 "\n", seed);
  dut.clear = dut.snapshot = dut.gap = dut.histogram_req = 0;
  reset(dut);
  uint64_t quiet = 0; // clocks since the last snapshot: none comes within a bus access
  bool answered = false;
  coming.assign(LAG, BINS);
  for (uint64_t clock = 0; clock < 2000000; clock++) {
    dut.clear = random.one_in(200000);
    dut.eval();
    const bool hold = dut.clear || dut.busy;
    const uint64_t gap = any_gap(random);
    dut.gap = !hold && random.one_in(clock / 10000 % 2 ? 2 : 20);
    dut.gap_octets = gap;
    dut.snapshot = !dut.histogram_req && quiet > 10 && random.one_in(random.one_in(2) ? 20 : 2000);
    // The state before the edge is what line_count shows in this clock.
    if (coming.front() != BINS)
      bins[coming.front()]++;
    most = bins[0] > most ? bins[0] : most;
    coming.pop_front();
    coming.push_back(dut.gap ? gap < BINS ? gap : BINS - 1 : BINS);
    if (dut.snapshot)
      frozen = bins, quiet = 0, snapshots++;
    else
      quiet++;
    dut.eval();
    const bool next = answered || !dut.histogram_req; // a request is held in the clock of its answer too
    answered = dut.histogram_ack;
    if (answered) {
      check(dut.histogram_count == frozen[dut.histogram_index], "clock %" PRIu64 ": bin %u has %" PRIu64 ", expected %" PRIu64,
            clock, dut.histogram_index, (uint64_t)dut.histogram_count, frozen[dut.histogram_index]);
      answers++;
    }
    if (next) {
      dut.histogram_req = quiet > 6 && random.one_in(3);
      dut.histogram_index = (uint16_t)(random.one_in(3) ? random.between(1020, 1023) : random.below(random.one_in(4) ? BINS : 40));
    }
    if (dut.clear) { // drops what is on the way, and what is frozen
      bins.assign(BINS, 0);
      frozen.assign(BINS, 0);
      coming.assign(LAG, BINS);
    }
    tick(dut);
  }
  printf("%" PRIu64 " snapshots, %" PRIu64 " bins read\n", snapshots, answers);
  check(snapshots > 1000 && answers > 10000 && most > 100, "hard cases are missing");
  return finish("gap_histogram");
}
