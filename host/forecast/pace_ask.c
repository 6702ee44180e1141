/* SPDX-License-Identifier: Apache-2.0 */
/* The pace of an external program. One that sends in real time, one that computes its answers and one that is slower
 * than real time all need so much for a trial, and so much for each second of it. Programs sleep, so wall time counts.
 */
#include <math.h>
#include <stdlib.h>

#include "host/base/clock.h"
#include "host/bench/benchmark.h"
#include "host/forecast/pace.h"

enum { MAX_STEPS = 16, GROWTH = 4 };

static const double FIRST_S = 0.01;   /* of sending, or of waiting */
static const double ENOUGH_S = 0.1;   /* of wall time, stands out from the work around it */
static const double ENOUGH_ALL_S = 5; /* after it, other sizes take the last one's pace */

struct asking {
	const struct setup *setup;
	const struct plan_test *test;
	uint32_t frame_octets;
};

/* One trial with these lengths. At the highest load of the plan: the generator may not reach more. */
static int ask(const struct asking *asking, double sending_s, double waiting_s, double *wall_s,
               struct trial_result *result, struct error *error)
{
	const struct plan_test *test = asking->test;
	const uint64_t link_bps = asking->setup->tester->info.link_bps;
	const struct rate line = plan_max_rate(test, asking->frame_octets, link_bps);
	const double plan_waits_s = extent_seconds(test->drain_ns + test->settle_ns);
	const double drains = plan_waits_s > 0 ? extent_seconds(test->drain_ns) / plan_waits_s : 0;
	struct trial_request request = {
	        .kind = TRIAL_LOAD,
	        .shape = test->shape,
	        .gap_octets = MIN_GAP_OCTETS,
	        .load = test->max_load.denominator ? plan_load(&test->max_load, line) : line,
	        .duration_ot = octet_times_from_ns((uint64_t)(sending_s * (double)NS_PER_S), link_bps),
	        .drain_ot = octet_times_from_ns((uint64_t)(waiting_s * drains * (double)NS_PER_S), link_bps),
	        .settle_ot = octet_times_from_ns((uint64_t)(waiting_s * (1 - drains) * (double)NS_PER_S), link_bps),
	};
	const double begun_s = clock_s();
	int status;

	request.shape.frame_octets = asking->frame_octets;
	status = tester_run(asking->setup->tester, &request, result, error);
	*wall_s = clock_s() - begun_s;
	return status;
}

/* What the two longest trials lost tells a queue's service and its length. */
static void look(const struct trial_result *before, double before_s, const struct trial_result *last, double last_s,
                 struct pace_size *size)
{
	const double more = (double)last->received_frames - (double)before->received_frames;

	size->seen = (struct queue_truth){.service_fps = INFINITY};
	size->glimpse.lossy_after_s = INFINITY;
	if (!last->valid || last->offered_frames == 0)
		return;
	size->glimpse.known = true;
	size->glimpse.passed = (double)last->received_frames / (double)last->offered_frames;
	if (last->lost_frames == 0)
		return;
	size->glimpse.lossy_after_s = before->valid && before->lost_frames ? before_s : last_s;
	size->seen.service_fps = (double)last->received_frames / last_s;
	if (before->valid && before->lost_frames && last_s > before_s) {
		size->seen.service_fps = more / (last_s - before_s);
		size->seen.held_frames = fmax((double)last->received_frames - size->seen.service_fps * last_s, 0);
	}
}

