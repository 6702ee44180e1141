// SPDX-License-Identifier: Apache-2.0
// core_control with ports that are a few words of memory each, and answer when they like. Accesses reach the one port that they are
// for, and nothing answers beyond the last; strobes, run id and times reach all of them; what they say is in the global registers;
// idle and the time that it allows to skip. An argument is another seed.
#include <algorithm>
#include <map>
#include <vector>

#include "axil_master.h"
#include "hw/regs/fpgauge_regs.h"
#include "tb.h"

namespace {

using tb::check;

constexpr unsigned kPorts = TB_PORTS, kWordOctets = 8 * TB_GROUPS, kBlocks = 32, kOkay = 0, kSlverr = 2;
constexpr unsigned kTimeBits = 64 - 5;               // a word's time with 4 groups
static_assert(TB_GROUPS == 4, "kTimeBits");
constexpr uint32_t kPortErrors = 0xC00;              // the offset from which a port here refuses accesses
constexpr unsigned kRxClocks = 15, kOtherClocks = 8; // clocks that rx needs after its last word, and all else
constexpr unsigned kReserve = 4;                     // words that are not skipped

struct Port {
  std::map<uint32_t, uint32_t> memory;
  unsigned requests = 0, answer_in = 0;              // clocks until it answers; 0: it was not asked
  bool write = false;
  uint32_t offset = 0, data = 0;
};

class Bench {
 public:
  explicit Bench(uint64_t seed) : bus_(dut_, [this] { clock(); }), random_(seed) {
    dut_.port_tx_idle = dut_.port_rx_idle = (1u << kPorts) - 1;
    dut_.rst = 1;
    for (int i = 0; i < 8; i++) clock();
    check(dut_.word_time == start(), "time in reset %" PRIx64, (uint64_t)dut_.word_time);
    dut_.rst = 0;
    clock();
    running_ = true;
  }
  void run() {
    constants();
    for (int i = 0; i < 6000; i++) {
      switch (random_.below(8)) {
        case 0: strobes(); break;
        case 1: status(); break;
        case 2: start_time(); break;
        case 3: time(); break;
        case 4: idle_and_skip(); break;
        default: access(); break;
      }
      for (uint64_t rest = random_.below(4); rest > 0; rest--) clock();
    }
    for (unsigned met : met_) check(met > 50, "a case was met %u times", met);
  }

 private:
  Vdut dut_;
  tb::AxilMaster<Vdut> bus_;
  tb::Random random_;
  Port ports_[kPorts];
  bool running_ = false;
  uint64_t time_ = 0, time_before_ = 0, strobe_time_ = 0;  // words: of the last clock, of that before, of the last snapshot
  uint32_t skip_now_ = 0, skip_next_ = 0;                  // words that the time jumps at the end of this clock and the next
  unsigned strobes_[4] = {};                               // clocks with each
  unsigned since_rx_ = 0, since_busy_ = 0;                 // clocks since something was received, or anything else went on
  bool calm_[2] = {};                                      // nothing of that, two clocks ago and one: idle is seen two clocks later
  std::vector<uint32_t> idle_words_ = std::vector<uint32_t>(kPorts);
  unsigned met_[6] = {};

  static uint64_t start() { return ((uint64_t)TB_TIME_START_HIGH << 32) / kWordOctets; }

  // ---- a clock: what comes out of it, what the ports answer in the next one
  void clock() {
    dut_.eval();
    const bool idle = dut_.idle;
    const uint32_t skip = dut_.skip_words;
    const uint32_t least = *std::min_element(idle_words_.begin(), idle_words_.end());
    for (unsigned p = 0; p < kPorts; p++) requested(p);
    if (running_) {
      const bool is[4] = {dut_.start != 0, dut_.stop != 0, dut_.clear != 0, dut_.snapshot != 0};
      for (unsigned i = 0; i < 4; i++) strobes_[i] += is[i];
      if (dut_.snapshot) strobe_time_ = dut_.word_time;
      since_busy_ = busy() ? 0 : since_busy_ + 1;
      since_rx_ = dut_.port_rx_idle == (1u << kPorts) - 1 ? since_rx_ + 1 : 0;
      const bool was_calm = calm_[0];
      calm_[0] = calm_[1], calm_[1] = since_busy_ > kOtherClocks;
      check(!idle || (since_rx_ > kRxClocks && was_calm), "idle %u clocks after something was received, %u after anything else", since_rx_,
            since_busy_);
    }
    tb::tick(dut_);
    if (running_) {
      time_ = time_ + 1 + skip_now_;
      check(dut_.word_time == time_, "time %" PRIx64 ", expected %" PRIx64, (uint64_t)dut_.word_time, time_);
      check(dut_.rx_word_time == time_before_, "rx time %" PRIx64 ", expected %" PRIx64, (uint64_t)dut_.rx_word_time, time_before_);
      check(dut_.port_skip_words == skip, "skip %u, expected %u", dut_.port_skip_words, skip);
      check(dut_.idle_words == (least > kReserve ? least - kReserve : 0), "idle words %u, of %u", dut_.idle_words, least);
    } else {
      time_ = dut_.word_time;
    }
    time_before_ = time_;
    skip_now_ = skip;
    answers();
  }
  bool busy() const {
    bool waits = false;
    for (const Port &p : ports_) waits = waits || p.answer_in;
    return waits || dut_.port_busy || dut_.port_tx_idle != (1u << kPorts) - 1 || dut_.start || dut_.stop || dut_.clear || dut_.snapshot;
  }
  void requested(unsigned p) {
    if (!(dut_.port_req >> p & 1)) return;
    ports_[p].requests++;
    ports_[p].write = dut_.port_write, ports_[p].offset = dut_.port_offset, ports_[p].data = dut_.port_wdata;
    ports_[p].answer_in = 1 + (unsigned)random_.below(6);
  }
  void answers() {
    dut_.port_ack = dut_.port_error = 0;
    for (unsigned p = 0; p < kPorts; p++) {
      Port &port = ports_[p];
      uint32_t data = 0;
      if (port.answer_in && --port.answer_in == 0) {
        const bool error = port.offset >= kPortErrors;
        if (port.write && !error) port.memory[port.offset] = port.data;
        data = port.write || error ? 0 : port.memory[port.offset];
        dut_.port_ack |= 1u << p;
        dut_.port_error |= (unsigned)error << p;
      }
      tb::put_octets(dut_.port_rdata[p], reinterpret_cast<uint8_t *>(&data), 4);
    }
  }

