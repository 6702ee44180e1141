// SPDX-License-Identifier: Apache-2.0
// Random settings, events and segments near to what a connection expects, so that all rules of TCP are met often.
#pragma once
#include "tb.h"
#include "tcp_words.h"

namespace tcp_draws {

inline tcp_settings settings(tb::Random &random) {
  tcp_settings s = {};
  s.mss = uint16_t(random.one_in(4) ? random.between(1, 30) : random.between(500, 9000));
  s.use_scale = !random.one_in(3), s.scale = uint8_t(random.below(15));
  s.window = uint32_t(random.one_in(2) ? random.between(1, 65535) : random.between(1, 40) * s.mss % 65535 + 1);
  if (s.use_scale) s.window = uint32_t(s.window << (random.one_in(2) ? s.scale : 0)) >> s.scale << s.scale;
  if (!s.window) s.window = 1u << s.scale;
  s.initial_segments = uint8_t(random.one_in(2) ? 0 : random.below(16)), s.ack_every = uint8_t(random.between(1, 3));
  s.retries = uint8_t(random.one_in(2) ? 0 : random.below(31));
  s.ack_delay = uint32_t(random.below(100)), s.granularity = uint32_t(random.below(10)), s.rto_initial = uint32_t(random.between(1, 400));
  s.rto_min = uint32_t(random.between(1, 200)), s.rto_max = uint32_t(random.between(s.rto_min, 5000));
  s.rto_after_syn = uint32_t(random.below(1000)), s.time_wait = uint32_t(random.below(300));
  return s;
}

// A value in [low, low + span], or just outside of it.
inline uint32_t near(tb::Random &random, uint32_t low, uint32_t span) {
  switch (random.below(6)) {
  case 0: return low;
  case 1: return low + span;
  case 2: return low - uint32_t(random.below(4));
  case 3: return low + span + uint32_t(random.below(4));
  default: return low + uint32_t(random.below(uint64_t(span) + 1));
  }
}

inline tcp_segment segment(tb::Random &random, const tcp_settings &s, const tcp_connection &c) {
  tcp_segment in = {};
  const uint32_t window = tcp_receive_window(&s, &c);
  in.flags = random.one_in(15) ? uint8_t(random.below(32)) : random.one_in(20) ? TCP_ACK | TCP_FIN : TCP_ACK;
  if (c.state == TCP_LISTEN || c.state == TCP_SYN_SENT)
    in.flags = random.one_in(8) ? uint8_t(random.below(32)) : c.state == TCP_LISTEN || random.one_in(4) ? TCP_SYN : TCP_SYN | TCP_ACK;
  in.seq = random.one_in(2) ? c.rcv_nxt : near(random, c.rcv_nxt, random.one_in(2) ? window : 6u * s.mss);
  if (random.one_in(8)) in.seq = c.range[random.below(4)].end;
  if (random.one_in(30)) in.seq = uint32_t(random.next());
  in.ack = near(random, c.snd_una, c.snd_max - c.snd_una);
  if (random.one_in(2)) in.ack = c.snd_una;
  if (random.one_in(20)) in.ack = c.recover;
  if (random.one_in(40)) in.ack = uint32_t(random.next());
  in.octets = uint16_t(random.one_in(2) ? 0 : random.one_in(3) ? random.below(65536) : random.between(1, s.mss));
  in.window = uint16_t(random.one_in(3) ? c.snd_wnd >> c.snd_scale : random.one_in(3) ? random.below(3) : random.below(65536));
  if (random.one_in(4)) in.ack = c.snd_una, in.octets = 0, in.flags = TCP_ACK, in.window = uint16_t(c.snd_wnd >> c.snd_scale);
  in.mss = uint16_t(random.one_in(4) ? 0 : random.between(1, 9000));
  in.scale_is_there = random.one_in(2), in.scale = uint8_t(random.below(16));
  return in;
}

inline tcp_event event(tb::Random &random, const tcp_settings &s, const tcp_connection &c) {
  tcp_event e = {};
  const uint64_t kind = random.below(c.state == TCP_CLOSED ? 8 : 100);
  e.kind = kind < 60 ? TCP_SEGMENT : kind < 80 ? TCP_TURN : TCP_TICK;
  if (kind == 99 || (kind == 1 && c.state == TCP_CLOSED)) e.kind = TCP_OPEN;
  if (kind == 98) e.kind = TCP_CLOSE;
  e.segment = segment(random, s, c);
  e.passive = random.one_in(3), e.endless = random.one_in(3);
  e.iss = random.one_in(2) ? uint32_t(-random.below(20000)) : uint32_t(random.next());
  e.octets = uint32_t(random.one_in(3) ? random.below(1u << 30) : random.below(20ull * s.mss));
  return e;
}

} // namespace tcp_draws