static int ask_size(const struct asking *asking, struct pace_size *size, struct error *error)
{
	const double longest_s =
	        benchmark_of(asking->test)
	                ->longest_trial_s(asking->test, asking->frame_octets, asking->setup->tester->info.link_bps);
	double sending_s[MAX_STEPS], wall_s[MAX_STEPS], next_s = FIRST_S;
	struct trial_result result[2] = {0};
	size_t count = 0;
	int status = 0;

	*size = (struct pace_size){.frame_octets = asking->frame_octets,
	                           .bidirectional = asking->test->shape.bidirectional};
	while (status == 0 && count < MAX_STEPS) {
		sending_s[count] = fmin(next_s, longest_s);
		result[0] = result[1];
		status = ask(asking, sending_s[count], 0, &wall_s[count], &result[1], error);
		count++;
		if (next_s >= longest_s || (count > 1 && wall_s[count - 1] >= ENOUGH_S))
			break;
		next_s *= GROWTH;
	}
	if (status)
		return status;
	*size = pace_through(sending_s, wall_s, count);
	size->frame_octets = asking->frame_octets;
	size->bidirectional = asking->test->shape.bidirectional;
	look(&result[0], count > 1 ? sending_s[count - 2] : 0, &result[1], sending_s[count - 1], size);
	return 0;
}

static int ask_waiting(const struct asking *asking, const struct pace_size *size, double *waiting_s,
                       struct error *error)
{
	const double most_s = extent_seconds(asking->test->settle_ns) + extent_seconds(asking->test->drain_ns);
	const double beside_s = size->trial_s + FIRST_S * size->sending_s;

	for (double wait_s = FIRST_S;; wait_s *= GROWTH) {
		struct trial_result ignored;
		double wall_s;
		const int status = ask(asking, FIRST_S, wait_s, &wall_s, &ignored, error);

		*waiting_s = fmax(wall_s - beside_s, 0) / wait_s;
		if (status || wall_s - beside_s >= ENOUGH_S || wait_s >= most_s)
			return status;
	}
}

/* The first trial of all waits for the program to start. */
static int ask_first(const struct asking *asking, struct pace *pace, struct error *error)
{
	struct trial_result ignored;
	double first_s, second_s;
	int status = ask(asking, FIRST_S, 0, &first_s, &ignored, error);

	if (status == 0)
		status = ask(asking, FIRST_S, 0, &second_s, &ignored, error);
	if (status == 0)
		pace->before_s = fmax(first_s - second_s, 0);
	return status;
}

static bool is_known(const struct pace *pace, const struct asking *asking)
{
	const bool bidirectional = asking->test->shape.bidirectional;
	const struct pace_size *size = pace_find(pace, bidirectional, asking->frame_octets);

	return size && size->bidirectional == bidirectional && size->frame_octets == asking->frame_octets;
}

static int ask_test(const struct setup *setup, const struct plan_test *test, double until_s, struct pace *pace,
                    struct error *error)
{
	int status = 0;

	for (size_t i = 0; i < test->frame_size_count && status == 0; i++) {
		const struct asking asking = {setup, test, test->frame_sizes[i]};
		struct pace_size *grown;

		if (is_known(pace, &asking) || (pace->size_count && clock_s() > until_s))
			continue;
		grown = realloc(pace->sizes, (pace->size_count + 1) * sizeof(*grown));
		if (!grown)
			return error_set(error, ERROR_INTERNAL, "out of memory");
		pace->sizes = grown;
		if (pace->size_count == 0)
			status = ask_first(&asking, pace, error);
		if (status == 0)
			status = ask_size(&asking, &grown[pace->size_count], error);
		if (status == 0 && pace->size_count == 0)
			status = ask_waiting(&asking, &grown[0], &pace->waiting_s, error);
		pace->size_count += status == 0;
	}
	return status;
}

int pace_ask(const struct setup *setup, struct pace *pace, struct error *error)
{
	const double until_s = clock_s() + ENOUGH_ALL_S;
	int status = 0;

	*pace = (struct pace){.kind = PACE_ASKED};
	for (size_t i = 0; i < setup->plan->test_count && status == 0; i++)
		status = ask_test(setup, &setup->plan->tests[i], until_s, pace, error);
	if (status == 0 && pace->size_count)
		pace->kind = PACE_MEASURED;
	return status;
}
