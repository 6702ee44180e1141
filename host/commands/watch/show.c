/* SPDX-License-Identifier: Apache-2.0 */
/* A look of `fpgauge watch` as a line of JSON, or as a table on a terminal. */
#include "host/commands/watch/show.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/base/format.h"
#include "host/base/json_write.h"
#include "host/base/quantity.h"
#include "host/report/report.h"

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

/* "up", "down"; null where there is no MAC. */
static const char *link_text(uint32_t status)
{
	if (!(status & FPGAUGE_PORT_LINK_STATUS_PRESENT))
		return NULL;
	return status & FPGAUGE_PORT_LINK_STATUS_UP ? "up" : "down";
}

static json_t *port_json(const struct watch *watch, const struct live_snapshot *now, unsigned port,
                         const struct live_rates *rates)
{
	const struct port_counters *counters = &now->port[port];
	uint64_t link_bps = watch->identity->link_bps, frames = counters->rx_latency_frames;
	const char *link = link_text(watch->links.status[port]);
	json_t *all = json_object();

	/* A full 64-bit value does not fit into the JSON integers used here: the minimum of nothing is null. */
	for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++) {
		uint64_t value = live_counter(counters, i);

		json_put(all, live_counter_name(i), value > INT64_MAX ? json_null() : json_integer((json_int_t)value));
	}
	return json_pack("{s:i, s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "port", (int)port, "link", link,
	                 "link_flaps", link ? json_integer(watch->links.flaps[port]) : json_null(), "tx_fps",
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

		json_add(list, json_pack("{s:s, s:s, s:f}", "name", sensor->name, "unit", unit_text(sensor->unit),
		                         "value", sensor->value));
	}
	return list;
}

int watch_write_line(const struct watch *watch, const struct live_snapshot *before, const struct live_snapshot *now)
{
	json_t *ports = json_array(), *line;
	char stamp[CLOCK_TEXT_SIZE];
	double interval_s = NAN;
	int failed;

	clock_rfc3339_now(stamp, false);
	for (unsigned port = 0; port < now->ports; port++) {
		struct live_rates rates = live_rates(before, now, port, watch->identity->link_bps);

		json_add(ports, port_json(watch, now, port, &rates));
	}
	if (now->time_ot > before->time_ot)
		interval_s = seconds_from_octet_times(now->time_ot - before->time_ot, watch->identity->link_bps);
	line = json_pack("{s:s, s:f, s:o, s:o, s:o}", "time", stamp, "device_s",
	                 seconds_from_octet_times(now->time_ot, watch->identity->link_bps), "interval_s",
	                 number(interval_s), "ports", ports, "sensors", sensors_json(&watch->sensors));
	failed = report_json_write(line, JSON_COMPACT, watch->lines) || fflush(watch->lines) == EOF;
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

	printf("%4u  %14" PRIu64 " %12s %8s  %14" PRIu64 " %12s %8s  %10" PRIu64 " %10" PRIu64 " %10" PRIu64
	       "  %10s %10s %10s\n",
	       port, counters->tx_frames, rate_text(rates.tx_fps).text,
	       share_text(rates.tx_line_bps, watch->identity->link_bps).text, counters->rx_frames,
	       rate_text(rates.rx_fps).text, share_text(rates.rx_line_bps, watch->identity->link_bps).text,
	       counters->rx_lost_frames, counters->rx_late_frames, counters->rx_bad_frames,
	       latency_text((double)counters->rx_latency_min * ns).text, latency_text(rates.latency_mean_ns).text,
	       latency_text((double)counters->rx_latency_max * ns).text);
}

static void print_links(const struct live_links *links)
{
	for (unsigned port = 0; port < links->ports; port++)
		if (link_text(links->status[port]))
			printf("%sport %u %s, down %" PRIu32 " time%s since load", port > 0 ? "; " : "\nlink: ", port,
			       link_text(links->status[port]), links->flaps[port], links->flaps[port] == 1 ? "" : "s");
	if (link_text(links->status[0]))
		printf("\n");
}

int watch_print_table(const struct watch *watch, const struct live_snapshot *before, const struct live_snapshot *now)
{
	/* ESC [ H goes to the upper left corner, ESC [ J clears from there. */
	printf("\033[H\033[J%s, %u ports at %s; device time %.3f s\n\n", watch->identity->name, now->ports,
	       format_bit_rate(watch->identity->link_bps).text,
	       seconds_from_octet_times(now->time_ot, watch->identity->link_bps));
	printf("port  %14s %12s %8s  %14s %12s %8s  %10s %10s %10s  %10s %10s %10s\n", "sent", "rate", "of line",
	       "received", "rate", "of line", "lost", "late", "bad", "lat. min", "mean now", "max");
	for (unsigned port = 0; port < now->ports; port++)
		print_port(watch, before, now, port);
	print_links(&watch->links);
	for (unsigned i = 0; i < watch->sensors.count; i++)
		printf("%s%s %.1f %s", i > 0 ? ", " : "\n", watch->sensors.sensor[i].name,
		       watch->sensors.sensor[i].value, unit_text(watch->sensors.sensor[i].unit));
	if (watch->sensors.count > 0)
		printf("\n");
	return fflush(stdout) == EOF;
}

/* -- no device ---------------------------------------------------------------------------------------------------- */

int watch_write_gone(const struct watch *watch, const char *why)
{
	json_t *line;
	char stamp[CLOCK_TEXT_SIZE];
	int failed;

	clock_rfc3339_now(stamp, false);
	line = json_pack("{s:s, s:s}", "time", stamp, "gone", why);
	failed = json_dumpf(line, watch->lines, JSON_COMPACT | JSON_PRESERVE_ORDER) ||
	         fputc('\n', watch->lines) == EOF || fflush(watch->lines) == EOF;
	json_decref(line);
	return failed;
}

int watch_print_gone(const struct watch *watch, const char *why)
{
	printf("\033[H\033[J%s\n\nThe device is gone since %s; looked for every %s until it is back.\n", why,
	       watch->gone_since, format_time((double)watch->interval_ns * 1e-9).text);
	return fflush(stdout) == EOF;
}
