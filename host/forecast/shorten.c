/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the settings that make a plan shorter, and by how much. */
#include <stdio.h>
#include <stdlib.h>

#include "host/bench/bench.h"
#include "host/forecast/wall_time.h"

/* Total wall time that a shorter plan may take. */
static const double WANTED_S = 60;

static bool try(const struct plan_reader *reader, const struct shorter *settings, const struct pace *pace,
                uint64_t link_bps, struct wall_time *time)
{
	const char *text[SHORTER_MAX_SETTINGS];
	struct error ignored = {0};
	struct plan *plan = NULL;
	bool good;

	for (size_t i = 0; i < settings->count; i++)
		text[i] = settings->text[i];
	good = reader->read(reader->user, text, settings->count, &plan, &ignored) == 0 &&
	       bench_check(plan, link_bps, &ignored) == 0;
	if (good)
		*time = wall_time_of_plan(pace, plan, link_bps);
	plan_free(plan);
	return good;
}

bool wall_time_shorten(const struct plan_reader *reader, const struct setup *setup, const struct pace *pace, char *text,
                       size_t size, struct wall_time *shorter)
{
	const struct plan *plan = setup->plan;
	uint64_t link_bps = setup->tester->info.link_bps;
	struct shorter settings = {.count = 0};
	size_t length = 0;

	for (size_t i = 0; i < plan->test_count; i++) {
		const double takes_s = wall_time_of_test(pace, &plan->tests[i], link_bps).at_pace_s;
		double share_s = WANTED_S / (double)plan->test_count;

		settings.test_index = i + plan->tests[i].left_out_before;
		if (takes_s > share_s)
			benchmark_of(&plan->tests[i])->shorten(&plan->tests[i], share_s / takes_s, link_bps, &settings);
	}
	if (settings.count == 0 || !try(reader, &settings, pace, link_bps, shorter))
		return false;
	for (size_t i = 0; i < settings.count && length < size; i++)
		length +=
		        (size_t)snprintf(text + length, size - length, "%s--set '%s'", i ? " " : "", settings.text[i]);
	return length < size;
}
