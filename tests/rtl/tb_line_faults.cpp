// SPDX-License-Identifier: Apache-2.0
// The whole core on lines with faults: adjacent ports send to each other, and between them any octet and any control bit
// may change, at rates from one in a hundred thousand to every second one. In some trials frames are also altered, with a good
// FCS, in any octet. Whatever comes, in every snapshot the identities of the counters hold (docs/registers.md), every
// register access is answered, and as soon as the faults end, every frame arrives again. Unless frames are altered, only
// frames that were sent count as received, at latency 0.
//
//   tb_line_faults [SEED [WORDS]]      words of all lines: 10^6 if not given
#include "core_bench.h"

namespace {

constexpr unsigned kFlows = 5, kBins = 1024, kPayload = 42;
constexpr uint64_t kMask48 = (UINT64_C(1) << 48) - 1;

class Bench : public core::Bench {
 public:
  explicit Bench(uint64_t seed) : random_(seed) {
    for (unsigned p = 0; p < ports_; p++) configure(p);
  }

  void run(uint64_t words) {
    while (words_ < words && tb::failures() < 20) round();
    printf("%" PRIu64 " words, %" PRIu64 " octets and %" PRIu64 " control bits changed; %" PRIu64 " frames sent, %" PRIu64
           " received, %" PRIu64 " bad\n", words_, octets_changed_, controls_changed_, sent_, received_, bad_);
    tb::check(octets_changed_ > words / 100 && controls_changed_ > words / 100, "hardly a fault");
    tb::check(received_ > words / 100 && bad_ > words / 1000 && sent_ > received_ + bad_ / 10, "hard cases are missing");
    for (unsigned i = 0; i < kClasses; i++) {
      printf("%" PRIu64 " %s frames\n", altered_[i], CLASSES[i].name);
      tb::check(altered_[i] > 0, "no %s frames", CLASSES[i].name);
    }
  }

 private:
  // Classes that a frame with a good FCS can have besides received.
  static constexpr unsigned kClasses = 5;
  static constexpr struct {
    fpgauge_counter counter;
    const char *name;
  } CLASSES[kClasses] = {{FPGAUGE_COUNTER_RX_FOREIGN_FRAMES, "foreign"},
                         {FPGAUGE_COUNTER_RX_OTHER_RUN_FRAMES, "other_run"},
                         {FPGAUGE_COUNTER_RX_WRONG_LENGTH_FRAMES, "wrong_length"},
                         {FPGAUGE_COUNTER_RX_BAD_PAYLOAD_FRAMES, "bad_payload"},
                         {FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES, "wrong_port"}};
  uint64_t altered_[kClasses] = {};
  tb::Random random_;
  core::Alterer alterer_[16];
  bool altering_ = false;            // one frame in three
  bool as_sent_ = true;              // none was altered in this trial
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

  void pass(unsigned p, core::Line line) override {
    const unsigned fcs = alterer_[p].frame_octets - 4;
    alterer_[p].pass(line, static_cast<uint8_t>(1 + random_.below(255)), [&]() -> unsigned {
      return altering_ && random_.one_in(3) ? static_cast<unsigned>(random_.below(fcs)) : core::Alterer::NONE;
    });
    if (one_in_ == 0) return;
    change(line.octets, 8 * groups_, false);
    change(line.controls, 8 * groups_, true);
    words_++;
  }

