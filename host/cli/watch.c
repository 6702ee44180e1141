/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge watch: what the ports of a device count, live: a table on a terminal, else a line of JSON per look. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/base/format.h"
#include "host/base/quantity.h"
#include "host/cli/bring_up.h"
#include "host/cli/commands.h"
#include "host/cli/interrupt.h"
#include "host/trial/live_counters.h"

static const char DOC[] =
        "Shows the counters of all ports and how they changed since the last update, from snapshots of the device.\v"
        "On a terminal it is a table; otherwise, and with --json, one JSON object per line. While another program "
        "drives the "
        "board, nothing is written to it, and the counters shown are those the other program has frozen "
        "(docs/selftest.md). "
        "Time is device time, which in a simulation passes faster than real time.";

static const char DEFAULT_INTERVAL[] = "1s";
static const uint64_t MOST_INTERVAL_NS = UINT64_C(86400000000000);
enum { SLICE_NS = 100000000 }; /* between checks for Ctrl-C */

struct watch {
	struct device *device;
	const struct device_identity *identity;
	const _Atomic int *cancel;
	FILE *lines;                 /* of JSON; NULL: a table on standard output */
	uint64_t interval_ns, count; /* count 0: no end */
	struct device_sensors sensors;
};

static const char *unit_text(enum device_sensor_unit unit)
{
	return unit == DEVICE_WATTS ? "W" : "C";
}

/* -- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *number(double value)
{
	return isnan(value) ? json_null() : json_real(value);
}

/* The minimum of nothing is not known. */
static json_t *latency_ns(uint64_t ot, uint64_t frames, uint64_t link_bps)
{
	return frames == 0 ? json_null() : json_real((double)ot * 8e9 / (double)link_bps);
}

static json_t *port_json(const struct watch *watch, const struct live_snapshot *now, unsigned port,
                         const struct live_rates *rates)
{
	const struct port_counters *counters = &now->port[port];
	uint64_t link_bps = watch->identity->link_bps, frames = counters->rx_latency_frames;
	json_t *all = json_object();

	/* A full 64-bit value does not fit into the JSON integers used here: the minimum of nothing is null. */
	for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++) {
		uint64_t value = live_counter(counters, i);

		json_object_set_new(all, live_counter_name(i),
		                    value > INT64_MAX ? json_null() : json_integer((json_int_t)value));
	}
	return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "port", (int)port, "tx_fps",
	                 number(rates->tx_fps), "rx_fps", number(rates->rx_fps), "tx_line_bps",
	                 number(rates->tx_line_bps), "rx_line_bps", number(rates->rx_line_bps), "latency_mean_ns",
	                 number(rates->latency_mean_ns), "latency_min_ns",
	                 latency_ns(counters->rx_latency_min, frames, link_bps), "latency_max_ns",
	                 latency_ns(counters->rx_latency_max, frames, link_bps), "counters", all);
}

static json_t *sensors_json(const struct device_sensors *sensors)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < sensors->count; i++) {
		const struct device_sensor *sensor = &sensors->sensor[i];

		json_array_append_new(list, json_pack("{s:s, s:s, s:f}", "name", sensor->name, "unit",
		                                      unit_text(sensor->unit), "value", sensor->value));
	}
	return list;
}

static int write_line(const struct watch *watch, const struct live_snapshot *before, const struct live_snapshot *now)
{
	json_t *ports = json_array(), *line;
	char stamp[CLOCK_TEXT_SIZE];
	double interval_s = NAN;
	int failed;

	clock_rfc3339_now(stamp, false);
	for (unsigned port = 0; port < now->ports; port++) {
		struct live_rates rates = live_rates(before, now, port, watch->identity->link_bps);

		json_array_append_new(ports, port_json(watch, now, port, &rates));
	}
	if (now->time_ot > before->time_ot)
		interval_s = seconds_from_octet_times(now->time_ot - before->time_ot, watch->identity->link_bps);
	line = json_pack("{s:s, s:f, s:o, s:o, s:o}", "time", stamp, "device_s",
	                 seconds_from_octet_times(now->time_ot, watch->identity->link_bps), "interval_s",
	                 number(interval_s), "ports", ports, "sensors", sensors_json(&watch->sensors));
	failed = json_dumpf(line, watch->lines, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17)) ||
	         fputc('\n', watch->lines) == EOF || fflush(watch->lines) == EOF;
	json_decref(line);
	return failed;
}

/* -- table -------------------------------------------------------------------------------------------------------- */

static struct format_text rate_text(double fps)
{
	return isnan(fps) ? (struct format_text){"-"} : format_fps(fps);
}

static struct format_text share_text(double line_bps, uint64_t link_bps)
{
	return isnan(line_bps) ? (struct format_text){"-"} : format_percent(line_bps / (double)link_bps);
}

static struct format_text latency_text(double ns)
{
	return isnan(ns) ? (struct format_text){"-"} : format_time(ns * 1e-9);
}

