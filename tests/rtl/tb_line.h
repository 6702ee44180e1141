// SPDX-License-Identifier: Apache-2.0
// Decoder of the line, octet by octet and independent of the RTL: frames with the octet time of their start and of
// their terminate character. Along the way it checks the rules of the line: legal characters, whole preambles, starts
// on groups, a terminate character at the end (or an error character, where the test says that they may come).
#pragma once
#include "tests/rtl/tb.h"
#include <vector>

namespace tb {

struct LineFrame {
  uint64_t start_ot;           // octet time of the start character
  uint64_t terminate_ot;       // time of the terminate character: the first octet of the gap
  std::vector<uint8_t> octets; // destination MAC to FCS
  bool bad_end = false;        // an error character in place of the terminate character
};

class LineDecoder {
public:
  std::vector<LineFrame> frames;
  bool errors_allowed = false;

  // One word: `octets` octets, whose first is at octet time `time_ot`.
  void word(uint64_t time_ot, const uint8_t *data, uint64_t ctrl, unsigned octets) {
    uint64_t all = octets == 64 ? ~0ull : (1ull << octets) - 1;
    if (state_ == FRAME && ctrl == 0) {
      now_.octets.insert(now_.octets.end(), data, data + octets);
      return;
    }
    if (state_ == IDLE && ctrl == all && idle_word(data, octets))
      return;
    for (unsigned i = 0; i < octets; i++)
      octet(time_ot + i, data[i], ctrl >> i & 1);
  }
  bool in_frame() const { return state_ != IDLE; }

private:
  enum { IDLE, PREAMBLE, FRAME } state_ = IDLE;
  LineFrame now_;
  unsigned preamble_octets_ = 0;

  static bool idle_word(const uint8_t *data, unsigned octets) {
    for (unsigned i = 0; i < octets; i++)
      if (data[i] != 0x07)
        return false;
    return true;
  }

  void octet(uint64_t time_ot, uint8_t value, bool control) {
    switch (state_) {
    case IDLE:
      if (control && value == 0xFB) {
        check(time_ot % 8 == 0, "start at octet time %" PRIu64 ", not on a group", time_ot);
        now_ = LineFrame{time_ot, 0, {}, false};
        preamble_octets_ = 1;
        state_ = PREAMBLE;
      } else {
        check(control && value == 0x07, "%s %02x at octet time %" PRIu64 " where idle belongs",
              control ? "control" : "data", value, time_ot);
      }
      return;
    case PREAMBLE:
      preamble_octets_++;
      check(!control && value == (preamble_octets_ == 8 ? 0xD5 : 0x55),
            "octet %u of the preamble at octet time %" PRIu64 " is %02x", preamble_octets_, time_ot, value);
      if (preamble_octets_ == 8)
        state_ = FRAME;
      return;
    case FRAME:
      if (!control) {
        now_.octets.push_back(value);
        return;
      }
      now_.bad_end = value == 0xFE && errors_allowed;
      check(value == 0xFD || now_.bad_end, "control %02x at octet time %" PRIu64 " in a frame", value, time_ot);
      now_.terminate_ot = time_ot;
      frames.push_back(std::move(now_));
      state_ = IDLE;
      return;
    }
  }
};

} // namespace tb
