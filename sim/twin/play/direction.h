/* SPDX-License-Identifier: Apache-2.0 */
/* One direction: from the sender of a port through the DUT to the receiver of its partner; in loopback over a wire to
 * its own (loopback.c). Directions are independent of each other, and time passes in each only as far as somebody reads
 * or changes it. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_DIRECTION_H
#define FPGAUGE_SIM_TWIN_PLAY_DIRECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/dut.h"
#include "sim/twin/play/cable_end.h"
#include "sim/twin/play/post.h"
#include "sim/twin/play/receiver.h"
#include "sim/twin/play/records.h"
#include "sim/twin/play/sender.h"
#include "sim/twin/play/skip.h"

struct direction {
	struct sender sender;
	struct dut *dut;           /* borrowed */
	struct receiver *receiver; /* borrowed */
	/* Map to the clock of the receiver, if that is another; NULL: both have one. */
	const struct cable_map *map;
	struct records *records;             /* borrowed, but kept by this */
	struct post *post;                   /* borrowed */
	const struct direction_skips *skips; /* NULL: every frame is played */
	struct direction_skip *skip;
};

/* records: room for those of its frames. skips: NULL, or what may skip some of them. The caller sets where it leads. 0,
 * or -1: out of memory. */
int direction_init(struct direction *direction, unsigned port, struct records *records,
                   const struct direction_skips *skips);
void direction_release(struct direction *direction);

/* Plays everything that takes effect by this clock; clocks never go back. If not to the end, nobody looks yet, and what
 * can be skipped later may be left for then. 0, or -1: out of memory. */
int direction_play(struct direction *direction, uint64_t clock, bool to_the_end);

/* Plays to the end, and makes the frames up to this word of the line, too, which are counted when their clocks come. */
int direction_play_ahead(struct direction *direction, uint64_t clock, uint64_t word);

/* Plays to the end, and makes the frames that start before this time. */
int direction_play_until(struct direction *direction, uint64_t clock, uint64_t until_ot);

/* Something from outside changes what it does. */
void direction_disturb(struct direction *direction);

/* A trial begins in this clock, up to which everything has been played. */
void direction_start(struct direction *direction, const struct sender_settings *settings, uint64_t clock);

#endif
