// SPDX-License-Identifier: Apache-2.0
// mac_tx alone: frames of every length are given at every group by the a_/b_ rules and must be on the line 5 clocks
// later, with preamble, FCS, terminate and idle, at the same octets; also with gaps as small as 4 octets, with wrong
// FCS and error characters on request, and lone frames (begun after a preamble in group 0, ended in the same word).
#include "tests/rtl/tb_line.h"
#include "tests/rtl/tx_words.h"
#include <algorithm>

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif
static const unsigned GROUPS = TB_GROUPS, OCTETS = 8 * GROUPS, LATENCY = 5;

static Vdut dut;
static LineDecoder line;
static uint64_t words, bad_sent;
static std::vector<LineFrame> expected;

static void clock_word(const TxWord &w) {
  put_octets(dut.data, w.data, OCTETS);
  dut.preamble = w.preamble;
  dut.preamble_group = w.preamble_group;
  dut.a_active = w.a_active;
  dut.a_first = w.a_first;
  dut.a_end = w.a_end;
  dut.a_lone = w.a_lone;
  dut.a_octets = w.a_octets;
  dut.a_bad_fcs = w.bad_fcs;
  dut.a_bad_end = w.bad_end;
  dut.b_active = w.b_active;
  dut.b_group = w.b_group;
  dut.eval();
  bad_sent += dut.bad_fcs_sent;
  tick(dut);
  words++;
  uint8_t data[64];
  get_octets(dut.line_data, data, OCTETS);
  if (words >= LATENCY)
    line.word((words - LATENCY) * OCTETS, data, get_u64(dut.line_ctrl), OCTETS);
  else
    check(get_u64(dut.line_ctrl) == (OCTETS == 64 ? ~0ull : (1ull << OCTETS) - 1), "not idle before the first word");
}

static TxWords waiting(OCTETS);

static void clock_until(uint64_t word) {
  while (waiting.first() < word)
    clock_word(waiting.take());
}

// `octets` without FCS; start_ot is the start character's place.
static void frame(uint64_t start_ot, const std::vector<uint8_t> &octets, bool bad_fcs, bool bad_end) {
  clock_until(start_ot / OCTETS);
  waiting.frame(start_ot, octets, bad_fcs, bad_end);
  std::vector<uint8_t> whole = octets;
  uint32_t fcs = ~crc32_octets(octets.data(), octets.size());
  for (unsigned i = 0; i < 4; i++)
    whole.push_back((uint8_t)((bad_fcs ? ~fcs : fcs) >> 8 * i));
  expected.push_back({start_ot, start_ot + 8 + whole.size(), whole, bad_end});
}

int main() {
  Random random(20260104);
  TxWord none;
  dut.clk = 0;
  dut.rst = 1;
  put_octets(dut.data, none.data, OCTETS);
  dut.preamble = dut.a_active = dut.a_end = dut.b_active = 0;
  for (int i = 0; i < 8; i++)
    tick(dut);
  dut.rst = 0;
  line.errors_allowed = true;
  uint64_t next = 0, bad = 0;
  for (unsigned length = 50; length < 400; length++)
    for (unsigned turn = 0; turn < 24; turn++) {
      bool wrong = random.one_in(5);
      std::vector<uint8_t> octets(random.one_in(100) ? 9212 : length);
      for (auto &octet : octets)
        octet = (uint8_t)random.next();
      uint64_t start = next / 8 * 8;
      if (turn % 3 == 0) // any group
        start += 8 * random.below(3 * GROUPS);
      frame(start, octets, wrong, random.one_in(5));
      bad += wrong;
      next = start + 8 + octets.size() + 4 + 4 + 7; // 4 octets of gap or more, up to the next group
    }
  clock_until(next / OCTETS + 10);
  check(line.frames.size() == expected.size(), "%zu frames on the line, expected %zu", line.frames.size(),
        expected.size());
  for (size_t n = 0; n < std::min(line.frames.size(), expected.size()); n++) {
    check(line.frames[n].start_ot == expected[n].start_ot, "frame %zu starts at %" PRIu64 ", expected %" PRIu64, n,
          line.frames[n].start_ot, expected[n].start_ot);
    check(line.frames[n].octets == expected[n].octets, "contents of frame %zu, %zu octets, group %u", n,
          expected[n].octets.size(), (unsigned)(expected[n].start_ot / 8 % GROUPS));
    check(line.frames[n].terminate_ot == expected[n].terminate_ot, "terminate of frame %zu", n);
    check(line.frames[n].bad_end == expected[n].bad_end, "end of frame %zu", n);
  }
  check(bad_sent == bad, "bad_fcs_sent %" PRIu64 " times, expected %" PRIu64, bad_sent, bad);
  return finish("mac_tx");
}
