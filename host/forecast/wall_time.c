/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over tests and sizes. A simulation has no bounds: it may jump over what repeats, or meet what takes longer. */
#include "host/forecast/wall_time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/base/format.h"
#include "host/bench/benchmark.h"

static const double LONGER = 10; /* than what was tried, by what they take: as far, the pace goes */

static double trial_wall_s(const struct pace_size *size, double sending_s)
{
	return size->trial_s + sending_s * size->sending_s;
}

/* Writes why the trials that were tried say nothing of those of an effort; empty: they do. */
static void judge_pace(const struct pace *pace, const struct plan_test *test, uint32_t octets,
                       const struct effort *effort, char *why, size_t room)
{
	const struct pace_size *size = pace_find(pace, test, octets);
	const double trial_s = effort->trials > 0 ? effort->sending_s / effort->trials : 0;

	*why = '\0';
	if (test->benchmark->needs_tcp)
		snprintf(why, room, "the speed with TCP is not measured");
	else if (!size || !pace_is_of(size, test, octets))
		snprintf(why, room, "the speed with this traffic was not measured");
	else if (size->sending_s <= PACE_CLOCK_BY_CLOCK_S &&
	         trial_wall_s(size, trial_s) > LONGER * trial_wall_s(size, size->tried_s))
		snprintf(why, room,
		         "trials last %s on average, and those that were tried, of up to %s, say too little of them",
		         format_time(trial_s).text, format_time(size->tried_s).text);
}

struct wall_time wall_time_of_size(const struct pace *pace, const struct plan_test *test, uint32_t octets,
                                   uint64_t link_bps)
{
	const struct extent extent = benchmark_of(test)->extent(test, octets, link_bps);
	const struct pace_size *size = pace_find(pace, test, octets);
	const struct effort expected =
	        benchmark_expected(test, octets, link_bps, size ? size->lossy_after_s : (double)NAN);
	const bool open = isnan(expected.trials);
	const struct effort *effort = open ? &extent.least : &expected;
	struct wall_time time = {.at_pace_s = pace_wall_s(pace, test, octets, effort)};

	if (pace->kind == PACE_DEVICE)
		time.least_s = effort_device_s(&extent.least);
	else if (pace->kind == PACE_ASKED)
		snprintf(time.why, sizeof(time.why), "that is up to the program");
	else if (pace->kind == PACE_UNKNOWN)
		snprintf(time.why, sizeof(time.why), "the speed of the simulation could not be measured");
	else
		judge_pace(pace, test, octets, effort, time.why, sizeof(time.why));
	time.known_s = *time.why ? 0 : time.at_pace_s;
	if (open && pace->kind != PACE_ASKED && pace->kind != PACE_UNKNOWN)
		snprintf(time.why, sizeof(time.why), "the device decides how many trials it takes");
	time.expected_s = *time.why ? (double)NAN : time.at_pace_s;
	return time;
}

/* The first reason counts. */
static void add(struct wall_time *sum, const struct wall_time *time, double times)
{
	if (!*sum->why)
		memcpy(sum->why, time->why, sizeof(sum->why));
	sum->expected_s += times * time->expected_s;
	sum->known_s += times * time->known_s;
	sum->at_pace_s += times * time->at_pace_s;
	sum->least_s += times * time->least_s;
}

struct wall_time wall_time_of_test(const struct pace *pace, const struct plan_test *test, uint64_t link_bps)
{
	struct wall_time sum = {0};

	for (size_t i = 0; i < test->frame_size_count; i++) {
		const struct wall_time time = wall_time_of_size(pace, test, test->frame_sizes[i], link_bps);

		add(&sum, &time, plan_runs(test));
	}
	return sum;
}

struct wall_time wall_time_of_plan(const struct pace *pace, const struct plan *plan, uint64_t link_bps)
{
	struct wall_time sum = {0};

	for (size_t i = 0; i < plan->test_count; i++) {
		const struct wall_time time = wall_time_of_test(pace, &plan->tests[i], link_bps);
		const bool names = !*sum.why && *time.why && pace->kind != PACE_ASKED && pace->kind != PACE_UNKNOWN;

		add(&sum, &time, 1);
		if (names)
			snprintf(sum.why, sizeof(sum.why), "of test %zu, %s, %.220s", i + 1,
			         plan_test_name(&plan->tests[i]), time.why);
	}
	return sum;
}

struct wall_time_text wall_time_text(const struct wall_time *time)
{
	struct wall_time_text text;

	if (time->least_s > 0)
		snprintf(text.text, sizeof(text.text), "at least %s of wall time",
		         format_clock_down(time->least_s).text);
	else if (isnan(time->expected_s))
		snprintf(text.text, sizeof(text.text), "wall time not known: %s", time->why);
	else
		snprintf(text.text, sizeof(text.text), "about %s of wall time, one trial after the other",
		         format_clock(time->expected_s).text);
	return text;
}
