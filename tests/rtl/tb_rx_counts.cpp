// SPDX-License-Identifier: Apache-2.0
// rx_counts against plain counters, all thirteen in every clock: frames of every class in adjacent clocks, with and
// without a cut frame beside them, clears in any clock, and totals beyond 32 bits.
#include "tb.h"

namespace {

enum Class { CODE, SHORT, LONG, FCS, TCP, TCP_BAD, FOREIGN, OTHER_RUN, WRONG_LENGTH, BAD_PAYLOAD, WRONG_PORT, RECEIVED, CLASSES };

struct Counts {
  uint64_t of[CLASSES] = {};
  uint64_t frames = 0, octets = 0, bad = 0;
};

void compare(const Vdut &dut, const Counts &c, uint64_t clock) {
  const struct {
    const char *name;
    uint64_t is, should;
  } rows[] = {
      {"frames", dut.frames, c.frames},
      {"octets", dut.octets, c.octets},
      {"bad_frames", dut.bad_frames, c.bad},
      {"bad_code_frames", dut.bad_code_frames, c.of[CODE]},
      {"bad_short_frames", dut.bad_short_frames, c.of[SHORT]},
      {"bad_long_frames", dut.bad_long_frames, c.of[LONG]},
      {"bad_fcs_frames", dut.bad_fcs_frames, c.of[FCS]},
      {"tcp_frames", dut.tcp_frames, c.of[TCP] + c.of[TCP_BAD]},
      {"tcp_bad_frames", dut.tcp_bad_frames, c.of[TCP_BAD]},
      {"foreign_frames", dut.foreign_frames, c.of[FOREIGN]},
      {"other_run_frames", dut.other_run_frames, c.of[OTHER_RUN]},
      {"wrong_length_frames", dut.wrong_length_frames, c.of[WRONG_LENGTH]},
      {"bad_payload_frames", dut.bad_payload_frames, c.of[BAD_PAYLOAD]},
      {"wrong_port_frames", dut.wrong_port_frames, c.of[WRONG_PORT]},
      {"received_frames", dut.received_frames, c.of[RECEIVED]},
  };
  for (const auto &row : rows)
    tb::check(row.is == row.should, "clock %" PRIu64 ": %s is %" PRIu64 ", should be %" PRIu64, clock, row.name, row.is,
              row.should);
}

void count(Counts &c, Class kind, unsigned octets) {
  c.of[kind]++;
  if (kind < TCP) {
    c.bad++;
  } else {
    c.frames++;
    c.octets += octets;
  }
}

// Flags that come without `valid` must not matter, so they are always driven.
Class drive(Vdut &dut, tb::Random &random, bool longest) {
  const Class kind = Class(random.below(CLASSES));
  dut.valid = random.below(100) < 80;
  dut.good = kind >= TCP;
  dut.bad_code = kind == CODE, dut.bad_short = kind == SHORT, dut.bad_long = kind == LONG, dut.bad_fcs = kind == FCS;
  dut.tcp = kind == TCP || kind == TCP_BAD, dut.tcp_bad = kind == TCP_BAD || (kind != TCP && random.one_in(2));
  dut.foreign = kind == FOREIGN, dut.other_run = kind == OTHER_RUN, dut.wrong_length = kind == WRONG_LENGTH;
  dut.bad_payload = kind == BAD_PAYLOAD, dut.wrong_port = kind == WRONG_PORT, dut.received = kind == RECEIVED;
  dut.frame_octets = uint16_t(longest ? 16383 : random.between(64, 16383));
  dut.cut_valid = random.one_in(4);
  dut.cut_well = random.one_in(2);
  return kind;
}

void run(uint64_t seed, uint64_t clocks, bool clears) {
  printf("seed %" PRIu64 "\n", seed);
  tb::Random random(seed);
  Vdut dut;
  Counts c;
  dut.clear = 0;
  tb::reset(dut);
  for (uint64_t clock = 0; clock < clocks; clock++) {
    const Class kind = drive(dut, random, !clears);
    dut.clear = clears && random.one_in(50);
    dut.rst = clears && random.one_in(1000);
    dut.eval();
    compare(dut, c, clock);
    if (dut.valid) count(c, kind, dut.frame_octets);
    if (dut.cut_valid) count(c, dut.cut_well ? SHORT : CODE, 0);
    if (dut.clear || dut.rst) c = Counts();
    tb::tick(dut);
  }
  tb::check(clears || c.octets >> 32, "%" PRIu64 " octets do not need more than 32 bits", c.octets);
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  for (uint64_t seed = first; seed < first + 3; seed++) run(seed, 100000, true);
  run(first + 3, 1000000, false);
  return tb::finish("rx_counts");
}
