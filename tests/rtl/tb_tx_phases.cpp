// SPDX-License-Identifier: Apache-2.0
// tx_phases against times and gaps in plain arithmetic: a phase is due in exactly the words and groups at its time or later,
// never within the guard of the one before, and its steps and fractions are those of the table. An argument is another seed.
#include "tests/rtl/tb.h"

using namespace tb;

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif

static const unsigned LOAD_CLOCKS = 8, GUARD = 8, ENTRIES = 8;
static const uint64_t WORD_OCTETS = 8 * TB_GROUPS, STEP_MASK = (1ull << 42) - 1;

struct Phase {
  uint64_t time, gap;
  uint32_t numerator, denominator;
};

static Vdut dut;
static Random rng(20261122);
static Phase table[ENTRIES];
static uint64_t dues, begins, late_high, carries;

static void idle_inputs() {
  dut.load = dut.running = dut.begun = dut.group = 0;
  dut.skip_words = 0;
  dut.phase_time_we = dut.phase_gap_octets_we = dut.phase_gap_numerator_we = dut.phase_gap_denominator_we = 0;
}

// The two halves of a wide register come one by one, in any order.
static void write_halves(unsigned index, uint64_t value, bool is_time) {
  const unsigned first = rng.one_in(2) ? 1 : 0;
  for (unsigned i = 0; i < 2; i++) {
    const unsigned half = first ^ i;
    dut.phase_index = index;
    dut.phase_data = uint32_t(value >> (32 * half));
    (is_time ? dut.phase_time_we : dut.phase_gap_octets_we) = 1u << half;
    tick(dut);
    idle_inputs();
  }
}

static void write_phase(unsigned index, const Phase &phase) {
  table[index] = phase;
  write_halves(index, phase.time, true);
  write_halves(index, phase.gap, false);
  dut.phase_index = index;
  dut.phase_data = phase.numerator;
  dut.phase_gap_numerator_we = 1;
  tick(dut);
  idle_inputs();
  dut.phase_index = index;
  dut.phase_data = phase.denominator;
  dut.phase_gap_denominator_we = 1;
  tick(dut);
  idle_inputs();
}

// Checks what tx_pacer takes over: the first step and the second after the phase began with fraction 0.
static void check_values(const Phase &phase) {
  const uint64_t step = phase.gap + 8 - WORD_OCTETS;
  const uint64_t sum1 = phase.numerator, carry1 = sum1 >= phase.denominator;
  const uint64_t fraction1 = sum1 - (carry1 ? phase.denominator : 0);
  const uint64_t sum2 = fraction1 + phase.numerator, carry2 = sum2 >= phase.denominator;
  carries += carry2;
  check((uint64_t)dut.step == (step & STEP_MASK), "step %" PRIx64, (uint64_t)dut.step);
  check((uint64_t)dut.step_plus == ((step + 1) & STEP_MASK), "step_plus %" PRIx64, (uint64_t)dut.step_plus);
  check((uint64_t)dut.step1 == ((step + carry1) & STEP_MASK), "step1 %" PRIx64, (uint64_t)dut.step1);
  check((uint64_t)dut.step2 == ((step + carry2) & STEP_MASK), "step2 %" PRIx64, (uint64_t)dut.step2);
  check(dut.numerator == phase.numerator && dut.fraction1 == fraction1, "fraction1 %x, expected %" PRIx64, dut.fraction1,
        fraction1);
  check(dut.fraction2 == sum2 - (carry2 ? phase.denominator : 0), "fraction2 %x", dut.fraction2);
  check((uint64_t)dut.numerator_m_denominator == ((uint64_t(phase.numerator) - phase.denominator) & 0x1FFFFFFFFull),
        "numerator - denominator %" PRIx64, (uint64_t)dut.numerator_m_denominator);
}

static Phase draw_phase(uint64_t after) {
  Phase phase;
  phase.time = after + rng.below(rng.one_in(2) ? 40 : 3000);   // often in the word before, or within the guard
  phase.gap = rng.one_in(4) ? (1ull << 40) - 1 - rng.below(100) : rng.between(11, 2000);
  phase.denominator = rng.one_in(3) ? 1 : uint32_t(rng.between(1, 0xFFFFFFFFull));
  phase.numerator = uint32_t(rng.below(phase.denominator));
  return phase;
}

static void trial() {
  const unsigned asked = unsigned(rng.below(16)), phases = asked > 7 ? 7 : asked;
  const uint64_t far = rng.one_in(3) ? rng.below(1ull << 50) : 0; // where its phases are
  uint64_t at = far;
  for (unsigned i = 1; i <= phases; i++) {
    write_phase(i, draw_phase(at));
    at = table[i].time;
  }
  dut.cfg_phases = asked;
  dut.load = 1;
  tick(dut);
  idle_inputs();
  for (unsigned clock = 1; clock < LOAD_CLOCKS; clock++)
    tick(dut);
  uint64_t word = 0, quiet = GUARD;                            // clocks since a phase began
  unsigned next = 1;
  // The loop goes on until some clocks after the last phase; a far time takes a skip for each 2^32 words of the way.
  for (unsigned clock = 0, after = 0; after < 30 && clock < 2000000; clock++) {
    after += next > phases;
    const uint64_t to_far = far / WORD_OCTETS - word;
    idle_inputs();
    dut.running = 1;
    dut.skip_words = word < far / WORD_OCTETS ? uint32_t(to_far - 1 < 0xFFFFFFFEull ? to_far - 1 : 0xFFFFFFFEull)
                     : rng.one_in(10) ? uint32_t(rng.below(20)) : 0;
    dut.group = TB_GROUPS == 1 ? 0 : rng.below(TB_GROUPS);
    dut.eval();
    const uint64_t start = word * WORD_OCTETS + 8 * dut.group;
    const bool due = next <= phases && quiet >= GUARD && start >= table[next].time;
    check(dut.due == due, "phase %u at %" PRIu64 ": due %d in octet %" PRIu64 ", %" PRIu64 " clocks after the last", next,
          next <= phases ? table[next].time : 0, dut.due, start, quiet);
    if (dut.due) check_values(table[next]);
    dues += due;
    late_high += due && far >> 32 != 0;
    dut.begun = due && rng.one_in(2);                          // a frame may start later than it could
    word += uint64_t(dut.skip_words) + 1;
    quiet++;
    if (dut.begun) {
      begins++;
      next++;
      quiet = 1;
    }
    tick(dut);
  }
  check(next == phases + 1, "%u of %u phases began", next - 1, phases);
}

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20261122;
  rng = Random(seed);
  printf("seed %" PRIu64 "\n", seed);
  idle_inputs();
  dut.cfg_phases = 0;
  reset(dut);
  for (int i = 0; i < 400; i++)
    trial();
  check(dues > 0 && begins > 0 && late_high > 0 && carries > 0, "a case never happened: %" PRIu64 " %" PRIu64 " %" PRIu64
        " %" PRIu64, dues, begins, late_high, carries);
  return finish("tx_phases");
}
