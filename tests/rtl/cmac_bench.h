// SPDX-License-Identifier: Apache-2.0
// A cmac_adapter between a core's line and the model of a CMAC, each with its own clock: a source that puts frames on
// the line as the core's pacer would, the CMAC's line looped back or fed by a far end, and a sink on the line that
// checks every octet.
#pragma once
#include "hw/regs/fpgauge_regs.h"
#include "sim/rtl/cmac_model.h"
#include "tests/rtl/tb.h"
#include "tests/rtl/tb_line.h"
#include <algorithm>
#include <array>

namespace cmac {

// Time: a clock of the core is 33 units, one of the CMAC is 20; so a unit is 155.15 ps.
constexpr int64_t UNIT = 1000000;
constexpr double CORE_OCTET = 33.0 * UNIT / 64; // octet time of the core's line

inline void append_fcs(Frame &frame) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> t{};
    for (unsigned i = 0; i < 256; i++) t[i] = tb::crc32_octet(i, 0);
    return t;
  }();
  uint32_t crc = 0xFFFFFFFFu;
  for (uint8_t octet : frame) crc = crc >> 8 ^ table[(crc ^ octet) & 0xFF];
  for (int i = 0; i < 4; i++) frame.push_back(uint8_t(~crc >> 8 * i));
}

struct Settings {
  double cmac_ppm = 0;           // deviation of the CMAC's clock from 33/20 of the core's
  int64_t jitter = 0;            // every edge is up to this much late
  int64_t phase = 0;             // phase of the CMAC's first edge
  unsigned ready_off_one_in = 0; // tready also low at random; 0: never, 1: always
  unsigned code_word_octets = 0; // size in octets of the FEC's code words, in which the CMAC receives
};

// Places frames as tx_pacer does: the ideal start is exact, the real one rounded down to a group.
class Source {
public:
  std::deque<std::pair<uint64_t, Frame>> placed; // not completely on the line yet; start in octet times
  uint64_t ideal_ot = 64 * 1024;

  uint64_t put(Frame frame, unsigned gap_octets) {
    const uint64_t start_ot = ideal_ot & ~7ull;
    ideal_ot += 8 + frame.size() + gap_octets;
    placed.emplace_back(start_ot, std::move(frame));
    return start_ot;
  }
  // Octets [ot, ot + 64) of the line.
  void word(uint64_t ot, uint8_t *data, uint64_t *ctrl) {
    memset(data, 0x07, 64);
    *ctrl = ~0ull;
    static const uint8_t preamble[8] = {0xFB, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xD5};
    for (size_t i = 0; i < placed.size() && placed[i].first < ot + 64; i++) {
      const uint64_t start = placed[i].first, first = start + 8, end = first + placed[i].second.size();
      if (start >= ot) {
        memcpy(data + (start - ot), preamble, 8);
        *ctrl &= ~(0xFEull << (start - ot));
      }
      const uint64_t from = std::max(first, ot), to = std::min(end, ot + 64);
      if (from < to) {
        memcpy(data + (from - ot), placed[i].second.data() + (from - first), to - from);
        *ctrl &= ~((to - from == 64 ? ~0ull : (1ull << (to - from)) - 1) << (from - ot));
      }
      if (end >= ot && end < ot + 64) data[end - ot] = 0xFD;
    }
    while (!placed.empty() && placed.front().first + 8 + placed.front().second.size() < ot + 64) placed.pop_front();
  }
};

struct Spread { // spread of delays, in octet times of the core
  double least = 1e30, most = -1e30;
  void add(double octets) {
    least = std::min(least, octets);
    most = std::max(most, octets);
  }
  double width() const { return most - least; }
};

class Bench {
public:
  Vdut dut;
  Source source;
  Transmitter transmitter;
  Receiver receiver;
  tb::LineDecoder decoder;
  Settings settings;
  bool looped = true; // frames that the CMAC sends come back
  std::deque<std::pair<double, Frame>> expected_sent,
      expected_line;                    // each with the time at which it was put on the other line
  Spread sent_delay, line_delay;        // core line to CMAC line; CMAC line to core line
  std::vector<uint64_t> sent_starts_ot; // starts of frames that the CMAC sent
  uint64_t bad_sent = 0, bad_line = 0;
  bool far_end_errors = false; // frames may end with an error character

