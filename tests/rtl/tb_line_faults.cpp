// SPDX-License-Identifier: Apache-2.0
// The whole core on lines with faults: adjacent ports send to each other, and between them any octet and any control bit
// may change, at rates from one in a hundred thousand to every second one. Whatever comes, in every snapshot the
// identities of the counters hold (docs/registers.md), only frames that were sent count as received, at latency 0, every
// register access is answered, and as soon as the faults end, every frame arrives again.
//
//   tb_line_faults [SEED [WORDS]]      words of all lines: 10^6 if not given
#include "axil_master.h"
#include "hw/regs/fpgauge_regs.h"
#include "tb.h"

namespace {

constexpr unsigned kFlows = 5, kBins = 1024;
constexpr uint64_t kMask48 = (UINT64_C(1) << 48) - 1;

class Bench {
 public:
  explicit Bench(uint64_t seed) : bus_(dut_, [this] { clock(); }), random_(seed) {
    dut_.skip_words = 0;
    memset(&dut_.line_rx_data, 0x07, sizeof dut_.line_rx_data);
    memset(&dut_.line_rx_ctrl, 0xff, sizeof dut_.line_rx_ctrl);
    dut_.rst = 1;
    for (int i = 0; i < 8; i++) clock();
    dut_.rst = 0;
    ports_ = read(FPGAUGE_GLOBAL_PORTS);
    groups_ = read(FPGAUGE_GLOBAL_GROUPS);
    while (read(FPGAUGE_GLOBAL_STATUS)) {}
    for (unsigned p = 0; p < ports_; p++) configure(p);
  }

  void run(uint64_t words) {
    while (words_ < words && tb::failures() < 20) round();
    printf("%" PRIu64 " words, %" PRIu64 " octets and %" PRIu64 " control bits changed; %" PRIu64 " frames sent, %" PRIu64
           " received, %" PRIu64 " bad\n", words_, octets_changed_, controls_changed_, sent_, received_, bad_);
    tb::check(octets_changed_ > words / 100 && controls_changed_ > words / 100, "hardly a fault");
    tb::check(received_ > words / 100 && bad_ > words / 1000 && sent_ > received_ + bad_ / 10, "hard cases are missing");
  }

 private:
  Vdut dut_;
  tb::AxilMaster<Vdut> bus_;
  tb::Random random_;
  unsigned ports_ = 0, groups_ = 0;
  uint64_t one_in_ = 0, rate_ = 0;   // octets of the line, and as many control bits, change at this rate (0: none) or did
  uint64_t words_ = 0, octets_changed_ = 0, controls_changed_ = 0, sent_ = 0, received_ = 0, bad_ = 0;

  // ---- lines: 8 * groups data octets and `groups` control octets per port
  void change(uint8_t *octets, size_t count, bool controls) {
    static const uint8_t codes[] = {0xFB, 0xFD, 0x07, 0xFE, 0x9C, 0x55, 0xD5};
    for (size_t at = random_.below(2 * one_in_); at < count; at += 1 + random_.below(2 * one_in_)) {
      if (controls) {
        octets[at / 8] ^= static_cast<uint8_t>(1u << at % 8);
        controls_changed_++;
      } else {
        octets[at] = random_.one_in(2) ? codes[random_.below(sizeof codes)] : static_cast<uint8_t>(random_.next());
        octets_changed_++;
      }
    }
  }

  void clock() {
    if (groups_) {
      uint8_t words[16 * 64], crossed[16 * 64], controls[16 * 8], marks[16 * 8];
      const size_t octets = 8 * groups_;
      tb::get_octets(dut_.line_tx_data, words, ports_ * octets);
      tb::get_octets(dut_.line_tx_ctrl, controls, ports_ * groups_);
      for (unsigned p = 0; p < ports_; p++) {
        memcpy(&crossed[(p ^ 1) * octets], &words[p * octets], octets);
        memcpy(&marks[(p ^ 1) * groups_], &controls[p * groups_], groups_);
      }
      if (one_in_) {
        change(crossed, ports_ * octets, false);
        change(marks, ports_ * octets, true);
        words_ += ports_;
      }
      tb::put_octets(dut_.line_rx_data, crossed, ports_ * octets);
      tb::put_octets(dut_.line_rx_ctrl, marks, ports_ * groups_);
      dut_.eval();
    }
    tb::tick(dut_);
  }
  void clocks(uint64_t n) {
    while (n--) clock();
  }

  // ---- registers
  uint32_t read(uint32_t address) {
    const tb::AxilResult result = bus_.read(address);
    tb::check(result.answered && result.response == 0, "read of %05x is not answered", address);
    return result.data;
  }
  void write(uint32_t address, uint32_t value) {
    const tb::AxilResult result = bus_.write(address, value);
    tb::check(result.answered && result.response == 0, "write to %05x is not answered", address);
  }
  uint64_t read64(uint32_t address) {
    const uint64_t low = read(address);
    return low | static_cast<uint64_t>(read(address + 4)) << 32;
  }
  void control(uint32_t strobes) { write(FPGAUGE_GLOBAL_CONTROL, strobes); }

