/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/repeat.h"

#include <math.h>

#include "host/bench/search_loop.h"

int repeat_trial(struct session *session, unsigned repetitions, const struct search_points *points, struct error *error)
{
	/* A search of one point ends after one trial, with or without loss. */
	const struct search_config config = {.low = 1, .high = 1, .step = 1, .max_repeat = 1};
	int status = 0;

	session->progress.repetitions = repetitions;
	for (unsigned i = 1; i <= repetitions && status == 0; i++) {
		struct findings findings;

		session->progress.repetition = i;
		status = search_loop(session, &config, points, &findings, error);
		findings_free(&findings);
	}
	return status;
}

struct repeated repeated_statistics(const double *values, size_t count)
{
	const struct sample sample = sample_of(values, count);
	struct repeated all = {NAN, NAN, NAN, NAN, NAN, NAN};
	double half;

	for (size_t i = 0; i < count; i++) {
		all.min = fmin(all.min, values[i]);
		all.max = fmax(all.max, values[i]);
	}
	if (count)
		all.mean = sample.mean;
	if (count < 2)
		return all;
	half = student_t_95(count - 1) * sample.stddev / sqrt((double)count);
	all.stddev = sample.stddev;
	all.confidence95_low = all.mean - half;
	all.confidence95_high = all.mean + half;
	return all;
}
