// SPDX-License-Identifier: Apache-2.0
// The transmit side of a port against tx_model.h: every octet of every frame on the line, every start to the octet
// time, over sizes, gaps, rational rates, bursts, limits, tags, faults, destinations, restarts and skipped time.
#include "tests/rtl/tb_line.h"
#include "tests/rtl/tx_model.h"
#include <algorithm>
#include <cinttypes>

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif
#ifndef TB_PORT
#define TB_PORT 0
#endif
static const unsigned OCTETS = 8 * TB_GROUPS;
static const unsigned STOP_REACH_WORDS = 12; // a stop strobe lets frames pass that are this many words from the line
static const unsigned START_WORDS = 15;      // start_word, from the word of the strobe

static Vdut dut;
static uint64_t word_time = 1000;
static LineDecoder line;
static Random random_(20260102);
static std::array<TxDestination, 256> table;
static std::array<uint64_t, 256> sequence;
static uint64_t bad_fcs_frames, clocks;

static void clock_words(uint32_t skip = 0) {
  dut.skip_words = skip;
  tick(dut);
  clocks++;
  word_time += 1 + skip;
  dut.word_time = word_time;
  dut.skip_words = 0;
  dut.eval();
  uint8_t data[64];
  get_octets(dut.line_data, data, OCTETS);
  line.word(word_time * OCTETS, data, get_u64(dut.line_ctrl), OCTETS);
}

static void write_destination(unsigned index) {
  TxDestination &d = table[index];
  for (auto &octet : d.header)
    octet = (uint8_t)random_.next();
  d.port = (unsigned)random_.below(16);
  dut.dest_index = (uint8_t)index;
  dut.dest_we = 1;
  dut.dest_port = (uint8_t)d.port;
  clock_words();
  dut.dest_we = 0;
  dut.header_we = 1;
  for (unsigned w = 0; w < 16; w++) {
    dut.header_word = (uint8_t)w;
    memcpy(&dut.header_data, &d.header[4 * w], 4);
    clock_words();
  }
  dut.header_we = 0;
}

static void configure(const TxSettings &s) {
  dut.cfg_run_id = (uint8_t)s.run_id;
  dut.cfg_frame_octets = (uint16_t)s.frame_octets;
  dut.cfg_gap_octets = s.gap_octets;
  dut.cfg_gap_numerator = (uint32_t)s.gap_numerator;
  dut.cfg_gap_denominator = (uint32_t)s.gap_denominator;
  dut.cfg_burst_frames = (uint32_t)s.burst_frames;
  dut.cfg_burst_gap_octets = s.burst_gap_octets;
  dut.cfg_stop_frames = s.stop_frames;
  dut.cfg_duration = s.duration;
  dut.cfg_destinations = (uint16_t)s.destinations;
  dut.cfg_random = s.random;
  dut.cfg_seed = s.seed;
  dut.cfg_payload_offset = (uint8_t)s.payload_offset;
  dut.cfg_tag_enable = s.tag_enable;
  dut.cfg_tag_first = s.tag_first;
  dut.cfg_tag_interval = s.tag_interval;
  dut.cfg_bad_fcs_every = s.bad_fcs_every;
}

// Settings are latched at the start: writing them during a trial must not affect it.
static void scramble_settings() {
  TxSettings s;
  s.run_id = 0x5A;
  s.frame_octets = 777;
  s.gap_octets = 99;
  s.gap_numerator = 3;
  s.gap_denominator = 7;
  s.burst_frames = 2;
  s.stop_frames = 1;
  s.duration = 9;
  s.destinations = 200;
  s.random = true;
  s.tag_enable = true;
  s.bad_fcs_every = 1;
  s.payload_offset = 3;
  configure(s);
}

struct Trial {
  uint64_t origin_ot, stop_word; // stop_word: word_time of the stop strobe, 0 if there was none
  std::vector<LineFrame> frames;
};

