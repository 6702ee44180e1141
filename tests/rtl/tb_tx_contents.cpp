// SPDX-License-Identifier: Apache-2.0
// The contents of frames of the whole transmitter, every octet to the FCS, against packets that are made from the
// standards (packet.h): VLANs, ARP, LLC, IPv4 and IPv6 with options, UDP, TCP, ICMP; bodies, payloads, fields, lengths,
// checksums, signatures; frames of any length at line rate, of flows in any order, of rules. When frames begin and of
// which flow they are is as in tb_tx. An argument is how many frames.
#include "tests/rtl/tx_contents_device.h"
#include "tests/seed.h"
#include <cinttypes>

using namespace tb;

static const unsigned OCTETS = ContentsDevice::OCTETS, SLOTS = ContentsDevice::SLOTS;
static const unsigned START_WORDS = 29; // start_word, from the word of the strobe

static Random rng(1);
static ContentsDevice device(rng);
static std::array<uint64_t, 256> sequence;
static uint64_t frames_compared, zero_checksums, body_frames, straddling_frames, adjacent_frames;

// ------------------------------------------------------------------ a trial

// Says where two frames differ.
static void explain(const ContentsFlow &f, const Octets &sent, const Octets &expected)
{
  static const char *const NETWORKS[] = {"raw", "LLC", "ARP", "IPv4", "IPv6"};
  size_t at = 0;
  while (at < std::min(sent.size(), expected.size()) && sent[at] == expected[at])
    at++;
  fprintf(stderr,
          "  %s, transport %u, headers at %u, %u, to %u; %u body entries, payload at %u; %zu octets (%zu "
          "expected), "
          "first difference at %zu: %02x, expected %02x\n",
          NETWORKS[(unsigned)f.layout.network], f.layout.transport, f.layout.l3, f.layout.l4, f.layout.end,
          f.body_words(), f.payload, sent.size(), expected.size(), at, at < sent.size() ? sent[at] : 0,
          at < expected.size() ? expected[at] : 0);
}

static void count_cases(const ContentsFlow &f, const FieldValues &values)
{
  body_frames += f.body_words() > 0;
  for (unsigned n = 0; n < 4; n++)
    straddling_frames += f.body_words() && f.fields[n].octet - 61 < 3 && values[n];
}

class TrialCheck
{
public:
  TrialCheck(const TxSettings &s, uint32_t field_seed, uint64_t origin_ot)
      : s_(s), model_(s, device.tables, OCTETS), origin_ot_(origin_ot)
  {
    device.draws.begin(field_seed);
  }
  void frame(const LineFrame &sent)
  {
    TxExpected e;
    if (!check(model_.next(e), "a frame too many"))
      return;
    check(sent.start_ot == origin_ot_ + e.start_ot && sent.bad_end == (e.flags >> 2 & 1),
          "start or end of frame %" PRIu64, frames_compared);
    const ContentsFlow &f = device.flows[e.flow];
    const FieldValues values = device.draws.next(e.flow, f);
    Octets signature;
    if (!(e.flags & 1))
      signature = tx_signature(s_, e, sent.start_ot, ContentsDevice::PORT, sequence[e.flow]);
    sequence[e.flow]++;
    const Octets expected = contents_frame(f, e.octets, values, signature, e.bad_fcs, zero_checksums);
    if (!check(sent.octets == expected, "contents of frame %" PRIu64 ", flow %u", frames_compared,
               e.flow) &&
        failures() <= 20)
      explain(f, sent.octets, expected);
    adjacent_frames += e.flow == last_flow_ && e.octets < 130;
    last_flow_ = e.flow;
    frames_compared++;
    count_cases(f, values);
  }
  void end()
  {
    TxExpected e;
    check(!model_.next(e), "fewer frames than expected");
    check(device.dut.late_frames == 0, "%" PRIu64 " frames were late", (uint64_t)device.dut.late_frames);
  }

private:
  TxSettings s_;
  TxModel model_;
  uint64_t origin_ot_;
  unsigned last_flow_ = 256;
};

// Each frame goes to `check` when it has ended.
template <class Look> static void run(const TxSettings &s, bool skip, Look look)
{
  const uint32_t field_seed = rng.one_in(8) ? (uint32_t)rng.below(4) * 0x9e3779b9u : (uint32_t)rng.next();
  for (unsigned i = 0; i < s.rules.size(); i++)
    device.write_rule(i, s.rules[i]);
  device.configure(s, field_seed);
  device.dut.cfg_enable = 1;
  const uint64_t origin = device.word_time + START_WORDS;
  TrialCheck trial(s, field_seed, origin * OCTETS);
  device.strobe(device.dut.start);
  device.configure(TxSettings{}, ~field_seed); // latched at the start
  check(device.dut.started && device.dut.start_word == origin, "the start");
  for (uint64_t n = 0; device.dut.sending && n < 400000000; n++) {
    const uint32_t words = skip && device.dut.idle ? device.dut.idle_words : 0;
    device.clock_words(words && words != 0xFFFFFFFF ? (uint32_t)rng.between(0, words) : 0);
    for (const LineFrame &sent : device.line.frames) {
      trial.frame(sent);
      look(sent);
    }
    device.line.frames.clear();
  }
  check(!device.dut.sending && !device.line.in_frame(), "no end");
  trial.end();
}

// ------------------------------------------------------------------ random trials

static void clear_counts()
{
  device.strobe(device.dut.clear);
  while (device.dut.busy)
    device.clock_words();
  sequence.fill(0);
}

