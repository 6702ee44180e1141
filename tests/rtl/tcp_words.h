// SPDX-License-Identifier: Apache-2.0
// The structs of hw/rtl/tcp/tcp_types.svh as words of a port, from and to those of sim/tcp/tcp.h.
#pragma once
extern "C" {
#include "sim/tcp/tcp.h"
}
#include <cstddef>
#include <cstdint>

namespace tcp_words {

// Members in the order of tcp_types.svh: the first has the highest bits.
template <class F, class C> void each(F &f, C &s, const tcp_settings *) {
  f(16, s.mss), f(32, s.window), f(1, s.use_scale), f(4, s.scale), f(4, s.initial_segments), f(2, s.ack_every), f(5, s.retries);
  f(32, s.ack_delay), f(32, s.granularity), f(32, s.rto_initial), f(32, s.rto_min), f(32, s.rto_max), f(32, s.rto_after_syn);
  f(32, s.time_wait);
}
template <class F, class C> void each(F &f, C &s, const tcp_segment *) {
  f(32, s.seq), f(32, s.ack), f(5, s.flags), f(16, s.window), f(16, s.octets), f(16, s.mss), f(1, s.scale_is_there), f(4, s.scale);
}
template <class F, class C> void each(F &f, C &c, const tcp_connection *) {
  f(4, c.state), f(1, c.endless), f(1, c.closing), f(32, c.snd_una), f(32, c.snd_nxt), f(32, c.snd_max), f(32, c.snd_end);
  f(32, c.snd_wnd), f(32, c.snd_wl1), f(32, c.snd_wl2), f(32, c.max_wnd), f(16, c.mss), f(1, c.scale_ok), f(4, c.snd_scale);
  f(32, c.cwnd), f(32, c.ssthresh), f(32, c.counted), f(32, c.recover), f(2, c.dupacks), f(1, c.recovery), f(1, c.partial);
  f(1, c.resend), f(1, c.timed_out), f(1, c.measured), f(1, c.timing), f(32, c.timed_seq), f(32, c.timed_at), f(32, c.srtt8);
  f(32, c.rttvar4), f(32, c.rto), f(1, c.timer_on), f(32, c.timer_at), f(5, c.retries), f(1, c.syn_resent), f(1, c.persist);
  f(1, c.probe), f(32, c.rcv_nxt);
  for (int i = TCP_RANGES; i--;) f(1, c.range[i].used);
  for (int i = TCP_RANGES; i--;) f(32, c.range[i].begin);
  for (int i = TCP_RANGES; i--;) f(32, c.range[i].end);
  f(1, c.fin_known), f(32, c.fin_seq), f(48, c.delivered), f(1, c.ack_now), f(2, c.owed), f(1, c.ack_on), f(32, c.ack_at);
}

struct Width {
  unsigned bits = 0;
  template <class M> void operator()(unsigned width, M &) { bits += width; }
};
struct Writer {
  uint32_t *words;
  unsigned at; // bits below what was written
  template <class M> void operator()(unsigned width, const M &member) {
    for (at -= width; width--;) {
      const unsigned bit = at + width;
      const uint32_t one = uint32_t(uint64_t(member) >> width & 1) << bit % 32;
      words[bit / 32] = (words[bit / 32] & ~(1u << bit % 32)) | one;
    }
  }
};
struct Reader {
  const uint32_t *words;
  unsigned at;
  template <class M> void operator()(unsigned width, M &member) {
    uint64_t value = 0;
    at -= width;
    for (unsigned bit = at + width; bit-- > at;) value = value << 1 | (words[bit / 32] >> bit % 32 & 1);
    member = M(value);
  }
};

template <class S> unsigned bits() {
  static S some;
  Width width;
  each(width, some, static_cast<const S *>(nullptr));
  return width.bits;
}
template <class S, class Port> void put(Port &port, const S &s) {
  Writer writer{reinterpret_cast<uint32_t *>(&port), bits<S>()};
  each(writer, s, static_cast<const S *>(nullptr));
}
template <class S, class Port> void get(const Port &port, S &s) {
  Reader reader{reinterpret_cast<const uint32_t *>(&port), bits<S>()};
  each(reader, s, static_cast<const S *>(nullptr));
}

} // namespace tcp_words
