// SPDX-License-Identifier: Apache-2.0
// Packets as the standards have them, octet by octet: headers, then the lengths and checksums of a finished frame. It
// knows nothing of the transmitter: a length is counted and a checksum is added up over the octets that are there.
// Ethernet and LLC (IEEE 802.3), VLAN tags (802.1Q), ARP (RFC 826), IPv4 (RFC 791), IPv6 (RFC 8200), UDP (RFC 768), TCP
// (RFC 793), ICMP (RFC 792), ICMPv6 (RFC 4443); the sum is that of RFC 1071.
#pragma once
#include "tests/rtl/tb.h"
#include <vector>

namespace tb
{

using Octets = std::vector<uint8_t>;

enum class Network { RAW, LLC, ARP, IPV4, IPV6 };
enum Transport : uint8_t { NO_TRANSPORT = 59, ICMP = 1, TCP = 6, UDP = 17, ICMPV6 = 58 }; // IANA; 59: no next header

// Headers of a packet, and where they begin.
struct Layout {
  Network network = Network::RAW;
  Transport transport = NO_TRANSPORT;
  unsigned l3 = 14, l4 = 14, end = 14; // end: of all headers
  bool no_checksum = false;            // UDP over IPv4 may do without

  bool is_ip() const
  {
    return network == Network::IPV4 || network == Network::IPV6;
  }
  bool has_pseudo_header() const // ICMP of IPv4 has none
  {
    return transport == UDP || transport == TCP || transport == ICMPV6;
  }
  bool has_checksum() const
  {
    return transport != NO_TRANSPORT && !no_checksum;
  }
  unsigned checksum_at() const
  {
    return l4 + (transport == UDP ? 6 : transport == TCP ? 16 : 2);
  }
  unsigned addresses_at() const
  {
    return l3 + (network == Network::IPV6 ? 8 : 12);
  }
  unsigned addresses_octets() const
  {
    return network == Network::IPV6 ? 32 : 8;
  }
};

// ------------------------------------------------------------------ sums

// Adds octets of which the first is the high half of a 16-bit word; carries come round.
inline uint32_t ones_sum(const uint8_t *octets, size_t count, uint32_t sum = 0)
{
  for (size_t i = 0; i < count; i++) {
    sum += i % 2 ? octets[i] : (uint32_t)octets[i] << 8;
    if (sum > 0xFFFF)
      sum -= 0xFFFF;
  }
  return sum;
}

inline void put16(Octets &octets, size_t at, size_t value)
{
  octets.at(at) = (uint8_t)(value >> 8);
  octets.at(at + 1) = (uint8_t)value;
}

// The pseudo-header of RFC 768, 793 and 8200 section 8.1, whose sums are the same: addresses, length, protocol.
inline uint32_t pseudo_header_sum(const Layout &l, const Octets &packet, size_t transport_octets)
{
  const uint8_t rest[] = {(uint8_t)(transport_octets >> 8), (uint8_t)transport_octets, 0, l.transport};
  return ones_sum(rest, 4, ones_sum(&packet.at(l.addresses_at()), l.addresses_octets()));
}

// ------------------------------------------------------------------ what a finished packet has

inline void put_lengths(const Layout &l, Octets &packet)
{
  if (l.network == Network::LLC)
    put16(packet, l.l3 - 2, packet.size() - l.l3);
  if (l.network == Network::IPV4)
    put16(packet, l.l3 + 2, packet.size() - l.l3);
  if (l.network == Network::IPV6)
    put16(packet, l.l3 + 4, packet.size() - l.l3 - 40);
  if (l.transport == UDP)
    put16(packet, l.l4 + 4, packet.size() - l.l4);
}

// False if a checksum came out as 0.
inline bool put_checksums(const Layout &l, Octets &packet)
{
  if (l.network == Network::IPV4) {
    put16(packet, l.l3 + 10, 0);
    put16(packet, l.l3 + 10, ~ones_sum(&packet.at(l.l3), l.l4 - l.l3) & 0xFFFF);
  }
  if (!l.has_checksum())
    return true;
  put16(packet, l.checksum_at(), 0);
  const size_t covered = packet.size() - l.l4;
  uint32_t sum = l.has_pseudo_header() ? pseudo_header_sum(l, packet, covered) : 0;
  const uint32_t checksum = ~ones_sum(&packet.at(l.l4), covered, sum) & 0xFFFF;
  put16(packet, l.checksum_at(), checksum == 0 && l.transport == UDP ? 0xFFFF : checksum);
  return checksum != 0;
}

// ------------------------------------------------------------------ headers, with random contents

class PacketMaker
{
public:
  Layout layout;
  Octets octets; // lengths and checksums are 0

