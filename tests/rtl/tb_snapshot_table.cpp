// SPDX-License-Identifier: Apache-2.0
// snapshot_table against a plain copy-everything model: random updates (often of the same entry in adjacent clocks),
// snapshots, host reads and clears. Every commit, every frozen value read and every clear is compared.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "Vdut.h"
#include "verilated.h"

namespace {

constexpr unsigned kEntries = 1u << 4;
constexpr uint64_t kCountMask = (UINT64_C(1) << 48) - 1;
constexpr unsigned kStateMask = 0xff;

struct Entry {
  uint64_t count = 0;
  unsigned state = 0;
};

struct Statistics {
  uint64_t commits = 0, neighbours = 0, reads = 0, reads_with_updates_on_the_way = 0, snapshots = 0, clears = 0;
};

class Bench {
 public:
  explicit Bench(unsigned seed) : random_(seed), live_(kEntries), frozen_(kEntries), commits_{-1, -1} {}

  bool run(unsigned clocks) {
    reset();
    for (unsigned i = 0; i < clocks; i++) {
      // Phases of different density, so that both starved and idle read slots occur.
      if (i % 997 == 0) {
        density_ = std::vector<unsigned>{0, 10, 50, 90, 99}[random_() % 5];
        spread_ = std::vector<unsigned>{1, 2, 3, kEntries}[random_() % 4];
      }
      if (!clock()) return false;
    }
    return true;
  }
  Statistics statistics;

 private:
  std::mt19937 random_;
  std::unique_ptr<Vdut> dut_ = std::make_unique<Vdut>();
  std::vector<Entry> live_, frozen_;
  std::deque<int> commits_;  // entry that must commit in this clock and in the next; -1: none
  unsigned density_ = 50, spread_ = kEntries;
  uint64_t now_ = 0;
  uint64_t busy_until_ = 0;  // first clock in which the table must not be busy
  bool reading_ = false;
  unsigned read_index_ = 0, read_age_ = 0;

  bool chance(unsigned percent) { return random_() % 100 < percent; }

  bool fail(const char *what, uint64_t got, uint64_t expected) {
    std::printf("clock %" PRIu64 ": %s is %" PRIu64 ", expected %" PRIu64 "\n", now_, what, got, expected);
    return false;
  }

  void edge() {
    dut_->clk = 1;
    dut_->eval();
    dut_->clk = 0;
    dut_->eval();
    now_++;
  }

  void reset() {
    commits_ = {-1, -1};
    dut_->rst = 1;
    edge();
    edge();
    dut_->rst = 0;
    busy_until_ = now_ + kEntries;
  }

  bool clock() {
    const bool busy = now_ < busy_until_;
    const bool clear = random_() % 3000 == 0;
    const bool snapshot = random_() % 40 == 0;
    // Updates that come while the table is busy must be ignored, so they are driven then too.
    const bool update = chance(density_);
    const unsigned index = random_() % spread_;
    if (!reading_ && chance(40)) {
      reading_ = true;
      read_index_ = random_() % spread_;
      read_age_ = 0;
    }
    dut_->clear = clear;
    dut_->snapshot = snapshot;
    dut_->u_valid = update;
    dut_->u_index = index;
    dut_->r_req = reading_;
    dut_->r_index = read_index_;
    dut_->eval();

    if (dut_->busy != busy) return fail("busy", dut_->busy, busy);
    // The answer reflects the snapshots before the clock of the answer, because it left the table a clock ago.
    if (dut_->r_ack) {
      if (!reading_) return fail("r_ack without request", 1, 0);
      if (dut_->r_count != frozen_[read_index_].count)
        return fail("r_count", dut_->r_count, frozen_[read_index_].count);
      statistics.reads++;
      if (live_[read_index_].count != frozen_[read_index_].count) statistics.reads_with_updates_on_the_way++;
      reading_ = false;
    } else if (reading_ && !busy && ++read_age_ > 1000 && density_ < 99) {
      return fail("clocks that a read waits", read_age_, 1000);
    }
    if (snapshot) {
      frozen_ = live_;
      statistics.snapshots++;
    }
    if (!commit()) return false;

    const bool admitted = update && !busy && !clear;
    if (admitted && commits_[1] == static_cast<int>(index)) statistics.neighbours++;
    commits_.pop_front();
    commits_.push_back(admitted ? static_cast<int>(index) : -1);
    if (clear) {
      live_.assign(kEntries, Entry());
      frozen_.assign(kEntries, Entry());
      commits_ = {-1, -1};
      busy_until_ = now_ + 1 + kEntries;
      statistics.clears++;
    }
    edge();
    return true;
  }

  bool commit() {
    const int entry = commits_.front();
    if (dut_->c_valid != (entry >= 0)) return fail("c_valid", dut_->c_valid, entry >= 0);
    dut_->n_count = random_() & kCountMask;  // these must do nothing without c_valid
    dut_->n_state = random_() & kStateMask;
    if (entry >= 0) {
      Entry &live = live_[static_cast<unsigned>(entry)];
      if (dut_->c_count != live.count) return fail("c_count", dut_->c_count, live.count);
      if (dut_->c_state != live.state) return fail("c_state", dut_->c_state, live.state);
      live.count = (live.count + 1 + random_() % 5) & kCountMask;
      live.state = random_() & kStateMask;
      dut_->n_count = live.count;
      dut_->n_state = live.state;
      statistics.commits++;
    }
    dut_->eval();
    return true;
  }
};

}  // namespace

int main(int argc, char **argv) {
  const unsigned clocks = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 200000;
  Statistics sum;
  for (unsigned seed = 1; seed <= 4; seed++) {
    Bench bench(seed);
    if (!bench.run(clocks)) {
      std::printf("FAIL: seed %u\n", seed);
      return 1;
    }
    const Statistics &s = bench.statistics;
    sum.commits += s.commits;
    sum.neighbours += s.neighbours;
    sum.reads += s.reads;
    sum.reads_with_updates_on_the_way += s.reads_with_updates_on_the_way;
    sum.snapshots += s.snapshots;
    sum.clears += s.clears;
  }
  std::printf("%" PRIu64 " commits (%" PRIu64 " to the same entry as the clock before), %" PRIu64 " reads (%" PRIu64
              " of entries updated since the snapshot), %" PRIu64 " snapshots, %" PRIu64 " clears\n",
              sum.commits, sum.neighbours, sum.reads, sum.reads_with_updates_on_the_way, sum.snapshots, sum.clears);
  // A test that never met the hard cases would prove nothing.
  if (!sum.neighbours || !sum.reads_with_updates_on_the_way || !sum.clears) {
    std::printf("FAIL: an important case never occurred\n");
    return 1;
  }
  return 0;
}
