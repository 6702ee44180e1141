// SPDX-License-Identifier: Apache-2.0
// tx_checksum against whole frames: they are made here octet by octet (VLANs, IPv4 and IPv6, UDP, TCP, ICMP; headers
// and frames of any length, signature or none, fields anywhere before the payload), and their checksums are sums over
// these octets (RFC 1071). Only what the host would write is given to the module. Several flows, in adjacent clocks. An
// argument is another seed.
#include "tests/rtl/tb.h"
#include <algorithm>
#include <array>
#include <vector>

using namespace tb;

static const unsigned SIGNATURE_CLOCK = 4, FIELDS_CLOCK = 6, LATENCY = 10, FLOWS = 256, FIELDS = 4;
static const unsigned FCS = 4, SIGNATURE = 18, MOST_OCTETS = 16383;

static Vdut dut;
static Random rng(20260302);
static uint8_t own_port, run_id;
static unsigned zeros_sent, zeros_kept; // checksums that came out as 0

struct Place { // a length or a checksum
  bool used = false;
  unsigned octet = 0;
};
struct Field {
  unsigned octet = 0;
  uint32_t mask = 0;
  bool in_checksum1 = false, in_checksum2 = false;
};
struct Flow {
  std::vector<uint8_t> start; // octets that precede the payload, 0 where something varies
  unsigned l3 = 0, l4 = 0;
  bool ipv6 = false, pseudo = false, zero_is_ffff = false;
  uint8_t protocol = 0;
  Place length1, length2, checksum1, checksum2;
  std::array<Field, FIELDS> fields;
  unsigned payload() const
  {
    return (unsigned)start.size();
  }
  unsigned length1_base() const
  {
    return l3 + FCS + (ipv6 ? 40 : 0);
  }
  unsigned addresses() const
  {
    return l3 + (ipv6 ? 8 : 12);
  }
};
struct Frame {
  bool valid = false, is_unsigned = false, tag = false, any_field = false;
  unsigned flow = 0, octets = 0;
  uint64_t sequence = 0, time = 0;
  std::array<uint32_t, FIELDS> values{};
  // expected
  Flow of;
  unsigned length1 = 0, length2 = 0, checksum1 = 0, checksum2 = 0;
};
static std::array<Flow, FLOWS> flows;
static std::vector<Frame> history(LATENCY + 1); // [0] is the newest

// ------------------------------------------------------------------ frames

static uint32_t ones_sum(const uint8_t *octets, size_t count, uint32_t sum = 0)
{
  for (size_t i = 0; i < count; i++) {
    sum += i % 2 ? octets[i] : (uint32_t)octets[i] << 8;
    if (sum > 0xFFFF)
      sum -= 0xFFFF;
  }
  return sum;
}

static uint32_t pseudo_header(const Flow &f, const uint8_t *octets, unsigned l4_octets, uint32_t sum)
{
  if (!f.pseudo)
    return sum;
  const uint8_t rest[] = {0, f.protocol, (uint8_t)(l4_octets >> 8), (uint8_t)l4_octets};
  return ones_sum(rest, 4, ones_sum(octets + f.addresses(), f.ipv6 ? 32 : 8, sum));
}

static void put_big_endian(uint8_t *at, uint64_t value, unsigned octets)
{
  for (unsigned i = 0; i < octets; i++)
    at[i] |= (uint8_t)(value >> 8 * (octets - 1 - i));
}

static std::vector<uint8_t> signature_of(const Frame &frame)
{
  std::vector<uint8_t> s(SIGNATURE);
  put_big_endian(&s[0], 0xF9A6, 2);
  s[2] = run_id;
  s[3] = (uint8_t)(own_port << 4);
  s[4] = (uint8_t)frame.flow;
  put_big_endian(&s[5], frame.sequence, 6);
  put_big_endian(&s[11], frame.time, 5);
  put_big_endian(&s[16], frame.octets | (uint32_t)frame.tag << 15, 2);
  return s;
}

// Everything but FCS and checksums.
static std::vector<uint8_t> octets_of(const Frame &frame)
{
  const Flow &f = frame.of;
  std::vector<uint8_t> octets = f.start;
  for (unsigned i = 0; octets.size() < frame.octets - FCS; i++)
    octets.push_back((uint8_t)i);
  if (!frame.is_unsigned) {
    std::vector<uint8_t> s = signature_of(frame);
    std::copy(s.begin(), s.end(), octets.end() - SIGNATURE);
  }
  for (unsigned n = 0; n < FIELDS; n++)
    if (frame.any_field && frame.values[n])
      put_big_endian(&octets[f.fields[n].octet], frame.values[n], 4);
  if (f.length1.used)
    put_big_endian(&octets[f.length1.octet], frame.length1, 2);
  if (f.length2.used)
    put_big_endian(&octets[f.length2.octet], frame.length2, 2);
  return octets;
}

