// SPDX-License-Identifier: Apache-2.0
// csr_bus between a master and blocks that answer after random delays: every request reaches its block alone, with the
// offset, data and direction of the access, one clock later, and they stay until the answer; an answer comes back one
// clock later; a block that is not there is an error. Resets come in the middle.
#include "csr_bench.h"

namespace {

using tb::check;

constexpr unsigned kBlocks = TB_BLOCKS;
constexpr uint32_t kBlockOctets = FPGAUGE_PORT_STRIDE;

struct Statistics {
  unsigned answered[kBlocks + 1] = {}, errors = 0, at_once = 0, resets = 0;
};

class Bench {
 public:
  explicit Bench(uint64_t seed) : random_(seed) {
    tb::reset(dut_);
    check_quiet("after reset");
  }
  void run(unsigned accesses) {
    for (unsigned n = 0; n < accesses; n++) {
      // The 32 blocks that an address can name, most of them not there; those that are there more often.
      const unsigned block = static_cast<unsigned>(random_.one_in(3) ? random_.below(32) : random_.below(kBlocks));
      access(random_.one_in(2), block, static_cast<uint32_t>(random_.below(kBlockOctets)), static_cast<uint32_t>(random_.next()));
      for (uint64_t idle = random_.one_in(2) ? 0 : random_.below(4); idle > 0; idle--) {
        tb::tick(dut_);
        check_quiet("idle");
      }
    }
  }
  Statistics statistics;

 private:
  Vdut dut_;
  tb::Random random_;

  void check_quiet(const char *when) {
    check(dut_.block_req == 0 && dut_.bus_ack == 0, "%s: block_req %x, ack %u", when, dut_.block_req, dut_.bus_ack);
  }
  void check_shared(bool write, uint32_t offset, uint32_t data, const char *when) {
    check(dut_.block_write == write && dut_.block_offset == offset && dut_.block_wdata == data,
          "%s: write %u offset %03x data %08x, expected %u %03x %08x", when, dut_.block_write, dut_.block_offset, dut_.block_wdata,
          write, offset, data);
  }
  // Blocks drive 0 unless they acknowledge.
  void answer(unsigned block, uint32_t data, bool error) {
    const uint32_t ack = 1u << block, errors = error ? ack : 0;
    uint32_t words[kBlocks] = {};
    words[block] = data;
    tb::put_octets(dut_.block_ack, reinterpret_cast<const uint8_t *>(&ack), sizeof ack);
    tb::put_octets(dut_.block_error, reinterpret_cast<const uint8_t *>(&errors), sizeof errors);
    tb::put_octets(dut_.block_rdata, reinterpret_cast<const uint8_t *>(words), sizeof words);
  }
  void quiet() {
    const uint32_t words[kBlocks] = {};
    dut_.block_ack = 0;
    dut_.block_error = 0;
    tb::put_octets(dut_.block_rdata, reinterpret_cast<const uint8_t *>(words), sizeof words);
  }
  void reset() {
    dut_.rst = 1;
    quiet();
    tb::tick(dut_);
    dut_.rst = 0;
    check_quiet("reset");
    tb::tick(dut_);
    check_quiet("after a reset");
    statistics.resets++;
  }

  void access(bool write, unsigned block, uint32_t offset, uint32_t data) {
    const bool there = block < kBlocks;
    dut_.bus_req = 1;
    dut_.bus_write = write;
    dut_.bus_addr = block * kBlockOctets + offset;
    dut_.bus_wdata = data;
    tb::tick(dut_);
    dut_.bus_req = 0;
    check(dut_.block_req == (there ? 1u << block : 0) && !dut_.bus_ack, "block_req %x for block %u, ack %u", dut_.block_req, block,
          dut_.bus_ack);
    check_shared(write, offset, data, "request");
    if (random_.one_in(100)) {
      reset();
      return;
    }
    uint32_t expected = 0;
    bool error = true;
    if (there) {
      const uint64_t delay = random_.below(5);
      for (uint64_t n = 0; n < delay; n++) {
        tb::tick(dut_);
        check_quiet("waiting");
        check_shared(write, offset, data, "waiting");
      }
      error = random_.one_in(3);
      expected = static_cast<uint32_t>(random_.next());
      answer(block, expected, error);
      statistics.at_once += delay == 0;
    }
    tb::tick(dut_);
    quiet();
    check(dut_.bus_ack == 1 && dut_.bus_error == error && dut_.bus_rdata == expected && dut_.block_req == 0,
          "block %u: ack %u error %u data %08x, expected 1 %u %08x", block, dut_.bus_ack, dut_.bus_error, dut_.bus_rdata, error,
          expected);
    statistics.answered[there ? block : kBlocks]++;
    statistics.errors += error;
  }
};

}  // namespace

int main() {
  Bench bench(1);
  bench.run(50000);
  const Statistics &s = bench.statistics;
  for (unsigned block = 0; block <= kBlocks; block++)
    check(s.answered[block] > 100, "block %u answered %u times", block, s.answered[block]);
  check(s.errors && s.at_once && s.resets, "a case never happened: %u errors, %u at once, %u resets", s.errors, s.at_once,
        s.resets);
  return tb::finish("csr_bus");
}
