/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on what pace_measure.c measured. */
#include "host/forecast/pace.h"

#include <math.h>
#include <stdlib.h>

struct pace_size pace_through(const double *sending_s, const double *wall_s, size_t count)
{
	struct pace_size size = {.trial_s = 0};
	size_t last = count - 1;

	if (count == 1) { /* no trial of the plan is longer */
		size.sending_s = wall_s[0] / sending_s[0];
		return size;
	}
	size.sending_s = fmax((wall_s[last] - wall_s[last - 1]) / (sending_s[last] - sending_s[last - 1]), 0);
	size.trial_s = fmax(wall_s[0] - sending_s[0] * size.sending_s, wall_s[last] - sending_s[last] * size.sending_s);
	size.trial_s = fmax(size.trial_s, 0);
	return size;
}

bool pace_is_of(const struct pace_size *size, const struct plan_test *test, uint32_t frame_octets)
{
	return size->frame_octets == frame_octets && size->bidirectional == test->shape.bidirectional &&
	       size->pattern == test->shape.pattern && size->modifiers == test->shape.modifiers;
}

const struct pace_size *pace_find(const struct pace *pace, const struct plan_test *test, uint32_t frame_octets)
{
	const struct pace_size *nearest = NULL;

	for (size_t i = 0; i < pace->size_count; i++) {
		const struct pace_size *size = &pace->sizes[i];

		if (pace_is_of(size, test, frame_octets))
			return size;
		if (!nearest || nearest->frame_octets != frame_octets || size->frame_octets == frame_octets)
			nearest = size;
	}
	return nearest;
}

struct glimpse pace_glimpse(const struct pace *pace, const struct plan_test *test, uint32_t frame_octets)
{
	const struct pace_size *size = pace_find(pace, test, frame_octets);

	return size ? size->glimpse : (struct glimpse){.known = false};
}

double pace_wall_s(const struct pace *pace, const struct plan_test *test, uint32_t frame_octets,
                   const struct effort *effort)
{
	const struct pace_size *size = pace_find(pace, test, frame_octets);

	if (pace->kind == PACE_DEVICE || pace->kind == PACE_ASKED)
		return effort_device_s(effort);
	if (pace->kind == PACE_UNKNOWN || !size)
		return NAN;
	if (isinf(effort->trials))
		return INFINITY;
	return effort->trials * size->trial_s + effort->sending_s * size->sending_s +
	       effort->waiting_s * pace->waiting_s;
}

void pace_free(struct pace *pace)
{
	free(pace->sizes);
	*pace = (struct pace){0};
}
