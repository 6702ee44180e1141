// SPDX-License-Identifier: Apache-2.0
// Frames on words by the a_/b_ rules of crc32.v: what tx_build gives and mac_tx takes. Written from the rules, not from
// the RTL.
#pragma once
#include "tests/rtl/tb.h"
#include <deque>
#include <vector>

namespace tb {

struct TxWord {
  uint8_t data[64] = {};
  bool preamble = false, a_active = false, a_first = false, a_end = false, a_lone = false, bad_fcs = false,
       bad_end = false, b_active = false;
  unsigned preamble_group = 0, a_octets = 0, b_group = 0;
};

// The words from a first one on; the oldest are taken away.
class TxWords {
public:
  explicit TxWords(unsigned word_octets) : octets_(word_octets) {}

  uint64_t first() const { return first_; }
  TxWord take() {
    TxWord word = at(first_);
    ahead_.pop_front();
    first_++;
    return word;
  }

  // `octets` without FCS; start_ot is the start character's place, in a word that has not been taken.
  void frame(uint64_t start_ot, const std::vector<uint8_t> &octets, bool bad_fcs, bool bad_end) {
    uint64_t begin = start_ot + 8, last = begin + octets.size() - 1;
    TxWord &start = at(start_ot / octets_);
    start.preamble = true;
    start.preamble_group = (unsigned)(start_ot % octets_ / 8);
    bool lone = start_ot / octets_ == last / octets_;
    for (uint64_t o = begin; o <= last; o++)
      at(o / octets_).data[o % octets_] = octets[o - begin];
    for (uint64_t w = begin / octets_; w <= last / octets_; w++) {
      bool owns = w * octets_ >= begin || lone;
      TxWord &word = at(w);
      if (owns) {
        word.a_active = true;
        word.a_first = lone || w * octets_ == begin;
        word.a_lone = lone;
        word.a_end = w == last / octets_;
        word.a_octets = word.a_end ? (unsigned)(last % octets_ + 1) : 0;
        word.bad_fcs = word.a_end && bad_fcs;
        word.bad_end = word.a_end && bad_end;
      } else {
        word.b_active = true;
        word.b_group = (unsigned)(begin % octets_ / 8);
      }
    }
  }

private:
  unsigned octets_;
  std::deque<TxWord> ahead_;
  uint64_t first_ = 0;

  TxWord &at(uint64_t word) {
    while (word >= first_ + ahead_.size())
      ahead_.push_back(TxWord{});
    return ahead_[word - first_];
  }
};

} // namespace tb