  void configure(unsigned p) {
    write(FPGAUGE_PORT_TX_ENABLE(p), 1);
    write(FPGAUGE_PORT_TX_GAP_DENOMINATOR(p), 1);
    write(FPGAUGE_PORT_TX_FLOWS(p), kFlows);
    write(FPGAUGE_PORT_TX_TAG_ENABLE(p), 1);
    write(FPGAUGE_PORT_TX_TAG_INTERVAL(p), 3000);
    write(FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(p), 1518);
    write(FPGAUGE_PORT_RX_SHORT_GAP_OCTETS(p), 8);
    write(FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(p), 3);
    // The flows of the other port are expected here.
    write(FPGAUGE_PORT_RX_EXPECTED(p) + 4 * (256 * (p ^ 1) / 32), (1u << kFlows) - 1);
    for (unsigned flow = 0; flow < kFlows; flow++) {
      write(FPGAUGE_PORT_TX_FLOW_INDEX(p), flow);
      write(FPGAUGE_PORT_TX_FLOW_PAYLOAD(p), 42);
      for (unsigned word = 0; word < FPGAUGE_PORT_TX_HEADER_COUNT; word++)
        write(FPGAUGE_PORT_TX_HEADER(p) + 4 * word, static_cast<uint32_t>(random_.next()));
    }
  }

  // ---- what must hold in every snapshot
  struct Snapshot {
    uint64_t value[FPGAUGE_COUNTER_COUNT];
    uint64_t operator[](fpgauge_counter which) const { return value[which]; }
  };
  void identity(bool holds, unsigned p, const char *text) {
    tb::check(holds, "port %u, a fault in %" PRIu64 " octets, word %" PRIu64 ": not so: %s", p, rate_, words_, text);
  }
#define HOLDS(claim) identity(claim, p, #claim)

  // Returns the counters of a port. whole: also adds up the bins.
  Snapshot coherent(unsigned p, bool whole) {
    Snapshot s;
    for (int c = 0; c < FPGAUGE_COUNTER_COUNT; c++) s.value[c] = read64(FPGAUGE_COUNTER(p, c));
#define V(NAME) s[FPGAUGE_COUNTER_##NAME]
    HOLDS(V(RX_FRAMES) == V(RX_FOREIGN_FRAMES) + V(RX_OTHER_RUN_FRAMES) + V(RX_WRONG_LENGTH_FRAMES) + V(RX_BAD_PAYLOAD_FRAMES) +
                              V(RX_WRONG_PORT_FRAMES) + V(RX_RECEIVED_FRAMES));
    HOLDS(V(RX_BAD_FRAMES) == V(RX_BAD_CODE_FRAMES) + V(RX_BAD_SHORT_FRAMES) + V(RX_BAD_LONG_FRAMES) + V(RX_BAD_FCS_FRAMES));
    HOLDS(V(RX_LATENCY_FRAMES) == V(RX_RECEIVED_FRAMES));
    HOLDS(V(RX_OCTETS) >= 64 * V(RX_FRAMES) && V(RX_OCTETS) <= 1518 * V(RX_FRAMES));
    HOLDS(V(RX_TAGGED_FRAMES) <= V(RX_RECEIVED_FRAMES));
    HOLDS(V(RX_SEQUENCE_GAPS) <= V(RX_LOST_FRAMES) + V(RX_REORDERED_FRAMES));
    HOLDS(V(RX_SHORT_GAPS) <= V(RX_GAPS));
    HOLDS(V(RX_GAPS) == 0 || (V(RX_GAP_MIN_OCTETS) * V(RX_GAPS) <= V(RX_GAP_SUM_OCTETS) &&
                              V(RX_GAP_SUM_OCTETS) <= V(RX_GAP_MAX_OCTETS) * V(RX_GAPS)));
    HOLDS(V(RX_RECEIVED_FRAMES) == 0 || (V(RX_FIRST_TIME) <= V(RX_LAST_TIME) && V(RX_LAST_LOSS_TIME) <= V(RX_LAST_TIME) &&
                                         V(RX_SILENCE_TIME) + V(RX_SILENCE_MAX) <= V(RX_LAST_TIME)));
    // Only what passes its FCS is received, so it is as it was sent: at its place, once, in order.
    HOLDS(V(RX_FRAMES) == V(RX_RECEIVED_FRAMES));
    HOLDS(V(RX_DUPLICATED_FRAMES) == 0 && V(RX_REORDERED_FRAMES) == 0 && V(RX_LATE_FRAMES) == 0);
    HOLDS(V(RX_LATENCY_MAX) == 0 && V(RX_LATENCY_SUM) == 0 && V(RX_LATENCY_SUM_HIGH) == 0);
    streams(p, s);
    if (whole) {
      HOLDS(sum_of_bins(FPGAUGE_PORT_RX_HISTOGRAM_INDEX(p), FPGAUGE_PORT_RX_HISTOGRAM_COUNT(p)) == V(RX_LATENCY_FRAMES));
      HOLDS(sum_of_bins(FPGAUGE_PORT_TX_GAP_HISTOGRAM_INDEX(p), FPGAUGE_PORT_TX_GAP_HISTOGRAM_COUNT(p)) == V(TX_GAPS));
    }
    return s;
  }