  explicit Bench(const Settings &s, uint64_t seed = 1) : settings(s), random_(seed) {
    dut.rst = dut.cmac_rst = 1;
    dut.tx_enable = dut.rx_enable = 1;
    receiver.code_word_octets = s.code_word_octets;
    transmitter.block = random_.below(MARKER_PERIOD_BLOCKS);
    next_cmac_ = nominal_cmac_ = settings.phase;
    run_words(8);
    dut.rst = dut.cmac_rst = 0;
    run_words(4096 + 64); // two changes of the mark: the time is known
    source.ideal_ot = (word_ + 2) * 64;
  }

  void send(Frame frame, unsigned gap_octets, bool arrives = true) {
    if (arrives) expected_sent.emplace_back(0, frame);
    const uint64_t start_ot = source.put(std::move(frame), gap_octets);
    if (arrives) expected_sent.back().first = double(start_ot) * CORE_OCTET;
    while (source.placed.size() > 8) run_words(1);
  }
  // Times are in octet times of the far end's line.
  void far_end_sends(double ot, Frame frame, bool error, size_t marker_at = SIZE_MAX) {
    expected_line.emplace_back(ot * far_end_octet, frame);
    receiver.put(uint64_t(ot), std::move(frame), error, marker_at);
  }
  double far_end_octet = CORE_OCTET;
  double far_end_now() const { return double(now_) / far_end_octet; }

  // Runs until everything has arrived, or `words` have passed.
  void drain(uint64_t words = 4000) {
    while (words-- && (!source.placed.empty() || !expected_sent.empty() || !expected_line.empty())) run_words(1);
    run_words(700);
    source.ideal_ot = (word_ + 2) * 64;
    tb::check(expected_sent.empty(), "%zu frames did not reach the CMAC", expected_sent.size());
    tb::check(expected_line.empty(), "%zu frames did not reach the core", expected_line.size());
    tb::check(frames_counted == frames_sent + transmitter.underruns + bad_sent,
              "the CMAC sent %" PRIu64 " frames, the core was told %" PRIu64, frames_counted, frames_sent);
    tb::check(decoder.frames.empty() && transmitter.sent.empty(), "frames from nowhere");
    tb::check(transmitter.underruns == 0, "%" PRIu64 " underruns", transmitter.underruns);
    tb::check(!transmitter.violation, "%s", transmitter.violation ? transmitter.violation : "");
    tb::check(transmitter.valid_gaps == 0, "tvalid fell within a frame for %" PRIu64 " clocks", transmitter.valid_gaps);
  }
  // State that the core was told: bits of link_status, and frames.
  uint32_t status = 0;
  uint64_t frames_sent = 0, frames_dropped = 0, frames_late = 0, frames_counted = 0;
  static constexpr uint32_t LINK = FPGAUGE_PORT_LINK_STATUS_DOWN | FPGAUGE_PORT_LINK_STATUS_LANES_LOST |
                                   FPGAUGE_PORT_LINK_STATUS_MAC_HELD;
  bool fault() const { return status & ~LINK; }
  uint64_t word() const { return word_; }

  void run_words(uint64_t words) {
    for (const uint64_t last = word_ + words; word_ < last;)
      if (next_core_ <= next_cmac_)
        core_edge();
      else
        cmac_edge();
  }

private:
  static constexpr uint64_t CABLE_OT = 32768; // longer than a frame, because the model gets a frame only when it is over
  tb::Random random_;
  int64_t next_core_ = 0, nominal_core_ = 0, next_cmac_ = 0, nominal_cmac_ = 0, now_ = 0, cmac_began_ = -1;
  uint64_t word_ = 0; // number of the line's word that the next edge of the core takes
  uint64_t cmac_clocks_ = 0;

  int64_t shake() { return settings.jitter ? int64_t(random_.below(uint64_t(settings.jitter))) : 0; }
  double cmac_period() const { return 20.0 * UNIT / (1 + settings.cmac_ppm * 1e-6); }

