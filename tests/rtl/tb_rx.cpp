// SPDX-License-Identifier: Apache-2.0
// rx against the model of rx_model.h: every scalar in every clock, every table at snapshots in random clocks, every frame
// that is kept for the host.
#include "Vdut.h"
#include "rx_mail_host.h"
#include "rx_traffic.h"
#include "verilated.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <numeric>

using namespace line;

static constexpr size_t WORD = sizeof(std::declval<Vdut>().line_data);
// Clocks from a word on the line to the clock in which its content is decided or (at the end of the clock) committed;
// LOOK: its stream is looked up in the table of expected streams, as it was before that clock.
static constexpr uint64_t LOOK = 8, ENTER = 10, COMMIT = 15, METER = 3, METER_COMMIT = 5;
static unsigned failures;

static bool same(const char *name, uint64_t is, uint64_t should, uint64_t clock) {
  if (is == should) return true;
  if (failures++ < 20)
    fprintf(stderr, "clock %llu: %s is %llu, should be %llu\n", (unsigned long long)clock, name, (unsigned long long)is,
            (unsigned long long)should);
  return false;
}

struct Bench {
  std::unique_ptr<Vdut> d{new Vdut};
  Config k;
  uint64_t clock = 0, snapshots = 0, frames_seen = 0, adjacent = 0;
  Counts counts;
  Meter meter, meter_shown;
  struct Commit {
    uint64_t clock;
    const Found *f;
    uint64_t time;
    bool expected;
  };
  std::deque<Commit> commits;
  uint64_t expected_writes = 0;
  std::vector<uint32_t> expected = std::vector<uint32_t>(128); // streams expected here
  std::deque<std::pair<uint64_t, Meter>> meter_commits;
  MailHost mail;
  Rng mail_random{1};
  // The frozen state, and how much of it has been read.
  Counts frozen;
  bool frozen_valid = false, stale = false;
  std::vector<std::pair<int, unsigned>> reads; // 0 stream, 1 histogram, 2 octaves, 3 gaps
  // Gaps by length: shown, and frozen, which their table is two clocks after the snapshot (gap_histogram.v).
  std::vector<uint64_t> gap_bins = std::vector<uint64_t>(1024), frozen_gap_bins;
  uint64_t snapshot_clock = 0;
  bool asks_gap = false;

  void configure() {
    d->cfg_run_id = k.run_id;
    d->cfg_short_gap_octets = k.short_gap_octets;
    d->cfg_max_frame_octets = k.max_frame_octets;
    d->cfg_payload_offset = k.payload_offset;
    d->cfg_histogram_base = k.histogram_base;
    d->cfg_histogram_width_log2 = k.histogram_width_log2;
    d->cfg_mail_filter = mail.filter;
  }

  void compare_scalars() {
    const Counts &c = counts;
    const Meter &m = meter_shown;
#define SAME(name, value) same(#name, d->name, value, clock)
    SAME(rx_frames, c.frames), SAME(rx_octets, c.octets), SAME(rx_bad_frames, c.bad), SAME(rx_bad_code_frames, c.code);
    SAME(rx_bad_short_frames, c.shorts), SAME(rx_bad_long_frames, c.longs), SAME(rx_bad_fcs_frames, c.fcs);
    SAME(rx_foreign_frames, c.foreign), SAME(rx_other_run_frames, c.other_run);
    SAME(rx_wrong_length_frames, c.wrong_length), SAME(rx_bad_payload_frames, c.bad_payload);
    SAME(rx_wrong_port_frames, c.wrong_port);
    SAME(rx_received_frames, c.received), SAME(rx_lost_frames, c.lost), SAME(rx_duplicated_frames, c.duplicated);
    SAME(rx_reordered_frames, c.reordered), SAME(rx_late_frames, c.late), SAME(rx_sequence_gaps, c.gaps);
    SAME(rx_first_time, c.first), SAME(rx_last_time, c.last), SAME(rx_last_loss_time, c.last_loss);
    SAME(rx_silence_max, c.silence_max), SAME(rx_silence_time, c.silence_time);
    SAME(rx_latency_frames, c.latency_frames), SAME(rx_latency_min, c.latency_min), SAME(rx_latency_max, c.latency_max);
    SAME(rx_latency_sum, uint64_t(c.latency_sum)), SAME(rx_latency_sum_high, uint64_t(c.latency_sum >> 64));
    SAME(rx_tagged_frames, c.tagged);
    SAME(rx_gaps, m.gaps), SAME(rx_gap_min_octets, m.min), SAME(rx_gap_max_octets, m.max);
    SAME(rx_gap_sum_octets, m.sum), SAME(rx_short_gaps, m.shorts);
#undef SAME
  }

