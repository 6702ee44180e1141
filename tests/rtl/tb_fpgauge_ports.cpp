// SPDX-License-Identifier: Apache-2.0
// A whole card except the vendor's blocks: registers in a host's clock, the core, two ports on models of CMACs with
// their own crystals, a cable between them. Trials at line rate and below lose and invent nothing, and the latency of
// every frame is that of the cable plus a constant, within what docs/boards.md promises. Then the bad cases: with the
// link down frames are lost, after a frame that cannot be sent the card reads as gone, and a card in reset still
// answers.
#include "hw/regs/fpgauge_regs.h"
#include "tests/rtl/axil_master.h"
#include "tests/rtl/cmac_model.h"

using tb::check;

namespace {

constexpr unsigned PORTS = 2;
constexpr double UNIT = 1000, CORE = 33 * UNIT, AXIL = 21.5 * UNIT; // 195.3125 and 300 MHz
constexpr double CMAC[PORTS] = {20 * UNIT, 20 * UNIT / (1 + 30e-6)};
constexpr double OCTET = CORE / 64;
constexpr double CABLE_OT = 32768; // longer than a frame, because the model gets a frame only when it is over

class Card {
public:
  Vdut dut;
  cmac::Transmitter transmitter[PORTS];
  cmac::Receiver receiver[PORTS];
  bool plugged = true;

  Card() : bus_(dut, [this] { axil_clock(); }) {
    transmitter[1].ipg_octets = 10; // not on the core's crystal, so it must be able to catch up
    dut.async_rst = 1;
    dut.clk_locked = 0;
    for (int i = 0; i < 50; i++) axil_clock();
    dut.async_rst = 0;
    const auto gone = bus_.read(FPGAUGE_GLOBAL_ID);
    check(gone.answered && gone.data == 0xFFFFFFFF, "the clock is not locked: read %08x", gone.data);
    dut.clk_locked = 1;
    link(true);
    for (int i = 0; i < 20000; i++) axil_clock(); // two changes of the mark
    while (read(FPGAUGE_GLOBAL_STATUS)) {
    }
  }
  void link(bool up) { dut.tx_enable = dut.rx_enable = up ? 3 : 0; }

  uint32_t read(uint32_t address) {
    const auto result = bus_.read(address);
    check(result.answered && result.response == 0, "read of %05x", address);
    return result.data;
  }
  uint64_t read64(uint32_t address) {
    const uint32_t low = read(address);
    return low | uint64_t(read(address + 4)) << 32;
  }
  void write(uint32_t address, uint32_t data) {
    const auto result = bus_.write(address, data);
    check(result.answered && result.response == 0, "write of %05x", address);
  }
  uint64_t counter(unsigned port, fpgauge_counter counter) {
    return read64(FPGAUGE_PORT_BASE + port * FPGAUGE_PORT_STRIDE + FPGAUGE_COUNTER_BASE + 8 * counter);
  }
  void wait(unsigned axil_clocks) {
    for (unsigned i = 0; i < axil_clocks; i++) axil_clock();
  }