  explicit PacketMaker(Random &random) : random_(random)
  {
    ethernet();
    switch (random_.below(9)) {
    case 0:
      type(0x88B5); // the type for local experiments
      break;
    case 1:
      llc();
      break;
    case 2:
      arp();
      break;
    case 3:
    case 4:
    case 5:
      ipv4();
      break;
    default:
      ipv6();
    }
    layout.end = (unsigned)octets.size();
  }

private:
  Random &random_;

  void add(std::initializer_list<unsigned> values)
  {
    for (unsigned value : values)
      octets.push_back((uint8_t)value);
  }
  void add_random(unsigned count)
  {
    for (unsigned i = 0; i < count; i++)
      octets.push_back(random_.one_in(8) ? 0xFF : (uint8_t)random_.next());
  }
  void type(unsigned ethertype)
  {
    add({ethertype >> 8, ethertype & 0xFF});
    layout.l3 = layout.l4 = (unsigned)octets.size();
  }

  void ethernet()
  {
    add_random(12);
    for (unsigned tags = random_.one_in(3) ? (unsigned)random_.between(1, 3) : 0; tags > 0; tags--) {
      add({tags == 1 ? 0x81u : 0x88u, tags == 1 ? 0u : 0xA8u}); // customer tag last
      add_random(2);
    }
  }
  void llc()
  {
    layout.network = Network::LLC;
    type(0);
    add({0xAA, 0xAA, 3, 0, 0, 0, 0x88, 0xB5}); // SNAP
  }
  void arp()
  {
    layout.network = Network::ARP;
    type(0x0806);
    add({0, 1, 8, 0, 6, 4, 0, (unsigned)random_.between(1, 2)});
    add_random(20);
  }
  void ipv4()
  {
    const unsigned options = random_.one_in(2) ? 0 : (unsigned)random_.below(11);
    static const Transport any[] = {UDP, UDP, TCP, ICMP, NO_TRANSPORT};
    layout.network = Network::IPV4;
    layout.transport = any[random_.below(5)];
    type(0x0800);
    add({0x45 + options});
    add_random(1);
    add({0, 0});
    add_random(5);
    add({layout.transport, 0, 0});
    add_random(8);
    add_random(4 * options);
    transport();
  }
  void ipv6()
  {
    unsigned options = random_.one_in(2) ? 0 : (unsigned)random_.between(1, 2);
    static const Transport any[] = {UDP, UDP, TCP, ICMPV6, NO_TRANSPORT};
    layout.network = Network::IPV6;
    layout.transport = any[random_.below(5)];
    type(0x86DD);
    add({0x60 + (unsigned)random_.below(16)});
    add_random(3);
    add({0, 0, options ? 60u : layout.transport});
    add_random(33);
    for (; options > 0; options--) // destination options
      add({options > 1 ? 60u : layout.transport, 0, 1, 4, 0, 0, 0, 0});
    transport();
  }
  void transport()
  {
    layout.l4 = (unsigned)octets.size();
    layout.no_checksum = layout.transport == UDP && layout.network == Network::IPV4 && random_.one_in(6);
    const unsigned options = random_.one_in(2) ? 0 : (unsigned)random_.below(11);
    switch (layout.transport) {
    case UDP:
      add_random(4);
      add({0, 0, 0, 0});
      break;
    case TCP:
      add_random(12);
      add({(5 + options) << 4});
      add_random(3);
      add({0, 0});
      add_random(2 + 4 * options);
      break;
    case NO_TRANSPORT:
      break;
    default:
      add({layout.transport == ICMP ? 8u : 128u, 0, 0, 0}); // echo request
      add_random(4);
    }
  }
};

} // namespace tb
