// SPDX-License-Identifier: Apache-2.0
// tx_flows against plain arrays: header, port and sequence number of any flows in adjacent clocks, 4 clocks after each
// frame, with writes to the tables meanwhile, counts frozen by snapshots, and clears. An argument is another seed.
#include "tests/rtl/tb.h"
#include <array>
#include <deque>

using namespace tb;

static const unsigned LATENCY = 4;

static Vdut dut;
static Random rng(20260108);

struct Flow {
  std::array<uint8_t, 64> header{};
  unsigned port = 0;
  uint64_t sent = 0, frozen = 0;
};
static std::array<Flow, 256> flows;

struct Given {
  bool valid;
  unsigned flow;
  uint64_t sequence;
};
static std::deque<Given> given(LATENCY, Given{false, 0, 0}); // frames on their way, the oldest first

// One clock, with a frame of a flow or none.
static void clock_flows(bool valid, unsigned flow) {
  dut.frame_valid = valid;
  dut.frame_flow = (uint8_t)flow;
  Given now{valid, flow, flows[flow].sent};
  flows[flow].sent += valid;
  given.push_back(now);
  dut.eval();
  check(dut.coming_valid == given[1].valid, "coming_valid %d", dut.coming_valid);
  tick(dut);
  given.pop_front();
  const Given &out = given.front();
  check(dut.out_valid == out.valid, "out_valid %d", dut.out_valid);
  if (!out.valid)
    return;
  check(dut.out_index == out.flow && dut.out_port == flows[out.flow].port, "flow %u to port %u, expected %u to %u",
        dut.out_index, dut.out_port, out.flow, flows[out.flow].port);
  check(get_u64(dut.out_sequence) == out.sequence, "flow %u: sequence number %" PRIu64 ", expected %" PRIu64, out.flow,
        get_u64(dut.out_sequence), out.sequence);
  uint8_t header[64];
  get_octets(dut.out_header, header, 64);
  check(memcmp(header, flows[out.flow].header.data(), 64) == 0, "flow %u: header", out.flow);
}

static void pause(unsigned clocks) {
  for (unsigned i = 0; i < clocks; i++)
    clock_flows(false, 0);
}

static void write_flow(unsigned index) {
  Flow &f = flows[index];
  for (auto &octet : f.header)
    octet = (uint8_t)rng.next();
  f.port = (unsigned)rng.below(16);
  dut.flow_index = (uint8_t)index;
  dut.flow_port = (uint8_t)f.port;
  dut.flow_port_we = 1;
  pause(1);
  dut.flow_port_we = 0;
  dut.header_we = 1;
  for (unsigned w = 0; w < 16; w++) {
    dut.header_word = (uint8_t)w;
    memcpy(&dut.header_data, &f.header[4 * w], 4);
    pause(1);
  }
  dut.header_we = 0;
}

static void frames(unsigned count, unsigned used, unsigned one_in) {
  for (unsigned i = 0; i < count; i++)
    clock_flows(rng.one_in(one_in), (unsigned)rng.below(used));
}

static void snapshot() {
  pause(LATENCY + 4); // so that the counts of all frames given are in the table
  dut.snapshot = 1;
  pause(1);
  dut.snapshot = 0;
  for (Flow &f : flows)
    f.frozen = f.sent;
}

static void check_frozen(unsigned index) {
  dut.stream_req = 1;
  dut.stream_index = (uint8_t)index;
  dut.eval();
  for (int i = 0; i < 1000 && !dut.stream_ack; i++)
    frames(1, 256, 2);
  check(dut.stream_ack && get_u64(dut.stream_frames) == flows[index].frozen,
        "frozen count of flow %u: %" PRIu64 ", expected %" PRIu64, index, get_u64(dut.stream_frames),
        flows[index].frozen);
  pause(1);
  dut.stream_req = 0;
}

static void clear() {
  pause(LATENCY + 4);
  dut.clear = 1;
  pause(1);
  dut.clear = 0;
  check(dut.busy, "not busy after a clear");
  while (dut.busy)
    pause(1);
  for (Flow &f : flows)
    f.sent = f.frozen = 0;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20260108;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.flow_port_we = dut.header_we = dut.frame_valid = dut.clear = dut.snapshot = dut.stream_req = 0;
  reset(dut);
  while (dut.busy)
    pause(1);
  for (unsigned i = 0; i < 256; i++)
    write_flow(i);
  for (int i = 0; i < 60; i++) {
    frames(500, rng.one_in(2) ? 256 : (unsigned)rng.between(1, 3), (unsigned)rng.between(1, 3));
    pause(LATENCY);
    write_flow((unsigned)rng.below(256));
    if (rng.one_in(4))
      snapshot();
    for (int n = 0; n < 20; n++)
      check_frozen((unsigned)rng.below(256));
    if (rng.one_in(10))
      clear();
  }
  return finish("tx_flows");
}
