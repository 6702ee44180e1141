/* SPDX-License-Identifier: Apache-2.0 */
/* Exact jumps where all ports are played together (exchange.c): as jump.h for a direction, with the state of all
 * senders, of the device and of all receivers at the end of a window of time. Moments are compared at multiples of the
 * time after which every sender repeats itself. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_EXCHANGE_JUMP_H
#define FPGAUGE_SIM_TWIN_SKIP_EXCHANGE_JUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/twin/play/skip.h"
#include "sim/twin/skip/octets.h"
#include "sim/twin/skip/tally.h"

struct play;

/* Counts of a port at a moment, or what a period adds to them (tally.h). */
struct exchange_tally {
	struct tally_sent sent;
	struct tally_received received;
	struct stream *streams[RECEIVER_SOURCES]; /* streams at this receiver, by source; NULL: none */
};

struct ports_skip {
	unsigned ports;
	uint64_t disturbances; /* phases begun and frames of rules, of all ports */
	bool drifts;           /* instead of that, ports go on as in exchange_drift.h */
	bool searching;        /* moments are known: */
	uint64_t spacing_ot, next_ot;
	bool early; /* the last window ended at a moment, but not all has been counted that the device gave by then */
	uint64_t cycle_frames[RECEIVER_SOURCES]; /* frames after which a port repeats itself; 0: it does not send */

	/* the search for a period */
	bool saved; /* there is a moment to compare with: */
	struct octets state, now;
	uint64_t base_ot;
	uint64_t frames[RECEIVER_SOURCES], ids[RECEIVER_SOURCES]; /* the next ones */
	struct exchange_tally *tally;                             /* tallies by port; NULL: nothing was ever saved */
	uint64_t looks, renew, credit_octets, credited_frames;    /* the same as in struct jump */

	/* the period found; then frames and tally hold what it adds */
	bool found;
	uint64_t period_ot;
	uint64_t steady_until_ot; /* the device's */
};

struct ports_skip *exchange_jump_make(unsigned ports); /* NULL: out of memory */
void exchange_jump_release(struct ports_skip *jump);

/* Something from outside, or the begin of a trial, changes what comes: discards what was saved and found. */
void exchange_jump_forget(struct ports_skip *jump);

/* End of a window that would end at end_ot: at a moment that is before that. */
uint64_t exchange_jump_window(const struct ports_skip *jump, uint64_t end_ot);

/* A window has ended, with everything before this clock counted: looks for a period. Out of memory, it finds none. */
void exchange_jump_look(struct play *play, uint64_t base_ot);

/* The same once more, at a moment that was too early. */
void exchange_jump_look_again(struct play *play, uint64_t base_ot);

/* Skips all whole periods before this clock, at the end of a window. Returns where that leads; base_ot: nowhere. */
uint64_t exchange_jump_ahead(struct play *play, uint64_t base_ot, uint64_t clock);

/* -- exchange_wait.c ----------------------------------------------------------------------------------------------- */

/* True after that if what is left until then need not be played now, because a later call will jump over it, or count
 * what is still on its way at a moment. */
bool exchange_jump_can_wait(struct play *play, uint64_t base_ot, uint64_t until_ot);

/* -- exchange_state.c ---------------------------------------------------------------------------------------------- */

/* True if everything sent before base_ot has been given to the device, and everything it gave has been counted. */
bool exchange_is_moment(const struct play *play, uint64_t base_ot);

/* Writes the state; false if it cannot be written or must not be jumped over. */
bool exchange_describe(struct play *play, uint64_t base_ot, struct octets *octets);

#endif
