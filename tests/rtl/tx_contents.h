// SPDX-License-Identifier: Apache-2.0
// Flow of the transmitter in a test: what the host writes of it, and its finished frames. The two are made apart from
// each other: a frame is a packet (packet.h) with the values of its fields in it, whose lengths and checksums come from
// its octets; the host adds up what is constant before there is a frame, as docs/hardware-core.md says.
#pragma once
#include "tests/rtl/packet.h"
#include <algorithm>
#include <array>

namespace tb
{

enum FieldKind : uint32_t { FIELD_NONE, FIELD_INCREMENT, FIELD_LIST, FIELD_DRAW };

struct VaryingField {
  uint32_t kind = FIELD_NONE, octet = 0, start = 0, step = 0, mask = 0, count = 1;
  bool in_checksum1 = false, in_checksum2 = false;

  uint32_t kind_word() const // the format of tx_field_kind
  {
    return kind | octet << 8 | (uint32_t)in_checksum1 << 16 | (uint32_t)in_checksum2 << 17;
  }
};
using FieldValues = std::array<uint32_t, 4>;

struct LengthField {
  bool used = false;
  unsigned octet = 0, base = 0;

  uint32_t word() const // the format of tx_flow_length1
  {
    return (uint32_t)used << 31 | base << 16 | octet;
  }
};

struct ContentsFlow {
  static constexpr unsigned FCS = 4, SIGNATURE = 18, HEADER = 64;

  Layout layout;
  Octets image;                                 // header and body: 64 octets each, 0 where something is put
  unsigned payload = 0;                         // octet where the counting payload begins
  bool is_unsigned = false;                     // tx_flow_flags
  unsigned least_octets = 54, fixed_octets = 0; // 0: frames have any length from the least
  std::array<VaryingField, 4> fields;
  LengthField length1, length2;
  uint32_t checksum1 = 0, checksum2 = 0; // registers

  unsigned body_words() const
  {
    return (unsigned)image.size() / HEADER - 1;
  }
  unsigned tail() const // octets that follow header, body and payload
  {
    return is_unsigned ? FCS : FCS + SIGNATURE;
  }
  uint8_t octet(size_t at) const // octet of a frame without signature
  {
    return at < image.size() ? image[at] : (uint8_t)(at - payload);
  }
};

// ------------------------------------------------------------------ frames

inline void or_in(const ContentsFlow &f, Octets &packet, size_t at, uint32_t value, unsigned octets)
{
  const size_t end = std::min<size_t>(packet.size(), f.body_words() ? 128 : 64); // nothing is put beyond
  for (unsigned i = 0; i < octets; i++)
    if (at + i < end)
      packet[at + i] |= (uint8_t)(value >> 8 * (octets - 1 - i));
}

// Destination MAC to FCS. signature: empty in a frame without one. zeros counts checksums that came out as 0.
inline Octets contents_frame(const ContentsFlow &f, unsigned octets, const FieldValues &values, const Octets &signature,
                             bool bad_fcs, uint64_t &zeros)
{
  Octets packet(octets - ContentsFlow::FCS);
  for (size_t i = 0; i < packet.size(); i++)
    packet[i] = f.octet(i);
  for (unsigned n = 0; n < values.size(); n++)
    or_in(f, packet, f.fields[n].octet, values[n], 4);
  if (f.layout.network == Network::RAW)
    for (const LengthField *length : {&f.length1, &f.length2})
      or_in(f, packet, length->octet, length->used ? octets - length->base : 0, 2);
  std::copy(signature.begin(), signature.end(), packet.end() - (ptrdiff_t)signature.size());
  put_lengths(f.layout, packet);
  zeros += !put_checksums(f.layout, packet);
  uint32_t fcs = ~crc32_octets(packet.data(), packet.size()) ^ (bad_fcs ? ~0u : 0u);
  for (unsigned i = 0; i < ContentsFlow::FCS; i++)
    packet.push_back((uint8_t)(fcs >> 8 * i));
  return packet;
}

// The values of fields, frame by frame. Value k is calculated from k and not from value k - 1.
class FieldDraws
{
public:
  std::array<uint32_t, 4096> list{};

