// SPDX-License-Identifier: Apache-2.0
// line_count against sums over the events of hostile lines (line_events.h): every counter in every clock, gaps from 1
// octet to years, clears in random clocks, times of all 64 bits.
//
//   tb_line_count [SEED [WORDS]]
#include "tests/rtl/line_events.h"
#include <deque>

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif
static const unsigned OCTETS = 8 * TB_GROUPS;
static const uint64_t LONGEST = 16383, LARGEST_GAP = (1ull << 40) - 1;

struct Counts {
  uint64_t frames = 0, octets = 0, first = 0, last = 0;
  uint64_t gaps = 0, min = LARGEST_GAP, max = 0, sum = 0, shorts = 0;
  bool gap_now = false; // the word has a measured gap:
  uint64_t gap = 0;
};

class Model {
public:
  Counts counts;
  uint64_t short_gap_octets = 0;

  void clear() { counts = Counts(), started_ = ended_ = false; }

  void word(const Events &e, uint64_t base_ot) {
    counts.gap_now = false;
    if (e.end)
      end(base_ot + e.end_at, e.well, e.octets > LONGEST ? LONGEST : e.octets);
    if (e.cuts != 0)
      start(base_ot + e.cut_at, true);
    if (e.cuts != 0)
      end(base_ot + e.cut_end_at, e.cuts == 1 && e.cut_well, e.cut_octets);
    if (e.live)
      start(base_ot + e.live_at, e.cuts == 0);
  }

private:
  bool started_ = false, ended_ = false;
  uint64_t ended_ot_ = 0;

  void end(uint64_t ot, bool well, uint64_t octets) {
    ended_ = true;
    ended_ot_ = ot;
    counts.frames += well;
    counts.octets += well ? octets : 0;
  }
  // A gap of 0 is none: the start ended the frame before.
  void start(uint64_t ot, bool measured) {
    if (!started_)
      counts.first = ot;
    started_ = true;
    counts.last = ot;
    if (!measured || !ended_ || ot == ended_ot_)
      return;
    counts.gap_now = true;
    counts.gap = ot - ended_ot_;
    const uint64_t gap = counts.gap > LARGEST_GAP ? LARGEST_GAP : counts.gap;
    counts.gaps++;
    counts.sum += gap;
    counts.min = gap < counts.min ? gap : counts.min;
    counts.max = gap > counts.max ? gap : counts.max;
    counts.shorts += gap < short_gap_octets;
  }
};

static Vdut dut;

static void same(const char *name, uint64_t is, uint64_t should, uint64_t clock) {
  check(is == should, "clock %" PRIu64 ": %s is %" PRIx64 ", should be %" PRIx64, clock, name, is, should);
}

static void drive(const Events &e, uint64_t number) {
  dut.ev_number = number;
  dut.ev_end = e.end, dut.ev_live = e.live, dut.ev_cut = e.cuts != 0;
  if (e.end)
    dut.ev_well = e.well, dut.ev_octets = e.octets > LONGEST ? LONGEST : e.octets, dut.ev_end_position = e.end_at;
  if (e.live)
    dut.ev_live_group = e.live_at / 8;
  if (e.cuts != 0) {
    dut.ev_cut_well = e.cuts == 1 && e.cut_well, dut.ev_cut_group = e.cut_at / 8;
    dut.ev_cut_octets = e.cut_octets, dut.ev_cut_end_position = e.cut_end_at;
  }
}

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  const uint64_t words = argc > 2 ? strtoull(argv[2], nullptr, 0) : 1000000;
  printf("seed %" PRIu64 ", %" PRIu64 " words of %u octets\n", seed, words, OCTETS);
  Random random(seed);
  HostileLine line(seed, OCTETS);
  EventFinder finder(OCTETS);
  Model model;
  std::deque<Counts> pipe(3); // counts that are shown one, two and three clocks after the event
  uint64_t number = random.next() / OCTETS, clear_left = 0, most_gaps = 0, huge = 0, clears = 0;
  dut.clear = 0;
  reset(dut);
  for (uint64_t clock = 0; clock < words; clock++) {
    const Events e = finder.word(line.next());
    drive(e, number);
    if (clear_left == 0 && random.one_in(50000))
      clear_left = random.between(1, 40), clears++;
    dut.clear = clear_left != 0;
    dut.short_gap_octets = model.short_gap_octets;
    dut.eval();
    const Counts &soon = pipe[2], &now = pipe[0];
    same("gap", dut.gap, soon.gap_now, clock);
    if (soon.gap_now)
      same("gap_octets", dut.gap_octets, soon.gap, clock);
    same("first_time", dut.first_time, soon.first, clock), same("last_time", dut.last_time, soon.last, clock);
    same("frames", dut.frames, now.frames, clock), same("octets", dut.octets, now.octets, clock);
    same("gaps", dut.gaps, now.gaps, clock), same("gap_sum_octets", dut.gap_sum_octets, now.sum, clock);
    same("gap_min_octets", dut.gap_min_octets, now.min == LARGEST_GAP ? UINT64_MAX : now.min, clock);
    same("gap_max_octets", dut.gap_max_octets, now.max, clock), same("short_gaps", dut.short_gaps, now.shorts, clock);
    if (dut.clear) {
      clear_left--;
      model.clear();
      model.short_gap_octets = random.below(random.one_in(2) ? 20 : 65536);
      pipe.assign(3, Counts());
    } else {
      model.word(e, number * OCTETS);
      pipe.pop_front();
      pipe.push_back(model.counts);
      most_gaps = model.counts.gaps > most_gaps ? model.counts.gaps : most_gaps;
      huge += model.counts.gap_now && model.counts.gap > LARGEST_GAP;
    }
    tick(dut);
    // Time goes on word by word, or jumps ahead, also by one bit of any weight.
    const unsigned shift = (unsigned)random.below(64);
    const uint64_t jump = !random.one_in(300) ? 0 : random.one_in(2) ? 1ull << shift : random.next() >> shift;
    number = (number + 1 + jump / OCTETS) & (UINT64_MAX / OCTETS);
  }
  printf("%" PRIu64 " gaps between two clears, %" PRIu64 " beyond 2^40 octets, %" PRIu64 " clears\n", most_gaps, huge, clears);
  check(most_gaps > 1000 && huge > 10 && clears > words / 100000, "hard cases are missing");
  return finish("line_count");
}
