// SPDX-License-Identifier: Apache-2.0
// tcp_engine beside sim/tcp: the same random events, and after each step the same connection, bit for bit, and the same segment.
#include "tcp_words.h"
#include "tb.h"
#include "tcp_draws.h"
#include <set>
#include <string>

namespace {

struct Member {
  std::string list;
  template <class M> void operator()(unsigned, const M &member) { list += " " + std::to_string(uint64_t(member)); }
};
template <class S> std::string text(const S &s) {
  Member member;
  tcp_words::each(member, s, static_cast<const S *>(nullptr));
  return member.list;
}

struct Bench {
  Vdut dut;
  tcp_settings settings = {};
  tcp_connection truth = {}, before = {};
  uint32_t now = 0;

  // Clocks from start to done.
  unsigned step(const tcp_event &event, bool may_send) {
    tcp_words::put(dut.cfg, settings);
    tcp_words::put(dut.connection, truth);
    tcp_words::put(dut.segment, event.segment);
    dut.kind = uint8_t(event.kind), dut.open_passive = event.passive, dut.open_endless = event.endless;
    dut.open_iss = event.iss, dut.open_octets = event.octets, dut.now = now, dut.may_send = may_send;
    dut.start = 1;
    tb::tick(dut);
    // Nothing is looked at again.
    memset(&dut.connection, 0xa5, sizeof dut.connection), memset(&dut.segment, 0x5a, sizeof dut.segment);
    dut.start = 0, dut.kind = 7, dut.may_send = !may_send, dut.now = ~now, dut.open_iss = 0, dut.open_octets = 1;
    unsigned clocks = 1;
    for (; !dut.done && clocks < 100; clocks++) {
      tb::check(dut.busy, "not busy in clock %u of a step", clocks);
      tb::tick(dut);
    }
    return clocks;
  }

  void compare(const tcp_event &event, const tcp_output &output) {
    tcp_connection is = {};
    tcp_segment out = {};
    tcp_words::get(dut.next_connection, is), tcp_words::get(dut.out, out);
    tb::check(text(is) == text(truth), "event %d, flags %x: from\n%s to\n%s instead of\n%s", event.kind, event.segment.flags,
              text(before).c_str(), text(is).c_str(), text(truth).c_str());
    tb::check(dut.sent == output.sent && dut.again == output.again, "event %d: sent %d again %d instead of %d %d", event.kind, dut.sent,
              dut.again, output.sent, output.again);
    if (output.sent)
      tb::check(text(out) == text(output.segment), "event %d: sends%s instead of%s", event.kind, text(out).c_str(),
                text(output.segment).c_str());
  }
};

struct Seen {
  std::set<unsigned> states;
  unsigned recoveries, partials, timeouts, persists, joined, refused, ca, fins, wraps;
} seen;

void note(const Bench &bench, const tcp_output &output) {
  const tcp_connection &a = bench.before, &b = bench.truth;
  unsigned before = 0, after = 0;
  for (int i = 0; i < TCP_RANGES; i++) before += a.range[i].used, after += b.range[i].used;
  seen.states.insert(b.state);
  seen.recoveries += b.recovery && !a.recovery, seen.partials += b.partial && !a.partial, seen.timeouts += b.timed_out && !a.timed_out;
  seen.persists += b.probe || (b.persist && !a.persist), seen.joined += after + 1 < before, seen.refused += output.sent && output.segment.flags & TCP_RST;
  seen.ca += b.counted != a.counted, seen.fins += b.fin_known, seen.wraps += b.snd_max < a.snd_max;
}

void run(uint64_t seed, unsigned steps) {
  printf("seed %" PRIu64 "\n", seed);
  tb::Random random(seed);
  auto made = std::make_unique<Bench>();
  Bench &bench = *made;
  bench.dut.start = 0;
  tb::reset(bench.dut);
  for (unsigned i = 0; i < steps; i++) {
    if (i % 400 == 0) bench.settings = tcp_draws::settings(random), bench.truth = {};
    if (random.one_in(60)) bench.truth.ssthresh = 2u * bench.truth.mss + uint32_t(random.below(20000));
    bench.now += uint32_t(random.one_in(3) ? random.below(200) : random.below(4));
    if (bench.truth.timer_on && random.one_in(30)) bench.now = bench.truth.timer_at - uint32_t(random.below(2));
    const tcp_event event = tcp_draws::event(random, bench.settings, bench.truth);
    const bool may_send = !random.one_in(8);
    const unsigned clocks = bench.step(event, may_send);
    tcp_output output;
    bench.before = bench.truth;
    tcp_step(&bench.settings, &bench.truth, &event, bench.now, may_send, &output);
    bench.compare(event, output), note(bench, output);
    const unsigned expected = event.kind == TCP_TURN ? 7 : event.kind == TCP_OPEN || event.kind == TCP_CLOSE ? 8 : 12;
    tb::check(clocks == expected, "event %d takes %u clocks instead of %u", event.kind, clocks, expected);
    if (tb::failures()) return;
  }
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  for (uint64_t seed = first; seed < first + 8; seed++) run(seed, 20000);
  tb::check(seen.states.size() == 11, "%zu states of 11 were seen", seen.states.size());
  tb::check(seen.recoveries > 100 && seen.partials > 30 && seen.timeouts > 100, "%u recoveries, %u partial, %u timeouts", seen.recoveries,
            seen.partials, seen.timeouts);
  tb::check(seen.persists > 100 && seen.joined > 100 && seen.refused > 100, "%u persists, %u joined, %u refused", seen.persists, seen.joined,
            seen.refused);
  tb::check(seen.ca > 100 && seen.fins > 100 && seen.wraps > 30, "%u counted, %u FIN early, %u wraps", seen.ca, seen.fins, seen.wraps);
  return tb::finish("tcp_engine");
}
