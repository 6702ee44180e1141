// SPDX-License-Identifier: Apache-2.0
// The whole core through its registers, on wires: frames of rules and every n-th frame leave exactly when the register
// descriptions say, as seen on the lines; and a frame that is altered between transmitter and receiver, with a good FCS, is
// counted for what was altered.
#include "core_bench.h"
#include "tx_rules_model.h"

namespace {

constexpr unsigned kEveryFlow = 2, kRuleFlow = 3, kSecondRuleFlow = 4, kFlows = 5;   // flows 0 and 1 are in turn
constexpr unsigned kGap = 12, kPayload = 42, kSignature = 18, kFcs = 4;

struct Start {
  uint64_t ot;
  unsigned flow;
};

class Bench : public core::Bench {
 public:
  Bench() {
    for (unsigned p = 0; p < ports_; p++) configure(p);
  }
  void run() {
    first_of_each_period();
    every_hundredth();
    rules_and_every();
    tx_send();
    only_rules();
    altered_frames();
    if (groups_ > 1) latencies_whose_sum_has_more_than_64_bits();   // one group takes ten times as many clocks
  }

 private:
  std::vector<Start> starts_[16];
  bool open_[16] = {};               // the first group after a preamble comes next
  core::Alterer alterer_[16];
  unsigned one_in_[16] = {}, at_ = 0;   // one frame in so many of a port is altered, 0: none; in this octet
  uint8_t change_ = 0x40;               // so
  uint64_t passed_[16] = {};

  // The first octet of a header is the number of its flow.
  void pass(unsigned p, core::Line line) override {
    for (unsigned g = 0; g < groups_; g++) {
      if (open_[p]) starts_[p].back().flow = line.octets[8 * g];
      open_[p] = line.starts(g);
      if (open_[p]) starts_[p].push_back({8 * (uint64_t{dut_.word_time} * groups_ + g), 0});
    }
    alterer_[p].pass(line, change_, [&] {
      return one_in_[p] && passed_[p]++ % one_in_[p] == 0 ? at_ : core::Alterer::NONE;
    });
  }

  void configure(unsigned p) {
    write(FPGAUGE_PORT_TX_ENABLE(p), 1);
    write(FPGAUGE_PORT_TX_GAP_OCTETS(p), kGap);
    write(FPGAUGE_PORT_TX_GAP_DENOMINATOR(p), 1);
    write(FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(p), 1518);
    write(FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(p), 3);
    write(FPGAUGE_PORT_RX_EXPECTED(p) + 4 * (256 * (p ^ 1) / 32), (1u << kFlows) - 1);
    for (unsigned flow = 0; flow < kFlows; flow++)
      write_flow(p, flow, kPayload, [flow](unsigned octet) { return octet ? 37 * octet : flow; });
  }

  // ---- a trial whose frames are known
  struct Plan {
    unsigned octets = 64, flows = 2, every = 0;
    std::vector<tb::TxRule> rules;
  };
  void set(unsigned p, const Plan &plan) {
    write(FPGAUGE_PORT_TX_FRAME_OCTETS(p), plan.octets);
    write(FPGAUGE_PORT_TX_FLOWS(p), plan.flows);
    write(FPGAUGE_PORT_TX_EVERY(p), plan.every);
    write(FPGAUGE_PORT_TX_EVERY_FLOW(p), kEveryFlow);
    write(FPGAUGE_PORT_TX_RULES(p), static_cast<uint32_t>(plan.rules.size()));
    for (unsigned r = 0; r < plan.rules.size(); r++) {
      write(FPGAUGE_PORT_TX_RULE_INDEX(p), r);
      write(FPGAUGE_PORT_TX_RULE_TIME(p), static_cast<uint32_t>(plan.rules[r].time));
      write(FPGAUGE_PORT_TX_RULE_TIME(p) + 4, 0);
      write(FPGAUGE_PORT_TX_RULE_PERIOD(p), static_cast<uint32_t>(plan.rules[r].period));
      write(FPGAUGE_PORT_TX_RULE_PERIOD(p) + 4, 0);
      write(FPGAUGE_PORT_TX_RULE_FRAME(p), plan.rules[r].frame.word());
    }
  }
  void begin() {
    for (unsigned p = 0; p < ports_; p++) starts_[p].clear();
    forget();
    control(FPGAUGE_GLOBAL_CONTROL_START);
  }
  void end() {
    stop();
    clocks(64);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
  }
  void trial(const Plan &plan, uint64_t ot) {
    for (unsigned p = 0; p < ports_; p++) set(p, plan);
    begin();
    clocks(ot / (8 * groups_));
    end();
  }

