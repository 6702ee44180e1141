// SPDX-License-Identifier: Apache-2.0
// rx_payload against a model that reads each frame octet by octet: counting payloads of any length, at any place of the
// word and any offset, with and without one changed octet; frames of anything; an offset that changes while frames come.
#include "Vdut.h"
#include "rx_traffic.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
#include <deque>

using namespace line;

static constexpr size_t WORD = sizeof(std::declval<Vdut>().word_data);
static constexpr uint64_t LATENCY = 6, COMPARE = 2; // clocks from a frame's last word to `bad`; to the use of the offset
static constexpr size_t TAIL = 22;                  // signature and FCS
static unsigned failures;

struct Sent {
  size_t start, changed; // position on the line; the octet that was changed, or SIZE_MAX
};

// A frame whose payload counts from octet `payload` on. In every other frame one octet is changed: any, or one beside
// the ends of the payload.
static Sent send(Traffic &t, size_t octets, size_t payload) {
  Rng &r = t.r;
  std::vector<uint8_t> f;
  for (size_t i = 0; i < octets; i++) f.push_back(i < payload || i + TAIL >= octets ? r.next() : i - payload);
  Sent sent{t.e.position(), SIZE_MAX};
  if (r.chance(500)) {
    const size_t edge = r.chance(500) ? payload : octets - TAIL;
    sent.changed = r.chance(500) ? r.below(octets) : edge + r.below(5) - 2;
    if (sent.changed < octets) f[sent.changed] ^= r.range(1, 255);
  }
  t.e.start();
  for (uint8_t octet : f) t.e.put(octet, false);
  t.e.terminate();
  t.gap(5 + r.below(r.chance(100) ? 200 : 12));
  return sent;
}

static size_t length(Rng &r) {
  if (r.chance(600)) return r.range(64, 200);
  return r.chance(600) ? r.range(64, 1600) : r.chance(300) ? 9216 : r.range(64, 9216);
}

struct Due {
  uint64_t clock;
  bool bad;
};

// Drives word_* in a clock, from the frames that were found on the line.
static void drive(Vdut &d, const Traffic &t, const std::vector<Found> &found, size_t at, uint64_t clock, const Found *&end) {
  const Found *live = nullptr, *owner = nullptr;
  end = nullptr;
  for (size_t i = at; i < found.size() && i < at + 4; i++) {
    const Found &f = found[i];
    const bool began = f.start / WORD < clock, begins = f.start / WORD == clock, ends = f.end / WORD == clock;
    if (began) owner = &f, end = ends ? &f : end;
    if (begins && !ends) live = &f;
  }
  uint8_t data[WORD];
  for (size_t i = 0; i < WORD; i++) data[i] = t.e.octets[clock * WORD + i].data;
  memcpy(&d.word_data, data, WORD);
  d.word_owned = owner != nullptr;
  d.word_end = end != nullptr;
  if (end) d.word_end_group = end->end % WORD / 8, d.word_end_octet = end->end % 8;
  d.word_live = live != nullptr;
  if (live) d.word_live_group = live->start % WORD / 8;
}

// The offset of every clock. Where it is 0, nothing must be found, so it is not 0 for long.
static std::vector<unsigned> offsets(Rng &r, size_t words, unsigned offset, bool changing) {
  std::vector<unsigned> all(words + 8, offset);
  for (size_t w = 0; changing && w < all.size();) {
    const unsigned now = r.chance(250) ? 0 : r.chance(700) ? offset : r.range(1, 16383);
    for (size_t n = r.range(1, now ? 60 : 12); n > 0 && w < all.size(); n--) all[w++] = now;
  }
  return all;
}

