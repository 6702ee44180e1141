// SPDX-License-Identifier: Apache-2.0
// The TCP connections of a port around one engine: hw/rtl/tcp/tcp.v clock by clock. Who is next, the scan of the
// timers, segments that wait and those that were lost are as there, with the names of its registers; what a step does
// is tcp_step().
//
// A step is played in the clock in which the engine of the logic begins it, and shows from the clock on in which that
// ends.
#ifndef FPGAUGE_SIM_TCP_PORT_H
#define FPGAUGE_SIM_TCP_PORT_H

#include "sim/tcp/tcp.h"

#define TCP_CONNECTIONS 64 // connections of a port
#define TCP_WAITING 64     // segments that arrived and are not played
#define TCP_FOREVER UINT64_MAX

struct tcp_arrival {
	uint8_t connection;
	struct tcp_segment segment;
};

// A command of the host: TCP_OPEN or TCP_CLOSE.
struct tcp_command {
	uint8_t connection;
	struct tcp_event event;
};

// Inputs of one clock.
struct tcp_inputs {
	uint32_t now; // ticks
	bool may_send;
	const struct tcp_arrival *arrival; // NULL: none
	const struct tcp_command *command; // NULL: none; held until it is played
	bool look;                         // held until look_ready
	uint8_t look_connection;
};

// The event that a clock begins. kind: enum tcp_event_kind.
struct tcp_played {
	bool valid;
	uint8_t kind, connection;
};

// Times at which `now` changes: it is one more after so many clocks, and again after each `period`.
struct tcp_ticks {
	uint32_t now;
	uint32_t left;   // 1 or more
	uint32_t period; // 0: never again
};

struct tcp_timers {
	bool timer_on, ack_on;
	uint32_t timer_at, ack_at;
};

struct tcp_port {
	struct tcp_settings settings;
	struct tcp_connection connection[TCP_CONNECTIONS];
	uint64_t clock; // time on which it depends which timer is looked at; 0 after a reset, unless the caller says
	                // more
	// ---- the engine, and the step that is next
	uint64_t done_at; // the step that began last ends
	bool done_waits;  // and has not yet
	uint8_t running, next, next_kind, last;
	bool next_valid, read;
	struct tcp_output output; // output of the step that began last
	// ---- segments that wait
	struct tcp_arrival waiting[TCP_WAITING];
	uint32_t written, played, dropped;
	// ---- timers
	uint64_t open; // a bit a connection
	struct tcp_timers timers[TCP_CONNECTIONS], timer;
	bool due_valid;
	uint8_t due;
	// ---- connections that have more to send
	uint64_t more, lowest;
	uint8_t turned, turn;
	// ---- what comes out, valid before the next clock
	bool m_valid, look_ready;
	uint8_t m_connection;
	struct tcp_segment m_segment;
	struct tcp_connection looked;
};

/* Resets as the logic does, which keeps the RAM of the timers; all zero before the first one. */
void tcp_port_reset(struct tcp_port *port);

/* Plays a clock. */
struct tcp_played tcp_port_clock(struct tcp_port *port, const struct tcp_inputs *inputs);

/* Number of clocks from the next one on in which nothing happens in the port: nothing begins or ends and nothing comes
 * out, if nothing arrives, may_send stays and no command or look is given. TCP_FOREVER if nothing ever will. */
uint64_t tcp_port_idle(const struct tcp_port *port, const struct tcp_ticks *ticks, bool may_send);

/* Passes so many clocks of those at once. */
void tcp_port_skip(struct tcp_port *port, uint64_t clocks);

#endif
