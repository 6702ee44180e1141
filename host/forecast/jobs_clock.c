/* SPDX-License-Identifier: Apache-2.0 */
/* The rules are those of side_by_side.c; trials begin only when one is asked for. */
#include "host/forecast/jobs_clock.h"

#include <math.h>
#include <string.h>

static const double WORTH_S = 0.02; /* as in side_by_side.c */

void jobs_clock_begin(struct jobs_clock *clock, unsigned jobs, bool also_short)
{
	*clock = (struct jobs_clock){.jobs = jobs < JOBS_CLOCK_MOST ? jobs : JOBS_CLOCK_MOST, .also_short = also_short};
}

static bool is_worth_it(const struct jobs_clock *clock)
{
	return clock->also_short || clock->last_s >= WORTH_S;
}

unsigned jobs_clock_looks_ahead(const struct jobs_clock *clock)
{
	return clock->jobs > 1 && clock->forks && is_worth_it(clock) ? clock->jobs : 0;
}

static bool can_fork(const struct jobs_clock *clock, const struct trial_request *request)
{
	return jobs_clock_looks_ahead(clock) && request->traffic == NULL && request->before == NULL &&
	       request->filters == NULL && request->reset != TRIAL_RESET_COMMAND &&
	       traffic_shape_equal(&request->shape, &clock->shape);
}

static unsigned find(const struct jobs_clock *clock, const struct trial_request *request)
{
	unsigned i = 0;

	while (i < clock->count && !trial_request_equal(&clock->ahead[i].request, request))
		i++;
	return i;
}

/* What is no longer expected has been ended. */
static void forget(struct jobs_clock *clock, const struct trial_request *requests, unsigned count)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < clock->count; i++) {
		bool wanted = false;

		for (unsigned j = 0; j < count && !wanted; j++)
			wanted = trial_request_equal(&requests[j], &clock->ahead[i].request);
		if (wanted)
			clock->ahead[kept++] = clock->ahead[i];
	}
	clock->count = kept;
}

void jobs_clock_expect(struct jobs_clock *clock, const struct trial_request *requests, unsigned count)
{
	forget(clock, requests, count);
	for (unsigned i = 0; i < count && clock->count < clock->jobs && can_fork(clock, &requests[i]); i++) {
		const unsigned at = find(clock, &requests[i]);

		if (at < clock->count)
			continue;
		clock->ahead[at].request = requests[i];
		clock->ahead[at].begun_s = clock->now_s;
		clock->count++;
	}
}

/* On the device itself. */
static void run_alone(struct jobs_clock *clock, const struct trial_request *request, double trial_s, bool at_rest)
{
	clock->now_s += trial_s;
	clock->count = 0;
	clock->forks = at_rest && request->traffic == NULL && request->before == NULL;
	clock->shape = request->shape;
}

void jobs_clock_run(struct jobs_clock *clock, const struct trial_request *request, double trial_s, bool at_rest)
{
	const unsigned at = find(clock, request);

	clock->alone_s += trial_s;
	if (!can_fork(clock, request)) {
		run_alone(clock, request, trial_s, at_rest);
	} else if (at == clock->count) {
		clock->now_s += trial_s;
	} else {
		clock->now_s = fmax(clock->now_s, clock->ahead[at].begun_s + trial_s);
		clock->count--;
		memmove(&clock->ahead[at], &clock->ahead[at + 1], (clock->count - at) * sizeof(clock->ahead[0]));
	}
	clock->last_s = trial_s;
}
