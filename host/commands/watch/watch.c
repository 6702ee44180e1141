/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge watch: what the ports of a device count, live: a table on a terminal, else a line of JSON per look. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/base/quantity.h"
#include "host/base/text.h"
#include "host/base/uint128.h"
#include "host/commands/commands.h"
#include "host/commands/watch/show.h"
#include "host/console/bring_up.h"
#include "host/console/interrupt.h"
#include "host/console/standard_output.h"

struct watch_options {
	struct device_options device;
	const char *interval, *count; /* texts as written; NULL: the default */
	const char *json_path;        /* NULL: none */
};

static const char DOC[] =
        "Shows the counters of all ports and how they changed since the last update, from snapshots of the device.\v"
        "On a terminal it is a table; otherwise, and with --json, one JSON object per line. While another program "
        "drives the "
        "board, nothing is written to it, and the counters shown are those the other program has frozen "
        "(docs/selftest.md). A card that is taken out, or fails, is looked for until it is back; if it is gone at the "
        "end, the exit code is 3. "
        "Time is device time, which in a simulation passes faster than real time.";

static const char DEFAULT_INTERVAL[] = "1s";
static const uint64_t MOST_INTERVAL_NS = UINT64_C(86400000000000);
enum { SLICE_NS = 100000000 }; /* time between checks for Ctrl-C */

/* -- looks -------------------------------------------------------------------------------------------------------- */

/* A card may be taken out, or its link to the host reset, and come back; a simulation that fails does not. Lets go of a
 * card, because one that is back is another one to the kernel. Returns 0 if it is to be looked for, and then *why says
 * what happened. */
static int lose(struct watch *watch, struct error *failed, struct error *why, struct error *error)
{
	const bool was_there = watch->identity != NULL;

	if (!watch->may_come_back || (failed->code != ERROR_DEVICE && failed->code != ERROR_PLAN)) {
		*error = *failed;
		return failed->code;
	}
	*why = *failed;
	text_repair(why->text, sizeof(why->text)); /* it goes into JSON */
	tear_down(&watch->setup);
	watch->identity = NULL;
	if (was_there)
		clock_rfc3339_now(watch->gone_since, false);
	if (was_there && watch->lines)
		fprintf(stderr, "fpgauge watch: %s; watch goes on when it is back\n", why->text);
	return 0;
}

static int find(struct watch *watch, struct error *error)
{
	int result = bring_up_device(watch->device, DEVICE_LOOK, &watch->setup, error);

	if (!result) {
		watch->identity = device_identity(watch->setup.device);
		watch->may_come_back = strcmp(watch->identity->backend, "sim") != 0;
	}
	return result;
}

/* Looks for the device if it is gone, and reads all there is to show. */
static int read_or_lose(struct watch *watch, struct live_snapshot *now, struct error *why, struct error *error)
{
	const bool was_gone = !watch->identity;
	struct error failed = {0};
	int result = was_gone ? find(watch, &failed) : 0;

	if (!result)
		result = live_read(watch->setup.device, now, &failed);
	if (!result)
		result = live_read_links(watch->setup.device, &watch->links, &failed);
	if (!result)
		result = device_sensors(watch->setup.device, &watch->sensors, &failed);
	if (result)
		return lose(watch, &failed, why, error);
	if (was_gone && watch->lines)
		fprintf(stderr, "fpgauge watch: %s is back; it was gone since %s\n", watch->identity->name,
		        watch->gone_since);
	return 0;
}

/* Waits by the device's clock, or if it is gone by that of the host. False: the user ended it, or *result is set. */
static bool wait_interval(struct watch *watch, int *result, struct error *why, struct error *error)
{
	struct error failed = {0};

	for (uint64_t left_ns = watch->interval_ns; left_ns > 0;) {
		uint64_t step_ns = left_ns < SLICE_NS ? left_ns : SLICE_NS;

		if (*watch->cancel)
			return false;
		if (!watch->identity)
			clock_sleep_ns((int64_t)step_ns);
		else if (device_wait(watch->setup.device, octet_times_from_ns(step_ns, watch->identity->link_bps),
		                     &failed))
			*result = lose(watch, &failed, why, error);
		if (*result)
			return false;
		left_ns -= step_ns;
	}
	return !*watch->cancel;
}

static int show(const struct watch *watch, const struct live_snapshot *before, const struct live_snapshot *now,
                const struct error *why, struct error *error)
{
	const int failed = !watch->identity ? watch->lines ? watch_write_gone(watch, why->text)
	                                                   : watch_print_gone(watch, why->text)
	                   : watch->lines ? watch_write_line(watch, before, now)
	                                    : watch_print_table(watch, before, now);

	if (standard_output_is_gone()) /* nobody looks on */
		interrupt_ask();
	return failed ? error_set(error, ERROR_PLAN, "the output cannot be written: %s", strerror(errno)) : 0;
}

