// SPDX-License-Identifier: Apache-2.0
// snapshot_bank against a copy: all slots are frozen in one clock and stay, whatever the live counters do; any slot can
// be read in any clock, also in that of a snapshot, and keeps its value until the next read.
#include "tests/rtl/tb.h"

using namespace tb;

static const size_t SLOTS = sizeof(std::declval<Vdut>().live) / 8;

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  Random random(seed);
  printf("seed %" PRIu64 ", %zu slots\n", seed, SLOTS);
  Vdut dut;
  uint64_t live[SLOTS] = {}, frozen[SLOTS] = {}, value = 0;
  bool any = false, known = false;
  uint64_t reads[SLOTS] = {}, at_once = 0;
  dut.clk = 0;
  dut.eval();
  for (int clock = 0; clock < 500000; clock++) {
    for (size_t i = 0; i < SLOTS; i++) // mostly counters, now and then anything
      live[i] = random.one_in(100) ? random.next() : random.one_in(50) ? UINT64_MAX : live[i] + random.below(3);
    put_octets(dut.live, reinterpret_cast<const uint8_t *>(live), sizeof live);
    dut.snapshot = random.one_in(5);
    dut.read = random.one_in(2);
    dut.slot = (uint8_t)random.below(SLOTS);
    if (dut.read) // the value that was frozen before this clock
      value = frozen[dut.slot], known = any, reads[dut.slot] += any, at_once += dut.snapshot;
    tick(dut);
    if (dut.snapshot)
      memcpy(frozen, live, sizeof frozen), any = true;
    if (known)
      check(dut.value == value, "clock %d: slot %u is %" PRIx64 ", expected %" PRIx64, clock, dut.slot, (uint64_t)dut.value, value);
  }
  for (size_t i = 0; i < SLOTS; i++)
    check(reads[i] > 100, "slot %zu was read %" PRIu64 " times", i, reads[i]);
  check(at_once > 1000, "too few reads in the clock of a snapshot");
  return finish("snapshot_bank");
}
