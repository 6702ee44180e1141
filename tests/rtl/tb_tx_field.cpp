// SPDX-License-Identifier: Apache-2.0
// tx_field against its description, with a pipe around it as tx_fields has one: value k of a flow's field is calculated
// from k, not from value k - 1, and from what the tables held in the clock in which each of them is read. A few flows in
// adjacent clocks, of every kind; tables that are written while frames go by; loads in their midst. An argument is
// another seed.
#include "tests/rtl/tb.h"
#include <array>

using namespace tb;

static const unsigned FLOW_LOG2 = TB_FLOW_LOG2, FLOWS = 1u << FLOW_LOG2, CLOCKS = 5, VALUES = 4096;

static Vdut dut;
static Random rng(20261127);

enum { NONE, INCREMENT, LIST, DRAW };
struct Flow {
  unsigned kind = NONE;
  uint32_t start = 0, step = 0, mask = 0, count = 1;
  uint64_t sent = 0; // frames in this trial
};
struct Frame {
  bool any = false; // its flow has a field, perhaps another one
  unsigned flow = 0, kind = NONE;
  bool used = false, again = false;
  uint64_t k = 0;
  uint32_t count = 0, start = 0, step = 0, drawn = 0, entry = 0, mask = 0; // read in their clocks
};

static std::array<Flow, FLOWS> flows;
static std::array<uint32_t, VALUES> list;
static std::array<Frame, CLOCKS + 1> frames; // [c]: the frame c clocks after its frame_valid; [0] is not in use
static uint32_t generator, shown;          // shown: the last value, which stays
static unsigned met[DRAW + 1], met_again, met_begun, met_late;

// Marsaglia 2003, stepped before each draw.
static uint32_t draw()
{
  generator ^= generator << 13;
  generator ^= generator >> 17;
  generator ^= generator << 5;
  return generator >> 8;
}

static uint32_t value_of(const Frame &f)
{
  switch (f.kind) {
  case INCREMENT:
    return (uint32_t)(f.start + f.k * f.step) & f.mask;
  case LIST:
    return f.entry & f.mask;
  case DRAW:
    return (f.start + ((uint32_t)((uint64_t)f.drawn * f.count >> 24) << (f.step & 31))) & f.mask;
  default:
    return 0;
  }
}

// Reads the tables as each frame does in this clock: before what is written in it.
static void read_tables()
{
  frames[1].count = flows[frames[1].flow].count;
  Frame &second = frames[2], &fourth = frames[4];
  second.start = flows[second.flow].start;
  second.step = flows[second.flow].step;
  if (second.any && second.kind == DRAW)
    second.drawn = draw();
  fourth.entry = list[(fourth.start + fourth.k) % VALUES];
  fourth.mask = flows[fourth.flow].mask;
}

static void put_pipe()
{
  unsigned any = 0;
  for (unsigned c = 1; c <= CLOCKS; c++)
    any |= (unsigned)frames[c].any << (c - 1);
  dut.any = (CData)any;
  dut.active = dut.load || any;
  dut.flow1 = (CData)frames[1].flow, dut.flow2 = (CData)frames[2].flow;
  dut.flow3 = (CData)frames[3].flow, dut.flow4 = (CData)frames[4].flow;
  dut.kind1 = (CData)frames[1].kind, dut.kind2 = (CData)frames[2].kind, dut.kind3 = (CData)frames[3].kind;
  dut.kind4 = (CData)frames[4].kind, dut.kind5 = (CData)frames[5].kind;
  dut.used3 = frames[3].any ? frames[3].used : rng.one_in(2);
  dut.again3 = frames[3].any ? frames[3].again : rng.one_in(2);
}

// One clock, in which a frame is in clock 1 or none.
static void clock_field(bool valid, unsigned flow)
{
  for (unsigned c = CLOCKS; c > 1; c--)
    frames[c] = frames[c - 1];
  Frame &first = frames[1] = Frame();
  first.flow = flow;
  first.kind = flows[flow].kind;
  first.any = valid;
  if (valid) {
    first.used = flows[flow].sent != 0;
    first.again = frames[2].any && frames[2].flow == flow;
    first.k = flows[flow].sent++ % flows[flow].count;
    met[first.kind]++;
    met_again += first.again;
    met_begun += first.used && first.k == 0;
  }
  read_tables();
  put_pipe();
  tick(dut);
  if (frames[CLOCKS].any)
    shown = value_of(frames[CLOCKS]);
  const Frame &f = frames[CLOCKS];
  check(dut.value == shown, "kind %u, number %" PRIu64 "%s: %08x, expected %08x (start %08x, step %08x, count %u)", f.kind, f.k,
        f.any ? "" : ", no frame", dut.value, shown, f.start, f.step, f.count);
}

static void pause(unsigned clocks)
{
  for (unsigned i = 0; i < clocks; i++)
    clock_field(false, (unsigned)rng.below(FLOWS));
}

static uint32_t random_number()
{
  return rng.one_in(2) ? (uint32_t)rng.next() : rng.one_in(2) ? (uint32_t)rng.below(8) : 0u - (uint32_t)rng.below(8);
}

// 0 to 2^24, in the table's 25 bits.
static uint32_t random_count()
{
  return (uint32_t)(rng.one_in(4)   ? 1
                    : rng.one_in(3) ? 1u << 24
                    : rng.one_in(2) ? rng.between(2, 5)
                                    : rng.between(1, 1u << 24));
}

