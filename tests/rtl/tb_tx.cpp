// SPDX-License-Identifier: Apache-2.0
// The transmit side of a port against tx_model.h: every octet of every frame on the line, every start to the octet
// time, over sizes, gaps, rational rates, bursts, limits, tags, faults, flows with lengths of their own, orders, start
// offsets, restarts and skipped time. An argument is another seed.
#include "tests/rtl/tb_line.h"
#include "tests/rtl/tx_model.h"
#include <algorithm>
#include <cinttypes>

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif
static const unsigned OCTETS = 8 * TB_GROUPS;
static const unsigned STOP_REACH_WORDS = 20; // a stop strobe lets frames pass that are this many words from the line
static const unsigned START_WORDS = 29;      // start_word, from the word of the strobe

static Vdut dut;
static uint64_t word_time = (1ull << 48) - 20000; // a trial at line rate runs across the wrap of 48 bits
static LineDecoder line;
static Random random_(20260102);
static TxTables tables;
static std::array<std::array<uint8_t, 64>, 512> bodies;
static std::array<uint64_t, 256> sequence;
static uint64_t bad_fcs_frames, clocks;
static const unsigned PORT = 3;

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

static void write_size(unsigned index) {
  const TxFlow &f = tables.flows[index];
  dut.flow_index = (uint8_t)index;
  dut.flow_size_we = 1;
  dut.flow_data = f.count << 16 | f.first << 2 | f.how;
  clock_words();
  dut.flow_size_we = 0;
  dut.flow_flags_we = 1;
  dut.flow_data = (uint32_t)f.is_unsigned | (uint32_t)f.bad_fcs << 1 | (uint32_t)f.bad_end << 2;
  clock_words();
  dut.flow_flags_we = 0;
}

static void write_bodies() {
  dut.body_we = 1;
  for (unsigned index = 0; index < bodies.size(); index++)
    for (unsigned w = 0; w < 16; w++) {
      uint32_t octets = (uint32_t)random_.next();
      memcpy(&bodies[index][4 * w], &octets, 4);
      dut.body_index = (uint16_t)index;
      dut.body_word = (uint8_t)w;
      dut.body_data = octets;
      clock_words();
    }
  dut.body_we = 0;
}

// Writes what follows the header: `words` entries of the table of bodies, then the count.
static void write_contents(unsigned index, unsigned words) {
  TxFlow &f = tables.flows[index];
  unsigned first = (unsigned)random_.below(bodies.size());
  f.body.clear();
  for (unsigned i = 0; i < words; i++)
    f.body.push_back(bodies[(first + i) % bodies.size()]);
  f.payload = (unsigned)random_.below(129);
  dut.flow_index = (uint8_t)index;
  dut.flow_body_we = 1;
  dut.flow_data = words << 16 | first;
  clock_words();
  dut.flow_body_we = 0;
  dut.flow_payload_we = 1;
  dut.flow_data = f.payload;
  clock_words();
  dut.flow_payload_we = 0;
}

static void write_flow(unsigned index) {
  TxFlow &f = tables.flows[index];
  for (auto &octet : f.header)
    octet = (uint8_t)random_.next();
  write_contents(index, random_.one_in(2) ? 0 : (unsigned)random_.below(32));
  dut.header_we = 1;
  for (unsigned w = 0; w < 16; w++) {
    dut.header_word = (uint8_t)w;
    memcpy(&dut.header_data, &f.header[4 * w], 4);
    clock_words();
  }
  dut.header_we = 0;
}

static void write_length(unsigned index, unsigned octets) {
  tables.lengths[index] = octets;
  dut.size_we = 1;
  dut.size_index = (uint16_t)index;
  dut.size_octets = (uint16_t)octets;
  clock_words();
  dut.size_we = 0;
}

static void write_turn(unsigned index, unsigned flow) {
  tables.turns[index] = flow;
  dut.turn_we = 1;
  dut.turn_index = (uint16_t)index;
  dut.turn_flow = (uint8_t)flow;
  clock_words();
  dut.turn_we = 0;
}

