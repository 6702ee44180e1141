/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge check: everything that run looks at before its first trial, and what would run. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/clock.h"
#include "host/base/format.h"
#include "host/bench/benchmark.h"
#include "host/cli/bring_up.h"
#include "host/cli/check_json.h"
#include "host/cli/commands.h"
#include "host/cli/fit_plan.h"
#include "host/cli/long_run.h"
#include "host/cli/plan_source.h"
#include "host/forecast/commit_cost.h"
#include "host/forecast/rehearsal.h"
#include "host/plan/plan_keys.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/pattern.h"
#include "host/traffic/sizes.h"
#include "host/trial/exec_tester.h"
#include "host/trial/trial_filters.h"

static const char DOC[] =
        "Validates a plan against the device and prints what would run, how long it takes at least and at most.\v"
        "The device is opened. If it is an external program (backend \"exec\"), the command in the plan is started "
        "without a request, and must end with exit status 0: nothing else shows that it can start; with --rehearse it "
        "is asked for some short trials before. Times are device time; for a simulation also wall time, from a "
        "rehearsal of parts of the plan.";

static bool is_bounded(const struct extent *extent)
{
	return !isinf(extent->most.trials);
}

static void print_extent(const struct plan_test *test, const struct extent *extent)
{
	printf("     at least %s (h:mm:ss)%s\n", format_clock(effort_device_s(&extent->least)).text,
	       extent->least_remark ? extent->least_remark : "");
	if (!is_bounded(extent))
		printf("     at most: no bound, the device decides how many trials are needed%s\n",
		       test->trials_limit || test->traffic_limit_ns ? ", up to the limits of the plan" : "");
	else
		printf("     at most %.0f trials, %s%s\n", extent->most.trials,
		       format_clock(effort_device_s(&extent->most)).text,
		       extent->most_remark ? extent->most_remark : "");
}

/* Trials that verify filters, before and after the others; what they take to send is too little to tell. */
static void add_filter_checks(const struct plan_test *test, size_t run, struct extent *extent)
{
	struct traffic_shape shape = test->shape;
	const struct effort checks = effort_of(test, 2, 0, extent_seconds(test->drain_ns));

	shape.modifiers = plan_modifiers(test, (unsigned)run);
	if (!traffic_filters(&shape))
		return;
	effort_add(&extent->least, &checks);
	effort_add(&extent->most, &checks);
}

/* From the update before each trial to its start. */
static void add_routing_waits(const struct plan_test *test, size_t run, struct extent *extent)
{
	struct traffic_shape shape = test->shape;
	const double wait_s = extent_seconds(shape.routing_wait_ns);

	shape.modifiers = plan_modifiers(test, (unsigned)run);
	if (!traffic_is_learned(&shape))
		return;
	extent->least.waiting_s += extent->least.trials * wait_s;
	extent->most.waiting_s += extent->most.trials * wait_s;
}

static struct extent test_extent(const struct plan_test *test, uint64_t link_bps)
{
	struct extent sum = {0};

	for (size_t i = 0; i < plan_runs(test) * test->frame_size_count; i++) {
		struct extent here =
		        benchmark_of(test)->extent(test, test->frame_sizes[i % test->frame_size_count], link_bps);

		add_filter_checks(test, i / test->frame_size_count, &here);
		add_routing_waits(test, i / test->frame_size_count, &here);
		effort_add(&sum.least, &here.least);
		effort_add(&sum.most, &here.most);
		sum.least_remark = here.least_remark;
		sum.most_remark = here.most_remark;
	}
	return sum;
}

/* Ends the line; what is not plain has one of its own. */
static void print_traffic(const struct traffic_shape *shape)
{
	if (shape->pattern == TRAFFIC_PAIRS)
		printf("destinations a port: %u\n", shape->addresses);
	else
		printf("addresses for each pair of ports: %u\n", shape->addresses);
	if (shape->pattern == TRAFFIC_PAIRS && shape->frame == TRAFFIC_IPV4_UDP && shape->vlan == TRAFFIC_NO_VLAN &&
	    !shape->routed)
		return;
	printf("     traffic: %s, frames %s", TRAFFIC_PATTERN_NAMES[shape->pattern], TRAFFIC_FRAME_NAMES[shape->frame]);
	if (shape->routed)
		printf(", through a router");
	if (shape->vlan != TRAFFIC_NO_VLAN)
		printf(", VLAN %u", shape->vlan);
	if (pattern_draws(shape))
		printf(", seed %" PRIu32, shape->seed);
	printf("\n");
}

