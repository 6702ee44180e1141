// SPDX-License-Identifier: Apache-2.0
// A whole card except the vendor's blocks: registers in a host's clock, the core, two ports on models of CMACs with
// their own crystals or (LOCKED=3) with one, a cable between them. Trials at line rate and below lose and invent nothing, and the latency of
// every frame is that of the cable plus a constant, within what docs/boards.md promises; and, at random sizes and gaps with
// receivers that deliver code words of the FEC, within what the card itself states in its registers, which is at most
// twice what occurs. FPGAUGE_LONG=1: 10^6 frames of them instead of 10^5. Then the bad cases: with the
// link down frames are lost, a frame that cannot be sent is reported and costs no others, and a card in reset still
// answers.
#include "tests/rtl/card_bench.h"
#include "tests/seed.h"

using card::CABLE_OT;
using card::Card;
using card::PORTS;
using tb::check;

namespace {

double least = 1e30, most = 0; // latency, over all trials and ports
double gap_error_octets = 160; // error of all gaps of a trial together: how much later its last frame may be than its
                               // first

void nothing_is_lost(Card &card, uint32_t frame_octets, uint32_t gap_octets, uint32_t frames) {
  card.trial(frame_octets, gap_octets, frames);
  for (unsigned p = 0; p < PORTS; p++) {
    const uint64_t sent = card.counter(p ^ 1, FPGAUGE_COUNTER_TX_FRAMES);
    const uint64_t received = card.counter(p, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES);
    check(sent == frames && received == frames, "%u octets to port %u: %" PRIu64 " sent, %" PRIu64 " received",
          frame_octets, p, sent, received);
    check(card.counter(p, FPGAUGE_COUNTER_MAC_SENT_FRAMES) == frames &&
              card.counter(p, FPGAUGE_COUNTER_MAC_COUNTED_FRAMES) == frames &&
              card.counter(p, FPGAUGE_COUNTER_MAC_DROPPED_FRAMES) == 0 &&
              card.counter(p, FPGAUGE_COUNTER_MAC_LATE_FRAMES) == 0,
          "port %u: %" PRIu64 " handed to the MAC", p, card.counter(p, FPGAUGE_COUNTER_MAC_SENT_FRAMES));
    check(card.read(FPGAUGE_PORT_LINK_STATUS(p)) == Card::UP, "port %u: status %08x", p, card.read(FPGAUGE_PORT_LINK_STATUS(p)));
    check(card.counter(p, FPGAUGE_COUNTER_RX_BAD_FRAMES) == 0, "bad frames");
    check(card.counter(p, FPGAUGE_COUNTER_RX_FRAMES) == frames, "frames that were never sent");
    check(card.counter(p, FPGAUGE_COUNTER_RX_LATENCY_FRAMES) == frames, "not every frame has a latency");
    least = std::min(least, double(card.counter(p, FPGAUGE_COUNTER_RX_LATENCY_MIN)));
    most = std::max(most, double(card.counter(p, FPGAUGE_COUNTER_RX_LATENCY_MAX)));
    const uint64_t gaps = card.counter(p, FPGAUGE_COUNTER_RX_GAPS);
    const double gap = double(card.counter(p, FPGAUGE_COUNTER_RX_GAP_SUM_OCTETS)) / double(gaps);
    check(gaps == frames - 1 && std::abs(gap - gap_octets) < gap_error_octets / double(gaps) + 0.01, "mean gap %.3f", gap);
  }
}

void latency_is_as_exact_as_the_card_says(Card &card) {
  const char *chosen = getenv("FPGAUGE_LONG");
  const unsigned trials = chosen && *chosen && strcmp(chosen, "0") != 0 ? 400 : 40, frames = 1250; // frames at each port
  const uint32_t stated = card.read(FPGAUGE_GLOBAL_TX_TIME_ERROR) + card.read(FPGAUGE_GLOBAL_RX_TIME_ERROR);
  tb::Random random(test_seed());
  least = 1e30, most = 0;
  for (cmac::Receiver &receiver : card.receiver) receiver.code_word_octets = cmac::RS_FEC_OCTETS;
  gap_error_octets = stated;
  for (unsigned i = 0; i < trials; i++) {
    const uint32_t size = uint32_t(random.between(64, random.one_in(4) ? 1518 : 200));
    const uint32_t gap = uint32_t(random.one_in(2) ? 12 : random.between(12, 1500));
    nothing_is_lost(card, size, gap, frames);
  }
  for (cmac::Receiver &receiver : card.receiver) receiver.code_word_octets = 0;
  gap_error_octets = 160;
  printf("%u frames: latency differs by %.0f octet times, the card states %u\n", trials * frames * PORTS, most - least, stated);
  check(most - least <= stated, "latency is uncertain by %.0f, the card states %u", most - least, stated);
  check(stated <= 2 * (most - least), "the card states %u, which never occurs: %.0f", stated, most - least);
}

} // namespace

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  Card card;
  check(card.read(FPGAUGE_GLOBAL_ID) == FPGAUGE_MAP_ID, "id");
  check(card.read(FPGAUGE_GLOBAL_MAP_HASH) == FPGAUGE_MAP_HASH, "hash");
  check(card.read(FPGAUGE_GLOBAL_PORTS) == PORTS, "ports");
  check(card.read(FPGAUGE_GLOBAL_CLOCK_HZ) == 195312500, "clock_hz");
  check(card.read(FPGAUGE_GLOBAL_SENDS) == 0, "sends: a CMAC sends none of these");
  for (uint32_t size : {64u, 65u, 69u, 127u, 128u, 129u, 512u, 1518u, 9216u})
    nothing_is_lost(card, size, 12, 300000 / size);
  nothing_is_lost(card, 64, 500, 500);
  nothing_is_lost(card, 1518, 3001, 100);
  printf("latency %.0f to %.0f octet times on top of a cable of %.0f\n", least - CABLE_OT, most - CABLE_OT, CABLE_OT);
  // Sending may wait for a clock and two groups, receiving for a clock and a group. The time of a port with its own
  // crystal is accurate to a word and two clocks, in both directions.
  // Markers delay what follows them at line rate, until gaps of 11 and 10 have made up for it.
  constexpr double CLOCK_OT = 1280.0 / 33;
  const double bound = cmac::MARKER_OCTETS + (card::SECOND_PPM != 0 ? 2 * (CLOCK_OT + 64 + 2 * CLOCK_OT) : 2 * CLOCK_OT + 3 * 8);
  check(most - least < bound, "latency is uncertain by %.0f", most - least);

  latency_is_as_exact_as_the_card_says(card);

  card.trial(200, 12, 500, 10); // the core makes and checks the FCS
  for (unsigned p = 0; p < PORTS; p++) {
    check(card.counter(p, FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES) == 50, "%" PRIu64 " frames of bad FCS",
          card.counter(p, FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES));
    check(card.counter(p, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES) == 450, "good frames among them");
  }
  for (unsigned p = 0; p < PORTS; p++)
    check(!card.transmitter[p].underruns && !card.transmitter[p].valid_gaps && !card.transmitter[p].violation,
          "port %u: underruns", p);

  card.link(false);
  card.trial(64, 12, 5000);
  for (unsigned p = 0; p < PORTS; p++)
    check(card.counter(p, FPGAUGE_COUNTER_RX_FRAMES) == 0 &&
              card.counter(p, FPGAUGE_COUNTER_MAC_DROPPED_FRAMES) == 5000 &&
              card.counter(p, FPGAUGE_COUNTER_MAC_SENT_FRAMES) == 0,
          "frames over a link that is down");
  card.link(true);
  nothing_is_lost(card, 100, 12, 3000);

  card.trial(60, 12, 100);
  for (unsigned p = 0; p < PORTS; p++) {
    check(card.read(FPGAUGE_PORT_LINK_STATUS(p)) == (Card::UP | FPGAUGE_PORT_LINK_STATUS_REFUSED), "runts: status %08x",
          card.read(FPGAUGE_PORT_LINK_STATUS(p)));
    check(card.counter(p, FPGAUGE_COUNTER_MAC_SENT_FRAMES) == 0, "a runt was sent");
  }
  nothing_is_lost(card, 100, 12, 3000);
  card.dut.clk_locked = 0;
  card.wait(100);
  card.dut.clk_locked = 1;
  card.wait(20000);
  check(card.read(FPGAUGE_GLOBAL_ID) == FPGAUGE_MAP_ID, "the card is not back after a reset");
  return tb::finish("fpgauge_ports");
}
