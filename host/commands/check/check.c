/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge check: everything that run looks at before its first trial, and what would run. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/format.h"
#include "host/bench/benchmark.h"
#include "host/commands/check/forecast_json.h"
#include "host/commands/commands.h"
#include "host/console/bring_up.h"
#include "host/console/fit_plan.h"
#include "host/console/long_run.h"
#include "host/console/plan_source.h"
#include "host/forecast/device_time.h"
#include "host/plan/plan_keys.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/pattern.h"
#include "host/traffic/sizes.h"
#include "host/trial/exec/tester.h"
#include "host/trial/filters.h"

static const char DOC[] =
        "Validates a plan against the device and prints what would run, how long it takes at least and at most.\v"
        "The device is opened. If it is an external program (backend \"exec\"), the command in the plan is started "
        "without a request, and must end with exit status 0: nothing else shows that it can start. Times are device "
        "time; for a simulation also wall time, by its speed in short trials, where that says enough.";

struct check_options {
	struct plan_options plan;
	const char *json_path; /* NULL: none */
};

static void print_extent(const struct plan_test *test, const struct extent *extent)
{
	printf("     at least %s (h:mm:ss)%s\n", format_clock_down(effort_device_s(&extent->least)).text,
	       extent->least_remark ? extent->least_remark : "");
	if (!device_time_is_bounded(extent))
		printf("     at most: no bound, the device decides how many trials are needed%s\n",
		       test->trials_limit || test->traffic_limit_ns ? ", up to the limits of the plan" : "");
	else
		printf("     at most %.0f trials, %s%s\n", extent->most.trials,
		       format_clock(effort_device_s(&extent->most)).text,
		       extent->most_remark ? extent->most_remark : "");
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

/* Prints the filters that the device must have, whoever gives them to it: RFC 2544 section 11.4 wants it in the
 * report. */
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
	char caution[BENCHMARK_CAUTION + 100];

	if (tester->info.device && *bring_up_caution(test, tester->info.device, caution, sizeof(caution)))
		printf("\n     %s", caution);
}

static struct extent print_test(const struct setup *setup, size_t index, const struct pace *pace)
{
	const struct plan_test *test = &setup->plan->tests[index];
	const uint64_t link_bps = setup->tester->info.link_bps;
	char loss[400], mix[TRAFFIC_SIZES_TEXT];
	const struct extent extent = device_time_of_test(test, link_bps);