  static constexpr int STREAM_COUNTS = 12;
  void compare_stream() {
    unsigned i = d->stream_index;
    auto it = frozen.streams.find(i);
    Stream s = it == frozen.streams.end() ? Stream{} : it->second;
    uint64_t should[STREAM_COUNTS] = {s.received,    s.lost,        s.duplicated,  s.reordered,
                                      s.late,        s.gaps,        s.next,        s.unexpected,
                                      s.latency_min, s.latency_max, uint64_t(s.latency_sum), uint64_t(s.latency_sum >> 64)};
    static const char *const names[STREAM_COUNTS] = {
        "stream received",    "stream lost",        "stream duplicated",  "stream reordered",
        "stream late",        "stream gaps",        "stream next",        "stream unexpected",
        "stream latency_min", "stream latency_max", "stream latency_sum", "stream latency_sum_high"};
    for (int n = 0; n < STREAM_COUNTS; n++) {
      const int low = 2 * (STREAM_COUNTS - 1 - n); // the first one is highest
      uint64_t v = d->stream_count[low] | uint64_t(d->stream_count[low + 1]) << 32;
      if (!same(names[n], v, should[n], clock)) fprintf(stderr, "  stream %u\n", i);
    }
    // next = received - duplicated - late + lost, modulo the width
    if (((s.received - s.duplicated - s.late + s.lost) & MASK48) != s.next) {
      fprintf(stderr, "the model broke its own identity in stream %u\n", i);
      failures++;
    }
  }

  void compare_bin(const char *name, const std::vector<uint64_t> &bins, unsigned bin, uint64_t is) {
    if (!same(name, is, bins[bin], clock)) fprintf(stderr, "  bin %u\n", bin);
  }

  // The counts that a host finds in one snapshot must add up; the tables and scalars read are compared with this same
  // model.
  void check_sums() {
    uint64_t unexpected = 0, linear = 0, octaves = 0;
    unsigned __int128 latency = 0;
    for (auto &s : frozen.streams) unexpected += s.second.unexpected, latency += s.second.latency_sum;
    for (unsigned i = 0; i < 1024; i++) linear += frozen.histogram[i], octaves += frozen.octaves[i];
    same("sum of unexpected", unexpected, frozen.wrong_port, clock);
    same("sum of latency sums", uint64_t(latency), uint64_t(frozen.latency_sum), clock);
    same("sum of histogram", linear, frozen.latency_frames, clock);
    same("sum of octaves", octaves, frozen.latency_frames, clock);
    same("sum of gaps", std::accumulate(frozen_gap_bins.begin(), frozen_gap_bins.end(), uint64_t{0}), d->rx_gaps, clock);
  }

  // One clock: `in` is what the line carries; strobes are set by the caller.
  void tick(const Octet *in, uint64_t word_time) {
    uint8_t data[WORD], ctrl[WORD / 8] = {};
    for (size_t i = 0; i < WORD; i++) {
      data[i] = in[i].data;
      ctrl[i / 8] |= in[i].ctrl << (i % 8);
    }
    memcpy(&d->line_data, data, WORD);
    memcpy(&d->line_ctrl, ctrl, WORD / 8);
    d->word_time = word_time;
    const int kind = reads.empty() ? -1 : reads.back().first;
    d->stream_req = kind == 0;
    d->histogram_req = kind == 1;
    d->octave_histogram_req = kind == 2;
    asks_gap = kind == 3 && (asks_gap || clock > snapshot_clock + 3);
    d->gap_histogram_req = asks_gap;
    if (kind == 0) d->stream_index = reads.back().second;
    if (kind == 1) d->histogram_index = reads.back().second;
    if (kind == 2) d->octave_histogram_index = reads.back().second;
    if (kind == 3) d->gap_histogram_index = reads.back().second;
    mail.drive(*d, mail_random, clock);
    d->eval();
    mail.check(*d, mail_random, clock, same);
    if (d->stream_ack || d->histogram_ack || d->octave_histogram_ack || d->gap_histogram_ack) {
      bool check = frozen_valid && !stale;
      stale = false;
      if (check && d->stream_ack) compare_stream();
      if (check && d->histogram_ack) compare_bin("histogram", frozen.histogram, d->histogram_index, d->histogram_count);
      if (check && d->octave_histogram_ack)
        compare_bin("octaves", frozen.octaves, d->octave_histogram_index, d->octave_histogram_count);
      if (check && d->gap_histogram_ack)
        compare_bin("gaps by length", frozen_gap_bins, d->gap_histogram_index, d->gap_histogram_count);
      asks_gap = false;
      reads.pop_back();
    }
    compare_scalars();
    if (d->snapshot) {
      snapshots++;
      frozen = counts;
      frozen_gap_bins = gap_bins;
      snapshot_clock = clock;
      frozen_valid = true;
      check_sums();
    }
  }

