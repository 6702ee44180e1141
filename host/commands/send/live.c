/* SPDX-License-Identifier: Apache-2.0 */
/* Rates are differences between two snapshots over the device's own time. What a receiver counts as lost while frames
 * are sent are gaps in the sequence of a flow; a frame in flight is not among them, nor are the last ones of a flow. */
#include "host/commands/send/live.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "host/base/clock.h"
#include "host/base/format.h"
#include "host/base/json_write.h"
#include "host/console/interrupt.h"
#include "host/console/standard_output.h"
#include "host/report/report.h"

/* A table is for people: not more often than they can read, and at times also where an interval takes long. */
static const double TABLE_LEAST_S = 0.1, TABLE_MOST_S = 1;
static const double TWO_64 = 18446744073709551616.0;

/* Numbers that a port shows. Counts are since the start, rates since the last update: NAN in the verdict. */
struct row {
	uint64_t sent_frames, received_frames, lost_frames; /* COUNT_UNKNOWN: shown as unknown */
	uint64_t reordered_frames, late_frames;
	double tx_fps, rx_fps, tx_line_bps, rx_line_bps;
	double min_ns, mean_ns, max_ns; /* NAN: nothing was received */
};

static double ns_of(const struct send_live *live, double ot)
{
	return ot * 8e9 / (double)device_identity(live->device)->link_bps;
}

/* Returns by how much what is behind the ports of a card may move a frame, beyond a constant; 0: nothing is. */
static double error_ns(const struct send_live *live)
{
	const struct device_identity *identity = device_identity(live->device);

	return ns_of(live, (double)identity->tx_time_error_ot + (double)identity->rx_time_error_ot);
}

static struct row row_of_look(const struct send_live *live, const struct live_snapshot *now, unsigned port)
{
	const struct port_counters *c = &now->port[port];
	const struct live_rates rates = live_rates(&live->before, now, port, device_identity(live->device)->link_bps);
	const double frames = c->rx_latency_frames ? (double)c->rx_latency_frames : NAN;
	const double sum_ot = (double)c->rx_latency_sum_high * TWO_64 + (double)c->rx_latency_sum;

	return (struct row){
	        .sent_frames = c->tx_frames,
	        .received_frames = c->rx_received_frames,
	        .lost_frames = c->rx_lost_frames,
	        .reordered_frames = c->rx_reordered_frames,
	        .late_frames = c->rx_late_frames,
	        .tx_fps = rates.tx_fps,
	        .rx_fps = rates.rx_fps,
	        .tx_line_bps = rates.tx_line_bps,
	        .rx_line_bps = rates.rx_line_bps,
	        .min_ns = c->rx_latency_frames ? ns_of(live, (double)c->rx_latency_min) : NAN,
	        .mean_ns = ns_of(live, sum_ot / frames),
	        .max_ns = c->rx_latency_frames ? ns_of(live, (double)c->rx_latency_max) : NAN,
	};
}

/* Frames that must have arrived at a port and did not: known where every flow is, and goes to one port. */
static uint64_t lost_at(const struct trial_result *result, unsigned port)
{
	uint64_t lost = 0;

	if (result->flows != result->flow_count)
		return COUNT_UNKNOWN;
	for (unsigned i = 0; i < result->flows; i++) {
		if (result->flow[i].arrives & (result->flow[i].arrives - 1))
			return COUNT_UNKNOWN;
		if (result->flow[i].arrives == 1U << port)
			lost += result->flow[i].lost_frames;
	}
	return lost;
}

static struct row row_of_latency(const struct send_live *live, const struct latency_stats *latency)
{
	const bool known = latency->frames != 0;

	return (struct row){
	        .tx_fps = NAN,
	        .rx_fps = NAN,
	        .tx_line_bps = NAN,
	        .rx_line_bps = NAN,
	        .min_ns = known ? ns_of(live, (double)latency->min_ot) : NAN,
	        .mean_ns = known ? ns_of(live, latency->mean_ot) : NAN,
	        .max_ns = known ? ns_of(live, (double)latency->max_ot) : NAN,
	};
}

