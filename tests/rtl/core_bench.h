// SPDX-License-Identifier: Apache-2.0
// Base of testbenches of the whole core: its registers through AXI4-Lite, and adjacent ports (0 and 1, 2 and 3) wired
// to each other, with what a testbench does to the wires. The tables are clear when it has been constructed.
#pragma once
#include <vector>

#include "axil_master.h"
#include "hw/regs/fpgauge_regs.h"
#include "tb.h"

namespace core {

// A port's word: 8 x groups octets, and an octet of control bits for each group.
struct Line {
  uint8_t *octets, *controls;
  unsigned groups;
  bool starts(unsigned group) const { return (controls[group] & 1) != 0 && octets[8 * group] == 0xFB; }
};

class Bench {
 public:
  Bench() : bus_(dut_, [this] { clock(); }) {
    dut_.skip_words = 0;
    memset(&dut_.line_rx_data, 0x07, sizeof dut_.line_rx_data);
    memset(&dut_.line_rx_ctrl, 0xff, sizeof dut_.line_rx_ctrl);
    dut_.rst = 1;
    for (int i = 0; i < 8; i++) clock();
    dut_.rst = 0;
    ports_ = read(FPGAUGE_GLOBAL_PORTS);
    groups_ = read(FPGAUGE_GLOBAL_GROUPS);
    while (read(FPGAUGE_GLOBAL_STATUS)) {}
  }
  virtual ~Bench() = default;

 protected:
  Vdut dut_;
  tb::AxilMaster<Vdut> bus_;
  unsigned ports_ = 0, groups_ = 0;

  // A word of `port` on its way to its partner; what is changed here arrives so. Not called before the bench is constructed.
  virtual void pass(unsigned port, Line line) {
    (void)port;
    (void)line;
  }

  void clock() {
    if (groups_) {
      uint8_t words[16 * 64], crossed[16 * 64], controls[16 * 8], marks[16 * 8];
      const size_t octets = 8 * groups_;
      tb::get_octets(dut_.line_tx_data, words, ports_ * octets);
      tb::get_octets(dut_.line_tx_ctrl, controls, ports_ * groups_);
      for (unsigned p = 0; p < ports_; p++) {
        const Line line = {&crossed[(p ^ 1) * octets], &marks[(p ^ 1) * groups_], groups_};
        memcpy(line.octets, &words[p * octets], octets);
        memcpy(line.controls, &controls[p * groups_], groups_);
        pass(p, line);
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
  uint64_t counter(unsigned port, fpgauge_counter which) { return read64(FPGAUGE_COUNTER(port, which)); }
  void control(uint32_t strobes) { write(FPGAUGE_GLOBAL_CONTROL, strobes); }
  // Flow `flow` of the port has a payload that counts from octet `payload` on; before it, octet i is header(i).
  template <class Header> void write_flow(unsigned port, unsigned flow, unsigned payload, const Header &header) {
    write(FPGAUGE_PORT_TX_FLOW_INDEX(port), flow);
    write(FPGAUGE_PORT_TX_FLOW_PAYLOAD(port), payload);
    for (unsigned word = 0; word < FPGAUGE_PORT_TX_HEADER_COUNT; word++) {
      uint32_t value = 0;
      for (unsigned i = 4 * word; i < 4 * word + 4; i++)
        value |= static_cast<uint32_t>(i < payload ? static_cast<uint8_t>(header(i)) : i - payload) << 8 * (i % 4);
      write(FPGAUGE_PORT_TX_HEADER(port) + 4 * word, value);
    }
  }
  void forget() {
    control(FPGAUGE_GLOBAL_CONTROL_CLEAR);
    while (read(FPGAUGE_GLOBAL_STATUS)) {}
  }
  void stop() {
    control(FPGAUGE_GLOBAL_CONTROL_STOP);
    for (unsigned polls = 0; read(FPGAUGE_GLOBAL_STATUS) && polls < 10000; polls++) {}
    tb::check(read(FPGAUGE_GLOBAL_STATUS) == 0, "still sending after a stop");
  }
};

// Changes one octet in frames that pass, and makes their FCS anew, as a device under test does that alters what it forwards.
// The CRC is linear: that of the change alone is what has to be added to the FCS.
class Alterer {
 public:
  static constexpr unsigned NONE = ~0u;
  unsigned frame_octets = 64;   // all frames that pass have this length
  uint64_t altered = 0;

  // choose(), asked for each frame: which octet changes, not one of the FCS; or NONE. change is not 0.
  template <class Choose> void pass(const Line &line, uint8_t change, const Choose &choose) {
    for (unsigned g = 0; g < line.groups; g++) {
      if (line.starts(g)) {
        at_ = choose();
        position_ = 0;
        inside_ = at_ != NONE;
        crc_ = 0;
        altered += inside_;
        continue;   // the preamble
      }
      for (unsigned k = 0; inside_ && k < 8; k++) octet(line.octets[8 * g + k], change);
    }
  }

 private:
  bool inside_ = false;
  unsigned at_ = NONE, position_ = 0;
  uint32_t crc_ = 0;   // CRC of the change

  void octet(uint8_t &octet, uint8_t change) {
    const unsigned fcs = frame_octets - 4, here = position_++;
    if (here == at_) octet ^= change;
    if (here < fcs)
      crc_ = tb::crc32_octet(crc_, here == at_ ? change : 0);
    else
      octet ^= static_cast<uint8_t>(crc_ >> 8 * (here - fcs));
    inside_ = position_ < frame_octets;
  }
};

}  // namespace core
