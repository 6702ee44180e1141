// SPDX-License-Identifier: Apache-2.0
// rx_stream_table against a map of streams with 128-bit sums: frames of few streams in adjacent clocks, latencies of
// every magnitude; snapshots, reads and clears in any clock; a total that passes 2^64.
#include "tb.h"
#include <deque>
#include <map>
#include <optional>

#ifndef TB_PORTS
#define TB_PORTS 2
#endif

namespace {

using tb::check;

constexpr unsigned STREAMS = TB_PORTS * 256;
constexpr uint64_t MASK40 = (1ull << 40) - 1;
constexpr size_t COMMIT = 2; // clocks from u_valid to the clock at whose end it is counted

struct Stream {
  uint64_t unexpected = 0, min = UINT64_MAX, max = 0;
  unsigned __int128 sum = 0;
};
struct Frame {
  unsigned stream;
  bool unexpected;
  uint64_t groups;
};
typedef std::map<unsigned, Stream> Table;

uint64_t reads, first_frames, adjacent;

class Bench {
public:
  Vdut dut;
  tb::Random random;
  Table live, frozen;

  explicit Bench(uint64_t seed) : random(seed) {
    printf("seed %" PRIu64 "\n", seed);
    dut.u_valid = dut.clear = dut.snapshot = dut.stream_req = 0;
    tb::reset(dut);
    busy = STREAMS;
    for (unsigned i = 0; i < STREAMS; i++) clock(std::nullopt);
  }

  void clock(std::optional<Frame> frame) {
    dut.u_valid = frame.has_value();
    dut.u_stream = uint16_t(frame ? frame->stream : random.below(STREAMS));
    const std::optional<Frame> commits = pipe.front();
    dut.c_unexpected = commits ? commits->unexpected : random.one_in(2); // matters in a commit clock only
    dut.c_latency_groups = commits ? commits->groups : random.next() & MASK40;
    dut.eval();
    check(dut.busy == (busy != 0), "clock %" PRIu64 ": busy is %d", now, dut.busy);
    if (dut.stream_ack) compare();
    if (dut.snapshot) frozen = live;
    if (commits) count(*commits);
    pipe.pop_front();
    if (busy || dut.clear) frame.reset(); // ignored then
    adjacent += frame && pipe.back() && pipe.back()->stream == frame->stream;
    pipe.push_back(frame);
    if (busy) busy--;
    if (dut.clear) live = frozen = Table(), pipe.assign(COMMIT, std::nullopt), busy = STREAMS;
    const bool answered = dut.stream_ack;
    tb::tick(dut);
    if (answered || !dut.stream_req) {
      dut.stream_req = random.one_in(2);
      dut.stream_index = uint16_t(random.one_in(10) ? random.below(4096) : random.below(spread));
    }
    dut.snapshot = dut.clear = 0;
    now++;
  }

  void any_clock(uint64_t clocks) {
    unsigned density = 100, latency = 0, unexpected = 2;
    for (uint64_t i = 0; i < clocks; i++) {
      if (i % 500 == 0) {
        spread = unsigned(random.one_in(3) ? STREAMS : random.between(1, 4));
        density = random.one_in(3) ? 97 : 60;
        latency = unsigned(random.below(40));
        unexpected = unsigned(random.one_in(3) ? 1 : random.between(2, 20));
      }
      dut.snapshot = random.one_in(60);
      dut.clear = random.one_in(20000);
      const uint64_t groups = random.one_in(10) ? random.below(2) : random.one_in(10) ? MASK40 - random.below(2)
                                                                                      : (random.next() & MASK40) >> latency;
      if (random.below(100) < density) clock(Frame{unsigned(random.below(spread)), random.one_in(unexpected), groups});
      else clock(std::nullopt);
    }
  }

  void beyond_64_bits() {
    spread = 2;
    for (uint64_t i = 0; i < 5u << 20; i++) { // a little more than 2^21 of the largest latency are 2^64
      dut.snapshot = random.one_in(200);
      if (i % 64) clock(Frame{i % 100 == 0, i % 1000 == 1, MASK40 - i % 3});
      else clock(std::nullopt); // lets reads through
    }
    check(live[0].sum >> 64 == 2, "the total passes 2^64 twice");
  }

private:
  std::deque<std::optional<Frame>> pipe = std::deque<std::optional<Frame>>(COMMIT);
  unsigned busy = 0, spread = STREAMS;
  uint64_t now = 0;

  void count(const Frame &f) {
    Stream &s = live[f.stream];
    if (f.unexpected) {
      s.unexpected++;
      return;
    }
    const uint64_t octets = 8 * f.groups;
    first_frames += s.min == UINT64_MAX;
    s.min = octets < s.min ? octets : s.min;
    s.max = octets > s.max ? octets : s.max;
    s.sum += octets;
  }

  void compare() {
    check(dut.stream_req, "clock %" PRIu64 ": an answer without a request", now);
    const auto at = frozen.find(dut.stream_index);
    const Stream s = at == frozen.end() ? Stream() : at->second;
    check(dut.unexpected == s.unexpected, "clock %" PRIu64 ": stream %u: unexpected %" PRIu64 ", should be %" PRIu64, now,
          dut.stream_index, uint64_t(dut.unexpected), s.unexpected);
    check(dut.latency_min == s.min && dut.latency_max == s.max,
          "clock %" PRIu64 ": stream %u: min %" PRIx64 ", max %" PRIx64 ", should be %" PRIx64 ", %" PRIx64, now,
          dut.stream_index, uint64_t(dut.latency_min), uint64_t(dut.latency_max), s.min, s.max);
    check(dut.latency_sum == uint64_t(s.sum) && dut.latency_sum_high == uint64_t(s.sum >> 64),
          "clock %" PRIu64 ": stream %u: sum %" PRIx64 " %" PRIx64 ", should be %" PRIx64 " %" PRIx64, now, dut.stream_index,
          uint64_t(dut.latency_sum_high), uint64_t(dut.latency_sum), uint64_t(s.sum >> 64), uint64_t(s.sum));
    reads++;
  }
};

} // namespace

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  for (uint64_t seed = first; seed < first + 6; seed++) std::make_unique<Bench>(seed)->any_clock(150000);
  std::make_unique<Bench>(first + 6)->beyond_64_bits();
  check(reads > 100000 && first_frames > 1000 && adjacent > 10000, "reads %" PRIu64 ", first frames %" PRIu64
        ", frames of one stream in adjacent clocks %" PRIu64, reads, first_frames, adjacent);
  return tb::finish("rx_stream_table");
}
