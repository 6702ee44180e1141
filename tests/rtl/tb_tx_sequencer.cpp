// SPDX-License-Identifier: Apache-2.0
// tx_sequencer against tx_model.h: the descriptors of random trials one by one, over all orders, lengths and flags, with
// room that comes and goes; when the first one comes; that each load begins anew; that tables can be written meanwhile.
// An argument is another seed.
#include "tests/rtl/tx_model.h"

using namespace tb;

static const unsigned FIRST_CLOCKS = 6; // clocks from load to the first descriptor
static const unsigned CLOCKS = 5;       // clocks from room to its descriptor

static Vdut dut;
static Random rng(20260106);
static TxTables tables;

static void write_flow(unsigned index, const TxFlow &f) {
  tables.flows[index] = f;
  dut.flow_index = (uint8_t)index;
  dut.flow_size = f.count << 16 | f.first << 2 | f.how;
  dut.flow_flags = (uint8_t)(f.is_unsigned | f.bad_fcs << 1 | f.bad_end << 2);
  dut.flow_size_we = dut.flow_flags_we = 1;
  tick(dut);
  dut.flow_size_we = dut.flow_flags_we = 0;
}

static void write_length(unsigned index, unsigned octets) {
  tables.lengths[index] = octets;
  dut.size_index = (uint16_t)index;
  dut.size_octets = (uint16_t)octets;
  dut.size_we = 1;
  tick(dut);
  dut.size_we = 0;
}

static void write_turn(unsigned index, unsigned flow) {
  tables.turns[index] = flow;
  dut.turn_index = (uint16_t)index;
  dut.turn_flow = (uint8_t)flow;
  dut.turn_we = 1;
  tick(dut);
  dut.turn_we = 0;
}

static void configure(const TxSettings &s) {
  dut.cfg_order = (uint8_t)s.order;
  dut.cfg_flows = (uint16_t)s.flows;
  dut.cfg_turns = (uint16_t)s.turns;
  dut.cfg_seed = s.seed;
  dut.cfg_size_seed = s.size_seed;
  dut.cfg_frame_octets = (uint16_t)s.frame_octets;
  dut.cfg_every = s.every;
  dut.cfg_every_flow = (uint8_t)s.every_flow;
}

// room: one in this many clocks has room.
static void trial(const TxSettings &s, unsigned frames, unsigned room) {
  configure(s);
  dut.load = 1;
  dut.room = (uint8_t)rng.below(2);
  tick(dut);
  dut.load = 0;
  TxSettings others;
  others.order = (unsigned)rng.below(4);
  others.flows = (unsigned)rng.between(1, 256);
  others.frame_octets = 999;
  others.every = (uint32_t)rng.below(4);
  configure(others); // latched at load
  TxSequence model(s, tables);
  std::vector<bool> rooms;
  for (unsigned clock = 1, n = 0; n < frames; clock++) {
    dut.room = rng.one_in(room);
    rooms.push_back(dut.room);
    dut.eval();
    bool expected = clock >= FIRST_CLOCKS && rooms[clock - CLOCKS - 1];
    if (!check(dut.valid == expected, "valid %d in clock %u after load", dut.valid, clock))
      return;
    if (expected) {
      TxSequence::Frame frame = model.next();
      const TxFlow &f = tables.flows[frame.flow];
      check(dut.flow == frame.flow && dut.octets == frame.octets,
            "frame %u, order %u, how %u: flow %u with %u octets, expected %u with %u", n, s.order, f.how, dut.flow,
            dut.octets, frame.flow, frame.octets);
      check(dut.flags == (f.is_unsigned | f.bad_fcs << 1 | f.bad_end << 2), "frame %u: flags %u", n, dut.flags);
      n++;
    }
    tick(dut);
  }
}

static TxFlow random_flow() {
  TxFlow f;
  f.how = (unsigned)rng.below(4);
  f.first = (unsigned)rng.below(16384);
  f.count = (unsigned)(rng.one_in(3) ? rng.below(32768) : rng.one_in(2) ? rng.below(5) : rng.between(1000, 1040));
  f.is_unsigned = rng.one_in(2);
  f.bad_fcs = rng.one_in(2);
  f.bad_end = rng.one_in(2);
  return f;
}

