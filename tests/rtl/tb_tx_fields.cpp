// SPDX-License-Identifier: Apache-2.0
// tx_fields against the description of its registers: value k of a field is calculated from k, not from value k - 1.
// Random flows with any kinds in adjacent clocks, in several trials; counts of 1 and of 2^24; steps and starts that
// wrap; the last flow. An argument is another seed.
#include "tests/rtl/tb.h"
#include <array>
#include <deque>

using namespace tb;

static const unsigned LATENCY = 6, FLOWS = 256, FIELDS = 4;

static Vdut dut;
static Random rng(20260301);

enum { NONE, INCREMENT, LIST, DRAW };
struct Field {
  uint32_t kind = NONE, octet = 0, start = 0, step = 0, mask = 0, count = 1;
  bool in_checksum1 = false, in_checksum2 = false;
};
struct Flow {
  std::array<Field, FIELDS> fields;
  uint64_t sent = 0; // frames in this trial
};
static std::array<Flow, FLOWS> flows;
static std::array<uint32_t, 4096> list;
static std::array<uint32_t, FIELDS> generators;

struct Expected {
  bool any = false;
  std::array<uint32_t, FIELDS> values{};
  std::array<Field, FIELDS> fields{};
};
static std::deque<Expected> given(LATENCY); // frames on their way, the oldest first