static struct row row_of_result(const struct send_live *live, const struct trial_result *result, unsigned port)
{
	struct row row = row_of_latency(live, &result->port[port].latency);

	row.sent_frames = result->port[port].offered_frames;
	row.received_frames = result->port[port].received_frames;
	row.lost_frames = result->valid ? lost_at(result, port) : COUNT_UNKNOWN;
	row.reordered_frames = result->valid ? result->port[port].reordered_frames : COUNT_UNKNOWN;
	row.late_frames = result->valid ? result->port[port].late_frames : COUNT_UNKNOWN;
	return row;
}

static struct row row_of_all(const struct send_live *live, const struct trial_result *result)
{
	struct row row = row_of_latency(live, &result->latency);

	row.sent_frames = result->offered_frames;
	row.received_frames = result->received_frames;
	row.lost_frames = result->valid ? result->lost_frames : COUNT_UNKNOWN;
	row.reordered_frames = result->valid ? result->reordered_frames : COUNT_UNKNOWN;
	row.late_frames = result->valid ? result->late_frames : COUNT_UNKNOWN;
	return row;
}

static double seconds(const struct send_live *live, uint64_t ot)
{
	return seconds_from_octet_times(ot, device_identity(live->device)->link_bps);
}

/* -- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *number(double value)
{
	return isnan(value) ? json_null() : json_real(value);
}

static json_t *count(uint64_t value)
{
	return value > INT64_MAX ? json_null() : json_integer((json_int_t)value);
}

static json_t *counts_of(const struct row *row)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "sent_frames", count(row->sent_frames),
	                 "received_frames", count(row->received_frames), "lost_frames", count(row->lost_frames),
	                 "reordered_frames", count(row->reordered_frames), "late_frames", count(row->late_frames),
	                 "latency_min_ns", number(row->min_ns), "latency_mean_ns", number(row->mean_ns),
	                 "latency_max_ns", number(row->max_ns));
}

static json_t *port_json(unsigned port, const struct row *row, bool with_rates)
{
	json_t *object = json_pack("{s:i}", "port", (int)port), *counts = counts_of(row);

	if (with_rates) {
		json_t *rates =
		        json_pack("{s:o, s:o, s:o, s:o}", "tx_fps", number(row->tx_fps), "rx_fps", number(row->rx_fps),
		                  "tx_line_bps", number(row->tx_line_bps), "rx_line_bps", number(row->rx_line_bps));

		json_put_all(object, rates);
		json_decref(rates);
	}
	json_put_all(object, counts);
	json_decref(counts);
	return object;
}

/* Takes over the line. */
static int write_line(const struct send_live *live, json_t *line, struct error *error)
{
	int failed = report_json_write(line, JSON_COMPACT, live->lines) || fflush(live->lines) == EOF;

	json_decref(line);
	return failed ? error_set(error, ERROR_PLAN, "the output cannot be written: %s", strerror(errno)) : 0;
}

static json_t *begin_line(const struct send_live *live, const char *state, double sent_s)
{
	char stamp[CLOCK_TEXT_SIZE];

	clock_rfc3339_now(stamp, false);
	return json_pack("{s:s, s:s, s:f, s:f}", "time", stamp, "state", state, "sent_s", sent_s, "latency_error_ns",
	                 error_ns(live));
}

static int write_look(const struct send_live *live, const struct live_snapshot *now, uint64_t sent_ot,
                      struct error *error)
{
	json_t *line = begin_line(live, "sending", seconds(live, sent_ot)), *ports = json_array();

	for (unsigned port = 0; port < now->ports; port++) {
		const struct row row = row_of_look(live, now, port);

		json_add(ports, port_json(port, &row, true));
	}
	json_put(line, "interval_s", json_real(seconds(live, now->time_ot - live->before.time_ot)));
	json_put(line, "ports", ports);
	return write_line(live, line, error);
}

