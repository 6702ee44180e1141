// SPDX-License-Identifier: Apache-2.0
/* fpgauge clock: how the clocks of two devices go together, over a cable. pair.h has the arithmetic. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/commands/clock/exchange.h"
#include "host/commands/clock/options.h"
#include "host/commands/clock/report.h"
#include "host/commands/commands.h"
#include "host/console/bring_up.h"
#include "host/console/interrupt.h"
#include "host/report/report.h"

static const char DOC[] =
        "Measures how the clocks of two devices go together, by frames over a cable between them: how far the clock of "
        "DEVICE_B is ahead of "
        "that of DEVICE_A, how much it gains, and within what bound that is known, now and later.\v"
        "DEVICE_A and DEVICE_B are names listed by `fpgauge devices`. Both are taken over: anything they send is "
        "stopped, "
        "and their counters are cleared. Exit code 1 if the frames do not give a measurement. docs/clock.md says what "
        "the "
        "bound is made of, and what it assumes.";

static const double DEFAULT_NS = 1e9, MOST_NS = 1e6;

static int read_times(const struct clock_options *options, struct clock_report *report, struct error *error)
{
	int status = clock_options_time("for", options->duration, DEFAULT_NS, (double)CLOCK_LEAST_NS,
	                                (double)CLOCK_MOST_NS, &report->duration_ns, error);

	if (!status)
		status = clock_options_time("asymmetry", options->asymmetry, 0, 0, MOST_NS, &report->asymmetry_ns,
		                            error);
	return status ? status
	              : clock_options_time("wander", options->wander, 0, 0, MOST_NS, &report->wander_ns, error);
}

/* Sights over the cable, and through the device under test. */
struct seen {
	struct clock_sights cable, through;
};

/* A measurement that the frames do not allow is none; it is no failure of a device. */
static void fit(struct clock_report *report, struct seen *seen, struct clock_pair *pair, struct error *why)
{
	const double ot_per_ns = (double)report->identity[0]->link_bps / 8e9;
	const struct clock_limits limits = {.error_ot = {seen->cable.error_ot[0], seen->cable.error_ot[1]},
	                                    .wander_ot = report->wander_ns * ot_per_ns};

	report->sights = &seen->cable;
	report->through = &seen->through;
	report->pair = pair;
	report->why_not = seen->cable.why_not[0] != '\0' ? seen->cable.why_not : seen->through.why_not;
	if (report->why_not[0] == '\0' && clock_pair_fit(pair, seen->cable.sight, seen->cable.count, &limits, why))
		report->why_not = why->text;
}

static int show(const struct clock_options *options, const struct clock_report *report, struct error *error)
{
	json_t *json = options->json_path ? clock_report_json(report) : NULL;
	int status = 0;

	if (!options->quiet && !(options->json_path && !strcmp(options->json_path, "-")))
		clock_report_print(report);
	if (options->json_path)
		status = json ? report_json(json, options->json_path, error)
		              : error_set(error, ERROR_INTERNAL, "out of memory");
	json_decref(json);
	return status;
}

/* Measures with two open devices. */
static int measure(const struct clock_options *options, const struct setup *setups, struct clock_report *report,
                   bool *valid, struct error *error)
{
	struct clock_exchange exchange = {.duration_ns = (uint64_t)report->duration_ns,
	                                  .through_octets = options->through_octets,
	                                  .cancel = interrupt_watch()};
	struct seen *seen = calloc(1, sizeof(*seen));
	struct clock_pair pair;
	struct error why = {0};
	int status = seen ? 0 : error_set(error, ERROR_INTERNAL, "out of memory");

	report->through_octets = options->through_octets;
	for (unsigned i = 0; i < CLOCK_CARDS; i++) {
		exchange.ends[i] = (struct clock_end){setups[i].device, options->ports[i]};
		exchange.through_port[i] = report->through_port[i] = options->through[i];
		report->identity[i] = device_identity(setups[i].device);
		report->port[i] = options->ports[i];
	}
	if (!status)
		status = clock_exchange_run(&exchange, &seen->cable, &seen->through, error);
	if (!status)
		status = device_now(setups[0].device, &report->now_ot, error);
	if (!status) {
		fit(report, seen, &pair, &why);
		*valid = report->why_not[0] == '\0';
		status = show(options, report, error);
	}
	free(seen);
	return status;
}

static int run(int argc, char **argv)
{
	struct clock_options options = {0};
	struct setup setups[CLOCK_CARDS] = {{0}};
	struct clock_report report = {0};
	struct error error = {0};
	bool valid = false;
	int status;

	command_parse(&CLOCK_COMMAND, argc, argv, &options);
	status = read_times(&options, &report, &error);
	if (!status && options.json_path)
		status = report_json_check(options.json_path, &error);
	for (unsigned i = 0; !status && i < CLOCK_CARDS; i++) {
		status = bring_up_device(&options.of[i], DEVICE_DRIVE, &setups[i], &error);
		if (status)
			error_prefix(&error, "DEVICE_%c: ", 'A' + (int)i);
	}
	if (!status)
		status = measure(&options, setups, &report, &valid, &error);
	status = status ? exit_code_of(&error, argv[0]) : valid ? EXIT_VALID : EXIT_INVALID;
	for (unsigned i = 0; i < CLOCK_CARDS; i++)
		tear_down(&setups[i]);
	clock_options_free(&options);
	return status;
}

const struct command CLOCK_COMMAND = {
        .name = "clock",
        .usage = "DEVICE_A DEVICE_B [--ports N:M] [--through N:M [--size OCTETS]] [--for TIME] [--asymmetry TIME] "
                 "[--wander TIME] [--set-a PATH=VALUE]... [--set-b PATH=VALUE]... [--json FILE] [--quiet]",
        .summary = "Measure how the clocks of two devices go together, over a cable",
        .doc = DOC,
        .arguments = "DEVICE_A DEVICE_B",
        .groups = {{CLOCK_OPTIONS, 0}},
        .argument = clock_options_argument,
        .check = clock_options_check,
        .run = run,
};