  // The flow in turn of frame n, from 1, of those that are in turn.
  static unsigned turn(const Plan &plan, uint64_t n) {
    if (plan.every && n % plan.every == 0) return kEveryFlow;
    return static_cast<unsigned>((n - 1 - (plan.every ? (n - 1) / plan.every : 0)) % plan.flows);
  }
  // Every frame of the port is at its place, and every counter of its flow has it. Returns the frames of each flow.
  std::vector<uint64_t> as_planned(unsigned p, const Plan &plan) {
    tb::TxRulesModel rules(plan.rules, 8 * groups_);
    std::vector<uint64_t> frames(kFlows);
    uint64_t ideal = 0, in_turn = 0, octets = 0;
    const uint64_t origin = read64(FPGAUGE_GLOBAL_START_TIME);
    for (const Start &start : starts_[p]) {
      const uint64_t at = ideal / 8 * 8;
      const bool rule = rules.rule_due(at);
      const unsigned flow = rule ? rules.frame().flow : turn(plan, ++in_turn);
      const unsigned length = rule ? rules.frame().sent_octets() : plan.octets;
      if (rule) rules.begun(at / (8 * groups_));
      if (!tb::check(start.ot - starts_[p][0].ot == at && start.flow == flow,
                     "port %u: flow %u at %" PRIu64 ", expected flow %u at %" PRIu64, p, start.flow,
                     start.ot - starts_[p][0].ot, flow, at))
        return frames;
      ideal += 8 + length + kGap;
      octets += length;
      frames[flow]++;
    }
    tb::check(counter(p, FPGAUGE_COUNTER_TX_FIRST_TIME) == origin, "port %u: the first frame", p);
    tb::check(counter(p, FPGAUGE_COUNTER_TX_FRAMES) == starts_[p].size() && counter(p, FPGAUGE_COUNTER_TX_OCTETS) == octets,
              "port %u: tx_frames, tx_octets", p);
    tb::check(counter(p, FPGAUGE_COUNTER_TX_LATE_FRAMES) == 0, "port %u: late frames", p);
    tb::check(counter(p ^ 1, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES) == starts_[p].size(), "port %u: received of it", p);
    for (unsigned flow = 0; flow < kFlows; flow++) flow_has(p, flow, frames[flow]);
    return frames;
  }
  void flow_has(unsigned p, unsigned flow, uint64_t frames) {
    write(FPGAUGE_PORT_TX_STREAM_INDEX(p), flow);
    write(FPGAUGE_PORT_RX_STREAM_INDEX(p ^ 1), p * 256 + flow);
    const uint64_t sent = read64(FPGAUGE_PORT_TX_STREAM_FRAMES(p));
    const uint64_t received = read64(FPGAUGE_PORT_RX_STREAM_RECEIVED(p ^ 1));
    tb::check(sent == frames && received == frames,
              "port %u flow %u: %" PRIu64 " sent, %" PRIu64 " received, expected %" PRIu64, p, flow, sent, received, frames);
  }

  // ---- rules
  static tb::TxRule rule(uint64_t time, uint64_t period, unsigned flow, unsigned octets) {
    tb::TxRule r;
    r.time = time;
    r.period = period;
    r.frame.flow = flow;
    r.frame.octets = octets;
    return r;
  }

