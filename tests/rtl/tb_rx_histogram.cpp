// SPDX-License-Identifier: Apache-2.0
// rx_histogram against two arrays and the definitions of the bins: latencies at every edge of every bin, in adjacent
// clocks; snapshots, reads and clears in any clock, with every commit in its clock.
#include "rx_model.h"
#include "tb.h"
#include <array>
#include <deque>
#include <optional>

namespace {

using tb::check;

constexpr unsigned BINS = 1024;
constexpr uint64_t MASK40 = (1ull << 40) - 1;
constexpr size_t COMMIT = 5; // clocks from a latency to the clock at whose end it is counted

struct Bins {
  std::array<uint64_t, BINS> linear{}, octaves{};
};

uint64_t reads, busy_clocks;

class Bench {
public:
  line::Config config;

  explicit Bench(uint64_t seed) : random(seed) {
    printf("seed %" PRIu64 "\n", seed);
    const unsigned width = unsigned(random.one_in(3) ? 3 : random.between(3, 31));
    config.histogram_width_log2 = width;
    config.histogram_base = random.one_in(3) ? 0 : random.one_in(3) ? MASK40 * 8 - random.below(3) * 8 : (random.next() >> (21 + random.below(35))) & ~7ull;
    dut.valid = dut.clear = dut.snapshot = dut.histogram_req = dut.octave_req = 0;
    dut.cfg_base = config.histogram_base;
    dut.cfg_width_log2 = uint8_t(random.one_in(4) && width == 3 ? random.below(4) : width); // widths below 3 act as 3
    tb::reset(dut);
    busy = BINS;
    for (unsigned i = 0; i < BINS; i++) clock(std::nullopt);
  }

  // One clock with a latency, in groups, or without one.
  void clock(std::optional<uint64_t> groups) {
    if (busy || dut.clear) groups.reset(); // the user's part of the contract
    dut.valid = groups.has_value();
    dut.latency_groups = groups ? *groups : random.next() & MASK40;
    dut.eval();
    check(dut.busy == (busy != 0), "clock %" PRIu64 ": busy is %d", now, dut.busy);
    answer("linear", dut.histogram_req, dut.histogram_ack, dut.histogram_index, dut.histogram_count, frozen.linear);
    answer("octave", dut.octave_req, dut.octave_ack, dut.octave_index, dut.octave_count, frozen.octaves);
    if (dut.snapshot) frozen = live;
    if (pipe.front()) {
      const uint64_t octets = 8 * *pipe.front();
      live.linear[line::linear_bin(config, octets)]++, live.octaves[line::octave_bin(octets)]++;
    }
    pipe.pop_front();
    pipe.push_back(groups);
    busy_clocks += busy != 0;
    if (busy) busy--;
    if (dut.clear) live = frozen = Bins(), pipe.assign(COMMIT, std::nullopt), busy = BINS;
    const bool linear_answered = dut.histogram_ack, octave_answered = dut.octave_ack;
    tb::tick(dut);
    next_read(dut.histogram_req, linear_answered, dut.histogram_index);
    next_read(dut.octave_req, octave_answered, dut.octave_index);
    dut.snapshot = dut.clear = 0;
    now++;
  }
  void random_strobes(bool clears) {
    dut.snapshot = random.one_in(40);
    dut.clear = clears && random.one_in(5000);
  }

  // Every bin of both, after a snapshot.
  void read_all() {
    host_reads = false;
    do clock(std::nullopt);
    while (busy || dut.histogram_req || dut.octave_req);
    for (size_t i = 0; i < COMMIT; i++) clock(std::nullopt);
    dut.snapshot = 1;
    clock(std::nullopt);
    dut.histogram_req = dut.octave_req = 1;
    for (unsigned bin = 0; bin < BINS; bin++) {
      dut.histogram_index = dut.octave_index = uint16_t(bin);
      do {
        dut.eval();
        if (dut.histogram_ack) break;
        tb::tick(dut);
      } while (true);
      check(dut.octave_ack, "both answer in the same clock if nothing comes");
      check(dut.histogram_count == frozen.linear[bin] && dut.octave_count == frozen.octaves[bin],
            "bin %u: linear %" PRIu64 ", octaves %" PRIu64 ", should be %" PRIu64 ", %" PRIu64, bin,
            uint64_t(dut.histogram_count), uint64_t(dut.octave_count), frozen.linear[bin], frozen.octaves[bin]);
      tb::tick(dut);
    }
    dut.histogram_req = dut.octave_req = 0;
    host_reads = true;
  }

  Vdut dut;
  tb::Random random;
  Bins live, frozen;
  unsigned spread = BINS;

private:
  std::deque<std::optional<uint64_t>> pipe = std::deque<std::optional<uint64_t>>(COMMIT);
  unsigned busy = 0;
  uint64_t now = 0;
  bool host_reads = true;

  void answer(const char *name, bool req, bool ack, unsigned bin, uint64_t is, const std::array<uint64_t, BINS> &bins) {
    if (!ack) return;
    check(req && is == bins[bin], "clock %" PRIu64 ": %s bin %u is %" PRIu64 ", should be %" PRIu64, now, name, bin, is,
          bins[bin]);
    reads++;
  }
  template <class Req, class Index> void next_read(Req &req, bool answered, Index &index) {
    if (req && !answered) return;
    req = host_reads && random.one_in(2);
    // Few bins, so that what is read changes at the same time
    if (req) index = Index(random.one_in(4) ? random.below(BINS) : random.one_in(4) ? 1023 : random.below(spread));
  }
};

// The first latency of every bin, the one before it, and some within.
void every_edge(Bench &b) {
  std::vector<uint64_t> values{0, MASK40, MASK40 - 1, 1ull << 36, (1ull << 36) - 1};
  for (uint64_t bin = 0; bin < 1200; bin++) {
    const uint64_t linear = b.config.histogram_base / 8 + (bin << (b.config.histogram_width_log2 - 3));
    const uint64_t octave = bin < 64 ? bin : (32 + bin % 32) << (bin / 32 - 1);
    for (uint64_t edge : {linear, octave}) values.insert(values.end(), {edge - 1, edge, edge + b.random.below(1 << 20)});
  }
  for (uint64_t v : values)
    if (v <= MASK40) b.clock(v);
  b.read_all();
}

void any_clock(Bench &b, uint64_t clocks, bool clears) {
  unsigned density = 100;
  uint64_t magnitude = 1;
  for (uint64_t i = 0; i < clocks; i++) {
    if (i % 500 == 0) {
      density = unsigned(std::array<int, 4>{20, 70, 95, 98}[b.random.below(4)]);
      magnitude = b.random.one_in(2) ? 5 : 1ull << b.random.between(1, 40);
      b.spread = b.random.one_in(2) ? 6 : BINS;
    }
    b.random_strobes(clears);
    const uint64_t groups = (b.random.one_in(3) ? b.config.histogram_base / 8 : 0) + b.random.below(magnitude);
    if (b.random.below(100) < density) b.clock(groups & MASK40);
    else b.clock(std::nullopt);
  }
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  for (uint64_t seed = first; seed < first + 12; seed++) {
    auto b = std::make_unique<Bench>(seed);
    every_edge(*b);
    any_clock(*b, 60000, seed % 2);
    b->read_all();
  }
  check(reads > 10000 && busy_clocks > 12 * BINS, "%" PRIu64 " reads, %" PRIu64 " clocks of clearing", reads, busy_clocks);
  return tb::finish("rx_histogram");
}
