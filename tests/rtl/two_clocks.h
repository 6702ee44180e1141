// SPDX-License-Identifier: Apache-2.0
// Two clocks with any ratio, for testbenches of clock crossings: tells which one rises next. Every edge may have
// jitter.
#pragma once
#include "tests/rtl/tb.h"

namespace tb {

class TwoClocks {
public:
  TwoClocks(uint64_t first_period, uint64_t second_period, uint64_t jitter, uint64_t seed)
      : period_{first_period, second_period}, next_{0, seed % second_period}, jitter_(jitter), random_(seed) {}
  // 0 or 1: the clock whose edge comes next.
  int next() {
    const int which = next_[0] + shake_[0] <= next_[1] + shake_[1] ? 0 : 1;
    next_[which] += period_[which];
    shake_[which] = jitter_ ? random_.below(jitter_) : 0;
    return which;
  }

private:
  uint64_t period_[2], next_[2], shake_[2] = {0, 0}, jitter_;
  Random random_;
};

} // namespace tb
