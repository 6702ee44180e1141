// SPDX-License-Identifier: Apache-2.0
// crc32 against a bitwise CRC. Built once for the XOR form and once for the table form, both of which must equal the
// same model on every basis vector of data and of state for every span (which proves them equal, because a CRC is
// linear), and on random frames at all alignments, back to back.
#include "tests/rtl/tb.h"
#include <deque>
#include <vector>

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif
static const unsigned GROUPS = TB_GROUPS, OCTETS = 8 * GROUPS;

static Vdut dut;
static uint64_t now; // clocks since the beginning

struct Expected {
  uint64_t clock;
  uint32_t crc;
  unsigned octets;
};
static std::deque<Expected> expected;

struct Word {
  uint8_t data[64];
  bool a_active, a_first, a_end, b_active;
  unsigned a_octets, b_group;
};

static void clock_word(const Word &w) {
  put_octets(dut.data, w.data, OCTETS);
  dut.a_active = w.a_active;
  dut.a_first = w.a_first;
  dut.a_end = w.a_end;
  dut.a_octets = w.a_octets;
  dut.b_active = w.b_active;
  dut.b_group = w.b_group;
  tick(dut);
  now++;
  bool due = !expected.empty() && expected.front().clock == now;
  if (!check(dut.crc_valid == due, "clock %" PRIu64 ": crc_valid %d, expected %d", now, dut.crc_valid, due))
    return;
  if (due) {
    check(dut.crc == expected.front().crc, "clock %" PRIu64 ": crc %08x, expected %08x, last span %u octets", now,
          dut.crc, expected.front().crc, expected.front().octets);
    expected.pop_front();
  }
}

// Words built octet by octet: frames are put on the line, then clocked out.
struct Line {
  Word w{};
  unsigned fill = 0; // octets of this word that are final
  void flush() {
    clock_word(w);
    w = Word{};
    fill = 0;
  }
  void idle_groups(unsigned groups) {
    for (unsigned i = 0; i < groups; i++) {
      fill = (fill + 8) / 8 * 8;
      if (fill >= OCTETS)
        flush();
    }
  }
  // Begins at the next group boundary; at most one frame ends and one begins in a word, as the module requires, and the
  // group before a frame's first octet is its preamble.
  void frame(const std::vector<uint8_t> &f) {
    fill = (fill + 7) / 8 * 8;
    if (fill >= OCTETS)
      flush();
    if (w.a_end)
      fill += 8;
    if (fill >= OCTETS || w.b_active)
      flush();
    if (fill == 0) {
      w.a_active = w.a_first = true;
    } else {
      w.b_active = true;
      w.b_group = fill / 8;
    }
    for (size_t i = 0; i < f.size(); i++) {
      if (fill == OCTETS) {
        flush();
        w.a_active = true;
      }
      w.data[fill++] = f[i];
    }
    bool as_b = w.b_active;
    if (as_b || fill == OCTETS) { // the end is signalled in the next word, as "the last octet was the last of the previous word"
      if (fill != OCTETS)
        abort();
      // If A owns the word, both ways are legal: at random, signal it now.
      if (!as_b && f[0] & 1) {
        w.a_end = true;
        w.a_octets = OCTETS;
        expected.push_back({now + 4, crc32_octets(f.data(), f.size()), w.a_octets});
        return;
      }
      flush();
      w.a_end = true;
      w.a_octets = 0;
      w.a_active = f[0] & 2;
    } else {
      w.a_end = true;
      w.a_octets = fill;
    }
    expected.push_back({now + 4, crc32_octets(f.data(), f.size()), w.a_octets});
  }
};

static void drain(Line &line) {
  for (int i = 0; i < 8; i++)
    line.flush();
  check(expected.empty(), "%zu results never came", expected.size());
}

static void every_basis_vector_of_every_span(Line &line) {
  // A frame of `before` whole words (which sets up every basis vector of the state) and a span of 1 to OCTETS octets.
  for (unsigned span = 1; span <= OCTETS; span++) {
    for (unsigned bit = 0; bit < 8 * (OCTETS + span); bit++) {
      std::vector<uint8_t> f(OCTETS + span);
      f[bit / 8] = (uint8_t)(1u << (bit % 8));
      line.frame(f);
    }
    line.frame(std::vector<uint8_t>(OCTETS + span)); // the preset alone
  }
}

static void frames_of_all_lengths_at_all_groups(Line &line, Random &random) {
  for (unsigned length = 4; length <= 200; length++)
    for (unsigned group = 0; group < GROUPS; group++) {
      line.fill = (line.fill + 7) / 8 * 8;
      while (line.fill % OCTETS / 8 != group)
        line.idle_groups(1);
      if (group && group * 8 + length < OCTETS)
        continue; // would begin and end after group 0 of one word, which the module does not support
      std::vector<uint8_t> f(length);
      for (auto &octet : f)
        octet = (uint8_t)random.next();
      line.frame(f);
    }
}

static void random_frames_back_to_back(Line &line, Random &random) {
  for (int i = 0; i < 20000; i++) {
    std::vector<uint8_t> f(random.one_in(50) ? random.between(OCTETS, 9216) : random.between(OCTETS, 3 * OCTETS));
    for (auto &octet : f)
      octet = (uint8_t)random.next();
    line.frame(f);
    if (random.one_in(3))
      line.idle_groups((unsigned)random.below(2 * GROUPS));
  }
}

int main() {
  Random random(20260101);
  Line line;
  reset(dut);
  every_basis_vector_of_every_span(line);
  frames_of_all_lengths_at_all_groups(line, random);
  random_frames_back_to_back(line, random);
  drain(line);
  return finish("crc32");
}