static void run(uint64_t seed) {
  Vdut d;
  Rng r(seed);
  Traffic t(seed, Config(), WORD);
  const size_t payload = r.chance(200) ? r.range(1, 14) : r.chance(700) ? 42 : r.range(1, 128);
  const unsigned offset = seed % 8 == 0 ? 0 : unsigned(payload + (r.chance(700) ? 0 : r.below(60)));
  const bool changing = seed % 4 == 3;
  std::map<size_t, Sent> by_start;
  t.e.idle(2 * WORD);
  for (int i = 0; i < 700; i++) {
    if (r.chance(10)) garbage(t.e, r, r.range(1, 300)), t.e.align(8), t.gap(40);
    if (r.chance(30)) { // not where the encoder would put it
      t.e.align(WORD);
      t.e.idle(8 * r.below(8));
    }
    const Sent sent = send(t, length(r), payload);
    by_start[sent.start] = sent;
  }
  t.e.align(WORD);
  t.e.idle(12 * WORD);
  const std::vector<Found> found = read(t.e.octets, WORD);
  const size_t words = t.e.position() / WORD;
  const std::vector<unsigned> offset_of = offsets(r, words, offset, changing);
  d.offset = offset_of[0], d.word_owned = d.word_end = d.word_live = 0;
  d.rst = 1;
  for (int i = 0; i < 8; i++) d.clk = 0, d.eval(), d.clk = 1, d.eval();
  d.clk = 0, d.rst = 0, d.eval();

  std::deque<Due> due;
  size_t at = 0;
  unsigned frames = 0, bad = 0, clean = 0, changed = 0, before = 0;
  for (uint64_t clock = 0; clock < words; clock++) {
    while (at < found.size() && found[at].end / WORD < clock) at++;
    const Found *end;
    d.offset = offset_of[clock];
    drive(d, t, found, at, clock, end);
    if (end && end->octets.size() <= 16383) {
      bool checked = true;
      for (uint64_t c = end->start / WORD; c <= clock; c++) checked = checked && offset_of[c] != 0;
      const unsigned then = offset_of[clock + COMPARE];
      const bool should = checked && then != 0 && miscounts(end->octets, then);
      due.push_back({clock + LATENCY, should});
      frames++, bad += should;
      // The two rules that matter, without the model: one changed octet is always found, and nothing else is.
      const auto sent = by_start.find(end->start);
      if (!changing && offset != 0 && sent != by_start.end() && end->well) {
        const size_t c = sent->second.changed;
        const bool inside = c != SIZE_MAX && c > offset && c + TAIL < end->octets.size();
        if (inside) changed++;
        if (c == SIZE_MAX) clean++;
        if (c != SIZE_MAX && c < offset) before++;
        if ((inside && !should) || ((c == SIZE_MAX || c < offset) && should))
          failures++, fprintf(stderr, "the model is wrong about octet %zu of %zu\n", c, end->octets.size());
      }
    }
    d.eval();
    const bool now = !due.empty() && due.front().clock == clock;
    const bool should = now && due.front().bad;
    if (d.bad != should && failures++ < 20)
      fprintf(stderr, "seed %llu, clock %llu: bad is %d, should be %d (%s)\n", (unsigned long long)seed, (unsigned long long)clock,
              d.bad, should, now ? "a frame" : "no frame");
    if (now) due.pop_front();
    d.clk = 1, d.eval(), d.clk = 0, d.eval();
  }
  if (seed <= 8)
    printf("seed %llu: offset %u%s, payload from %zu: %u frames, %u bad; %u changed, %u clean, %u changed before\n",
           (unsigned long long)seed, offset, changing ? " and others" : "", payload, frames, bad, changed, clean, before);
  if (offset != 0 ? bad < (changing ? 10 : 60) : !changing && bad != 0)
    failures++, fprintf(stderr, "seed %llu: %u bad frames prove nothing\n", (unsigned long long)seed, bad);
  if (offset != 0 && !changing && (changed < 60 || clean < 200)) failures++, fprintf(stderr, "too few of one kind\n");
}

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1, n = argc > 2 ? strtoull(argv[2], nullptr, 0) : 40;
  for (uint64_t seed = first; seed < first + n && !failures; seed++) run(seed);
  printf(failures ? "FAILED\n" : "passed\n");
  return failures ? 1 : 0;
}
