// SPDX-License-Identifier: Apache-2.0
// A host that reads unexpected frames from the receiver, and what it must find: the frames that were counted as foreign and
// pass the filter, in their order, octet for octet, with their times. Which of them had no room is for tb_rx_mail: here the
// receiver is believed.
#pragma once
#include "line_model.h"
#include <deque>

namespace line {

struct MailHost {
  unsigned filter = 0; // filter as the register
  struct Kept {
    const Found *f;
    uint64_t time, shown; // octet time of its start; the clock from which it can be the oldest
  };
  std::deque<Kept> kept;
  uint64_t frames = 0, overflow = 0, read = 0, words_read = 0;
  std::vector<unsigned> words; // words of the oldest, still to be read
  bool asking = false, begun = false, stale = false, there = false;
  unsigned index = 0, rest = 0;
  uint64_t asked = 0;

  bool wants(const Found &f) const { // any type, no address of its own
    const bool broadcast = std::vector<uint8_t>(f.octets.begin(), f.octets.begin() + 6) == std::vector<uint8_t>(6, 0xFF);
    return (filter & 8) || (filter & 2 && broadcast) || (filter & 4 && f.octets[0] & 1 && !broadcast);
  }
  void cleared() {
    kept.clear();
    frames = overflow = 0;
    words.clear();
    begun = false, stale = asking;
  }
  // A good unexpected frame was counted at the end of this clock; the receiver now shows so many without room.
  void counted(const Found &f, uint64_t time, uint64_t clock, uint64_t overflow_now) {
    if (!filter || !wants(f)) return;
    if (overflow_now != overflow) overflow++;
    else frames++, kept.push_back({&f, time, clock + 2});
  }

  template <class Dut> void drive(Dut &d, Rng &r, uint64_t clock) {
    d.mail_next = 0;
    if (asking) return;
    d.mail_req = 0;
    if (rest) {
      rest--;
      return;
    }
    if (begun && words.empty()) {
      d.mail_next = 1;
      begun = false, rest = 2, read++;
      kept.pop_front();
      if (!kept.empty() && kept.front().shown < clock + 2) kept.front().shown = clock + 2;
      return;
    }
    index = begun ? words.back() : 0;
    if (begun) words.pop_back();
    d.mail_req = 1, d.mail_index = index, asking = true, asked = clock;
    rest = r.below(3);
  }

  // Is what it reads right? The first answer about a frame makes it read the rest, or some of a long one.
  template <class Dut, class Same> void check(Dut &d, Rng &r, uint64_t clock, Same same) {
    same("rx_mail_frames", d.rx_mail_frames, frames, clock);
    same("rx_mail_overflow_frames", d.rx_mail_overflow_frames, overflow, clock);
    if (asking && clock == asked + 1) there = !kept.empty() && clock >= kept.front().shown;
    if (!d.mail_ack) return;
    asking = false;
    if (stale) {
      stale = false;
      return;
    }
    same("mail_octets", d.mail_octets, there ? kept.front().f->octets.size() : 0, clock);
    same("mail_time", d.mail_time, there ? kept.front().time : 0, clock);
    if (!there) return;
    const std::vector<uint8_t> &octets = kept.front().f->octets;
    for (unsigned i = 0; i < 4 && 4 * index + i < octets.size(); i++)
      same("octet of a frame", d.mail_data >> (8 * i) & 255, octets[4 * index + i], clock);
    words_read++;
    if (begun) return;
    begun = true;
    const unsigned all = (octets.size() + 3) / 4;
    for (unsigned i = 0; i < (all < 40 ? all : 40); i++) words.push_back(all < 40 ? i : i < 8 ? all - 1 - i : r.below(all));
  }
};

} // namespace line