  void trial(uint32_t frame_octets, uint32_t gap_octets, uint32_t frames, uint32_t bad_fcs_every = 0) {
    for (unsigned p = 0; p < PORTS; p++) {
      write(FPGAUGE_PORT_TX_ENABLE(p), 1);
      write(FPGAUGE_PORT_TX_FRAME_OCTETS(p), frame_octets);
      write(FPGAUGE_PORT_TX_GAP_OCTETS(p), gap_octets);
      write(FPGAUGE_PORT_TX_GAP_DENOMINATOR(p), 1);
      write(FPGAUGE_PORT_TX_STOP_FRAMES(p), frames);
      write(FPGAUGE_PORT_TX_BAD_FCS_EVERY(p), bad_fcs_every);
      write(FPGAUGE_PORT_TX_FLOWS(p), 2);
      for (uint32_t flow = 0; flow < 2; flow++) {
        write(FPGAUGE_PORT_TX_FLOW_INDEX(p), flow);
        write(FPGAUGE_PORT_TX_FLOW_PAYLOAD(p), 42);
      }
      write(FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(p), 16383);
      write(FPGAUGE_PORT_RX_EXPECTED(p) + 4 * ((p ^ 1) * 256 / 32), 3); // both flows of the other port
    }
    write(FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);
    while (read(FPGAUGE_GLOBAL_STATUS)) {
    }
    write(FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
    while (read(FPGAUGE_GLOBAL_STATUS) & FPGAUGE_GLOBAL_STATUS_SENDING) wait(100);
    wait(unsigned((CABLE_OT + 80000) * OCTET / AXIL));
    write(FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
  }

private:
  tb::AxilMaster<Vdut> bus_;
  double next_axil_ = 0, next_core_ = 7, next_cmac_[PORTS] = {3, 11};
  uint64_t cmac_clocks_[PORTS] = {};

  void axil_clock() {
    const double end = next_axil_ + AXIL;
    for (;;) {
      const int port = next_cmac_[0] <= next_cmac_[1] ? 0 : 1;
      if (next_cmac_[port] < end && next_cmac_[port] <= next_core_) {
        cmac_clock(unsigned(port));
      } else if (next_core_ < end) {
        dut.clk = 1, dut.eval(), dut.clk = 0, dut.eval();
        next_core_ += CORE;
      } else {
        break;
      }
    }
    dut.axil_clk = 1, dut.eval(), dut.axil_clk = 0, dut.eval();
    next_axil_ = end;
  }
  template <class Port> static uint8_t *octets(Port &port, unsigned p, unsigned size) {
    return reinterpret_cast<uint8_t *>(&port) + p * size;
  }
  static unsigned with_bit(unsigned value, unsigned p, bool bit) { return (value & ~(1u << p)) | unsigned(bit) << p; }

  void cmac_clock(unsigned p) {
    cmac::Transmitter &t = transmitter[p];
    cmac::Beat in{}, out;
    const bool got = receiver[p].clock(uint64_t(next_cmac_[p] / OCTET), &in), ready = t.ready();
    dut.m_axis_tready = uint8_t(with_bit(dut.m_axis_tready, p, ready));
    dut.s_axis_tvalid = uint8_t(with_bit(dut.s_axis_tvalid, p, got));
    dut.s_axis_tlast = uint8_t(with_bit(dut.s_axis_tlast, p, in.last));
    memcpy(octets(dut.s_axis_tdata, p, 64), in.data, 64);
    memcpy(octets(dut.s_axis_tkeep, p, 8), &in.keep, 8);
    dut.eval();
    const bool valid = dut.m_axis_tvalid >> p & 1;
    memcpy(out.data, octets(dut.m_axis_tdata, p, 64), 64);
    memcpy(&out.keep, octets(dut.m_axis_tkeep, p, 8), 8);
    out.last = dut.m_axis_tlast >> p & 1;
    out.user = dut.m_axis_tuser >> p & 1;
    t.clock(valid ? &out : nullptr, ready);
    dut.cmac_clk = uint8_t(1u << p), dut.eval(), dut.cmac_clk = 0, dut.eval();
    cmac_clocks_[p]++;
    for (; !t.sent.empty(); t.sent.pop_front()) {
      const double octet = CMAC[p] * cmac::OCTETS_A_CLOCK_DEN / cmac::OCTETS_A_CLOCK_NUM;
      const double start_ot = double(t.sent.front().start_ot) * octet / OCTET;
      if (plugged) receiver[p ^ 1].put(uint64_t(start_ot + CABLE_OT), t.sent.front().octets, t.sent.front().bad);
    }
    next_cmac_[p] += CMAC[p];
  }
};

double least = 1e30, most = 0; // latency, over all trials and ports

void nothing_is_lost(Card &card, uint32_t frame_octets, uint32_t gap_octets, uint32_t frames) {
  card.trial(frame_octets, gap_octets, frames);
  for (unsigned p = 0; p < PORTS; p++) {
    const uint64_t sent = card.counter(p ^ 1, FPGAUGE_COUNTER_TX_FRAMES);
    const uint64_t received = card.counter(p, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES);
    check(sent == frames && received == frames, "%u octets to port %u: %" PRIu64 " sent, %" PRIu64 " received",
          frame_octets, p, sent, received);
    check(card.counter(p, FPGAUGE_COUNTER_RX_BAD_FRAMES) == 0, "bad frames");
    check(card.counter(p, FPGAUGE_COUNTER_RX_FRAMES) == frames, "frames that were never sent");
    check(card.counter(p, FPGAUGE_COUNTER_RX_LATENCY_FRAMES) == frames, "not every frame has a latency");
    least = std::min(least, double(card.counter(p, FPGAUGE_COUNTER_RX_LATENCY_MIN)));
    most = std::max(most, double(card.counter(p, FPGAUGE_COUNTER_RX_LATENCY_MAX)));
    const uint64_t gaps = card.counter(p, FPGAUGE_COUNTER_RX_GAPS);
    const double gap = double(card.counter(p, FPGAUGE_COUNTER_RX_GAP_SUM_OCTETS)) / double(gaps);
    check(gaps == frames - 1 && std::abs(gap - gap_octets) < 160.0 / double(gaps) + 0.01, "mean gap %.3f", gap);
  }
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
  // Sending may wait for a clock and two groups, receiving for a clock and a group; port 1's time is accurate to a word
  // and two clocks, in both directions.
  check(most - least < 2 * (1280.0 / 33 + 64 + 2 * 1280.0 / 33), "latency is uncertain by %.0f", most - least);

  card.trial(200, 12, 500, 10); // the core makes and checks the FCS
  for (unsigned p = 0; p < PORTS; p++) {
    check(card.counter(p, FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES) == 50, "%" PRIu64 " frames of bad FCS",
          card.counter(p, FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES));
    check(card.counter(p, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES) == 450, "good frames among them");
  }
  for (unsigned p = 0; p < PORTS; p++)
    check(!card.transmitter[p].underruns && !card.transmitter[p].valid_gaps, "port %u: underruns", p);

  card.link(false);
  card.trial(64, 12, 5000);
  for (unsigned p = 0; p < PORTS; p++)
    check(card.counter(p, FPGAUGE_COUNTER_RX_FRAMES) == 0, "frames over a link that is down");
  card.link(true);
  nothing_is_lost(card, 100, 12, 3000);

  card.write(FPGAUGE_PORT_TX_FRAME_OCTETS(0), 60);
  card.write(FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
  card.wait(1000);
  check(card.read(FPGAUGE_GLOBAL_ID) == 0xFFFFFFFF, "a frame cannot be sent, but the card is not gone");
  card.dut.clk_locked = 0;
  card.wait(100);
  card.dut.clk_locked = 1;
  card.wait(20000);
  check(card.read(FPGAUGE_GLOBAL_ID) == FPGAUGE_MAP_ID, "the card is not back after a reset");
  return tb::finish("fpgauge_ports");
}
