/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on what pace_measure.c measured. */
#include "host/forecast/pace.h"

#include <math.h>
#include <stdlib.h>

struct pace_size pace_through(struct pace_trial shorter, struct pace_trial longer)
{
	const double each_s = fmax((longer.wall_s - shorter.wall_s) / (longer.sending_s - shorter.sending_s), 0);

	return (struct pace_size){.trial_s = fmax(longer.wall_s - longer.sending_s * each_s, 0), .sending_s = each_s};
}

bool pace_is_of(const struct pace_size *size, const struct plan_test *test, uint32_t frame_octets)
{
	return size->frame_octets == frame_octets && size->bidirectional == test->shape.bidirectional &&
	       size->pattern == test->shape.pattern && size->modifiers == test->shape.modifiers;
}

const struct pace_size *pace_find(const struct pace *pace, const struct plan_test *test, uint32_t frame_octets)
{
	for (size_t i = 0; i < pace->size_count; i++) {
		if (pace_is_of(&pace->sizes[i], test, frame_octets))
			return &pace->sizes[i];
	}
	return pace->size_count ? &pace->sizes[pace->size_count - 1] : NULL;
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
	       effort->waiting_s * size->waiting_s;
}

void pace_free(struct pace *pace)
{
	free(pace->sizes);
	*pace = (struct pace){0};
}