static int write_end(const struct send_live *live, const struct trial_result *result, bool stopped, struct error *error)
{
	json_t *line = begin_line(live, "done", result->duration_s), *ports = json_array(), *counts;
	const struct row all = row_of_all(live, result);

	json_put(line, "stopped", json_boolean(stopped));
	json_put(line, "valid", json_boolean(result->valid));
	json_put(line, "why_invalid", result->valid ? json_null() : json_string(result->why_invalid));
	json_put(line, "load_fps", json_real(result->intended_fps));
	counts = counts_of(&all);
	json_put_all(line, counts);
	json_decref(counts);
	for (unsigned port = 0; port < result->ports; port++) {
		const struct row row = row_of_result(live, result, port);

		json_add(ports, port_json(port, &row, false));
	}
	json_put(line, "ports", ports);
	return write_line(live, line, error);
}

/* -- table -------------------------------------------------------------------------------------------------------- */

static struct format_text time_text(double ns)
{
	return isnan(ns) ? (struct format_text){"-"} : format_time(ns * 1e-9);
}

static struct format_text rate_text(double fps)
{
	return isnan(fps) ? (struct format_text){"-"} : format_fps(fps);
}

static struct format_text share_text(const struct send_live *live, double line_bps)
{
	return isnan(line_bps) ? (struct format_text){"-"}
	                       : format_percent(line_bps / (double)device_identity(live->device)->link_bps);
}

static struct format_text count_text(uint64_t value)
{
	struct format_text text = {"-"};

	if (value != COUNT_UNKNOWN)
		snprintf(text.text, sizeof(text.text), "%" PRIu64, value);
	return text;
}

static void print_heading(bool with_rates)
{
	printf("port  %14s ", "sent");
	if (with_rates)
		printf("%12s %8s ", "rate", "of line");
	printf(" %14s ", "received");
	if (with_rates)
		printf("%12s %8s ", "rate", "of line");
	printf(" %10s %10s %10s  %10s %10s %10s\n", "lost", "reordered", "late", "lat. min", "mean", "max");
}

static void print_row(const struct send_live *live, const char *name, const struct row *row, bool with_rates)
{
	printf("%4s  %14s ", name, count_text(row->sent_frames).text);
	if (with_rates)
		printf("%12s %8s ", rate_text(row->tx_fps).text, share_text(live, row->tx_line_bps).text);
	printf(" %14s ", count_text(row->received_frames).text);
	if (with_rates)
		printf("%12s %8s ", rate_text(row->rx_fps).text, share_text(live, row->rx_line_bps).text);
	printf(" %10s %10s %10s  %10s %10s %10s\n", count_text(row->lost_frames).text,
	       count_text(row->reordered_frames).text, count_text(row->late_frames).text, time_text(row->min_ns).text,
	       time_text(row->mean_ns).text, time_text(row->max_ns).text);
}

/* Prints it as a report does below a caption; where nothing moves a frame, nothing is said. */
static void print_exactness(const struct send_live *live)
{
	if (error_ns(live) > 0)
		printf("latency right within %.1f ns, beyond a constant\n", error_ns(live));
}

static void print_look(const struct send_live *live, const struct live_snapshot *now, uint64_t sent_ot)
{
	const struct device_identity *identity = device_identity(live->device);
	char name[16];

	/* ESC [ H goes to the upper left corner, ESC [ J clears from there. */
	printf("\033[H\033[J%s, %u ports at %s; sending for %.3f s\n\n", identity->name, now->ports,
	       format_bit_rate(identity->link_bps).text, seconds(live, sent_ot));
	print_heading(true);
	for (unsigned port = 0; port < now->ports; port++) {
		const struct row row = row_of_look(live, now, port);

		snprintf(name, sizeof(name), "%u", port);
		print_row(live, name, &row, true);
	}
	print_exactness(live);
}

