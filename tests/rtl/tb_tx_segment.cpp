// SPDX-License-Identifier: Apache-2.0
// tx_segment against frames that are made here octet by octet: TCP header, options and stream. What the module gives is
// OR'ed into an empty frame and must be that one; its sum is that of the words (RFC 1071). Segments in adjacent clocks or
// far apart, of every length, from any sequence number on. An argument is another seed.
#include "tests/rtl/tb.h"
#include "tests/rtl/tcp_words.h"
#include <algorithm>
#include <deque>
#include <vector>

using namespace tb;

static const unsigned SUM_CLOCK = 4, READ = TB_READ, FIELDS = 5, TCP_OCTETS = 20, SEEN_OCTETS = 128;
static const unsigned MOST_OCTETS = (1u << 14) - 256; // so that s mod 256 + n is below 2^14

static Vdut dut;
static Random rng(20261127);
static unsigned met_odd, met_round, met_options;

struct Segment {
  bool valid = false;
  tcp_segment is = {};
};
static std::deque<Segment> given(READ + 1); // [c]: c clocks ago
static tcp_segment summed, shown;           // segment of the last sum, and of all else
static bool any_summed, any_shown;

static void put_big_endian(std::vector<uint8_t> &octets, unsigned at, uint32_t value, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    octets[at + i] = (uint8_t)(value >> 8 * (count - 1 - i));
}

// Octets from the first one of the frame on; what is the flow's is 0.
static std::vector<uint8_t> frame_of(const tcp_segment &s, unsigned header)
{
  const unsigned tcp = header - TCP_OCTETS, words = 5 + (s.mss != 0) + s.scale_is_there;
  std::vector<uint8_t> frame(header + 4 * (words - 5));
  put_big_endian(frame, tcp + 4, s.seq, 4);
  put_big_endian(frame, tcp + 8, s.ack, 4);
  frame[tcp + 12] = (uint8_t)(words << 4); // data offset
  frame[tcp + 13] = s.flags;
  put_big_endian(frame, tcp + 14, s.window, 2);
  if (s.mss) { // RFC 9293 section 3.2: kind 2, 4 octets
    frame[header] = 2, frame[header + 1] = 4;
    put_big_endian(frame, header + 2, s.mss, 2);
  }
  if (s.scale_is_there) // RFC 7323 section 2.2: NOP, kind 3, 3 octets
    frame[header + 4] = 1, frame[header + 5] = 3, frame[header + 6] = 3, frame[header + 7] = s.scale;
  for (unsigned i = 0; i < s.octets; i++)
    frame.push_back((uint8_t)(s.seq + i));
  return frame;
}

static unsigned fold(uint64_t sum)
{
  while (sum >> 16)
    sum = (sum & 0xFFFF) + (sum >> 16);
  return (unsigned)sum;
}

static void check_sum(unsigned header)
{
  uint64_t sum = 0;
  const std::vector<uint8_t> frame = frame_of(summed, header);
  for (unsigned i = 0; i < frame.size(); i++)
    sum += i % 2 ? frame[i] : frame[i] << 8;
  check(fold(dut.sum) == fold(sum), "sum %04x, expected %04x: sequence number %08x, %u octets, flags %x", fold(dut.sum), fold(sum),
        summed.seq, summed.octets, summed.flags);
}

// Checks the first octets of the frame, as tx_inserts puts values there.
static void check_octets(unsigned header)
{
  std::vector<uint8_t> frame(SEEN_OCTETS), expected = frame_of(shown, header);
  const unsigned end = std::min<unsigned>(SEEN_OCTETS, header + shown.octets);
  for (unsigned n = 0; n < FIELDS; n++) {
    unsigned at = 0;
    for (unsigned bit = 0; bit < 7; bit++)
      at |= (unsigned)(dut.field_octets >> (7 * n + bit) & 1) << bit;
    for (unsigned i = 0; i < 4 && check(at + i < SEEN_OCTETS, "field %u at octet %u", n, at); i++)
      frame[at + i] |= (uint8_t)(dut.field_values[n] >> 8 * (3 - i));
  }
  check(dut.stream_end == end, "stream ends at %u, expected %u: header to %u, %u octets", dut.stream_end, end, header, shown.octets);
  for (unsigned at = header; at < dut.stream_end && at < SEEN_OCTETS; at++)
    frame[at] |= (uint8_t)(dut.first + (at - header));
  expected.resize(SEEN_OCTETS);
  for (unsigned at = 0; at < SEEN_OCTETS; at++)
    if (!check(frame[at] == expected[at], "octet %u is %02x, expected %02x: TCP at %u, sequence number %08x, %u octets, flags %x", at,
               frame[at], expected[at], header - TCP_OCTETS, shown.seq, shown.octets, shown.flags))
      break;
}

