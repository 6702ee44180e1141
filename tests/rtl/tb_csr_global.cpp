// SPDX-License-Identifier: Apache-2.0
// csr_global against a model made of the generated register lists: every offset is read and written, then random accesses,
// back to back or apart, with resets in between. Values to read change in every clock. Strobes last one clock, and the bus
// is 0 unless it acknowledges.
#include <map>

#include "csr_bench.h"

namespace {

using csr::Register;
using tb::check;

const std::map<std::string, uint32_t> kConstants = {
    {"ID", FPGAUGE_MAP_ID}, {"MAP_VERSION", FPGAUGE_MAP_VERSION}, {"MAP_HASH", FPGAUGE_MAP_HASH}, {"PORTS", TB_PORTS},
    {"GROUPS", TB_GROUPS}, {"CLOCK_HZ", TB_CLOCK_HZ}, {"FLOWS", TB_FLOWS}, {"HISTOGRAM_BINS", TB_HISTOGRAM_BINS}};

struct Statistics {
  unsigned errors = 0, strobes[4] = {0, 0, 0, 0}, latched = 0, resets = 0;
};

class Bench {
 public:
  explicit Bench(uint64_t seed) : random_(seed) {
    tb::reset(dut_);
    check_state(0, "after reset");
  }
  void every_offset() {
    for (uint32_t offset = 0; offset < FPGAUGE_PORT_STRIDE; offset++) {
      access(true, offset, static_cast<uint32_t>(random_.next()));
      access(false, offset, 0);
    }
  }
  void at_random(unsigned accesses) {
    const auto &list = csr::global_registers();
    for (unsigned n = 0; n < accesses; n++) {
      const Register &r = list[random_.below(list.size())];
      const bool anywhere = random_.one_in(10);
      const uint64_t at = anywhere ? random_.below(FPGAUGE_PORT_STRIDE) : r.offset + 4 * random_.below(r.words());
      access(random_.one_in(2), static_cast<uint32_t>(at), static_cast<uint32_t>(random_.next()));
      for (uint64_t idle = random_.one_in(2) ? 0 : random_.below(4); idle > 0; idle--) {
        clock(0, "idle");
        check_answer(false, false, 0, "idle", 0);
      }
      if (random_.one_in(200)) reset();
    }
  }
  Statistics statistics;

 private:
  Vdut dut_;
  tb::Random random_;
  std::map<std::string, uint32_t> kept_ = {{"RUN_ID", 0}, {"SCRATCH", 0}};
  bool latched_ = false;
  uint32_t time_high_ = 0;

  void values() {
    dut_.status_sending = random_.one_in(2);
    dut_.status_clearing = random_.one_in(2);
    dut_.sends_wrong_code = random_.one_in(2);
    dut_.sends_short_frames = random_.one_in(2);
    dut_.sends_gap_88_bits = random_.one_in(2);
    dut_.tx_time_error_value = static_cast<uint32_t>(random_.next());
    dut_.rx_time_error_value = static_cast<uint32_t>(random_.next());
    dut_.snapshot_time_value = random_.next();
    dut_.time_value = random_.next();
    dut_.start_time_value = random_.next();
  }
  void clock(uint32_t control, const char *when) {
    tb::tick(dut_);
    check_state(control, when);
    values();
  }
  void check_state(uint32_t control, const char *when) {
    const uint32_t strobes = (dut_.control_start ? FPGAUGE_GLOBAL_CONTROL_START : 0) |
                             (dut_.control_stop ? FPGAUGE_GLOBAL_CONTROL_STOP : 0) |
                             (dut_.control_clear ? FPGAUGE_GLOBAL_CONTROL_CLEAR : 0) |
                             (dut_.control_snapshot ? FPGAUGE_GLOBAL_CONTROL_SNAPSHOT : 0);
    check(strobes == (control & 0xf), "%s: strobes %x after a write of %x", when, strobes, control);
    check(dut_.run_settings == kept_["RUN_ID"], "%s: run_settings %x, expected %x", when, dut_.run_settings, kept_["RUN_ID"]);
  }
  void check_answer(bool ack, bool error, uint32_t data, const char *when, uint32_t offset) {
    check(dut_.bus_ack == ack && dut_.bus_error == error && dut_.bus_rdata == data,
          "%s at %03x: ack %u error %u data %08x, expected %u %u %08x", when, offset, dut_.bus_ack, dut_.bus_error,
          dut_.bus_rdata, ack, error, data);
  }
  void reset() {
    dut_.rst = 1;
    for (auto &kept : kept_) kept.second = 0;
    clock(0, "in reset");
    dut_.rst = 0;
    statistics.resets++;
  }

