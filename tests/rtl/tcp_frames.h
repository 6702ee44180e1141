// SPDX-License-Identifier: Apache-2.0
// Frames with TCP segments as the standards have them, octet by octet, and the reading of them: for testbenches. It knows
// nothing of the logic. Ethernet, VLAN tags, IPv4 (RFC 791), IPv6 (RFC 8200), TCP (RFC 9293) with options.
#pragma once
#include "packet.h"
extern "C" {
#include "sim/tcp/tcp.h"
}

namespace tcp_frames {

using tb::Octets;

// Headers around a segment.
struct Wrapping {
  unsigned tags = 0;
  bool ipv6 = false;
  uint16_t from_port = 0, to_port = 0;
  Octets options;    // a multiple of 4 octets

  unsigned l3() const { return 14 + 4 * tags; }
  unsigned l4() const { return l3() + (ipv6 ? 40 : 20); }
  unsigned octets_at() const { return l4() + 20 + unsigned(options.size()); }
};

inline tb::Layout layout_of(const Wrapping &w) {
  tb::Layout l;
  l.network = w.ipv6 ? tb::Network::IPV6 : tb::Network::IPV4;
  l.transport = tb::TCP, l.l3 = w.l3(), l.l4 = w.l4(), l.end = w.octets_at();
  return l;
}

inline void put32(Octets &o, size_t at, uint32_t value) { tb::put16(o, at, value >> 16), tb::put16(o, at + 2, value & 0xffff); }

// A packet without FCS and padding, its lengths and checksums right, with random addresses.
inline Octets packet(tb::Random &random, const Wrapping &w, const tcp_segment &s) {
  Octets o(w.octets_at());
  for (auto &octet : o) octet = uint8_t(random.next());
  for (unsigned t = 0; t < w.tags; t++) tb::put16(o, 12 + 4 * t, w.tags == 2 && t == 0 ? 0x88a8 : 0x8100);
  tb::put16(o, w.l3() - 2, w.ipv6 ? 0x86dd : 0x0800);
  if (w.ipv6)
    o[w.l3()] = uint8_t(0x60 | random.below(16)), o[w.l3() + 6] = 6;
  else
    o[w.l3()] = 0x45, o[w.l3() + 9] = 6, tb::put16(o, w.l3() + 6, random.one_in(2) ? 0x4000 : 0);
  const size_t l4 = w.l4();
  tb::put16(o, l4, w.from_port), tb::put16(o, l4 + 2, w.to_port), put32(o, l4 + 4, s.seq), put32(o, l4 + 8, s.ack);
  tb::put16(o, l4 + 12, (5 + w.options.size() / 4) << 12 | random.below(8) << 9 | s.flags);
  tb::put16(o, l4 + 14, s.window);
  std::copy(w.options.begin(), w.options.end(), o.begin() + long(l4) + 20);
  for (unsigned i = 0; i < s.octets; i++) o.push_back(uint8_t(s.seq + i));
  tb::put_lengths(layout_of(w), o);
  tb::put_checksums(layout_of(w), o);
  return o;
}

} // namespace tcp_frames
