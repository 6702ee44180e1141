// SPDX-License-Identifier: Apache-2.0
// tcp_numbers against numbers that do not wrap: what was sent is counted in 64 bits, and the module sees the low bits. Every event
// on its own, at any place of the numbers, small windows and large ones. An argument is another seed.
#include "tests/rtl/tb.h"
#include <algorithm>

using namespace tb;

static const unsigned W = TB_W;
static const uint64_t MASK = (1ull << W) - 1, MOST = MASK >> 1; // octets in flight, with what comes next

static Vdut dut;
static Random rng(20261127);
static unsigned met_fits, met_old, met_ahead, met_back, met_forward, met_stays, met_again, met_round;

struct Numbers {
  uint64_t una, nxt, max;
};

static void check_next(const char *event, const Numbers &before, const Numbers &next)
{
  dut.eval();
  check(dut.next_una == (next.una & MASK) && dut.next_nxt == (next.nxt & MASK) && dut.next_max == (next.max & MASK),
        "%s: from %08x %08x %08x to %08x %08x %08x, expected %08x %08x %08x", event, dut.una, dut.nxt, dut.max, dut.next_una,
        dut.next_nxt, dut.next_max, (uint32_t)(next.una & MASK), (uint32_t)(next.nxt & MASK), (uint32_t)(next.max & MASK));
  met_round += (before.una & MASK) > (before.max & MASK);
}

static uint64_t up_to(uint64_t most)
{
  const uint64_t few = rng.below(std::min<uint64_t>(most, 3) + 1);
  return rng.one_in(3) ? rng.below(most + 1) : rng.one_in(2) ? few : most - few;
}

static Numbers random_numbers()
{
  Numbers n;
  n.una = rng.next() >> 1;
  if (rng.one_in(4))
    n.una |= MASK - 3;
  n.max = n.una + up_to(rng.one_in(2) ? MOST - MOST / 4 : 20);
  n.nxt = n.una + up_to(n.max - n.una);
  return n;
}

// Anything, where it must not matter.
static void put(const Numbers &n)
{
  dut.opens = dut.back = dut.begins = dut.acks = dut.sends = 0;
  dut.una = n.una & MASK, dut.nxt = n.nxt & MASK, dut.max = n.max & MASK;
  dut.iss = rng.next() & MASK, dut.ack = rng.next() & MASK, dut.base = rng.next() & MASK, dut.length = rng.next() & MASK;
  dut.stays = rng.one_in(2);
}

static void acknowledge(const Numbers &n)
{
  const bool fits = !rng.one_in(3);
  const uint64_t ack = fits             ? n.una + up_to(n.max - n.una)
                       : rng.one_in(2)  ? n.una - 1 - up_to(MOST / 2)
                                        : n.max + 1 + up_to(MOST / 4);
  (fits ? met_fits : ack < n.una ? met_old : met_ahead)++;
  dut.ack = ack & MASK;
  dut.eval();
  check(dut.fits == fits, "ack %08x fits %d, expected %d: %08x to %08x", dut.ack, dut.fits, fits, dut.una, dut.max);
  if (!fits)
    return;
  dut.acks = 1;
  check_next("acks", n, {ack, std::max(n.nxt, ack), n.max});
}

// The octets that are sent from snd_una may have been sent before, all of them or a part.
static void send(const Numbers &n)
{
  const bool stays = rng.one_in(4);
  const uint64_t base = rng.one_in(2) ? n.una : n.nxt, room = n.una + MOST - base, end = base + up_to(room);
  dut.sends = 1;
  dut.base = base & MASK, dut.length = (end - base) & MASK, dut.stays = stays;
  met_stays += stays && end > n.nxt;
  met_forward += !stays && end > n.max;
  met_again += end <= n.max;
  check_next("sends", n, {n.una, stays ? n.nxt : std::max(n.nxt, end), std::max(n.max, end)});
}

static void one_event()
{
  const Numbers n = random_numbers();
  const uint64_t iss = rng.next() >> 1;
  put(n);
  switch (rng.below(6)) {
  case 0:
    dut.opens = 1, dut.iss = iss & MASK;
    return check_next("opens", n, {iss, iss, iss});
  case 1:
    dut.back = 1;
    met_back += n.nxt != n.una;
    return check_next("back", n, {n.una, n.una, n.max});
  case 2:
    dut.begins = 1;
    return check_next("begins", n, {n.max, n.max, n.max});
  case 3:
    return acknowledge(n);
  case 4:
    return send(n);
  default:
    return check_next("nothing", n, n);
  }
}

int main(int argc, char **argv)
{
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20261127;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  for (int i = 0; i < 300000; i++)
    one_event();
  for (unsigned met : {met_fits, met_old, met_ahead, met_back, met_forward, met_stays, met_again, met_round})
    check(met > 500, "met only %u times", met);
  return finish("tcp_numbers");
}