// Runs until the port has done its frames, or strobes stop after stop_clocks. skip: use idle_words at random.
static Trial run(const TxSettings &s, uint64_t stop_clocks = 0, bool skip = false) {
  Trial trial{};
  line.frames.clear();
  configure(s);
  dut.cfg_enable = 1;
  dut.start = 1;
  uint64_t strobe_word = word_time;
  clock_words();
  dut.start = 0;
  scramble_settings();
  check(dut.start_word == strobe_word + START_WORDS, "start_word %" PRIu64 " after a strobe at %" PRIu64,
        (uint64_t)dut.start_word, strobe_word);
  trial.origin_ot = (uint64_t)dut.start_word * OCTETS;
  check(dut.sending, "not sending after start");
  uint64_t begin = clocks;
  while (dut.sending && clocks - begin < 200000) {
    if (stop_clocks && clocks - begin == stop_clocks) {
      dut.stop = 1;
      trial.stop_word = word_time;
      clock_words();
      dut.stop = 0;
      continue;
    }
    uint32_t words = skip && dut.idle ? dut.idle_words : 0;
    clock_words(words && words != 0xFFFFFFFF ? (uint32_t)random_.between(0, words) : 0);
  }
  if (!check(!dut.sending, "still sending"))
    exit(finish("tx")); // nothing that follows would mean anything
  for (int i = 0; i < 10; i++)
    clock_words();
  check(dut.idle && !line.in_frame(), "not idle after a trial");
  trial.frames = line.frames;
  return trial;
}

static void check_frames(const char *name, const TxSettings &s, const Trial &trial) {
  TxModel model(s);
  TxExpected expected;
  size_t n = 0;
  while (model.next(expected)) {
    uint64_t start_ot = trial.origin_ot + expected.start_ot;
    if (trial.stop_word && start_ot / OCTETS > trial.stop_word + STOP_REACH_WORDS)
      break;
    if (!check(n < trial.frames.size(), "%s, %u octets: %zu frames, more expected", name, s.frame_octets,
               trial.frames.size()))
      return;
    const LineFrame &frame = trial.frames[n];
    check(frame.start_ot == start_ot, "%s, %u octets: frame %zu starts at %" PRIu64 ", expected %" PRIu64, name,
          s.frame_octets, n, frame.start_ot - trial.origin_ot, expected.start_ot);
    auto octets =
        tx_frame(s, expected, frame.start_ot, table[expected.destination], TB_PORT, sequence[expected.destination]++);
    bad_fcs_frames += expected.bad_fcs;
    if (!check(frame.octets == octets, "%s, %u octets: contents of frame %zu (destination %u, start group %u)", name,
               s.frame_octets, n, expected.destination, (unsigned)(frame.start_ot / 8 % TB_GROUPS)) &&
        failures() < 3) {
      auto at = std::mismatch(frame.octets.begin(), frame.octets.end(), octets.begin(), octets.end());
      fprintf(stderr, "  %zu octets, first difference at %zd\n", frame.octets.size(), at.first - frame.octets.begin());
    }
    check(frame.terminate_ot == frame.start_ot + 8 + s.frame_octets, "%s: terminate of frame %zu", name, n);
    n++;
  }
  check(n == trial.frames.size(), "%s, %u octets: %zu frames, expected %zu", name, s.frame_octets, trial.frames.size(),
        n);
  check(dut.bad_fcs_frames == bad_fcs_frames, "%s: bad_fcs_frames %" PRIu64 ", expected %" PRIu64, name,
        (uint64_t)dut.bad_fcs_frames, bad_fcs_frames);
}

static void trial(const char *name, const TxSettings &s, uint64_t stop_clocks = 0, bool skip = false) {
  check_frames(name, s, run(s, stop_clocks, skip));
}

// Checks only the gaps: the smallest, and that the average is exact over whole patterns of 8 frames.
static void check_gaps(const TxSettings &s, const Trial &trial, uint64_t smallest) {
  uint64_t sum = 0, count = 0;
  for (size_t n = 1; n < trial.frames.size(); n++) {
    uint64_t gap = trial.frames[n].start_ot - trial.frames[n - 1].terminate_ot;
    check(gap >= smallest, "%u octets, gap %" PRIu64 ": a gap of %" PRIu64, s.frame_octets, s.gap_octets, gap);
    sum += gap;
    if (++count % 8 == 0)
      check(sum == count * s.gap_octets, "%u octets: %" PRIu64 " gaps have %" PRIu64 " octets", s.frame_octets, count,
            sum);
  }
}

