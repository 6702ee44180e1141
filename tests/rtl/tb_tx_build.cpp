// SPDX-License-Identifier: Apache-2.0
// tx_build against tx_model.h and the rules for frames on words (tx_words.h): every octet and every mark of every word,
// with every length from 54 to 16383 in random order, at every group, with and without signature, at the smallest gaps
// and at larger ones, with bodies of 0 to 31 entries that are longer and shorter than their frames. An argument is
// another seed.
#include "tests/rtl/tx_model.h"
#include "tests/rtl/tx_words.h"

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif
static const unsigned OCTETS = 8 * TB_GROUPS;
static const unsigned LATENCY = 2; // clocks from a frame's input to the word of its start
static const unsigned PORT = 11;

static Vdut dut;
static Random rng(20260107);

struct Frame {
  uint64_t start_ot;
  TxExpected what;
  TxFlow flow;
  uint64_t sequence, time;
};

static void load(const TxSettings &s) {
  dut.cfg_run_id = (uint8_t)s.run_id;
  dut.load = 1;
  tick(dut);
  dut.load = 0;
  dut.cfg_run_id = (uint8_t)rng.next(); // latched at load
}

static void give(const Frame *coming, const Frame *now) {
  dut.coming_valid = coming != nullptr;
  dut.coming_octets = (uint16_t)(coming ? coming->what.octets : rng.below(16384));
  dut.coming_unsigned = coming ? coming->flow.is_unsigned : rng.one_in(2);
  dut.frame_valid = now != nullptr;
  if (!now)
    return;
  dut.frame_group = (uint8_t)(now->start_ot / 8 % TB_GROUPS);
  dut.frame_time = now->time & 0xFFFFFFFFFF;
  dut.frame_tag = now->what.tag;
  dut.frame_bad_fcs = now->what.bad_fcs;
  dut.frame_bad_end = now->flow.bad_end;
  dut.frame_index = (uint8_t)now->what.flow;
  dut.frame_payload = (uint8_t)now->flow.payload;
  dut.frame_body_words = (uint8_t)now->flow.body.size();
  dut.frame_sequence = now->sequence;
  put_octets(dut.frame_header, now->flow.header.data(), 64);
}

// Entries of bodies, each in its clock: those of the last frame, and none of the one before.
class Bodies {
public:
  // One clock; `now` is a frame that begins in it. The entries that come are of the frame before.
  void clock(const Frame *now) {
    const auto *body = frame_ ? &frame_->flow.body : nullptr;
    clocks_++;
    size_t entry = clocks_ * TB_GROUPS / 8 - 1;
    dut.body_valid = body && clocks_ * TB_GROUPS % 8 == 0 && entry < body->size();
    if (dut.body_valid) {
      given++;
      put_octets(dut.body, (*body)[entry].data(), 64);
    } else {
      std::array<uint8_t, 64> noise;
      noise.fill((uint8_t)rng.next());
      put_octets(dut.body, noise.data(), 64);
    }
    if (now) {
      frame_ = now;
      clocks_ = 0;
      given_at_header += dut.body_valid;
    }
  }
  static uint64_t given, given_at_header;

private:
  const Frame *frame_ = nullptr;
  uint64_t clocks_ = 0;
};
uint64_t Bodies::given, Bodies::given_at_header;

static void check_word(uint64_t word, const TxWord &w) {
  uint8_t data[64];
  get_octets(dut.data, data, OCTETS);
  check(memcmp(data, w.data, OCTETS) == 0, "contents of word %" PRIu64, word);
  check(dut.preamble == w.preamble && (!w.preamble || dut.preamble_group == w.preamble_group),
        "preamble in word %" PRIu64, word);
  check(dut.a_active == w.a_active && dut.a_end == w.a_end, "word %" PRIu64 ": active %d, end %d", word, dut.a_active,
        dut.a_end);
  if (w.a_active)
    check(dut.a_first == w.a_first && dut.a_lone == w.a_lone, "first or lone in word %" PRIu64, word);
  if (w.a_end)
    check(dut.a_octets == w.a_octets && dut.a_bad_fcs == w.bad_fcs && dut.a_bad_end == w.bad_end,
          "end in word %" PRIu64, word);
  check(dut.b_active == w.b_active && (!w.b_active || dut.b_group == w.b_group), "B in word %" PRIu64, word);
}

