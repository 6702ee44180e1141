// SPDX-License-Identifier: Apache-2.0
// A port of the core on a model of a CMAC with alignment markers, both directions: line rate at every size from 64 to
// 9216 octets, eager and stubborn CMACs, rates below line rate, FEC that delivers in bursts, far ends with a different
// clock, frames with errors, and what must raise a fault. FPGAUGE_LONG=1: markers as often as in a real one until they
// make a CMAC with a mean gap of 12 fail; otherwise more often. The clocks are those of a board, in a fixed ratio with jitter (LOCKED=1), or from two crystals (LOCKED=0).
#include "tests/rtl/cmac_bench.h"

#ifndef TB_LOCKED
#define TB_LOCKED 1
#endif

using cmac::Bench;
using cmac::Frame;
using cmac::Settings;
using tb::check;

static tb::Random rng(11);

static Frame make_frame(size_t octets) {
  Frame frame(octets - 4);
  for (size_t i = 0; i + 8 <= frame.size(); i += 8) {
    const uint64_t value = rng.next();
    memcpy(frame.data() + i, &value, 8);
  }
  cmac::append_fcs(frame);
  return frame;
}

// Bounds of what the crossing adds to a time, in octet times: a clock of the CMAC is 38.8, a group is 8.
constexpr double CLOCK_OT = 1280.0 / 33, GROUP_OT = 8;

// A start on the CMAC's line waits for a clock, a group, and the deficit idle count.
constexpr double SEND_OT = CLOCK_OT + 2 * GROUP_OT, RECEIVE_OT = CLOCK_OT + GROUP_OT;
// Markers delay what follows them on the line; frames that they interrupt in their first beat also arrive later.
constexpr double MARKER_OT = cmac::MARKER_OCTETS;

static void report(const char *what, const Bench &bench) {
  printf("%s:", what);
  if (bench.looped)
    printf(" to the CMAC's line %.1f to %.1f octet times,", bench.sent_delay.least, bench.sent_delay.most);
  printf(" from it %.1f to %.1f; %s\n", bench.line_delay.least, bench.line_delay.most,
         bench.fault() ? "FAULT" : "no fault");
}

// Bursts of one size after another without a pause: line rate throughout.
static void sizes_at_line_rate(Bench &bench, unsigned first, unsigned last, unsigned step, unsigned octets_a_size) {
  for (unsigned size = first; size <= last; size += step) {
    const unsigned frames = std::max(4u, octets_a_size / size);
    for (unsigned i = 0; i < frames; i++) bench.send(make_frame(size), 12);
  }
}

// tready falls in one of 32 clocks, too: frames of 64 octets leave 1 of 13.
static void every_size() {
  Bench bench(Settings{0, 2 * cmac::UNIT, 7 * cmac::UNIT, 32, cmac::RS_FEC_OCTETS});
  const uint64_t began_ot = (bench.source.ideal_ot & ~7ull);
  uint64_t frames = 0, last_start_ot = 0;
  for (unsigned size = 64; size <= 9216; size++) frames += std::max(4u, 20000 / size);
  sizes_at_line_rate(bench, 64, 9216, 1, 20000);
  last_start_ot = (bench.source.ideal_ot - (9216 + 20)) & ~7ull;
  bench.drain();
  report("every size at line rate", bench);
  check(!bench.fault(), "fault");
  check(bench.frames_sent == frames && !bench.frames_dropped && !bench.frames_late && !bench.status,
        "%" PRIu64 " frames reported as sent, status %x", bench.frames_sent, bench.status);
  check(bench.sent_starts_ot.size() == frames, "%zu frames sent, not %" PRIu64, bench.sent_starts_ot.size(), frames);
  // Ideal starts leave gaps of 12 octets, so with a mean gap of 12 the first and last start are as far apart as the
  // ideal ones, however many markers are between them.
  const double length_error =
      double(bench.sent_starts_ot.back() - bench.sent_starts_ot.front()) - double(last_start_ot - began_ot);
  printf("mean gap on the CMAC's line: %.6f octets over %" PRIu64 " frames\n", 12 + length_error / double(frames - 1),
         frames);
  check(length_error > -SEND_OT && length_error < SEND_OT + MARKER_OT, "the burst is %.0f octet times too long", length_error);
  check(bench.sent_delay.width() < SEND_OT + MARKER_OT, "sending is uncertain by %.1f octet times",
        bench.sent_delay.width());
  check(bench.line_delay.width() < RECEIVE_OT + cmac::RS_FEC_OCTETS + MARKER_OT, "receiving is uncertain by %.1f",
        bench.line_delay.width());
}

