// SPDX-License-Identifier: Apache-2.0
// Events in each word of a line, found octet by octet, and hostile lines to find them in. Written from the description
// in hw/rtl/mac/line_decode.v, with none of its flags: one octet after another, with one open frame.
#pragma once
#include "tests/rtl/tb.h"

namespace tb {

struct Word {
  uint8_t data[64];
  uint64_t ctrl;
};

// Positions are octets of the word, groups are positions / 8.
struct Events {
  bool owned = false, first = false;   // a frame is open when the word begins; its first octet is octet 0
  bool end = false, well = false;      // it ends here
  uint64_t end_at = 0, octets = 0;     // length, FCS included, which does not saturate
  bool live = false;                   // a frame begins and is open at the end of the word
  uint64_t live_at = 0;
  unsigned cuts = 0;                   // frames that begin and end here; of the first of them:
  uint64_t cut_at = 0, cut_end_at = 0, cut_octets = 0;
  bool cut_well = false;
};

class EventFinder {
public:
  explicit EventFinder(unsigned octets) : octets_(octets) {}
  void reset() { open_ = false; }

  Events word(const Word &word) {
    Events e;
    bool old = open_; // the open frame is one from before this word
    uint64_t start = 0;
    e.owned = open_;
    e.first = open_ && length_ == 0;
    for (unsigned i = 0; i < octets_; i++) {
      const bool control = word.ctrl >> i & 1, starts = control && word.data[i] == 0xFB && i % 8 == 0;
      if (open_ && control) {
        const bool well = word.data[i] == 0xFD;
        if (old) {
          e.end = true, e.well = well, e.end_at = i, e.octets = length_;
        } else if (e.cuts++ == 0) {
          e.cut_at = start, e.cut_end_at = i, e.cut_octets = length_, e.cut_well = well;
        }
        open_ = old = false;
      } else if (open_ && preamble_ != 0) {
        preamble_--;
      } else if (open_) {
        length_++;
      }
      if (starts) {
        open_ = true, old = false, start = i, preamble_ = 7, length_ = 0;
      }
    }
    e.live = open_ && !old;
    e.live_at = start;
    return e;
  }

private:
  unsigned octets_;
  bool open_ = false;
  unsigned preamble_ = 0; // octets of it to come
  uint64_t length_ = 0;
};

// Lines of a few words at a time, each of one kind: frames of any length with any gap, noise of any density, words of
// control characters only, data without end.
class HostileLine {
public:
  HostileLine(uint64_t seed, unsigned octets) : random_(seed), octets_(octets) {}

  Word next() {
    Word word{{}, 0};
    for (unsigned i = 0; i < octets_; i++) {
      const auto [data, control] = octet(i % 8 == 0);
      word.data[i] = data;
      word.ctrl |= uint64_t{control} << i;
    }
    return word;
  }

private:
  enum Kind { FRAMES, NOISE, CONTROLS, DATA };
  Random random_;
  unsigned octets_;
  Kind kind_ = NOISE;
  uint64_t left_ = 0, density_ = 1;   // octets of this kind to come; one octet in so many is a control character
  uint64_t idle_ = 1, inside_ = 0;              // lengths of frames: octets until the next start; until the end of this
                                                // one

  struct Octet {
    uint8_t data;
    bool control;
  };

  uint8_t code() {
    static const uint8_t codes[] = {0xFB, 0xFB, 0xFD, 0xFD, 0x07, 0xFE, 0x9C, 0x00};
    return random_.one_in(10) ? (uint8_t)random_.next() : codes[random_.below(sizeof codes)];
  }

  void choose() {
    kind_ = random_.one_in(50) ? DATA : random_.one_in(12) ? CONTROLS : random_.one_in(2) ? NOISE : FRAMES;
    left_ = kind_ == DATA ? random_.between(16000, 40000) : random_.between(1, 3000);
    density_ = 1ull << random_.below(10);
  }

  Octet octet(bool on_group) {
    if (left_ == 0)
      choose();
    left_--;
    if (kind_ == DATA)
      return {(uint8_t)random_.next(), false};
    if (kind_ == CONTROLS)
      return {code(), true};
    if (kind_ == NOISE) {
      if (!random_.one_in(on_group ? 1 + density_ / 8 : density_))
        return {random_.one_in(8) ? (uint8_t)0xFB : (uint8_t)random_.next(), false}; // data that looks like a start
      return {code(), true};
    }
    if (inside_ != 0) {
      inside_--;
      return inside_ == 0 ? Octet{(uint8_t)(random_.one_in(20) ? 0xFE : 0xFD), true} : Octet{(uint8_t)random_.next(), false};
    }
    if (idle_ != 0)
      idle_--;
    if (idle_ != 0 || !on_group)
      return {0x07, true};
    inside_ = random_.one_in(3) ? random_.between(1, 80) : random_.one_in(60) ? random_.between(16300, 16500) : random_.between(60, 1600);
    idle_ = random_.between(1, random_.one_in(10) ? 300 : 20);
    return {0xFB, true};
  }
};

} // namespace tb