// Bodies: 0: none; 1: of any number of entries; 2: about as long as their frames.
static void make_body(TxFlow &flow, unsigned octets, unsigned bodies) {
  unsigned reached = (octets - 5) / 64; // entries that fall at least partly into the frame
  unsigned words = (unsigned)rng.below(32);
  if (bodies == 0 || (bodies == 1 && rng.one_in(4)))
    words = 0;
  else if (bodies == 2 || rng.one_in(3))
    words = std::min(31u, reached + (reached ? (unsigned)rng.below(3) - 1 : (unsigned)rng.below(2)));
  flow.body.resize(words);
  for (auto &entry : flow.body)
    for (auto &octet : entry)
      octet = (uint8_t)rng.next();
}

static void trial(const TxSettings &s, const std::vector<unsigned> &lengths, unsigned spare_octets, unsigned bodies) {
  load(s);
  std::vector<Frame> frames;
  uint64_t next = OCTETS * 2;
  for (unsigned octets : lengths) {
    Frame f{};
    f.start_ot = next / 8 * 8;
    f.what = {0, rng.one_in(2), rng.one_in(2), (unsigned)rng.below(256), octets, 0, false};
    for (auto &octet : f.flow.header)
      octet = (uint8_t)rng.next();
    f.flow.payload = (unsigned)rng.below(256);
    make_body(f.flow, octets, bodies);
    f.flow.is_unsigned = rng.one_in(3);
    f.flow.bad_end = rng.one_in(3);
    f.sequence = rng.next() >> 16;
    f.time = rng.next() >> 24;
    next += 8 + octets + 11 + (spare_octets ? rng.below(spare_octets) : 0);
    frames.push_back(f);
  }
  TxWords words(OCTETS);
  Bodies entries;
  size_t given = 0, coming = 0;
  for (uint64_t clock = 0; clock < next / OCTETS + 4; clock++) {
    const Frame *now = nullptr, *ahead = nullptr;
    if (given < frames.size() && frames[given].start_ot / OCTETS == clock)
      now = &frames[given++];
    if (coming < frames.size() && frames[coming].start_ot / OCTETS == clock + 1)
      ahead = &frames[coming++];
    give(ahead, now);
    entries.clock(now);
    if (now)
      words.frame(now->start_ot, tx_contents(s, now->what, 8 * now->time, now->flow, PORT, now->sequence),
                  now->what.bad_fcs, now->flow.bad_end);
    tick(dut);
    if (clock + 1 >= LATENCY)
      check_word(words.first(), words.take());
  }
  check(given == frames.size() && !dut.busy, "not done");
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20260107;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.port = (uint8_t)PORT;
  dut.load = dut.coming_valid = dut.frame_valid = dut.body_valid = 0;
  reset(dut);
  for (int i = 0; i < 12; i++) // the window is empty then
    tick(dut);
  std::vector<unsigned> lengths;
  for (unsigned octets = 54; octets <= 16383; octets += octets < 1000 || TB_GROUPS == 8 ? 1 : 11)
    lengths.push_back(octets);
  for (size_t i = lengths.size() - 1; i > 0; i--)
    std::swap(lengths[i], lengths[rng.below(i + 1)]);
  TxSettings s;
  s.run_id = 0xA5;
  trial(s, lengths, 0, 0);
  trial(s, lengths, 0, 1);
  for (int i = 0; i < 600; i++) {
    s.run_id = (unsigned)rng.below(256);
    lengths.resize(rng.between(1, 200));
    unsigned longest = rng.one_in(4) ? 2200 : 600;
    for (auto &octets : lengths)
      octets = (unsigned)rng.between(54, rng.one_in(9) ? longest : 140);
    trial(s, lengths, rng.one_in(2) ? 0 : (unsigned)rng.between(1, 300), (unsigned)rng.below(3));
  }
  check(Bodies::given > 10000, "%" PRIu64 " body entries", Bodies::given);
  check(TB_GROUPS == 1 || Bodies::given_at_header > 100, "%" PRIu64 " body entries came in the clock of a header",
        Bodies::given_at_header);
  return finish("tx_build");
}