// The markers take 61 ppm of the line. What is late because of them is made up for by gaps below 12 octets, or never.
static void markers(unsigned ipg_octets, unsigned size, uint64_t period_blocks, uint64_t octets, bool lives) {
  Bench bench(Settings{0, 2 * cmac::UNIT, 7 * cmac::UNIT, 0}, size);
  bench.transmitter.ipg_octets = ipg_octets;
  bench.transmitter.marker_period_blocks = period_blocks;
  bench.transmitter.block = 0;
  uint64_t sent = 0;
  for (; sent * (size + 20) < octets && !bench.fault(); sent++) bench.send(make_frame(size), 12);
  printf("markers every %" PRIu64 " blocks, gap %u, %u octets: %s after %.3f ms\n", period_blocks, ipg_octets, size,
         bench.fault() ? "fault" : "no fault", double(sent * (size + 20)) * 8e-8);
  check(bench.fault() != lives, "%s", lives ? "fault" : "no fault");
  if (!lives) return;
  bench.drain();
  check(bench.sent_delay.width() < SEND_OT + MARKER_OT, "gap %u, %u octets: sending is uncertain by %.1f", ipg_octets,
        size, bench.sent_delay.width());
}

static void markers_need_a_gap_below_12() {
  const char *chosen = getenv("FPGAUGE_LONG");
  const bool whole = chosen && *chosen && strcmp(chosen, "0") != 0;
  const unsigned often = whole ? 1 : 16;
  // 160 words late is a fault: 64 sets of markers of 160 octets, and what the ring was ahead.
  const uint64_t octets = 100 * cmac::MARKER_PERIOD_BLOCKS * cmac::BLOCK_OCTETS / often;
  markers(12, 64, cmac::MARKER_PERIOD_BLOCKS / often, octets, false);
  markers(11, 64, cmac::MARKER_PERIOD_BLOCKS / often, octets, true);
  // The longest frames have the fewest gaps: one octet of each makes up for 108 ppm at 9216.
  for (unsigned size : {1518u, 9216u})
    markers(11, size, cmac::MARKER_PERIOD_BLOCKS, (whole ? 40 : 6) * cmac::MARKER_PERIOD_BLOCKS * cmac::BLOCK_OCTETS,
            true);
}

// Mean gap for each size separately, from the starts of its frames, over long enough to make the rounding to a clock
// small.
static void gaps_of_small_frames() {
  Bench bench(Settings{0, 0, 3 * cmac::UNIT, 0});
  bench.transmitter.marker_period_blocks = 0; // so few frames tell the gap only without them
  for (unsigned size = 64; size <= 200; size++) {
    bench.sent_starts_ot.clear();
    constexpr unsigned FRAMES = 120;
    for (unsigned i = 0; i < FRAMES; i++) bench.send(make_frame(size), 12);
    bench.drain();
    check(bench.sent_starts_ot.size() == FRAMES, "%zu frames", bench.sent_starts_ot.size());
    const double gap = double(bench.sent_starts_ot.back() - bench.sent_starts_ot.front()) / (FRAMES - 1) - 8 - size;
    check(gap > 12 - SEND_OT / FRAMES && gap < 12 + SEND_OT / FRAMES, "size %u: mean gap %.3f", size, gap);
  }
  check(!bench.fault(), "fault");
}