static void print_modifiers(const struct plan_test *test)
{
	char names[TRAFFIC_MODIFIERS_TEXT];

	if (!test->shape.modifiers)
		return;
	traffic_modifiers_text(test->shape.modifiers, names, sizeof(names));
	if (test->each_alone)
		printf("\n     %u times: without modifiers, then with each of %s alone", plan_runs(test), names);
	else
		printf("\n     modifiers: %s", names);
}

/* What the device must have, whoever gives it to it: RFC 2544 section 11.4 wants it in the report. */
static void print_filters(const struct plan_test *test, unsigned ports)
{
	const char *const *interfaces = (const char *const *)test->filters_interfaces;
	struct traffic_shape shape = test->shape;
	char *text = malloc(TRIAL_FILTERS_TEXT_SIZE);

	for (unsigned run = 0; text && run < plan_runs(test); run++) {
		char name[TRAFFIC_MODIFIERS_TEXT];

		shape.modifiers = plan_modifiers(test, run);
		if (!traffic_filters(&shape))
			continue;
		if (test->filters_format == PLAN_FILTERS_NFT)
			trial_filters_nft(&shape, ports, interfaces, text, TRIAL_FILTERS_TEXT_SIZE);
		else
			trial_filters_text(&shape, ports, text, TRIAL_FILTERS_TEXT_SIZE);
		traffic_modifiers_text(traffic_filters(&shape), name, sizeof(name));
		printf("     with %s, the device must have these filters, in this order:\n%s", name, text);
	}
	free(text);
}

static void print_caution(const struct plan_test *test, const struct tester *tester)
{
	struct error ignored = {0}; /* bring_up() would have refused it */
	char caution[BENCHMARK_CAUTION];

	if (tester->info.device && !benchmark_check_device(test, tester->info.device, caution, &ignored) && *caution)
		printf("\n     %s", caution);
}

static struct extent print_test(const struct plan_test *test, size_t number_of_test, const struct tester *tester,
                                const struct pace *pace, const struct rehearsal *rehearsal)
{
	const uint64_t link_bps = tester->info.link_bps;
	struct wall_time time;
	char loss[400], mix[TRAFFIC_SIZES_TEXT];
	struct extent extent = test_extent(test, link_bps);

	printf("  %zu. %s, %s, ", number_of_test, plan_test_name(test),
	       test->shape.bidirectional ? "bidirectional" : "unidirectional");
	if (!test->benchmark->why_no_search)
		printf("%s search, ", PLAN_SEARCH_NAMES[test->search]);
	print_traffic(&test->shape);
	printf("     frame sizes:");
	for (size_t i = 0; i < test->frame_size_count; i++) {
		if (test->frame_sizes[i])
			printf(" %" PRIu32, test->frame_sizes[i]);
		else
			printf(" %s", traffic_sizes_text(&test->shape.sizes, mix, sizeof(mix)));
	}
	print_modifiers(test);
	if (*benchmark_loss_text(test, loss, sizeof(loss)))
		printf("\n     %s", loss);
	print_caution(test, tester);
	if (test->requirement_count)
		printf("\n     limits for the results: %zu", test->requirement_count);
	printf("\n");
	print_extent(test, &extent);
	if (pace->kind == PACE_MEASURED) {
		time = wall_time_of_test(pace, test, link_bps);
		rehearsal_of_test(rehearsal, number_of_test - 1, &time);
		printf("     on this machine %s\n", wall_time_text(time).text);
	}
	return extent;
}

/* What the forecast rests on. */
static void print_rehearsal(const struct setup *setup, const struct rehearsal *rehearsal)
{
	if (rehearsal->stood_in)
		printf("  For that, %s answered for it in %zu of %zu tests at a size\n",
		       setup->device ? "the twin" : "a queue that loses what the program lost", rehearsal->whole,
		       rehearsal->count);
	else if (rehearsal->whole < rehearsal->count && rehearsal->tried)
		printf("  For that, tests were tried out, each at a size: %zu of %zu to the end, %zu in part; "
		       "the others are taken to be like them\n",
		       rehearsal->whole, rehearsal->count, rehearsal->tried - rehearsal->whole);
}

static struct wall_time time_of_plan(const struct setup *setup, const struct pace *pace,
                                     const struct rehearsal *rehearsal)
{
	struct wall_time time = wall_time_of_plan(pace, setup->plan, setup->tester->info.link_bps);

	rehearsal_of_plan(rehearsal, &time);
	return time;
}

