// SPDX-License-Identifier: Apache-2.0
// rx_pause against IEEE 802.3 annex 31B applied to whole frames: pause frames of any quanta, and frames that are none by one
// bit of address, type or opcode, by a wrong FCS or by when they began; of any length at any place of the word, broken, cut,
// back to back; while the port obeys, and while that changes. Arguments: seed, frames of a run.
#include "Vdut.h"
#include "rx_model.h"
#include "tb.h"

using namespace line;

namespace {

constexpr size_t WORD = sizeof(std::declval<Vdut>().word_data);
constexpr uint64_t RECORD = 6, VALID = 7; // clocks from a frame's last word to the record of mac_rx, and to `valid`
constexpr size_t LEAST_OCTETS = 64;       // a shorter frame has no right record
constexpr uint8_t HEAD[6] = {0x01, 0x80, 0xC2, 0x00, 0x00, 0x01}, TYPE[4] = {0x88, 0x08, 0x00, 0x01};

struct Met {
  uint64_t pauses = 0, resumes = 0, one_bit = 0, wrong = 0, off = 0, cleared = 0;
} met;

struct Bench {
  std::unique_ptr<Vdut> d{new Vdut};
  Rng r;
  Encoder e;
  std::vector<Found> found;
  std::vector<int> record, quanta; // values by clock: 0, 1 right, 2 wrong; -1 or the quanta of a pause
  std::vector<bool> on;
  size_t at = 0;
  uint64_t frames = 0, resumes = 0;
  explicit Bench(uint64_t seed) : r(seed) {}

  void frame(size_t octets) {
    std::vector<uint8_t> f(std::max<size_t>(octets, 18));
    for (auto &octet : f) octet = r.next();
    if (!r.chance(200)) memcpy(f.data(), HEAD, 6);
    if (!r.chance(100)) memcpy(f.data() + 12, TYPE, 4);
    if (r.chance(150)) f[r.chance(500) ? r.below(6) : 12 + r.below(4)] ^= 1 << r.below(8);
    if (r.chance(300)) f[16] = f[17] = 0;
    const size_t error = r.chance(20) ? r.below(octets + 1) : SIZE_MAX, cut = r.chance(30) ? r.below(octets + 1) : SIZE_MAX;
    e.start();
    for (size_t i = 0; i < octets && i != cut; i++) e.put(i == error ? uint8_t(ERROR) : f[i], i == error);
    if (cut == SIZE_MAX || r.chance(500)) e.terminate();
    e.idle(cut != SIZE_MAX ? 0 : r.chance(800) ? r.range(4, 11) : r.below(200));
    e.align(8);
  }
  void make(size_t count) {
    e.idle(4 * WORD), e.align(WORD);
    while (count--) {
      if (r.chance(4)) garbage(e, r, r.range(1, 400));
      if (r.chance(20)) frame(r.below(64));
      if (r.chance(30)) e.align(WORD), e.idle(8 * r.below(WORD / 8));
      frame(r.chance(700) ? 64 : r.range(64, r.chance(800) ? 140 : 1600));
    }
    e.align(WORD), e.idle((VALID + 4) * WORD);
  }

  static bool is_pause(const std::vector<uint8_t> &f) { return !memcmp(f.data(), HEAD, 6) && !memcmp(f.data() + 12, TYPE, 4); }

  void ended(const Found &f, uint64_t clock) {
    const bool right = f.octets.size() >= LEAST_OCTETS && !r.chance(150);
    record[clock + RECORD] = right ? 1 : 2;
    if (f.octets.size() < LEAST_OCTETS) return;
    bool followed = true;
    for (uint64_t c = f.start / WORD; c <= clock; c++) followed = followed && on[c];
    const bool pause = is_pause(f.octets);
    met.one_bit += right && followed && !pause && !memcmp(f.octets.data() + 12, TYPE, 3);
    met.wrong += pause && followed && !right, met.off += pause && right && !followed;
    if (pause && right && followed) quanta[clock + VALID] = f.octets[16] << 8 | f.octets[17];
  }

  void run(bool changing, size_t count) {
    make(count);
    found = read(e.octets, WORD);
    const size_t words = e.position() / WORD;
    record.assign(words + VALID + 1, 0), quanta.assign(words + VALID + 1, -1), on.assign(words + 1, true);
    for (size_t c = 0; changing && c < words;) {
      const bool state = !r.chance(300);
      for (size_t n = r.range(1, state ? 300 : 6); n > 0 && c < words; n--) on[c++] = state;
    }
    d->word_owned = d->word_end = d->word_live = d->frame_valid = d->clear = d->on = 0;
    tb::reset(*d, 20);
    for (uint64_t clock = 0; clock < words; clock++) {
      while (at < found.size() && found[at].end / WORD < clock) at++;
      const Found *owner = nullptr, *live = nullptr;
      for (size_t i = at; i < found.size() && i < at + 6; i++) {
        if (found[i].start / WORD < clock) owner = &found[i];
        if (found[i].start / WORD == clock && found[i].end / WORD > clock) live = &found[i];
      }
      uint8_t data[WORD];
      for (size_t i = 0; i < WORD; i++) data[i] = e.octets[clock * WORD + i].data;
      memcpy(&d->word_data, data, WORD);
      d->word_owned = owner != nullptr, d->word_end = owner && owner->end / WORD == clock;
      d->word_live = live != nullptr, d->word_live_group = live ? live->start % WORD / 8 : r.below(WORD / 8);
      d->on = on[clock], d->clear = r.chance(2);
      d->frame_valid = record[clock] != 0, d->frame_right = record[clock] == 1;
      if (owner && d->word_end) ended(*owner, clock);
      d->eval();
      const bool valid = quanta[clock] >= 0;
      tb::check(d->valid == valid, "clock %" PRIu64 ": valid is %d", clock, d->valid);
      if (valid && d->valid) tb::check(d->quanta == quanta[clock], "clock %" PRIu64 ": %u quanta", clock, d->quanta);
      tb::check(d->frames == frames && d->resume_frames == resumes, "clock %" PRIu64 ": counts", clock);
      frames = d->clear ? 0 : frames + (valid && on[clock]);
      resumes = d->clear ? 0 : resumes + (valid && on[clock] && quanta[clock] == 0);
      met.pauses += valid && quanta[clock] > 0, met.resumes += quanta[clock] == 0, met.cleared += d->clear;
      tb::tick(*d);
    }
  }
};

void least(const char *what, uint64_t times, uint64_t should) {
  printf("%s: %" PRIu64 "\n", what, times);
  tb::check(times >= should, "%s: %" PRIu64 ", should be %" PRIu64 " at least", what, times, should);
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  const size_t frames = argc > 2 ? strtoull(argv[2], nullptr, 0) : 4000;
  printf("seed %" PRIu64 "\n", seed);
  for (unsigned i = 0; i < 8; i++) {
    Bench b(seed * 8 + i);
    b.run(i % 2, frames);
    if (tb::failures()) fprintf(stderr, "seed %" PRIu64 ", run %u\n", seed, i), exit(1);
  }
  least("pauses", met.pauses, frames);
  least("of 0 quanta", met.resumes, frames / 4);
  least("none by a bit or by the opcode", met.one_bit, frames / 4);
  least("none by its FCS", met.wrong, frames / 4);
  least("while the port did not obey", met.off, frames / 100);
  least("clears", met.cleared, 5);
  return tb::finish("rx_pause");
}