static void every_size_at_line_rate() {
  for (unsigned gap = 11; gap <= 12; gap++)
    for (unsigned size = 54; size <= 1600; size += size < 300 || gap == 12 ? 1 : 13) {
      TxSettings s;
      s.frame_octets = size;
      s.gap_octets = gap;
      s.stop_frames = size < 300 ? 33 : 17;
      s.destinations = (unsigned)random_.between(1, 5);
      s.payload_offset = (unsigned)random_.below(65);
      s.run_id = (unsigned)random_.below(256);
      Trial t = run(s);
      check_frames("every size", s, t);
      check_gaps(s, t, gap - 7);
    }
  for (unsigned size : {2047u, 2048u, 4095u, 9000u, 9215u, 9216u, 9217u, 16383u}) {
    TxSettings s;
    s.frame_octets = size;
    s.stop_frames = 17;
    Trial t = run(s);
    check_frames("large", s, t);
    check_gaps(s, t, 5);
  }
}

static void rational_rates() {
  for (int i = 0; i < 200; i++) {
    TxSettings s;
    s.frame_octets = (unsigned)random_.between(54, 400);
    s.gap_octets = random_.between(11, random_.one_in(4) ? 5000 : 100);
    s.gap_denominator = random_.one_in(3) ? random_.between(1, 20) : random_.between(1, 0xFFFFFFFF);
    s.gap_numerator = random_.below(s.gap_denominator);
    if (random_.one_in(5))
      s.gap_numerator = s.gap_denominator - 1;
    s.stop_frames = 200;
    trial("rational rate", s, 0, random_.one_in(2));
  }
}

static void bursts() {
  for (int i = 0; i < 100; i++) {
    TxSettings s;
    s.frame_octets = (unsigned)random_.between(54, 200);
    s.burst_frames = random_.between(1, 9);
    s.burst_gap_octets = random_.between(11, random_.one_in(2) ? 40 : 3000);
    s.stop_frames = random_.between(1, 60);
    if (random_.one_in(2)) {
      s.gap_denominator = random_.between(2, 1000);
      s.gap_numerator = random_.below(s.gap_denominator);
    }
    trial("bursts", s, 0, random_.one_in(2));
  }
}

static void durations_and_counts() {
  for (int i = 0; i < 200; i++) {
    TxSettings s;
    s.frame_octets = (unsigned)random_.between(54, 130);
    s.duration = random_.between(1, 4000);
    if (random_.one_in(4))
      s.gap_octets = random_.between(11, 3000);
    if (random_.one_in(4)) // ends exactly where a frame would start
      s.duration = tx_ideal_start(s, random_.between(1, 20)) + random_.below(17) - 8;
    if (random_.one_in(3))
      s.stop_frames = random_.between(1, 40);
    trial("duration", s, 0, random_.one_in(3));
  }
}

static void tags_and_faults() {
  for (int i = 0; i < 100; i++) {
    TxSettings s;
    s.frame_octets = (unsigned)random_.between(54, 130);
    s.gap_octets = random_.between(11, random_.one_in(2) ? 12 : 500);
    s.stop_frames = random_.between(1, 150);
    s.tag_enable = !random_.one_in(8);
    s.tag_first = random_.below(4000);
    s.tag_interval = random_.one_in(4) ? 0 : random_.between(1, 1500);
    s.bad_fcs_every = (uint32_t)random_.below(6);
    trial("tags and faults", s, 0, random_.one_in(3));
  }
}

static void destinations() {
  for (int i = 0; i < 60; i++) {
    TxSettings s;
    s.destinations = random_.one_in(5) ? 256 : (unsigned)random_.between(1, 256);
    s.random = random_.one_in(2);
    s.seed = random_.one_in(5) ? 0 : (uint32_t)random_.next();
    s.stop_frames = 600;
    trial("destinations", s);
    trial("destinations again", s); // the same draw from the same seed; sequence numbers continue
  }
}