/* What the times above mean on this machine. */
static void print_pace(const struct setup *setup, const struct pace *pace, const struct rehearsal *rehearsal)
{
	const struct wall_time time = time_of_plan(setup, pace, rehearsal);
	double slowest = 0;

	for (size_t i = 0; i < pace->size_count; i++)
		slowest = fmax(slowest, pace->sizes[i].sending_s);
	switch (pace->kind) {
	case PACE_MEASURED:
		printf("  On this machine: %s, as measured just now: a second of line rate takes %s\n",
		       wall_time_text(time).text, format_time(slowest).text);
		print_rehearsal(setup, rehearsal);
		break;
	case PACE_DEVICE:
		printf("  Of a card, device time is wall time\n");
		break;
	case PACE_ASKED:
		printf("  About %s of wall time if the program takes as long as its trials ask for: --rehearse asks "
		       "it\n",
		       format_clock(time.expected_s).text);
		break;
	case PACE_UNKNOWN:
		printf("  How much wall time that is could not be measured\n");
		break;
	}
}

static void print_checked(const struct setup *setup, const struct options *options, const struct pace *pace,
                          const struct rehearsal *rehearsal)
{
	uint64_t link_bps = setup->tester->info.link_bps;
	struct extent sum = {0};
	char name[128], fitted[1000];

	if (setup->device)
		printf("%s is right for %s: %u ports at %s\n", plan_source_name(options),
		       device_identity(setup->device)->name, device_identity(setup->device)->ports,
		       format_bit_rate(link_bps).text);
	else
		printf("%s is right, and %s starts: senders %u at %s\n", plan_source_name(options),
		       exec_command_text(setup->plan->exec.command, name, sizeof(name)), setup->tester->info.senders,
		       format_bit_rate(link_bps).text);
	for (size_t i = 0; i < setup->plan->test_count; i++) {
		struct extent extent = print_test(&setup->plan->tests[i], i + 1, setup->tester, pace, rehearsal);

		effort_add(&sum.least, &extent.least);
		effort_add(&sum.most, &extent.most);
		if (setup->device)
			print_filters(&setup->plan->tests[i], device_identity(setup->device)->ports);
	}
	if (setup->plan->left_aside)
		printf("  Left aside for --device: %s\n", setup->plan->left_aside);
	if (setup->plan->left_out)
		printf("  Left out: %s\n", setup->plan->left_out);
	if (*fit_plan_text(options, fitted, sizeof(fitted)))
		printf("  %s\n", fitted);
	printf("  In all: at least %s", format_clock(effort_device_s(&sum.least)).text);
	if (is_bounded(&sum))
		printf(", at most %s", format_clock(effort_device_s(&sum.most)).text);
	printf(" of device time; a trial that is invalid is repeated and comes on top\n");
	print_pace(setup, pace, rehearsal);
}

static bool is_rehearsed(const struct setup *setup, const struct options *options)
{
	return setup->device ? options->rehearse != REHEARSE_NOTHING : options->rehearse == REHEARSE_ALL;
}

static int forecast(const struct setup *setup, const struct options *options, struct pace *pace,
                    struct rehearsal *rehearsal, struct error *error)
{
	const struct rehearsal_options with = {bring_up_jobs(options, setup), options->jobs != 0};

	const double started_s = clock_processor_s(); /* so does the run: it reads the plan and opens the device */
	struct commit_cost cost;

	*rehearsal = (struct rehearsal){0};
	pace_measure(setup, NULL, pace);
	if (!is_rehearsed(setup, options))
		return 0;
	if (!setup->device && pace_ask(setup, pace, error))
		return error->code;
	cost = commit_cost();
	pace->commit_s = cost.trial_s;
	pace->before_s += started_s + cost.file_s;
	rehearse(setup, pace, &with, rehearsal);
	return 0;
}

static int check(const struct setup *setup, const struct options *options, const char *command, struct error *error)
{
	struct rehearsal rehearsal;
	struct pace pace;
	int status = forecast(setup, options, &pace, &rehearsal, error);

	if (status == 0 && !setup->device)
		status = exec_tester_try(setup->tester, error);
	if (status == 0 && options->json_path)
		status = check_json_write(options->json_path, setup, &pace, &rehearsal, error);
	if (status == 0) {
		if (!options->json_path || strcmp(options->json_path, "-") != 0)
			print_checked(setup, options, &pace, &rehearsal);
		fflush(stdout);
		long_run_warn(options, setup, &pace, time_of_plan(setup, &pace, &rehearsal), command);
	}
	rehearsal_free(&rehearsal);
	pace_free(&pace);
	return status;
}

int command_check(int argc, char **argv)
{
	struct options options;
	struct setup setup = {0};
	struct error error = {0};
	int code = EXIT_VALID;

	options_parse(argc, argv, OPTIONS_CHECK, DOC, &options);
	if (plan_source_take_device(&options, &error) || bring_up(&options, DEVICE_LOOK, NULL, &setup, &error) ||
	    fit_plan(&options, &setup, &error) || check(&setup, &options, argv[0], &error))
		code = exit_code_of(&error, argv[0]);
	tear_down(&setup);
	options_free(&options);
	return code;
}