  void edge(bool cleared) {
    Commit stranger{};
    while (!commits.empty() && commits.front().clock <= clock) {
      const uint64_t foreign = counts.foreign;
      if (commits.front().clock == clock) count(counts, k, *commits.front().f, commits.front().time, commits.front().expected);
      if (counts.foreign != foreign) stranger = commits.front();
      commits.pop_front();
    }
    while (!meter_commits.empty() && meter_commits.front().first <= clock) {
      // At most one gap is measured per clock.
      if (meter_commits.front().second.gaps != meter_shown.gaps)
        gap_bins[std::min<uint64_t>(meter_commits.front().second.gap, 1023)]++;
      meter_shown = meter_commits.front().second;
      meter_commits.pop_front();
    }
    if (cleared) {
      counts = Counts();
      commits.clear();
    }
    if (cleared || d->busy) {
      meter = meter_shown = Meter();
      gap_bins.assign(1024, 0);
      meter_commits.clear();
    }
    d->clk = 1;
    d->eval();
    d->clk = 0;
    if (cleared) mail.cleared();
    else if (stranger.f) mail.counted(*stranger.f, stranger.time, clock, d->rx_mail_overflow_frames);
    clock++;
  }

  // A read in progress when the snapshot comes must be held to its end; its value may belong to either snapshot.
  void drop_reads() {
    stale = !reads.empty();
    reads.erase(reads.begin(), reads.end() - stale);
  }

  void plan_reads(Rng &r, bool whole) {
    drop_reads();
    std::vector<std::pair<int, unsigned>> pending;
    pending.swap(reads);
    if (whole) {
      for (unsigned i = 0; i < 1024; i++) reads.push_back({1, i}), reads.push_back({2, i}), reads.push_back({3, i});
      for (unsigned i = 0; i < 256 * k.ports; i++) reads.push_back({0, i});
      reads.push_back({0, 4095});
    } else {
      for (int i = 0; i < 60; i++) {
        if (r.chance(500)) reads.push_back({int(r.range(1, 3)), unsigned(r.chance(300) ? r.below(64) : r.below(1024))});
        else if (r.chance(900)) reads.push_back({0, unsigned(r.below(k.ports) * 256 + r.below(6))});
        else reads.push_back({0, unsigned(r.below(4096))});
      }
    }
    if (!pending.empty()) reads.push_back(pending[0]);
  }

  void reset() {
    d->rst = 1, d->clear = 0, d->snapshot = 0, d->clk = 0;
    std::vector<Octet> idle(WORD, {IDLE, true});
    configure();
    for (int i = 0; i < 4; i++) tick_quiet(idle);
    d->rst = 0;
    for (int i = 0; i < 2000; i++) tick_quiet(idle);
    failures = d->busy ? failures + 1 : failures;
    clock = 0;
  }
  void tick_quiet(const std::vector<Octet> &idle) {
    for (size_t i = 0; i < WORD; i++) ((uint8_t *)&d->line_data)[i] = idle[i].data;
    memset(&d->line_ctrl, 0xFF, WORD / 8);
    d->eval(), d->clk = 1, d->eval(), d->clk = 0;
  }

  bool is_expected(unsigned stream) const { return expected[stream / 32] >> (stream % 32) & 1; }

  // Now and then a word of the table of expected streams is written; most streams are expected.
  void write_expected(Rng &r, bool now) {
    d->expected_we = now;
    if (!now) return;
    d->expected_word = r.chance(900) ? r.below(k.ports) * 8 + (r.chance(800) ? 0 : r.below(8)) : r.below(128);
    d->expected_data = r.chance(700) ? ~(1u << r.below(32)) : r.chance(500) ? r.next() : 0;
    if (d->expected_data == 0 && r.chance(800)) d->expected_data = 0x3F;
    expected_writes++;
  }

