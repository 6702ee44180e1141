// SPDX-License-Identifier: Apache-2.0
// Counts that the receive side of a port must have, frame by frame, written from the register description.
#pragma once
#include "line_model.h"
#include <map>
#include <set>

namespace line {

struct Config {
  uint8_t run_id = 0x5A;
  unsigned ports = 2;
  unsigned max_frame_octets = 1518;
  unsigned payload_offset = 0; // 0: payloads are not checked
  unsigned short_gap_octets = 12;
  uint64_t histogram_base = 0;
  unsigned histogram_width_log2 = 3;
};

struct Signature {
  uint16_t magic = 0xF9A6;
  uint8_t run = 0;
  unsigned source = 0, destination = 0, entry = 0;
  uint64_t sequence = 0, time_groups = 0;
  bool tag = false;
  unsigned octets = 0;
  std::vector<uint8_t> pack() const {
    std::vector<uint8_t> v{uint8_t(magic >> 8), uint8_t(magic), run, uint8_t(source << 4 | destination), uint8_t(entry)};
    for (int i = 5; i >= 0; i--) v.push_back(sequence >> (8 * i));
    for (int i = 4; i >= 0; i--) v.push_back(time_groups >> (8 * i));
    v.push_back((tag ? 0x80 : 0) | octets >> 8);
    v.push_back(octets);
    return v;
  }
  static Signature unpack(const uint8_t *p) {
    Signature s;
    auto big = [&](int at, int n) {
      uint64_t v = 0;
      for (int i = 0; i < n; i++) v = v << 8 | p[at + i];
      return v;
    };
    s.magic = big(0, 2), s.run = p[2], s.source = p[3] >> 4, s.destination = p[3] & 15, s.entry = p[4];
    s.sequence = big(5, 6), s.time_groups = big(11, 5);
    s.tag = p[16] >> 7, s.octets = big(16, 2) & 0x3FFF;
    return s;
  }
};

struct Stream {
  uint64_t received = 0, lost = 0, duplicated = 0, reordered = 0, late = 0, gaps = 0, next = 0;
  std::set<uint64_t> seen; // numbers seen of the last 64 before next
  uint64_t unexpected = 0, latency_min = UINT64_MAX, latency_max = 0;
  unsigned __int128 latency_sum = 0;
};

constexpr uint64_t MASK48 = (1ull << 48) - 1;

// Everything counted between two clears.
struct Counts {
  uint64_t frames = 0, octets = 0, bad = 0, code = 0, shorts = 0, longs = 0, fcs = 0, foreign = 0, other_run = 0;
  uint64_t wrong_length = 0, bad_payload = 0, wrong_port = 0, received = 0;
  uint64_t lost = 0, duplicated = 0, reordered = 0, late = 0, gaps = 0;
  uint64_t first = 0, last = 0, last_loss = 0, silence_max = 0, silence_time = 0;
  uint64_t latency_frames = 0, latency_min = UINT64_MAX, latency_max = 0, tagged = 0;
  unsigned __int128 latency_sum = 0;
  std::map<unsigned, Stream> streams;
  std::vector<uint64_t> histogram = std::vector<uint64_t>(1024), octaves = std::vector<uint64_t>(1024);
  struct Tag {
    unsigned stream;
    uint64_t latency, time;
  };
  std::vector<Tag> tags;
};

struct Meter {
  uint64_t frames = 0, octets = 0, gaps = 0, min = UINT64_MAX, max = 0, sum = 0, shorts = 0, first = 0, last = 0;
  bool started = false, ended = false;
  uint64_t end = 0, gap = 0; // the end of the last frame; the last gap
};

inline void check_sequence(Counts &c, const Signature &s, uint64_t start_time) {
  Stream &st = c.streams[s.source * 256 + s.entry];
  st.received++;
  if (s.sequence >= st.next && s.sequence - st.next < 1ull << 47) {
    uint64_t passed = s.sequence - st.next;
    if (passed) {
      st.lost += passed, c.lost += passed;
      st.gaps++, c.gaps++;
      c.last_loss = start_time;
    }
    st.next = s.sequence + 1;
    st.seen.insert(s.sequence);
    while (!st.seen.empty() && *st.seen.begin() + 64 < st.next) st.seen.erase(st.seen.begin());
    if (st.next > MASK48) st.next = 0, st.seen.clear(); // a stream that ran out of numbers: nothing is guaranteed
  } else if (s.sequence < st.next && st.next - s.sequence <= 64) {
    if (st.seen.count(s.sequence)) {
      st.duplicated++, c.duplicated++;
    } else {
      st.reordered++, c.reordered++;
      st.lost--, c.lost--;
      st.seen.insert(s.sequence);
    }
  } else {
    st.late++, c.late++;
  }
}

// Bins of a latency, in octet times.
inline size_t linear_bin(const Config &k, uint64_t latency) {
  if (latency < k.histogram_base) return 0;
  uint64_t bin = (latency - k.histogram_base) >> k.histogram_width_log2;
  return bin >= 1022 ? 1023 : bin + 1;
}
inline size_t octave_bin(uint64_t latency) {
  uint64_t groups = latency / 8;
  if (groups < 32) return groups;
  unsigned highest = 0;
  while (groups >> (highest + 1)) highest++;
  uint64_t bin = (highest - 4) * 32 + groups / (1ull << (highest - 5)) - 32;
  return bin > 1023 ? 1023 : bin;
}

template <class T> void add_latency(T &of, uint64_t latency) {
  if (latency < of.latency_min) of.latency_min = latency;
  if (latency > of.latency_max) of.latency_max = latency;
  of.latency_sum += latency;
}

inline void measure(Counts &c, const Config &k, const Signature &s, uint64_t start_time) {
  uint64_t latency = ((start_time / 8 - s.time_groups) & ((1ull << 40) - 1)) * 8;
  c.latency_frames++;
  add_latency(c, latency);
  add_latency(c.streams[s.source * 256 + s.entry], latency);
  c.histogram[linear_bin(k, latency)]++;
  c.octaves[octave_bin(latency)]++;
  if (s.tag) {
    if (c.tags.size() < 512) c.tags.push_back({s.source * 256 + s.entry, latency, start_time});
    c.tagged++;
  }
}

// The stream that a frame names if it is a test frame.
inline unsigned stream_of(const Found &f) {
  if (f.octets.size() < 22) return 0;
  Signature s = Signature::unpack(&f.octets[f.octets.size() - 22]);
  return s.source * 256 + s.entry;
}

// Is there an octet between the offset and the signature that is not one more than the octet before it?
inline bool miscounts(const std::vector<uint8_t> &f, size_t offset) {
  for (size_t i = offset + 1; i + 22 < f.size(); i++)
    if (f[i] != uint8_t(f[i - 1] + 1)) return true;
  return false;
}

// One frame that ended. start_time: octet time of its start character. expected: its stream is expected here, if it is a
// test frame.
inline void count(Counts &c, const Config &k, const Found &f, uint64_t start_time, bool expected) {
  size_t n = f.octets.size();
  bool fcs_good = false;
  if (n >= 4) {
    uint32_t sent = f.octets[n - 4] | f.octets[n - 3] << 8 | f.octets[n - 2] << 16 | uint32_t(f.octets[n - 1]) << 24;
    fcs_good = n <= 16383 && n >= 64 && f.well && fcs({f.octets.begin(), f.octets.end() - 4}) == sent;
  }
  uint64_t *reason = !f.well ? &c.code : n < 64 ? &c.shorts : n > k.max_frame_octets ? &c.longs : !fcs_good ? &c.fcs : nullptr;
  if (reason) {
    c.bad++, ++*reason;
    return;
  }
  c.frames++, c.octets += n;
  Signature s = Signature::unpack(&f.octets[n - 22]);
  const bool counts = !k.payload_offset || !miscounts(f.octets, k.payload_offset);
  uint64_t *other = s.magic != 0xF9A6 || s.source >= k.ports ? &c.foreign
                    : s.run != k.run_id                      ? &c.other_run
                    : s.octets != n                          ? &c.wrong_length
                    : !counts                                ? &c.bad_payload
                    : !expected                              ? &c.wrong_port
                                                             : nullptr;
  if (other == &c.wrong_port) c.streams[s.source * 256 + s.entry].unexpected++;
  if (other) {
    ++*other;
    return;
  }
  if (!c.received) c.first = start_time;
  if (c.received && start_time - c.last > c.silence_max) c.silence_max = start_time - c.last, c.silence_time = c.last;
  c.last = start_time;
  c.received++;
  check_sequence(c, s, start_time);
  measure(c, k, s, start_time);
}

inline void meter_start(Meter &m, const Config &k, const Found &f, uint64_t time) {
  if (!m.started) m.first = time;
  m.started = true;
  m.last = time;
  if (!f.first_start || !m.ended || time == m.end) return;
  uint64_t gap = time - m.end;
  if (gap >> 40) gap = (1ull << 40) - 1;
  m.gap = gap;
  m.gaps++, m.sum += gap;
  if (gap < m.min && gap != (1ull << 40) - 1) m.min = gap;
  if (gap > m.max) m.max = gap;
  if (gap < k.short_gap_octets) m.shorts++;
}

inline void meter_end(Meter &m, const Found &f, uint64_t time) {
  m.ended = true;
  m.end = time;
  if (!f.well) return;
  m.frames++;
  m.octets += f.octets.size() > 16383 ? 16383 : f.octets.size();
}

// The meter sees in one word the end of the open frame, then the frames that begin here, cut ones first. `found` is
// ordered by ends; `at` is a cursor into it, initially 0. octet_time: octet time of a position on the line.
template <class T>
void meter_word(Meter &m, const Config &k, const std::vector<Found> &found, size_t &at, size_t word, size_t number, T octet_time) {
  while (at < found.size() && found[at].end / word < number) at++;
  size_t i = at;
  for (; i < found.size() && found[i].end / word == number && found[i].start / word < number; i++)
    meter_end(m, found[i], octet_time(found[i].end));
  for (; i < found.size() && found[i].start / word == number; i++) {
    meter_start(m, k, found[i], octet_time(found[i].start));
    if (found[i].end / word == number) meter_end(m, found[i], octet_time(found[i].end));
  }
}

} // namespace line