static unsigned checksum2_of(const Frame &frame)
{
  const Flow &f = frame.of;
  std::vector<uint8_t> octets = octets_of(frame);
  unsigned covered = (unsigned)octets.size() - f.l4;
  return ~ones_sum(&octets[f.l4], covered, pseudo_header(f, octets.data(), covered, 0)) & 0xFFFF;
}

static void expect(Frame &frame)
{
  const Flow &f = frame.of;
  frame.length1 = frame.octets - f.length1_base();
  frame.length2 = frame.octets - FCS - f.l4;
  std::vector<uint8_t> octets = octets_of(frame);
  frame.checksum1 = ~ones_sum(&octets[f.l3], f.l4 - f.l3) & 0xFFFF;
  frame.checksum2 = checksum2_of(frame);
}

// Chooses the value of a field so that checksum2 is 0, if a field has a whole word in it.
static void aim_at_zero(Frame &frame)
{
  for (unsigned n = 0; n < FIELDS; n++) {
    const Field &field = frame.of.fields[n];
    unsigned shift = field.octet % 2 ? 8 : rng.one_in(2) ? 16 : 0;
    uint32_t word = 0xFFFFu << shift;
    if (!field.in_checksum2 || (field.mask & word) != word)
      continue;
    frame.values[n] &= ~word;
    frame.any_field = true;
    frame.values[n] |= checksum2_of(frame) << shift;
    return;
  }
}

// ------------------------------------------------------------------ flows

static std::vector<uint8_t> random_octets(unsigned count)
{
  std::vector<uint8_t> octets(count);
  for (auto &octet : octets)
    octet = rng.one_in(8) ? 0xFF : (uint8_t)rng.next();
  return octets;
}

// Says in which checksums octet `at` is.
static unsigned cover(const Flow &f, unsigned at)
{
  unsigned in1 = !f.ipv6 && at >= f.l3 && at < f.l4;
  bool address = f.pseudo && at >= f.addresses() && at < f.addresses() + (f.ipv6 ? 32u : 8u);
  unsigned in2 = address || (at >= f.l4 && at < f.payload());
  return in1 | in2 << 1;
}

static bool varies(const Flow &f, unsigned at)
{
  for (const Place *p : {&f.length1, &f.length2, &f.checksum1, &f.checksum2})
    if (p->used && at / 2 == p->octet / 2)
      return true;
  return false;
}

static void add_field(Flow &f, Field &field)
{
  field.octet = (unsigned)rng.below(std::min(124u, f.payload() - 4) + 1);
  static const uint32_t masks[] = {0xFFFFFFFF, 0xFFFF, 0xFFFF0000, 0xFFFF00, 0xFF, 0x000FFFFF, 0x80000000};
  uint32_t mask = rng.one_in(4) ? (uint32_t)rng.next() : masks[rng.below(7)];
  unsigned seen = 4;
  for (unsigned i = 0; i < 4; i++) {
    unsigned at = field.octet + i;
    uint8_t bits = (uint8_t)(mask >> 8 * (3 - i));
    if (bits && varies(f, at))
      mask &= ~(0xFFu << 8 * (3 - i)), bits = 0;
    if (bits && seen == 4)
      seen = cover(f, at);
    if (bits && cover(f, at) != seen) // a field is in a checksum or not, as a whole
      mask &= ~(0xFFu << 8 * (3 - i));
  }
  for (const Field &other : f.fields)
    if (&other != &field && other.mask && other.octet < field.octet + 4 && field.octet < other.octet + 4)
      mask = 0;
  for (unsigned i = 0; i < 4; i++)
    f.start[field.octet + i] &= (uint8_t) ~(mask >> 8 * (3 - i));
  field.mask = mask;
  field.in_checksum1 = mask ? seen & 1 : rng.one_in(2);
  field.in_checksum2 = mask ? seen >> 1 & 1 : rng.one_in(2);
}

static void clear(Flow &f, Place &place, unsigned octet, bool used)
{
  place.octet = octet;
  place.used = used;
  if (used)
    f.start[octet] = f.start[octet + 1] = 0;
}

