// SPDX-License-Identifier: Apache-2.0
// A Verilated tcp with its model: every step that it plays is played by sim/tcp too, and what it sends, loses and answers is compared.
#pragma once
#include "tb.h"
#include "tcp_words.h"
#include <deque>
#include <vector>

namespace tcp_side {

constexpr unsigned CONNECTIONS = 64, FIFO = 64;
// With every connection due or ready, each in its turn among three kinds of events of 12 clocks.
constexpr unsigned LONGEST_WAIT = CONNECTIONS * 3 * 12 + 2 * CONNECTIONS;

struct Sent {
  unsigned connection;
  tcp_segment segment;
};

inline bool same(const tcp_segment &a, const tcp_segment &b) {
  return a.seq == b.seq && a.ack == b.ack && a.flags == b.flags && a.window == b.window && a.octets == b.octets && a.mss == b.mss
         && a.scale_is_there == b.scale_is_there && a.scale == b.scale;
}

struct Side {
  Vdut dut;
  tcp_settings settings = {};
  std::vector<tcp_connection> truth = std::vector<tcp_connection>(CONNECTIONS);
  std::vector<bool> more = std::vector<bool>(CONNECTIONS);
  std::vector<unsigned> due_for = std::vector<unsigned>(CONNECTIONS), more_for = std::vector<unsigned>(CONNECTIONS);
  std::deque<Sent> fifo, expected, sent;
  uint32_t dropped = 0, now = 0;
  uint64_t clocks = 0, steps = 0, looks = 0;
  unsigned longest_due = 0, longest_more = 0;

  explicit Side(const tcp_settings &s) : settings(s) {
    memset(truth.data(), 0, truth.size() * sizeof truth[0]);
    tcp_words::put(dut.cfg, settings);
    dut.rx_valid = dut.command_valid = dut.look = 0, dut.may_send = 1, dut.now = 0;
    tb::reset(dut);
  }

  void arrive(unsigned connection, const tcp_segment &segment) {
    dut.rx_valid = 1, dut.rx_connection = uint8_t(connection);
    tcp_words::put(dut.rx_segment, segment);
    if (fifo.size() < FIFO)
      fifo.push_back({connection, segment}), pushed = true;
    else
      dropped++;
  }
  void command(unsigned connection, const tcp_event &event) {
    dut.command_valid = 1, dut.command_opens = event.kind == TCP_OPEN, dut.command_connection = uint8_t(connection);
    dut.command_passive = event.passive, dut.command_endless = event.endless, dut.command_iss = event.iss;
    dut.command_octets = event.octets;
  }

  // One clock. What arrives was given before, and is not seen by a step that begins in it.
  void clock() {
    dut.now = now;
    dut.eval();
    const bool ready = dut.command_ready;
    if (dut.played_valid) play();
    observe_waits();
    tb::tick(dut);
    clocks++, pushed = false;
    dut.rx_valid = 0;
    if (ready) dut.command_valid = 0;
    if (dut.m_valid) compare_sent();
    if (dut.look_ready) compare_look();
    tb::check(dut.dropped == dropped, "%u segments were lost instead of %u", dut.dropped, dropped);
  }

private:
  bool pushed = false;

  void play() {
    tcp_event event = {};
    tcp_output output;
    const unsigned connection = dut.played_connection;
    event.kind = tcp_event_kind(dut.played_kind);
    if (event.kind == TCP_SEGMENT) {
      if (!tb::check(fifo.size() > pushed && fifo.front().connection == connection, "plays a segment that did not arrive")) return;
      event.segment = fifo.front().segment;
      fifo.pop_front();
    }
    if (event.kind == TCP_OPEN || event.kind == TCP_CLOSE) {
      tb::check(dut.command_valid && dut.command_ready && dut.command_opens == (event.kind == TCP_OPEN) && dut.command_connection == connection,
                "plays another command");
      event.passive = dut.command_passive, event.endless = dut.command_endless, event.iss = dut.command_iss, event.octets = dut.command_octets;
    }
    if (event.kind == TCP_TURN) tb::check(more[connection], "a turn of a connection that has no more");
    tcp_step(&settings, &truth[connection], &event, now, dut.played_may_send, &output);
    tb::check(dut.played_now == now && dut.played_may_send == dut.may_send, "plays at another time");
    if (output.sent) expected.push_back({connection, output.segment});
    // A turn is what takes `more` away; other steps leave it.
    more[connection] = output.again || (event.kind != TCP_TURN && more[connection]);
    steps++;
  }

  void observe_waits() {
    for (unsigned i = 0; i < CONNECTIONS; i++) {
      const tcp_connection &c = truth[i];
      const bool due = (c.timer_on && int32_t(now - c.timer_at) >= 0) || (c.ack_on && int32_t(now - c.ack_at) >= 0);
      due_for[i] = due ? due_for[i] + 1 : 0, more_for[i] = more[i] && dut.may_send ? more_for[i] + 1 : 0;
      if (due_for[i] > longest_due) longest_due = due_for[i];
      if (more_for[i] > longest_more) longest_more = more_for[i];
      tb::check(due_for[i] <= LONGEST_WAIT && more_for[i] <= LONGEST_WAIT, "connection %u waits %u, %u clocks", i, due_for[i], more_for[i]);
    }
  }

  void compare_sent() {
    tcp_segment is = {};
    tcp_words::get(dut.m_segment, is);
    if (!tb::check(!expected.empty(), "sends what the model does not")) return;
    const Sent should = expected.front();
    expected.pop_front();
    tb::check(should.connection == dut.m_connection && same(is, should.segment), "connection %u sends seq %u, %u octets instead of %u: %u, %u",
              dut.m_connection, is.seq, is.octets, should.connection, should.segment.seq, should.segment.octets);
    sent.push_back(should);
  }

  void compare_look() {
    tcp_connection is = {};
    std::vector<uint32_t> words(sizeof dut.looked / 4 + 1), other(words);
    tcp_words::get(dut.looked, is);
    memcpy(words.data(), &dut.looked, sizeof dut.looked);
    tcp_words::put(*other.data(), truth[dut.look_connection]);
    tb::check(words == other, "connection %u looks different: state %u instead of %u", dut.look_connection, is.state,
              truth[dut.look_connection].state);
    looks++, dut.look = 0;
  }
};

} // namespace tcp_side