  // Plays the line, with snapshots and clears in random clocks.
  void play(Traffic &t, unsigned clears) {
    Encoder &e = t.e;
    e.align(WORD);
    e.idle(40 * WORD);
    std::vector<Found> found = read(e.octets, WORD);
    size_t words = e.position() / WORD;
    uint64_t origin = clock, last_end_word = SIZE_MAX;
    std::vector<uint64_t> time = t.word_times();
    auto octet_time = [&](size_t p) { return time[p / WORD] * WORD + p % WORD; };
    size_t meter_at = 0, look_at = 0, enter_at = 0;
    std::vector<bool> expected_then(found.size());
    Rng &r = t.r;
    uint64_t next_snapshot = clock + r.below(300);
    std::set<uint64_t> clear_clocks;
    for (unsigned i = 0; i < clears; i++) clear_clocks.insert(origin + r.below(words));
    for (size_t w = 0; w < words; w++) {
      d->snapshot = clock == next_snapshot;
      d->clear = clear_clocks.count(clock);
      write_expected(r, w < 128 || r.chance(20));
      if (w < 128) // the whole table first
        d->expected_word = w, d->expected_data = w % 8 ? r.next() : 0xFFFFFFFF;
      bool clear = d->clear;
      if (clear) frozen_valid = false, drop_reads(), next_snapshot = clock + 1 + r.below(3000);
      tick(&e.octets[w * WORD], time[w]);
      bool hold = clear || d->busy;
      if (d->snapshot) {
        bool whole = r.chance(150);
        plan_reads(r, whole);
        next_snapshot = clock + (r.chance(200) ? r.range(1, 4) : r.range(20, whole ? 20000 : 1500));
      }
      for (; look_at < found.size() && origin + found[look_at].end / WORD + LOOK <= clock; look_at++)
        expected_then[look_at] = is_expected(stream_of(found[look_at]));
      if (d->expected_we) expected[d->expected_word] = d->expected_data;
      // Frames whose last word was ENTER clocks ago have entered, or will never be counted.
      for (; enter_at < found.size() && origin + found[enter_at].end / WORD + ENTER <= clock; enter_at++) {
        if (hold) continue;
        uint64_t word = found[enter_at].end / WORD;
        if (!found[enter_at].cut) adjacent += word == last_end_word + 1, last_end_word = word, frames_seen++;
        commits.push_back({clock + COMMIT - ENTER, &found[enter_at], octet_time(found[enter_at].start),
                           expected_then[enter_at]});
      }
      // The meter sees a word METER clocks later: its ends and starts in order.
      uint64_t seen = clock - origin - METER;
      if (clock - origin >= METER) {
        meter_word(meter, k, found, meter_at, WORD, seen, octet_time);
        meter_commits.push_back({clock + METER_COMMIT - METER, meter});
      }
      edge(clear);
    }
    commits.clear();
  }

  void check_tags() {
    for (unsigned i = 0; i < 512; i++) {
      std::vector<Octet> idle(WORD, {IDLE, true});
      d->tag_index = i;
      for (int n = 0; n < 2; n++) tick_quiet(idle);
      Counts::Tag t = i < counts.tags.size() ? counts.tags[i] : Counts::Tag{0, 0, 0};
      same("tag stream", d->tag_stream, t.stream, clock);
      same("tag latency", d->tag_latency, t.latency, clock);
      same("tag time", d->tag_time, t.time, clock);
    }
  }
};

// Frames of one stream that end in adjacent clocks, including losses, duplicates and late arrivals.
static void one_stream_in_neighbouring_clocks(Traffic &t) {
  static const uint64_t order[] = {0, 1, 1, 2, 5, 4, 3, 3, 70, 6, 7, 69, 68, 69, 71, 135, 71, 72, 70, 200, 136, 137, 135, 201};
  for (int round = 0; round < 8; round++)
    for (uint64_t n : order) {
      Signature s;
      s.run = t.k.run_id, s.entry = 3, s.octets = 64, s.tag = round == 3;
      s.sequence = n + 150 * round, s.time_groups = 5;
      t.send(s, 64);
      t.gap(round % 2 ? 5 : 12);
    }
}

