/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge send: one load by hand, for as long as the user wants, with the ports live and the verdict of a trial. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/commands/commands.h"
#include "host/commands/send/live.h"
#include "host/commands/send/options.h"
#include "host/commands/send/plan.h"
#include "host/console/bring_up.h"
#include "host/console/interrupt.h"
#include "host/trial/device/tester.h"

static const char DOC[] = "Sends test frames at one load and shows the counters of all ports meanwhile; at the end, "
                          "whether the tester did "
                          "what was asked, and what was lost.\v"
                          "On a terminal it is a table; otherwise, and with --json, one JSON object per line "
                          "(docs/send.md). Times are those "
                          "of the device, which in a simulation passes faster or slower than real time. Ctrl-C ends "
                          "sending; what was sent "
                          "is waited for and judged. Nothing here is a benchmark, and nothing is recorded.";

static int open_lines(const char *path, struct send_live *live, struct error *error)
{
	live->redraws = !path && isatty(STDOUT_FILENO);
	if (live->redraws)
		return 0;
	live->lines = !path || !strcmp(path, "-") ? stdout : fopen(path, "we");
	return live->lines ? 0
	                   : error_set(error, ERROR_PLAN, "--json %s: cannot be written: %s", path, strerror(errno));
}

static int close_lines(const char *path, struct send_live *live, int result, struct error *error)
{
	if (live->lines && live->lines != stdout && fclose(live->lines) && !result)
		result = error_set(error, ERROR_PLAN, "--json %s: cannot be written: %s", path, strerror(errno));
	return result;
}

/* Sends, and shows it. *good: the trial is valid and as long as was asked; without a length, it is for the user to end.
 */
static int run_trial(const struct send_options *options, const struct setup *setup, const _Atomic int *stop,
                     struct send_live *live, bool *good, struct error *error)
{
	struct send_watch watch = {.look = send_live_look, .user = live, .stop = stop};
	struct trial_result *result = calloc(1, sizeof(*result));
	struct trial_request request;
	struct traffic traffic;
	bool some;
	int status = result ? send_plan_request(options, setup, &request, &watch.interval_ot, error)
	                    : error_set(error, ERROR_INTERNAL, "out of memory");

	live->device = setup->device;
	live->until_stopped = !options->duration && !options->frames;
	live->interval_ot = watch.interval_ot;
	if (status == 0 && *stop)
		status = error_set(error, ERROR_CANCELLED, "stopped by the user before anything was sent");
	if (status == 0)
		status = send_plan_traffic(options, setup, &request, &traffic, &some, error);
	if (status == 0) {
		request.traffic = some ? &traffic : NULL;
		device_tester_watch(setup->tester, &watch);
		status = tester_run(setup->tester, &request, result, error);
		device_tester_watch(setup->tester, NULL);
		if (some)
			traffic_free(&traffic);
	}
	if (status == 0)
		status = send_live_end(live, result, *stop, error);
	*good = status == 0 && result->valid && (!*stop || !(options->duration || options->frames));
	free(result);
	return status;
}

static int run(int argc, char **argv)
{
	const _Atomic int *stop;
	struct send_options options = {0};
	struct send_live live = {0};
	struct setup setup = {0};
	struct error error = {0};
	bool good = false;
	int result;

	command_parse(&SEND_COMMAND, argc, argv, &options);
	result = send_plan_read(&options, &setup.plan, &error);
	if (!result)
		result = open_lines(options.json_path, &live, &error);
	/* The trial is ended by its watch, which lets it be judged; not by the tester, which would give it up. */
	stop = interrupt_watch();
	if (!result) {
		result = bring_up_calibrated(&setup, DEVICE_DRIVE, NULL, &error);
		if (result == ERROR_PLAN)
			send_plan_complain(&options, &error);
	}
	if (!result)
		result = run_trial(&options, &setup, stop, &live, &good, &error);
	result = close_lines(options.json_path, &live, result, &error);
	result = result ? exit_code_of(&error, argv[0]) : good ? EXIT_VALID : EXIT_INVALID;
	tear_down(&setup);
	device_options_free(&options.device);
	return result;
}

const struct command SEND_COMMAND = {
        .name = "send",
        .usage = "DEVICE --load LOAD [--size SIZE] [--for TIME | --frames N] [--pattern PATTERN] [--json FILE] "
                 "[OPTION]...",
        .summary = "Send traffic by hand, with the counters of all ports live",
        .doc = DOC,
        .arguments = "DEVICE",
        .groups = {{SEND_OPTIONS, 0}},
        .argument = send_options_argument,
        .check = send_options_check,
        .run = run,
};