// Writes with a clock that has a frame or not; the table has it after that clock.
static void write_one(unsigned flow, uint32_t Flow::*member, CData &enable, uint32_t data, bool valid, unsigned of)
{
  dut.write_flow = (CData)flow;
  dut.data = member == &Flow::count ? data | (uint32_t)rng.below(128) << 25 : data; // bits that the count has not
  dut.table_we = enable = 1;
  clock_field(valid, of);
  dut.table_we = enable = 0;
  dut.data = (uint32_t)rng.next();
  flows[flow].*member = data;
}

static void write_value(unsigned index, uint32_t data, bool valid, unsigned of)
{
  dut.value_index = (SData)index;
  dut.value_data = data;
  dut.value_we = 1;
  clock_field(valid, of);
  dut.value_we = 0;
  list[index] = data;
}

// Writes in mid-trial what does not change the numbers of frames: those go by what is added up.
static void write_late(bool valid, unsigned of)
{
  const unsigned flow = rng.one_in(2) ? of : (unsigned)rng.below(FLOWS);
  met_late++;
  if (rng.one_in(4))
    write_value((flows[of].start + (unsigned)rng.below(4)) % VALUES, (uint32_t)rng.next(), valid, of);
  else if (rng.one_in(3))
    write_one(flow, &Flow::mask, dut.mask_we, (uint32_t)rng.next(), valid, of);
  else if (flows[flow].kind == DRAW && rng.one_in(2))
    write_one(flow, &Flow::count, dut.count_we, random_count(), valid, of);
  else if (flows[flow].kind == DRAW && rng.one_in(2))
    write_one(flow, &Flow::step, dut.step_we, random_number(), valid, of);
  else
    write_one(flow, &Flow::start, dut.start_we, random_number(), valid, of);
}

static void write_flow(unsigned flow)
{
  flows[flow].kind = (unsigned)rng.below(4);
  write_one(flow, &Flow::start, dut.start_we, random_number(), false, 0);
  write_one(flow, &Flow::step, dut.step_we, random_number(), false, 0);
  write_one(flow, &Flow::mask, dut.mask_we, rng.one_in(2) ? ~0u : (uint32_t)rng.next(), false, 0);
  write_one(flow, &Flow::count, dut.count_we, random_count(), false, 0);
}

// Frames that are on their way are dropped, after what they do in this clock.
static void load(uint32_t seed)
{
  dut.load = 1;
  dut.seed = seed;
  clock_field(rng.one_in(2), (unsigned)rng.below(FLOWS));
  dut.load = 0;
  dut.seed = (uint32_t)rng.next(); // latched
  for (Frame &frame : frames)
    frame = Frame();
  for (Flow &flow : flows)
    flow.sent = 0;
  generator = seed ? seed : 1;
}

// It ends with frames on their way.
static void trial()
{
  const unsigned some = rng.one_in(3) ? FLOWS : (unsigned)rng.between(1, 2);
  const unsigned base = (unsigned)rng.between(0, FLOWS - some);
  load(rng.one_in(8) ? 0 : (uint32_t)rng.next());
  for (unsigned flow = base; flow < base + some; flow++)
    if (!rng.one_in(3))
      write_flow(flow);
  const unsigned busy = rng.one_in(2) ? 1 : (unsigned)rng.between(1, 4); // a frame in one of this many clocks
  const unsigned late = rng.one_in(2) ? 1000000 : (unsigned)rng.between(2, 40);
  unsigned flow = base;
  for (unsigned i = 0; i < 500; i++) {
    if (rng.one_in(2))
      flow = base + (unsigned)rng.below(some);
    if (rng.one_in(late))
      write_late(rng.one_in(busy), flow);
    else
      clock_field(rng.one_in(busy), flow);
  }
}

// All of the table, and its beginning again.
static void a_list_goes_round()
{
  load(1);
  flows[FLOWS - 1].kind = LIST;
  write_one(FLOWS - 1, &Flow::start, dut.start_we, VALUES / 2 + 7, false, 0);
  write_one(FLOWS - 1, &Flow::mask, dut.mask_we, ~0u, false, 0);
  write_one(FLOWS - 1, &Flow::count, dut.count_we, 1u << 24, false, 0);
  for (unsigned i = 0; i < 2 * VALUES + 9; i++)
    clock_field(true, FLOWS - 1);
  pause(CLOCKS);
}

int main(int argc, char **argv)
{
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20261127;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.load = dut.active = dut.any = dut.table_we = dut.value_we = 0;
  dut.start_we = dut.step_we = dut.mask_we = dut.count_we = 0;
  dut.clk = 0;
  dut.eval();
  dut.load = 1; // shows what a frame of kind 0 has
  frames[CLOCKS - 1].any = true;
  clock_field(false, 0);
  load(1);
  for (unsigned i = 0; i < VALUES; i++)
    write_value(i, (uint32_t)rng.next(), false, 0);
  for (unsigned flow = 0; flow < FLOWS; flow++)
    write_flow(flow);
  for (int i = 0; i < 1500; i++)
    trial();
  a_list_goes_round();
  for (unsigned kind = 0; kind <= DRAW; kind++)
    check(met[kind] > 10000, "frames of kind %u: %u", kind, met[kind]);
  check(met_again > 10000 && met_begun > 10000 && met_late > 1000, "%u of the same flow, %u begun again, %u late writes", met_again,
        met_begun, met_late);
  return finish("tx_field");
}
