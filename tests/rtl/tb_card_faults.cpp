// SPDX-License-Identifier: Apache-2.0
// Faults that a card may do to frames behind its core, each at random times in the middle of a trial: the link flaps, a
// lane is lost, the CMAC is late, the queue to it is full. The host's judge says INVALID, by the name of the cause,
// every time, and never that the device under test has lost a frame; before and after, the same trial is valid and
// without loss. How often the link went down is counted over all of it, which no trial touches. FPGAUGE_LONG=1: 50
// times each instead of 4.
#include "tests/rtl/card_bench.h"
#include "tests/rtl/card_verdict.h"
#include "tests/seed.h"
#include <string>

using card::Card;
using card::PORTS;
using tb::check;

namespace {

struct Fault {
  const char *name; // name in the verdict
  void (*begin)(Card &card, unsigned port);
  unsigned least_clocks, most_clocks; // clocks of the host that it lasts
  void (*end)(Card &card, unsigned port);
  unsigned flaps; // number of flaps that it is
};

void stop(Card &card, unsigned port) { card.stopped |= 1u << port; }
void go_on(Card &card, unsigned port) { card.stopped &= ~(1u << port); }

// Clocks of the host are 0.65 words.
const Fault FAULTS[] = {
    {"the link was down", [](Card &card, unsigned port) { card.dut.tx_enable &= ~(1u << port); }, 1, 3000,
     [](Card &card, unsigned port) { card.dut.tx_enable |= 1u << port; }, 1},
    {"lost the alignment of its lanes",
     [](Card &card, unsigned port) {
       card.dut.rx_enable &= ~(1u << port);
       card.dut.tx_enable &= ~(1u << port); // does what cmac_bringup does
     },
     1, 3000,
     [](Card &card, unsigned port) {
       card.dut.rx_enable |= 1u << port;
       card.dut.tx_enable |= 1u << port;
     },
     1},
    {"the MAC took frames too late", stop, 350, 600, go_on, 0},     // needs more than 160 words
    {"the queue to the MAC was full", stop, 1700, 2500, go_on, 0}, // needs more than 512 frames of 64 octets
};

constexpr uint32_t SIZE = 64, GAP = 12, FRAMES = 8000;

struct Verdict {
  bool valid;
  uint64_t lost;
  std::string why;
};

Verdict judge(Card &card) {
  card_trial trial{};
  trial.frame_octets = SIZE, trial.gap_octets = GAP, trial.frames = FRAMES;
  for (unsigned p = 0; p < PORTS; p++) {
    for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++) trial.counter[p][i] = card.counter(p, fpgauge_counter(i));
    trial.link_status[p] = card.read(FPGAUGE_PORT_LINK_STATUS(p));
    card.write(FPGAUGE_PORT_TX_STREAM_INDEX(p), 0);
    trial.sent[p] = card.read64(FPGAUGE_PORT_TX_STREAM_FRAMES(p));
    const unsigned at = p ^ 1;
    card.write(FPGAUGE_PORT_RX_STREAM_INDEX(at), p * 256);
    trial.received[p] = card.read64(FPGAUGE_PORT_RX_STREAM_RECEIVED(at));
    trial.lost[p] = card.read64(FPGAUGE_PORT_RX_STREAM_LOST(at));
    trial.duplicated[p] = card.read64(FPGAUGE_PORT_RX_STREAM_DUPLICATED(at));
    trial.late[p] = card.read64(FPGAUGE_PORT_RX_STREAM_LATE(at));
    trial.next[p] = card.read64(FPGAUGE_PORT_RX_STREAM_NEXT(at));
  }
  Verdict verdict{};
  char why[512];
  verdict.valid = card_verdict(&trial, &verdict.lost, why, sizeof why);
  verdict.why = why;
  return verdict;
}

void is_well(Card &card, const char *when) {
  card.begin(SIZE, GAP, FRAMES, 0, 1);
  card.end();
  const Verdict verdict = judge(card);
  check(verdict.valid && verdict.lost == 0, "%s: %s, %" PRIu64 " lost", when, verdict.why.c_str(), verdict.lost);
}

} // namespace

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  const char *chosen = getenv("FPGAUGE_LONG");
  const unsigned times = chosen && *chosen && strcmp(chosen, "0") != 0 ? 50 : 4;
  tb::Random random(test_seed());
  Card card;
  unsigned flaps[PORTS];
  is_well(card, "at first");
  for (unsigned p = 0; p < PORTS; p++) flaps[p] = card.read(FPGAUGE_PORT_LINK_FLAPS(p));
  for (const Fault &fault : FAULTS) {
    unsigned named = 0;
    uint64_t would_be_lost = 0;
    for (unsigned i = 0; i < times; i++) {
      const unsigned port = unsigned(random.below(PORTS));
      const unsigned sending = unsigned(FRAMES * (SIZE + 20) * card::OCTET / card::AXIL);
      const unsigned lasts = unsigned(random.between(fault.least_clocks, fault.most_clocks));
      card.begin(SIZE, GAP, FRAMES, 0, 1);
      card.wait(unsigned(random.between(1000, sending - 4000)));
      fault.begin(card, port);
      card.wait(lasts);
      fault.end(card, port);
      card.end();
      const Verdict verdict = judge(card);
      const bool good = !verdict.valid && verdict.why.find(fault.name) != std::string::npos &&
                        verdict.why.find("port " + std::to_string(port) + " of the tester") != std::string::npos;
      check(good, "%s at port %u for %u clocks: %s", fault.name, port, lasts,
            verdict.valid ? "valid" : verdict.why.c_str());
      named += good;
      flaps[port] += fault.flaps;
      for (unsigned p = 0; p < PORTS; p++) {
        const unsigned counted = card.read(FPGAUGE_PORT_LINK_FLAPS(p));
        check(counted == flaps[p], "%s at port %u: port %u counts %u flaps, should be %u", fault.name, port, p, counted, flaps[p]);
      }
      would_be_lost += card.counter(port ^ 1, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES) < FRAMES;
    }
    printf("%s: INVALID by name %u of %u, frames missing in %" PRIu64 "\n", fault.name, named, times, would_be_lost);
    is_well(card, fault.name);
  }
  return tb::finish("card_faults");
}
