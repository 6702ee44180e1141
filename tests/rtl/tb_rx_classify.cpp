// SPDX-License-Identifier: Apache-2.0
// rx_classify against the definition of a test frame: random records, mostly one bit away from a frame of this run, in
// adjacent clocks; what comes out two clocks later, and only that.
#include "rx_model.h"
#include "tb.h"
#include <algorithm>
#include <array>
#include <deque>

#ifndef TB_PORTS
#define TB_PORTS 2
#endif

namespace {

using tb::check;

enum Class { CODE, SHORT, LONG, FCS, TCP, FOREIGN, OTHER_RUN, WRONG_LENGTH, BAD_PAYLOAD, WRONG_PORT, RECEIVED, CLASSES };
const char *const NAMES[CLASSES] = {"bad_code",  "bad_short",    "bad_long",    "bad_fcs",    "tcp",    "foreign",
                                    "other_run", "wrong_length", "bad_payload", "wrong_port", "received"};
uint64_t seen[CLASSES];

constexpr uint64_t START_MASK = (1ull << 61) - 1, TIME_MASK = (1ull << 40) - 1;

struct Record {
  bool valid = false, cut = false, cut_well = false, expected = false, miscounts = false, tcp = false;
  Class verdict = RECEIVED; // verdict of the MAC: one of the bad ones, or anything else for a good frame
  unsigned octets = 0;
  uint64_t start = 0;
  line::Signature signature;
  uint8_t run_id = 0;
};

Class class_of(const Record &r) {
  const line::Signature &s = r.signature;
  if (r.verdict < TCP) return r.verdict;
  if (r.tcp) return TCP;
  if (s.magic != 0xF9A6 || s.source >= TB_PORTS) return FOREIGN;
  if (s.run != r.run_id) return OTHER_RUN;
  if (s.octets != r.octets) return WRONG_LENGTH;
  if (r.miscounts) return BAD_PAYLOAD;
  return r.expected ? RECEIVED : WRONG_PORT;
}

Record random_record(tb::Random &random, uint8_t run_id) {
  Record r;
  r.valid = !random.one_in(3);
  r.cut = random.one_in(5), r.cut_well = random.one_in(2), r.expected = !random.one_in(4);
  r.miscounts = random.one_in(4), r.tcp = random.one_in(6);
  r.verdict = random.one_in(4) ? Class(random.below(4)) : RECEIVED;
  r.octets = unsigned(random.one_in(4) ? 16383 : random.between(64, 2000));
  r.start = random.one_in(3) ? (START_MASK - random.below(100)) : random.one_in(3) ? random.below(100) : random.next() & START_MASK;
  r.run_id = run_id;
  line::Signature &s = r.signature;
  s.run = run_id, s.octets = r.octets, s.tag = random.one_in(2), s.entry = unsigned(random.below(256));
  s.source = unsigned(random.one_in(2) ? TB_PORTS - 1 : random.below(16)), s.destination = unsigned(random.below(16));
  s.sequence = random.one_in(2) ? line::MASK48 - random.below(3) : random.next() & line::MASK48;
  // Latencies of 0, of little, of nearly all that 40 bits hold, and negative ones
  const uint64_t latency = random.one_in(4) ? 0 : random.one_in(3) ? TIME_MASK - random.below(10) : random.next();
  s.time_groups = (r.start - latency) & TIME_MASK;
  switch (random.below(8)) {
    case 0: s.magic = uint16_t(s.magic ^ 1u << random.below(16)); break;
    case 1: s.run = uint8_t(s.run ^ 1u << random.below(8)); break;
    case 2: s.octets ^= 1u << random.below(14); break;
    case 3: s.magic = uint16_t(random.next()), s.run = uint8_t(random.next()); break;
    default: break;
  }
  return r;
}

void drive(Vdut &dut, const Record &r) {
  dut.frame_valid = r.valid;
  dut.frame_good = r.verdict >= TCP;
  dut.frame_bad_code = r.verdict == CODE, dut.frame_bad_short = r.verdict == SHORT;
  dut.frame_bad_long = r.verdict == LONG, dut.frame_bad_fcs = r.verdict == FCS;
  dut.frame_octets = uint16_t(r.octets), dut.frame_start_groups = r.start;
  dut.frame_bad_payload = r.miscounts, dut.frame_tcp = r.tcp;
  dut.cut_valid = r.cut, dut.cut_well = r.cut_well;
  std::vector<uint8_t> octets = r.signature.pack();
  std::reverse(octets.begin(), octets.end()); // the first octet on the wire is the most significant one
  tb::put_octets(dut.frame_signature, octets.data(), octets.size());
}

void compare(const Vdut &dut, const Record &r, uint64_t clock) {
  check(dut.out_valid == r.valid && dut.out_cut_valid == r.cut, "clock %" PRIu64 ": valid %d, cut %d", clock,
        dut.out_valid, dut.out_cut_valid);
  if (r.cut) check(dut.out_cut_well == r.cut_well, "clock %" PRIu64 ": cut_well", clock);
  if (!r.valid) return;
  const Class should = class_of(r);
  const std::array<bool, CLASSES> is{bool(dut.out_bad_code), bool(dut.out_bad_short), bool(dut.out_bad_long),
                                     bool(dut.out_bad_fcs), bool(dut.out_tcp), bool(dut.out_foreign), bool(dut.out_other_run),
                                     bool(dut.out_wrong_length), bool(dut.out_bad_payload), bool(dut.out_wrong_port),
                                     bool(dut.out_received)};
  for (int i = 0; i < CLASSES; i++)
    check(is[size_t(i)] == (i == should), "clock %" PRIu64 ": %s is %d of a frame that is %s", clock, NAMES[i], is[size_t(i)],
          NAMES[should]);
  const line::Signature &s = r.signature;
  check(dut.out_good == (should >= TCP), "clock %" PRIu64 ": good", clock);
  check(dut.out_octets == r.octets && dut.out_stream == s.source * 256 + s.entry && dut.out_sequence == s.sequence &&
            dut.out_tag == s.tag && dut.out_start_groups == r.start,
        "clock %" PRIu64 ": a field of the frame", clock);
  check(dut.out_latency_groups == ((r.start - s.time_groups) & TIME_MASK), "clock %" PRIu64 ": latency %" PRIu64, clock,
        uint64_t(dut.out_latency_groups));
  seen[should]++;
}

void run(uint64_t seed) {
  printf("seed %" PRIu64 "\n", seed);
  tb::Random random(seed);
  Vdut dut;
  dut.frame_valid = dut.cut_valid = 0;
  tb::reset(dut);
  const uint8_t run_id = uint8_t(random.next());
  dut.cfg_run_id = run_id;
  std::deque<Record> pipe(2);
  for (uint64_t clock = 0; clock < 100000; clock++) {
    dut.rst = random.one_in(500);
    const Record now = random_record(random, run_id);
    drive(dut, now);
    dut.expected = pipe.back().expected; // asked for in the clock before
    dut.eval();
    if (now.valid)
      check(dut.look_stream == now.signature.source * 256 + now.signature.entry, "clock %" PRIu64 ": look_stream", clock);
    compare(dut, pipe.front(), clock);
    pipe.pop_front();
    pipe.push_back(now);
    if (dut.rst)
      for (Record &r : pipe) r.valid = r.cut = false;
    tb::tick(dut);
  }
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  for (uint64_t seed = first; seed < first + 3; seed++) run(seed);
  for (int i = 0; i < CLASSES; i++) check(seen[i] > 500, "%s occurred %" PRIu64 " times", NAMES[i], seen[i]);
  return tb::finish("rx_classify");
}