  // ---- registers
  uint32_t read(uint32_t address) {
    const tb::AxilResult r = bus_.read(address);
    check(r.answered && r.response == kOkay, "%05x: response %u", address, r.response);
    return r.data;
  }
  uint64_t read64(uint32_t address) {
    const uint64_t low = read(address);
    return (uint64_t)read(address + 4) << 32 | low;
  }
  void write(uint32_t address, uint32_t data) {
    const tb::AxilResult r = bus_.write(address, data);
    check(r.answered && r.response == kOkay, "%05x: response %u to a write", address, r.response);
  }
  void constants() {
    const struct {
      uint32_t address, value;
    } all[] = {{FPGAUGE_GLOBAL_ID, FPGAUGE_MAP_ID}, {FPGAUGE_GLOBAL_MAP_VERSION, FPGAUGE_MAP_VERSION},
               {FPGAUGE_GLOBAL_MAP_HASH, FPGAUGE_MAP_HASH}, {FPGAUGE_GLOBAL_PORTS, kPorts}, {FPGAUGE_GLOBAL_GROUPS, TB_GROUPS},
               {FPGAUGE_GLOBAL_CLOCK_HZ, TB_CLOCK_HZ}, {FPGAUGE_GLOBAL_SENDS, TB_SENDS},
               {FPGAUGE_GLOBAL_TX_TIME_ERROR, TB_TX_TIME_ERROR}, {FPGAUGE_GLOBAL_RX_TIME_ERROR, TB_RX_TIME_ERROR}};
    for (const auto &one : all) {
      const uint32_t is = read(one.address);
      check(is == one.value, "%05x is %08x, expected %08x", one.address, is, one.value);
    }
  }

  // One access to any block: one request at most, to the port of that block.
  void access() {
    const unsigned block = (unsigned)random_.between(1, random_.one_in(3) ? kBlocks - 1 : kPorts), p = block - 1;
    const uint32_t offset = (uint32_t)random_.below(random_.one_in(4) ? FPGAUGE_PORT_STRIDE / 4 : 4) * 4;
    const uint32_t data = (uint32_t)random_.next(), address = FPGAUGE_PORT_STRIDE * block + offset;
    const bool writes = random_.one_in(2), missing = block > kPorts, error = missing || offset >= kPortErrors;
    unsigned before[kPorts];
    for (unsigned q = 0; q < kPorts; q++) before[q] = ports_[q].requests;
    const uint32_t kept = missing ? 0 : ports_[p].memory[offset];
    const tb::AxilResult r = writes ? bus_.write(address, data) : bus_.read(address);
    check(r.answered && r.response == (error ? kSlverr : kOkay), "%05x: response %u", address, r.response);
    for (unsigned q = 0; q < kPorts; q++)
      check(ports_[q].requests == before[q] + (q == p), "%05x: %u requests to port %u", address, ports_[q].requests - before[q], q);
    if (!missing)
      check(ports_[p].offset == offset && ports_[p].write == writes && (!writes || ports_[p].data == data), "%05x: not as asked", address);
    if (!error && writes) check(ports_[p].memory[offset] == data, "%05x: %08x was written", address, ports_[p].memory[offset]);
    if (!error && !writes) check(r.data == kept, "%05x: %08x, expected %08x", address, r.data, kept);
    met_[0] += missing, met_[1] += !error;
  }

