// SPDX-License-Identifier: Apache-2.0
// async_fifo between clocks of many ratios: everything comes out once, in order, whatever the two sides do, and full
// and empty are reported. That its pointers cannot overtake each other is proven (hw/formal/async_fifo_formal.v).
#include "tests/rtl/two_clocks.h"
#include <deque>

using tb::check;

struct Case {
  uint64_t wr_period, rd_period;
  unsigned wr_one_in, rd_one_in; // tries in one clock out of this many, at random
};

static void run(const Case &c, uint64_t seed) {
  Vdut dut;
  tb::TwoClocks clocks(c.wr_period, c.rd_period, 3, seed);
  tb::Random random(seed);
  std::deque<uint32_t> held;
  uint32_t next = 1;
  uint64_t full_clocks = 0, empty_clocks = 0, out = 0;
  dut.wr_rst = dut.rd_rst = 1;
  for (int edge = 0; edge < 40000; edge++) {
    if (edge == 40) dut.wr_rst = dut.rd_rst = 0;
    const bool quiet = edge < 60;
    if (clocks.next() == 0) {
      dut.wr_valid = !quiet && random.one_in(c.wr_one_in);
      dut.wr_data = next;
      dut.eval();
      if (dut.wr_valid && dut.wr_ready) held.push_back(next++);
      full_clocks += dut.wr_valid && !dut.wr_ready;
      dut.wr_clk = 1, dut.eval(), dut.wr_clk = 0, dut.eval();
    } else {
      dut.rd_ready = !quiet && random.one_in(c.rd_one_in);
      dut.eval();
      if (dut.rd_valid && dut.rd_ready) {
        out++;
        if (check(!held.empty(), "an entry from nowhere")) {
          check(dut.rd_data == held.front(), "got %u, not %u", dut.rd_data, held.front());
          held.pop_front();
        }
      }
      empty_clocks += !quiet && !dut.rd_valid;
      dut.rd_clk = 1, dut.eval(), dut.rd_clk = 0, dut.eval();
    }
    check(held.size() <= 17, "%zu entries in a FIFO of 16 and an output register", held.size());
  }
  check(out > 900, "only %" PRIu64 " entries came", out);
  check(full_clocks || empty_clocks, "neither full nor empty");
  if (c.wr_one_in == 1 && c.rd_one_in > 2) check(full_clocks > 100, "never full");
  if (c.rd_one_in == 1 && c.wr_one_in > 2) check(empty_clocks > 100, "never empty");
}

// Full throughput: a faster reader takes one entry per writer clock.
static void full_rate() {
  Vdut dut;
  tb::TwoClocks clocks(33, 20, 0, 9);
  unsigned refused = 0;
  dut.wr_rst = dut.rd_rst = 1;
  for (int edge = 0; edge < 20000; edge++) {
    if (edge == 40) dut.wr_rst = dut.rd_rst = 0;
    const bool on = edge > 80;
    if (clocks.next() == 0) {
      dut.wr_valid = on;
      dut.eval();
      refused += on && !dut.wr_ready;
      dut.wr_clk = 1, dut.eval(), dut.wr_clk = 0, dut.eval();
    } else {
      dut.rd_ready = on;
      dut.rd_clk = 1, dut.eval(), dut.rd_clk = 0, dut.eval();
    }
  }
  check(refused == 0, "full for %u clocks at a rate that the reader can keep up with", refused);
}

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  const Case cases[] = {{33, 20, 1, 1},   {20, 33, 1, 1},   {33, 20, 1, 4},    {33, 20, 4, 1}, {100, 100, 2, 2},
                        {100, 101, 1, 1}, {101, 100, 1, 1}, {1000, 30, 1, 40}, {30, 400, 1, 1}};
  uint64_t seed = 1;
  for (const Case &c : cases)
    for (int i = 0; i < 4; i++) run(c, seed++);
  full_rate();
  return tb::finish("async_fifo");
}
