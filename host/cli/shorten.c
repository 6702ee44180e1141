/* SPDX-License-Identifier: Apache-2.0 */
/* Which settings make a plan shorter, and by how much; the warning that names them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/bench/bench.h"
#include "host/cli/plan_source.h"
#include "host/cli/wall_time.h"

/* Total wall time: what a shorter plan may take, and above what a shorter one is needed. */
static const double WANTED_S = 60, LONG_S = 3600;

/* Reads the plan with these settings, just as when the user gives them. */
static bool try(const struct options *options, const struct shorter *settings, const struct pace *pace,
                uint64_t link_bps, struct wall_time *time)
{
	size_t count = options->override_count + settings->count;
	const char **overrides = calloc(count + 1, sizeof(*overrides));
	struct error ignored = {0};
	struct plan *plan = NULL;
	bool good = overrides != NULL;

	for (size_t i = 0; overrides && i < count; i++)
		overrides[i] = i < options->override_count ? options->overrides[i]
		                                           : settings->text[i - options->override_count];
	good = good && plan_source_read(options, overrides, count, &plan, &ignored) == 0 &&
	       bench_check(plan, link_bps, &ignored) == 0;
	if (good)
		*time = wall_time_of_plan(pace, plan, link_bps);
	plan_free(plan);
	free(overrides);
	return good;
}

bool wall_time_shorten(const struct options *options, const struct setup *setup, const struct pace *pace, char *text,
                       size_t size, struct wall_time *shorter)
{
	const struct plan *plan = setup->plan;
	uint64_t link_bps = setup->tester->info.link_bps;
	struct shorter settings = {.count = 0};
	size_t length = 0;

	for (size_t i = 0; i < plan->test_count; i++) {
		struct wall_time time = wall_time_of_test(pace, &plan->tests[i], link_bps);
		double takes_s = isinf(time.most_s) ? time.least_s : time.most_s;
		double share_s = WANTED_S / (double)plan->test_count;

		settings.test_index = i + plan->tests[i].left_out_before;
		if (takes_s > share_s)
			benchmark_of(&plan->tests[i])->shorten(&plan->tests[i], share_s / takes_s, link_bps, &settings);
	}
	if (settings.count == 0 || !try(options, &settings, pace, link_bps, shorter))
		return false;
	for (size_t i = 0; i < settings.count && length < size; i++)
		length +=
		        (size_t)snprintf(text + length, size - length, "%s--set '%s'", i ? " " : "", settings.text[i]);
	return length < size;
}

void wall_time_warn(const struct options *options, const struct setup *setup, const struct pace *pace,
                    struct wall_time time, const char *command)
{
	struct wall_time shorter;
	char settings[1024];

	/* If there is no upper bound, only the lower one is known. */
	if (pace->kind != PACE_MEASURED || (isinf(time.most_s) ? time.least_s : time.most_s) <= LONG_S)
		return;
	fprintf(stderr, "%s: warning: this may take long: %s (h:mm:ss) on this machine", command,
	        wall_time_text(time).text);
	if (wall_time_shorten(options, setup, pace, settings, sizeof(settings), &shorter))
		fprintf(stderr, "; %s with %s", wall_time_text(shorter).text, settings);
	fprintf(stderr, "\n");
}
