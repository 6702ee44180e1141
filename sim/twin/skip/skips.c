// SPDX-License-Identifier: Apache-2.0
/* The accelerations as playing knows them: in which order they are tried, and what they are told. */
#include "sim/twin/skip/skips.h"

#include <stdlib.h>

#include "sim/twin/play/direction.h"
#include "sim/twin/play/exchange_port.h"
#include "sim/twin/play/play_state.h"
#include "sim/twin/skip/direction_skip.h"
#include "sim/twin/skip/exchange_drift.h"
#include "sim/twin/skip/exchange_jump.h"

/* -- a direction --------------------------------------------------------------------------------------------------- */

static struct direction_skip *direction_make(void)
{
	struct direction_skip *skip = calloc(1, sizeof(*skip));

	if (skip != NULL)
		skip->jump.enabled = true;
	return skip;
}

static void direction_release_skip(struct direction_skip *skip)
{
	jump_release(&skip->jump);
	drift_release(&skip->drift);
	free(skip);
}

static void direction_allow(struct direction *direction, bool allowed)
{
	direction->skip->jump.enabled = allowed;
	jump_forget(&direction->skip->jump);
}

static void direction_begin(struct direction *direction)
{
	jump_start(direction);
	drift_start(&direction->skip->drift, direction->sender.next_id);
}

static void direction_forget_found(struct direction *direction)
{
	jump_forget(&direction->skip->jump);
}

/* However much is left takes a moment, but less in one piece than in several. */
static bool direction_ahead(struct direction *direction, uint64_t clock, bool to_the_end)
{
	const struct jump *jump = &direction->skip->jump;

	if (jump_ahead(direction, clock) && !to_the_end)
		return true;
	if (jump->drifts && !to_the_end)
		return true;
	while (drift_ahead(direction, clock))
		continue;
	return jump->drifts && !to_the_end;
}

static size_t direction_frames(const struct direction *direction, size_t most)
{
	return jump_frames(&direction->skip->jump, &direction->sender, most);
}

/* -- all ports ----------------------------------------------------------------------------------------------------- */

static void ports_forget(struct play *play)
{
	exchange_jump_forget(play->skip);
}

static bool ports_window(const struct play *play, uint64_t *end_ot)
{
	*end_ot = exchange_jump_window(play->skip, *end_ot);
	return play->skip->searching;
}

/* Looks again at a moment that was too early. */
static void ports_resume(struct play *play, uint64_t clock)
{
	if (!play->skip->early)
		return;
	for (unsigned i = 0; i < play->port_count; i++) {
		if (!play->looped[i])
			sender_measure(&play->directions[i].sender, 0, clock);
		receiver_count(exchange_receiver(play, i), play->records, clock);
	}
	exchange_jump_look_again(play, play->exchanged_ot);
}

/* However much is left takes a moment, but less in one piece than in several. */
static bool ports_ahead(struct play *play, uint64_t clock, uint64_t until_ot, bool to_the_end)
{
	if (play->skip->drifts && !to_the_end)
		return true;
	while (exchange_drift_ahead(play, clock))
		continue;
	if (play->skip->drifts && !to_the_end)
		return true;
	play->exchanged_ot = exchange_jump_ahead(play, play->exchanged_ot, clock);
	return !to_the_end && exchange_jump_can_wait(play, play->exchanged_ot, until_ot);
}

const struct skips SKIPS = {.direction = {.make = direction_make,
                                          .release = direction_release_skip,
                                          .allow = direction_allow,
                                          .start = direction_begin,
                                          .forget = direction_forget_found,
                                          .ahead = direction_ahead,
                                          .frames = direction_frames,
                                          .pass = jump_pass,
                                          .look = jump_look},
                            .ports = {.make = exchange_jump_make,
                                      .release = exchange_jump_release,
                                      .forget = ports_forget,
                                      .window = ports_window,
                                      .resume = ports_resume,
                                      .ahead = ports_ahead,
                                      .look = exchange_jump_look,
                                      .is_calm = exchange_drift_is_calm}};
