// SPDX-License-Identifier: Apache-2.0
// axil_crossing between clocks of many ratios, in front of a slave with random delays: every access gets its own
// answer, in order, with its response. An access must also be answered if the core is in reset, has no clock, or goes
// down in the middle of it; then reads are all ones. After a reset of either side both agree.
#include "tests/rtl/axil_master.h"
#include "tests/rtl/two_clocks.h"
#include <map>

using tb::check;

namespace {

class Bench {
public:
  Vdut dut;
  tb::AxilMaster<Vdut> host;
  std::map<uint32_t, uint32_t> memory;
  uint64_t core_writes = 0, core_reads = 0;
  bool core_clock = true;
  bool mute = false; // the slave accepts requests but does not answer

  Bench(uint64_t host_period, uint64_t core_period, uint64_t seed)
      : host(dut, [this] { host_clock(); }), clocks_(host_period, core_period, 3, seed), random_(seed) {
    dut.s_rst = dut.m_rst = 1;
    for (int i = 0; i < 60; i++) host_clock();
    dut.s_rst = dut.m_rst = 0;
    for (int i = 0; i < 60; i++) host_clock();
  }
  void host_clock() {
    while (clocks_.next() != 0) {
      if (core_clock) core();
    }
    dut.s_clk = 1, dut.eval(), dut.s_clk = 0, dut.eval();
  }

private:
  tb::TwoClocks clocks_;
  tb::Random random_;
  bool aw_ = false, w_ = false, ar_ = false;
  uint32_t address_ = 0, data_ = 0;

