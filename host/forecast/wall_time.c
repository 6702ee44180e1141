/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over tests and sizes. A simulation has no bounds: it may jump over what repeats, or meet what takes longer. */
#include "host/forecast/wall_time.h"

#include <math.h>
#include <stdio.h>

#include "host/base/format.h"
#include "host/bench/benchmark.h"

static const double LONGER = 10; /* than what was tried, by their sending or by what they take: as far, the pace goes */

static void give_up(struct wall_time *time, enum wall_unknown why)
{
	time->expected_s = (double)NAN;
	if (time->why == WALL_IS_KNOWN)
		time->why = why;
}

static void judge_pace(const struct pace *pace, const struct plan_test *test, uint32_t octets,
                       const struct effort *effort, struct wall_time *time)
{
	const struct pace_size *size = pace_find(pace, test, octets);
	const double trial_s = effort->trials > 0 ? effort->sending_s / effort->trials : 0;

	if (test->benchmark->needs_tcp) {
		give_up(time, WALL_TCP);
	} else if (size && size->clock_by_clock) {
		return;
	} else if (!size || !pace_is_of(size, test, octets) || size->glanced) {
		give_up(time, WALL_TRAFFIC);
	} else if (trial_s > LONGER * size->tried_s &&
	           size->trial_s + trial_s * size->sending_s > LONGER * size->tried_wall_s) {
		time->trial_s = trial_s;
		time->tried_s = size->tried_s;
		give_up(time, WALL_LONGER_TRIALS);
	}
}

struct wall_time wall_time_of_size(const struct pace *pace, const struct plan_test *test, uint32_t octets,
                                   uint64_t link_bps)
{
	const struct extent extent = benchmark_of(test)->extent(test, octets, link_bps);
	const struct glimpse glimpse = pace_glimpse(pace, test, octets);
	struct effort effort = benchmark_expected(test, octets, link_bps, &glimpse);
	struct wall_time time = {.expected_s = pace_wall_s(pace, test, octets, &effort)};

	if (pace->kind == PACE_DEVICE)
		time.least_s = effort_device_s(&extent.least);
	if (pace->kind == PACE_ASKED)
		give_up(&time, WALL_PROGRAM);
	else if (pace->kind == PACE_UNKNOWN)
		give_up(&time, WALL_NO_PACE);
	else if (isnan(effort.trials))
		give_up(&time, WALL_DEVICE);
	if (isnan(effort.trials))
		effort = extent.least;
	time.at_pace_s = pace_wall_s(pace, test, octets, &effort);
	if (pace->kind == PACE_MEASURED && !isnan(time.expected_s))
		judge_pace(pace, test, octets, &effort, &time);
	time.known_s = isnan(time.expected_s) ? 0 : time.expected_s;
	return time;
}

/* The first reason counts. */
static void add(struct wall_time *sum, const struct wall_time *time, double times)
{
	struct wall_time added = sum->why == WALL_IS_KNOWN ? *time : *sum;

	added.expected_s = sum->expected_s + times * time->expected_s;
	added.known_s = sum->known_s + times * time->known_s;
	added.at_pace_s = sum->at_pace_s + times * time->at_pace_s;
	added.least_s = sum->least_s + times * time->least_s;
	*sum = added;
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
		struct wall_time time = wall_time_of_test(pace, &plan->tests[i], link_bps);

		if (time.why > WALL_NO_PACE) {
			time.test_number = i + 1;
			time.test = plan_test_name(&plan->tests[i]);
		}
		add(&sum, &time, 1);
	}
	return sum;
}

/* -- words --------------------------------------------------------------------------------------------------------- */

struct wall_time_text wall_time_why(const struct wall_time *time)
{
	static const char *const WHY[] = {
	        [WALL_IS_KNOWN] = "",
	        [WALL_PROGRAM] = "that is up to the program",
	        [WALL_NO_PACE] = "the speed of the simulation could not be measured",
	        [WALL_DEVICE] = "the device decides how many trials it takes",
	        [WALL_TCP] = "the speed with TCP is not measured",
	        [WALL_TRAFFIC] = "the speed with this traffic was not measured",
	};
	struct wall_time_text text;
	int length = 0;

	if (time->test)
		length = snprintf(text.text, sizeof(text.text), "of test %zu, %s, ", time->test_number, time->test);
	if (time->why == WALL_LONGER_TRIALS)
		snprintf(text.text + length, sizeof(text.text) - (size_t)length,
		         "trials last %s on average, and those that were tried, of up to %s, say too little of them",
		         format_time(time->trial_s).text, format_time(time->tried_s).text);
	else
		snprintf(text.text + length, sizeof(text.text) - (size_t)length, "%s", WHY[time->why]);
	return text;
}

struct wall_time_text wall_time_text(const struct wall_time *time)
{
	struct wall_time_text text;

	if (time->least_s > 0)
		snprintf(text.text, sizeof(text.text), "at least %s of wall time",
		         format_clock_down(time->least_s).text);
	else if (isnan(time->expected_s))
		snprintf(text.text, sizeof(text.text), "wall time not known: %.350s", wall_time_why(time).text);
	else
		snprintf(text.text, sizeof(text.text), "about %s of wall time, one trial after the other",
		         format_clock(time->expected_s).text);
	return text;
}
