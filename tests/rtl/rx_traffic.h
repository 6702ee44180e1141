// SPDX-License-Identifier: Apache-2.0
// Random traffic for the receive side: test frames with every kind of trouble, unexpected frames, broken frames, hostile
// octets.
#pragma once
#include "rx_model.h"

namespace line {

struct Traffic {
  Rng r;
  Config k;
  size_t word;      // octets per word
  uint64_t base;    // word time of word 0
  Encoder e;
  uint64_t skipped = 0;
  std::map<size_t, uint64_t> skips; // word time jumps by 1 + this after the word
  std::map<unsigned, uint64_t> next;
  struct Held {
    Signature s;
    unsigned after;
  };
  std::vector<Held> held;

  Traffic(uint64_t seed, Config config, size_t word_octets)
      : r(seed), k(config), word(word_octets), base(first_word(r, seed, word_octets)) {}

  // Times in turn: any time of the first hour, or where a counter of 48 bits would wrap, or with all high bits set but
  // room for some jumps, or any other time that 64 bits of octet times can express.
  static uint64_t first_word(Rng &r, uint64_t seed, size_t word) {
    const uint64_t room = 1ull << 42, end = UINT64_MAX / word - room;
    switch (seed % 4) {
      case 1: return (1ull << 48) - r.below(20000);
      case 2: return end - r.below(20000);
      case 3: return r.below(end);
      default: return r.below(1ull << 40);
    }
  }

  uint64_t start_groups() const { return (base + e.position() / word + skipped) * (word / 8) + e.position() % word / 8; }

  void gap(size_t octets) { // octets after the terminate character, which is the first of them
    e.idle(octets ? octets - 1 : 0);
    e.align(8);
  }

  void jump(uint64_t words) {
    e.align(word);
    e.idle(3 * word);
    skips[e.position() / word - 2] += words;
    skipped += words;
  }

  std::vector<uint64_t> word_times() const {
    std::vector<uint64_t> times(e.position() / word);
    uint64_t now = base;
    for (size_t w = 0; w < times.size(); w++) {
      times[w] = now++;
      auto s = skips.find(w);
      if (s != skips.end()) now += s->second;
    }
    return times;
  }

  // A whole frame. bad: FCS is complemented. error_at: octet of the frame that is an error character (SIZE_MAX: none).
  void send(Signature s, size_t octets, bool bad = false, size_t error_at = SIZE_MAX, bool end = true) {
    std::vector<uint8_t> f;
    s.time_groups = (start_groups() - s.time_groups) & ((1ull << 40) - 1); // the caller gives the latency
    size_t body = octets < 4 ? 0 : octets - 4;
    const size_t counts_from = k.payload_offset; // if payloads are checked, most count up, and some have one wrong octet
    for (size_t i = 0; i < body; i++) f.push_back(counts_from && i >= counts_from ? i - counts_from : r.next());
    if (counts_from && body && r.chance(60)) f[r.below(body)] ^= r.range(1, 255);
    std::vector<uint8_t> sig = s.pack();
    if (body >= sig.size()) std::copy(sig.begin(), sig.end(), f.end() - sig.size());
    append_fcs(f, bad ? 0xFFFFFFFF : 0);
    f.resize(octets);
    e.start();
    for (size_t i = 0; i < f.size(); i++) e.put(i == error_at ? uint8_t(ERROR) : f[i], i == error_at);
    if (end) e.terminate();
  }

  uint64_t latency_groups() {
    switch (r.below(12)) {
      case 0: return 0;
      case 1: return r.next(); // anything, even negative
      case 2: return k.histogram_base / 8 - r.below(3) + 1;
      case 3: return (k.histogram_base + (1022ull << k.histogram_width_log2)) / 8 - r.below(3) + 1;
      default: return r.below((k.histogram_base + (1100ull << k.histogram_width_log2)) / 8 + 1);
    }
  }