  // A slave that accepts address and data, and answers, at random times.
  void core() {
    dut.m_axil_awready = !aw_ && random_.one_in(2);
    dut.m_axil_wready = !w_ && random_.one_in(2);
    dut.m_axil_arready = !ar_ && random_.one_in(2);
    dut.eval();
    const bool aw = dut.m_axil_awvalid && dut.m_axil_awready, w = dut.m_axil_wvalid && dut.m_axil_wready;
    const bool ar = dut.m_axil_arvalid && dut.m_axil_arready;
    if (aw) address_ = dut.m_axil_awaddr;
    if (w) data_ = dut.m_axil_wdata;
    if (w) check(dut.m_axil_wstrb == 0xF, "strobes %x", dut.m_axil_wstrb);
    if (ar) address_ = dut.m_axil_araddr;
    const bool b_done = dut.m_axil_bvalid && dut.m_axil_bready, r_done = dut.m_axil_rvalid && dut.m_axil_rready;
    dut.m_clk = 1, dut.eval(), dut.m_clk = 0, dut.eval();
    if (dut.m_rst) {
      aw_ = w_ = ar_ = false;
      dut.m_axil_bvalid = dut.m_axil_rvalid = 0;
      return;
    }
    aw_ |= aw, w_ |= w, ar_ |= ar;
    if (b_done) dut.m_axil_bvalid = 0;
    if (r_done) dut.m_axil_rvalid = 0;
    check(!(ar_ && (aw_ || w_)), "two accesses at a time");
    if (!mute && aw_ && w_ && random_.one_in(3)) {
      memory[address_] = data_;
      core_writes++;
      dut.m_axil_bvalid = 1;
      dut.m_axil_bresp = address_ >= 0x10000 ? 2 : 0;
      aw_ = w_ = false;
    }
    if (!mute && ar_ && random_.one_in(3)) {
      core_reads++;
      dut.m_axil_rvalid = 1;
      dut.m_axil_rdata = memory[address_];
      dut.m_axil_rresp = address_ >= 0x10000 ? 2 : 0;
      ar_ = false;
    }
  }
};

void every_access_has_its_answer(uint64_t host_period, uint64_t core_period, uint64_t seed) {
  Bench bench(host_period, core_period, seed);
  tb::Random random(seed);
  std::map<uint32_t, uint32_t> written;
  uint64_t writes = 0, reads = 0;
  for (int i = 0; i < 400; i++) {
    const uint32_t address = uint32_t(random.below(64) * 4 + (random.one_in(8) ? 0x10000 : 0));
    const unsigned response = address >= 0x10000 ? 2 : 0;
    const tb::AxilTiming timing{unsigned(random.below(3)), unsigned(random.below(3)), unsigned(random.below(3))};
    if (random.one_in(2)) {
      const uint32_t data = uint32_t(random.next());
      const auto result = bench.host.write(address, data, 0xF, timing);
      check(result.answered && result.response == response, "write: response %u", result.response);
      written[address] = data;
      writes++;
    } else {
      const auto result = bench.host.read(address, timing);
      check(result.answered && result.response == response, "read: response %u", result.response);
      check(result.data == written[address], "read %08x, not %08x", result.data, written[address]);
      reads++;
    }
  }
  check(bench.core_writes == writes && bench.core_reads == reads, "the core saw a different number of accesses");
}

void all_ones_from_a_core_that_is_down(uint64_t host_period, uint64_t core_period) {
  Bench bench(host_period, core_period, 5);
  bench.host.write(0, 1234);
  auto gone = [&](const char *when) {
    const auto read = bench.host.read(0);
    check(read.answered && read.data == 0xFFFFFFFF && read.response == 0, "%s: read %08x", when, read.data);
    const auto write = bench.host.write(0, 99);
    check(write.answered && write.response == 0, "%s: write not answered", when);
  };
  auto back = [&](const char *when) {
    for (int i = 0; i < 100; i++) bench.host_clock();
    const auto read = bench.host.read(0);
    check(read.answered && read.data == 1234, "%s: read %08x after it", when, read.data);
  };
  bench.dut.m_rst = 1;
  for (int i = 0; i < 20; i++) bench.host_clock();
  gone("in reset");
  bench.core_clock = false;
  gone("without a clock");
  bench.core_clock = true;
  bench.dut.m_rst = 0;
  back("reset");

  // The host's side alone, at rest, after an odd and an even number of accesses, and within an access: the next access
  // gets its own answer, and the core sees none twice.
  for (int i = 0; i < 8; i++) {
    const bool within = i % 4 >= 2;
    const uint32_t value = 5000 + uint32_t(i);
    if (i % 2) bench.host.read(0);
    bench.host.write(4, value);
    if (within) {
      bench.dut.s_axil_araddr = 0;
      bench.dut.s_axil_arvalid = 1;
      bench.host_clock();
      bench.dut.s_axil_arvalid = 0;
    }
    const uint64_t accesses = bench.core_reads + bench.core_writes;
    bench.dut.s_rst = 1;
    for (int clocks = i; clocks >= 0; clocks--) bench.host_clock();
    bench.dut.s_rst = 0;
    back("a reset of the host's side");
    const auto read = bench.host.read(4);
    check(read.answered && read.data == value, "read %08x, not %08x", read.data, value);
    check(bench.core_reads + bench.core_writes <= accesses + 2 + within, "the core saw an access twice");
  }

  // Down in the middle of an access: the slave has taken it and will not answer.
  bench.mute = true;
  bench.dut.s_axil_araddr = 0;
  bench.dut.s_axil_arvalid = 1;
  bench.dut.eval();
  check(bench.dut.s_axil_arready, "not ready at rest");
  bench.host_clock();
  bench.dut.s_axil_arvalid = 0;
  for (int i = 0; i < 50; i++) bench.host_clock();
  check(!bench.dut.s_axil_rvalid, "an answer from a slave that is mute");
  bench.dut.m_rst = 1;
  for (int i = 0; i < 20; i++) bench.host_clock();
  check(bench.dut.s_axil_rvalid && bench.dut.s_axil_rdata == 0xFFFFFFFF, "no answer when the core went down");
  bench.dut.s_axil_rready = 1;
  bench.host_clock();
  bench.dut.s_axil_rready = 0;
  bench.mute = false;
  bench.dut.m_rst = 0;
  back("a reset within an access");
}

} // namespace

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  const uint64_t periods[][2] = {{4000, 5120}, {5120, 4000}, {3333, 5120}, {10000, 5120}, {1000, 9999}, {9999, 1000}};
  uint64_t seed = 1;
  for (const auto &period : periods) {
    for (int i = 0; i < 5; i++) every_access_has_its_answer(period[0], period[1], seed++);
    all_ones_from_a_core_that_is_down(period[0], period[1]);
  }
  return tb::finish("axil_crossing");
}