// A CMAC that takes a beat every clock into a deep buffer, and one with a small buffer.
static void other_cmacs() {
  for (unsigned buffer : {4u, 5u, 200u}) {
    Bench bench(Settings{0, 4 * cmac::UNIT, buffer * cmac::UNIT, 0});
    bench.transmitter.buffer_beats = buffer;
    bench.transmitter.start_beats = buffer == 200 ? 1 : 2;
    sizes_at_line_rate(bench, 64, 600, 1, 1000);
    sizes_at_line_rate(bench, 601, 9216, 131, 1000);
    bench.drain();
    report(buffer == 200 ? "eager CMAC" : "stubborn CMAC", bench);
    check(!bench.fault(), "fault with a buffer of %u beats", buffer);
    check(bench.transmitter.stalled_clocks > 0 || buffer == 200, "tready never fell");
  }
}

static void below_line_rate(unsigned ready_off_one_in) {
  Bench bench(Settings{0, 2 * cmac::UNIT, 11 * cmac::UNIT, ready_off_one_in});
  if (ready_off_one_in) bench.transmitter.start_beats = 4;
  for (int i = 0; i < 4000; i++) {
    const size_t size = rng.one_in(4) ? rng.between(64, 9216) : rng.between(64, 300);
    bench.send(make_frame(size), unsigned(rng.one_in(50) ? rng.between(20000, 400000) : rng.between(64, 2000)));
  }
  bench.drain();
  report(ready_off_one_in ? "below line rate, tready falls at random" : "below line rate", bench);
  check(!bench.fault(), "fault");
  if (!ready_off_one_in)
    check(bench.sent_delay.width() < SEND_OT + MARKER_OT, "sending is uncertain by %.1f", bench.sent_delay.width());
  check(bench.line_delay.width() < RECEIVE_OT + MARKER_OT, "receiving is uncertain by %.1f", bench.line_delay.width());
}

static void mixed_sizes_at_line_rate() {
  Bench bench(Settings{0, 2 * cmac::UNIT, 13 * cmac::UNIT, 0});
  for (int i = 0; i < 6000; i++)
    bench.send(make_frame(rng.one_in(3) ? 64 : rng.between(64, rng.one_in(20) ? 9216 : 200)), 12);
  bench.drain();
  report("mixed sizes at line rate", bench);
  check(!bench.fault(), "fault");
}

// A far end at its own line rate and with its own clock and markers; some frames are bad, some are runts. After
// markers it leaves out idle as fast as its gaps of at least 5 octets allow.
static void far_end(double ppm, bool hostile, unsigned code_word_octets = 0) {
  Bench bench(Settings{0, 2 * cmac::UNIT, 5 * cmac::UNIT, 0, code_word_octets});
  bench.looped = false;
  bench.far_end_octet = cmac::CORE_OCTET / (1 + ppm * 1e-6);
  double ot = std::ceil(bench.far_end_now()) + 1000;
  uint64_t deficit_ideal = uint64_t(ot), least_start = 0;
  uint64_t next_marker = deficit_ideal + rng.between(1000, 100000);
  unsigned size = 64;
  for (int i = 0; i < 3000; i++) {
    size = hostile ? unsigned(rng.one_in(10) ? rng.between(20, 63) : rng.between(64, 1600)) : size + (i % 2 ? 1 : 0);
    if (!hostile && i > 2400) size = 9216 - unsigned(i % 64);
    const uint64_t start = std::max(deficit_ideal & ~7ull, (least_start + 7) & ~7ull);
    size_t marker_at = SIZE_MAX;
    least_start = start + 8 + size + 5;
    if (start + 8 + size > next_marker) {
      marker_at = next_marker > start + 8 ? size_t(next_marker - start - 8) & ~size_t(7) : 0;
      least_start += cmac::MARKER_OCTETS;
      next_marker += cmac::MARKER_PERIOD_BLOCKS * cmac::BLOCK_OCTETS / 8; // often, because the test is short
    }
    bench.far_end_sends(double(start), make_frame(size), false, marker_at);
    deficit_ideal += size + 20 + (hostile && size < 64 ? 84 - size : 0);
    while (bench.far_end_now() + 20000 < double(start)) bench.run_words(64);
  }
  bench.drain(20000);
  report(hostile            ? "runts from the far end"
         : code_word_octets ? "far end with a different clock, in code words"
                            : "far end with a different clock",
         bench);
  check(!bench.fault(), "fault");
  // A runt's only beat is complete earlier than one of 64 octets, and it may be moved back by up to 5 groups.
  check(bench.line_delay.width() < RECEIVE_OT + MARKER_OT + code_word_octets + (hostile ? 40 + 44 : 0), "receiving is uncertain by %.1f",
        bench.line_delay.width());
}

