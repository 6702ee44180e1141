// SPDX-License-Identifier: Apache-2.0
// axil_slave with simultaneous reads and writes, every channel at its own random pace, over a bus with random delays. A
// plain memory predicts what must come back; every fourth word is an invalid address; some writes are partial.
#include <map>

#include "tb.h"

namespace {

struct Write {
  uint32_t address = 0, data = 0;
  unsigned strobes = 0xf;
  bool address_sent = false, data_sent = false;
};

bool erroneous(uint32_t address) { return (address / 4) % 4 == 3; }

class Bench {
 public:
  explicit Bench(uint64_t seed) : random_(seed) { tb::reset(dut_); }

  void run(unsigned accesses) {
    unsigned clocks_without_progress = 0;
    while (answered_ < accesses && clocks_without_progress < 1000) {
      const unsigned before = answered_;
      clock();
      clocks_without_progress = answered_ == before ? clocks_without_progress + 1 : 0;
    }
    tb::check(answered_ >= accesses, "stuck after %u answers", answered_);
    tb::check(partial_ && errors_ && both_, "a case never happened: %u partial, %u errors, %u clocks with both", partial_,
              errors_, both_);
  }

 private:
  Vdut dut_;
  tb::Random random_;
  std::map<uint32_t, uint32_t> memory_;   // contents of the bus side
  unsigned answered_ = 0, partial_ = 0, errors_ = 0, both_ = 0;

  // master
  bool writing_ = false, reading_ = false, read_sent_ = false;
  Write write_;
  uint32_t read_address_ = 0;
  bool aw_held_ = false, w_held_ = false, ar_held_ = false;
  // bus
  unsigned bus_wait_ = 0;
  bool bus_busy_ = false;
  uint32_t expected_data_ = 0;   // data of the read on the bus
  unsigned bus_writes_ = 0, bus_reads_ = 0, due_writes_ = 0, due_reads_ = 0;

  void offer() {
    if (!writing_ && random_.one_in(3)) {
      writing_ = true;
      write_ = Write();
      write_.address = static_cast<uint32_t>(random_.below(64)) * 4;
      write_.data = static_cast<uint32_t>(random_.next());
      write_.strobes = random_.one_in(5) ? static_cast<unsigned>(random_.below(15)) : 0xf;
    }
    if (!reading_ && random_.one_in(3)) {
      reading_ = true;
      read_sent_ = false;
      read_address_ = static_cast<uint32_t>(random_.below(64)) * 4;
    }
    aw_held_ = writing_ && !write_.address_sent && (aw_held_ || random_.one_in(2));
    w_held_ = writing_ && !write_.data_sent && (w_held_ || random_.one_in(2));
    ar_held_ = reading_ && !read_sent_ && (ar_held_ || random_.one_in(2));
    dut_.s_axil_awvalid = aw_held_;
    dut_.s_axil_wvalid = w_held_;
    dut_.s_axil_arvalid = ar_held_;
    // Signals without valid must not matter.
    dut_.s_axil_awaddr = aw_held_ ? write_.address : random_.below(1 << 17);
    dut_.s_axil_wdata = w_held_ ? write_.data : static_cast<uint32_t>(random_.next());
    dut_.s_axil_wstrb = w_held_ ? write_.strobes : random_.below(16);
    dut_.s_axil_araddr = ar_held_ ? read_address_ : random_.below(1 << 17);
    dut_.s_axil_bready = random_.one_in(2);
    dut_.s_axil_rready = random_.one_in(2);
  }

  void bus() {
    dut_.bus_ack = 0;
    dut_.bus_error = random_.one_in(2);
    dut_.bus_rdata = static_cast<uint32_t>(random_.next());
    if (dut_.bus_req) {
      tb::check(!bus_busy_, "request while one is open");
      bus_busy_ = true;
      bus_wait_ = static_cast<unsigned>(random_.below(4));
      if (dut_.bus_write) {
        bus_writes_++;
        tb::check(write_.address_sent && write_.data_sent && write_.strobes == 0xf, "write request out of nothing");
        tb::check(dut_.bus_addr == write_.address && dut_.bus_wdata == write_.data, "write of %08x to %05x, expected %08x to %05x",
                  dut_.bus_wdata, dut_.bus_addr, write_.data, write_.address);
      } else {
        bus_reads_++;
        tb::check(read_sent_ && dut_.bus_addr == read_address_, "read of %05x, expected %05x", dut_.bus_addr, read_address_);
      }
    } else if (bus_busy_ && bus_wait_ > 0) {
      bus_wait_--;
    } else if (bus_busy_) {
      const uint32_t address = dut_.bus_addr;
      dut_.bus_ack = 1;
      dut_.bus_error = erroneous(address);
      if (dut_.bus_write) {
        if (!erroneous(address)) memory_[address] = dut_.bus_wdata;
      } else {
        expected_data_ = erroneous(address) ? 0 : memory_[address];
        dut_.bus_rdata = erroneous(address) ? 0xdeadbeef : expected_data_;
      }
      bus_busy_ = false;
    }
  }

  void answers() {
    if (dut_.s_axil_bvalid && dut_.s_axil_bready) {
      const bool partial = write_.strobes != 0xf;
      tb::check(writing_ && write_.address_sent && write_.data_sent, "write response out of nothing");
      const unsigned expected = partial || erroneous(write_.address) ? 2 : 0;
      tb::check(dut_.s_axil_bresp == expected, "bresp %u, expected %u", dut_.s_axil_bresp, expected);
      due_writes_ += !partial;
      tb::check(bus_writes_ == due_writes_, "%u bus writes for %u whole writes", bus_writes_, due_writes_);
      partial_ += partial;
      writing_ = false;
      answered_++;
    }
    if (dut_.s_axil_rvalid && dut_.s_axil_rready) {
      tb::check(reading_ && read_sent_, "read response out of nothing");
      const bool error = erroneous(read_address_);
      tb::check(dut_.s_axil_rresp == (error ? 2 : 0), "rresp %u", dut_.s_axil_rresp);
      tb::check(dut_.s_axil_rdata == (error ? 0 : expected_data_), "rdata %08x, expected %08x", dut_.s_axil_rdata,
                expected_data_);
      due_reads_++;
      tb::check(bus_reads_ == due_reads_, "%u bus reads for %u reads", bus_reads_, due_reads_);
      errors_ += error;
      reading_ = false;
      answered_++;
    }
  }

  void clock() {
    offer();
    bus();
    dut_.eval();
    both_ += writing_ && reading_;
    tb::check(dut_.busy == (write_busy() || (reading_ && read_sent_)), "busy is %u", dut_.busy);
    answers();
    const bool aw = dut_.s_axil_awvalid && dut_.s_axil_awready;
    const bool w = dut_.s_axil_wvalid && dut_.s_axil_wready;
    const bool ar = dut_.s_axil_arvalid && dut_.s_axil_arready;
    tb::tick(dut_);
    write_.address_sent = write_.address_sent || aw;
    write_.data_sent = write_.data_sent || w;
    read_sent_ = read_sent_ || ar;
    aw_held_ = aw_held_ && !aw;
    w_held_ = w_held_ && !w;
    ar_held_ = ar_held_ && !ar;
  }

  bool write_busy() const { return writing_ && (write_.address_sent || write_.data_sent); }
};

}  // namespace

int main() {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    Bench bench(seed);
    bench.run(20000);
  }
  return tb::finish("axil_slave");
}
