// SPDX-License-Identifier: Apache-2.0
// The line, octet by octet: an encoder for good and hostile traffic, a CRC, and a reader that finds frames without
// using words. Independent of the RTL: no table, flag or window is shared with it.
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

namespace line {

struct Rng { // xorshift64*: the same stream on every machine
  uint64_t s;
  explicit Rng(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 1) {}
  uint64_t next() {
    s ^= s >> 12, s ^= s << 25, s ^= s >> 27;
    return s * 0x2545F4914F6CDD1Dull;
  }
  uint64_t below(uint64_t n) { return (next() >> 11) % n; }
  uint64_t range(uint64_t lo, uint64_t hi) { return lo + below(hi - lo + 1); }
  bool chance(unsigned per_thousand) { return below(1000) < per_thousand; }
};

enum : uint8_t { IDLE = 0x07, START = 0xFB, TERMINATE = 0xFD, ERROR = 0xFE };

struct Octet {
  uint8_t data;
  bool ctrl;
};

// IEEE 802.3 clause 3.2.9, bit by bit. Octets on the wire: low first.
inline uint32_t fcs(const std::vector<uint8_t> &octets) {
  uint32_t crc = 0xFFFFFFFF;
  for (uint8_t o : octets) {
    crc ^= o;
    for (int i = 0; i < 8; i++) crc = crc & 1 ? (crc >> 1) ^ 0xEDB88320 : crc >> 1;
  }
  return ~crc;
}

inline void append_fcs(std::vector<uint8_t> &frame, uint32_t flip = 0) {
  uint32_t f = fcs(frame) ^ flip;
  for (int i = 0; i < 4; i++) frame.push_back(f >> (8 * i));
}

// A section of a line that starts on a group boundary.
struct Encoder {
  std::vector<Octet> octets;
  size_t position() const { return octets.size(); }
  void put(uint8_t data, bool ctrl) { octets.push_back({data, ctrl}); }
  void align(unsigned to) {
    while (octets.size() % to) put(IDLE, true);
  }
  void idle(size_t n) {
    for (size_t i = 0; i < n; i++) put(IDLE, true);
  }
  void start() { // starts on a group boundary
    static const uint8_t preamble[8] = {START, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xD5};
    for (int i = 0; i < 8; i++) put(preamble[i], i == 0);
  }
  void data(const std::vector<uint8_t> &v) {
    for (uint8_t o : v) put(o, false);
  }
  void terminate() { put(TERMINATE, true); }
};

// A frame as the reader finds it. Positions count octets from the beginning of the line.
struct Found {
  size_t start, end; // place of the start character; of the control character that ended it
  bool well;         // ended by a terminate character
  bool cut;          // began and ended in one word
  bool merged;       // stands for several cut frames of one word
  bool first_start;  // no other start before it in its word
  std::vector<uint8_t> octets;
};

// Frames in the order of their ends. word: octets per word; the cut frames of a word count as one, as in line_decode.
inline std::vector<Found> read(const std::vector<Octet> &l, size_t word) {
  std::vector<Found> out;
  bool open = false;
  size_t start = 0, last_start_word = SIZE_MAX;
  bool first = false;
  for (size_t p = 0; p < l.size(); p++) {
    if (!l[p].ctrl) continue;
    if (open) {
      Found f{start, p, l[p].data == TERMINATE, start / word == p / word, false, first, {}};
      for (size_t q = start + 8; q < p; q++) f.octets.push_back(l[q].data);
      if (f.cut && !out.empty() && out.back().cut && out.back().start / word == p / word) {
        out.back().merged = true;
        out.back().well = false;
      } else {
        out.push_back(f);
      }
      open = false;
    }
    if (l[p].data == START && p % 8 == 0) {
      open = true;
      start = p;
      first = last_start_word != p / word;
      last_start_word = p / word;
    }
  }
  return out;
}

// Hostile sections, each followed by idle up to a group boundary.
inline void garbage(Encoder &e, Rng &r, size_t n) {
  static const uint8_t codes[] = {IDLE, START, TERMINATE, ERROR, START, TERMINATE, 0x9C, 0x00};
  unsigned density = r.range(1, 400);
  for (size_t i = 0; i < n; i++) {
    if (e.position() % 8 == 0 && r.chance(density))
      e.put(START, true);
    else if (r.chance(density))
      e.put(codes[r.below(sizeof codes)], true);
    else
      e.put(r.next(), false);
  }
  e.idle(r.below(20));
  e.align(8);
}

} // namespace line