  void configure(unsigned p) {
    write(FPGAUGE_PORT_TX_ENABLE(p), 1);
    write(FPGAUGE_PORT_TX_GAP_DENOMINATOR(p), 1);
    write(FPGAUGE_PORT_TX_FLOWS(p), kFlows);
    write(FPGAUGE_PORT_TX_TAG_ENABLE(p), 1);
    write(FPGAUGE_PORT_TX_TAG_INTERVAL(p), 3000);
    write(FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(p), 1518);
    write(FPGAUGE_PORT_RX_SHORT_GAP_OCTETS(p), 8);
    write(FPGAUGE_PORT_RX_PAYLOAD_OFFSET(p), kPayload);
    write(FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(p), 3);
    // The flows of the other port are expected here.
    write(FPGAUGE_PORT_RX_EXPECTED(p) + 4 * (256 * (p ^ 1) / 32), (1u << kFlows) - 1);
    for (unsigned flow = 0; flow < kFlows; flow++)
      write_flow(p, flow, kPayload, [this](unsigned) { return random_.next(); });
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
    streams(p, s);
    if (as_sent_) {   // only what passes its FCS is received: at its place, once, in order
      HOLDS(V(RX_FRAMES) == V(RX_RECEIVED_FRAMES));
      HOLDS(V(RX_DUPLICATED_FRAMES) == 0 && V(RX_REORDERED_FRAMES) == 0 && V(RX_LATE_FRAMES) == 0);
      HOLDS(V(RX_LATENCY_MAX) == 0 && V(RX_LATENCY_SUM) == 0 && V(RX_LATENCY_SUM_HIGH) == 0);
    }
    if (whole) {
      HOLDS(unexpected(p) == V(RX_WRONG_PORT_FRAMES));
      HOLDS(sum_of_bins(FPGAUGE_PORT_RX_HISTOGRAM_INDEX(p), FPGAUGE_PORT_RX_HISTOGRAM_COUNT(p)) == V(RX_LATENCY_FRAMES));
      HOLDS(sum_of_bins(FPGAUGE_PORT_TX_GAP_HISTOGRAM_INDEX(p), FPGAUGE_PORT_TX_GAP_HISTOGRAM_COUNT(p)) == V(TX_GAPS));
      HOLDS(sum_of_bins(FPGAUGE_PORT_RX_GAP_HISTOGRAM_INDEX(p), FPGAUGE_PORT_RX_GAP_HISTOGRAM_COUNT(p)) == V(RX_GAPS));
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
      HOLDS(next <= sent || !as_sent_);
    }
    HOLDS(sums[0] == V(RX_RECEIVED_FRAMES) && sums[1] == V(RX_LOST_FRAMES) && sums[2] == V(RX_DUPLICATED_FRAMES));
    HOLDS(sums[3] == V(RX_REORDERED_FRAMES) && sums[4] == V(RX_LATE_FRAMES) && sums[5] == V(RX_SEQUENCE_GAPS));
  }

  // Sums at this port, over all streams that there are.
  uint64_t unexpected(unsigned p) {
    uint64_t sum = 0;
    for (unsigned stream = 0; stream < 256 * ports_; stream++) {
      write(FPGAUGE_PORT_RX_STREAM_INDEX(p), stream);
      sum += read64(FPGAUGE_PORT_RX_STREAM_UNEXPECTED(p));
    }
    return sum;
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
    as_sent_ = !random_.one_in(4);
    for (unsigned p = 0; p < ports_; p++) {
      alterer_[p].frame_octets = static_cast<unsigned>(random_.one_in(3) ? 64 : random_.between(60, 300));
      write(FPGAUGE_PORT_TX_FRAME_OCTETS(p), alterer_[p].frame_octets);
      write(FPGAUGE_PORT_TX_GAP_OCTETS(p), static_cast<uint32_t>(random_.between(11, random_.one_in(3) ? 200 : 13)));
    }
    forget();
    control(FPGAUGE_GLOBAL_CONTROL_START);
    altering_ = !as_sent_;
    for (unsigned part = 0; part < 4; part++) {
      one_in_ = rate_;
      clocks(random_.between(2000, 8000));
      control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
      if (random_.one_in(2)) one_in_ = 0;   // or the faults go on while the counters are read
      for (unsigned p = 0; p < ports_; p++) coherent(p, part == 3 && random_.one_in(8));
    }
    one_in_ = 0;
    altering_ = false;
    recovers();
    stop();
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
      for (unsigned i = 0; i < kClasses; i++) altered_[i] += after[p][CLASSES[i].counter];
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
