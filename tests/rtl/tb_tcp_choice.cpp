// SPDX-License-Identifier: Apache-2.0
// tcp_choice against the rules in numbers of 64 bits that do not wrap: what is left of the stream, what the windows have room
// for, and whether it is worth a segment (RFC 9293 section 3.8.6.2.1, RFC 3042). Connections in every state, near the limits of
// their windows. An argument is another seed.
#include "tests/rtl/tb.h"
#include "tests/rtl/tcp_words.h"
#include <algorithm>

using namespace tb;

static Vdut dut;
static Random rng(20261127);
static unsigned met_good, met_small, met_fin, met_fin_sent, met_persist, met_limited, met_again, met_probe, met_half;

struct Stream {
  uint64_t una, nxt, max, end; // end: behind the last octet; FIN is behind it
};
struct Choice {
  uint64_t base, octets;
  bool sends, fin, good, persist;
};

static bool in_a_state_that_sends(unsigned state)
{
  for (unsigned one : {TCP_ESTABLISHED, TCP_CLOSE_WAIT, TCP_FIN_WAIT_1, TCP_CLOSING, TCP_LAST_ACK})
    if (state == one)
      return true;
  return false;
}

// How many numbers may be sent from base on.
static uint64_t room_of(const tcp_connection &c, const Stream &s)
{
  if (c.resend) // no more than was sent
    return std::min<uint64_t>(s.max - s.una, c.snd_wnd);
  if (c.probe) // a closed window is probed, too
    return std::max<uint64_t>(1, std::min<uint64_t>(c.snd_wnd, TCP_MOST));
  uint64_t window = c.cwnd;
  if (!c.recovery && s.nxt == s.max && (c.dupacks == 1 || c.dupacks == 2)) // RFC 3042
    window += uint64_t(c.dupacks) * c.mss, met_limited++;
  window = std::min<uint64_t>(window, c.snd_wnd);
  const uint64_t flight = s.nxt - s.una;
  return window < flight ? 0 : window - flight;
}

static Choice choose(const tcp_connection &c, const Stream &s)
{
  Choice choice = {};
  choice.base = c.resend || c.probe ? s.una : s.nxt;
  choice.sends = in_a_state_that_sends(c.state);
  const bool behind_fin = c.closing && choice.base > s.end;
  const uint64_t left = c.endless ? TCP_MOST : behind_fin ? 0 : s.end - choice.base, room = room_of(c, s);
  choice.octets = std::min({left, uint64_t(c.mss), room});
  choice.fin = c.closing && !behind_fin && choice.octets == left && room >= left + 1;
  const bool is_some = choice.octets || choice.fin, idle = s.nxt == s.una;
  const bool half = idle && choice.octets >= c.max_wnd / 2;
  const bool worth = choice.octets == c.mss || choice.octets == left || half;
  choice.good = choice.sends && is_some && (worth || c.resend || c.probe);
  const bool waits = left || (c.closing && !behind_fin);
  choice.persist = waits && idle && !c.resend && !(c.snd_wnd && is_some && worth);
  met_good += choice.good, met_small += choice.sends && is_some && !choice.good, met_fin += choice.good && choice.fin;
  met_fin_sent += behind_fin, met_persist += choice.sends && choice.persist, met_again += choice.good && c.resend;
  met_probe += choice.good && c.probe && !c.snd_wnd;
  met_half += choice.good && half && choice.octets != c.mss && choice.octets != left && !c.resend && !c.probe;
  return choice;
}

static uint64_t near(uint64_t value)
{
  const uint64_t by = rng.below(3);
  return rng.one_in(2) ? value + by : value - std::min(value, by);
}