  void begin(uint32_t seed) // a trial
  {
    sent_.fill(0);
    for (unsigned n = 0; n < 4; n++) {
      generators_[n] = seed ^ n * 0x9e3779b9u;
      if (generators_[n] == 0)
        generators_[n] = 1;
    }
  }
  FieldValues next(unsigned index, const ContentsFlow &flow)
  {
    FieldValues values{};
    for (unsigned n = 0; n < 4; n++)
      values[n] = value(flow.fields[n], n, sent_[index]) & flow.fields[n].mask;
    sent_[index]++;
    return values;
  }

private:
  std::array<uint32_t, 4> generators_{};
  std::array<uint64_t, 256> sent_{};

  uint32_t drawn(unsigned n) // xorshift32 (Marsaglia 2003), 24 bits
  {
    uint32_t &x = generators_[n];
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x >> 8;
  }
  uint32_t value(const VaryingField &f, unsigned n, uint64_t sent)
  {
    const uint64_t k = sent % f.count;
    switch (f.kind) {
    case FIELD_INCREMENT:
      return (uint32_t)(f.start + k * f.step);
    case FIELD_LIST:
      return list[(f.start + k) % list.size()];
    case FIELD_DRAW:
      return f.start + ((uint32_t)((uint64_t)drawn(n) * f.count >> 24) << (f.step & 31));
    default:
      return 0;
    }
  }
};

// ------------------------------------------------------------------ what the host writes

// a - b in one's complement: 0 only if a is 0.
inline uint32_t ones_minus(uint32_t a, uint32_t b)
{
  const uint32_t sum = a + (~b & 0xFFFF);
  return (sum & 0xFFFF) + (sum >> 16);
}

// The device adds the counting payload from its beginning to the signature. What header and body have there instead is
// in the constant, and the count that they replace is taken out of it.
inline uint32_t checksum2_constant(const ContentsFlow &f)
{
  size_t end = std::max<size_t>(f.image.size(), f.payload);
  if (f.fixed_octets)
    end = std::min<size_t>(end, f.fixed_octets - f.tail());
  Octets there, replaced;
  for (size_t i = f.layout.l4; i < end; i++)
    there.push_back(f.octet(i));
  for (size_t i = f.payload; i < end; i++)
    replaced.push_back((uint8_t)(i - f.payload));
  const uint32_t pseudo = f.layout.has_pseudo_header() ? pseudo_header_sum(f.layout, f.image, 0) : 0;
  return ones_minus(ones_sum(there.data(), there.size(), pseudo), ones_sum(replaced.data(), replaced.size()));
}

inline void set_lengths(ContentsFlow &f)
{
  const Layout &l = f.layout;
  if (l.network == Network::LLC)
    f.length1 = {true, l.l3 - 2, l.l3 + ContentsFlow::FCS};
  if (l.network == Network::IPV4)
    f.length1 = {true, l.l3 + 2, l.l3 + ContentsFlow::FCS};
  if (l.network == Network::IPV6)
    f.length1 = {true, l.l3 + 4, l.l3 + 40 + ContentsFlow::FCS};
  if (l.transport != NO_TRANSPORT)
    f.length2 = {l.transport == UDP, l.l4 + 4, l.l4 + ContentsFlow::FCS};
}

// Registers from image and fields. constant_lengths: of a flow whose frames have one length they can be in the image.
inline void set_registers(ContentsFlow &f, bool constant_lengths)
{
  const Layout &l = f.layout;
  set_lengths(f);
  uint32_t counted = (uint32_t)l.has_pseudo_header() + (l.transport == UDP);
  uint32_t pseudo_length = 0;
  if (constant_lengths) {
    for (LengthField *length : {&f.length1, &f.length2})
      if (length->used)
        put16(f.image, length->octet, f.fixed_octets - length->base);
    pseudo_length = l.has_pseudo_header() ? f.fixed_octets - f.length2.base : 0;
    f.length1 = f.length2 = {};
    counted = 0;
  }
  if (l.network == Network::IPV4)
    f.checksum1 = ones_sum(&f.image[l.l3], l.l4 - l.l3) << 16 | 1u << 15 | (l.l3 + 10);
  if (l.has_checksum()) {
    const uint32_t constant = ones_minus(checksum2_constant(f), ~pseudo_length & 0xFFFF);
    f.checksum2 = constant << 16 | 1u << 15 | (uint32_t)(l.transport == UDP) << 14 | counted << 12 |
                  l.checksum_at();
  }
}

} // namespace tb
