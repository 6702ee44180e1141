// SPDX-License-Identifier: Apache-2.0
// mac_rx: the record of every frame, at every size and alignment, from word descriptors made octet by octet.
#include "Vdut.h"
#include "rx_traffic.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>

using namespace line;

static constexpr size_t WORD = sizeof(std::declval<Vdut>().word_data);
static constexpr uint64_t LATENCY = 6; // clocks from word_* to the record
static unsigned failures;

static bool same(const char *name, uint64_t is, uint64_t should, uint64_t clock) {
  if (is == should) return true;
  if (failures++ < 20)
    fprintf(stderr, "clock %llu: %s is %llu, should be %llu\n", (unsigned long long)clock, name, (unsigned long long)is,
            (unsigned long long)should);
  return false;
}

static const char *verdict(const Found &f, const Config &k) {
  size_t n = f.octets.size();
  if (!f.well) return "code";
  if (n < 64) return "short";
  if (n > k.max_frame_octets) return "long";
  uint32_t sent = 0;
  for (int i = 0; i < 4; i++) sent |= uint32_t(f.octets[n - 4 + i]) << (8 * i);
  return fcs({f.octets.begin(), f.octets.end() - 4}) == sent ? "good" : "fcs";
}

static void check_record(Vdut &d, const Config &k, const Found &f, uint64_t start_time, uint64_t clock) {
  std::string is = d.frame_bad_code ? "code" : d.frame_bad_short ? "short" : d.frame_bad_long ? "long" : d.frame_bad_fcs ? "fcs" : "";
  int flags = d.frame_bad_code + d.frame_bad_short + d.frame_bad_long + d.frame_bad_fcs + d.frame_good;
  same("number of verdicts", flags, 1, clock);
  if (d.frame_good) is = "good";
  const char *should = verdict(f, k);
  if (is != should && failures++ < 20)
    fprintf(stderr, "clock %llu: %zu octets are %s, should be %s\n", (unsigned long long)clock, f.octets.size(), is.c_str(), should);
  same("start", d.frame_start_groups, start_time / 8, clock);
  size_t n = f.octets.size();
  same("octets", d.frame_octets, n > 16383 ? 16383 : n, clock);
  if (n < 22) return;
  for (int i = 0; i < 18; i++) {
    unsigned bit = 8 * (17 - i);
    if (!same("signature octet", d.frame_signature[bit / 32] >> (bit % 32) & 0xFF, f.octets[n - 22 + i], clock)) return;
  }
}

static void every_size_and_alignment(Traffic &t) {
  for (size_t octets = 56; octets < 56 + 2 * 64 + 8; octets++)
    for (size_t group = 0; group < 8; group++) {
      t.e.align(64);
      t.e.idle(8 * group);
      Signature s;
      s.sequence = t.r.next() & MASK48;
      t.send(s, octets, t.r.chance(100));
      t.gap(5);
    }
}

static void run(uint64_t seed) {
  Vdut d;
  Rng r(seed);
  Config k;
  k.max_frame_octets = seed % 2 ? 16383 : 150;
  Traffic t(seed, k, WORD);
  t.e.idle(WORD);
  every_size_and_alignment(t);
  for (size_t octets = 16370; octets < 16400 && seed == 1; octets++) t.monster(octets);
  for (int i = 0; i < 60; i++) t.stretch();
  t.e.align(WORD);
  t.e.idle(12 * WORD);
  std::vector<Found> found = read(t.e.octets, WORD);
  std::vector<uint64_t> time = t.word_times();
  d.max_frame_octets = k.max_frame_octets;
  d.rst = 1, d.eval(), d.clk = 1, d.eval(), d.clk = 0, d.eval(), d.rst = 0;

  struct Record {
    uint64_t clock;
    const Found *f;
  };
  std::deque<Record> records;
  size_t at = 0;
  unsigned good = 0, bad = 0, cut = 0;
  const Found *last_end = nullptr, *last_cut = nullptr; // events of the previous word, because ev_* come a clock later
  for (uint64_t clock = 0; clock < time.size(); clock++) {
    while (at < found.size() && found[at].end / WORD < clock) at++;
    const Found *end = nullptr, *cut_here = nullptr, *live = nullptr, *owner = nullptr;
    for (size_t i = at; i < found.size() && i < at + 4; i++) {
      const Found &f = found[i];
      bool began = f.start / WORD < clock, begins = f.start / WORD == clock, ends = f.end / WORD == clock;
      if (began) owner = &f, end = ends ? &f : end;
      if (begins && ends) cut_here = &f;
      if (begins && !ends) live = &f;
    }
    uint8_t data[WORD];
    for (size_t i = 0; i < WORD; i++) data[i] = t.e.octets[clock * WORD + i].data;
    memcpy(&d.word_data, data, WORD);
    d.word_number = time[clock];
    d.word_owned = owner != nullptr;
    d.word_first = owner && owner->start + 8 == clock * WORD;
    d.word_end = end != nullptr;
    if (end) d.word_end_group = end->end % WORD / 8, d.word_end_octet = end->end % 8;
    d.word_live = live != nullptr;
    if (live) d.word_live_group = live->start % WORD / 8;
    d.ev_end = last_end != nullptr;
    if (last_end) {
      size_t n = last_end->octets.size();
      d.ev_well = last_end->well, d.ev_octets = n > 16383 ? 16383 : n, d.ev_over = n > 16383;
    }
    d.ev_cut = last_cut != nullptr;
    if (last_cut) d.ev_cut_well = last_cut->well;
    last_end = end, last_cut = cut_here;
    if (end || cut_here) records.push_back({clock + LATENCY, end});
    d.eval();
    bool due = !records.empty() && records.front().clock == clock;
    const Found *f = due ? records.front().f : nullptr;
    same("frame_valid", d.frame_valid, f != nullptr, clock);
    if (f && d.frame_valid) {
      check_record(d, k, *f, time[f->start / WORD] * WORD + f->start % WORD, clock);
      good += d.frame_good, bad += !d.frame_good;
    }
    cut += d.cut_valid;
    if (due) records.pop_front();
    d.clk = 1, d.eval(), d.clk = 0, d.eval();
  }
  unsigned cuts = 0;
  for (const Found &f : found) cuts += f.cut;
  same("cut frames", cut, cuts, time.size());
  printf("seed %llu: %u good, %u bad, %u cut\n", (unsigned long long)seed, good, bad, cut);
  if (good < 500 || bad < 100) failures++, fprintf(stderr, "too few frames seen\n");
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1, n = argc > 2 ? strtoull(argv[2], nullptr, 0) : 4;
  for (uint64_t seed = first; seed < first + n && !failures; seed++) run(seed);
  printf(failures ? "FAILED\n" : "passed\n");
  return failures ? 1 : 0;
}
