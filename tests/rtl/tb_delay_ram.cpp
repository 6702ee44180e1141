// SPDX-License-Identifier: Apache-2.0
// delay_ram against a queue: what goes in comes out CLOCKS clocks later, to the bit, in runs of clocks with and without
// something, across resets; the output holds in between. The seed is an argument.
#include "tests/rtl/tb.h"
#include <array>
#include <deque>

using namespace tb;

#ifndef TB_WIDTH
#define TB_WIDTH 8
#endif
#ifndef TB_CLOCKS
#define TB_CLOCKS 4
#endif
static const size_t OCTETS = (TB_WIDTH + 7) / 8;

struct Entry {
  bool valid = false;
  std::array<uint8_t, OCTETS> octets{};
};

static Vdut dut;
static Random rng(1);
static std::deque<Entry> on_the_way(TB_CLOCKS); // the oldest first
static std::array<uint8_t, OCTETS> held;
static bool is_held; // something has come out

static Entry random_entry(unsigned busy)
{
  Entry e;
  e.valid = rng.one_in(busy);
  for (auto &octet : e.octets)
    octet = (uint8_t)rng.next();
  if (TB_WIDTH % 8)
    e.octets.back() &= (uint8_t)((1 << TB_WIDTH % 8) - 1);
  return e;
}

static void clock_delay(const Entry &in, bool rst)
{
  dut.rst = rst;
  dut.in_valid = in.valid;
  put_octets(dut.in, in.octets.data(), OCTETS);
  on_the_way.push_back(in);
  if (rst)
    for (Entry &e : on_the_way)
      e.valid = false;
  tick(dut);
  on_the_way.pop_front();
  const Entry &now = on_the_way.front();
  std::array<uint8_t, OCTETS> out;
  get_octets(dut.out, out.data(), OCTETS);
  check(dut.out_valid == now.valid, "out_valid %d", dut.out_valid);
  if (now.valid) {
    held = now.octets;
    is_held = true;
  }
  if (rst)
    is_held = false; // it may be anything in a reset
  if (is_held)
    check(out == held, now.valid ? "not what went in" : "does not hold its value");
}

int main(int argc, char **argv)
{
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20261122;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.in_valid = 0;
  reset(dut, 2 * TB_CLOCKS);
  for (unsigned run = 0; run < 2000; run++) {
    const unsigned busy = (unsigned)(rng.one_in(3) ? rng.between(1, 40) : rng.between(1, 3));
    for (unsigned i = (unsigned)rng.between(1, 3 * TB_CLOCKS); i > 0; i--)
      clock_delay(random_entry(busy), false);
    if (rng.one_in(20))
      clock_delay(random_entry(1), true);
  }
  return finish("delay_ram");
}
