// SPDX-License-Identifier: Apache-2.0
// tcp_port around its connections, against RFC 9293 where a rule of it is enough: a segment for a closed connection is answered with
// RST, an open one begins with SYN. How long segments wait that arrive, in which order they are answered; what waits until the
// port takes it, and what load and clear drop; commands, looks, counts and snapshots. An argument is another seed.
#include "tests/rtl/tb.h"
#include "tests/rtl/tcp_words.h"
#include <algorithm>
#include <deque>
#include <vector>

using namespace tb;

static const unsigned WAIT = TB_WAIT, VERDICT = 8, CONNECTIONS = 64, FCS = 4;
static const unsigned ENGINE = 16;      // clocks from a segment to its answer, if none is before it: 12 of tcp, 4 through the FIFOs
static const unsigned SLACK = 40;       // more than that
static const unsigned SETTINGS_W = 382; // width of port_tcp_settings_t
enum { SYN_SENT = 2 };

static Vdut dut;
static Random rng(20261127);
static uint64_t now; // words

struct Settings {
  bool enable = true, use_scale = false;
  unsigned header = 54, mss = 1460, window = 65535, scale = 0;
  uint32_t iss = 0, octets = 0, rto = 0x10000000; // rto: ticks of 256 words
};
struct Answer {
  unsigned connection;
  tcp_segment segment;
  uint64_t given;
  bool behind; // others, which the engine may be busy with
};
struct Sent {
  unsigned connection, octets;
  tcp_segment segment;
};

static Settings settings;
static std::deque<Answer> expected; // RSTs
static std::vector<Sent> sent;      // frames that were taken and are not an answer that was expected
static unsigned take_one_in = 1;    // the port takes a segment in one of so many clocks
static unsigned met_answers, met_behind;

static void put_settings()
{
  tcp_words::Writer put{reinterpret_cast<uint32_t *>(&dut.cfg), SETTINGS_W};
  const uint32_t tick = 0x10000000; // no other timer ends here
  put(1, settings.enable), put(8, 0), put(16, 0), put(7, settings.header), put(16, settings.mss), put(32, settings.window);
  put(1, settings.use_scale), put(4, settings.scale), put(4, 0), put(2, 1), put(5, 0), put(32, tick), put(32, 1), put(32, settings.rto);
  put(32, 1), put(32, tick), put(32, settings.rto), put(32, tick), put(32, settings.iss), put(30, settings.octets);
}

template <class Port> static uint64_t bits_of(const Port &port, unsigned low, unsigned width)
{
  uint64_t value = 0;
  std::vector<uint8_t> octets(sizeof(port));
  get_octets(port, octets.data(), octets.size());
  for (unsigned i = 0; i < width; i++)
    value |= (uint64_t)(octets[(low + i) / 8] >> (low + i) % 8 & 1) << i;
  return value;
}

static bool same(const tcp_segment &a, const tcp_segment &b)
{
  return a.seq == b.seq && a.ack == b.ack && a.flags == b.flags && a.window == b.window && a.octets == b.octets && a.mss == b.mss &&
         a.scale_is_there == b.scale_is_there && a.scale == b.scale;
}

static void check_answer(const Sent &is)
{
  const Answer e = expected.front();
  const uint64_t took = now - e.given;
  expected.pop_front();
  check(is.connection == e.connection && same(is.segment, e.segment),
        "connection %u answers flags %x, %08x, %08x; expected %u, %x, %08x, %08x", is.connection, is.segment.flags, is.segment.seq,
        is.segment.ack, e.connection, e.segment.flags, e.segment.seq, e.segment.ack);
  check(is.octets == settings.header + FCS, "an answer of %u octets behind a header of %u", is.octets, settings.header);
  check(e.behind ? took > WAIT - VERDICT : took == WAIT - VERDICT + ENGINE, "answered after %" PRIu64 " words%s, wait %u", took,
        e.behind ? " behind others" : "", WAIT);
  met_answers++;
  met_behind += e.behind;
}

