// SPDX-License-Identifier: Apache-2.0
// tx_fifo against a deque: every entry comes out once and in order, from the clock after its push; `room` promises RESERVE
// places besides one; a source that is as far away as tx_sequencer keeps a reader of one entry a clock going.
// An argument is another seed.
#include "tests/rtl/tb.h"
#include <deque>

using namespace tb;

static const unsigned DEPTH = 16, RESERVE = 5;

static Vdut dut;
static Random rng(20260105);
static std::deque<uint32_t> held;

// One clock; returns whether an entry was there to pop.
static bool clock_fifo(bool push, uint32_t in, bool want, bool clear) {
  dut.push = push;
  dut.in = in;
  dut.clear = clear;
  dut.pop = 0;
  dut.eval();
  bool valid = dut.valid;
  check(valid == !held.empty(), "valid %d with %zu entries", valid, held.size());
  check(dut.room == (held.size() < DEPTH - RESERVE), "room %d with %zu entries", dut.room, held.size());
  if (valid)
    check(dut.head == held.front(), "head %x, expected %x", dut.head, held.front());
  dut.pop = valid && want;
  if (dut.pop)
    held.pop_front();
  if (push)
    held.push_back(in);
  if (clear)
    held.clear();
  tick(dut);
  return valid;
}

static void any_order_of_accesses() {
  for (int i = 0; i < 200000; i++) {
    unsigned pushes = i / 1000 % 3 + 1, pops = i / 300 % 4; // it fills and drains
    bool push = rng.below(4) < pushes && held.size() < DEPTH;
    clock_fifo(push, (uint32_t)rng.below(1 << 25), rng.below(4) <= pops, rng.one_in(500));
  }
}

// Entries come RESERVE clocks after `room` was seen.
static void a_reader_of_one_a_clock_never_starves() {
  clock_fifo(false, 0, false, true);
  bool coming[RESERVE] = {};
  unsigned starved = 0, most = 0;
  for (int i = 0; i < 20000; i++) {
    dut.eval();
    bool issue = dut.room, push = coming[RESERVE - 1];
    for (unsigned n = RESERVE - 1; n > 0; n--)
      coming[n] = coming[n - 1];
    coming[0] = issue;
    bool want = i > 30 && (i / 64 % 3 != 0 || rng.one_in(2)); // it is full after a pause
    starved += !clock_fifo(push, (uint32_t)rng.below(1 << 25), want, false) && i > 30;
    most = std::max(most, (unsigned)held.size());
  }
  check(starved == 0, "starved in %u clocks", starved);
  check(most == DEPTH, "it held %u entries at most", most);
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20260105;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.push = dut.pop = dut.clear = 0;
  reset(dut);
  any_order_of_accesses();
  a_reader_of_one_a_clock_never_starves();
  return finish("tx_fifo");
}
