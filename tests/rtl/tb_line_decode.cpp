// SPDX-License-Identifier: Apache-2.0
// line_decode against a decoder that takes one octet after another (line_events.h): any octets, any control bits, word
// numbers of any size, resets in random clocks.
//
//   tb_line_decode [SEED [WORDS]]
#include "tests/rtl/line_events.h"
#include <deque>

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif
static const unsigned OCTETS = 8 * TB_GROUPS;
static const uint64_t LONGEST = 16383;

struct Expected {
  bool known;
  Word word;
  Events e;
  uint64_t number;
};

static Vdut dut;
static uint64_t seen_cuts, seen_merged, seen_over, seen_first, seen_reset;

static void check_word(const Expected &x, uint64_t clock) {
  const Events &e = x.e;
  uint8_t data[64];
  get_octets(dut.word_data, data, OCTETS);
  check(memcmp(data, x.word.data, OCTETS) == 0, "clock %" PRIu64 ": word_data", clock);
  check(dut.word_number == x.number, "clock %" PRIu64 ": word_number %" PRIx64 ", expected %" PRIx64, clock,
        (uint64_t)dut.word_number, x.number);
  check(dut.word_owned == e.owned, "clock %" PRIu64 ": word_owned", clock);
  if (e.owned)
    check(dut.word_first == e.first, "clock %" PRIu64 ": word_first", clock);
  check(dut.word_end == e.end, "clock %" PRIu64 ": word_end", clock);
  if (e.end)
    check(dut.word_end_group * 8u + dut.word_end_octet == e.end_at, "clock %" PRIu64 ": ends at %u.%u", clock,
          dut.word_end_group, dut.word_end_octet);
  check(dut.word_live == e.live, "clock %" PRIu64 ": word_live", clock);
  if (e.live)
    check(dut.word_live_group * 8u == e.live_at, "clock %" PRIu64 ": live group %u", clock, dut.word_live_group);
}

static void check_event(const Expected &x, uint64_t clock) {
  const Events &e = x.e;
  check(dut.ev_number == x.number, "clock %" PRIu64 ": ev_number", clock);
  check(dut.ev_end == e.end && dut.ev_live == e.live && dut.ev_cut == (e.cuts != 0),
        "clock %" PRIu64 ": end %d live %d cut %d, expected %d %d %u", clock, dut.ev_end, dut.ev_live, dut.ev_cut, e.end,
        e.live, e.cuts);
  if (e.end) {
    const uint64_t octets = e.octets > LONGEST ? LONGEST : e.octets;
    check(dut.ev_well == e.well && dut.ev_octets == octets && dut.ev_over == (e.octets > LONGEST),
          "clock %" PRIu64 ": well %d, %u octets, over %d; expected %d, %" PRIu64, clock, dut.ev_well, dut.ev_octets,
          dut.ev_over, e.well, e.octets);
    check(dut.ev_end_position == e.end_at, "clock %" PRIu64 ": ends at %u, expected %" PRIu64, clock,
          (unsigned)dut.ev_end_position, e.end_at);
  }
  if (e.live)
    check(dut.ev_live_group * 8u == e.live_at, "clock %" PRIu64 ": live group %u", clock, dut.ev_live_group);
  if (e.cuts == 0)
    return;
  check(dut.ev_cut_well == (e.cuts == 1 && e.cut_well), "clock %" PRIu64 ": cut_well", clock);
  check(dut.ev_cut_group * 8u == e.cut_at && dut.ev_cut_end_position == e.cut_end_at && dut.ev_cut_octets == e.cut_octets,
        "clock %" PRIu64 ": cut from group %u to %u, %u octets; expected %" PRIu64 " to %" PRIu64 ", %" PRIu64, clock,
        dut.ev_cut_group, (unsigned)dut.ev_cut_end_position, (unsigned)dut.ev_cut_octets, e.cut_at / 8, e.cut_end_at,
        e.cut_octets);
}

static void count(const Events &e) {
  seen_cuts += e.cuts != 0;
  seen_merged += e.cuts > 1;
  seen_over += e.end && e.octets > LONGEST;
  seen_first += e.first;
}

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  const uint64_t words = argc > 2 ? strtoull(argv[2], nullptr, 0) : 1000000;
  const uint64_t number_mask = UINT64_MAX / OCTETS;
  printf("seed %" PRIu64 ", %" PRIu64 " words of %u octets\n", seed, words, OCTETS);
  Random random(seed);
  HostileLine line(seed, OCTETS);
  EventFinder finder(OCTETS);
  std::deque<Expected> pipe; // the words of the last three clocks
  uint64_t number = random.next() & number_mask, reset_left = 4;
  dut.clk = 0;
  dut.eval();
  for (uint64_t clock = 0; clock < words; clock++) {
    Expected now{true, line.next(), {}, number};
    put_octets(dut.line_data, now.word.data, OCTETS);
    put_octets(dut.line_ctrl, reinterpret_cast<const uint8_t *>(&now.word.ctrl), OCTETS / 8);
    dut.word_time = number;
    dut.rst = reset_left != 0;
    dut.eval();
    if (pipe.size() >= 2 && pipe[pipe.size() - 2].known)
      check_word(pipe[pipe.size() - 2], clock);
    if (pipe.size() >= 3) {
      if (pipe.front().known)
        check_event(pipe.front(), clock);
      else
        check(!dut.ev_end && !dut.ev_live && !dut.ev_cut, "clock %" PRIu64 ": an event out of a reset", clock);
      pipe.pop_front();
    }
    if (reset_left != 0) { // drops what is in the pipe
      finder.reset();
      for (Expected &x : pipe)
        x.known = false;
      now.known = false;
      reset_left--;
      seen_reset++;
    } else {
      now.e = finder.word(now.word);
      count(now.e);
      if (random.one_in(20000))
        reset_left = random.between(1, 6);
    }
    pipe.push_back(now);
    tick(dut);
    number = (random.one_in(1000) ? random.next() : number + 1) & number_mask;
  }
  printf("%" PRIu64 " words with cut frames, %" PRIu64 " with several, %" PRIu64 " frames too long, %" PRIu64 " begin with a "
         "word, %" PRIu64 " clocks of reset\n", seen_cuts, seen_merged, seen_over, seen_first, seen_reset);
  check(seen_cuts > words / 100 && seen_over > 10 && seen_first > words / 1000 && seen_reset > 10, "hard cases are missing");
  check(TB_GROUPS == 1 || seen_merged > words / 1000, "no merged frames");
  return finish("line_decode");
}