  // ---- what all ports share
  void strobes() {
    const uint32_t bits = (uint32_t)random_.below(16), id = (uint32_t)random_.below(256);
    const uint32_t mask[4] = {FPGAUGE_GLOBAL_CONTROL_START, FPGAUGE_GLOBAL_CONTROL_STOP, FPGAUGE_GLOBAL_CONTROL_CLEAR,
                              FPGAUGE_GLOBAL_CONTROL_SNAPSHOT};
    unsigned before[4];
    uint32_t control = 0;
    for (unsigned i = 0; i < 4; i++) before[i] = strobes_[i], control |= bits >> i & 1 ? mask[i] : 0;
    write(FPGAUGE_GLOBAL_RUN_ID, id);
    check(dut_.run_id == id, "run id %u, expected %u", dut_.run_id, id);
    write(FPGAUGE_GLOBAL_CONTROL, control);
    for (unsigned i = 0; i < 4; i++) check(strobes_[i] == before[i] + (bits >> i & 1), "strobe %u: %u clocks", i, strobes_[i] - before[i]);
    check(read64(FPGAUGE_GLOBAL_SNAPSHOT_TIME) == strobe_time_ * kWordOctets, "time of a snapshot, expected %" PRIx64, strobe_time_);
    met_[2] += bits != 0;
  }
  void status() {
    const unsigned sending = random_.one_in(2) ? 0 : 1u << random_.below(kPorts);
    const unsigned busy = random_.one_in(2) ? 0 : 1u << random_.below(kPorts);
    dut_.port_sending = sending, dut_.port_busy = busy;
    clock();
    clock();
    const uint32_t expected = (sending ? FPGAUGE_GLOBAL_STATUS_SENDING : 0) | (busy ? FPGAUGE_GLOBAL_STATUS_CLEARING : 0);
    check(read(FPGAUGE_GLOBAL_STATUS) == expected, "status %x, expected %x", read(FPGAUGE_GLOBAL_STATUS), expected);
    dut_.port_sending = dut_.port_busy = 0;
    met_[3]++;
  }
  // Ports that start do so in the same clock; what the others say is not looked at.
  void start_time() {
    const uint64_t word = random_.next() / kWordOctets;
    const unsigned started = (unsigned)random_.between(1, (1u << kPorts) - 1);
    for (unsigned i = 0; i < 2; i++) {
      dut_.port_started = i == 0 ? started : 0;
      put_start_words(i == 0 ? started : 0, word);
      clock();
    }
    const uint64_t is = read64(FPGAUGE_GLOBAL_START_TIME), expected = word * kWordOctets;
    check(is == expected, "start at %" PRIx64 ", expected %" PRIx64, is, expected);
    met_[4]++;
  }
  void put_start_words(unsigned started, uint64_t word) {
    std::vector<uint8_t> octets(sizeof dut_.port_start_word);
    for (unsigned p = 0; p < kPorts; p++) {
      const uint64_t value = started >> p & 1 ? word : random_.next();
      for (unsigned i = 0, at = kTimeBits * p; i < kTimeBits; i++, at++)
        octets[at / 8] = (uint8_t)(octets[at / 8] | (value >> i & 1) << at % 8);
    }
    tb::put_octets(dut_.port_start_word, octets.data(), octets.size());
  }
  void time() {
    const uint64_t before = time_ * kWordOctets, is = read64(FPGAUGE_GLOBAL_TIME), after = time_ * kWordOctets;
    check(is >= before && is <= after, "time %" PRIx64 ", expected %" PRIx64 " to %" PRIx64, is, before, after);
  }

  // ---- simulation only
  void idle_and_skip() {
    const unsigned p = (unsigned)random_.below(kPorts);
    for (unsigned q = 0; q < kPorts; q++) {
      idle_words_[q] = (uint32_t)(random_.one_in(4) ? random_.below(8) : random_.below(100000));
      dut_.port_idle_words[q] = idle_words_[q];
    }
    if (random_.one_in(2)) dut_.port_rx_idle &= (CData) ~(1u << p);
    else dut_.port_tx_idle &= (CData) ~(1u << p);
    for (uint64_t i = random_.between(1, 5); i > 0; i--) clock();
    dut_.port_rx_idle = dut_.port_tx_idle = (1u << kPorts) - 1;
    unsigned waited = 0;
    for (; !dut_.idle && waited < 40; waited++) clock();
    if (!check(dut_.idle, "not idle although nothing moved for %u clocks", waited)) return;
    dut_.skip_words = (uint32_t)random_.below((uint64_t)dut_.idle_words + 1);
    const uint32_t skipped = dut_.skip_words;
    const uint64_t before = time_;
    clock();
    dut_.skip_words = 0;
    for (unsigned i = 0; skipped && i < 2; i++) {
      check(!dut_.idle, "idle before the time has jumped");
      clock();
    }
    check(!skipped || time_ == before + 3 + skipped, "time has jumped %" PRIu64 " words, expected %u", time_ - before - 3, skipped);
    met_[5] += skipped != 0;
  }
};

}  // namespace

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20261127;
  printf("seed %" PRIu64 "\n", seed);
  Bench bench(seed);
  bench.run();
  return tb::finish("core_control");
}