  // Computes what a read gives that is requested in this clock; false if it is not known yet.
  bool value(const Register &r, unsigned word, uint32_t *data) {
    const std::map<std::string, uint64_t> inputs = {
        {"TX_TIME_ERROR", dut_.tx_time_error_value}, {"RX_TIME_ERROR", dut_.rx_time_error_value},
        {"SNAPSHOT_TIME", dut_.snapshot_time_value}, {"TIME", dut_.time_value}, {"START_TIME", dut_.start_time_value}};
    const auto constant = kConstants.find(r.name);
    const auto kept = kept_.find(r.name);
    *data = 0;
    if (constant != kConstants.end()) {
      *data = constant->second;
    } else if (kept != kept_.end()) {
      *data = kept->second;
    } else if (r.name == "SENDS") {
      *data = (dut_.sends_wrong_code ? FPGAUGE_GLOBAL_SENDS_WRONG_CODE : 0) |
              (dut_.sends_short_frames ? FPGAUGE_GLOBAL_SENDS_SHORT_FRAMES : 0) |
              (dut_.sends_gap_88_bits ? FPGAUGE_GLOBAL_SENDS_GAP_88_BITS : 0);
    } else if (r.name == "STATUS") {
      *data = (dut_.status_sending ? FPGAUGE_GLOBAL_STATUS_SENDING : 0) |
              (dut_.status_clearing ? FPGAUGE_GLOBAL_STATUS_CLEARING : 0);
    } else if (r.name == "TIME" && word == 1) {
      *data = time_high_;
      statistics.latched += latched_;
      return latched_;
    } else if (r.name != "CONTROL") {
      const auto input = inputs.find(r.name);
      if (!check(input != inputs.end(), "%s: not known to this testbench", r.name.c_str())) return false;
      *data = static_cast<uint32_t>(input->second >> (32 * word));
    }
    return true;
  }

  void access(bool write, uint32_t offset, uint32_t data) {
    unsigned word = 0;
    const Register *r = csr::find(csr::global_registers(), offset, &word);
    uint32_t expected = 0, control = 0;
    const bool error = !r || (write && r->access == csr::ro);
    const bool known = error || write || value(*r, word, &expected);
    dut_.bus_req = 1;
    dut_.bus_write = write;
    dut_.bus_offset = static_cast<uint16_t>(offset);
    dut_.bus_wdata = data;
    dut_.eval();
    if (write && !error && r->access == csr::rw) kept_[r->name] = data & r->mask(word);
    if (write && !error && r->name == "CONTROL") {
      control = data;
      for (unsigned bit = 0; bit < 4; bit++) statistics.strobes[bit] += data >> bit & 1;
    }
    if (!write && r && r->name == "TIME" && word == 0) {
      time_high_ = static_cast<uint32_t>(dut_.time_value >> 32);
      latched_ = true;
    }
    clock(control, "access");
    dut_.bus_req = 0;
    if (known) check_answer(true, error, expected, write ? "write" : "read", offset);
    statistics.errors += error;
  }
};

}  // namespace

int main() {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    Bench bench(seed);
    bench.every_offset();
    bench.at_random(20000);
    const Statistics &s = bench.statistics;
    check(s.errors && s.strobes[0] && s.strobes[1] && s.strobes[2] && s.strobes[3] && s.latched && s.resets,
          "a case never happened: %u errors, %u latched times, %u resets", s.errors, s.latched, s.resets);
  }
  return tb::finish("csr_global");
}
