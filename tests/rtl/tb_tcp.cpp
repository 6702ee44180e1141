// SPDX-License-Identifier: Apache-2.0
// tcp beside its model (tcp_side.h): random events on all connections; streams between two of them over lossy links; and how many
// segments a second it takes.
#include "tcp_words.h"
#include "tb.h"
#include "tcp_draws.h"
#include "tcp_side.h"

namespace {

using tcp_side::CONNECTIONS;
using tcp_side::Side;

unsigned overflows, looks;
uint64_t skipped, longest_skip;

// Gives what may come in one clock.
void give(Side &side, tb::Random &random, unsigned connection, uint64_t every) {
  const tcp_connection &c = side.truth[connection];
  if (random.one_in(every)) side.arrive(connection, tcp_draws::segment(random, side.settings, c));
  if (!side.dut.command_valid && random.one_in(60)) {
    tcp_event event = tcp_draws::event(random, side.settings, c);
    event.kind = random.one_in(4) ? TCP_CLOSE : TCP_OPEN;
    if (event.kind == TCP_CLOSE || c.state == TCP_CLOSED || random.one_in(20)) side.command(connection, event);
  }
  if (!side.dut.look && random.one_in(50)) side.dut.look = 1, side.dut.look_connection = uint8_t(connection);
  if (random.one_in(100)) side.dut.may_send = !random.one_in(3);
}

void random_events(uint64_t seed) {
  printf("seed %" PRIu64 "\n", seed);
  tb::Random random(seed);
  auto side = std::make_unique<Side>(tcp_draws::settings(random), uint32_t(random.one_in(2) ? 20 : random.between(1, 300)));
  const unsigned connections = random.one_in(2) ? CONNECTIONS : unsigned(random.between(1, 5));
  const uint64_t every = random.between(1, seed % 3 ? 40 : 4); // segments are lost if it is below 12
  uint64_t nothing = 0; // is given for so many clocks: only timers go on
  for (unsigned clock = 0; clock < 40000 && !tb::failures(); clock++) {
    const unsigned connection = unsigned(random.below(connections));
    if (nothing)
      nothing--;
    else
      give(*side, random, connection, every);
    if (random.one_in(2000)) nothing = random.below(4000);
    side->clock();
    if (random.one_in(30000)) overflows += side->dropped, side->reset();
  }
  for (unsigned i = 0; i < 20000 && !tb::failures(); i++) side->dut.may_send = i < 19900, side->clock(); // the last step ends, too
  tb::check(side->expected.empty() && side->fifo.empty(), "%zu segments were not sent, %zu not played", side->expected.size(),
            side->fifo.size());
  overflows += side->dropped, looks += unsigned(side->looks), skipped += side->skipped;
  if (side->longest_skip > longest_skip) longest_skip = side->longest_skip;
}

tcp_settings plain_settings() {
  tcp_settings s = {};
  s.mss = 1460, s.window = 65535u << 6, s.use_scale = true, s.scale = 6, s.ack_every = 2, s.ack_delay = 200;
  s.granularity = 1, s.rto_initial = 1000, s.rto_min = 300, s.rto_max = 20000, s.rto_after_syn = 1000, s.time_wait = 500;
  return s;
}

// Two ports, joined by a delay; in each direction a segment takes the clocks that its frame takes on a line of 64 octets a clock.
struct Pair {
  struct Flight {
    uint64_t at;
    tcp_side::Sent what;
  };
  std::unique_ptr<Side> side[2];
  std::deque<Flight> flight[2];
  uint64_t line_free[2] = {}, delay, now = 0;
  unsigned loss;
  tb::Random random;

  Pair(uint64_t seed, uint64_t delay_clocks, unsigned loss_of_1000) : delay(delay_clocks), loss(loss_of_1000), random(seed) {
    for (auto &one : side) one = std::make_unique<Side>(plain_settings(), 20);
  }
  void clock() {
    for (unsigned i = 0; i < 2; i++) {
      Side &one = *side[i];
      one.dut.may_send = line_free[i] <= now + 100; // a short FIFO of frames
      if (!flight[i].empty() && flight[i].front().at <= now) one.arrive(flight[i].front().what.connection, flight[i].front().what.segment), flight[i].pop_front();
      one.clock();
      for (; !one.sent.empty(); one.sent.pop_front()) {
        const uint64_t octets = one.sent.front().segment.octets + 78u;
        line_free[i] = (line_free[i] > now ? line_free[i] : now) + (octets + 63) / 64;
        if (random.below(1000) >= loss) flight[!i].push_back({line_free[i] + delay, one.sent.front()});
      }
    }
    now++;
  }
  void open(unsigned connection, uint32_t iss, uint32_t octets, bool endless) {
    for (unsigned i = 0; i < 2; i++) {
      tcp_event event = {};
      event.kind = TCP_OPEN, event.passive = !i, event.iss = iss + i, event.octets = octets, event.endless = endless && i;
      side[i]->command(connection, event);
      while (side[i]->dut.command_valid) clock();
    }
  }
};

void streams(uint64_t seed) {
  Pair pair(seed, 400, 10);
  const uint32_t octets = 100000;
  for (unsigned i = 0; i < CONNECTIONS; i++) pair.open(i, uint32_t(-5000 * int(i)), octets, false);
  unsigned whole = 0;
  while (whole < 2 * CONNECTIONS && pair.now < 2000000 && !tb::failures()) {
    for (unsigned i = 0; i < 1000; i++) pair.clock();
    whole = 0;
    for (auto &side : pair.side)
      for (auto &c : side->truth) whole += c.delivered == octets;
  }
  tb::check(whole == 2 * CONNECTIONS, "%u of %u streams arrived whole", whole, 2 * CONNECTIONS);
  printf("%u streams of %u octets at 1%% loss: %" PRIu64 " clocks, longest wait of a timer %u, of a turn %u clocks\n", whole, octets,
         pair.now, pair.side[1]->longest_due, pair.side[1]->longest_more);
}

// One connection fills the line: a frame of 1460 octets in its payload takes 25 whole clocks here.
void line_rate() {
  Pair pair(1, 100, 0);
  pair.open(7, 99, 0, true);
  for (unsigned i = 0; i < 30000; i++) pair.clock();
  const uint64_t before = pair.side[0]->truth[7].delivered;
  for (unsigned i = 0; i < 50000; i++) pair.clock();
  const uint64_t octets = pair.side[0]->truth[7].delivered - before;
  printf("one stream at line rate: %" PRIu64 " octets in 50000 clocks\n", octets);
  tb::check(octets >= 50000 / 25 * 1460 - 2 * 1460, "%" PRIu64 " octets in 50000 clocks", octets);
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  for (uint64_t seed = first; seed < first + 12; seed++) random_events(seed);
  tb::check(overflows > 100 && looks > 100, "%u overflows, %u looks", overflows, looks);
  printf("%" PRIu64 " clocks foreseen to be idle, up to %" PRIu64 " at once\n", skipped, longest_skip);
  tb::check(skipped > 10000 && longest_skip > 1000, "%" PRIu64 " clocks foreseen, up to %" PRIu64, skipped, longest_skip);
  streams(first);
  line_rate();
  return tb::finish("tcp");
}
