/* SPDX-License-Identifier: Apache-2.0 */
#include "host/cli/long_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/cli/plan_source.h"

static const double LONG_S = 3600; /* of wall time: above it, a shorter plan is named */

static int read_with(const void *user, const char *const *settings, size_t count, struct plan **plan,
                     struct error *error)
{
	const struct options *options = user;
	const size_t before = options->override_count;
	const char **overrides = calloc(before + count + 1, sizeof(*overrides));
	int status;

	if (!overrides)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; i < before + count; i++)
		overrides[i] = i < before ? options->overrides[i] : settings[i - before];
	status = plan_source_read(options, overrides, before + count, plan, error);
	free(overrides);
	return status;
}

void long_run_warn(const struct options *options, const struct setup *setup, const struct pace *pace,
                   struct wall_time time, const char *command)
{
	const struct plan_reader reader = {read_with, options};
	struct wall_time shorter;
	char settings[1024];

	/* If there is no upper bound, only the lower one is known. */
	if (pace->kind != PACE_MEASURED || (isinf(time.most_s) ? time.least_s : time.most_s) <= LONG_S)
		return;
	fprintf(stderr, "%s: warning: this may take long: %s (h:mm:ss) on this machine", command,
	        wall_time_text(time).text);
	if (wall_time_shorten(&reader, setup, pace, settings, sizeof(settings), &shorter))
		fprintf(stderr, "; %s with %s", wall_time_text(shorter).text, settings);
	fprintf(stderr, "\n");
}