static void clock_port()
{
  const uint64_t mask = (1ull << 58) - 1;
  dut.word_time = now & mask;
  dut.rx_word_time = (now - 1) & mask; // time as in the core
  dut.eval();
  dut.out_take = dut.out_valid && rng.one_in(take_one_in);
  dut.eval();
  if (dut.out_take) {
    Sent one = {dut.out_connection, dut.out_octets, {}};
    tcp_words::get(dut.out_segment, one.segment);
    if (!expected.empty())
      check_answer(one);
    else
      sent.push_back(one);
  }
  dut.rx_clk = dut.clk = 1;
  dut.eval();
  dut.rx_clk = dut.clk = 0;
  dut.eval();
  dut.rx_valid = 0;
  now++;
}

static void pause(unsigned clocks)
{
  for (unsigned i = 0; i < clocks; i++)
    clock_port();
}

// RFC 9293 section 3.10.7.1.
static void arrive_at_a_closed_one(unsigned connection, bool behind)
{
  tcp_segment s = {}, rst = {};
  s.seq = (uint32_t)rng.next(), s.ack = (uint32_t)rng.next(), s.flags = (uint8_t)rng.below(32);
  s.window = (uint16_t)rng.next(), s.octets = (uint16_t)rng.below(9000);
  tcp_words::put(dut.rx_segment, s);
  dut.rx_connection = (CData)connection;
  dut.rx_valid = 1;
  if (s.flags & TCP_RST)
    return;
  if (s.flags & TCP_ACK)
    rst.seq = s.ack, rst.flags = TCP_RST;
  else
    rst.ack = s.seq + s.octets + ((s.flags & TCP_SYN) != 0) + (s.flags & TCP_FIN), rst.flags = TCP_RST | TCP_ACK;
  expected.push_back({connection, rst, now, behind});
}

static void answers()
{
  take_one_in = 1;
  for (int group = 0; group < 12; group++) {
    // A burst of 50 has room in the FIFO of tcp.
    const unsigned between = (unsigned)(rng.one_in(3) ? rng.between(1, 3) : rng.between(SLACK, 100));
    for (int i = 0; i < 50; i++) {
      arrive_at_a_closed_one((unsigned)rng.below(CONNECTIONS), between < SLACK);
      pause(between);
    }
    pause(WAIT + 50 * 14 + SLACK);
    check(expected.empty(), "%zu segments are not answered", expected.size());
    expected.clear();
  }
  check(dut.dropped_segments == 0, "%" PRIu64 " segments dropped", (uint64_t)dut.dropped_segments);
}

static void command(unsigned connection, bool opens)
{
  tcp_words::Writer put{reinterpret_cast<uint32_t *>(&dut.writes), 33};
  put(32, connection | (unsigned)opens << 8 | (uint32_t)rng.below(1u << 10) << 22);
  put(1, 1u);
  pause(1);
  memset(&dut.writes, 0, sizeof dut.writes);
  check(dut.command_busy == settings.enable, "busy %d after a command", dut.command_busy);
  for (unsigned i = 0; dut.command_busy && i < 2000; i++)
    pause(1);
  check(!dut.command_busy, "a command is not done");
}

static void check_look(unsigned connection, unsigned state, uint32_t una, uint32_t nxt)
{
  dut.look_req = 1, dut.look_index = (CData)connection;
  dut.eval();
  for (unsigned i = 0; !dut.look_ack && i < 2000; i++)
    pause(1);
  const unsigned is = (unsigned)bits_of(dut.look_values, 352, 4);
  const uint32_t is_una = (uint32_t)bits_of(dut.look_values, 320, 32), is_nxt = (uint32_t)bits_of(dut.look_values, 288, 32);
  check(is == state && is_una == una && is_nxt == nxt, "connection %u: state %u, %08x to %08x; expected %u, %08x to %08x", connection, is,
        is_una, is_nxt, state, una, nxt);
  pause(1);
  dut.look_req = 0;
  pause(1);
}

static void check_stream(unsigned connection, uint32_t sent_segments)
{
  dut.stream_req = 1, dut.stream_index = (CData)connection;
  dut.eval();
  for (unsigned i = 0; !dut.stream_ack && i < 2000; i++)
    pause(1);
  const uint64_t delivered = bits_of(dut.stream_values, 64, 64), count = bits_of(dut.stream_values, 32, 32);
  const uint64_t again = bits_of(dut.stream_values, 0, 32);
  check(count == sent_segments && delivered == 0 && again == 0,
        "connection %u: %" PRIu64 " sent, %" PRIu64 " again, %" PRIu64 " delivered; expected %u sent", connection, count, again, delivered,
        sent_segments);
  pause(1);
  dut.stream_req = 0;
  pause(1);
}