  // "The first frame in each millisecond", scaled: exactly one in each period, and no other frame starts in it before.
  void first_of_each_period() {
    constexpr uint64_t kPeriod = 7001;
    Plan plan;
    plan.rules = {rule(0, kPeriod, kRuleFlow, 300)};
    trial(plan, 40 * kPeriod);
    for (unsigned p = 0; p < ports_; p++) {
      const std::vector<uint64_t> frames = as_planned(p, plan);
      tb::check(frames[kRuleFlow] >= 40, "port %u: %" PRIu64 " frames of the rule", p, frames[kRuleFlow]);
      uint64_t period = 0;   // computed from the descriptions alone, without the model
      for (const Start &start : starts_[p]) {
        const bool first = start.ot - starts_[p][0].ot >= period * kPeriod;
        tb::check((start.flow == kRuleFlow) == first, "port %u: the first frame in period %" PRIu64, p, period);
        period += first;
      }
      tb::check(period == frames[kRuleFlow], "port %u: %" PRIu64 " periods", p, period);
    }
  }

  void every_hundredth() {
    Plan plan;
    plan.every = 100;
    trial(plan, 1050 * 84);
    for (unsigned p = 0; p < ports_; p++) {
      const std::vector<uint64_t> frames = as_planned(p, plan);
      tb::check(frames[kEveryFlow] == starts_[p].size() / 100 && starts_[p].size() >= 1000, "port %u: every 100th", p);
      for (size_t n = 1; n <= starts_[p].size(); n++)
        tb::check((starts_[p][n - 1].flow == kEveryFlow) == (n % 100 == 0), "port %u: frame %zu", p, n);
    }
  }

  // Frames of rules take no turn: neither of the flows in turn nor of every n-th. Two rules, due together at times.
  void rules_and_every() {
    Plan plan;
    plan.octets = 65;
    plan.every = 7;
    plan.flows = 2;
    plan.rules = {rule(3000, 2500, kRuleFlow, 90), rule(500, 5000, kSecondRuleFlow, 128)};
    trial(plan, 200000);
    for (unsigned p = 0; p < ports_; p++) {
      const std::vector<uint64_t> frames = as_planned(p, plan);
      tb::check(frames[kRuleFlow] >= 70 && frames[kSecondRuleFlow] >= 35 && frames[kEveryFlow] >= 250, "port %u: too few", p);
    }
  }

  // Frames that are asked for leave once each, on the port that was asked, and the others keep their order.
  void tx_send() {
    constexpr unsigned kAsked = 20;
    const Plan plan;
    tb::TxRuleFrame frame;
    frame.flow = kRuleFlow;
    frame.octets = 100;
    for (unsigned p = 0; p < ports_; p++) set(p, plan);
    write(FPGAUGE_PORT_TX_SEND(0), frame.word());   // not sending: ignored
    begin();
    for (unsigned n = 0; n < kAsked; n++) {
      clocks(40 * 8 / groups_);
      write(FPGAUGE_PORT_TX_SEND(0), frame.word());
    }
    clocks(40 * 8 / groups_);
    end();
    for (unsigned p = 0; p < ports_; p++) {
      flow_has(p, kRuleFlow, p == 0 ? kAsked : 0);
      uint64_t in_turn = 0, ideal = 0;
      for (const Start &start : starts_[p]) {
        const bool asked = p == 0 && start.flow == kRuleFlow;
        tb::check(start.ot - starts_[p][0].ot == ideal / 8 * 8, "port %u: a frame at %" PRIu64, p, start.ot);
        tb::check(asked || start.flow == turn(plan, ++in_turn), "port %u: flow %u out of turn", p, start.flow);
        ideal += 8 + (asked ? 100 : plan.octets) + kGap;
      }
    }
  }

  // Only rules send without flows in turn: the place for the next frame stays in its group, and the frame starts in the
  // first word where that is at the rule's time or later.
  void only_rules() {
    constexpr uint64_t kTime = 1003, kPeriod = 4000;
    Plan plan;
    plan.flows = 0;
    plan.rules = {rule(kTime, kPeriod, kRuleFlow, 200)};
    trial(plan, 30 * kPeriod);
    const uint64_t origin = read64(FPGAUGE_GLOBAL_START_TIME), word = 8 * groups_;
    for (unsigned p = 0; p < ports_; p++) {
      uint64_t n = 0, ideal = 0, first = 0;
      for (const Start &start : starts_[p]) {
        const uint64_t due = kTime + kPeriod * n;
        while (ideal / 8 * 8 < due) ideal += word;
        if (n++ == 0) first = ideal / 8 * 8;
        tb::check(start.flow == kRuleFlow && start.ot - starts_[p][0].ot + first == ideal / 8 * 8,
                  "port %u: flow %u at %" PRIu64 ", expected at %" PRIu64, p, start.flow,
                  start.ot - starts_[p][0].ot + first, ideal / 8 * 8);
        ideal += 8 + 200 + kGap;
      }
      tb::check(n >= 29 && counter(p, FPGAUGE_COUNTER_TX_FIRST_TIME) == origin + first, "port %u: %" PRIu64 " frames", p, n);
      tb::check(counter(p, FPGAUGE_COUNTER_TX_LATE_FRAMES) == 0, "port %u: late", p);
      flow_has(p, kRuleFlow, n);
    }
  }

