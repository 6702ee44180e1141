// SPDX-License-Identifier: Apache-2.0
// event_crossing: of events in every clock, at random and in bursts, each is told exactly once, soon, with clocks of many
// ratios, phases and jitter.
#include "tests/rtl/two_clocks.h"

using tb::check;

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  // Periods: those of a CMAC and the core, and up to the limit of 3.
  const uint64_t periods[][2] = {{3103, 5120}, {5120, 3103}, {1000, 2900}, {2900, 1000}, {3000, 3001}, {1009, 2003}};
  uint64_t seed = 1;
  for (const auto &period : periods)
    for (unsigned busy = 1; busy <= 16; busy++) {
      Vdut dut;
      tb::Random random(++seed);
      tb::TwoClocks clocks(period[0], period[1], 40, seed);
      uint64_t happened = 0, told = 0, quiet = 0;
      dut.wr_rst = dut.rd_rst = 1;
      for (unsigned edge = 0; edge < 20000; edge++) {
        if (edge == 40) dut.wr_rst = dut.rd_rst = 0;
        const bool running = edge >= 80 && edge < 19900;
        if (clocks.next() == 0) {
          dut.wr_event = running && (busy == 1 || (busy < 16 ? random.one_in(busy) : edge / 64 % 2 == 0));
          dut.wr_clk = 1, dut.eval(), dut.wr_clk = 0, dut.eval();
          happened += running && dut.wr_event;
        } else {
          dut.rd_clk = 1, dut.eval(), dut.rd_clk = 0, dut.eval();
          told += dut.rd_rst ? 0 : dut.events;
        }
        check(told <= happened, "%" PRIu64 " of %" PRIu64 " events told", told, happened);
        check(happened - told <= 15, "%" PRIu64 " of %" PRIu64 " events told", told, happened);
        quiet += happened == told;
      }
      check(told == happened && happened > 100, "%" PRIu64 " of %" PRIu64 " events told in the end", told, happened);
      check(quiet > 0, "never up to date");
    }
  return tb::finish("event_crossing");
}