static void write_phase(unsigned index, const TxPhase &phase) {
  auto write = [&](uint8_t time_we, uint8_t gap_we, bool numerator_we, bool denominator_we, uint64_t data) {
    dut.phase_index = (uint8_t)index;
    dut.phase_time_we = time_we;
    dut.phase_gap_octets_we = gap_we;
    dut.phase_gap_numerator_we = numerator_we;
    dut.phase_gap_denominator_we = denominator_we;
    dut.phase_data = (uint32_t)data;
    clock_words();
    dut.phase_time_we = dut.phase_gap_octets_we = 0;
    dut.phase_gap_numerator_we = dut.phase_gap_denominator_we = 0;
  };
  write(1, 0, false, false, phase.time);
  write(2, 0, false, false, phase.time >> 32);
  write(0, 1, false, false, phase.gap_octets);
  write(0, 2, false, false, phase.gap_octets >> 32);
  write(0, 0, true, false, phase.gap_numerator);
  write(0, 0, false, true, phase.gap_denominator);
}

// All frames again of tx_frame_octets, and nothing special about them.
static void plain_flows() {
  for (unsigned i = 0; i < 256; i++) {
    TxFlow &f = tables.flows[i];
    if (f.how == 0 && !f.is_unsigned && !f.bad_fcs && !f.bad_end)
      continue;
    f.how = f.first = f.count = 0;
    f.is_unsigned = f.bad_fcs = f.bad_end = false;
    write_size(i);
  }
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
  dut.cfg_start_offset = s.start_offset;
  dut.cfg_phases = (uint8_t)s.phases.size();
  dut.cfg_flows = (uint16_t)s.flows;
  dut.cfg_order = (uint8_t)s.order;
  dut.cfg_turns = (uint16_t)s.turns;
  dut.cfg_seed = s.seed;
  dut.cfg_size_seed = s.size_seed;
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
  s.flows = 200;
  s.order = 1;
  s.turns = 77;
  s.start_offset = 1000;
  s.tag_enable = true;
  s.bad_fcs_every = 1;
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
  for (unsigned i = 0; i < s.phases.size(); i++)
    write_phase(i + 1, s.phases[i]);
  configure(s);
  dut.cfg_enable = 1;
  dut.start = 1;
  uint64_t strobe_word = word_time;
  clock_words();
  dut.start = 0;
  scramble_settings();
  check(dut.started, "a start is not taken");
  check(dut.start_word == strobe_word + START_WORDS, "start_word %" PRIu64 " after a strobe at %" PRIu64,
        (uint64_t)dut.start_word, strobe_word);
  trial.origin_ot = (uint64_t)dut.start_word * OCTETS;
  check(dut.sending, "not sending after start");
  uint64_t begin = clocks;
  while (dut.sending && clocks - begin < 2000000) {
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
  TxModel model(s, tables, OCTETS);
  TxExpected expected;
  size_t n = 0;
  while (model.next(expected)) {
    uint64_t start_ot = trial.origin_ot + expected.start_ot;
    if (trial.stop_word && start_ot / OCTETS > trial.stop_word + STOP_REACH_WORDS)
      break;
    if (!check(n < trial.frames.size(), "%s, %u octets: %zu frames, more expected", name, expected.octets,
               trial.frames.size()))
      return;
    const LineFrame &frame = trial.frames[n];
    const TxFlow &flow = tables.flows[expected.flow];
    check(frame.start_ot == start_ot, "%s, %u octets: frame %zu starts at %" PRIu64 ", expected %" PRIu64, name,
          expected.octets, n, frame.start_ot - trial.origin_ot, expected.start_ot);
    auto octets = tx_frame(s, expected, frame.start_ot, flow, PORT, sequence[expected.flow]++);
    bad_fcs_frames += expected.bad_fcs;
    if (!check(frame.octets == octets, "%s, %u octets: contents of frame %zu (flow %u, start group %u)", name,
               expected.octets, n, expected.flow, (unsigned)(frame.start_ot / 8 % TB_GROUPS)) &&
        failures() < 3) {
      auto at = std::mismatch(frame.octets.begin(), frame.octets.end(), octets.begin(), octets.end());
      fprintf(stderr, "  %zu octets, first difference at %zd\n", frame.octets.size(), at.first - frame.octets.begin());
    }
    check(frame.terminate_ot == frame.start_ot + 8 + expected.octets && frame.bad_end == flow.bad_end,
          "%s: end of frame %zu", name, n);
    n++;
  }
  check(n == trial.frames.size(), "%s, %u octets: %zu frames, expected %zu", name, s.frame_octets, trial.frames.size(),
        n);
  check(dut.bad_fcs_frames == bad_fcs_frames, "%s: bad_fcs_frames %" PRIu64 ", expected %" PRIu64, name,
        (uint64_t)dut.bad_fcs_frames, bad_fcs_frames);
  check(dut.late_frames == 0, "%s: %" PRIu64 " frames were late", name, (uint64_t)dut.late_frames);
}

static void trial(const char *name, const TxSettings &s, uint64_t stop_clocks = 0, bool skip = false) {
  check_frames(name, s, run(s, stop_clocks, skip));
}

// Checks only the gaps: the smallest, and that their sum is exact wherever a frame's ideal start is on a group;
// elsewhere the start, and with it the sum, is less than a group too early.
static void check_gaps(const TxSettings &s, const Trial &trial, uint64_t smallest) {
  uint64_t sum = 0, count = 0, ideal = 0, exact = 0;
  for (size_t n = 1; n < trial.frames.size(); n++) {
    const LineFrame &before = trial.frames[n - 1];
    uint64_t gap = trial.frames[n].start_ot - before.terminate_ot;
    check(gap >= smallest, "%zu octets, gap %" PRIu64 ": a gap of %" PRIu64, before.octets.size(), s.gap_octets, gap);
    sum += gap;
    count++;
    ideal += 8 + before.octets.size() + s.gap_octets;
    check(sum == count * s.gap_octets - ideal % 8, "%" PRIu64 " gaps of %" PRIu64 " have %" PRIu64 " octets", count,
          s.gap_octets, sum);
    exact += ideal % 8 == 0;
  }
  check(exact > 0, "%u octets: no start was on its ideal place", s.frame_octets);
}

static void every_size_at_line_rate() {
  for (unsigned gap = 11; gap <= 12; gap++)
    for (unsigned size = 54; size <= 1600; size += size < 300 || gap == 12 ? 1 : 13) {
      TxSettings s;
      s.frame_octets = size;
      s.gap_octets = gap;
      s.stop_frames = size < 300 ? 33 : 17;
      s.flows = (unsigned)random_.between(1, 5);
      write_contents(0, random_.one_in(2) ? 0 : (unsigned)random_.below(size / 64 + 2));
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

static void flows() {
  for (int i = 0; i < 60; i++) {
    TxSettings s;
    s.flows = random_.one_in(5) ? 256 : (unsigned)random_.between(1, 256);
    s.order = random_.one_in(2);
    s.seed = random_.one_in(5) ? 0 : (uint32_t)random_.next();
    s.stop_frames = 600;
    trial("flows", s);
    trial("flows again", s); // the same draw from the same seed; sequence numbers continue
  }
}

// Frames of several lengths at the smallest gaps: none is late, the average gap is exact, no gap is too small.
static void mixed_lengths_at_line_rate() {
  static const std::vector<std::vector<unsigned>> MIXES = {
      {64, 9216},        {64, 64, 64, 64, 64, 64, 64, 570, 570, 570, 570, 1518}, {54, 16383}, {54, 55}, {60, 61},
      {64, 65, 127, 128}};
  for (const auto &mix : MIXES)
    for (unsigned how = 1; how <= 2; how++) {
      unsigned first = 1020; // the entries after the last one are the first ones
      for (unsigned i = 0; i < mix.size(); i++)
        write_length((first + i) % 1024, mix[i]);
      TxFlow &f = tables.flows[0];
      f.how = how;
      f.first = first;
      f.count = (unsigned)mix.size();
      write_size(0);
      TxSettings s;
      s.stop_frames = 241;
      s.size_seed = (uint32_t)random_.next();
      Trial t = run(s);
      check_frames("mix", s, t);
      check_gaps(s, t, 5);
    }
  for (unsigned limit : {80u, 300u, 16383u}) { // drawn
    TxFlow &f = tables.flows[0];
    f.how = 3;
    f.first = 54;
    f.count = limit - 53;
    write_size(0);
    TxSettings s;
    s.stop_frames = limit > 1000 ? 401 : 8001;
    s.size_seed = (uint32_t)random_.next();
    Trial t = run(s);
    check_frames("drawn lengths", s, t);
    check_gaps(s, t, 5);
  }
  plain_flows();
}

// Every length there is, in random order, at the smallest gaps.
static void every_length_in_random_order() {
  std::vector<unsigned> lengths;
  for (unsigned octets = 54; octets <= 16383; octets += octets < 600 || TB_GROUPS == 8 ? 1 : 7)
    lengths.push_back(octets);
  for (size_t i = lengths.size() - 1; i > 0; i--)
    std::swap(lengths[i], lengths[random_.below(i + 1)]);
  TxFlow &f = tables.flows[0];
  f.how = 1;
  for (size_t done = 0; done < lengths.size(); done += 1024) {
    unsigned count = (unsigned)std::min<size_t>(1024, lengths.size() - done);
    for (unsigned i = 0; i < count; i++)
      write_length(i, lengths[done + i]);
    f.first = 0;
    f.count = count;
    f.is_unsigned = random_.one_in(3);
    write_size(0);
    TxSettings s;
    s.stop_frames = count;
    write_contents(0, (unsigned)random_.below(32));
    Trial t = run(s);
    check_frames("every length", s, t);
    check_gaps(s, t, 5);
  }
  plain_flows();
}

static std::vector<TxPhase> random_phases(uint64_t until) {
  std::vector<TxPhase> phases(random_.between(1, 7));
  uint64_t time = 0;
  for (auto &phase : phases) {
    // also two at once, and a later one with an earlier time
    time = random_.one_in(6)   ? time
           : random_.one_in(4) ? random_.below(until)
                               : time + random_.below(2 * until / phases.size());
    phase = {time, random_.one_in(2) ? random_.between(11, 12) : random_.between(11, 400), 0, random_.between(1, 20)};
    if (random_.one_in(5))
      phase.gap_denominator = random_.between(1, 0xFFFFFFFF);
    phase.gap_numerator = random_.one_in(4) ? phase.gap_denominator - 1 : random_.below(phase.gap_denominator);
  }
  return phases;
}

// Everything at once: orders, lengths, flags, start offsets, rates, bursts, limits, tags, stops, skipped time.
static void anything() {
  for (int i = 0; i < 150; i++) {
    TxSettings s;
    s.frame_octets = (unsigned)random_.between(random_.one_in(4) ? 0 : 54, random_.one_in(4) ? 3000 : 130);
    s.flows = random_.one_in(3) ? (unsigned)random_.between(1, 256) : (unsigned)random_.between(1, 4);
    s.order = (unsigned)random_.below(4);
    s.turns = random_.one_in(8) ? 4096 : (unsigned)random_.between(1, random_.one_in(2) ? 4096 : 9);
    s.seed = (uint32_t)random_.next();
    s.size_seed = random_.one_in(5) ? 0 : (uint32_t)random_.next();
    s.start_offset = random_.one_in(2) ? 0 : random_.below(random_.one_in(4) ? 100000 : 500);
    s.gap_octets = random_.one_in(2) ? random_.between(11, 12) : random_.between(11, 300);
    s.gap_denominator = random_.between(1, 50);
    s.gap_numerator = random_.below(s.gap_denominator);
    if (random_.one_in(3)) {
      s.burst_frames = random_.between(1, 9);
      s.burst_gap_octets = random_.between(11, 600);
    }
    s.stop_frames = random_.between(1, 300);
    if (random_.one_in(3))
      s.duration = random_.between(1, 20000);
    s.tag_enable = random_.one_in(2);
    s.tag_first = random_.below(4000);
    s.tag_interval = random_.below(1500);
    s.bad_fcs_every = (uint32_t)random_.below(4);
    write_contents((unsigned)random_.below(256), (unsigned)random_.below(32));
    if (random_.one_in(3))
      s.phases = random_phases(20000);
    for (int n = 0; n < 40; n++)
      write_length((unsigned)random_.below(1024),
                   (unsigned)random_.between(random_.one_in(9) ? 0 : 54, random_.one_in(5) ? 2000 : 140));
    for (int n = 0; n < 40; n++)
      write_turn((unsigned)random_.below(random_.one_in(2) ? 4096 : 9),
                 (unsigned)random_.below(random_.one_in(2) ? 256 : 4));
    for (int n = 0; n < 20; n++) {
      unsigned index = (unsigned)random_.below(random_.one_in(2) ? 256 : 5);
      TxFlow &f = tables.flows[index];
      f.how = (unsigned)random_.below(4);
      f.first =
          f.how == 3 ? (unsigned)random_.between(40, random_.one_in(4) ? 16383 : 200) : (unsigned)random_.below(1024);
      f.count = (unsigned)random_.below(random_.one_in(3) ? 32768 : 30);
      if (f.how == 3 && !random_.one_in(4))
        f.count = (unsigned)random_.below(400);
      f.is_unsigned = random_.one_in(3);
      f.bad_fcs = random_.one_in(4);
      f.bad_end = random_.one_in(4);
      write_size(index);
    }
    trial("anything", s, random_.one_in(4) ? random_.between(1, 900) : 0, random_.one_in(3));
  }
  plain_flows();
}

static void phases() {
  for (int i = 0; i < 300; i++) {
    TxSettings s;
    s.frame_octets = (unsigned)random_.between(54, random_.one_in(3) ? 1500 : 130);
    s.gap_octets = random_.one_in(2) ? 12 : random_.between(11, 300);
    s.stop_frames = random_.between(1, 200);
    if (random_.one_in(3)) {
      s.burst_frames = random_.between(1, 5);
      s.burst_gap_octets = random_.between(11, 300);
    }
    if (random_.one_in(4))
      s.start_offset = random_.below(3000);
    s.phases = random_phases(s.stop_frames * (s.frame_octets + 8 + s.gap_octets));
    trial("phases", s, random_.one_in(6) ? random_.between(1, 400) : 0, random_.one_in(2));
  }
  TxSettings
      s; // the times of frames, to the group: a frame in the very group begins the phase, one a group earlier does not
  s.stop_frames = 30;
  for (uint64_t time = 0; time < 300; time++) {
    s.phases = {{time, 100, 1, 2}};
    trial("phase to the octet", s);
  }
  s.phases = {{(1ull << 41), 12, 0, 1}, {1ull << 42, 12, 0, 1}};
  s.gap_octets = 1ull << 39;
  trial("late phases, skipped time", s, 0, true);
}

static void start_offsets() {
  for (uint64_t offset : {1ull, 7ull, 8ull, 63ull, 64ull, 65ull, 1000ull, (1ull << 40) - 1}) {
    TxSettings s;
    s.start_offset = offset;
    s.stop_frames = 5;
    trial("start offset", s, 0, true);
    s.duration = offset + 1; // duration from the origin: one frame, if its start is not rounded up
    trial("start offset and duration", s, 0, true);
    s.duration = offset; // the start is too late, but for the rounding
    trial("nothing before the offset", s, 0, true);
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
  s.flows = 7;
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
  check(!dut.started, "a disabled port takes a start");
  for (int i = 0; i < 100; i++)
    clock_words();
  check(line.frames.empty() && !dut.sending && dut.idle_words == 0xFFFFFFFF, "a disabled port sends");

  dut.cfg_enable = 1;
  dut.start = 1;
  Trial t{};
  t.origin_ot = (word_time + START_WORDS) * OCTETS;
  clock_words();
  check(dut.started, "a start is not taken");
  scramble_settings();
  for (int i = 0; i < 40; i++) { // start stays high: it must act only once
    clock_words();
    check(!dut.started, "a port that is sending takes a start");
  }
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
  clock_words(); // the request is held in the clock of the answer
  dut.stream_req = 0;
  return frames;
}

static void frozen_counts_and_clear() {
  dut.snapshot = 1;
  clock_words();
  dut.snapshot = 0;
  auto frozen = sequence;
  TxSettings s;
  s.flows = 3;
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

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20260102;
  printf("seed %" PRIu64 "\n", seed);
  random_ = Random(seed);
  dut.port = (uint8_t)PORT;
  dut.flow_payload_we = dut.flow_body_we = dut.body_we = dut.flow_size_we = dut.flow_flags_we = dut.size_we =
      dut.turn_we = dut.header_we = dut.start = dut.phase_time_we = dut.phase_gap_octets_we =
          dut.phase_gap_numerator_we = dut.phase_gap_denominator_we = dut.stop = dut.clear = dut.snapshot =
              dut.stream_req = 0;
  dut.flow_length1_we = dut.flow_length2_we = dut.flow_checksum1_we = dut.flow_checksum2_we = dut.field_start_we =
      dut.field_step_we = dut.field_mask_we = dut.field_count_we = dut.field_kind_we = dut.value_we = dut.rule_time_we =
          dut.rule_period_we = dut.rule_frame_we = dut.send_we = 0; // tb_tx_contents, tb_tx_schedule
  dut.cfg_rules = 0;
  dut.cfg_every = 0;
  dut.skip_words = 0;
  dut.word_time = word_time;
  configure(TxSettings{});
  line.errors_allowed = true; // check_frames knows where
  reset(dut);
  while (dut.busy)
    clock_words();
  write_bodies();
  for (unsigned i = 0; i < 256; i++)
    write_flow(i);
  every_size_at_line_rate();
  rational_rates();
  bursts();
  durations_and_counts();
  tags_and_faults();
  flows();
  mixed_lengths_at_line_rate();
  every_length_in_random_order();
  start_offsets();
  phases();
  anything();
  stop_strobes();
  sparse_frames_with_skipped_time();
  ignores_start_while_sending_and_when_disabled();
  frozen_counts_and_clear();
  printf("%" PRIu64 " clocks\n", clocks);
  return finish("tx");
}