static void random_run(uint64_t seed, size_t octets, unsigned clears) {
  Bench b;
  Rng r(seed);
  b.k.max_frame_octets = r.chance(300) ? 16383 : r.chance(500) ? 1518 : r.range(100, 2000);
  b.k.histogram_width_log2 = r.chance(300) ? 3 : r.range(3, 31);
  b.k.histogram_base = r.chance(300) ? 0 : r.below(1 << 20) * 8;
  b.k.short_gap_octets = r.range(0, 20);
  b.k.run_id = r.next();
  b.k.payload_offset = seed % 3 ? r.range(1, 60) : 0;
  b.mail.filter = seed % 4 == 2 ? 0 : seed % 4 == 1 ? 16 + 4 + 2 : 16 + 8;
  Traffic t(seed, b.k, WORD);
  b.reset();
  t.e.idle(WORD);
  one_stream_in_neighbouring_clocks(t);
  if (seed % 2) t.monster(16380 + r.below(30)), t.monster(40000);
  while (t.e.position() < octets) t.stretch();
  b.play(t, clears);
  b.check_tags();
  printf("seed %llu: %llu clocks, %llu frames (%llu in adjacent clocks), %llu snapshots; received %llu lost %llu dup %llu "
         "reordered %llu late %llu, bad %llu, tagged %llu; of %llu foreign read %llu in %llu words, %llu without room\n",
         (unsigned long long)seed, (unsigned long long)b.clock, (unsigned long long)b.frames_seen,
         (unsigned long long)b.adjacent, (unsigned long long)b.snapshots, (unsigned long long)b.counts.received,
         (unsigned long long)b.counts.lost, (unsigned long long)b.counts.duplicated, (unsigned long long)b.counts.reordered,
         (unsigned long long)b.counts.late, (unsigned long long)b.counts.bad, (unsigned long long)b.counts.tagged, (unsigned long long)b.counts.foreign,
         (unsigned long long)b.mail.read, (unsigned long long)b.mail.words_read, (unsigned long long)b.mail.overflow);
  // A test that did not meet the hard cases proves nothing.
  if (!clears && (!b.counts.lost || !b.counts.duplicated || !b.counts.reordered || !b.counts.late || !b.counts.fcs ||
                  !b.counts.code || !b.counts.foreign || !b.counts.wrong_port ||
                  !b.counts.bad_payload != !b.k.payload_offset || !b.mail.read != !b.mail.filter || (WORD == 64 && !b.adjacent))) {
    fprintf(stderr, "seed %llu: not every kind of fault occurred\n", (unsigned long long)seed);
    failures++;
  }
}

// A clear in any clock after the only frame leaves nothing of it behind: the streams can be read, and are 0.
static void nothing_is_left_after_a_clear() {
  for (unsigned after = 0; after < 24; after++) {
    Bench b;
    Traffic t(1, b.k, WORD);
    Signature s;
    s.run = b.k.run_id, s.entry = 3, s.octets = 64, s.tag = false, s.sequence = 0, s.time_groups = 5;
    b.reset();
    t.e.idle(WORD);
    t.send(s, 64);
    t.e.align(WORD);
    const unsigned words = t.e.position() / WORD;
    const std::vector<Octet> idle(WORD, {IDLE, true});
    unsigned clocks = 0;
    for (; clocks < words; clocks++) {
      uint8_t *data = (uint8_t *)&b.d->line_data, *ctrl = (uint8_t *)&b.d->line_ctrl;
      memset(ctrl, 0, WORD / 8);
      for (size_t i = 0; i < WORD; i++) {
        const Octet &octet = t.e.octets[clocks * WORD + i];
        data[i] = octet.data, ctrl[i / 8] |= octet.ctrl << i % 8;
      }
      b.d->eval(), b.d->clk = 1, b.d->eval(), b.d->clk = 0;
    }
    for (unsigned i = 0; i < after; i++) b.tick_quiet(idle);
    b.d->clear = 1, b.tick_quiet(idle), b.d->clear = 0;
    for (clocks = 0; clocks < 20000 && b.d->busy; clocks++) b.tick_quiet(idle);
    b.d->snapshot = 1, b.tick_quiet(idle), b.d->snapshot = 0;
    b.d->stream_req = 1, b.d->stream_index = 3;
    for (clocks = 0; clocks < 20 && !b.d->stream_ack; clocks++) b.tick_quiet(idle), b.d->eval();
    same("answer to a read after a clear", b.d->stream_ack, 1, after);
    const uint32_t *count = (const uint32_t *)&b.d->stream_count;
    same("received after a clear", count[22], 0, after);
    same("unexpected after a clear", count[8], 0, after);
    b.d->stream_req = 0;
  }
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1, n = argc > 2 ? strtoull(argv[2], nullptr, 0) : 8;
  for (uint64_t seed = first; seed < first + n && !failures; seed++)
    random_run(seed, 64 * 60000, seed % 4 == 3 ? 6 : 0);
  nothing_is_left_after_a_clear();
  printf(failures ? "FAILED\n" : "passed\n");
  return failures ? 1 : 0;
}
