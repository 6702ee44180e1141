// SPDX-License-Identifier: Apache-2.0
// tx_inserts against an array of 128 octets: fields and words at every octet, alone and across one another, headers in
// adjacent clocks and further apart, with and without bodies that come at once, later, or with the next header. An
// argument is another seed.
#include "tests/rtl/tb.h"
#include <array>

using namespace tb;

static Vdut dut;
static Random rng(20260117);
static uint64_t bodies_at_header, bodies_after;

struct Insert {
  unsigned octet = 0;
  uint32_t value = 0;
};

// Values that go into a frame.
struct Inserts {
  bool fields_any = false, words_any = false;
  std::array<Insert, 4> fields, words;

  // The octets that are combined with those of header and first body entry.
  std::array<uint8_t, 128> octets() const {
    std::array<uint8_t, 128> all{};
    for (const Insert &field : fields)
      for (unsigned i = 0; fields_any && i < 4; i++)
        all.at(field.octet + i) |= (uint8_t)(field.value >> 8 * (3 - i));
    for (const Insert &word : words)
      for (unsigned i = 0; words_any && i < 2; i++)
        all.at(word.octet + i) |= (uint8_t)(word.value >> 8 * (1 - i));
    return all;
  }
};

static Inserts random_inserts() {
  Inserts made;
  made.fields_any = rng.one_in(2);
  made.words_any = rng.one_in(2);
  for (auto &field : made.fields)
    field = {(unsigned)rng.below(125), rng.one_in(3) ? 0 : (uint32_t)rng.next()};
  for (auto &word : made.words)
    word = {2 * (unsigned)rng.below(64), rng.one_in(3) ? 0 : (uint32_t)rng.next() & 0xFFFF};
  return made;
}

// Bits [at, at + count) of a wide port.
template <class Port> static void put_bits(Port &port, unsigned at, unsigned count, uint64_t value) {
  uint8_t octets[64];
  get_octets(port, octets, 64);
  for (unsigned i = 0; i < count; i++, at++)
    octets[at / 8] = (uint8_t)((octets[at / 8] & ~(1u << at % 8)) | (value >> i & 1) << at % 8);
  put_octets(port, octets, 64);
}

static void give_inserts(bool valid, const Inserts &inserts) {
  dut.coming_valid = valid;
  dut.fields_any = inserts.fields_any;
  dut.words_any = inserts.words_any;
  for (unsigned i = 0; i < 4; i++) {
    put_bits(dut.field_values, 32 * i, 32, inserts.fields[i].value);
    put_bits(dut.field_octets, 7 * i, 7, inserts.fields[i].octet);
    put_bits(dut.word_values, 16 * i, 16, inserts.words[i].value);
    put_bits(dut.word_octets, 7 * i, 7, inserts.words[i].octet);
  }
}

using Octets = std::array<uint8_t, 64>;
static Octets random_octets() {
  Octets octets;
  bool zero = rng.one_in(2); // headers are zero where a value goes into them
  for (auto &octet : octets)
    octet = zero ? 0 : (uint8_t)rng.next();
  return octets;
}

class Stream {
public:
  // One clock. `coming`: of the header in the next clock.
  void clock(bool valid, const Inserts &coming, bool header_valid, bool body_valid, bool body_first) {
    give_inserts(valid, coming);
    Octets header = random_octets(), body = random_octets();
    dut.header_valid = header_valid;
    put_octets(dut.header, header.data(), 64);
    dut.body_valid = body_valid;
    dut.body_first = body_first;
    put_octets(dut.body, body.data(), 64);
    auto now = next_.octets(), before = last_.octets();
    for (unsigned i = 0; i < 64; i++) {
      header[i] |= now[i];
      body[i] |= body_first ? before[64 + i] : 0;
    }
    tick(dut);
    check_out("header", dut.out_header_valid, header_valid, dut.out_header, header);
    check_out("body", dut.out_body_valid, body_valid, dut.out_body, body);
    if (header_valid)
      last_ = next_;
    if (valid)
      next_ = coming;
  }

private:
  Inserts next_, last_; // values of the header to come, and of the one before

  template <class Port>
  void check_out(const char *name, bool valid, bool expected_valid, const Port &port, const Octets &expected) {
    check(valid == expected_valid, "%s: valid %d", name, valid);
    if (!expected_valid)
      return;
    uint8_t octets[64];
    get_octets(port, octets, 64);
    for (unsigned i = 0; i < 64; i++)
      check(octets[i] == expected[i], "%s octet %u: %02x, expected %02x", name, i, octets[i], expected[i]);
  }
};
static Stream stream;

// One frame with a header and one body entry.
static void frame(const Inserts &inserts) {
  stream.clock(true, inserts, false, false, false);
  stream.clock(false, random_inserts(), true, false, false);
  stream.clock(false, random_inserts(), false, true, true);
}

static void each_alone() {
  for (unsigned n = 0; n < 4; n++) {
    for (unsigned octet = 0; octet <= 124; octet++) {
      Inserts one;
      one.fields_any = true;
      one.fields[n] = {octet, (uint32_t)rng.next()};
      frame(one);
    }
    for (unsigned octet = 0; octet <= 126; octet += 2) {
      Inserts one;
      one.words_any = true;
      one.words[n] = {octet, (uint32_t)rng.next() & 0xFFFF};
      frame(one);
    }
  }
}

// Frames `one_in` clocks, at random; entries of their bodies at random too.
static void any_frames(unsigned clocks, unsigned one_in) {
  bool header = false, first_left = false, in_body = false;
  for (unsigned i = 0; i < clocks; i++) {
    bool coming = rng.one_in(one_in);
    bool body = rng.one_in(2) && (first_left || in_body);
    bodies_at_header += body && first_left && header;
    bodies_after += body && !first_left;
    stream.clock(coming, random_inserts(), header, body, body && first_left);
    if (body) {
      first_left = false;
      in_body = true;
    }
    if (header) {
      first_left = true;
      in_body = false;
    }
    header = coming;
  }
  stream.clock(false, random_inserts(), header, false, false);
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20260117;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.coming_valid = dut.header_valid = dut.body_valid = 0;
  reset(dut);
  each_alone();
  for (int i = 0; i < 200; i++)
    any_frames(200, (unsigned)rng.between(1, 4));
  check(bodies_at_header > 1000 && bodies_after > 1000, "bodies: %" PRIu64 " with a header, %" PRIu64 " later entries",
        bodies_at_header, bodies_after);
  return finish("tx_inserts");
}
