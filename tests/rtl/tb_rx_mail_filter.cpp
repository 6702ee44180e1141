// SPDX-License-Identifier: Apache-2.0
// rx_mail_filter against rules that are applied to whole frames: to every kind of address, of listed and other types, tagged
// or not, with and without a signature (to which the filter is blind), of any length at any place of the word, broken, cut,
// back to back; under every filter, at first one that stays, then one that changes while frames come, also to 0.
#include "Vdut.h"
#include "rx_model.h"
#include "tb.h"
#include <array>

using namespace line;

namespace {

constexpr size_t WORD = sizeof(std::declval<Vdut>().word_data);
constexpr uint64_t WAIT = 13;     // clocks from a frame's last word to `wanted`, as it is built
constexpr size_t LEAST_OCTETS = 64; // length of a frame that can be good; of others it may say what it likes

// ---- the rules, as docs/registers.md has them

struct Filter {
  unsigned bits = 0;
  std::array<uint8_t, 6> address{};
  std::array<unsigned, 4> types{};
};

enum Kind { OWN, BROADCAST, GROUP, OTHER, KINDS };

Kind kind_of(const Filter &f, const std::vector<uint8_t> &frame) {
  static const uint8_t all[6] = {255, 255, 255, 255, 255, 255};
  if (!memcmp(frame.data(), all, 6)) return BROADCAST;
  if (frame[0] % 2) return GROUP;
  return memcmp(frame.data(), f.address.data(), 6) ? OTHER : OWN;
}

bool listed(const Filter &f, const std::vector<uint8_t> &frame) {
  const unsigned type = frame[12] * 256u + frame[13];
  for (unsigned t : f.types)
    if (t && t == type) return true;
  return false;
}

bool wants(const Filter &f, const std::vector<uint8_t> &frame) {
  if (!(f.bits & 16) && !listed(f, frame)) return false;
  if (f.bits & 8) return true;
  // The host may have given a group as its own address.
  if (f.bits & 1 && !memcmp(frame.data(), f.address.data(), 6)) return true;
  const Kind kind = kind_of(f, frame);
  return (f.bits & 2 && kind == BROADCAST) || (f.bits & 4 && kind == GROUP);
}

// ---- what is on the line

struct Line {
  Rng r;
  Encoder e;
  Filter base; // has the addresses and types that frames have
  explicit Line(uint64_t seed) : r(seed) {
    for (auto &octet : base.address) octet = r.next();
    if (!r.chance(100)) base.address[0] &= 0xFE;
    base.types = {0x0806, 0x88CC, unsigned(r.range(1, 65535)), r.chance(500) ? 0x8100u : 0u};
  }
  void destination(uint8_t *to) {
    const unsigned kind = r.below(KINDS);
    for (int i = 0; i < 6; i++) to[i] = kind == OWN ? base.address[i] : kind == BROADCAST ? 255 : r.next();
    if (kind == GROUP) to[0] |= 1;
    if (kind == OTHER) to[0] &= 0xFE;
    if (r.chance(200)) to[r.below(6)] ^= 1 << r.below(8); // but for one bit
  }
  std::vector<uint8_t> contents(size_t octets) {
    std::vector<uint8_t> f(octets + 14);
    for (auto &octet : f) octet = r.next();
    destination(f.data());
    unsigned type = r.chance(150) ? 0 : r.chance(700) ? base.types[r.below(4)] : r.next() & 0xFFFF;
    if (r.chance(100)) type ^= 1 << r.below(16);
    if (r.chance(50)) type = type >> 8 | (type & 255) << 8;
    size_t at = 12;
    for (unsigned tags = r.chance(200) ? r.range(1, 2) : 0; tags > 0; tags--) { // then a listed type stands where nobody looks
      f[at] = tags == 1 ? 0x81 : 0x88, f[at + 1] = tags == 1 ? 0x00 : 0xA8;
      at += 4;
    }
    f[at] = type >> 8, f[at + 1] = type;
    f.resize(octets);
    if (octets >= 64 && r.chance(500)) {
      Signature s;
      s.sequence = r.next() & MASK48, s.octets = octets;
      const std::vector<uint8_t> packed = s.pack();
      std::copy(packed.begin(), packed.end(), f.end() - 4 - packed.size());
    }
    return f;
  }
  void frame(size_t octets) {
    const std::vector<uint8_t> f = contents(octets);
    const size_t error = r.chance(20) ? r.below(octets + 1) : SIZE_MAX, cut = r.chance(30) ? r.below(octets + 1) : SIZE_MAX;
    e.start();
    for (size_t i = 0; i < octets && i != cut; i++) e.put(i == error ? uint8_t(ERROR) : f[i], i == error);
    if (cut == SIZE_MAX || r.chance(500)) e.terminate(); // else the next start falls inside it
    e.idle(cut != SIZE_MAX ? 0 : r.chance(800) ? r.range(4, 11) : r.below(200));
    e.align(8);
  }
  void make(size_t frames) {
    e.idle(4 * WORD);
    e.align(WORD);
    while (frames--) {
      if (r.chance(4)) garbage(e, r, r.range(1, 400));
      if (r.chance(20)) frame(r.below(64));
      if (r.chance(30)) e.align(WORD), e.idle(8 * r.below(WORD / 8)); // where the encoder would not have put it
      frame(r.chance(800) ? r.range(64, 140) : r.range(64, 1600));
    }
    e.align(WORD);
    e.idle((WAIT + 4) * WORD);
  }
  // The filter of every clock.
  std::vector<Filter> filters(size_t clocks, unsigned bits, bool changing) {
    base.bits = bits;
    std::vector<Filter> all(clocks, base);
    for (size_t c = 0; changing && c < clocks;) {
      Filter f = base;
      if (r.chance(300)) f.bits = r.below(32);
      if (r.chance(150)) f.bits = 0;
      if (r.chance(200)) f.types[r.below(4)] = r.below(2) * 0x0806;
      if (r.chance(200)) f.address[r.below(6)] ^= 1 << r.below(8);
      for (size_t n = r.range(1, f.bits ? 40 : 4); n > 0 && c < clocks; n--) all[c++] = f;
    }
    return all;
  }
};

// ---- what was met; a run that did not meet the hard cases proves nothing

struct Met {
  uint64_t wanted[KINDS] = {}, unwanted[KINDS] = {};
  uint64_t by_type = 0, unlisted = 0, tagged = 0, ceased = 0, signature[2] = {}, begun_while_off = 0, cleared = 0;
} met;

void count(const Filter &f, const std::vector<uint8_t> &o, bool wanted) {
  const Kind kind = kind_of(f, o);
  (wanted ? met.wanted : met.unwanted)[kind]++;
  met.by_type += wanted && !(f.bits & 16);
  met.unlisted += !wanted && f.bits & 8;
  met.tagged += wanted && o[12] == 0x81 && o[13] == 0;
  met.signature[1] += wanted && o[o.size() - 22] == Signature().pack()[0] && o[o.size() - 21] == Signature().pack()[1];
  met.signature[0] += wanted;
}

struct Bench {
  std::unique_ptr<Vdut> d{new Vdut};
  Line l;
  std::vector<Filter> filter;
  std::vector<Found> found;
  std::vector<int> wanted; // verdicts by clock: 0, 1, or 2 where it may be either
  size_t at = 0, off_until = 0; // the clock after the last in which nothing was followed, by a reset
  explicit Bench(uint64_t seed) : l(seed) {}