#if TB_LOCKED
// The receiver's side alone, clock by clock: beats as they are given, and the line looked at directly, because the decoder
// of the bench takes only frames that end well.
class Direct {
public:
  unsigned errors = 0, terminates = 0, starts = 0, longest = 0;
  uint32_t status = 0; // bits of link_status

  Direct() {
    uint8_t idle[64];
    memset(idle, 0x07, sizeof idle);
    tb::put_octets(dut_.line_tx_data, idle, sizeof idle);
    dut_.line_tx_ctrl = ~0ull;
    dut_.rst = dut_.cmac_rst = 1;
    dut_.rx_enable = dut_.tx_enable = 1;
    for (int i = 0; i < 8; i++) word();
    dut_.rst = dut_.cmac_rst = 0;
    for (int i = 0; i < 4200; i++) word();
  }
  static cmac::Beat beat(uint64_t keep = ~0ull) {
    cmac::Beat beat{};
    memset(beat.data, 0xAA, sizeof beat.data);
    beat.keep = keep;
    return beat;
  }
  // One a clock; one without octets is a clock without tvalid.
  void send(const std::vector<cmac::Beat> &beats) {
    beats_ = &beats;
    at_ = 0;
    for (size_t i = 0; i < beats.size() + 800; i++) word();
    beats_ = nullptr;
  }
  void send_frame(size_t beats, bool user) {
    std::vector<cmac::Beat> frame(beats, beat());
    frame.back().last = true;
    frame.back().user = user;
    send(frame);
  }

private:
  Vdut dut_;
  const std::vector<cmac::Beat> *beats_ = nullptr;
  size_t at_ = 0;
  unsigned octets_ = 0;
  uint64_t cmac_time_ = 0;

  void cmac_clock() {
    const cmac::Beat *beat = beats_ && at_ < beats_->size() ? &(*beats_)[at_++] : nullptr;
    dut_.s_axis_tvalid = beat && beat->keep;
    if (beat) {
      tb::put_octets(dut_.s_axis_tdata, beat->data, 64);
      dut_.s_axis_tkeep = beat->keep;
      dut_.s_axis_tlast = beat->last;
      dut_.s_axis_tuser = beat->user;
    }
    dut_.cmac_clk = 1, dut_.eval(), dut_.cmac_clk = 0, dut_.eval();
  }
  void word() {
    for (cmac_time_ += 33; cmac_time_ >= 20; cmac_time_ -= 20) cmac_clock();
    tb::tick(dut_);
    status |= uint32_t(dut_.link_events) << 8;
    uint8_t line[64];
    tb::get_octets(dut_.line_rx_data, line, 64);
    for (int i = 0; i < 64; i++) {
      const bool control = dut_.line_rx_ctrl >> i & 1;
      errors += control && line[i] == 0xFE;
      terminates += control && line[i] == 0xFD;
      starts += control && line[i] == 0xFB;
      octets_ = control ? 0 : octets_ + 1;
      longest = std::max(longest, octets_);
    }
  }
};