enum { UDP = 17, TCP = 6, ICMP = 1, ICMPV6 = 58 };
static Flow random_flow()
{
  Flow f;
  f.ipv6 = rng.one_in(2);
  f.l3 = 14 + 4 * (unsigned)rng.below(4);
  f.l4 = f.l3 + (f.ipv6 ? 40 + 8 * (unsigned)rng.below(3) : 20 + 4 * (unsigned)rng.below(11));
  const uint8_t protocols[] = {UDP, TCP, (uint8_t)(f.ipv6 ? ICMPV6 : ICMP)};
  f.protocol = protocols[rng.below(3)];
  unsigned header = f.protocol == TCP ? 20 + 4 * (unsigned)rng.below(11) : 8;
  f.start = random_octets(std::min(128u, f.l4 + header + 2 * (unsigned)rng.below(5)));
  if (f.payload() < f.l4 + header)
    return random_flow(); // too long
  f.pseudo = f.protocol != ICMP;
  f.zero_is_ffff = f.protocol == UDP ? !rng.one_in(4) : rng.one_in(4);
  clear(f, f.length1, f.l3 + (f.ipv6 ? 4 : 2), !rng.one_in(6));
  clear(f, f.length2, f.l4 + 4, f.protocol == UDP && !rng.one_in(6));
  clear(f, f.checksum1, f.l3 + 10, !f.ipv6 && !rng.one_in(6));
  clear(f, f.checksum2, f.l4 + (f.protocol == UDP ? 6 : f.protocol == TCP ? 16 : 2), !rng.one_in(6));
  for (Field &field : f.fields)
    if (rng.one_in(2))
      add_field(f, field);
  return f;
}

// Makes what the host writes of a flow: its constants are sums over `start`.
static uint32_t length_record(const Place &p, unsigned base)
{
  return (uint32_t)p.used << 31 | base << 16 | p.octet;
}
static uint32_t checksum1_record(const Flow &f)
{
  return ones_sum(&f.start[f.l3], f.l4 - f.l3) << 16 | (uint32_t)f.checksum1.used << 15 | f.checksum1.octet;
}
static uint32_t checksum2_record(const Flow &f)
{
  uint32_t constant = ones_sum(&f.start[f.l4], f.payload() - f.l4, pseudo_header(f, f.start.data(), 0, 0));
  uint32_t times = (uint32_t)f.pseudo + f.length2.used;
  return constant << 16 | (uint32_t)f.checksum2.used << 15 | (uint32_t)f.zero_is_ffff << 14 | times << 12 |
         f.checksum2.octet;
}

// ------------------------------------------------------------------ the module

static void check_outputs(const Frame &frame)
{
  const Flow &f = frame.of;
  bool any = frame.valid && (f.length1.used || f.length2.used || f.checksum1.used || f.checksum2.used);
  check(dut.any == any, "any %d, expected %d", dut.any, any);
  if (!any)
    return;
  unsigned checksum2 = frame.checksum2;
  if (f.checksum2.used && checksum2 == 0) {
    (f.zero_is_ffff ? zeros_sent : zeros_kept)++;
    checksum2 = f.zero_is_ffff ? 0xFFFF : 0;
  }
  const struct {
    const char *name;
    const Place &place;
    unsigned octet, value, expected;
  } outputs[] = {
          {"length1", f.length1, dut.length1_octet, dut.length1, frame.length1},
          {"length2", f.length2, dut.length2_octet, dut.length2, frame.length2},
          {"checksum1", f.checksum1, dut.checksum1_octet, dut.checksum1, frame.checksum1},
          {"checksum2", f.checksum2, dut.checksum2_octet, dut.checksum2, checksum2},
  };
  for (const auto &o : outputs) {
    unsigned expected = o.place.used ? o.expected : 0;
    check(o.value == expected && (!o.place.used || o.octet == o.place.octet),
          "%s: %04x at %u, expected %04x at %u: IPv%d, protocol %u, %u octets, payload at %u%s", o.name,
          o.value, o.octet, expected, o.place.octet, f.ipv6 ? 6 : 4, f.protocol, frame.octets, f.payload(),
          frame.is_unsigned ? ", no signature" : "");
  }
}