  // ---- altered frames
  struct Altered {
    uint64_t sent, altered, received, bad_payload, foreign;
  };
  // One frame in 7 is altered in octet `at`; of all ports.
  std::vector<Altered> altered(unsigned octets, unsigned at, unsigned checked_from) {
    Plan plan;
    plan.octets = octets;
    at_ = at;
    for (unsigned p = 0; p < ports_; p++) {
      one_in_[p] = 7;
      write(FPGAUGE_PORT_RX_PAYLOAD_OFFSET(p), checked_from);
      alterer_[p].frame_octets = octets;
      alterer_[p].altered = passed_[p] = 0;
    }
    trial(plan, 100 * (octets + 20));
    for (unsigned p = 0; p < ports_; p++) one_in_[p] = 0;
    std::vector<Altered> result;
    for (unsigned p = 0; p < ports_; p++) {
      const Altered a = {starts_[p].size(), alterer_[p].altered, counter(p ^ 1, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES),
                         counter(p ^ 1, FPGAUGE_COUNTER_RX_BAD_PAYLOAD_FRAMES), counter(p ^ 1, FPGAUGE_COUNTER_RX_FOREIGN_FRAMES)};
      tb::check(a.altered == (a.sent + 6) / 7 && a.altered > 10, "port %u: %" PRIu64 " of %" PRIu64 " altered", p, a.altered, a.sent);
      tb::check(counter(p ^ 1, FPGAUGE_COUNTER_RX_BAD_FRAMES) == 0 && counter(p ^ 1, FPGAUGE_COUNTER_RX_FRAMES) == a.sent,
                "port %u: what is altered has a good FCS", p);
      tb::check(a.received + a.bad_payload + a.foreign == a.sent, "port %u: the sum", p);
      not_received(p, a.received);
      result.push_back(a);
    }
    return result;
  }
  // A frame that is not received leaves a gap in the sequence numbers, unless it was the last.
  void not_received(unsigned p, uint64_t received) {
    uint64_t next = 0;
    for (unsigned flow = 0; flow < 2; flow++) {
      write(FPGAUGE_PORT_RX_STREAM_INDEX(p ^ 1), p * 256 + flow);
      next += read64(FPGAUGE_PORT_RX_STREAM_NEXT(p ^ 1));
    }
    tb::check(next == received + counter(p ^ 1, FPGAUGE_COUNTER_RX_LOST_FRAMES), "port %u: sequence numbers", p);
    tb::check(counter(p ^ 1, FPGAUGE_COUNTER_RX_LATENCY_FRAMES) == received, "port %u: latencies", p);
  }
  void altered_frames() {
    for (unsigned octets : {64u, 66u, 67u, 128u, 131u, 700u}) {
      const unsigned signature = octets - kFcs - kSignature, middle = (kPayload + signature) / 2;
      const bool payload = signature > kPayload;   // or the signature is in its place
      struct {
        unsigned at, from;
        bool bad, foreign;
      } cases[] = {{kPayload, kPayload, payload, !payload},       // its first octet: the next one is not one more
                   {signature - 1, kPayload, payload, false},     // its last
                   {middle, kPayload, payload, !payload},
                   {middle, 0, false, !payload},                  // not checked
                   {kPayload - 1, kPayload, false, false},        // the header
                   {signature, kPayload, false, true},            // the magic number
                   {kPayload, kPayload + 1, false, !payload},     // octets before what is checked
                   {octets / 2, octets, false, false}};           // nothing is checked
      for (const auto &c : cases)
        for (const Altered &a : altered(octets, c.at, c.from))
          tb::check(a.bad_payload == (c.bad ? a.altered : 0) && a.foreign == (c.foreign ? a.altered : 0),
                    "%u octets, octet %u altered, checked from %u: %" PRIu64 " altered, %" PRIu64 " bad, %" PRIu64 " foreign",
                    octets, c.at, c.from, a.altered, a.bad_payload, a.foreign);
    }
    for (unsigned p = 0; p < ports_; p++) write(FPGAUGE_PORT_RX_PAYLOAD_OFFSET(p), 0);
  }