static TxRule random_rule()
{
  const unsigned index = device.slots[rng.below(SLOTS)];
  const ContentsFlow &f = device.flows[index];
  TxRule rule;
  rule.time = rng.below(20000);
  rule.period = rng.between(60, 20000);
  rule.frame.flow = index;
  rule.frame.octets = f.fixed_octets ? f.fixed_octets : f.least_octets + (unsigned)rng.below(200);
  rule.frame.flags = (unsigned)f.is_unsigned | (rng.one_in(3) ? (unsigned)rng.below(8) & 6 : 0);
  return rule;
}

static TxSettings random_settings()
{
  TxSettings s;
  s.run_id = (unsigned)rng.below(256);
  s.frame_octets = ContentsDevice::COMMON_OCTETS;
  s.gap_octets = rng.one_in(4) ? rng.between(11, 400) : rng.between(11, 12);
  s.gap_denominator = rng.between(1, 20);
  s.gap_numerator = rng.one_in(2) ? 0 : rng.below(s.gap_denominator);
  s.stop_frames = rng.between(1, 600);
  s.flows = (unsigned)rng.between(1, SLOTS / 2); // the first slots
  s.order = (unsigned)rng.below(3);
  s.turns = (unsigned)rng.between(1, 64);
  s.seed = (uint32_t)rng.next();
  s.size_seed = (uint32_t)rng.next();
  s.tag_enable = rng.one_in(2);
  s.tag_first = rng.below(9000);
  s.tag_interval = rng.below(3000);
  s.bad_fcs_every = (uint32_t)(rng.one_in(3) ? rng.between(1, 9) : 0);
  if (rng.one_in(3)) {
    s.every = (uint32_t)rng.between(1, 9);
    s.every_flow = device.slots[rng.below(SLOTS)];
  }
  for (unsigned n = rng.one_in(2) ? 0 : (unsigned)rng.below(5); n > 0; n--)
    s.rules.push_back(random_rule());
  return s;
}

// Flows of earlier trials go on with what was written of them.
static void random_trials(uint64_t frames)
{
  for (unsigned slot = 0; slot < SLOTS; slot++)
    device.write_flow(slot, FlowMaker(rng));
  while (frames_compared < frames && failures() < 1000) {
    for (unsigned n = (unsigned)rng.between(1, 6); n > 0; n--)
      device.write_flow((unsigned)rng.below(SLOTS), FlowMaker(rng));
    const unsigned again = (unsigned)rng.between(1, 4); // runs of turns of one flow
    for (unsigned turn = 0; turn < 64; turn++)
      device.write_turn(turn, turn && !rng.one_in(again) ? device.tables.turns[turn - 1]
                                                         : device.slots[rng.below(SLOTS)]);
    device.write_value((unsigned)rng.below(4096), (uint32_t)rng.next());
    if (rng.one_in(20))
      clear_counts();
    run(random_settings(), rng.one_in(3), [](const LineFrame &) {});
  }
}

// ------------------------------------------------------------------ addresses

static void put_address_field(ContentsFlow &f, unsigned count)
{
  VaryingField &field = f.fields[2];
  field = {FIELD_INCREMENT, f.layout.l3 + 12, 0x0A000000u, 1, 0xFFFFFFFFu, count, true, true};
  std::fill_n(f.image.begin() + field.octet, 4, (uint8_t)0);
}

// UDP at line rate, 64 octets: each source address in one frame, then the first of them again.
static void every_address_once(unsigned count)
{
  static const unsigned AGAIN = 100;
  for (;;) {
    FlowMaker maker(rng);
    ContentsFlow &f = maker.flow;
    if (f.layout.l3 != 14 || f.layout.l4 != 34 || f.layout.transport != UDP || f.layout.no_checksum)
      continue;
    f.fields.fill({});
    f.image.resize(64);
    f.payload = 42;
    f.least_octets = f.fixed_octets = 64;
    f.is_unsigned = false;
    f.length1 = f.length2 = {};
    for (const unsigned at : {16u, 24u, 38u, 40u}) // lengths and checksums
      put16(f.image, at, 0);
    put_address_field(f, count);
    set_registers(f, false);
    device.write_flow(0, maker);
    break;
  }
  TxSettings s;
  s.stop_frames = (uint64_t)count + AGAIN;
  std::vector<unsigned> seen(count);
  run(s, false, [&](const LineFrame &sent) {
    const uint8_t *a = &sent.octets[26];
    const uint32_t address = (uint32_t)a[0] << 24 | (uint32_t)a[1] << 16 | (uint32_t)a[2] << 8 | a[3];
    if (check(address - 0x0A000000u < count, "address %08x", address))
      seen[address - 0x0A000000u]++;
  });
  for (unsigned address = 0; address < count; address++)
    check(seen[address] == 1 + (address < AGAIN), "address %u in %u frames", address, seen[address]);
}

int main(int argc, char **argv)
{
  const char *chosen = getenv("FPGAUGE_LONG");
  const bool all = chosen && !strcmp(chosen, "1");
  const uint64_t frames = argc > 1 ? strtoull(argv[1], nullptr, 0) : all ? 1000000 : 100000;
  rng = Random(test_seed() * 0x9E3779B97F4A7C15ull + 1);
  device.reset_all();
  random_trials(frames);
  check(zero_checksums > 5 && body_frames > frames / 9 && straddling_frames > frames / 99 &&
                adjacent_frames > 99,
        "a case hardly happened");
  printf("%" PRIu64 " frames: %" PRIu64 " with a body, %" PRIu64 " fields across octet 64, %" PRIu64
         " checksums that came out as 0, %" PRIu64 " short ones of the flow before\n",
         frames_compared, body_frames, straddling_frames, zero_checksums, adjacent_frames);
  every_address_once(all ? 1 << 20 : 70000);
  printf("%" PRIu64 " clocks\n", device.clocks);
  return finish("tx_contents");
}