static void clear_port()
{
  dut.clear = 1;
  pause(1);
  dut.clear = 0;
  for (unsigned i = 0; i == 0 || (dut.busy && i < 1000); i++)
    pause(1);
  check(!dut.busy && !dut.out_valid, "busy %d, a segment waits %d after a clear", dut.busy, dut.out_valid);
  check(!dut.sent_segments && !dut.dropped_segments && !dut.lost_connections, "counts after a clear");
  sent.clear();
}

// Connections are opened while the port takes little or nothing: each sends one SYN, which waits for room.
static void opens()
{
  settings.header = (unsigned)(2 * rng.between(27, 41)), settings.mss = (unsigned)rng.between(500, 9000);
  settings.use_scale = rng.one_in(2), settings.scale = settings.use_scale ? (unsigned)rng.below(15) : 0;
  settings.window = rng.one_in(2) ? 65535u << settings.scale : (unsigned)rng.between(1, 65535) << settings.scale;
  put_settings();
  clear_port();
  std::vector<uint32_t> iss(CONNECTIONS);
  std::vector<bool> open(CONNECTIONS);
  const bool waits = rng.one_in(2);
  take_one_in = waits ? 1000000000 : (unsigned)rng.between(1, 60);
  dut.active = !waits;
  for (int i = 0; i < 40; i++) {
    const unsigned c = (unsigned)rng.below(CONNECTIONS);
    if (open[c])
      continue;
    open[c] = true;
    settings.iss = iss[c] = (uint32_t)rng.next(), settings.octets = (uint32_t)rng.below(1u << 30);
    put_settings();
    command(c, true);
  }
  const size_t count = (size_t)std::count(open.begin(), open.end(), true);
  pause(200);
  if (waits) {
    check(sent.empty() && !dut.out_valid && !dut.sent_segments, "%" PRIu64 " segments without a trial", (uint64_t)dut.sent_segments);
    const size_t c = (size_t)(std::find(open.begin(), open.end(), true) - open.begin());
    check_look((unsigned)c, SYN_SENT, iss[c], iss[c]);
    dut.active = 1;
    take_one_in = 7;
  }
  for (unsigned i = 0; sent.size() < count && i < 20000; i++)
    pause(1);
  pause(300);
  check(sent.size() == count && dut.sent_segments == count, "%zu SYNs, %" PRIu64 " counted, %zu opened", sent.size(),
        (uint64_t)dut.sent_segments, count);
  dut.snapshot = 1;
  pause(1);
  dut.snapshot = 0;
  std::vector<bool> seen(CONNECTIONS);
  for (const Sent &one : sent) {
    tcp_segment syn = {};
    syn.seq = iss[one.connection], syn.flags = TCP_SYN, syn.window = (uint16_t)std::min(settings.window, 65535u);
    syn.mss = (uint16_t)settings.mss, syn.scale_is_there = settings.use_scale, syn.scale = (uint8_t)settings.scale;
    check(open[one.connection] && !seen[one.connection] && same(one.segment, syn), "connection %u: flags %x, %08x, mss %u", one.connection,
          one.segment.flags, one.segment.seq, one.segment.mss);
    check(one.octets == settings.header + 4 + 4 * settings.use_scale + FCS, "a SYN of %u octets", one.octets);
    seen[one.connection] = true;
  }
  for (unsigned c = 0; c < CONNECTIONS; c++)
    if (rng.one_in(4)) {
      check_look(c, open[c] ? SYN_SENT : 0, open[c] ? iss[c] : 0, open[c] ? iss[c] + 1 : 0);
      check_stream(c, open[c]);
    }
}

