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

static const char DOC[] = "Validates a plan against the device and prints what would run, and for how long at most.\v"
                          "Times are device time; a simulation skips the waits and plays the rest at its own speed.";

static const double NS_PER_S = 1e9;

static double number(const struct quantity *quantity)
{
	return (double)quantity->numerator / (double)quantity->denominator;
}

/* Points that a bisection of so many steps looks at, and the trials there in the worst case. */
static double trials_of(const struct plan_test *test, double steps)
{
	return (ceil(log2(steps > 1 ? steps : 1)) + 1) *
	       (test->counts_repeats ? test->max_repeats + 1 : test->max_trials);
}

/* All trials while searching, then the determination at full length: one trial if the first passes. */
static double throughput_s(const struct plan_test *test, double line_fps, double *trials)
{
	double settle_s = (double)test->settle_ns / NS_PER_S;
	double resolution = number(&test->resolution) / (test->resolution.unit == QUANTITY_PERCENT ? 1 : line_fps);
	double searching = trials_of(test, 1 / resolution);
	bool twice = test->search_trial_duration_ns < test->trial_duration_ns;

	*trials = searching + twice;
	return searching * ((double)test->search_trial_duration_ns / NS_PER_S + settle_s) +
	       twice * ((double)test->trial_duration_ns / NS_PER_S + settle_s);
}

/* Bursts as long as the limit allows; the bisection halves them on average. */
static double back_to_back_s(const struct plan_test *test, double line_fps, double *trials)
{
	bool by_time = test->max_burst.unit == QUANTITY_TIME;
	double longest_s = number(&test->max_burst) / (by_time ? 1 : line_fps);
	double a_search = trials_of(test, longest_s * line_fps / number(&test->resolution));

	*trials = test->repetitions * a_search;
	return *trials * (longest_s / 2 + (double)test->settle_ns / NS_PER_S);
}

static const char *search_name(const struct plan_test *test)
{
	static const char *const NAMES[] = {[PLAN_SEARCH_BINARY] = "binary",
	                                    [PLAN_SEARCH_LOSS_VERIFICATION] = "loss_verification",
	                                    [PLAN_SEARCH_MLRSEARCH] = "mlrsearch"};

	return NAMES[test->search];
}

/* What MLRsearch needs is decided by the device; it cannot be done with less than this. */
static double print_least(const struct plan_test *test, uint64_t link_bps)
{
	double least_s = bench_least_traffic_s(test, link_bps) * (double)test->frame_size_count;

	printf("\n     at least about %s (h:mm:ss) of traffic, and more as the device makes it necessary\n",
	       format_clock(least_s).text);
	return least_s;
}

static double print_test(const struct plan_test *test, size_t number_of_test, uint64_t link_bps)
{
	double total_s = 0, trials = 0;

	printf("  %zu. %s, %s, %s search, destinations a port: %u\n     frame sizes:", number_of_test,
	       plan_test_name(test->kind), test->bidirectional ? "bidirectional" : "unidirectional", search_name(test),
	       test->destinations);
	for (size_t i = 0; i < test->frame_size_count; i++)
		printf(" %" PRIu32, test->frame_sizes[i]);
	if (test->search == PLAN_SEARCH_MLRSEARCH)
		return print_least(test, link_bps);
	for (size_t i = 0; i < test->frame_size_count; i++) {
		double line_fps = rate_fps(rate_max_theoretical(link_bps, test->frame_sizes[i]));
		double here = 0;

		total_s += test->kind == PLAN_THROUGHPUT ? throughput_s(test, line_fps, &here)
		                                         : back_to_back_s(test, line_fps, &here);
		trials += here;
	}
	printf("\n     at most about %.0f trials, %s (h:mm:ss) of device time%s\n", trials, format_clock(total_s).text,
	       test->kind == PLAN_BACK_TO_BACK && test->first_burst_frames
	               ? "; far less when bursts much shorter than max_burst are lossy"
	               : "");
	return total_s;
}

static void print_checked(const struct setup *setup, const struct options *options)
{
	uint64_t link_bps = setup->tester->info.link_bps;
	double total_s = 0;
	bool open_ended = false;
	char name[128];

	if (setup->device)
		printf("%s is right for %s: %u ports at %s\n", options->plan_path, device_identity(setup->device)->name,
		       device_identity(setup->device)->ports, format_bit_rate(link_bps).text);
	else
		printf("%s is right, and %s starts: senders %u at %s\n", options->plan_path,
		       exec_command_text(setup->plan->exec.command, name, sizeof(name)), setup->tester->info.senders,
		       format_bit_rate(link_bps).text);
	for (size_t i = 0; i < setup->plan->test_count; i++) {
		const struct plan_test *test = &setup->plan->tests[i];

		open_ended |= test->search == PLAN_SEARCH_MLRSEARCH;
		total_s += print_test(test, i + 1, link_bps);
	}
	printf("  In all: %s %s of device time\n", open_ended ? "about" : "at most about", format_clock(total_s).text);
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
