/* SPDX-License-Identifier: Apache-2.0 */
/* Sixty seconds find out about a buffer that is not known. That of many simulated devices is, and so is what a test can
 * tell apart: the row of a benchmark says how long its trials must then be (host/bench/known_queue.h).
 */
#include "host/forecast/fit_durations.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/bench/benchmark.h"
#include "host/forecast/known_queue_of.h"

/* A trial says something about any device if it is as long as this. */
static const double LEAST_S = 1e-3;

/* A choice must spare at least this part of what there would be without it. */
static const double WORTH_IT = 0.5;

static bool searches_by_goals(const struct plan_test *test)
{
	return test->search == PLAN_SEARCH_MLRSEARCH;
}

/* True if all tests before test number `index` that could say its load find none that the queue cannot forward for
 * ever. A rate of MLRsearch is only known to be the same as with other durations. */
static bool is_found(const struct setup *setup, size_t index, uint32_t octets, const struct known_queue *queue,
                     const double *chosen_s)
{
	const uint64_t link_bps = setup->tester->info.link_bps;
	const char *prerequisite = benchmark_of(&setup->plan->tests[index])->plan.prerequisite;
	bool any = false;

	for (size_t i = 0; prerequisite && i < index; i++) {
		const struct plan_test *test = &setup->plan->tests[i];
		const struct benchmark *benchmark = benchmark_of(test);
		struct needed_trial needed = {0};

		if (strcmp(benchmark_name(benchmark), prerequisite) != 0)
			continue;
		if (searches_by_goals(test) || !benchmark->needed_trial ||
		    !benchmark->needed_trial(test, octets, link_bps, queue, &needed))
			return false;
		any = true;
		if (chosen_s[i] <= 0 && benchmark->longest_trial_s(test, octets, link_bps) < needed.seconds)
			return false;
	}
	return any;
}

/* Finds what a test needs at all of its frame sizes, and why. False: that is not known, or the plan says how long its
 * trials are. */
static bool needed_of(const struct setup *setup, size_t index, const double *chosen_s, struct needed_trial *needed)
{
	const struct plan_test *test = &setup->plan->tests[index];
	const struct benchmark *benchmark = benchmark_of(test);

	*needed = (struct needed_trial){0};
	if (!benchmark->needed_trial || test->says_duration)
		return false;
	for (size_t i = 0; i < test->frame_size_count; i++) {
		const uint32_t octets = test->frame_sizes[i];
		struct needed_trial here = {0};
		struct known_queue queue;

		if (!known_queue_of(setup, test, octets, &queue))
			return false;
		queue.throughput_found = is_found(setup, index, octets, &queue, chosen_s);
		if (!benchmark->needed_trial(test, octets, setup->tester->info.link_bps, &queue, &here) ||
		    here.seconds > WORTH_IT * benchmark->longest_trial_s(test, octets, setup->tester->info.link_bps))
			return false;
		need(needed, here.seconds, "at %" PRIu32 " octets %s", octets, here.why);
	}
	return needed->seconds > 0;
}

/* Nanoseconds, rounded up to 1, 2 or 5 times a power of ten: a time that people would write. */
static uint64_t round_up_ns(double seconds)
{
	static const uint64_t STEPS[] = {1, 2, 5, 10};
	uint64_t decade = 1;
	unsigned step = 0;

	/* A rounding error in the last digit must not lead to the next step. */
	seconds *= 1 - 1e-12;
	while ((double)decade * 10 < seconds * 1e9)
		decade *= 10;
	while ((double)(decade * STEPS[step]) < seconds * 1e9 && step + 1 < sizeof(STEPS) / sizeof(STEPS[0]))
		step++;
	return decade * STEPS[step];
}

static int set(struct fitted *fitted, size_t test_index, const char *key, const char *value, struct error *error)
{
	char *text, **owned;

	if (asprintf(&text, "run[%zu].%s=%s", test_index, key, value) < 0)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	owned = array_add(&fitted->settings, fitted->count, sizeof(*owned));
	if (!owned) {
		free(text);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	*owned = text;
	fitted->count++;
	return 0;
}

static int choose(struct fitted *fitted, size_t test_index, const struct needed_trial *needed, struct error *error)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} UNITS[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}};
	const uint64_t ns = round_up_ns(fmax(needed->seconds, LEAST_S));
	unsigned unit = 0;
	char duration[40];

	while (ns % UNITS[unit].ns)
		unit++;
	snprintf(duration, sizeof(duration), "%" PRIu64 "%s", ns / UNITS[unit].ns, UNITS[unit].name);
	if (set(fitted, test_index, "trial_duration", duration, error) ||
	    set(fitted, test_index, "duration_chosen_for", "simulated", error))
		return error->code;
	return set(fitted, test_index, "duration_reason", needed->why, error);
}

static int choose_all(struct fitted *fitted, const struct setup *setup, double *chosen_s, struct error *error)
{
	for (size_t i = 0; i < setup->plan->test_count; i++) {
		struct needed_trial needed;

		if (!needed_of(setup, i, chosen_s, &needed))
			continue;
		chosen_s[i] = needed.seconds;
		if (choose(fitted, i + setup->plan->tests[i].left_out_before, &needed, error))
			return error->code;
	}
	return 0;
}

int fit_durations(const struct setup *setup, struct fitted *fitted, struct error *error)
{
	double *chosen_s;
	int result;

	*fitted = (struct fitted){0};
	if (!setup->device || strcmp(setup->plan->device.backend, "sim") != 0)
		return 0;
	chosen_s = calloc(setup->plan->test_count, sizeof(*chosen_s));
	if (!chosen_s)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	result = choose_all(fitted, setup, chosen_s, error);
	free(chosen_s);
	return result;
}

void fitted_free(struct fitted *fitted)
{
	for (size_t i = 0; i < fitted->count; i++)
		free(fitted->settings[i]);
	free(fitted->settings);
	*fitted = (struct fitted){0};
}