// One clock, with a segment or none.
static void clock_segment(const Segment &segment)
{
  given.push_front(segment);
  given.pop_back();
  dut.frame_valid = segment.valid;
  tcp_words::put(dut.frame_segment, segment.is);
  dut.read = given[READ].valid;
  tick(dut);
  if (given[SUM_CLOCK - 1].valid)
    summed = given[SUM_CLOCK - 1].is, any_summed = true;
  if (given[READ].valid)
    shown = given[READ].is, any_shown = true;
  if (any_summed)
    check_sum(dut.header);
  if (any_shown)
    check_octets(dut.header);
}

static uint32_t random_number()
{
  return rng.one_in(2) ? (uint32_t)rng.next() : rng.one_in(2) ? (uint32_t)rng.below(300) : 0u - (uint32_t)rng.below(300);
}

static tcp_segment random_segment()
{
  tcp_segment s = {};
  s.seq = random_number();
  s.ack = random_number();
  s.flags = (uint8_t)rng.below(32);
  s.window = (uint16_t)(rng.one_in(4) ? 0xFFFF : rng.next());
  if (rng.one_in(4)) { // a SYN
    s.mss = (uint16_t)rng.between(1, 0xFFFF);
    s.scale_is_there = rng.one_in(2);
    s.scale = s.scale_is_there ? (uint8_t)rng.below(15) : 0;
    met_options++;
  } else if (!rng.one_in(4)) {
    s.octets = (uint16_t)(rng.one_in(40)  ? MOST_OCTETS - 1 - rng.below(2)
                          : rng.one_in(8) ? rng.between(1, MOST_OCTETS - 1)
                                          : rng.between(1, 300));
    met_odd += s.seq % 2;
    met_round += s.seq + s.octets < s.seq;
  }
  return s;
}

static void random_segments()
{
  for (int trial = 0; trial < 300; trial++) {
    const unsigned busy = rng.one_in(2) ? 1 : (unsigned)rng.between(1, 20); // a segment in one of this many clocks
    for (unsigned i = 0; i < 60 + READ; i++)
      clock_segment({i < 60 && rng.one_in(busy), random_segment()});
    dut.header = (uint8_t)(2 * rng.between(17, 60)); // none is on its way
    dut.eval();
  }
}

// Streams begin at even and odd numbers, which the sums of a table answer for.
static void streams_of_every_length()
{
  for (unsigned octets = 0; octets < MOST_OCTETS; octets++) {
    Segment segment = {true, {}};
    segment.is.seq = rng.one_in(2) ? (uint32_t)rng.below(2) : (uint32_t)rng.next();
    segment.is.octets = (uint16_t)octets;
    clock_segment(segment);
  }
}

// All that is added is as great as it can be, so that every bit of the sum is used.
static void greatest_sums()
{
  for (unsigned i = 0; i < 2 * MOST_OCTETS; i++) {
    Segment segment = {true, {}};
    segment.is.seq = 0xFFFFFF00 + (uint32_t)rng.below(256);
    segment.is.ack = 0xFFFFFFFF;
    segment.is.flags = 0x1F;
    segment.is.window = 0xFFFF;
    segment.is.octets = (uint16_t)rng.between(1, MOST_OCTETS - 1);
    clock_segment(segment);
  }
}

int main(int argc, char **argv)
{
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20261127;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.frame_valid = dut.read = 0;
  dut.header = 54;
  dut.clk = 0;
  dut.eval();
  for (unsigned i = 0; i < READ; i++)
    clock_segment({});
  random_segments();
  streams_of_every_length();
  greatest_sums();
  check(met_odd > 500 && met_round > 20 && met_options > 500, "%u odd, %u round, %u with options", met_odd, met_round, met_options);
  return finish("tx_segment");
}