  void streams(unsigned p, const Snapshot &s) {
    uint64_t sums[6] = {};
    for (unsigned flow = 0; flow < kFlows; flow++) {
      uint64_t v[7];
      write(FPGAUGE_PORT_RX_STREAM_INDEX(p), (p ^ 1) * 256 + flow);
      for (unsigned i = 0; i < 7; i++) v[i] = read64(FPGAUGE_PORT_RX_STREAM_RECEIVED(p) + 8 * i);
      const uint64_t received = v[0], lost = v[1], duplicated = v[2], late = v[4], next = v[6];
      HOLDS(next == ((received - duplicated - late + lost) & kMask48));
      for (unsigned i = 0; i < 6; i++) sums[i] += v[i];
      write(FPGAUGE_PORT_TX_STREAM_INDEX(p ^ 1), flow);
      const uint64_t sent = read64(FPGAUGE_PORT_TX_STREAM_FRAMES(p ^ 1));
      HOLDS(next <= sent);
    }
    HOLDS(sums[0] == V(RX_RECEIVED_FRAMES) && sums[1] == V(RX_LOST_FRAMES) && sums[2] == V(RX_DUPLICATED_FRAMES));
    HOLDS(sums[3] == V(RX_REORDERED_FRAMES) && sums[4] == V(RX_LATE_FRAMES) && sums[5] == V(RX_SEQUENCE_GAPS));
  }

  uint64_t sum_of_bins(uint32_t index, uint32_t count) {
    uint64_t sum = 0;
    for (unsigned bin = 0; bin < kBins; bin++) {
      write(index, bin);
      sum += read64(count);
    }
    return sum;
  }

  // ---- a trial with faults, and the clean end of it
  void round() {
    rate_ = UINT64_C(2) << random_.below(17);
    for (unsigned p = 0; p < ports_; p++) {
      write(FPGAUGE_PORT_TX_FRAME_OCTETS(p), static_cast<uint32_t>(random_.one_in(3) ? 64 : random_.between(60, 300)));
      write(FPGAUGE_PORT_TX_GAP_OCTETS(p), static_cast<uint32_t>(random_.between(11, random_.one_in(3) ? 200 : 13)));
    }
    control(FPGAUGE_GLOBAL_CONTROL_CLEAR);
    while (read(FPGAUGE_GLOBAL_STATUS)) {}
    control(FPGAUGE_GLOBAL_CONTROL_START);
    for (unsigned part = 0; part < 4; part++) {
      one_in_ = rate_;
      clocks(random_.between(2000, 8000));
      control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
      if (random_.one_in(2)) one_in_ = 0;   // or the faults go on while the counters are read
      for (unsigned p = 0; p < ports_; p++) coherent(p, part == 3 && random_.one_in(8));
    }
    one_in_ = 0;
    recovers();
    control(FPGAUGE_GLOBAL_CONTROL_STOP);
    for (unsigned polls = 0; read(FPGAUGE_GLOBAL_STATUS) && polls < 10000; polls++) {}
    tb::check(read(FPGAUGE_GLOBAL_STATUS) == 0, "still sending after a stop");
  }

  // Two snapshots of clean lines, after the frames in which the last fault was: between them all that is sent arrives.
  void recovers() {
    Snapshot before[16], after[16];
    clocks(400 * 8 / groups_);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    for (unsigned p = 0; p < ports_; p++) before[p] = coherent(p, false);
    clocks(2000);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    for (unsigned p = 0; p < ports_; p++) after[p] = coherent(p, false);
    for (unsigned p = 0; p < ports_; p++) {
      auto grew = [&](unsigned port, fpgauge_counter which) { return after[port][which] - before[port][which]; };
      const uint64_t sent = grew(p ^ 1, FPGAUGE_COUNTER_TX_FRAMES);
      const bool legal = before[p][FPGAUGE_COUNTER_RX_BAD_SHORT_FRAMES] == after[p][FPGAUGE_COUNTER_RX_BAD_SHORT_FRAMES];
      const uint64_t came = grew(p, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES) + grew(p, FPGAUGE_COUNTER_RX_BAD_FRAMES);
      tb::check(came + 2 >= sent && came <= sent + 2, "port %u: %" PRIu64 " sent, %" PRIu64 " came after the faults", p, sent, came);
      tb::check(!legal || grew(p, FPGAUGE_COUNTER_RX_BAD_FRAMES) == 0, "port %u: bad frames after the faults", p);
      sent_ += after[p][FPGAUGE_COUNTER_TX_FRAMES];
      received_ += after[p][FPGAUGE_COUNTER_RX_RECEIVED_FRAMES];
      bad_ += after[p][FPGAUGE_COUNTER_RX_BAD_FRAMES];
    }
  }
#undef V
#undef HOLDS
};

}  // namespace

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  const uint64_t words = argc > 2 ? strtoull(argv[2], nullptr, 0) : 1000000;
  printf("seed %" PRIu64 "\n", seed);
  Bench(seed).run(words);
  return tb::finish("line_faults");
}