static void put_fields(const Frame &frame)
{
  dut.field_any = frame.any_field;
  dut.field_odd = (uint8_t)rng.below(16);
  dut.field_in_checksum1 = dut.field_in_checksum2 = 0;
  for (unsigned n = 0; n < FIELDS; n++) {
    const Field &field = frame.of.fields[n];
    dut.field_values[n] = frame.any_field ? frame.values[n] : (uint32_t)rng.next();
    if (field.mask)
      dut.field_odd = (uint8_t)((dut.field_odd & ~(1u << n)) | (field.octet & 1) << n);
    dut.field_in_checksum1 = (uint8_t)(dut.field_in_checksum1 | field.in_checksum1 << n);
    dut.field_in_checksum2 = (uint8_t)(dut.field_in_checksum2 | field.in_checksum2 << n);
  }
}

// One clock, with a frame or none.
static void clock_checksum(const Frame &frame)
{
  history.insert(history.begin(), frame);
  history.pop_back();
  dut.frame_valid = frame.valid;
  dut.frame_flow = (uint8_t)frame.flow;
  dut.frame_octets = (uint16_t)frame.octets;
  dut.frame_unsigned = frame.is_unsigned;
  const Frame &sent = history[SIGNATURE_CLOCK];
  dut.frame_time = sent.time;
  dut.frame_tag = sent.tag;
  dut.frame_sequence = sent.sequence;
  put_fields(history[FIELDS_CLOCK]);
  tick(dut);
  check_outputs(history[LATENCY - 1]);
}

static void pause(unsigned clocks)
{
  for (unsigned i = 0; i < clocks; i++) {
    Frame none;
    none.flow = (unsigned)rng.below(FLOWS);
    none.time = rng.next() & 0xFFFFFFFFFFull;
    clock_checksum(none);
  }
}

static void write_flow(unsigned index, const Flow &f)
{
  flows[index] = f;
  dut.flow_index = (uint8_t)index;
  const uint32_t data[] = {length_record(f.length1, f.length1_base()), length_record(f.length2, f.l4 + FCS),
                           checksum1_record(f), checksum2_record(f), f.payload()};
  CData *const enables[] = {&dut.flow_length1_we, &dut.flow_length2_we, &dut.flow_checksum1_we,
                            &dut.flow_checksum2_we, &dut.flow_payload_we};
  for (unsigned i = 0; i < 5; i++) {
    dut.flow_data = data[i];
    *enables[i] = 1;
    pause(1);
    *enables[i] = 0;
  }
}

static void load()
{
  own_port = dut.port = (uint8_t)rng.below(16);
  run_id = dut.cfg_run_id = (uint8_t)rng.next();
  dut.load = 1;
  pause(1);
  dut.load = 0;
  dut.port = (uint8_t)rng.below(16); // latched
  dut.cfg_run_id = (uint8_t)rng.next();
}

// ------------------------------------------------------------------ trials

static Frame random_frame(unsigned flow)
{
  Frame frame;
  frame.valid = true;
  frame.flow = flow;
  frame.of = flows[flow];
  frame.is_unsigned = rng.one_in(4);
  unsigned least = std::max(54u, frame.of.payload() + FCS + (frame.is_unsigned ? 0 : SIGNATURE));
  frame.octets = (unsigned)(rng.one_in(8)   ? rng.between(least, MOST_OCTETS)
                            : rng.one_in(3) ? rng.between(least, least + 3)
                                            : rng.between(least, 1600));
  frame.tag = rng.one_in(2);
  frame.sequence = (rng.one_in(4) ? ~0ull : rng.next()) & 0xFFFFFFFFFFFFull;
  frame.time = (rng.one_in(4) ? ~0ull : rng.next()) & 0xFFFFFFFFFFull;
  for (unsigned n = 0; n < FIELDS; n++) {
    frame.values[n] = (rng.one_in(4) ? 0xFFFFFFFFu : (uint32_t)rng.next()) & frame.of.fields[n].mask;
    frame.any_field |= frame.of.fields[n].mask != 0;
  }
  frame.length1 = frame.octets - frame.of.length1_base();
  frame.length2 = frame.octets - FCS - frame.of.l4;
  if (rng.one_in(4))
    aim_at_zero(frame);
  expect(frame);
  return frame;
}

static void nothing_is_in_use_when_the_device_is_loaded()
{
  load();
  for (unsigned flow = 0; flow < FLOWS; flow++) {
    Frame frame;
    frame.valid = true;
    frame.flow = flow;
    frame.octets = 64;
    clock_checksum(frame);
  }
  pause(LATENCY);
}

