// SPDX-License-Identifier: Apache-2.0
// tx_hold against what IEEE 802.3 annex 31B says of a pause timer, with times of day in place of a counter: pauses of all
// lengths, longer and shorter ones on top of one in force, none at all, obeyed and not, and loads in the middle of them.
#include "tests/rtl/tb.h"

using tb::check;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif

namespace {
constexpr uint64_t CLOCKS_OF_QUANTUM = 8 / TB_GROUPS; // 512 bits of groups of 64
constexpr uint16_t QUANTA[] = {0, 0, 1, 1, 2, 3, 5, 17, 200, 0x7fff, 0xffff};

struct Met {
  uint64_t held = 0, extended = 0, shortened = 0, ended = 0, ignored = 0, run_out = 0;
} met;

struct Model {
  bool obeys = false;
  uint64_t until = 0; // the first clock without a hold
  uint64_t held = 0;

  void pause(uint64_t clock, uint16_t quanta) {
    const uint64_t before = until > clock ? until : 0;
    met.ignored += !obeys;
    if (!obeys) return;
    until = clock + 1 + quanta * CLOCKS_OF_QUANTUM;
    if (before > clock + 1) (quanta == 0 ? met.ended : until > before ? met.extended : met.shortened)++;
  }
};
} // namespace

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  tb::Random random(argc > 1 ? strtoull(argv[1], nullptr, 0) : 1);
  Vdut dut;
  Model model;
  dut.load = dut.clear = dut.pause = dut.held = 0;
  tb::reset(dut, 3);
  for (uint64_t clock = 0; clock < 600000; clock++) {
    const bool reset = random.one_in(50000), busy = clock / 1024 % 2 == 0; // pauses come in crowds, or run out
    dut.rst = reset;
    dut.load = random.one_in(busy ? 500 : 20000);
    dut.cfg_obey = random.below(4) != 0;
    dut.clear = random.one_in(5000);
    dut.pause = random.one_in(busy ? 20 : 2000);
    dut.quanta = random.one_in(3) ? random.next() & 0xff : QUANTA[random.below(sizeof(QUANTA) / sizeof(QUANTA[0]))];
    dut.eval();
    const bool hold = clock < model.until;
    check(dut.hold == hold, "clock %" PRIu64 ": hold is %d", clock, dut.hold);
    check(dut.obeys == model.obeys, "clock %" PRIu64 ": obeys is %d", clock, dut.obeys);
    check(dut.held_words == model.held, "clock %" PRIu64 ": %" PRIu64 " words held", clock, uint64_t{dut.held_words});
    dut.held = hold && random.below(3) != 0;
    met.held += dut.held;
    met.run_out += hold && clock + 1 == model.until;
    if (dut.pause) model.pause(clock, dut.quanta);
    if (dut.load) model.obeys = dut.cfg_obey, model.until = 0;
    model.held = dut.clear ? 0 : model.held + dut.held;
    if (reset) model = Model{};
    tb::tick(dut);
  }
  check(met.held > 10000 && met.extended > 100 && met.shortened > 100 && met.ended > 100 && met.ignored > 100 && met.run_out > 10,
        "all of it was met: held %" PRIu64 ", longer %" PRIu64 ", shorter %" PRIu64 ", ended %" PRIu64 ", ignored %" PRIu64
        ", run out %" PRIu64, met.held, met.extended, met.shortened, met.ended, met.ignored, met.run_out);
  return tb::finish("tx_hold");
}
