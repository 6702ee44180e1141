// SPDX-License-Identifier: Apache-2.0
// A Verilated tcp with its models. Every step that it plays is played by tcp_step() too, and what it sends, loses and answers is compared.
// tcp_port plays the same inputs, and must begin and send the same in each clock; what it says of clocks in which nothing happens is
// held against both, and so is a copy of it that skips them.
#pragma once
#include "tb.h"
#include "tcp_words.h"
extern "C" {
#include "sim/tcp/port.h"
}
#include <deque>
#include <vector>

namespace tcp_side {

constexpr unsigned CONNECTIONS = TCP_CONNECTIONS, FIFO = TCP_WAITING;
// The longest wait has every connection due or ready, each in its turn among three kinds of events of 12 clocks.
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
  uint32_t dropped = 0;
  uint64_t clocks = 0, steps = 0, looks = 0, skipped = 0, longest_skip = 0;
  unsigned longest_due = 0, longest_more = 0;
  tcp_ticks ticks = {0, 1, 0};

  Side(const tcp_settings &s, uint32_t period) : settings(s), port(std::make_unique<tcp_port>()), ahead(std::make_unique<tcp_port>()) {
    ticks.period = ticks.left = period;
    memset(port.get(), 0, sizeof *port);
    port->settings = settings;
    tcp_words::put(dut.cfg, settings);
    reset();
  }

  // All connections are closed; nothing else begins anew.
  void reset() {
    memset(truth.data(), 0, truth.size() * sizeof truth[0]);
    more.assign(CONNECTIONS, false), due_for.assign(CONNECTIONS, 0), more_for.assign(CONNECTIONS, 0);
    fifo.clear(), expected.clear(), sent.clear();
    dut.rx_valid = dut.command_valid = dut.look = 0, dut.may_send = 1, dut.now = ticks.now;
    tb::reset(dut);
    tcp_port_reset(port.get());
    dropped = 0, quiet = 0;
  }

  void arrive(unsigned connection, const tcp_segment &segment) {
    arrival.connection = uint8_t(connection), arrival.segment = segment;
    dut.rx_valid = 1, dut.rx_connection = uint8_t(connection);
    tcp_words::put(dut.rx_segment, segment);
    if (fifo.size() < FIFO)
      fifo.push_back({connection, segment}), pushed = true;
    else
      dropped++;
  }
  void command(unsigned connection, const tcp_event &event) {
    given.connection = uint8_t(connection), given.event = event;
    dut.command_valid = 1, dut.command_opens = event.kind == TCP_OPEN, dut.command_connection = uint8_t(connection);
    dut.command_passive = event.passive, dut.command_endless = event.endless, dut.command_iss = event.iss;
    dut.command_octets = event.octets;
  }

  // One clock. What arrives was given before, and is not seen by a step that begins in it.
  void clock() {
    dut.now = ticks.now, dut.scan = uint8_t(port->clock % TCP_CONNECTIONS);
    dut.eval();
    const bool ready = dut.command_ready;
    foresee();
    play_port();
    if (dut.played_valid) play();
    observe_waits();
    tb::tick(dut);
    compare_port();
    clocks++, pushed = false;
    if (!--ticks.left) ticks.now++, ticks.left = ticks.period;
    dut.rx_valid = 0;
    if (ready) dut.command_valid = 0;
    if (dut.m_valid) compare_sent();
    if (dut.look_ready) compare_look();
    tb::check(dut.dropped == dropped, "%u segments were lost instead of %u", dut.dropped, dropped);
  }

private:
  bool pushed = false;
  std::unique_ptr<tcp_port> port, ahead;
  tcp_arrival arrival = {};
  tcp_command given = {};
  uint64_t quiet = 0;          // clocks to come in which nothing happens, if nothing is given
  bool may_send_then = false;

  // Asked in a clock in which nothing is foreseen yet; what is given ends it.
  void foresee() {
    const bool given_some = dut.rx_valid || dut.command_valid || dut.look || dut.may_send != may_send_then;
    if (given_some) quiet = 0;
    if (quiet || dut.rx_valid || dut.command_valid || dut.look) return;
    may_send_then = dut.may_send;
    quiet = tcp_port_idle(port.get(), &ticks, dut.may_send);
    *ahead = *port;
    tcp_port_skip(ahead.get(), quiet < 1000000 ? quiet : 0);
    if (quiet > longest_skip && quiet != TCP_FOREVER) longest_skip = quiet;
  }

  void play_port() {
    tcp_inputs inputs = {};
    inputs.now = ticks.now, inputs.may_send = dut.may_send, inputs.look = dut.look, inputs.look_connection = dut.look_connection;
    if (dut.rx_valid) inputs.arrival = &arrival;
    if (dut.command_valid) inputs.command = &given;
    const tcp_played played = tcp_port_clock(port.get(), &inputs);
    tb::check(played.valid == dut.played_valid && (!played.valid || (played.kind == dut.played_kind && played.connection == dut.played_connection)),
              "clock %" PRIu64 ": begins %d, kind %u of %u; the port's model: %d, %u, %u", clocks, dut.played_valid, dut.played_kind,
              dut.played_connection, played.valid, played.kind, played.connection);
    if (quiet) tb::check(!played.valid && !dut.played_valid, "clock %" PRIu64 ": begins what was not foreseen", clocks);
  }

  // Compares after the clock.
  void compare_port() {
    tcp_segment is = {};
    tb::check(port->m_valid == dut.m_valid && port->look_ready == dut.look_ready && port->dropped == dut.dropped,
              "clock %" PRIu64 ": sends %d, looks %d, lost %u; the port's model: %d, %d, %u", clocks, dut.m_valid, dut.look_ready,
              dut.dropped, port->m_valid, port->look_ready, port->dropped);
    if (dut.m_valid) {
      tcp_words::get(dut.m_segment, is);
      tb::check(port->m_connection == dut.m_connection && same(is, port->m_segment), "the port's model sends another segment");
    }
    if (!quiet) return;
    tb::check(!dut.m_valid && !dut.look_ready, "clock %" PRIu64 ": sends what was not foreseen", clocks);
    skipped++;
    if (quiet != TCP_FOREVER && !--quiet && port->clock == ahead->clock)
      tb::check(!memcmp(port.get(), ahead.get(), sizeof *port), "clock %" PRIu64 ": skipped clocks leave another state", clocks);
  }

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
    tcp_step(&settings, &truth[connection], &event, ticks.now, dut.played_may_send, &output);
    tb::check(dut.played_now == ticks.now && dut.played_may_send == dut.may_send, "plays at another time");
    if (output.sent) expected.push_back({connection, output.segment});
    // A turn is what takes `more` away; other steps leave it.
    more[connection] = output.again || (event.kind != TCP_TURN && more[connection]);
    steps++;
  }

  void observe_waits() {
    for (unsigned i = 0; i < CONNECTIONS; i++) {
      const tcp_connection &c = truth[i];
      const bool due = (c.timer_on && int32_t(ticks.now - c.timer_at) >= 0) || (c.ack_on && int32_t(ticks.now - c.ack_at) >= 0);
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