static void flagged_frames_end_with_an_error() {
  Direct line;
  line.send_frame(2, true);
  check(line.starts == 1 && line.errors == 1 && line.terminates == 0, "a flagged frame: %u errors, %u terminates",
        line.errors, line.terminates);
  line.send_frame(2, false);
  check(line.starts == 2 && line.errors == 1 && line.terminates == 1, "a good frame: %u errors, %u terminates",
        line.errors, line.terminates);
  line.longest = 0;
  line.send_frame(1000, false); // 64,000 octets: ended with an error at the largest length that can be stored, the rest dropped
  check(line.starts == 3 && line.errors == 2 && line.terminates == 1, "a frame without end: %u errors, %u terminates",
        line.errors, line.terminates);
  check(line.longest == 16383 + 7, "a frame without end has %u octets", line.longest - 7);
  line.send_frame(255, false);
  check(line.starts == 4 && line.terminates == 2, "the frame after it: %u starts, %u terminates", line.starts,
        line.terminates);
  check(!line.status, "status %x", line.status);
}

// No CMAC does either as PG203 has it; if one does, what is lost is not lost by the device under test.
static void what_the_receiver_loses_is_a_fault() {
  Direct late;
  std::vector<cmac::Beat> halting(2 + 600, Direct::beat(0)); // 600 clocks are 363 words: its place on the line has passed
  halting.front() = halting.back() = Direct::beat();
  halting.back().last = true;
  late.send(halting);
  check(late.status == FPGAUGE_PORT_LINK_STATUS_RX_LATE && late.starts == 0,
        "a frame that halts: status %x, %u on the line", late.status, late.starts);
  late.send_frame(2, false);
  check(late.starts == 1 && late.terminates == 1, "the frame after it: %u starts", late.starts);

  Direct full;
  std::vector<cmac::Beat> crowd(1500, Direct::beat()); // a frame a clock, faster than any line
  for (cmac::Beat &beat : crowd) beat.last = true;
  full.send(crowd);
  check((full.status & FPGAUGE_PORT_LINK_STATUS_RX_NO_ROOM) && full.starts < crowd.size(),
        "more frames than there are descriptors: status %x, %u on the line", full.status, full.starts);
}

static void what_cannot_be_sent_is_a_fault() {
  for (unsigned octets : {54u, 63u}) {
    Bench bench(Settings{});
    bench.send(make_frame(100), 12);
    bench.send(make_frame(octets), 12, false);
    bench.send(make_frame(101), 12);
    bench.drain();
    check(bench.status == FPGAUGE_PORT_LINK_STATUS_REFUSED && bench.frames_sent == 2, "%u octets: status %x", octets,
          bench.status);
  }
  Bench bench(Settings{});
  bench.send(make_frame(16383), 12);
  bench.send(make_frame(64), 12);
  bench.drain();
  check(!bench.fault(), "the longest frame is a fault");
}

static void a_cmac_that_stops_is_a_fault() {
  Bench bench(Settings{});
  for (int i = 0; i < 20; i++) bench.send(make_frame(64 + 400u * unsigned(i)), 12);
  bench.settings.ready_off_one_in = 1; // tready stays low
  for (int i = 0; i < 300; i++) bench.send(make_frame(200), 12);
  bench.run_words(2000);
  check(bench.status == FPGAUGE_PORT_LINK_STATUS_LATE, "a CMAC that takes nothing: status %x", bench.status);
  check(bench.transmitter.valid_gaps == 0, "tvalid fell within a frame");
  bench.source.ideal_ot = (bench.word() + 2) * 64;
  for (int i = 0; i < 700; i++) bench.send(make_frame(64), 12, false); // more than there are descriptors
  bench.run_words(2000);
  check(bench.status == (FPGAUGE_PORT_LINK_STATUS_LATE | FPGAUGE_PORT_LINK_STATUS_NO_ROOM),
        "a queue that is full: status %x", bench.status);
}

static void reported_by_the_cmac() {
  for (int which = 0; which < 2; which++) {
    Bench bench(Settings{});
    (which ? bench.dut.tx_ovfout : bench.dut.tx_unfout) = 1;
    bench.run_words(8);
    check(bench.status == (which ? FPGAUGE_PORT_LINK_STATUS_OVERFLOW : FPGAUGE_PORT_LINK_STATUS_UNDERFLOW),
          "the CMAC's own report: status %x", bench.status);
  }
}

