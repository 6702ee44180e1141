// SPDX-License-Identifier: Apache-2.0
// time_base against a sum: it starts where it is told, counts every clock and every word skipped, and wraps exactly
// when 64 bits of octet times do, not before.
#include "tests/rtl/tb.h"

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif
#ifndef TB_START_HIGH
#define TB_START_HIGH 0
#endif
static const uint64_t OCTETS = 8 * TB_GROUPS, START_OT = uint64_t{TB_START_HIGH} << 32;

static Vdut dut;
static uint64_t octet_time;

static void clock_words(uint32_t skip) {
  dut.skip_words = skip;
  tick(dut);
  octet_time += (1 + (uint64_t)skip) * OCTETS; // modulo 2^64
  check(dut.word_time == octet_time / OCTETS, "word %" PRIx64 ", expected %" PRIx64, (uint64_t)dut.word_time,
        octet_time / OCTETS);
}

// Goes from anywhere to a few words before an octet time in at most 2^20 skips; then across it word by word.
static void cross(uint64_t boundary_ot, Random &random) {
  while (boundary_ot - octet_time > 100 * OCTETS) {
    const uint64_t words = (boundary_ot - octet_time) / OCTETS - 50;
    clock_words(words > UINT32_MAX ? UINT32_MAX : (uint32_t)words);
  }
  for (int i = 0; i < 200; i++)
    clock_words(random.one_in(10) ? (uint32_t)random.below(3) : 0);
}

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  Random random(seed);
  printf("seed %" PRIu64 "\n", seed);
  dut.skip_words = 77;
  reset(dut);
  octet_time = START_OT;
  check(dut.word_time == octet_time / OCTETS, "the first word is %" PRIx64, (uint64_t)dut.word_time);
  for (int i = 0; i < 100000; i++)
    clock_words(random.one_in(3) ? (uint32_t)(random.next() >> random.below(64)) : 0);
  cross((octet_time >> 32 << 32) + (1ull << 32), random);
  if (octet_time < 1ull << 54)
    cross(1ull << 54, random); // 48 bits of words of 64 octets, 16.7 days
  if (octet_time >> 56 == 0xFF)
    cross(0, random); // 64 bits of octet times
  dut.rst = 1;
  tick(dut);
  check(dut.word_time == START_OT / OCTETS, "a reset does not set the time");
  return finish("time_base");
}