  bool on(uint64_t clock) const { return filter[clock].bits != 0; }
  bool followed(const Found &f, uint64_t clock) const { // it began while the filter was not 0, which it has not been since
    if (f.start / WORD < off_until) return false;
    for (uint64_t c = f.start / WORD; c <= clock; c++)
      if (!on(c)) return false;
    return true;
  }

  void drive(uint64_t clock, const Found *owner, const Found *live) {
    const Filter &f = filter[clock];
    d->filter = f.bits, d->address = 0, d->types = 0;
    for (int i = 5; i >= 0; i--) d->address = d->address << 8 | f.address[i];
    for (int i = 3; i >= 0; i--) d->types = d->types << 16 | f.types[i];
    uint8_t data[WORD];
    for (size_t i = 0; i < WORD; i++) data[i] = l.e.octets[clock * WORD + i].data;
    memcpy(&d->word_data, data, WORD);
    d->word_owned = owner != nullptr;
    d->word_end = owner && owner->end / WORD == clock;
    d->word_live = live != nullptr;
    d->word_live_group = live ? live->start % WORD / 8 : l.r.below(WORD / 8);
  }

  // A frame has ended in this word: what is to be said of it.
  void ended(const Found &f, uint64_t clock) {
    int &says = wanted[clock + WAIT];
    const bool whole = followed(f, clock);
    if (!whole) {
      met.ceased += f.start / WORD >= off_until && on(f.start / WORD);
      met.begun_while_off += !on(f.start / WORD);
      return;
    }
    says = 2;
    if (f.octets.size() < LEAST_OCTETS) return;
    // The setting in the clock after the word with octets 8 to 15 decides.
    const Filter &then = filter[(f.start + 16) / WORD + 1];
    says = wants(then, f.octets);
    count(then, f.octets, says);
  }

