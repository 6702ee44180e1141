// SPDX-License-Identifier: Apache-2.0
// rx_tcp against frames whose segments are known: IPv4 and IPv6, 0 to 2 tags, every length, every place in a word, options as
// our own and as usual stacks write them, padding. One in some has a wrong octet, a wrong length, another port, is a fragment,
// has an extension header, or is no TCP. What is said of a frame, right or not, follows from how it was made.
#include "Vdut.h"
#include "rx_traffic.h"
#include "tcp_frames.h"
#include "tcp_words.h"
#include <deque>

using namespace line;
using tb::check;
using tcp_frames::Wrapping;

namespace {

constexpr size_t WORD = sizeof(std::declval<Vdut>().word_data);
constexpr uint64_t LATENCY = 6;
constexpr unsigned CONNECTIONS = 64;

struct Truth {
  bool is_segment = false, right = false;
  unsigned connection = 0;
  tcp_segment segment = {};
};

struct Statistics {
  unsigned right = 0, wrong = 0, other = 0, odd = 0, tagged = 0, ipv6 = 0, padded = 0, mss = 0, scale = 0;
} seen;

// Options of a SYN, and what of them is read.
tb::Octets options(tb::Random &r, tcp_segment &s) {
  const uint16_t mss = uint16_t(r.next());
  const uint8_t scale = uint8_t(r.one_in(4) ? r.next() : r.below(15)), high = uint8_t(mss >> 8), low = uint8_t(mss);
  const auto any = [&] { return uint8_t(r.next()); };
  s.mss = mss;
  const auto with_scale = [&] { s.scale_is_there = true, s.scale = scale > 14 ? 14 : scale; };
  switch (r.below(7)) {
  case 0: s.mss = 0; return {};
  case 1: return {2, 4, high, low};
  case 2: with_scale(); return {2, 4, high, low, 1, 3, 3, scale};
  case 3: with_scale(); return {2, 4, high, low, 3, 3, scale, 0};
  case 4: with_scale(); // Linux: a time stamp that looks like options
    return {2, 4, high, low, 4, 2, 8, 10, 2, 4, any(), any(), 1, 3, 3, any(), 1, 3, 3, scale};
  case 5: with_scale(); // FreeBSD and macOS
    return {2, 4, high, low, 1, 3, 3, scale, 1, 1, 8, 10, 1, 3, 3, any(), 2, 4, any(), any(), 4, 2, 0, 0};
  default: with_scale(); // Windows, and unknown ones behind
    return {2, 4, high, low, 1, 3, 3, scale, 1, 1, 4, 2, 253, 8, any(), any(), uint8_t(any() | 64), any(), any(), any(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  }
}

size_t length(tb::Random &r) { return r.one_in(3) ? 0 : r.one_in(2) ? r.below(40) : r.one_in(20) ? r.below(8961) : r.below(1500); }

void spoil(tb::Random &r, const Wrapping &w, tb::Octets &o, Truth &truth) {
  const unsigned l3 = w.l3();
  const size_t kind = r.below(7);
  truth.right = false;
  switch (kind) {
  case 0: { // an octet that a checksum covers, and no one looks at before
    const size_t covered = w.ipv6 ? l3 + 8 : l3 + 12;
    size_t at;
    do at = r.between(covered, o.size() - 1); while (at == w.l4() + 2 || at == w.l4() + 3 || at == w.l4() + 12);
    o[at] = uint8_t(o[at] ^ r.between(1, 255));
    break;
  }
  case 1: // longer than the frame
    tb::put16(o, w.ipv6 ? l3 + 4 : l3 + 2, o.size() - l3 - (w.ipv6 ? 40 : 0) + r.between(16, 3000));
    tb::put_checksums(tcp_frames::layout_of(w), o);
    break;
  case 2: // there is too much behind what the packet says
    if (o.size() < 69 || w.octets_at() + 20 > o.size()) return spoil(r, w, o, truth);
    {
      const tb::Octets behind(o.end() - long(r.between(1, 10)), o.end());
      o.resize(o.size() - behind.size());
      tb::put_lengths(tcp_frames::layout_of(w), o), tb::put_checksums(tcp_frames::layout_of(w), o);
      o.insert(o.end(), behind.begin(), behind.end());
    }
    break;
  case 3: { // data offset below 5 or beyond the end
    const unsigned offset = o.size() - w.l4() < 60 && r.one_in(2) ? 15 : unsigned(r.below(5));
    o[w.l4() + 12] = uint8_t((o[w.l4() + 12] & 15) | offset << 4);
    tb::put_checksums(tcp_frames::layout_of(w), o);
    break;
  }
  case 4: { // another port
    const unsigned from = w.to_port - truth.connection;
    const uint16_t port = uint16_t(r.one_in(2) ? from + 64 + r.below(3) : from - 1 - r.below(3));
    tb::put16(o, w.l4() + 2, port), tb::put_checksums(tcp_frames::layout_of(w), o), truth.is_segment = false;
    break;
  }
  case 5: // another protocol, type or version; a fragment
    truth.is_segment = false;
    switch (r.below(4)) {
    case 0: o[l3 + (w.ipv6 ? 6 : 9)] = uint8_t(r.one_in(2) ? 17 : 0); break;
    case 1: o[l3 - 2] ^= 0x20; break;
    case 2: o[l3] = uint8_t(w.ipv6 ? 0x45 : 0x46); break;
    default:
      if (w.ipv6) o[l3 + 6] = 44;
      else if (r.one_in(2)) o[l3 + 6] |= 0x20;
      else o[l3 + 7] = uint8_t(r.between(1, 255));
    }
    break;
  default: // anything
    truth.is_segment = false;
    for (auto &octet : o) octet = uint8_t(r.next());
    if (o[12] == 0x81 || o[12] == 0x88 || o[12] == 8 || o[12] == 0x86) o[12] = 0;
  }
}

Truth make(tb::Random &r, uint16_t base, tb::Octets &o) {
  Truth truth;
  Wrapping w;
  truth.is_segment = truth.right = true;
  truth.connection = unsigned(r.below(CONNECTIONS));
  tcp_segment &s = truth.segment;
  s.seq = uint32_t(r.next()), s.ack = uint32_t(r.next()), s.flags = uint8_t(r.below(32)), s.window = uint16_t(r.next());
  w.tags = unsigned(r.below(3)), w.ipv6 = r.one_in(2), w.from_port = uint16_t(r.next()), w.to_port = uint16_t(base + truth.connection);
  s.octets = uint16_t(length(r));
  if (s.flags & TCP_SYN)
    w.options = options(r, s);
  else
    for (size_t n = r.one_in(3) ? 4 * r.below(11) : 0; n > 0; n--) w.options.push_back(uint8_t(r.one_in(2) ? 2 : r.next()));
  o = tcp_frames::packet(r, w, s);
  if (r.one_in(4)) spoil(r, w, o, truth);
  const size_t least = r.one_in(3) ? r.between(60, 68) : 60;
  const bool padded = o.size() < least;
  while (o.size() < least) o.push_back(uint8_t(r.next()));
  if (truth.right) seen.odd += s.octets % 2, seen.tagged += w.tags > 0, seen.ipv6 += w.ipv6, seen.padded += padded, seen.mss += s.mss != 0, seen.scale += s.scale_is_there;
  for (int i = 0; i < 4; i++) o.push_back(uint8_t(r.next())); // FCS: not this module's
  return truth;
}

// Drives word_* in a clock, from the frames that were found on the line.
void drive(Vdut &d, const Traffic &t, const std::vector<Found> &found, size_t at, uint64_t clock, const Found *&end) {
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
  d.word_first = owner && owner->start / WORD + 1 == clock && owner->start % WORD + 8 == WORD;
  d.word_end = end != nullptr;
  if (end) d.word_end_group = end->end % WORD / 8, d.word_end_octet = end->end % 8;
  d.word_live = live != nullptr;
  if (live) d.word_live_group = live->start % WORD / 8;
}

void compare(const Vdut &d, const Truth &truth) {
  if (!check(d.valid == truth.is_segment, "valid is %u, should be %u", d.valid, truth.is_segment) || !truth.is_segment) return;
  if (!check(d.right == truth.right, "right is %u, should be %u", d.right, truth.right) || !truth.right) return;
  tcp_segment is = {};
  tcp_words::get(d.segment, is);
  const tcp_segment &s = truth.segment;
  check(d.connection == truth.connection && is.seq == s.seq && is.ack == s.ack && is.flags == s.flags && is.window == s.window
            && is.octets == s.octets && is.mss == s.mss && is.scale_is_there == s.scale_is_there && is.scale == s.scale,
        "connection %u seq %u flags %x octets %u mss %u scale %u %u instead of %u: %u %x %u %u %u %u", d.connection, is.seq, is.flags,
        is.octets, is.mss, is.scale_is_there, is.scale, truth.connection, s.seq, s.flags, s.octets, s.mss, s.scale_is_there, s.scale);
}

void run(uint64_t seed) {
  Vdut d;
  tb::Random r(seed * 77 + 5);
  Traffic t(seed, Config(), WORD);
  const uint16_t base = uint16_t(r.next());
  std::map<size_t, Truth> by_start;
  t.e.idle(2 * WORD);
  for (int i = 0; i < 600; i++) {
    if (r.one_in(60)) garbage(t.e, t.r, r.between(1, 300)), t.e.align(8), t.gap(40);
    if (r.one_in(30)) t.e.align(WORD), t.e.idle(8 * r.below(8));
    tb::Octets o;
    const Truth truth = make(r, base, o);
    by_start[t.e.position()] = truth;
    t.e.start();
    for (uint8_t octet : o) t.e.put(octet, false);
    t.e.terminate();
    t.gap(5 + r.below(r.one_in(10) ? 200 : 12));
  }
  t.e.align(WORD);
  t.e.idle(12 * WORD);
  const std::vector<Found> found = read(t.e.octets, WORD);
  const bool off = seed % 8 == 0; // has a time in which it is off
  d.base = base, d.on = 1, d.word_owned = d.word_end = d.word_live = d.word_first = 0;
  tb::reset(d);
  std::deque<std::pair<uint64_t, Truth>> due;
  size_t at = 0;
  const uint64_t words = t.e.position() / WORD;
  std::vector<bool> was_on;
  for (uint64_t clock = 0; clock < words; clock++) {
    while (at < found.size() && found[at].end / WORD < clock) at++;
    const Found *end;
    if (off && r.one_in(300)) d.on = !d.on;
    was_on.push_back(d.on);
    drive(d, t, found, at, clock, end);
    // Nothing comes of what was not made here; and of a frame that began while it was off.
    const auto sent = end && end->well ? by_start.find(end->start) : by_start.end();
    if (sent != by_start.end()) {
      const Truth truth = was_on[end->start / WORD] ? sent->second : Truth();
      due.push_back({clock + LATENCY, truth});
      (!truth.is_segment ? seen.other : truth.right ? seen.right : seen.wrong)++;
    }
    d.eval();
    if (!due.empty() && due.front().first == clock) compare(d, due.front().second), due.pop_front();
    else check(!d.valid, "seed %" PRIu64 ", clock %" PRIu64 ": a segment out of nothing", seed, clock);
    tb::tick(d);
  }
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1, n = argc > 2 ? strtoull(argv[2], nullptr, 0) : 24;
  for (uint64_t seed = first; seed < first + n && !tb::failures(); seed++) run(seed);
  check(seen.right > 1000 && seen.wrong > 200 && seen.other > 200 && seen.odd > 100 && seen.tagged > 100 && seen.ipv6 > 100
            && seen.padded > 100 && seen.mss > 100 && seen.scale > 100,
        "too few of one kind");
  printf("%u right (%u odd, %u tagged, %u IPv6, %u padded, %u with MSS, %u with scale), %u wrong, %u others\n", seen.right, seen.odd,
         seen.tagged, seen.ipv6, seen.padded, seen.mss, seen.scale, seen.wrong, seen.other);
  return tb::finish("rx_tcp");
}