static void random_trials() {
  for (int i = 0; i < 1500; i++) {
    unsigned some = rng.one_in(2) ? 256 : 4;
    for (int n = 0; n < 10; n++) {
      write_flow((unsigned)rng.below(some), random_flow());
      write_turn((unsigned)rng.below(rng.one_in(2) ? 4096 : 20), (unsigned)rng.below(some));
    }
    TxSettings s;
    s.order = (unsigned)rng.below(4);
    s.flows = (unsigned)rng.between(1, some);
    s.turns = (unsigned)(rng.one_in(10) ? 4096 : rng.one_in(2) ? rng.between(1, 4096) : rng.between(1, 20));
    s.seed = rng.one_in(9) ? 0 : (uint32_t)rng.next();
    s.size_seed = rng.one_in(9) ? 0 : (uint32_t)rng.next();
    s.frame_octets = (unsigned)rng.below(rng.one_in(4) ? 60 : 16384);
    static const uint32_t everies[] = {0, 0, 1, 2, 3, 5, 7, 13, 100, 127, 0xFFFFFFFF};
    s.every = everies[rng.below(std::size(everies))];
    s.every_flow = (unsigned)rng.below(rng.one_in(2) ? some : 256);
    trial(s, rng.one_in(20) ? 5000 : (unsigned)rng.between(1, 400), rng.one_in(2) ? 1 : (unsigned)rng.between(1, 5));
  }
}

// Several flows, each at a place of its own in the table of lengths, also in adjacent clocks.
static void positions_of_flows_are_their_own() {
  for (unsigned index = 0; index < 4; index++) {
    TxFlow f;
    f.how = 1;
    f.first = 100 * index;
    f.count = 2 + index;
    write_flow(index, f);
  }
  for (unsigned turn = 0; turn < 16; turn++)
    write_turn(turn, (unsigned)rng.below(4));
  TxSettings s;
  s.order = 2;
  s.turns = 16;
  trial(s, 500, 1);
  trial(s, 500, 1); // begins at the first entry again
}

// Frames n, 2n, 3n ... are of the other flow, and what is left is what comes without it: no turn is used up, and no draw.
static void every_nth_frame_costs_no_turn() {
  for (unsigned turn = 0; turn < 30; turn++)
    write_turn(turn, (unsigned)rng.below(200));
  for (uint32_t every : {1u, 2u, 3u, 7u, 100u}) {
    TxSettings s;
    s.order = (unsigned)rng.below(4);
    s.flows = 200;
    s.turns = 30;
    s.seed = (uint32_t)rng.next();
    TxSequence without(s, tables);
    s.every = every;
    s.every_flow = 201;
    configure(s);
    dut.load = dut.room = 1;
    tick(dut);
    dut.load = 0;
    for (unsigned n = 1; n <= 1000; tick(dut)) {
      dut.room = rng.one_in(2);
      dut.eval();
      if (!dut.valid) continue;
      unsigned flow = n % every == 0 ? 201 : without.next().flow;
      check(dut.flow == flow, "every %u, frame %u: flow %u, expected %u", every, n, dut.flow, flow);
      n++;
    }
  }
}

static void no_flows_no_frames() {
  for (unsigned i = 0; i < 20; i++) {
    TxSettings s;
    s.order = i % 4;
    s.every = i / 4;
    trial(s, 10, 1); // some that are on their way
    s.flows = 0;
    configure(s);
    dut.load = dut.room = 1;
    tick(dut);
    dut.load = 0;
    for (unsigned clock = 0; clock < 50; clock++) {
      check(!dut.valid, "a descriptor without flows, order %u", s.order);
      tick(dut);
    }
  }
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20260106;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.load = dut.room = dut.turn_we = dut.size_we = dut.flow_size_we = dut.flow_flags_we = 0;
  reset(dut);
  dut.room = 1;
  for (int i = 0; i < 20; i++) {
    tick(dut);
    check(!dut.valid, "a descriptor before the first load");
  }
  TxSettings first; // tables are zero when the device is loaded
  first.order = 2;
  first.turns = 4096;
  trial(first, 4100, 1);
  for (unsigned i = 0; i < 1024; i++)
    write_length(i, (unsigned)rng.below(16384));
  random_trials();
  positions_of_flows_are_their_own();
  every_nth_frame_costs_no_turn();
  no_flows_no_frames();
  return finish("tx_sequencer");
}