static void without_a_link_frames_go_nowhere() {
  Bench bench(Settings{});
  for (int i = 0; i < 50; i++) bench.send(make_frame(500), 12);
  bench.drain();
  bench.dut.tx_enable = 0;
  bench.dut.rx_enable = 0;
  bench.run_words(4);
  bench.source.ideal_ot = (bench.word() + 2) * 64;
  for (int i = 0; i < 2000; i++) bench.send(make_frame(64), 12, false);
  bench.drain();
  bench.dut.tx_hold = bench.dut.rx_hold = 1; // and the CMAC, in reset, takes nothing
  bench.settings.ready_off_one_in = 1;
  for (int i = 0; i < 2000; i++) bench.send(make_frame(64), 12, false);
  bench.settings.ready_off_one_in = 0;
  bench.run_words(700);
  bench.dut.tx_hold = bench.dut.rx_hold = 0;
  bench.dut.tx_enable = bench.dut.rx_enable = 1;
  bench.run_words(4);
  bench.source.ideal_ot = (bench.word() + 2) * 64;
  for (int i = 0; i < 50; i++) bench.send(make_frame(500), 12);
  bench.drain();
  check(bench.status == Bench::LINK, "a link that was down: status %x", bench.status);
  check(bench.frames_sent == 100 && bench.frames_dropped == 4000 && !bench.frames_late,
        "%" PRIu64 " frames sent, %" PRIu64 " dropped", bench.frames_sent, bench.frames_dropped);
}

static void clocks_that_are_not_in_ratio_are_a_fault() {
  Bench bench(Settings{300, 0, 0, 0});
  bench.run_words(40000);
  check(bench.status == FPGAUGE_PORT_LINK_STATUS_TIME_SLIP, "300 ppm: status %x", bench.status);
}
#else
// Two crystals, each up to 50 ppm off. The CMAC is built with a smaller mean gap, so that it can always keep up.
static void two_crystals(double ppm) {
  Bench bench(Settings{ppm, 2 * cmac::UNIT, 3 * cmac::UNIT, 0});
  bench.transmitter.ipg_octets = 10;
  sizes_at_line_rate(bench, 64, 300, 1, 2000);
  sizes_at_line_rate(bench, 301, 9216, 97, 40000);
  for (int i = 0; i < 2000; i++) bench.send(make_frame(9216), 12); // seven periods of markers, 216 ppm to catch up with
  bench.drain();
  report("two crystals", bench);
  check(!bench.fault(), "fault at %.0f ppm", ppm);
  // The time is accurate to about a word and two clocks.
  check(bench.sent_delay.width() < 3 * CLOCK_OT + 64 + MARKER_OT, "sending is uncertain by %.1f", bench.sent_delay.width());
  check(bench.line_delay.width() < 3 * CLOCK_OT + 64 + MARKER_OT, "receiving is uncertain by %.1f", bench.line_delay.width());
}
#endif

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
#if TB_LOCKED
  every_size();
  markers_need_a_gap_below_12();
  gaps_of_small_frames();
  other_cmacs();
  mixed_sizes_at_line_rate();
  below_line_rate(0);
  below_line_rate(8);
  for (double ppm : {0.0, 200.0, -200.0}) {
    far_end(ppm, false);
    far_end(ppm, false, cmac::RS_FEC_OCTETS);
  }
  far_end(100, true);
  flagged_frames_end_with_an_error();
  what_the_receiver_loses_is_a_fault();
  what_cannot_be_sent_is_a_fault();
  a_cmac_that_stops_is_a_fault();
  reported_by_the_cmac();
  without_a_link_frames_go_nowhere();
  clocks_that_are_not_in_ratio_are_a_fault();
#else
  for (double ppm : {100.0, -100.0, 0.0}) two_crystals(ppm);
#endif
  return tb::finish(TB_LOCKED ? "cmac_adapter" : "cmac_adapter_two_crystals");
}
