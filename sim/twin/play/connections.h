/* SPDX-License-Identifier: Apache-2.0 */
/* The TCP connections of a port between its receiver, its transmitter and its registers: hw/rtl/tcp/tcp_port.v around
 * the model of tcp.v (sim/tcp/port.h), clock by clock; clocks in which nothing happens are passed over. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_CONNECTIONS_H
#define FPGAUGE_SIM_TWIN_PLAY_CONNECTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/ring.h"
#include "sim/tcp/port.h"

enum {
	CONNECTIONS_WAITING = 16,      /* segments to be sent */
	CONNECTIONS_WAIT_WORDS = 1280, /* the end of a frame to the word in which its connection gets the segment */
	/* Ports may be played together in windows of so many words: what a port sends in one depends on what had
	 * arrived anywhere before it. */
	CONNECTIONS_WINDOW_WORDS = 1024,
	CONNECTIONS_SWEEP_CLOCKS = TCP_CONNECTIONS, /* clears their counts */
	CONNECTIONS_STEPS = 4,                      /* steps whose counts are not there yet */
};

/* A segment that waits to be sent; octets: of its frame, FCS included, padding not. */
struct connections_sent {
	struct tcp_segment segment;
	uint8_t connection;
	uint16_t octets;
};

/* The outcome of a step, from a clock on. */
struct connections_step {
	uint64_t clock;
	uint8_t connection;
	bool sent, again, lost;
	uint64_t delivered;
};

struct connections_count {
	uint64_t delivered;
	uint32_t sent, again;
};

struct connections_counts {
	uint64_t sent, again, lost;
	struct connections_count of[TCP_CONNECTIONS];
};

struct connections {
	struct tcp_port tcp;
	uint8_t header_octets;
	uint64_t clock;                  /* the next one to be played */
	uint64_t active_from, active_to; /* clocks of the trial */
	uint64_t load_clock;             /* the clock of its start */
	bool commanded;
	struct tcp_command command;
	uint64_t command_from;
	bool looks;
	uint8_t look_connection;
	uint64_t look_from;
	struct ring arrivals; /* struct connections_arrival, in the order in which they are due */
	struct connections_sent waiting[CONNECTIONS_WAITING];
	uint32_t written, taken;
	struct connections_step steps[CONNECTIONS_STEPS]; /* steps to come, the oldest first */
	unsigned step_count;
	uint64_t counted_from; /* steps that end before this clock are not counted, after a clear */
	struct connections_counts counts;
};

int connections_init(struct connections *connections); /* all zero before; 0, or -1: out of memory */
void connections_release(struct connections *connections);

/* True if any has been opened since the last clear, or segments wait. */
bool connections_busy(const struct connections *connections);

/* Plays the clocks before this one; none that has been played is played again. */
void connections_play(struct connections *connections, uint64_t clock);

/* Plays up to and including a clock in which the transmitter is ready for a segment. False: there is none. */
bool connections_take(struct connections *connections, uint64_t clock, struct connections_sent *sent);

/* Plays the clocks before a limit, up to and including the first one in which there is a segment, and takes that.
 * False: there is none. */
bool connections_take_next(struct connections *connections, uint64_t limit, struct connections_sent *sent);

/* A segment arrives; end_word: with the end of its frame. 0, or -1: out of memory. */
int connections_hear(struct connections *connections, const struct tcp_arrival *arrival, uint64_t end_word);

/* The strobes, in a clock up to which everything has been played. */
void connections_start(struct connections *connections, uint64_t clock, uint64_t last_clock);
void connections_clear(struct connections *connections, uint64_t clock);

/* The clock is the last one of the trial, unless an earlier one is. */
void connections_end(struct connections *connections, uint64_t clock);

/* tcp_command, written in a clock; a look, asked for from a clock on until it is answered (tcp.look_ready). */
void connections_command(struct connections *connections, const struct tcp_command *command, uint64_t clock);
void connections_look(struct connections *connections, uint8_t connection, uint64_t clock);

/* Counts the steps that a snapshot in this clock sees. */
void connections_count(struct connections *connections, uint64_t clock);

/* True if a step accesses the table of counts in this clock, up to which everything has been played. */
static inline bool connections_ask_table(const struct connections *connections, uint64_t clock)
{
	return connections->tcp.done_waits && connections->clock == clock &&
	       connections->tcp.done_at == connections->tcp.clock;
}

#endif