// Resets come after opens(): an RST that acknowledges the SYN ends a connection; a command ends one too, but that one
// is not lost.
static void resets(unsigned lost)
{
  for (unsigned i = 0; i < lost; i++) {
    const unsigned c = sent[i].connection;
    tcp_segment rst = {};
    rst.flags = TCP_RST | TCP_ACK, rst.ack = sent[i].segment.seq + 1;
    tcp_words::put(dut.rx_segment, rst);
    dut.rx_connection = (CData)c, dut.rx_valid = 1;
    pause(WAIT + SLACK);
  }
  command(sent[lost].connection, false);
  pause(SLACK);
  check(dut.lost_connections == lost, "%" PRIu64 " connections lost, expected %u", (uint64_t)dut.lost_connections, lost);
}

static void load_drops_what_waits()
{
  clear_port();
  take_one_in = 1000000000;
  dut.active = 1;
  for (unsigned c = 0; c < 5; c++)
    command(c, true);
  pause(100);
  check(dut.out_valid && dut.sent_segments == 5, "%" PRIu64 " segments wait", (uint64_t)dut.sent_segments);
  dut.load = 1;
  pause(1);
  dut.load = 0;
  pause(1);
  check(!dut.out_valid && sent.empty(), "a segment waits after a load");
  clear_port();
}

// Events that wait to be played are dropped, too: segments, and a command.
static void clear_drops_what_came()
{
  take_one_in = 1;
  for (unsigned c = 0; c < 5; c++) {
    arrive_at_a_closed_one(c, true);
    pause(1);
  }
  expected.clear();
  pause((unsigned)rng.below(WAIT - VERDICT - 10));
  tcp_words::Writer put{reinterpret_cast<uint32_t *>(&dut.writes), 33};
  put(32, 1u << 8), put(1, 1u);
  pause(1);
  memset(&dut.writes, 0, sizeof dut.writes);
  clear_port();
  pause(WAIT + 5 * SLACK);
  check(sent.empty() && !dut.command_busy && !dut.sent_segments, "%zu segments of what came before a clear", sent.size());
}

// RFC 6298 section 5: the SYN again after the timeout, which doubles.
static void sends_again()
{
  settings.rto = (unsigned)rng.between(4, 12);
  put_settings();
  take_one_in = 1;
  const unsigned c = (unsigned)rng.below(CONNECTIONS);
  command(c, true);
  uint64_t at = now;
  for (unsigned again = 0; again <= 3; again++) {
    const uint64_t ticks = again ? settings.rto << (again - 1) : 0;
    for (unsigned i = 0; sent.size() == again && i < 100000; i++)
      pause(1);
    const uint64_t took = now - at;
    check(took + 256 >= 256 * ticks && took <= 256 * (ticks + 1) + 2 * CONNECTIONS,
          "SYN %u after %" PRIu64 " words, timeout %" PRIu64 " ticks", again, took, ticks);
    at = now;
  }
  pause(10);
  check(dut.sent_segments == 4 && dut.sent_again_segments == 3 && dut.lost_connections == 0, "%" PRIu64 " segments, %" PRIu64 " again",
        (uint64_t)dut.sent_segments, (uint64_t)dut.sent_again_segments);
  settings.rto = 0x10000000;
  put_settings();
  clear_port();
}

static void nothing_without_enable()
{
  settings.enable = false;
  put_settings();
  take_one_in = 1;
  command(3, true);
  pause(100);
  check(sent.empty() && !dut.out_valid, "a segment of a port without connections");
  check_look(3, 0, 0, 0);
  settings.enable = true;
  put_settings();
}

int main(int argc, char **argv)
{
  uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20261127;
  printf("seed %" PRIu64 "\n", seed);
  rng = Random(seed);
  now = rng.next() >> 8;
  put_settings();
  dut.rst = 1;
  dut.rx_clk = dut.clk = 0;
  dut.eval();
  pause(8);
  dut.rst = 0;
  dut.active = 1;
  clear_port();
  for (int i = 0; i < 4; i++) {
    answers();
    opens();
    resets((unsigned)rng.between(1, 5));
    load_drops_what_waits();
    clear_drops_what_came();
    sends_again();
    nothing_without_enable();
  }
  check(met_answers > 1000 && met_behind > 100, "%u answers, %u of them behind others", met_answers, met_behind);
  return finish("tcp_port");
}
