// SPDX-License-Identifier: Apache-2.0
// tcp_ranges against a set of cells: octets that are there fill cells of a row, each cell stands for some octets, and what is
// joined is what cells lie side by side. Ranges in any order, at any sequence number, apart by one cell or more; what joins them
// touches none of them, some, or all. An argument is another seed.
#include "tests/rtl/tb.h"
#include <algorithm>
#include <array>

using namespace tb;

static const unsigned RANGES = 4, CELLS = 24;

static Vdut dut;
static Random rng(20261127);
static std::array<unsigned, RANGES + 1> met_touched;
static unsigned met_full, met_round;

struct Range {
  bool used = false;
  unsigned begin = 0, end = 0; // cells
};
struct Row {
  std::array<uint32_t, CELLS + 1> at; // sequence number where a cell begins
  std::array<Range, RANGES> ranges;
  unsigned first = 0, last = 0; // range of the cells that join them
};

// All of a row is below 2^31 octets, as a window is.
static Row random_row()
{
  Row row;
  const uint32_t most = rng.one_in(2) ? 1 : rng.one_in(2) ? 9000 : 0x7FFFFFFF / CELLS;
  row.at[0] = (uint32_t)rng.next();
  if (rng.one_in(4))
    row.at[0] = 0u - (uint32_t)rng.below(uint64_t(most) * CELLS);
  for (unsigned cell = 0; cell < CELLS; cell++)
    row.at[cell + 1] = row.at[cell] + (uint32_t)rng.between(1, most);
  unsigned cell = 0;
  std::array<Range, RANGES> apart;
  const unsigned longest = (unsigned)rng.between(1, 6);
  for (Range &range : apart) {
    range.begin = cell + (unsigned)rng.below(3);
    range.end = range.begin + (unsigned)rng.between(1, longest);
    range.used = range.end < CELLS && !rng.one_in(6);
    cell = range.used ? range.end + 1 : cell;
  }
  for (unsigned i = RANGES; i > 0; i--) // shuffles them
    std::swap(apart[i - 1], apart[rng.below(i)]);
  row.ranges = apart;
  row.first = (unsigned)rng.below(CELLS);
  row.last = (unsigned)rng.between(row.first + 1, rng.one_in(2) ? std::min(row.first + 3, CELLS) : CELLS);
  return row;
}

// The cells from `begin` to `end` that are filled without a gap around what joins.
static Range merged_in(const Row &row)
{
  std::array<bool, CELLS> filled{};
  for (const Range &range : row.ranges)
    for (unsigned cell = range.begin; range.used && cell < range.end; cell++)
      filled[cell] = true;
  for (unsigned cell = row.first; cell < row.last; cell++)
    filled[cell] = true;
  Range merged = {true, row.first, row.last};
  while (merged.begin > 0 && filled[merged.begin - 1])
    merged.begin--;
  while (merged.end < CELLS && filled[merged.end])
    merged.end++;
  return merged;
}

static void put(const Row &row)
{
  dut.first = row.at[row.first];
  dut.last = row.at[row.last];
  dut.used = 0;
  for (unsigned i = 0; i < RANGES; i++) {
    const Range &range = row.ranges[i];
    dut.used = (CData)(dut.used | range.used << i);
    dut.range_begin[i] = range.used ? row.at[range.begin] : (uint32_t)rng.next();
    dut.range_end[i] = range.used ? row.at[range.end] : (uint32_t)rng.next();
  }
}

static void check_outputs(const Row &row)
{
  const Range merged = merged_in(row);
  unsigned left = 0, touched = 0, place = RANGES;
  for (unsigned i = RANGES; i-- > 0;) {
    const Range &range = row.ranges[i];
    const bool in = range.used && range.begin >= merged.begin && range.end <= merged.end;
    touched += in;
    left |= (unsigned)(range.used && !in) << i;
    if (!range.used || in)
      place = i;
  }
  met_touched[touched]++;
  met_full += place == RANGES;
  met_round += row.at[CELLS] < row.at[0];
  check(dut.left == left, "left %x, expected %x", dut.left, left);
  check(dut.merged_end == row.at[merged.end], "merged to %08x, expected %08x", dut.merged_end, row.at[merged.end]);
  check(dut.free_one == (place < RANGES ? 1u << place : 0), "free %x, expected range %u", dut.free_one, place);
  for (unsigned i = 0; i < RANGES; i++) {
    const uint32_t begin = i == place ? row.at[merged.begin] : dut.range_begin[i];
    const uint32_t end = i == place ? row.at[merged.end] : dut.range_end[i];
    check(dut.kept_begin[i] == begin && dut.kept_end[i] == end, "range %u is kept as %08x to %08x, expected %08x to %08x", i,
          dut.kept_begin[i], dut.kept_end[i], begin, end);
  }
}

int main(int argc, char **argv)
{
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20261127;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.match = 0;
  dut.clk = 0;
  dut.eval();
  for (int trial = 0; trial < 100000; trial++) {
    const Row row = random_row();
    put(row);
    dut.match = 1;
    tick(dut);
    dut.match = 0;
    dut.eval();
    check_outputs(row);
    if (rng.one_in(4)) { // it keeps what it found without match
      const uint32_t first = dut.first, last = dut.last;
      dut.first = (uint32_t)rng.next(), dut.last = dut.first + (uint32_t)rng.below(100000);
      tick(dut);
      dut.first = first, dut.last = last;
      dut.eval();
      check_outputs(row);
    }
  }
  for (unsigned touched = 0; touched <= RANGES; touched++)
    check(met_touched[touched] > 100, "met %u touched ranges %u times", touched, met_touched[touched]);
  check(met_full > 1000 && met_round > 1000, "none free %u times, round %u times", met_full, met_round);
  return finish("tcp_ranges");
}
