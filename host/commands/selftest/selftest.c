/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge selftest: tests a device on its own. checks.h says what is tested. */
#include "host/commands/selftest/checks.h"

#include <stdio.h>
#include <string.h>

#include "host/base/quantity.h"
#include "host/base/uint128.h"
#include "host/commands/commands.h"
#include "host/commands/selftest/json.h"
#include "host/console/bring_up.h"
#include "host/console/calibration.h"
#include "host/console/interrupt.h"
#include "host/report/report.h"

struct selftest_options {
	struct device_options device;
	const char *duration;         /* text as written; NULL: the default */
	const char *calibration_path; /* NULL: the default for a card, none for a simulation */
	const char *json_path;        /* NULL: none */
	bool external, quiet;
};

static const char DOC[] = "Tests a device without any other equipment: registers, expected streams, counters, its "
                          "clock against the host's, "
                          "and internal loopback at line rate at all frame sizes; with --external also the cables.\v"
                          "DEVICE is a name listed by `fpgauge devices`, such as sim:rtl. The device is taken over: "
                          "anything it sends is stopped, "
                          "and its settings are 0 afterwards. Exit code 1 if a check fails. docs/selftest.md says what "
                          "each check proves.";

static const char DEFAULT_DURATION[] = "200us";
static const uint64_t MOST_DURATION_NS = UINT64_C(60000000000);
static const uint64_t CLOCK_NS = UINT64_C(1000000000);

/* 802.3 allows a transmitter 100 ppm, and an uncorrected host clock is rarely off by more. */
static const double CLOCK_TOLERANCE_PPM = 200;

static int read_duration(const char *text, uint64_t *ns, struct error *error)
{
	struct quantity quantity;
	const char *why;

	if (!quantity_parse(text, &quantity, &why) && quantity.unit == QUANTITY_TIME)
		*ns = (uint64_t)((uint128)quantity.numerator * 1000000000 / quantity.denominator);
	else
		*ns = 0;
	if (*ns < 1000 || *ns > MOST_DURATION_NS)
		return error_set(error, ERROR_PLAN, "--duration %s: must be a time with its unit, 1us to 60s", text);
	return 0;
}

static void print_row(const struct selftest_row *row, void *context)
{
	static const char *const SHOWN[] = {
	        [SELFTEST_PASS] = "pass", [SELFTEST_FAIL] = "FAIL", [SELFTEST_NOT_APPLICABLE] = "-"};
	char port[16] = "", size[16] = "";

	(void)context;
	if (row->port != SELFTEST_NO_PORT)
		snprintf(port, sizeof(port), "%d", row->port);
	if (row->frame_octets)
		snprintf(size, sizeof(size), "%u", row->frame_octets);
	printf("%-9s  %4s  %6s  %-4s  %s\n", row->check, port, size, SHOWN[row->verdict], row->text);
	fflush(stdout);
}

static int report(const struct selftest_options *options, const struct selftest_report *result_rows,
                  const struct device_identity *identity, bool complete, struct error *error)
{
	json_t *json = options->json_path ? selftest_json(result_rows, identity, complete) : NULL;
	int result = 0;

	if (options->json_path)
		result = json ? report_json(json, options->json_path, error)
		              : error_set(error, ERROR_INTERNAL, "out of memory");
	json_decref(json);
	return result;
}

/* The file that the latency of cables is written to; NULL: none. */
static const char *calibration_path(const struct selftest_options *options, const struct device_identity *identity,
                                    char *path, size_t size)
{
	if (options->calibration_path || !strcmp(identity->backend, "sim"))
		return options->calibration_path;
	calibration_default_path(path, size);
	return *path ? path : NULL;
}

/* Keeps cables that passed, whatever else failed: they were measured. */
static int keep(const struct selftest_options *options, const struct device_identity *identity,
                const struct selftest_report *rows, bool table, struct error *error)
{
	char standard[4096];
	const char *path = calibration_path(options, identity, standard, sizeof(standard));
	int result;

	if (!path || rows->cable_count == 0)
		return 0;
	result = calibration_store(path, identity, rows->cables, rows->cable_count, error);
	if (!result && table)
		printf("calibration of %zu cable%s kept in %s\n", rows->cable_count, rows->cable_count == 1 ? "" : "s",
		       path);
	return result;
}

