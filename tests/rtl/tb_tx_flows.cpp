// SPDX-License-Identifier: Apache-2.0
// tx_flows against plain arrays: sequence number of any flows in adjacent clocks, 4 clocks after each frame, header,
// payload and body later, with writes to the tables meanwhile, counts frozen by snapshots, and clears. An argument is
// another seed.
#include "tests/rtl/tb.h"
#include <array>
#include <deque>

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif
#ifndef TB_HEADER_DELAY
#define TB_HEADER_DELAY 1
#endif
static const unsigned LATENCY = 4;                                // clocks to the sequence number
static const unsigned HEADER_LATENCY = LATENCY + TB_HEADER_DELAY; // clocks to the header
static const unsigned BODY_CLOCKS = 8 / TB_GROUPS;                // clocks to each body entry after that

static Vdut dut;
static Random rng(20260108);

struct Flow {
  std::array<uint8_t, 64> header{};
  unsigned payload = 0, body_first = 0, body_words = 0;
  uint64_t sent = 0, frozen = 0;
};
static std::array<Flow, 256> flows;
static std::array<std::array<uint8_t, 64>, 512> bodies;

struct Given {
  bool valid;
  unsigned flow;
  uint64_t sequence;
};
static std::deque<Given> given(HEADER_LATENCY, Given{false, 0, 0}); // frames on their way, the oldest first
static unsigned body_flow, body_clocks = ~0u;                       // flow of the last header, clocks since then
static uint64_t entries, cut_bodies;

static void check_sequence(const Given &out) {
  check(dut.out_valid == out.valid, "out_valid %d", dut.out_valid);
  if (!out.valid)
    return;
  check(dut.out_index == out.flow, "flow %u, expected %u", dut.out_index, out.flow);
  check(get_u64(dut.out_sequence) == out.sequence, "flow %u: sequence number %" PRIu64 ", expected %" PRIu64, out.flow,
        get_u64(dut.out_sequence), out.sequence);
}

static void check_header(const Given &out) {
  check(dut.header_valid == out.valid, "header_valid %d", dut.header_valid);
  if (!out.valid)
    return;
  const Flow &flow = flows[out.flow];
  uint8_t header[64];
  get_octets(dut.out_header, header, 64);
  check(memcmp(header, flow.header.data(), 64) == 0, "flow %u: header", out.flow);
  check(dut.out_payload == flow.payload, "flow %u: payload from octet %u", out.flow, dut.out_payload);
  check(dut.out_body_words == flow.body_words, "flow %u: %u body entries", out.flow, dut.out_body_words);
}

// Checks the body of the frame whose header came last, up to the clock of the next header.
static void check_body(const Given &header) {
  bool due = false;
  unsigned entry = 0;
  if (body_clocks != ~0u) {
    body_clocks++;
    entry = body_clocks / BODY_CLOCKS - 1;
    due = body_clocks % BODY_CLOCKS == 0 && entry < flows[body_flow].body_words;
  }
  check(dut.body_valid == due, "body_valid %d, entry %u of flow %u", dut.body_valid, entry, body_flow);
  if (due) {
    entries++;
    uint8_t body[64];
    get_octets(dut.out_body, body, 64);
    check(memcmp(body, bodies[(flows[body_flow].body_first + entry) % 512].data(), 64) == 0, "flow %u: body entry %u",
          body_flow, entry);
    check(dut.body_first == (entry == 0), "body_first %d with entry %u", dut.body_first, entry);
  }
  if (header.valid) {
    cut_bodies += body_clocks != ~0u && body_clocks / BODY_CLOCKS < flows[body_flow].body_words;
    body_flow = header.flow;
    body_clocks = 0;
  }
}

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
  check_sequence(given[HEADER_LATENCY - LATENCY]);
  check_header(given.front());
  check_body(given.front());
}

static void pause(unsigned clocks) {
  for (unsigned i = 0; i < clocks; i++)
    clock_flows(false, 0);
}

static void write_body(unsigned index) {
  for (auto &octet : bodies[index])
    octet = (uint8_t)rng.next();
  dut.body_index = (uint16_t)index;
  dut.body_we = 1;
  for (unsigned w = 0; w < 16; w++) {
    dut.body_word = (uint8_t)w;
    memcpy(&dut.body_data, &bodies[index][4 * w], 4);
    pause(1);
  }
  dut.body_we = 0;
}

static void write_flow(unsigned index) {
  Flow &f = flows[index];
  for (auto &octet : f.header)
    octet = (uint8_t)rng.next();
  f.payload = (unsigned)rng.below(256);
  f.body_first = (unsigned)rng.below(512);
  f.body_words = rng.one_in(2) ? 0 : (unsigned)rng.below(32);
  dut.flow_index = (uint8_t)index;
  dut.flow_payload = (uint8_t)f.payload;
  dut.flow_payload_we = 1;
  pause(1);
  dut.flow_payload_we = 0;
  dut.flow_body_first = (uint16_t)f.body_first;
  dut.flow_body_words = (uint8_t)f.body_words;
  dut.flow_body_we = 1;
  pause(1);
  dut.flow_body_we = 0;
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
  pause(HEADER_LATENCY + 4); // so that the counts of all frames given are in the table
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
  pause(HEADER_LATENCY + 4);
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
  dut.flow_payload_we = dut.flow_body_we = dut.header_we = dut.body_we = dut.frame_valid = dut.clear = dut.snapshot =
      dut.stream_req = 0;
  reset(dut);
  while (dut.busy)
    pause(1);
  for (unsigned i = 0; i < 512; i++)
    write_body(i);
  for (unsigned i = 0; i < 256; i++)
    write_flow(i);
  for (int i = 0; i < 60; i++) {
    frames(500, rng.one_in(2) ? 256 : (unsigned)rng.between(1, 3), (unsigned)rng.between(1, rng.one_in(2) ? 3 : 60));
    pause(HEADER_LATENCY + 31 * BODY_CLOCKS); // waits until the last body has come: writes would show in it
    write_flow((unsigned)rng.below(256));
    write_body((unsigned)rng.below(512));
    if (rng.one_in(4))
      snapshot();
    for (int n = 0; n < 20; n++)
      check_frozen((unsigned)rng.below(256));
    if (rng.one_in(10))
      clear();
  }
  check(entries > 300 && cut_bodies > 100, "%" PRIu64 " body entries, %" PRIu64 " bodies cut", entries, cut_bodies);
  return finish("tx_flows");
}