static void stop_strobes() {
  for (int i = 0; i < 150; i++) {
    TxSettings s;
    s.frame_octets = (unsigned)random_.between(54, 300);
    if (random_.one_in(2))
      s.gap_octets = random_.between(11, 2000);
    trial("stop", s, random_.between(1, 200), random_.one_in(3));
  }
}

static void sparse_frames_with_skipped_time() {
  TxSettings s;
  s.gap_octets = 50000000;
  s.gap_numerator = 1;
  s.gap_denominator = 3;
  s.stop_frames = 50;
  s.destinations = 7;
  uint64_t before = clocks;
  trial("skipped", s, 0, true);
  check(clocks - before < 100000, "nothing was skipped: %" PRIu64 " clocks", clocks - before);
  s.gap_octets = (1ull << 40) - 1; // the largest
  s.stop_frames = 4;
  trial("largest gap", s, 0, true);
  s.stop_frames = 0;
  s.duration = 5ull << 40;
  trial("duration over the largest gaps", s, 0, true);
}

static void ignores_start_while_sending_and_when_disabled() {
  TxSettings s;
  s.stop_frames = 100;
  line.frames.clear();
  configure(s);
  dut.cfg_enable = 0;
  dut.start = 1;
  clock_words();
  dut.start = 0;
  for (int i = 0; i < 100; i++)
    clock_words();
  check(line.frames.empty() && !dut.sending && dut.idle_words == 0xFFFFFFFF, "a disabled port sends");

  dut.cfg_enable = 1;
  dut.start = 1;
  Trial t{};
  t.origin_ot = (word_time + START_WORDS) * OCTETS;
  clock_words();
  scramble_settings();
  for (int i = 0; i < 40; i++) // start stays high: it must act only once
    clock_words();
  dut.start = 0;
  while (dut.sending)
    clock_words();
  t.frames = line.frames;
  check_frames("start while sending", s, t);

  dut.start = dut.stop = 1; // both at once: no frame
  line.frames.clear();
  configure(s);
  clock_words();
  dut.start = dut.stop = 0;
  for (int i = 0; i < 100; i++)
    clock_words();
  check(line.frames.empty() && !dut.sending, "start with stop sends");
}

static uint64_t read_frozen(unsigned index) {
  dut.stream_req = 1;
  dut.stream_index = (uint8_t)index;
  dut.eval();
  for (int i = 0; i < 1000 && !dut.stream_ack; i++)
    clock_words();
  check(dut.stream_ack, "no answer to a read of entry %u", index);
  uint64_t frames = dut.stream_frames;
  clock_words();  // the request is held in the clock of the answer
  dut.stream_req = 0;
  return frames;
}

static void frozen_counts_and_clear() {
  dut.snapshot = 1;
  clock_words();
  dut.snapshot = 0;
  auto frozen = sequence;
  TxSettings s;
  s.destinations = 3;
  s.stop_frames = 50;
  trial("after a snapshot", s);
  for (unsigned i = 0; i < 256; i++)
    check(read_frozen(i) == frozen[i], "frozen count of entry %u", i);
  dut.clear = 1;
  clock_words();
  dut.clear = 0;
  check(dut.busy && !dut.idle, "not busy after clear");
  while (dut.busy)
    clock_words();
  sequence.fill(0);
  bad_fcs_frames = 0;
  trial("after a clear", s);
}

int main() {
  dut.dest_we = dut.header_we = dut.start = dut.stop = dut.clear = dut.snapshot = dut.stream_req = 0;
  dut.skip_words = 0;
  dut.word_time = word_time;
  configure(TxSettings{});
  reset(dut);
  while (dut.busy)
    clock_words();
  for (unsigned i = 0; i < 256; i++)
    write_destination(i);
  every_size_at_line_rate();
  rational_rates();
  bursts();
  durations_and_counts();
  tags_and_faults();
  destinations();
  stop_strobes();
  sparse_frames_with_skipped_time();
  ignores_start_while_sending_and_when_disabled();
  frozen_counts_and_clear();
  printf("%" PRIu64 " clocks\n", clocks);
  return finish("tx");
}
