// SPDX-License-Identifier: Apache-2.0
// A whole card except the vendor's blocks (fpgauge_ports): registers in a host's clock, the core, two ports on models of
// CMACs with alignment markers, and a cable between them. The CMACs have their own crystals, or, built with LOCKED=3, one.
#pragma once
#include "hw/regs/fpgauge_regs.h"
#include "sim/rtl/cmac_model.h"
#include "tests/rtl/axil_master.h"
#include "tests/rtl/tb.h"

namespace card {

constexpr unsigned PORTS = 2;
constexpr double UNIT = 1000, CORE = 33 * UNIT, AXIL = 21.5 * UNIT; // 195.3125 and 300 MHz
#if defined(TB_LOCKED) && TB_LOCKED == 3
constexpr double SECOND_PPM = 0;
#else
constexpr double SECOND_PPM = 30;
#endif
constexpr double CMAC[PORTS] = {20 * UNIT, 20 * UNIT / (1 + SECOND_PPM * 1e-6)};
constexpr double OCTET = CORE / 64;
constexpr double CABLE_OT = 32768; // longer than a frame, because the model gets a frame only when it is over

class Card {
public:
  Vdut dut;
  cmac::Transmitter transmitter[PORTS];
  cmac::Receiver receiver[PORTS];
  bool plugged = true;

  Card() : bus_(dut, [this] { axil_clock(); }) {
    if (SECOND_PPM != 0) transmitter[1].ipg_octets = 10; // not on the core's crystal, so it must be able to catch up
    dut.async_rst = 1;
    dut.clk_locked = 0;
    for (int i = 0; i < 50; i++) axil_clock();
    dut.async_rst = 0;
    const auto gone = bus_.read(FPGAUGE_GLOBAL_ID);
    tb::check(gone.answered && gone.data == 0xFFFFFFFF, "the clock is not locked: read %08x", gone.data);
    dut.clk_locked = 1;
    link(true);
    for (int i = 0; i < 20000; i++) axil_clock(); // two changes of the mark
    while (read(FPGAUGE_GLOBAL_STATUS)) {
    }
  }
  static constexpr uint32_t UP = FPGAUGE_PORT_LINK_STATUS_PRESENT | FPGAUGE_PORT_LINK_STATUS_UP |
                                 FPGAUGE_PORT_LINK_STATUS_CLOCK | FPGAUGE_PORT_LINK_STATUS_BLOCK_LOCK |
                                 FPGAUGE_PORT_LINK_STATUS_LANES_SYNCED | FPGAUGE_PORT_LINK_STATUS_ALIGNED;
  void link(bool up) {
    dut.tx_enable = dut.rx_enable = up ? 3 : 0;
    dut.rx_lanes = up ? 0x77 : 0;
  }
  unsigned stopped = 0; // ports whose CMAC takes nothing

  uint32_t read(uint32_t address) {
    const auto result = bus_.read(address);
    tb::check(result.answered && result.response == 0, "read of %05x", address);
    return result.data;
  }
  uint64_t read64(uint32_t address) {
    const uint32_t low = read(address);
    return low | uint64_t(read(address + 4)) << 32;
  }
  void write(uint32_t address, uint32_t data) {
    const auto result = bus_.write(address, data);
    tb::check(result.answered && result.response == 0, "write of %05x", address);
  }
  uint64_t counter(unsigned port, fpgauge_counter counter) {
    return read64(FPGAUGE_PORT_BASE + port * FPGAUGE_PORT_STRIDE + FPGAUGE_COUNTER_BASE + 8 * counter);
  }
  void wait(unsigned axil_clocks) {
    for (unsigned i = 0; i < axil_clocks; i++) axil_clock();
  }

  void trial(uint32_t frame_octets, uint32_t gap_octets, uint32_t frames, uint32_t bad_fcs_every = 0) {
    begin(frame_octets, gap_octets, frames, bad_fcs_every, 2);
    end();
  }
  void begin(uint32_t frame_octets, uint32_t gap_octets, uint32_t frames, uint32_t bad_fcs_every, uint32_t flows) {
    for (unsigned p = 0; p < PORTS; p++) {
      write(FPGAUGE_PORT_TX_ENABLE(p), 1);
      write(FPGAUGE_PORT_TX_FRAME_OCTETS(p), frame_octets);
      write(FPGAUGE_PORT_TX_GAP_OCTETS(p), gap_octets);
      write(FPGAUGE_PORT_TX_GAP_DENOMINATOR(p), 1);
      write(FPGAUGE_PORT_TX_STOP_FRAMES(p), frames);
      write(FPGAUGE_PORT_TX_BAD_FCS_EVERY(p), bad_fcs_every);
      write(FPGAUGE_PORT_TX_FLOWS(p), flows);
      for (uint32_t flow = 0; flow < flows; flow++) {
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
  }
  void end() {
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
    const bool got = receiver[p].clock(uint64_t(next_cmac_[p] / OCTET), &in), ready = t.ready() && !(stopped >> p & 1);
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
    dut.tx_counted = uint8_t(with_bit(dut.tx_counted, p, !t.sent.empty())); // at most one in a clock
    for (; !t.sent.empty(); t.sent.pop_front()) {
      const double octet = CMAC[p] * cmac::OCTETS_A_CLOCK_DEN / cmac::OCTETS_A_CLOCK_NUM;
      const double start_ot = double(t.sent.front().start_ot) * octet / OCTET;
      if (plugged)
        receiver[p ^ 1].put(uint64_t(start_ot + CABLE_OT), t.sent.front().octets, t.sent.front().bad,
                            t.sent.front().marker_at);
    }
    next_cmac_[p] += CMAC[p];
  }
};

} // namespace card