  size_t size(unsigned mode) {
    if (mode == 0) return 64;
    if (mode == 1) return r.range(64, 132);
    switch (r.below(10)) {
      case 0: return k.max_frame_octets;
      case 1: return r.range(k.max_frame_octets - 20, k.max_frame_octets);
      case 2: return 64;
      default: return r.range(64, r.chance(100) ? k.max_frame_octets : 300);
    }
  }

  Signature fresh(unsigned source, unsigned entry) {
    Signature s;
    s.run = k.run_id, s.source = source, s.entry = entry, s.destination = r.below(16); // nobody looks at the last one
    uint64_t &n = next[source * 256 + entry];
    switch (r.below(24)) {
      case 0: n += r.range(1, 3); break;                                   // losses
      case 1: n += r.range(60, 70); break;
      case 2: n += r.chance(20) ? r.below(1ull << 40) : r.below(1000); break;
    }
    s.sequence = n++ & MASK48;
    if (r.chance(60)) { // comes later
      held.push_back({s, unsigned(r.range(1, r.chance(200) ? 90 : 10))});
      s.sequence = n++ & MASK48;
    }
    if (r.chance(60)) { // an earlier one again
      uint64_t back = r.range(1, r.chance(300) ? 140 : 20);
      if (back < n) s.sequence = (n - 1 - back) & MASK48;
    } else if (r.chance(10)) {
      s.sequence = r.chance(500) ? (n + MASK48 - r.below(80)) & MASK48 : (n + (1ull << 47) + r.below(4) - 1) & MASK48;
    } else if (r.chance(2)) {
      s.sequence = r.next() & MASK48;
    }
    return s;
  }

  void test_frame(unsigned mode, unsigned source, unsigned entry) {
    Signature s = fresh(source, entry);
    for (size_t i = 0; i < held.size(); i++)
      if (!held[i].after--) {
        s = held[i].s;
        held.erase(held.begin() + i);
        break;
      }
    s.tag = r.chance(mode == 1 ? 300 : 5);
    s.octets = size(mode);
    s.time_groups = latency_groups();
    size_t octets = s.octets;
    bool bad = r.chance(15);
    switch (r.below(120)) {
      case 0: s.magic ^= 1u << r.below(16); break;
      case 1: s.run ^= 1u << r.below(8); break;
      case 2: s.octets ^= 1u << r.below(14); break;
      case 3: s.entry = r.below(256); break; // expected or not
      case 4: s.source = r.below(16); break;
      case 5: octets = r.below(66); break;
      case 6: octets = k.max_frame_octets + r.range(1, 5); break;
      case 7: send(s, octets, bad, r.below(octets)); return;
      case 8: send(s, octets, bad, SIZE_MAX, false); e.align(8); return; // the next start falls inside it, or idle ends it
    }
    send(s, octets, bad);
  }

  void stretch() { // some dozens of frames of one kind
    unsigned mode = r.below(3), n = r.range(5, 60), least = r.chance(300) ? 1 : r.range(5, 12);
    bool one = r.chance(400), wide = r.chance(100);
    unsigned source = r.below(k.ports), entry = r.below(6);
    if (r.chance(100)) {
      garbage(e, r, r.range(1, 2000));
      return;
    }
    if (r.chance(60)) jump(r.chance(50) ? 1ull << 38 : r.below(1 << 20));
    for (unsigned i = 0; i < n; i++) {
      if (!one) source = r.below(k.ports), entry = wide ? r.below(256) : r.below(6);
      test_frame(mode, source, entry);
      if (r.chance(4)) { // a control character ends whatever is open, then nothing for a while
        e.put(IDLE, true);
        e.align(8);
      }
      gap(r.chance(30) ? r.below(600) : least + r.below(8));
    }
  }

  void monster(size_t octets) { // longer than any length field
    Signature s;
    send(s, octets);
    gap(12);
  }
};

} // namespace line