static void print_late(const struct trial_result *result)
{
	if (result->far_reordered_frames)
		printf("%" PRIu64 " frames were overtaken by 64 or more of their flow: they count as reordered, not as "
		       "lost; of a device that duplicates as late as this, as many more may be lost\n",
		       result->far_reordered_frames);
	if (result->late_frames)
		printf("%" PRIu64 " frames came so late that they could not be told from second copies, which came "
		       "too: they count as lost\n",
		       result->late_frames);
}

static void print_end(const struct send_live *live, const struct trial_result *result, bool stopped)
{
	const struct row all = row_of_all(live, result);
	const double expected = (double)(result->received_frames + result->lost_frames);
	char name[16];

	if (live->redraws)
		printf("\033[H\033[J");
	printf("%s sent %s at %s from each sending port%s\n\n", device_identity(live->device)->name,
	       format_time(result->duration_s).text, format_fps(result->intended_fps).text,
	       stopped ? ", then was stopped" : "");
	print_heading(false);
	for (unsigned port = 0; port < result->ports; port++) {
		const struct row row = row_of_result(live, result, port);

		snprintf(name, sizeof(name), "%u", port);
		print_row(live, name, &row, false);
	}
	print_row(live, "all", &all, false);
	print_exactness(live);
	if (!result->valid) {
		printf("\nINVALID: %s\n", result->why_invalid);
		return;
	}
	printf("\nvalid: lost %" PRIu64 " of %.0f frames, %s\n", result->lost_frames, expected,
	       format_percent(expected > 0 ? (double)result->lost_frames / expected : 0).text);
	print_late(result);
}

/* -- looks -------------------------------------------------------------------------------------------------------- */

static bool is_due(struct send_live *live, uint64_t sent_ot)
{
	const bool interval = sent_ot >= live->due_ot;
	double now_s;

	if (live->lines)
		return interval;
	if (!live->redraws)
		return false;
	now_s = clock_s();
	if (now_s - live->drawn_s < (interval ? TABLE_LEAST_S : TABLE_MOST_S))
		return false;
	live->drawn_s = now_s;
	return true;
}

/* The device time at which the first frame of all ports left; that of the snapshot, if none has. */
static uint64_t start_of(const struct live_snapshot *now)
{
	uint64_t start_ot = now->time_ot;

	for (unsigned port = 0; port < now->ports; port++)
		if (now->port[port].tx_frames && now->port[port].tx_first_time < start_ot)
			start_ot = now->port[port].tx_first_time;
	return start_ot;
}

int send_live_look(void *user, uint64_t *sent_ot, struct error *error)
{
	struct send_live *live = user;
	struct live_snapshot now;
	int status = 0;

	if (live->due_ot == 0)
		live->due_ot = live->interval_ot;
	if (!is_due(live, *sent_ot))
		return 0;
	if (live_read(live->device, &now, error))
		return error->code;
	if (now.time_ot - start_of(&now) > *sent_ot)
		*sent_ot = now.time_ot - start_of(&now);
	if (live->before.time_ot == 0) /* counters were cleared when sending began */
		live->before.time_ot = start_of(&now);
	if (live->lines)
		status = write_look(live, &now, *sent_ot, error);
	else
		print_look(live, &now, *sent_ot);
	if (live->until_stopped && standard_output_is_gone()) /* nobody looks on */
		interrupt_ask();
	live->before = now;
	live->due_ot = (*sent_ot / live->interval_ot + 1) * live->interval_ot;
	if (status == 0 && !live->lines && fflush(stdout) == EOF)
		status = error_set(error, ERROR_PLAN, "the output cannot be written: %s", strerror(errno));
	return status;
}

int send_live_end(const struct send_live *live, const struct trial_result *result, bool stopped, struct error *error)
{
	if (live->lines && write_end(live, result, stopped, error))
		return error->code;
	if (live->lines == stdout)
		return 0;
	print_end(live, result, stopped);
	return fflush(stdout) == EOF ? error_set(error, ERROR_PLAN, "the output cannot be written: %s", strerror(errno))
	                             : 0;
}
