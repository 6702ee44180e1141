// SPDX-License-Identifier: Apache-2.0
// link_monitor: what has happened stays until clear, the state of link and lanes does not, each count is the sum of its steps, and
// without a MAC there is nothing, whatever the other inputs say. How often the link went down is counted past every clear and
// every time that the line leads elsewhere.
#include "tests/rtl/tb.h"

using tb::check;

namespace {
constexpr unsigned EVENTS = 11;
constexpr uint32_t PRESENT = 1u << 0, UP = 1u << 1, FIRST_LANE = 2, FEC_BAD = 1u << 7, FIRST_EVENT = 8, LINK_DOWN = 1;

struct Model {
  bool present = false, up = false, fec_bad = false;
  uint32_t lanes = 0;
  uint32_t seen = 0;
  uint64_t sums[4] = {}; // sent, dropped, late, counted
  uint32_t flaps = 0;

  void forget() {
    seen = 0;
    fec_bad = false;
    for (auto &sum : sums) sum = 0;
  }
};
} // namespace

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  tb::Random random(argc > 1 ? strtoull(argv[1], nullptr, 0) : 1);
  Vdut dut;
  Model model;
  uint64_t most = 0, all_seen = 0, quiet = 0, most_flaps = 0;
  dut.clear = dut.attached = dut.present = dut.up = dut.lanes = dut.fec_uncorrectable = dut.events = dut.steps = 0;
  tb::reset(dut, 3);
  for (uint64_t clock = 0; clock < 400000; clock++) {
    const bool calm = clock / 4096 % 2 == 0;
    dut.rst = random.one_in(100000);
    dut.clear = random.one_in(6000);
    if (random.one_in(20000)) dut.present = !dut.present;
    if (clock == 10) dut.present = dut.attached = 1;
    if (dut.attached ? random.one_in(150000) : clock > 10 && random.one_in(1000)) dut.attached = !dut.attached;
    if (!dut.attached) dut.present = 0;
    dut.up = calm || !random.one_in(300);
    dut.events = calm || !random.one_in(100) ? 0 : 1u << random.below(EVENTS);
    dut.steps = random.next() & 0xff;
    dut.lanes = random.next() & 0x1f;
    dut.fec_uncorrectable = !calm && random.one_in(100);
    dut.eval();
    const uint32_t status = (model.present ? PRESENT : 0) | (model.up ? UP : 0) | model.lanes << FIRST_LANE |
                            (model.fec_bad ? FEC_BAD : 0) | model.seen << FIRST_EVENT;
    check(dut.status == status, "clock %" PRIu64 ": status %08x, should be %08x", clock, dut.status, status);
    const uint64_t sums[4] = {dut.mac_sent_frames, dut.mac_dropped_frames, dut.mac_late_frames, dut.mac_counted_frames};
    for (unsigned i = 0; i < 4; i++)
      check(sums[i] == model.sums[i], "clock %" PRIu64 ": count %u is %" PRIu64 ", should be %" PRIu64, clock, i, sums[i], model.sums[i]);
    check(dut.flaps == model.flaps, "clock %" PRIu64 ": %u flaps, should be %u", clock, dut.flaps, model.flaps);
    most_flaps = model.flaps > most_flaps ? model.flaps : most_flaps;
    most = sums[0] > most ? sums[0] : most;
    all_seen += model.seen == (1u << EVENTS) - 1, quiet += model.present && model.seen == 0;
    model.flaps = dut.rst || !dut.attached ? 0 : model.flaps + (dut.events & LINK_DOWN);
    model.present = dut.present && !dut.rst, model.up = dut.present && dut.up && !dut.rst;
    model.lanes = dut.present && !dut.rst ? dut.lanes : 0;
    if (dut.rst || dut.clear || !dut.present) {
      model.forget();
    } else {
      model.fec_bad |= dut.fec_uncorrectable;
      model.seen |= dut.events | (dut.up ? 0 : LINK_DOWN);
      for (unsigned i = 0; i < 4; i++) model.sums[i] += dut.steps >> 2 * i & 3;
    }
    tb::tick(dut);
  }
  check(most_flaps > 20, "%" PRIu64 " flaps at most", most_flaps);
  check(most > 10000 && all_seen > 0 && quiet > 0, "counts up to %" PRIu64 ", all events for %" PRIu64 " clocks, none for %" PRIu64,
        most, all_seen, quiet);
  return tb::finish("link_monitor");
}
