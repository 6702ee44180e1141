/* SPDX-License-Identifier: Apache-2.0 */
/* A direction with a plain fifo and constant load goes on without playing every frame (drift.h): whether it can, and
 * what it changes. */
#ifndef FPGAUGE_SIM_TWIN_DRIFT_PLAY_H
#define FPGAUGE_SIM_TWIN_DRIFT_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/twin/drift.h"

struct direction;

struct drift {
	struct drift_room *room; /* NULL: not needed so far */
	uint64_t from_id;        /* the frame from which on to try, */
	uint64_t patience;       /* and how many more if that is in vain */
	uint64_t short_clock;    /* up to here it is not worth it */
};

void drift_release(struct drift *drift);

/* A trial begins with this frame. */
void drift_start(struct drift *drift, uint64_t id);

/* Between two blocks: goes on for frames that are over by this clock. True if it did; then more may be possible. If all
 * that it needs is more frames, jump.drifts tells to leave these for later, unless somebody looks. */
bool drift_ahead(struct direction *direction, uint64_t clock);

#endif