  void check(uint64_t clock, const Found *owner, const Found *live) {
    const bool whole = owner && followed(*owner, clock);
    tb::check(d->whole == whole, "clock %" PRIu64 ": whole is %d", clock, d->whole);
    tb::check(d->words == (whole || (live && on(clock))), "clock %" PRIu64 ": words is %d", clock, d->words);
    if (wanted[clock] != 2) tb::check(d->wanted == wanted[clock], "clock %" PRIu64 ": wanted is %d", clock, d->wanted);
  }

  void run(unsigned bits, bool changing, size_t frames) {
    l.make(frames);
    found = read(l.e.octets, WORD);
    const size_t words = l.e.position() / WORD;
    filter = l.filters(words + 4, bits, changing);
    wanted.assign(words + WAIT + 1, 0);
    d->word_owned = d->word_end = d->word_live = 0, d->filter = 0;
    tb::reset(*d, 20);
    for (uint64_t clock = 0; clock < words; clock++) {
      while (at < found.size() && found[at].end / WORD < clock) at++;
      const Found *owner = nullptr, *live = nullptr;
      for (size_t i = at; i < found.size() && i < at + 6; i++) {
        if (found[i].start / WORD < clock) owner = &found[i];
        if (found[i].start / WORD == clock && found[i].end / WORD > clock) live = &found[i];
      }
      drive(clock, owner, live);
      d->rst = changing && l.r.chance(1);
      if (owner && d->word_end) ended(*owner, clock);
      d->eval();
      check(clock, owner, live);
      if (d->rst) { // frames on their way are lost, too
        off_until = clock + 1;
        for (uint64_t c = clock + 1; c <= clock + WAIT; c++) wanted[c] = 0;
        met.cleared++;
      }
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
  const size_t frames = argc > 2 ? strtoull(argv[2], nullptr, 0) : 1000;
  printf("seed %" PRIu64 "\n", seed);
  for (unsigned bits = 0; bits < 32; bits++)
    for (bool changing : {false, true}) {
      Bench b(seed * 64 + bits * 2 + changing);
      b.run(bits, changing, frames);
      if (tb::failures()) fprintf(stderr, "seed %" PRIu64 ", filter %u%s\n", seed, bits, changing ? " and others" : ""), exit(1);
    }
  static const char *const kind[KINDS] = {"to the own address", "to all", "to a group", "to another address"};
  for (int k = 0; k < KINDS; k++) {
    printf("%s: ", kind[k]), least("wanted", met.wanted[k], frames);
    printf("%s: ", kind[k]), least("not wanted", met.unwanted[k], frames);
  }
  least("wanted for their type", met.by_type, frames);
  least("to anyone, not wanted for their type", met.unlisted, frames);
  least("wanted with a tag", met.tagged, frames / 4);
  least("wanted with a signature", met.signature[1], frames);
  least("wanted at all", met.signature[0], met.signature[1] + frames);
  least("while which the filter was 0 or there was a reset", met.ceased, frames / 10);
  least("begun while the filter was 0", met.begun_while_off, frames / 10);
  least("resets", met.cleared, 20);
  return tb::finish("rx_mail_filter");
}