static uint32_t xorshift32(uint32_t &x)
{
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

static uint32_t value_of(const Field &f, unsigned n, uint64_t sent)
{
  uint64_t k = sent % f.count;
  switch (f.kind) {
  case INCREMENT:
    return (uint32_t)(f.start + k * f.step);
  case LIST:
    return list[(f.start + k) % 4096];
  case DRAW:
    return f.start +
           ((uint32_t)((uint64_t)(xorshift32(generators[n]) >> 8) * f.count >> 24) << (f.step & 31));
  default:
    return 0;
  }
}

static Expected expect_frame(Flow &flow)
{
  Expected e;
  e.fields = flow.fields;
  for (unsigned n = 0; n < FIELDS; n++) {
    const Field &f = flow.fields[n];
    e.any |= f.kind != NONE;
    if (f.kind != NONE)
      e.values[n] = value_of(f, n, flow.sent) & f.mask;
  }
  flow.sent++;
  return e;
}

static void check_outputs(const Expected &e)
{
  check(dut.any == e.any, "any %d, expected %d", dut.any, e.any);
  if (!e.any)
    return;
  for (unsigned n = 0; n < FIELDS; n++) {
    const Field &f = e.fields[n];
    uint32_t value = dut.values[n];
    check(value == e.values[n],
          "field %u of kind %u: %08x, expected %08x (start %08x, step %08x, count %u)", n, f.kind, value,
          e.values[n], f.start, f.step, f.count);
    if (f.kind == NONE)
      continue;
    check((dut.octets >> 7 * n & 127) == f.octet, "field %u at octet %u, expected %u", n,
          dut.octets >> 7 * n & 127, f.octet);
    check((dut.in_checksum1 >> n & 1) == f.in_checksum1 && (dut.in_checksum2 >> n & 1) == f.in_checksum2,
          "field %u: checksums %x %x", n, dut.in_checksum1, dut.in_checksum2);
  }
}

// One clock, with a frame of a flow or none.
static void clock_fields(bool valid, unsigned flow)
{
  dut.frame_valid = valid;
  dut.frame_flow = (uint8_t)flow;
  given.push_back(valid ? expect_frame(flows[flow]) : Expected());
  tick(dut);
  given.pop_front();
  check_outputs(given.front());
}

static void pause(unsigned clocks)
{
  for (unsigned i = 0; i < clocks; i++)
    clock_fields(false, (unsigned)rng.below(FLOWS));
}

static void write_field(unsigned flow, unsigned n, const Field &f)
{
  flows[flow].fields[n] = f;
  dut.field_index = (uint16_t)(flow * FIELDS + n);
  uint32_t kind = f.kind | f.octet << 8 | (uint32_t)f.in_checksum1 << 16 | (uint32_t)f.in_checksum2 << 17;
  const uint32_t data[] = {f.start, f.step, f.mask, f.count, kind | ((uint32_t)rng.next() & 0xFFFC80FCu)};
  CData *const enables[] = {&dut.field_start_we, &dut.field_step_we, &dut.field_mask_we, &dut.field_count_we,
                            &dut.field_kind_we};
  for (unsigned i = 0; i < 5; i++) {
    dut.field_data = data[i];
    *enables[i] = 1;
    pause(1);
    *enables[i] = 0;
  }
}

static void write_value(unsigned index, uint32_t value)
{
  list[index] = value;
  dut.value_index = (uint16_t)index;
  dut.value_data = value;
  dut.value_we = 1;
  pause(1);
  dut.value_we = 0;
}

// Frames that are on their way are dropped.
static void load(uint32_t seed)
{
  dut.cfg_field_seed = seed;
  dut.load = 1;
  dut.frame_valid = rng.one_in(2);
  dut.frame_flow = (uint8_t)rng.below(FLOWS);
  tick(dut);
  dut.load = 0;
  dut.cfg_field_seed = (uint32_t)rng.next(); // latched
  given.assign(LATENCY, Expected());
  for (Flow &flow : flows)
    flow.sent = 0;
  for (unsigned n = 0; n < FIELDS; n++) {
    generators[n] = seed ^ n * 0x9e3779b9u;
    if (generators[n] == 0)
      generators[n] = 1;
  }
}

static uint32_t random_number()
{
  return rng.one_in(2)   ? (uint32_t)rng.next()
         : rng.one_in(2) ? (uint32_t)rng.below(8)
                         : 0u - (uint32_t)rng.below(8);
}

static Field random_field()
{
  Field f;
  f.kind = (uint32_t)rng.below(4);
  f.octet = (uint32_t)(rng.one_in(4) ? 124 : rng.below(125));
  f.start = random_number();
  f.step = random_number();
  f.mask = rng.one_in(2) ? 0xFFFFFFFFu : (uint32_t)rng.next();
  f.count = (uint32_t)(rng.one_in(4)   ? 1
                       : rng.one_in(3) ? 1u << 24
                       : rng.one_in(2) ? rng.between(2, 5)
                                       : rng.between(1, 1u << 24));
  f.in_checksum1 = rng.one_in(2);
  f.in_checksum2 = rng.one_in(2);
  return f;
}

static void kinds_are_0_when_the_device_is_loaded()
{
  load(1);
  for (unsigned flow = 0; flow < FLOWS; flow++)
    clock_fields(true, flow);
  pause(LATENCY);
}

static void random_trials()
{
  for (int trial = 0; trial < 300; trial++) {
    unsigned some = rng.one_in(2) ? FLOWS : (unsigned)rng.between(1, 3);
    unsigned base = (unsigned)rng.between(0, FLOWS - some); // also the last flow alone
    for (int i = 0; i < 12; i++)
      write_field(base + (unsigned)rng.below(some), (unsigned)rng.below(FIELDS), random_field());
    write_value((unsigned)rng.below(4096), (uint32_t)rng.next());
    for (unsigned i = (unsigned)rng.below(LATENCY); i > 0; i--)
      clock_fields(true, base);
    load(rng.one_in(8) ? (uint32_t)rng.below(FIELDS) * 0x9e3779b9u : (uint32_t)rng.next());
    unsigned busy = rng.one_in(2) ? 1 : (unsigned)rng.between(1, 4); // a frame in one of this many clocks
    unsigned again = (unsigned)rng.between(1, 4);
    unsigned flow = base;
    for (unsigned i = 0; i < 600; i++) {
      if (rng.one_in(again))
        flow = base + (unsigned)rng.below(some);
      clock_fields(rng.one_in(busy), flow);
    }
    pause(LATENCY);
  }
}

// One flow in every clock, past all of its values; the other fields have fewer.
static void a_count_begins_again_after_2_to_the_24(unsigned long frames)
{
  Field f;
  f.kind = INCREMENT;
  f.start = 0xFFFFFFF0u;
  f.step = 0x01000193u;
  f.mask = 0xFFFFFFFFu;
  f.count = 1u << 24;
  write_field(255, 0, f);
  f.count = 2;
  write_field(255, 1, f);
  f.kind = LIST;
  f.count = 1u << 24;
  write_field(255, 2, f);
  f.count = 1;
  write_field(255, 3, f);
  load(1);
  for (unsigned long i = 0; i < frames; i++)
    clock_fields(true, 255);
  pause(LATENCY);
}

int main(int argc, char **argv)
{
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20260301;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.load = dut.frame_valid = dut.value_we = 0;
  dut.field_start_we = dut.field_step_we = dut.field_mask_we = dut.field_count_we = dut.field_kind_we = 0;
  reset(dut);
  kinds_are_0_when_the_device_is_loaded();
  for (unsigned i = 0; i < 4096; i++)
    write_value(i, (uint32_t)rng.next());
  random_trials();
  a_count_begins_again_after_2_to_the_24((1u << 24) + 9);
  return finish("tx_fields");
}
