/* SPDX-License-Identifier: Apache-2.0 */
/* A second thread for a device between all ports: it does what the device does, while the first one makes the frames of
 * later windows and counts those of earlier ones (exchange.c). Windows go from one to the other in batches, of which
 * there are few, so that neither waits for the other unless it is faster, and memory does not grow. What is in a batch
 * belongs to one thread at a time; the order of all that happens to a sender, to the device and to a receiver is the
 * same as with one thread, and so is every answer. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_RELAY_H
#define FPGAUGE_SIM_TWIN_PLAY_RELAY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/device.h"

struct play;

enum { RELAY_BATCHES = 4 };

/* Frames on their way in or out. */
struct relay_frames {
	struct dut_frame *frames;
	size_t count, capacity;
};

/* Frames of a port in a window. */
struct relay_port {
	struct relay_frames in, out;
	uint64_t next_id; /* next id of its sender, after the window */
	uint64_t oldest;  /* lowest id of its frames in the device after the window; UINT64_MAX: none */
};

struct relay_batch {
	uint64_t end_ot;
	bool failed; /* out of memory */
	struct relay_port port[DUT_MAX_PORTS];
};

struct relay {
	uint64_t least_windows; /* fewest for which it is worth it; UINT64_MAX: never */
	bool begun;             /* there is a thread: */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	_Atomic uint64_t given, done; /* total batches; written under the lock */
	bool over;
	/* the first thread's: */
	uint64_t collected;             /* total batches taken back */
	uint64_t oldest[DUT_MAX_PORTS]; /* no lower id of a port is in a later batch, or in the device after it */
	struct relay_batch batch[RELAY_BATCHES];
};

/* Threads to play with: 1 or 2; 0: 2 where it is worth it, on more than one processor. */
void relay_open(struct relay *relay, unsigned threads);

/* Ends the thread, if there is one. */
void relay_close(struct relay *relay);

/* True if the twin may be played with relay_play() up to this time, and it is worth it. Then there is a thread. */
bool relay_is_worth(struct play *play, uint64_t until_ot);

/* Plays windows up to until_ot, or as far as something happens that the search for periods must know of. Writes where
 * the last one ended. 0, or -1: out of memory. */
int relay_play(struct play *play, uint64_t clock, uint64_t until_ot, uint64_t *end_ot);

#endif