  void core_edge() {
    now_ = nominal_core_;
    uint8_t data[64];
    uint64_t ctrl;
    source.word(word_ * 64, data, &ctrl);
    tb::put_octets(dut.line_tx_data, data, 64);
    dut.line_tx_ctrl = ctrl;
    dut.eval();
    dut.clk = 1;
    dut.eval();
    dut.clk = 0;
    dut.eval();
    word_++;
    status |= uint32_t(dut.link_events) << 8; // events as link_monitor has them
    frames_sent += dut.link_steps & 3;
    frames_dropped += dut.link_steps >> 2 & 3;
    frames_late += dut.link_steps >> 4 & 3;
    frames_counted += dut.link_steps >> 6;
    tb::get_octets(dut.line_rx_data, data, 64);
    decoder.word(word_ * 64, data, dut.line_rx_ctrl, 64);
    for (; !decoder.frames.empty(); decoder.frames.erase(decoder.frames.begin())) arrived(decoder.frames.front());
    nominal_core_ += 33 * UNIT;
    next_core_ = nominal_core_ + shake();
  }

  void arrived(const tb::LineFrame &frame) {
    if (!tb::check(!expected_line.empty(), "the core gets a frame of %zu octets from nowhere", frame.octets.size()))
      return;
    tb::check(frame.octets == expected_line.front().second, "the core gets other octets: %zu for %zu",
              frame.octets.size(), expected_line.front().second.size());
    line_delay.add(double(frame.start_ot) - expected_line.front().first / CORE_OCTET);
    expected_line.pop_front();
  }

  void cmac_edge() {
    now_ = nominal_cmac_;
    if (cmac_began_ < 0) cmac_began_ = now_;
    const bool stop = settings.ready_off_one_in == 1 || (settings.ready_off_one_in && transmitter.can_wait() &&
                                                         random_.one_in(settings.ready_off_one_in));
    const bool ready = transmitter.ready() && !stop;
    Beat in{}, out;
    const double line_ot = looped ? double(cmac_clocks_) * OCTETS_A_CLOCK_NUM / OCTETS_A_CLOCK_DEN : far_end_now();
    const bool got = receiver.clock(uint64_t(line_ot), &in);
    dut.m_axis_tready = ready;
    dut.s_axis_tvalid = got;
    if (got) tb::put_octets(dut.s_axis_tdata, in.data, 64);
    dut.s_axis_tkeep = in.keep;
    dut.s_axis_tlast = in.last;
    dut.s_axis_tuser = in.user;
    dut.eval();
    if (dut.m_axis_tvalid) {
      tb::get_octets(dut.m_axis_tdata, out.data, 64);
      out.keep = dut.m_axis_tkeep;
      out.last = dut.m_axis_tlast;
      out.user = dut.m_axis_tuser;
    }
    transmitter.clock(dut.m_axis_tvalid ? &out : nullptr, ready);
    dut.cmac_clk = 1;
    dut.eval();
    dut.cmac_clk = 0;
    dut.eval();
    cmac_clocks_++;
    dut.tx_counted = !transmitter.sent.empty(); // at most one in a clock
    for (; !transmitter.sent.empty(); transmitter.sent.pop_front()) sent(transmitter.sent.front());
    nominal_cmac_ = cmac_began_ + int64_t(double(cmac_clocks_) * cmac_period());
    next_cmac_ = nominal_cmac_ + shake();
  }

  void sent(SentFrame &frame) {
    bad_sent += frame.bad;
    if (frame.bad) return;
    if (!tb::check(!expected_sent.empty(), "the CMAC sends a frame of %zu octets from nowhere", frame.octets.size()))
      return;
    tb::check(frame.octets == expected_sent.front().second, "the CMAC sends other octets: %zu for %zu",
              frame.octets.size(), expected_sent.front().second.size());
    const double octet = cmac_period() * OCTETS_A_CLOCK_DEN / OCTETS_A_CLOCK_NUM;
    const double at = double(cmac_began_) + double(frame.start_ot) * octet;
    sent_delay.add((at - expected_sent.front().first) / CORE_OCTET);
    sent_starts_ot.push_back(frame.start_ot);
    if (looped) {
      expected_line.emplace_back(at + double(CABLE_OT) * octet, frame.octets);
      receiver.put(frame.start_ot + CABLE_OT, std::move(frame.octets), false, frame.marker_at);
    }
    expected_sent.pop_front();
  }
};

} // namespace cmac
