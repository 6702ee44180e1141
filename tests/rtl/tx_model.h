// SPDX-License-Identifier: Apache-2.0
// What the transmit side must send, computed only from the settings: closed forms for the schedule, octet by octet for
// the contents. Written from the register descriptions, not from the RTL.
#pragma once
#include "tests/rtl/tb.h"
#include <array>
#include <vector>

namespace tb {

struct TxSettings {
  unsigned run_id = 1, frame_octets = 64;
  uint64_t gap_octets = 12, gap_numerator = 0, gap_denominator = 1;
  uint64_t burst_frames = 0, burst_gap_octets = 12;
  uint64_t stop_frames = 0, duration = 0;
  unsigned destinations = 1;
  bool random = false;
  uint32_t seed = 1;
  unsigned payload_offset = 42;
  bool tag_enable = false;
  uint64_t tag_first = 0, tag_interval = 0;
  uint32_t bad_fcs_every = 0;
};

struct TxDestination {
  std::array<uint8_t, 64> header{};
  unsigned port = 0;
};

struct TxExpected {
  uint64_t start_ot; // from the origin of the trial
  bool tag, bad_fcs;
  unsigned destination;
};

// Octet time of the ideal start of frame n: n frames, the gaps between them, and the whole octets of the fractions.
inline uint64_t tx_ideal_start(const TxSettings &s, uint64_t n) {
  uint64_t burst_gaps = s.burst_frames ? n / s.burst_frames : 0;
  uint64_t gaps = n - burst_gaps;
  auto fraction = (unsigned __int128)gaps * s.gap_numerator / s.gap_denominator;
  return n * (s.frame_octets + 8) + gaps * s.gap_octets + burst_gaps * s.burst_gap_octets + (uint64_t)fraction;
}

// The frames of a trial, one by one; next() returns false at its end.
class TxModel {
public:
  explicit TxModel(const TxSettings &s) : s_(s), due_(s.tag_first), armed_(s.tag_enable), draw_(s.seed ? s.seed : 1) {}

  bool next(TxExpected &frame) {
    frame.start_ot = tx_ideal_start(s_, n_) / 8 * 8; // a start must be on a group
    if ((s_.stop_frames && n_ >= s_.stop_frames) || (s_.duration && frame.start_ot >= s_.duration))
      return false;
    frame.tag = armed_ && frame.start_ot >= due_;
    if (frame.tag) {
      due_ += s_.tag_interval;
      armed_ = s_.tag_interval != 0;
    }
    frame.bad_fcs = s_.bad_fcs_every && (n_ + 1) % s_.bad_fcs_every == 0;
    draw_ ^= draw_ << 13;
    draw_ ^= draw_ >> 17;
    draw_ ^= draw_ << 5;
    frame.destination =
        s_.random ? (unsigned)((draw_ >> 16) * s_.destinations >> 16) : (unsigned)(n_ % s_.destinations);
    n_++;
    return true;
  }

private:
  TxSettings s_;
  uint64_t n_ = 0, due_;
  bool armed_;
  uint32_t draw_;
};

inline void tx_put_be(uint8_t *octets, uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    octets[i] = (uint8_t)(value >> 8 * (count - 1 - i));
}

// The octets of one frame. start_ot is absolute here.
inline std::vector<uint8_t> tx_frame(const TxSettings &s, const TxExpected &frame, uint64_t start_ot,
                                     const TxDestination &destination, unsigned source_port, uint64_t sequence) {
  std::vector<uint8_t> octets(s.frame_octets);
  for (unsigned i = 0; i < s.frame_octets; i++)
    octets[i] = i < 64 ? destination.header[i] : (uint8_t)(i - s.payload_offset);
  uint8_t *signature = &octets[s.frame_octets - 22];
  tx_put_be(signature, 0xF9A6, 2);
  signature[2] = (uint8_t)s.run_id;
  signature[3] = (uint8_t)(source_port << 4 | destination.port);
  signature[4] = (uint8_t)frame.destination;
  tx_put_be(signature + 5, sequence, 6);
  tx_put_be(signature + 11, start_ot / 8, 5);
  tx_put_be(signature + 16, (uint64_t)frame.tag << 15 | s.frame_octets, 2);
  uint32_t fcs = ~crc32_octets(octets.data(), s.frame_octets - 4);
  if (frame.bad_fcs)
    fcs = ~fcs;
  for (unsigned i = 0; i < 4; i++)
    octets[s.frame_octets - 4 + i] = (uint8_t)(fcs >> 8 * i);
  return octets;
}

} // namespace tb
