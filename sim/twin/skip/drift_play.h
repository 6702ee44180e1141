/* SPDX-License-Identifier: Apache-2.0 */
/* A direction with a plain fifo and constant load goes on without playing every frame (drift.h): whether it can, and
 * what it changes. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_DRIFT_PLAY_H
#define FPGAUGE_SIM_TWIN_SKIP_DRIFT_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/twin/skip/drift.h"

struct direction;
struct leap_server;

struct drift {
	struct drift_room *room; /* NULL: not needed so far */
	uint64_t from_id;        /* the frame from which on to try, */
	uint64_t patience;       /* and how many more if that is in vain */
	uint64_t short_clock;    /* clock until which it is not worth it */
};

void drift_release(struct drift *drift);

/* A trial begins with this frame. */
void drift_start(struct drift *drift, uint64_t id);

/* Goes on, between two blocks, for frames that are over by this clock. True if it did; then more may be possible. If
 * all that it needs is more frames, jump.drifts tells to leave these for later, unless somebody looks. */
bool drift_ahead(struct direction *direction, uint64_t clock);

/* Goes on for frames that start before until_ot and are over by this clock, which all go through the server to the
 * receiver of the direction, where no others come; at a moment at which none is inside the receiver, nor in front of
 * the server. */
enum drift_outcome drift_try(struct direction *direction, const struct leap_server *server, uint64_t until_ot,
                             uint64_t clock);

/* It was in vain at the frame with this id: says from which one on to try again. */
void drift_wait(struct drift *drift, uint64_t id);

#endif