  // ---- sums of latencies
  // On a wire every latency is the same. Bit 32 of the time in a signature turned on makes it seem sent so much later: a
  // latency of 40 bits that is nearly the largest, and somewhat more than 2^21 of these pass 2^64 octet times.
  static constexpr uint64_t kMore = ((uint64_t{1} << 40) - (uint64_t{1} << 32)) * 8;
  uint64_t latency_of_the_wire() {
    Plan plan;
    plan.flows = 1;
    trial(plan, 100 * 84);
    const uint64_t latency = counter(1, FPGAUGE_COUNTER_RX_LATENCY_MIN);
    for (unsigned p = 0; p < ports_; p++)
      tb::check(counter(p, FPGAUGE_COUNTER_RX_LATENCY_MIN) == latency && counter(p, FPGAUGE_COUNTER_RX_LATENCY_MAX) == latency,
                "port %u: a wire has one latency", p);
    return latency;
  }
  void sum_is(unsigned p, unsigned __int128 sum, bool table) {
    uint64_t low = counter(p, FPGAUGE_COUNTER_RX_LATENCY_SUM), high = counter(p, FPGAUGE_COUNTER_RX_LATENCY_SUM_HIGH);
    if (table) {
      write(FPGAUGE_PORT_RX_STREAM_INDEX(p), (p ^ 1) * 256);
      low = read64(FPGAUGE_PORT_RX_STREAM_LATENCY_SUM(p));
      high = read64(FPGAUGE_PORT_RX_STREAM_LATENCY_SUM_HIGH(p));
    }
    tb::check(low == static_cast<uint64_t>(sum) && high == static_cast<uint64_t>(sum >> 64),
              "port %u, %s: the sum is %" PRIx64 " %016" PRIx64 ", expected %" PRIx64 " %016" PRIx64, p, table ? "stream" : "counter",
              high, low, static_cast<uint64_t>(sum >> 64), static_cast<uint64_t>(sum));
  }
  // Every frame of port 0 is altered, of the others one in so many: they have small and large latencies in one sum.
  void latencies_whose_sum_has_more_than_64_bits() {
    const uint64_t wire = latency_of_the_wire(), frames = (uint64_t{1} << 21) * 257 / 255;
    Plan plan;
    plan.flows = 1;
    at_ = plan.octets - kFcs - kSignature + 11;
    change_ = 0x01;
    for (unsigned p = 0; p < ports_; p++) {
      one_in_[p] = 1 + 4 * p;
      alterer_[p].frame_octets = plan.octets;
      alterer_[p].altered = passed_[p] = 0;
    }
    trial(plan, frames * (plan.octets + 20));
    for (unsigned p = 0; p < ports_; p++) {
      const unsigned __int128 sum = static_cast<unsigned __int128>(alterer_[p].altered) * kMore + static_cast<unsigned __int128>(passed_[p]) * wire;
      tb::check(passed_[p] >= frames && counter(p ^ 1, FPGAUGE_COUNTER_RX_LATENCY_FRAMES) == passed_[p], "port %u: frames", p);
      tb::check((sum >> 64) == (p == 0), "port %u: the high word of the sum", p);
      tb::check(counter(p ^ 1, FPGAUGE_COUNTER_RX_LATENCY_MAX) == wire + kMore, "port %u: the largest", p);
      sum_is(p ^ 1, sum, false);
      sum_is(p ^ 1, sum, true);
      one_in_[p] = 0;
    }
    change_ = 0x40;
  }
};

}  // namespace

int main() {
  Bench bench;
  bench.run();
  return tb::finish("core_frames");
}