static void print_port(const struct watch *watch, const struct live_snapshot *before, const struct live_snapshot *now,
                       unsigned port)
{
	struct live_rates rates = live_rates(before, now, port, watch->identity->link_bps);
	const struct port_counters *counters = &now->port[port];
	double ns = counters->rx_latency_frames ? 8e9 / (double)watch->identity->link_bps : NAN;

	printf("%4u  %14" PRIu64 " %12s %8s  %14" PRIu64 " %12s %8s  %10" PRIu64 " %10" PRIu64 "  %10s %10s %10s\n",
	       port, counters->tx_frames, rate_text(rates.tx_fps).text,
	       share_text(rates.tx_line_bps, watch->identity->link_bps).text, counters->rx_frames,
	       rate_text(rates.rx_fps).text, share_text(rates.rx_line_bps, watch->identity->link_bps).text,
	       counters->rx_lost_frames, counters->rx_bad_frames,
	       latency_text((double)counters->rx_latency_min * ns).text, latency_text(rates.latency_mean_ns).text,
	       latency_text((double)counters->rx_latency_max * ns).text);
}

static int print_table(const struct watch *watch, const struct live_snapshot *before, const struct live_snapshot *now)
{
	/* ESC [ H goes to the upper left corner, ESC [ J clears from there. */
	printf("\033[H\033[J%s, %u ports at %s; device time %.3f s\n\n", watch->identity->name, now->ports,
	       format_bit_rate(watch->identity->link_bps).text,
	       seconds_from_octet_times(now->time_ot, watch->identity->link_bps));
	printf("port  %14s %12s %8s  %14s %12s %8s  %10s %10s  %10s %10s %10s\n", "sent", "rate", "of line", "received",
	       "rate", "of line", "lost", "bad", "lat. min", "mean now", "max");
	for (unsigned port = 0; port < now->ports; port++)
		print_port(watch, before, now, port);
	for (unsigned i = 0; i < watch->sensors.count; i++)
		printf("%s%s %.1f %s", i > 0 ? ", " : "\n", watch->sensors.sensor[i].name,
		       watch->sensors.sensor[i].value, unit_text(watch->sensors.sensor[i].unit));
	if (watch->sensors.count > 0)
		printf("\n");
	return fflush(stdout) == EOF;
}

/* -- looks -------------------------------------------------------------------------------------------------------- */

/* False: the user ended it. */
static bool wait_interval(const struct watch *watch, int *result, struct error *error)
{
	for (uint64_t left_ns = watch->interval_ns; left_ns > 0;) {
		uint64_t step_ns = left_ns < SLICE_NS ? left_ns : SLICE_NS;

		if (*watch->cancel)
			return false;
		*result = device_wait(watch->device, octet_times_from_ns(step_ns, watch->identity->link_bps), error);
		if (*result)
			return false;
		left_ns -= step_ns;
	}
	return !*watch->cancel;
}

/* The first look has nothing before it: rates are not known. */
static int look_on(struct watch *watch, struct error *error)
{
	struct live_snapshot *looks = calloc(2, sizeof(*looks));
	int result = looks ? 0 : error_set(error, ERROR_INTERNAL, "out of memory");

	for (uint64_t i = 0; !result && (watch->count == 0 || i < watch->count); i++) {
		struct live_snapshot *now = &looks[i % 2], *before = i ? &looks[(i + 1) % 2] : now;

		if (i > 0 && !wait_interval(watch, &result, error))
			break;
		result = live_read(watch->device, now, error);
		if (!result)
			result = device_sensors(watch->device, &watch->sensors, error);
		if (!result && (watch->lines ? write_line(watch, before, now) : print_table(watch, before, now)))
			result = error_set(error, ERROR_PLAN, "the output cannot be written: %s", strerror(errno));
	}
	free(looks);
	return result;
}

static int read_numbers(const struct options *options, struct watch *watch, struct error *error)
{
	const char *interval = options->interval ? options->interval : DEFAULT_INTERVAL, *why;
	struct quantity quantity;

	if (!quantity_parse(interval, &quantity, &why) && quantity.unit == QUANTITY_TIME)
		watch->interval_ns =
		        (uint64_t)((unsigned __int128)quantity.numerator * 1000000000 / quantity.denominator);
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

static int open_lines(const struct options *options, struct watch *watch, struct error *error)
{
	if (!options->json_path && isatty(STDOUT_FILENO))
		return 0;
	watch->lines =
	        !options->json_path || !strcmp(options->json_path, "-") ? stdout : fopen(options->json_path, "we");
	if (watch->lines)
		return 0;
	return error_set(error, ERROR_PLAN, "--json %s: cannot be written: %s", options->json_path, strerror(errno));
}

int command_watch(int argc, char **argv)
{
	struct options options;
	struct setup setup = {0};
	struct watch watch = {0};
	struct error error = {0};
	int result;

	options_parse(argc, argv, OPTIONS_WATCH, DOC, &options);
	result = read_numbers(&options, &watch, &error);
	if (!result)
		result = open_lines(&options, &watch, &error);
	if (!result)
		result = bring_up_device(&options, DEVICE_LOOK, &setup, &error);
	if (!result) {
		watch.device = setup.device;
		watch.identity = device_identity(setup.device);
		watch.cancel = interrupt_watch();
		result = look_on(&watch, &error);
	}
	if (watch.lines && watch.lines != stdout && fclose(watch.lines) && !result)
		result = error_set(&error, ERROR_PLAN, "--json %s: cannot be written: %s", options.json_path,
		                   strerror(errno));
	result = result ? exit_code_of(&error, argv[0]) : EXIT_VALID;
	tear_down(&setup);
	options_free(&options);
	return result;
}
