/* SPDX-License-Identifier: Apache-2.0 */
#include "host/console/long_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/base/format.h"
#include "host/console/plan_source.h"

static const double LONG_S = 3600; /* wall time: above it, a shorter plan is named */

static int read_with(const void *user, const char *const *settings, size_t count, struct plan **plan,
                     struct error *error)
{
	const struct plan_options *options = user;
	const size_t before = options->device.overrides.count;
	const char **overrides = calloc(before + count + 1, sizeof(*overrides));
	int status;

	if (!overrides)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; i < before + count; i++)
		overrides[i] = i < before ? options->device.overrides.texts[i] : settings[i - before];
	status = plan_source_read(options, overrides, before + count, plan, error);
	free(overrides);
	return status;
}

void long_run_warn(const struct plan_options *options, const struct setup *setup, const struct pace *pace,
                   const char *command)
{
	const struct wall_time time = wall_time_of_plan(pace, setup->plan, setup->tester->info.link_bps);
	const struct plan_reader reader = {read_with, options};
	struct wall_time shorter;
	char settings[1024];

	if (pace->kind != PACE_MEASURED || time.known_s <= LONG_S)
		return;
	fprintf(stderr, "%s: warning: this may take long: about %s (h:mm:ss) of wall time on this machine", command,
	        format_clock(time.known_s).text);
	if (isnan(time.expected_s))
		fprintf(stderr, ", and what is not known (%s)", time.why);
	if (wall_time_shorten(&reader, setup, pace, settings, sizeof(settings), &shorter))
		fprintf(stderr, "; about %s with %s", format_clock(shorter.at_pace_s).text, settings);
	fprintf(stderr, "\n");
}
