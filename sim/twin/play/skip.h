/* SPDX-License-Identifier: Apache-2.0 */
/* All that plain playing asks of the accelerations, which skip what need not be played because it repeats. They are
 * only speed: without a table of them every frame is played, with the same answers. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_SKIP_H
#define FPGAUGE_SIM_TWIN_PLAY_SKIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct direction;
struct play;

/* State that they keep of a direction, and of all ports that are played together. */
struct direction_skip;
struct ports_skip;

/* A direction, in whose loop they are asked between blocks of frames. */
struct direction_skips {
	struct direction_skip *(*make)(void); /* NULL: out of memory */
	void (*release)(struct direction_skip *skip);
	void (*allow)(struct direction *direction, bool allowed); /* they are allowed at first */
	void (*start)(struct direction *direction);               /* a trial begins */

	/* Something from outside changes what the direction does: what was found out no longer holds. */
	void (*forget)(struct direction *direction);

	/* Goes over all that need not be played by this clock. True: the rest can wait, as nobody looks yet. */
	bool (*ahead)(struct direction *direction, uint64_t clock, bool to_the_end);

	/* Frames to play until the next look, at most `most`. */
	size_t (*frames)(const struct direction *direction, size_t most);

	/* The device is about to take the next frames; they have been played and counted. */
	void (*pass)(struct direction *direction, size_t frames);
	void (*look)(struct direction *direction, size_t played);
};

/* All ports with a device between them, in whose loop they are asked between windows of time. */
struct ports_skips {
	struct ports_skip *(*make)(unsigned ports); /* NULL: out of memory */
	void (*release)(struct ports_skip *skip);
	void (*forget)(struct play *play);

	/* Sets where a window ends that would end at end_ot. True: long windows may be played without a look between
	 * them. */
	bool (*window)(const struct play *play, uint64_t *end_ot);

	/* More has been counted by this clock. */
	void (*resume)(struct play *play, uint64_t clock);

	/* Goes over all that need not be played by this clock. True: the rest until then can wait. */
	bool (*ahead)(struct play *play, uint64_t clock, uint64_t until_ot, bool to_the_end);

	/* A window has ended, and everything before this clock is counted. */
	void (*look)(struct play *play, uint64_t end_ot);

	/* True if all frames that have come out by this clock, since the last ones that were played, have our
	 * signature. */
	bool (*is_calm)(const struct play *play, uint64_t clock);
};

struct skips {
	struct direction_skips direction;
	struct ports_skips ports;
};

#endif
