// SPDX-License-Identifier: Apache-2.0
// rx_mail_ring, small, against a list of frames that have their words to themselves; entries of the ring are counted on without
// end. Frames of one word to more than there is room for, back to back in one word, broken off, kept or not; a host that reads
// any word of the oldest and gives it back soon, late, or although none is shown; clears and resets. An argument is another
// seed.
#include "tests/rtl/tb.h"
#include <algorithm>
#include <deque>
#include <vector>

using namespace tb;

static const uint64_t ENTRIES = 1u << TB_ENTRIES_LOG2, FRAMES = 1u << TB_FRAMES_LOG2;

static Vdut dut;
static Random rng(20261127);
static unsigned met_kept, met_no_entry, met_no_frame, met_shared, met_wrapped, met_left, met_kept_after_clear, met_read;

struct Frame {
  std::vector<uint32_t> words;
  uint32_t group = 0, about = 0;
  uint64_t first = 0; // its first entry
  uint64_t shown = 0; // the clock from which it is seen as the oldest
  bool lost = false;  // a word found no room
  bool over_clear = false;
};

static std::deque<Frame> kept;
static Frame open;
static bool is_open;
static uint64_t now, base; // base: the first entry behind those that are kept
static uint64_t released = ~0ull, low_then; // the clock of the last release, and the lowest entry in use until then
static unsigned long_frames;                // most words that one of these has

static uint64_t lowest()
{
  return !kept.empty() ? kept.front().first : is_open ? open.first : base;
}
// Room comes two clocks after it was given back.
static bool has_room(uint64_t entry)
{
  return entry < (released + 1 == now ? low_then : lowest()) + ENTRIES;
}

// ------------------------------------------------------------------ a word

// Takes a word of a frame that began in an earlier word. Whether its entry is one of a frame that is kept.
static bool take_owned()
{
  const uint64_t entry = open.first + open.words.size();
  open.lost = open.lost || !has_room(entry);
  open.words.push_back(dut.word);
  const bool asked = dut.word_end && dut.keep && !dut.clear, has_place = kept.size() < FRAMES;
  const bool stays = asked && !open.lost && has_place;
  check(dut.kept == stays && dut.overflow == (asked && !stays), "kept %d, overflow %d; expected %d, %d: %zu words, %zu frames",
        dut.kept, dut.overflow, stays, asked && !stays, open.words.size(), kept.size());
  met_no_entry += asked && open.lost, met_no_frame += asked && !open.lost && !has_place;
  met_left += dut.word_end && !asked;
  if (!stays)
    return false;
  met_kept++, met_wrapped += entry / ENTRIES != open.first / ENTRIES, met_kept_after_clear += open.over_clear;
  open.about = dut.about;
  open.shown = now + 2;
  kept.push_back(open);
  base = entry + 1;
  return true;
}

static void take_word()
{
  const bool own = dut.word_owned && is_open;
  const bool stays = own && take_owned();
  if (!own)
    check(!dut.kept && !dut.overflow, "kept %d, overflow %d without a frame", dut.kept, dut.overflow);
  if (own && !dut.word_end)
    return;
  is_open = dut.word_live;
  if (!is_open)
    return;
  const bool room = stays || kept.empty() || has_room(base);
  met_shared += stays;
  open = Frame();
  open.first = stays ? base - 1 : base;
  open.words = {dut.word};
  open.group = dut.word_live_group;
  open.lost = !room;
}

// Puts words as they are on a line: a frame goes on to its end, or breaks off. One that began unseen may be owned too.
static void put_word(bool busy)
{
  static unsigned rest; // words of the frame in progress
  dut.word_valid = busy;
  dut.word = (uint32_t)rng.next();
  dut.about = (uint32_t)rng.next();
  dut.word_owned = dut.word_end = dut.word_live = dut.keep = 0;
  dut.word_live_group = (CData)rng.below(8);
  if (!busy)
    return;
  if (rest == 0 && rng.one_in(6))
    rest = (unsigned)rng.between(1, 3); // unseen
  if (rest > 0 && !rng.one_in(50)) {
    dut.word_owned = 1;
    dut.word_end = --rest == 0;
    dut.keep = dut.word_end && !rng.one_in(5);
  } else {
    rest = 0;
  }
  if (rest == 0 && !rng.one_in(3)) {
    dut.word_live = 1;
    rest = (unsigned)rng.between(1, long_frames);
  }
}

// ------------------------------------------------------------------ a clock

static void give_back(size_t count)
{
  low_then = lowest();
  released = now;
  kept.erase(kept.begin(), kept.begin() + (long)count);
  if (!kept.empty())
    kept.front().shown = now + 2;
}

static void reset_ring()
{
  dut.word_valid = dut.next = dut.clear = dut.read = 0;
  reset(dut);
  kept.clear();
  is_open = false;
  base = 0;
  released = ~0ull;
  now = 4;
}

static void clock_ring(bool busy, unsigned patience)
{
  const bool there = !kept.empty() && kept.front().shown <= now;
  put_word(busy);
  dut.clear = rng.one_in(500);
  dut.next = rng.one_in(patience);
  dut.read = rng.one_in(2);
  dut.read_word = (CData)(there ? rng.below(kept.front().words.size()) : rng.below(ENTRIES));
  dut.eval();
  check(dut.there == there, "there %d, expected %d: %zu kept", dut.there, there, kept.size());
  if (there)
    check(dut.there_about == kept.front().about && dut.there_group == kept.front().group, "about %08x in group %u, expected %08x in %u",
          dut.there_about, dut.there_group, kept.front().about, kept.front().group);
  const bool reads = dut.read && there;
  const uint32_t word = reads ? kept.front().words[dut.read_word] : 0;
  if (dut.word_valid)
    take_word();
  else
    check(!dut.kept && !dut.overflow, "kept %d, overflow %d without a word", dut.kept, dut.overflow);
  if (dut.clear) {
    give_back(kept.size());
    open.over_clear = true;
  } else if (dut.next && there) {
    give_back(1);
  }
  tick(dut);
  now++;
  if (reads)
    check(dut.read_value == word, "word %u is %08x, expected %08x", dut.read_word, dut.read_value, word);
  met_read += reads;
}

int main(int argc, char **argv)
{
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20261127;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  for (int trial = 0; trial < 400; trial++) {
    if (rng.one_in(4) || trial == 0)
      reset_ring();
    long_frames = (unsigned)(rng.one_in(2) ? rng.between(1, 3) : rng.between(1, ENTRIES + 4));
    const unsigned busy = rng.one_in(2) ? 1 : (unsigned)rng.between(1, 6); // a word in one of this many clocks
    const unsigned patience = (unsigned)rng.between(1, rng.one_in(2) ? 8 : 200);
    for (unsigned i = 0; i < 1000; i++)
      clock_ring(rng.one_in(busy), patience);
  }
  for (unsigned met : {met_kept, met_no_entry, met_no_frame, met_shared, met_wrapped, met_left, met_read})
    check(met > 1000, "met only %u times", met);
  check(met_kept_after_clear > 20, "frames over a clear that were kept: %u", met_kept_after_clear);
  return finish("rx_mail_ring");
}