static tcp_connection random_connection(Stream &s)
{
  tcp_connection c = {};
  c.state = (uint8_t)(rng.one_in(3) ? rng.below(11) : TCP_ESTABLISHED);
  c.mss = (uint16_t)(rng.one_in(4) ? rng.between(1, 4) : rng.one_in(8) ? 0xFFFF : rng.between(500, 9000));
  c.endless = rng.one_in(4);
  c.closing = !c.endless && rng.one_in(2);
  s.una = rng.one_in(4) ? 0x100000000 - rng.below(20000) : rng.next() & 0xFFFFFFFF;
  s.max = s.una + (rng.one_in(3) ? 0 : rng.one_in(2) ? rng.below(4u * c.mss) : near(rng.below(8) * c.mss));
  s.nxt = rng.one_in(2) ? s.max : rng.one_in(2) ? s.una : s.una + rng.below(s.max - s.una + 1);
  s.end = s.max + (rng.one_in(3) ? 0 : rng.one_in(2) ? near(c.mss) : rng.below(1u << 29));
  if (c.closing && s.max > s.una && rng.one_in(2)) // FIN was sent
    s.end = s.max - 1;
  c.snd_una = (uint32_t)s.una, c.snd_nxt = (uint32_t)s.nxt, c.snd_max = (uint32_t)s.max;
  c.snd_end = c.endless ? (uint32_t)rng.next() : (uint32_t)s.end;
  const uint64_t flight = s.nxt - s.una;
  const uint64_t windows[] = {0, near(flight), near(flight + c.mss), near(flight + (s.end - s.nxt)), rng.below(1u << 30), 65535ull << 14,
                              near(s.max - s.una), near(2u * c.mss)};
  c.snd_wnd = (uint32_t)windows[rng.below(8)];
  c.max_wnd = (uint32_t)(rng.one_in(3) ? c.snd_wnd : rng.one_in(2) ? 2 * near(c.mss) : c.snd_wnd + rng.below(1u << 20));
  c.cwnd = (uint32_t)std::min<uint64_t>(windows[1 + rng.below(7)], TCP_MOST);
  c.dupacks = (uint8_t)(rng.one_in(2) ? 0 : rng.below(4));
  c.recovery = rng.one_in(4);
  c.resend = rng.one_in(5);
  c.probe = rng.one_in(5);
  return c;
}

static void check_choice(const tcp_connection &c, const Stream &s)
{
  const Choice e = choose(c, s);
  tcp_words::put(dut.c, c);
  dut.allowed = 1;
  tick(dut);
  dut.allowed = 0, dut.room = 1;
  tick(dut);
  dut.room = 0, dut.picked = 1;
  dut.eval();
  check(!e.sends || dut.persist == e.persist, "persist %d, expected %d", dut.persist, e.persist);
  tick(dut);
  dut.picked = 0;
  memset(&dut.c, 0xA5, sizeof dut.c); // is not looked at again
  if (rng.one_in(2))
    tick(dut);
  check(dut.sends_reg == e.sends, "sends %d, expected %d in state %u", dut.sends_reg, e.sends, c.state);
  check(dut.good_reg == e.good, "good %d, expected %d: %u octets", dut.good_reg, e.good, dut.pick_reg);
  check(dut.base_reg == (uint32_t)e.base && dut.pick_reg == e.octets && dut.fin_reg == e.fin,
        "%u octets from %08x, FIN %d, expected %u from %08x, FIN %d", dut.pick_reg, dut.base_reg, dut.fin_reg, (unsigned)e.octets,
        (uint32_t)e.base, e.fin);
}

int main(int argc, char **argv)
{
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20261127;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  dut.allowed = dut.room = dut.picked = 0;
  dut.clk = 0;
  dut.eval();
  for (int i = 0; i < 60000; i++) {
    Stream s;
    const tcp_connection c = random_connection(s);
    check_choice(c, s);
  }
  for (unsigned met : {met_good, met_small, met_fin, met_fin_sent, met_persist, met_limited, met_again, met_probe, met_half})
    check(met > 100, "met only %u times", met);
  return finish("tcp_choice");
}
