/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge check: everything that run looks at before its first trial, and what would run. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "host/base/format.h"
#include "host/bench/bench.h"
#include "host/cli/bring_up.h"
#include "host/cli/commands.h"
#include "host/plan/plan_keys.h"
#include "host/trial/exec_tester.h"

static const char DOC[] =
        "Validates a plan against the device and prints what would run, how long it takes at least and at most.\v"
        "Times are device time; a simulation skips the waits and plays the rest at its own speed.";

static double number(const struct quantity *quantity)
{
	return (double)quantity->numerator / (double)quantity->denominator;
}

/* How long a test may take, by what the device turns out to be. */
struct extent {
	double least_trials, most_trials;
	double least_s, most_s; /* of device time */
};

/* Points that a bisection of so many steps looks at, and the trials there in the worst case. */
static double trials_of(const struct plan_test *test, double steps)
{
	return (ceil(log2(steps > 1 ? steps : 1)) + 1) *
	       (test->counts_repeats ? test->max_repeats + 1 : test->max_trials);
}

/* Least: the first trial passes, at line rate. Most: every trial waits the whole drain for a frame that is lost, and
 * the trials of full length fail down to the lowest load. */
static struct extent throughput_extent(const struct plan_test *test, double line_fps)
{
	double settle_s = (double)test->settle_ns / NS_PER_S, drain_s = (double)test->drain_ns / NS_PER_S;
	double short_s = (double)test->search_trial_duration_ns / NS_PER_S;
	double full_s = (double)test->trial_duration_ns / NS_PER_S;
	double resolution = number(&test->resolution) / (test->resolution.unit == QUANTITY_PERCENT ? 1 : line_fps);
	double searching = trials_of(test, 1 / resolution);
	bool twice = test->search_trial_duration_ns < test->trial_duration_ns;

	return (struct extent){
	        .least_trials = 1 + twice,
	        .most_trials = searching * (1 + twice),
	        .least_s = short_s + settle_s + twice * (full_s + settle_s),
	        .most_s = searching * (short_s + drain_s + settle_s + twice * (full_s + drain_s + settle_s)),
	};
}

/* Least: throughput turns out to be line rate, and the size does not qualify (RFC 9004 6.1). Most: all bursts as long
 * as the limit allows, and waits that grow with them (6.2). */
static struct extent back_to_back_extent(const struct plan_test *test, double line_fps)
{
	bool by_time = test->max_burst.unit == QUANTITY_TIME;
	double settle_s = (double)test->settle_ns / NS_PER_S, drain_s = (double)test->drain_ns / NS_PER_S;
	double longest_s = number(&test->max_burst) / (by_time ? 1 : line_fps);
	double a_search = trials_of(test, longest_s * line_fps / number(&test->resolution));
	double most_trials = test->repetitions * a_search;

	return (struct extent){
	        .most_trials = most_trials,
	        .most_s = most_trials * (longest_s + drain_s + fmax(settle_s, longest_s)),
	};
}

static const char *search_name(const struct plan_test *test)
{
	static const char *const NAMES[] = {[PLAN_SEARCH_BINARY] = "binary",
	                                    [PLAN_SEARCH_LOSS_VERIFICATION] = "loss_verification",
	                                    [PLAN_SEARCH_MLRSEARCH] = "mlrsearch"};

	return NAMES[test->search];
}

static void add(struct extent *sum, const struct extent *extent)
{
	sum->least_trials += extent->least_trials;
	sum->most_trials += extent->most_trials;
	sum->least_s += extent->least_s;
	sum->most_s += extent->most_s;
}

/* What MLRsearch needs at most is decided by the device: INFINITY. */
static struct extent test_extent(const struct plan_test *test, uint64_t link_bps)
{
	struct extent sum = {0};

	for (size_t i = 0; i < test->frame_size_count; i++) {
		double line_fps = rate_fps(rate_max_theoretical(link_bps, test->frame_sizes[i]));
		struct extent here = {1, INFINITY, bench_least_traffic_s(test, link_bps), INFINITY};

		if (test->search != PLAN_SEARCH_MLRSEARCH)
			here = test->kind == PLAN_THROUGHPUT ? throughput_extent(test, line_fps)
			                                     : back_to_back_extent(test, line_fps);
		add(&sum, &here);
	}
	return sum;
}

static void print_extent(const struct plan_test *test, const struct extent *extent)
{
	printf("     at least %s (h:mm:ss)%s\n", format_clock(extent->least_s).text,
	       extent->least_trials == 0 ? ", when no size qualifies (RFC 9004 section 6.1)" : "");
	if (isinf(extent->most_s))
		printf("     at most: no bound, the device decides how many trials are needed%s\n",
		       test->trials_limit || test->traffic_limit_ns ? ", up to the limits of the plan" : "");
	else
		printf("     at most %.0f trials, %s%s\n", extent->most_trials, format_clock(extent->most_s).text,
		       test->kind == PLAN_BACK_TO_BACK && test->first_burst_frames
		               ? "; far less when bursts much shorter than max_burst are lossy"
		               : "");
}

static struct extent print_test(const struct plan_test *test, size_t number_of_test, uint64_t link_bps)
{
	struct extent extent = test_extent(test, link_bps);

	printf("  %zu. %s, %s, %s search, destinations a port: %u\n     frame sizes:", number_of_test,
	       plan_test_name(test->kind), test->bidirectional ? "bidirectional" : "unidirectional", search_name(test),
	       test->destinations);
	for (size_t i = 0; i < test->frame_size_count; i++)
		printf(" %" PRIu32, test->frame_sizes[i]);
	if (test->requirement_count)
		printf("\n     limits for the results: %zu", test->requirement_count);
	printf("\n");
	print_extent(test, &extent);
	return extent;
}

static void print_checked(const struct setup *setup, const struct options *options)
{
	uint64_t link_bps = setup->tester->info.link_bps;
	struct extent sum = {0};
	char name[128];

	if (setup->device)
		printf("%s is right for %s: %u ports at %s\n", options->plan_path, device_identity(setup->device)->name,
		       device_identity(setup->device)->ports, format_bit_rate(link_bps).text);
	else
		printf("%s is right, and %s starts: senders %u at %s\n", options->plan_path,
		       exec_command_text(setup->plan->exec.command, name, sizeof(name)), setup->tester->info.senders,
		       format_bit_rate(link_bps).text);
	for (size_t i = 0; i < setup->plan->test_count; i++) {
		struct extent extent = print_test(&setup->plan->tests[i], i + 1, link_bps);

		add(&sum, &extent);
	}
	printf("  In all: at least %s", format_clock(sum.least_s).text);
	if (!isinf(sum.most_s))
		printf(", at most %s", format_clock(sum.most_s).text);
	printf(" of device time; a trial that is invalid is repeated and comes on top\n");
}

int command_check(int argc, char **argv)
{
	struct options options;
	struct setup setup = {0};
	struct error error = {0};
	int code = EXIT_VALID;

	options_parse(argc, argv, OPTIONS_CHECK, DOC, &options);
	if (bring_up(&options, NULL, &setup, &error) || (!setup.device && exec_tester_try(setup.tester, &error)))
		code = exit_code_of(&error, argv[0]);
	else
		print_checked(&setup, &options);
	tear_down(&setup);
	options_free(&options);
	return code;
}
