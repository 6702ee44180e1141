// SPDX-License-Identifier: Apache-2.0
// rx_expected against 4096 bits: random writes and look-ups in every clock, often of the same word in the same clock.
#include "tb.h"
#include <vector>

#ifndef TB_PORTS
#define TB_PORTS 2
#endif

namespace {

constexpr unsigned STREAMS = TB_PORTS * 256;

unsigned same_word, found, words_beyond;

void run(uint64_t seed) {
  printf("seed %" PRIu64 "\n", seed);
  tb::Random random(seed);
  Vdut dut;
  std::vector<bool> expected(4096, false); // all there is; a build has the first STREAMS of them
  dut.clk = 0, dut.we = 0, dut.look = 0;
  dut.eval();
  for (unsigned stream = 0; stream < STREAMS; stream++) {
    dut.look = 1, dut.stream = stream;
    tb::tick(dut);
    tb::check(!dut.expected, "stream %u is expected before anything was written", stream);
  }
  unsigned spread = STREAMS;
  for (unsigned clock = 0; clock < 200000; clock++) {
    if (clock % 1000 == 0) spread = random.one_in(2) ? STREAMS : 64;
    dut.we = random.one_in(3);
    dut.word = uint8_t(random.one_in(4) ? random.below(128) : random.below(spread / 32));
    dut.data = random.one_in(4) ? 0 : uint32_t(random.next());
    dut.look = !random.one_in(5);
    dut.stream = uint16_t(random.below(spread));
    const bool is = expected[dut.stream], looked = dut.look;
    same_word += dut.we && looked && dut.word == dut.stream / 32;
    words_beyond += dut.we && dut.word >= STREAMS / 32;
    if (dut.we)
      for (unsigned bit = 0; bit < 32; bit++) expected[dut.word * 32 + bit] = dut.data >> bit & 1;
    tb::tick(dut);
    dut.stream ^= 1, dut.eval(); // the answer is a register's
    if (looked) tb::check(dut.expected == is, "clock %u: stream %u", clock, dut.stream ^ 1u), found += is;
  }
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  for (uint64_t seed = first; seed < first + 4; seed++) run(seed);
  tb::check(same_word > 100 && found > 1000, "a word was written and looked up in one clock %u times", same_word);
  tb::check(TB_PORTS == 16 || words_beyond > 100, "no word beyond the table was written");
  return tb::finish("rx_expected");
}