/* The checks on an open device; returns an exit code. */
static int test(const struct selftest_options *options, struct setup *setup, const char *command)
{
	const struct device_identity *identity = device_identity(setup->device);
	bool table = !options->quiet && !(options->json_path && !strcmp(options->json_path, "-"));
	struct selftest_config config = {.external = options->external,
	                                 .real_time = strcmp(identity->backend, "sim") != 0,
	                                 .clock_ns = CLOCK_NS,
	                                 .clock_tolerance_ppm = CLOCK_TOLERANCE_PPM,
	                                 .cancel = interrupt_watch(),
	                                 .row = table ? print_row : NULL};
	struct selftest_report rows = {0};
	struct error error = {0}, latest = {0};
	int result = read_duration(options->duration ? options->duration : DEFAULT_DURATION, &config.line_ns, &error);
	int code;

	if (result)
		return exit_code_of(&error, command);
	if (table)
		printf("%s, %u ports\n%-9s  %4s  %6s  %-4s  %s\n", identity->name, identity->ports, "check", "port",
		       "octets", "", "seen");
	result = selftest_run(setup->device, &config, &rows, &error);
	code = result ? exit_code_of(&error, command) : selftest_passes(&rows) ? EXIT_VALID : EXIT_INVALID;
	if (keep(options, identity, &rows, table, &latest) || report(options, &rows, identity, !result, &latest))
		code = exit_code_of(&latest, command);
	if (table && !result)
		printf("%s\n", selftest_passes(&rows) ? "passed" : "FAILED");
	selftest_free(&rows);
	return code;
}

static const struct option_row OWN_OPTIONS[] = {
        {"external", 0, NULL,
         "Test cables that connect a port to itself or two ports to each other, and measure their latency", OPTION_FLAG,
         .place = offsetof(struct selftest_options, external)},
        {"calibration", 0, "FILE",
         "Save the latency of cables in FILE; default for a card: the file in which runs look for it", OPTION_TEXT,
         .place = offsetof(struct selftest_options, calibration_path)},
        {"duration", 0, "TIME", "Sending time at each frame size, \"200us\" by default; up to 60s", OPTION_TEXT,
         .place = offsetof(struct selftest_options, duration)},
        {0},
};

static void take_argument(void *options, const char *argument, const struct argp_state *state)
{
	argument_set(&((struct selftest_options *)options)->device.device, argument, "DEVICE", state);
}

static void check(void *user, const struct argp_state *state)
{
	const struct selftest_options *options = user;

	if (options->calibration_path && !options->external)
		argp_error(state, "--calibration: what is kept is measured with --external");
	device_options_check(&options->device, state);
}

static int run(int argc, char **argv)
{
	struct selftest_options options = {0};
	struct setup setup = {0};
	struct error error = {0};
	int code;

	command_parse(&SELFTEST_COMMAND, argc, argv, &options);
	if ((options.json_path && report_json_check(options.json_path, &error)) ||
	    bring_up_device(&options.device, DEVICE_DRIVE, &setup, &error))
		code = exit_code_of(&error, argv[0]);
	else
		code = test(&options, &setup, argv[0]);
	tear_down(&setup);
	device_options_free(&options.device);
	return code;
}

const struct command SELFTEST_COMMAND = {
        .name = "selftest",
        .usage = "DEVICE [--set PATH=VALUE]... [--external [--calibration FILE]] [--duration TIME] [--json FILE] "
                 "[--quiet]",
        .summary = "Test a device without other equipment: registers, memory, counters, clock, loopback, cables",
        .doc = DOC,
        .arguments = "DEVICE",
        .groups = {{DEVICE_SETTING_OPTION, offsetof(struct selftest_options, device)},
                   {OWN_OPTIONS, 0},
                   {JSON_OPTION, offsetof(struct selftest_options, json_path)},
                   {QUIET_OPTION, offsetof(struct selftest_options, quiet)}},
        .argument = take_argument,
        .check = check,
        .run = run,
};