/* The first look, and the first after the device was gone, has nothing before it: rates are not known. */
static int look_on(struct watch *watch, struct error *error)
{
	struct live_snapshot *looks = calloc(2, sizeof(*looks));
	int result = looks ? 0 : error_set(error, ERROR_INTERNAL, "out of memory");
	struct error why = {0};
	bool has_before = false;

	for (uint64_t i = 0; !result && (watch->count == 0 || i < watch->count); i++) {
		struct live_snapshot *now = &looks[i % 2], *before = &looks[(i + 1) % 2];

		if (i > 0 && !wait_interval(watch, &result, &why, error))
			break;
		has_before &= watch->identity != NULL;
		result = read_or_lose(watch, now, &why, error);
		if (!result)
			result = show(watch, has_before ? before : now, now, &why, error);
		has_before = watch->identity != NULL;
	}
	free(looks);
	if (!result && !watch->identity) {
		*error = why;
		result = why.code;
	}
	return result;
}

static int read_numbers(const struct watch_options *options, struct watch *watch, struct error *error)
{
	const char *interval = options->interval ? options->interval : DEFAULT_INTERVAL, *why;
	struct quantity quantity;

	if (!quantity_parse(interval, &quantity, &why) && quantity.unit == QUANTITY_TIME)
		watch->interval_ns = (uint64_t)((uint128)quantity.numerator * 1000000000 / quantity.denominator);
	if (watch->interval_ns < 1000 || watch->interval_ns > MOST_INTERVAL_NS)
		return error_set(error, ERROR_PLAN, "--interval %s: must be a time with its unit, 1us to 86400s",
		                 interval);
	if (!options->count)
		return 0;
	if (quantity_parse(options->count, &quantity, &why) || quantity.unit != QUANTITY_PLAIN ||
	    quantity.denominator != 1 || quantity.numerator == 0)
		return error_set(error, ERROR_PLAN, "--count %s: must be a whole number, at least 1", options->count);
	watch->count = quantity.numerator;
	return 0;
}

static int open_lines(const struct watch_options *options, struct watch *watch, struct error *error)
{
	if (!options->json_path && isatty(STDOUT_FILENO))
		return 0;
	watch->lines =
	        !options->json_path || !strcmp(options->json_path, "-") ? stdout : fopen(options->json_path, "we");
	if (watch->lines)
		return 0;
	return error_set(error, ERROR_PLAN, "--json %s: cannot be written: %s", options->json_path, strerror(errno));
}

static const struct option_row OWN_OPTIONS[] = {
        {"interval", 0, "TIME", "Device time between two updates, \"1s\" by default", OPTION_TEXT,
         .place = offsetof(struct watch_options, interval)},
        {"count", 0, "N", "End after N updates; default: at Ctrl-C", OPTION_TEXT,
         .place = offsetof(struct watch_options, count)},
        {0},
};

static void take_argument(void *options, const char *argument, const struct argp_state *state)
{
	argument_set(&((struct watch_options *)options)->device.device, argument, "DEVICE", state);
}

static void check(void *options, const struct argp_state *state)
{
	device_options_check(&((struct watch_options *)options)->device, state);
}

static int run(int argc, char **argv)
{
	struct watch_options options = {0};
	struct watch watch = {.device = &options.device};
	struct error error = {0};
	int result;

	command_parse(&WATCH_COMMAND, argc, argv, &options);
	result = read_numbers(&options, &watch, &error);
	if (!result)
		result = open_lines(&options, &watch, &error);
	if (!result)
		result = find(&watch, &error);
	if (!result) {
		watch.cancel = interrupt_watch();
		result = look_on(&watch, &error);
	}
	if (watch.lines && watch.lines != stdout && fclose(watch.lines) && !result)
		result = error_set(&error, ERROR_PLAN, "--json %s: cannot be written: %s", options.json_path,
		                   strerror(errno));
	result = result ? exit_code_of(&error, argv[0]) : EXIT_VALID;
	tear_down(&watch.setup);
	device_options_free(&options.device);
	return result;
}

const struct command WATCH_COMMAND = {
        .name = "watch",
        .usage = "DEVICE [--set PATH=VALUE]... [--interval TIME] [--count N] [--json FILE]",
        .summary = "Show live counters and rates of all ports",
        .doc = DOC,
        .arguments = "DEVICE",
        .groups = {{DEVICE_SETTING_OPTION, offsetof(struct watch_options, device)},
                   {OWN_OPTIONS, 0},
                   {JSON_OPTION, offsetof(struct watch_options, json_path)}},
        .argument = take_argument,
        .check = check,
        .run = run,
};
