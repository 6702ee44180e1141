// SPDX-License-Identifier: Apache-2.0
// Base of every RTL testbench: a Verilated `dut` with a clock, access to wide ports octet by octet, seeded random
// numbers, counted checks, and an independent bitwise CRC-32. Not specific to any module.
#pragma once
#include "Vdut.h"
#include "verilated.h"
#include <cinttypes>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

double sc_time_stamp() { return 0; }

namespace tb {

// xorshift64*: the same numbers on every machine.
struct Random {
  uint64_t state;
  explicit Random(uint64_t seed) : state(seed ? seed : 1) {}
  uint64_t next() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Dull;
  }
  uint64_t below(uint64_t limit) { return next() % limit; }
  uint64_t between(uint64_t low, uint64_t high) { return low + below(high - low + 1); }
  bool one_in(uint64_t n) { return below(n) == 0; }
};

// Ports wider than 64 bits are arrays of 32-bit words, low word first: on a little-endian host octet i of the line is
// octet i in memory, as with narrower ports.
template <class Port> void put_octets(Port &port, const uint8_t *octets, size_t count) {
  memcpy(&port, octets, count < sizeof(port) ? count : sizeof(port));
}
template <class Port> void get_octets(const Port &port, uint8_t *octets, size_t count) {
  memset(octets, 0, count);
  memcpy(octets, &port, count < sizeof(port) ? count : sizeof(port));
}
template <class Port> uint64_t get_u64(const Port &port) {
  uint64_t value = 0;
  get_octets(port, reinterpret_cast<uint8_t *>(&value), sizeof value);
  return value;
}

// Register of the Ethernet CRC-32 after one more octet; start with all ones, FCS = complement, low octet first.
inline uint32_t crc32_octet(uint32_t state, uint8_t octet) {
  for (int bit = 0; bit < 8; bit++)
    state = (state >> 1) ^ (((state ^ (octet >> bit)) & 1) ? 0xEDB88320u : 0u);
  return state;
}
inline uint32_t crc32_octets(const uint8_t *octets, size_t count, uint32_t state = 0xFFFFFFFFu) {
  for (size_t i = 0; i < count; i++)
    state = crc32_octet(state, octets[i]);
  return state;
}

inline uint64_t &checks() {
  static uint64_t count;
  return count;
}
inline uint64_t &failures() {
  static uint64_t count;
  return count;
}
// Counts a check; a failure is printed (the first 20 of them) and makes finish() return 1.
__attribute__((format(printf, 2, 3))) inline bool check(bool good, const char *format, ...) {
  checks()++;
  if (good)
    return true;
  if (failures()++ < 20) {
    va_list list;
    va_start(list, format);
    fputs("FAIL: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
  }
  return false;
}
// The exit code of a testbench. A run that checked nothing has failed.
inline int finish(const char *name) {
  printf("%s: %" PRIu64 " checks, %" PRIu64 " failures\n", name, checks(), failures());
  return failures() || !checks() ? 1 : 0;
}

// One rising edge. Inputs are set before, outputs are read after; combinational outputs need eval() after a change.
template <class Dut> void tick(Dut &dut) {
  dut.clk = 1;
  dut.eval();
  dut.clk = 0;
  dut.eval();
}
template <class Dut> void reset(Dut &dut, int clocks = 4) {
  dut.clk = 0;
  dut.rst = 1;
  dut.eval(); // a model sees no edge in its first evaluation
  for (int i = 0; i < clocks; i++)
    tick(dut);
  dut.rst = 0;
  dut.eval();
}

} // namespace tb
