// SPDX-License-Identifier: Apache-2.0
// One TCP connection as a pure function of events: what hw/rtl/tcp does, bit for bit, and what the twin is to play.
//
// A step takes one event and gives at most one segment: first the event changes the connection, then, if the port may
// send, the most urgent segment that is allowed is made. No clock is read and nothing is stored of what was sent: the
// octets of a stream are a function of their sequence numbers (payload.h). Arithmetic is what a few levels of logic can
// do: additions, comparisons and shifts, sequence numbers modulo 2^32 (RFC 9293 section 3.4).
//
// Left out: SACK, timestamps, urgent data, ECN, Nagle's algorithm, and lengths of headers, which are the frame's.
#ifndef FPGAUGE_SIM_TCP_TCP_H
#define FPGAUGE_SIM_TCP_TCP_H

#include <stdbool.h>
#include <stdint.h>

#define TCP_RANGES 4
#define TCP_MOST (1u << 30) // most of a congestion window, and what an endless stream has left

enum tcp_flag { TCP_FIN = 1, TCP_SYN = 2, TCP_RST = 4, TCP_PSH = 8, TCP_ACK = 16 };

// RFC 9293 section 3.3.2.
enum tcp_state {
	TCP_CLOSED,
	TCP_LISTEN,
	TCP_SYN_SENT,
	TCP_SYN_RECEIVED,
	TCP_ESTABLISHED,
	TCP_FIN_WAIT_1,
	TCP_FIN_WAIT_2,
	TCP_CLOSE_WAIT,
	TCP_CLOSING,
	TCP_LAST_ACK,
	TCP_TIME_WAIT
};

// Settings of all connections of a port. Times are ticks; their length is the user's, and no interval may reach 2^31 of
// them.
struct tcp_settings {
	uint16_t mss;             // size that is announced, and the most that is sent: 1 or more (RFC 9293 section
	                          // 3.7.1)
	uint32_t window;          // receive window, octets: 1 to 65535 << scale, a multiple of 1 << scale
	bool use_scale;           // offers and accepts the option of RFC 7323 section 2.2
	uint8_t scale;            // 0 to 14
	uint8_t initial_segments; // initial window in segments, to 15; 0: that of RFC 5681 section 3.1
	uint8_t ack_every;        // segments per acknowledgement, 1 to 3; RFC 5681 section 4.2 wants 1 or 2
	uint8_t retries;      // timeouts in sequence after which it gives up, to 30; 0: never (RFC 9293 section 3.8.3)
	uint32_t ack_delay;   // time of a delayed acknowledgement
	uint32_t granularity; // G of RFC 6298
	uint32_t rto_initial; // 1 s in RFC 6298 section 2.1
	uint32_t rto_min;     // 1 s in RFC 6298 section 2.4
	uint32_t rto_max;     // at least 60 s in RFC 6298 section 2.5; below 2^30
	uint32_t rto_after_syn; // timeout after a lost SYN: 3 s in RFC 6298 section 5.7
	uint32_t time_wait;     // 2 MSL
};

struct tcp_segment {
	uint32_t seq, ack;
	uint8_t flags;
	uint16_t window; // window as on the line, not scaled
	uint16_t octets;
	uint16_t mss;        // option of a SYN; 0: not there
	bool scale_is_there; // option of a SYN
	uint8_t scale;
};

// Octets that came early: those of [begin, end). Ranges never touch one another.
struct tcp_range {
	bool used;
	uint32_t begin, end;
};

struct tcp_connection {
	uint8_t state;
	// ---- what is sent: RFC 9293 section 3.3.1
	bool endless; // true until it is closed; else the stream ends at snd_end
	bool closing; // the user has closed: FIN has the sequence number snd_end
	uint32_t snd_una, snd_nxt;
	uint32_t snd_max; // number behind the last octet ever sent; snd_nxt goes back to snd_una on a timeout
	uint32_t snd_end;
	uint32_t snd_wnd, snd_wl1, snd_wl2;
	uint32_t max_wnd; // largest window of the peer
	uint16_t mss;
	bool scale_ok;     // both have sent the option
	uint8_t snd_scale; // the peer's
	// ---- congestion: RFC 5681, RFC 6582
	uint32_t cwnd, ssthresh;
	uint32_t counted; // octets acknowledged towards the next segment of cwnd in congestion avoidance
	uint32_t recover; // number behind what had been sent at the last loss
	uint8_t dupacks;  // count in sequence; 3 and more are 3
	bool recovery;    // fast recovery
	bool partial;     // a partial acknowledgement was seen in it
	bool resend;      // the segment at snd_una is to be sent again
	bool timed_out;   // the segment at snd_una has been sent by the timer
	// ---- timers: RFC 6298
	bool measured, timing;
	uint32_t timed_seq, timed_at; // the segment whose round trip is measured
	uint32_t srtt8, rttvar4;      // 8 x SRTT, 4 x RTTVAR
	uint32_t rto;
	bool timer_on;
	uint32_t timer_at; // retransmission, probe of a window, end of TIME-WAIT
	uint8_t retries;
	bool syn_resent;
	bool persist; // the timer is one of RFC 9293 section 3.8.6.1
	bool probe;   // and has ended
	// ---- what is received
	uint32_t rcv_nxt;
	struct tcp_range range[TCP_RANGES];
	bool fin_known; // FIN came, behind the octet before fin_seq
	uint32_t fin_seq;
	uint64_t delivered; // octets in order, modulo 2^48: goodput is their rate
	// ---- acknowledgements
	bool ack_now;
	uint8_t owed; // segments in order that are not acknowledged
	bool ack_on;
	uint32_t ack_at;
};

enum tcp_event_kind { TCP_TURN, TCP_TICK, TCP_SEGMENT, TCP_OPEN, TCP_CLOSE };

struct tcp_event {
	enum tcp_event_kind kind;
	struct tcp_segment segment; // TCP_SEGMENT: checksum and ports are right
	// TCP_OPEN, which forgets what was before:
	bool passive, endless;
	uint32_t iss;    // initial sequence number
	uint32_t octets; // length of the stream, below 2^30, unless endless
};

struct tcp_output {
	bool sent;
	struct tcp_segment segment;
	bool again; // give the connection a turn as soon as the port may send
};

/* Plays one event at a time. TCP_TICK is needed once timer_at or ack_at is reached, and harmless before; TCP_TURN
 * whenever the last step said `again`. Without may_send nothing is sent: all that waits is sent later, but for the RST
 * that answers a segment of no connection, which is lost. */
void tcp_step(const struct tcp_settings *settings, struct tcp_connection *connection, const struct tcp_event *event,
              uint32_t now, bool may_send, struct tcp_output *output);

/* Octets that may be received behind rcv_nxt. */
static inline uint32_t tcp_receive_window(const struct tcp_settings *settings, const struct tcp_connection *connection)
{
	return connection->scale_ok || settings->window < 65535 ? settings->window : 65535;
}

#endif
