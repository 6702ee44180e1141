// SPDX-License-Identifier: Apache-2.0
// Random flows: packets of all kinds with bodies, payloads and fields wherever the registers allow them.
#pragma once
#include "tests/rtl/tx_contents.h"

namespace tb
{

class FlowMaker
{
public:
  ContentsFlow flow;

  explicit FlowMaker(Random &random) : random_(random)
  {
    PacketMaker packet(random);
    flow.layout = packet.layout;
    flow.image = packet.octets;
    flow.is_unsigned = random.one_in(3);
    body_and_payload();
    lengths();
    if (flow.layout.network == Network::RAW) {
      raw();
      return;
    }
    if (flow.layout.has_checksum() && flow.fixed_octets && flow.is_unsigned) {
      aim_at_zero();
      return;
    }
    for (unsigned n = 0; n < 4; n++)
      if (random.one_in(2))
        field(n);
    set_registers(flow, flow.fixed_octets && random.one_in(4));
  }

  unsigned random_octets() const // length of a frame
  {
    const unsigned least = flow.least_octets;
    if (random_.one_in(3))
      return (unsigned)random_.between(least, least + 3);
    if (random_.one_in(40))
      return (unsigned)random_.between(least, 9216);
    return (unsigned)random_.between(least, std::max(least + 70, random_.one_in(10) ? 1600u : 250u));
  }

private:
  Random &random_;

  void body_and_payload()
  {
    const unsigned end = flow.layout.end;
    unsigned words = end > 64 ? (end - 1) / 64 : 0;
    if (random_.one_in(2))
      words = (unsigned)random_.between(words, random_.one_in(8) ? 31 : words + 2);
    flow.payload = (unsigned)random_.below(129);
    if (flow.layout.has_checksum())
      flow.payload &= ~1u; // an even number of octets after the beginning of what is covered
    const bool only_payload = end <= 128 && random_.one_in(2);
    if (only_payload)
      flow.payload = end;
    while (flow.image.size() < 64 * (1 + words))
      flow.image.push_back((uint8_t)(only_payload ? flow.image.size() - end : random_.next()));
  }

  void lengths()
  {
    unsigned most_constant = flow.layout.end;
    if (flow.layout.has_checksum())
      most_constant = std::max(most_constant, flow.payload);
    const bool fixed = random_.one_in(3);
    if (flow.layout.has_checksum() && !fixed)
      most_constant = std::max(most_constant, (unsigned)flow.image.size());
    flow.least_octets = std::max(54u, most_constant + flow.tail());
    if (fixed)
      flow.fixed_octets = flow.least_octets = random_octets();
  }

  // Anything, combined by OR with what is there.
  void raw()
  {
    for (LengthField *length : {&flow.length1, &flow.length2})
      *length = {random_.one_in(2), 2 * (unsigned)random_.below(64), (unsigned)random_.below(16384)};
    for (VaryingField &f : flow.fields) {
      if (random_.one_in(3))
        continue;
      f = random_values();
      f.octet = (uint32_t)random_.below(125);
      f.mask = (uint32_t)random_.next();
      f.in_checksum1 = random_.one_in(2);
      f.in_checksum2 = random_.one_in(2);
    }
  }

  // ---------------------------------------------------------- fields

  uint32_t random_number() const
  {
    return random_.one_in(2) ? (uint32_t)random_.next() : (uint32_t)random_.below(16) - 8;
  }
  VaryingField random_values() const
  {
    VaryingField f;
    f.kind = (uint32_t)random_.between(1, 3);
    f.start = random_number();
    f.step = random_number();
    f.count = (uint32_t)(random_.one_in(4)   ? random_.between(1, 3)
                         : random_.one_in(3) ? 1u << 24
                                             : random_.between(1, 1u << random_.between(1, 24)));
    return f;
  }