	printf("  %zu. %s, %s, ", index + 1, plan_test_name(test),
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
	if (test->raised_octets)
		printf("\n     sizes below %" PRIu32 " octets, which its headers need, are raised to it",
		       test->raised_octets);
	print_modifiers(test);
	if (*benchmark_loss_text(test, loss, sizeof(loss)))
		printf("\n     %s", loss);
	print_caution(test, setup->tester);
	if (test->requirement_count)
		printf("\n     limits for the results: %zu", test->requirement_count);
	printf("\n");
	print_extent(test, &extent);
	if (pace->kind == PACE_MEASURED) {
		const struct wall_time time = wall_time_of_test(pace, test, link_bps);

		printf("     on this machine: %s\n", wall_time_text(&time).text);
	}
	return extent;
}

/* Prints what the times above mean on this machine. */
static void print_pace(const struct setup *setup, const struct pace *pace)
{
	const struct wall_time time = wall_time_of_plan(pace, setup->plan, setup->tester->info.link_bps);
	double slowest = 0;

	for (size_t i = 0; i < pace->size_count; i++)
		slowest = fmax(slowest, pace->sizes[i].sending_s);
	switch (pace->kind) {
	case PACE_MEASURED:
		printf("  On this machine: %s\n", wall_time_text(&time).text);
		printf("  As measured just now, in short trials, a second of line rate takes up to %s\n",
		       format_time(slowest).text);
		break;
	case PACE_DEVICE:
		printf("  Of a card, device time is wall time; what the host does between trials comes on top\n");
		break;
	case PACE_ASKED:
		printf("  Wall time is not known: that is up to the program; device time is what its trials ask for\n");
		break;
	case PACE_UNKNOWN:
		printf("  How much wall time that is could not be measured\n");
		break;
	}
}

static void print_checked(const struct setup *setup, const struct check_options *options, const struct pace *pace)
{
	uint64_t link_bps = setup->tester->info.link_bps;
	struct extent sum = {0};
	char name[128], fitted[1000];

	if (setup->device)
		printf("%s is right for %s: %u ports at %s\n", plan_source_name(&options->plan),
		       device_identity(setup->device)->name, device_identity(setup->device)->ports,
		       format_bit_rate(link_bps).text);
	else
		printf("%s is right, and %s starts: senders %u at %s\n", plan_source_name(&options->plan),
		       exec_command_text(setup->plan->exec.command, name, sizeof(name)), setup->tester->info.senders,
		       format_bit_rate(link_bps).text);
	for (size_t i = 0; i < setup->plan->test_count; i++) {
		struct extent extent = print_test(setup, i, pace);

		effort_add(&sum.least, &extent.least);
		effort_add(&sum.most, &extent.most);
		if (setup->device)
			print_filters(&setup->plan->tests[i], device_identity(setup->device)->ports);
	}
	if (setup->plan->left_aside)
		printf("  Left aside for --device: %s\n", setup->plan->left_aside);
	if (setup->plan->left_out)
		printf("  Left out: %s\n", setup->plan->left_out);
	if (*fit_plan_text(&options->plan, fitted, sizeof(fitted)))
		printf("  %s\n", fitted);
	printf("  In all: at least %s", format_clock_down(effort_device_s(&sum.least)).text);
	if (device_time_is_bounded(&sum))
		printf(", at most %s", format_clock(effort_device_s(&sum.most)).text);
	printf(" of device time, if all trials are valid: one that is not is repeated, or ends its test\n");
	print_pace(setup, pace);
}

static int check(const struct setup *setup, const struct check_options *options, const char *command,
                 struct error *error)
{
	struct pace pace;
	int status = 0;

	pace_measure(setup, NULL, &pace);
	if (!setup->device)
		status = exec_tester_try(setup->tester, error);
	if (status == 0 && options->json_path)
		status = check_json_write(options->json_path, setup, &pace, error);
	if (status == 0) {
		if (!options->json_path || strcmp(options->json_path, "-") != 0)
			print_checked(setup, options, &pace);
		fflush(stdout);
		long_run_warn(&options->plan, setup, &pace, command);
	}
	pace_free(&pace);
	return status;
}

static int run(int argc, char **argv)
{
	struct check_options options = {0};
	struct setup setup = {0};
	struct error error = {0};
	int code = EXIT_VALID;

	command_parse(&CHECK_COMMAND, argc, argv, &options);
	if (device_options_take(&options.plan.device, &error) ||
	    bring_up(&options.plan, DEVICE_LOOK, NULL, &setup, &error) || fit_plan(&options.plan, &setup, &error) ||
	    check(&setup, &options, argv[0], &error))
		code = exit_code_of(&error, argv[0]);
	tear_down(&setup);
	plan_options_free(&options.plan);
	return code;
}

static const struct option_row OWN_OPTIONS[] = {
        {"json", 'j', "FILE", "Write the forecast to FILE as JSON; - writes it to standard output in place of the text",
         OPTION_TEXT, .place = offsetof(struct check_options, json_path)},
        {0},
};

static void take_argument(void *options, const char *argument, const struct argp_state *state)
{
	plan_options_argument(&((struct check_options *)options)->plan, argument, state);
}

static void check_options(void *options, const struct argp_state *state)
{
	plan_options_check(&((struct check_options *)options)->plan, state);
}

const struct command CHECK_COMMAND = {
        .name = "check",
        .usage = "PLAN [--set PATH=VALUE]...",
        .summary = "Validate a plan; print what would run and how long it takes",
        .doc = DOC,
        .arguments = "PLAN",
        .groups = {{PLAN_OPTIONS, offsetof(struct check_options, plan)},
                   {FIT_OPTIONS, offsetof(struct check_options, plan)},
                   {OWN_OPTIONS, 0}},
        .argument = take_argument,
        .check = check_options,
        .run = run,
};
