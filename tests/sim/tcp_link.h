// SPDX-License-Identifier: Apache-2.0
// Two TCP connections of sim/tcp joined by a link that loses, delays, doubles and reorders, and an observer of what
// is sent and what arrives. It reads rcv_nxt of an end's state, for what counts as acceptable, and cwnd.
#ifndef FPGAUGE_TESTS_SIM_TCP_LINK_H
#define FPGAUGE_TESTS_SIM_TCP_LINK_H

#include "sim/dut/random.h"
#include "sim/tcp/tcp.h"

#define LINK_SEGMENTS 4096

struct tcp_link;

/* Called for every segment that end `from` sends; true: it is lost. */
typedef bool tcp_link_loses(struct tcp_link *link, int from, const struct tcp_segment *segment);

struct tcp_seen {
	uint32_t iss;
	uint32_t acked;    // greatest acknowledgement that arrived at this end
	uint32_t edge;     // right edge of the window, from what arrived
	uint8_t scale;     // scale of the peer's windows
	bool open;         // a SYN of the peer arrived
	uint8_t *arrived;  // octets of the peer's stream
	uint32_t in_order; // arrived octets without a gap
	bool fin_arrived;
	uint32_t highest; // end of all that this end has sent
	unsigned sent_again;
};

struct tcp_link {
	struct tcp_settings settings[2];
	struct tcp_connection end[2];
	struct tcp_seen seen[2];
	uint32_t octets[2]; // octets of each end's stream
	uint32_t now;
	uint32_t delay, jitter; // ticks
	unsigned loss, doubles; // shares in 1000 segments
	unsigned busy;          // share of 1000 steps in which the port may not send
	tcp_link_loses *loses;
	void *user;
	uint64_t random;
	uint64_t steps;
	unsigned underway;
	struct {
		uint32_t at;
		int to;
		struct tcp_segment segment;
	} segment[LINK_SEGMENTS];
	bool again[2];
	struct tcp_segment last[2]; // sent
};

struct tcp_settings tcp_link_settings(void);
void tcp_link_init(struct tcp_link *link, uint64_t seed);
void tcp_link_free(struct tcp_link *link);

/* End 1 listens, end 0 opens; streams of so many octets each. */
void tcp_link_open(struct tcp_link *link, uint32_t iss0, uint32_t octets0, uint32_t iss1, uint32_t octets1);
void tcp_link_close(struct tcp_link *link, int which);
/* A segment that arrives at an end now. */
void tcp_link_arrive(struct tcp_link *link, int to, const struct tcp_segment *segment);
void tcp_link_turn(struct tcp_link *link, int which);
/* Plays so many ticks, or until nothing is left to happen; false in that case. */
bool tcp_link_run(struct tcp_link *link, uint32_t ticks);
/* Runs until both have received all; fails after so many ticks. */
void tcp_link_deliver(struct tcp_link *link, uint32_t ticks);

#endif