  // Says in which checksums an octet is: 1, 2. 4: it cannot vary, because it is put there or says what the packet is.
  unsigned cover(unsigned at) const
  {
    const Layout &l = flow.layout;
    const bool ipv4 = l.network == Network::IPV4;
    for (const LengthField *length : {&length1_, &length2_})
      if (length->used && at / 2 == length->octet / 2)
        return 4;
    if (ipv4 && (at / 2 == (l.l3 + 10) / 2 || at == l.l3 + 9))
      return 4;
    if (!l.has_checksum())
      return ipv4 && at >= l.l3 && at < l.l4 ? 1 : 0;
    if (at / 2 == l.checksum_at() / 2 || at >= flow.image.size() ||
        (flow.fixed_octets && at >= flow.fixed_octets - flow.tail()))
      return 4;
    const bool address = l.has_pseudo_header() && at - l.addresses_at() < l.addresses_octets();
    return (ipv4 && at >= l.l3 && at < l.l4 ? 1u : 0u) | (address || at >= l.l4 ? 2u : 0u);
  }
  LengthField length1_, length2_;

  // A field is in a checksum as a whole or not, so it keeps the bits of octets that are covered alike.
  void field(unsigned n)
  {
    ContentsFlow placed = flow;
    set_lengths(placed);
    length1_ = placed.length1;
    length2_ = placed.length2;

    VaryingField f = random_values();
    f.octet = (uint32_t)(random_.one_in(4) ? random_.between(58, 66) : random_.below(125));
    const uint32_t masks[] = {~0u,  0xFFFF,  0xFFFF0000, 0xFFFF00,
                              0xFF, 0xFFFFF, 1u << 31,   (uint32_t)random_.next()};
    f.mask = masks[random_.below(8)];
    unsigned covered = 4;
    for (unsigned i = 0; i < 4; i++) {
      const unsigned at = f.octet + i, in = taken(n, at) ? 4 : cover(at);
      const uint32_t bits = 0xFFu << 8 * (3 - i);
      if (covered == 4 && (f.mask & bits))
        covered = in;
      if (in == 4 || in != covered)
        f.mask &= ~bits;
    }
    for (unsigned i = 0; i < 4; i++)
      if (f.octet + i < flow.image.size())
        flow.image[f.octet + i] &= (uint8_t) ~(f.mask >> 8 * (3 - i));
    f.in_checksum1 = covered & 1;
    f.in_checksum2 = covered >> 1 & 1;
    flow.fields[n] = f;
  }
  bool taken(unsigned n, unsigned at) const // true: a field before has it
  {
    for (unsigned other = 0; other < n; other++)
      if (flow.fields[other].kind && at - flow.fields[other].octet < 4)
        return true;
    return false;
  }

  // One of the first frames gets sums of ffff, the next ones those behind the carry, by its source port (UDP,
  // TCP) or identifier (ICMP), and by the identification of IPv4: nothing else in these frames varies.
  void aim_at_zero()
  {
    const Layout &l = flow.layout;
    const unsigned at = l.l4 + (l.transport == UDP || l.transport == TCP ? 0 : 4);
    const bool ipv4 = l.network == Network::IPV4;
    uint64_t zeros = 0;
    put16(flow.image, at, 0);
    if (ipv4)
      put16(flow.image, l.l3 + 4, 0);
    VaryingField &address = flow.fields[2];
    address = {FIELD_INCREMENT,      l.addresses_at(), (uint32_t)random_.next(), 0, ~0u, 1, ipv4,
               l.has_pseudo_header()};
    std::fill_n(flow.image.begin() + address.octet, 4, (uint8_t)0);
    set_registers(flow, false);
    const FieldValues values = {0, 0, address.start, 0};
    const Octets first = contents_frame(flow, flow.fixed_octets, values, {}, false, zeros);
    flow.fields[0] = counting_to(first, l.checksum_at(), at);
    flow.fields[0].in_checksum2 = true;
    if (ipv4) {
      flow.fields[1] = counting_to(first, l.l3 + 10, l.l3 + 4);
      flow.fields[1].in_checksum1 = true;
    }
  }
  VaryingField counting_to(const Octets &frame, unsigned checksum_at, unsigned at) const
  {
    const uint32_t checksum = (uint32_t)frame[checksum_at] << 8 | frame[checksum_at + 1];
    VaryingField f;
    f.kind = FIELD_INCREMENT;
    f.octet = at;
    f.start = (checksum - (uint32_t)random_.below(4)) << 16;
    f.step = 1 << 16;
    f.mask = 0xFFFF0000;
    f.count = 1 << 16;
    return f;
  }
};

} // namespace tb
