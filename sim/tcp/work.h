// SPDX-License-Identifier: Apache-2.0
// Definitions that the parts of a step share: the connection, what is known of the event, and comparisons of sequence
// numbers.
#ifndef FPGAUGE_SIM_TCP_WORK_H
#define FPGAUGE_SIM_TCP_WORK_H

#include "sim/tcp/tcp.h"

struct tcp_work {
	const struct tcp_settings *settings;
	struct tcp_connection *c;
	const struct tcp_segment *in;
	uint32_t now;
	bool take_ack, take_data; // the segment is acceptable, and so are its acknowledgement and its octets
	bool restart;             // the timer begins anew
	bool refuse;              // RST is the answer
	uint32_t refuse_seq, refuse_ack;
	uint8_t refuse_flags;
};

/* a < b modulo 2^32 (RFC 9293 section 3.4). */
static inline bool seq_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

static inline uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static inline uint32_t most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* A congestion window that grows. */
static inline uint32_t grown(uint32_t cwnd, uint32_t by)
{
	return least(cwnd + by, TCP_MOST);
}

static inline bool fin_acked(const struct tcp_connection *c)
{
	return c->closing && c->snd_una == c->snd_end + 1;
}

/* arrive.c: what a segment is, by the state of the connection. */
void tcp_arrive(struct tcp_work *w);

/* acknowledge.c: what its acknowledgement changes; a connection that becomes established. */
void tcp_acknowledge(struct tcp_work *w);
void tcp_begin_sending(struct tcp_work *w);

/* receive.c: its octets and its FIN. */
void tcp_receive(struct tcp_work *w);

/* timer.c */
void tcp_tick(struct tcp_work *w);
void tcp_measure(struct tcp_work *w, bool sample, bool window_opened);
void tcp_set_timer(struct tcp_work *w);

/* send.c: the next segment, if there is one and the port may send it. */
void tcp_send(struct tcp_work *w, bool may_send, struct tcp_output *output);

#endif