static void random_trials()
{
  for (int trial = 0; trial < 400; trial++) {
    std::vector<unsigned> some = {(unsigned)rng.below(FLOWS), (unsigned)rng.below(FLOWS), FLOWS - 1};
    for (unsigned flow : some)
      write_flow(flow, random_flow());
    load();
    unsigned busy = rng.one_in(2) ? 1 : (unsigned)rng.between(1, 4); // a frame in one of this many clocks
    for (int i = 0; i < 60; i++)
      if (rng.one_in(busy))
        clock_checksum(random_frame(some[rng.below(3)]));
      else
        pause(1);
    pause(LATENCY);
  }
}

// Nothing but 0 precedes the payload, so a sum is 0 only if every octet is.
static void payloads_of_every_length(bool is_unsigned)
{
  Flow f;
  f.l3 = 14;
  f.l4 = 34;
  f.protocol = ICMP;
  f.start.assign(42, 0);
  clear(f, f.checksum2, 36, true);
  write_flow(0, f);
  load();
  for (unsigned octets = is_unsigned ? 46 : 64; octets <= MOST_OCTETS; octets++) {
    Frame frame;
    frame.valid = true;
    frame.of = f;
    frame.octets = octets;
    frame.is_unsigned = is_unsigned;
    expect(frame);
    clock_checksum(frame);
  }
  pause(LATENCY);
}

// All that is added is as great as it can be, so that every bit of the sum is used.
static void greatest_sums()
{
  Flow f;
  f.ipv6 = f.pseudo = f.zero_is_ffff = true;
  f.l3 = 14;
  f.l4 = 54;
  f.protocol = UDP;
  f.start.assign(78, 0xFF);
  clear(f, f.length2, 58, true);
  clear(f, f.checksum2, 60, true);
  for (unsigned n = 0; n < FIELDS; n++) {
    f.fields[n].octet = 62 + 4 * n;
    f.fields[n].mask = 0xFFFFFFFF;
    f.fields[n].in_checksum2 = true;
    std::fill_n(f.start.begin() + 62 + 4 * n, 4, (uint8_t)0);
  }
  write_flow(FLOWS - 1, f);
  for (int trial = 0; trial < 20; trial++) {
    load();
    for (unsigned octets = MOST_OCTETS - 40; octets <= MOST_OCTETS; octets++) {
      Frame frame;
      frame.valid = frame.tag = frame.any_field = true;
      frame.flow = FLOWS - 1;
      frame.of = f;
      frame.octets = octets;
      frame.sequence = 0xFFFFFFFFFFFF;
      frame.time = 0xFFFFFFFFFF;
      frame.values.fill(0xFFFFFFFF);
      expect(frame);
      clock_checksum(frame);
    }
    pause(LATENCY);
  }
}

// The same for the checksum of an IPv4 header, of 40 octets, so that there is room for four fields.
static void greatest_sums_of_a_header()
{
  Flow f;
  f.l3 = 14;
  f.l4 = 54;
  f.start.assign(78, 0xFF);
  clear(f, f.length1, 16, true);
  clear(f, f.checksum1, 24, true);
  for (unsigned n = 0; n < FIELDS; n++) {
    f.fields[n].octet = 26 + 4 * n;
    f.fields[n].mask = 0xFFFFFFFF;
    f.fields[n].in_checksum1 = true;
    std::fill_n(f.start.begin() + 26 + 4 * n, 4, (uint8_t)0);
  }
  write_flow(FLOWS - 1, f);
  load();
  for (unsigned octets = MOST_OCTETS - 40; octets <= MOST_OCTETS; octets++) {
    Frame frame;
    frame.valid = frame.any_field = true;
    frame.flow = FLOWS - 1;
    frame.of = f;
    frame.octets = octets;
    frame.values.fill(0xFFFFFFFF);
    expect(frame);
    clock_checksum(frame);
  }
  pause(LATENCY);
}

int main(int argc, char **argv)
{
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20260302;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.load = dut.frame_valid = 0;
  dut.flow_length1_we = dut.flow_length2_we = dut.flow_checksum1_we = dut.flow_checksum2_we =
          dut.flow_payload_we = 0;
  reset(dut);
  nothing_is_in_use_when_the_device_is_loaded();
  random_trials();
  payloads_of_every_length(true);
  payloads_of_every_length(false);
  greatest_sums();
  greatest_sums_of_a_header();
  check(zeros_sent > 0 && zeros_kept > 0, "checksums that are 0: %u sent as ffff, %u as 0", zeros_sent,
        zeros_kept);
  return finish("tx_checksum");
}
