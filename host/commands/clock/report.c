// SPDX-License-Identifier: Apache-2.0
/* Offsets at some times from now on, each with its bound: the middle of what is possible, and half of its width. */
#include "host/commands/clock/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "host/base/format.h"
#include "host/base/json_write.h"
#include "host/base/rate.h"

static const unsigned AFTER_S[] = {0, 1, 10, 60, 600};
enum { AFTER_COUNT = sizeof(AFTER_S) / sizeof(*AFTER_S) };

/* "For current test equipment, this is usually a value within a range of 20 ns": RFC 8238 section 4.3. */
static const double USUAL_NS = 20;
static const double LONGEST_S = 86400;

struct moment {
	unsigned after_s;
	uint64_t a_ot;
	struct clock_offset offset, any; /* the offset with what the user says of asymmetry, and without */
};

static double ns_of(const struct clock_report *report, double ot)
{
	return ot * 8e9 / (double)report->identity[0]->link_bps;
}

static double ot_of(const struct clock_report *report, double ns)
{
	return ns * (double)report->identity[0]->link_bps / 8e9;
}

static struct moment moment_after(const struct clock_report *report, unsigned after_s)
{
	struct moment moment = {.after_s = after_s};

	moment.a_ot = report->now_ot + octet_times_from_ns(after_s * NS_PER_S, report->identity[0]->link_bps);
	moment.offset = clock_pair_offset(report->pair, moment.a_ot, ot_of(report, report->asymmetry_ns));
	moment.any = clock_pair_offset(report->pair, moment.a_ot, INFINITY);
	return moment;
}

static double bound_ns(const struct clock_report *report, const struct clock_offset *offset)
{
	return ns_of(report, (offset->ot.high - offset->ot.low) / 2);
}

static double offset_ns(const struct clock_report *report, const struct clock_offset *offset)
{
	return ns_of(report, (double)offset->base_ot) + ns_of(report, (offset->ot.high + offset->ot.low) / 2);
}

static double accurate_s(const struct clock_report *report)
{
	const uint64_t most_ot = (uint64_t)ot_of(report, LONGEST_S * 1e9);

	return ns_of(report, (double)clock_pair_lasts(report->pair, report->now_ot, ot_of(report, report->asymmetry_ns),
	                                              ot_of(report, USUAL_NS), most_ot)) *
	       1e-9;
}

/* Latencies of one way: bounds on the least, the mean and the most of them, and the widest half of a bound. */
struct latencies {
	size_t frames;
	struct clock_bound min, mean, max;
	double bound_ot;
};

static struct latencies latencies_of(const struct clock_report *report, enum clock_way way)
{
	struct latencies all = {.min = {INFINITY, INFINITY}, .max = {-INFINITY, -INFINITY}};

	for (size_t i = 0; i < report->through->count; i++) {
		const struct clock_sight *sight = &report->through->sight[i];
		struct clock_bound one;

		if (sight->way != way)
			continue;
		one = clock_pair_latency(report->pair, sight, ot_of(report, report->asymmetry_ns));
		all.frames++;
		all.min = (struct clock_bound){fmin(all.min.low, one.low), fmin(all.min.high, one.high)};
		all.max = (struct clock_bound){fmax(all.max.low, one.low), fmax(all.max.high, one.high)};
		all.mean = (struct clock_bound){all.mean.low + one.low, all.mean.high + one.high};
		all.bound_ot = fmax(all.bound_ot, (one.high - one.low) / 2);
	}
	all.mean = (struct clock_bound){all.mean.low / (double)all.frames, all.mean.high / (double)all.frames};
	return all;
}

static double middle_ns(const struct clock_report *report, struct clock_bound bound)
{
	return ns_of(report, (bound.low + bound.high) / 2);
}

/* -- text --------------------------------------------------------------------------------------------------------- */

static void print_bounds(const struct clock_report *report)
{
	printf("%-10s", "bound");
	for (unsigned i = 0; i < AFTER_COUNT; i++) {
		const struct moment moment = moment_after(report, AFTER_S[i]);

		if (i == 0)
			printf(" +-%.2f ns now", bound_ns(report, &moment.offset));
		else
			printf(", %.2f ns in %u s", bound_ns(report, &moment.offset), AFTER_S[i]);
	}
	printf("\n%-10s within 20 ns (RFC 8238 section 4.3) for %.1f s more\n", "accuracy", accurate_s(report));
}

static void print_assumptions(const struct clock_report *report)
{
	const struct moment now = moment_after(report, 0);

	printf("It holds if both ways between the ports take the same time to within %s (--asymmetry), and both clocks "
	       "keep "
	       "their rates,\nto within %s while measured (--wander). Whatever the asymmetry, it is +-%.2f ns now.\n",
	       format_time(report->asymmetry_ns * 1e-9).text, format_time(report->wander_ns * 1e-9).text,
	       bound_ns(report, &now.any));
}

static void print_latencies(const struct clock_report *report, enum clock_way way)
{
	const struct latencies all = latencies_of(report, way);
	const unsigned from = way == CLOCK_A_TO_B ? 0 : 1;

	printf("%-10s %c port %u to %c port %u, %u octets: %zu of %d frames came", "one way", "AB"[from],
	       report -> through_port[from], "AB"[1 - from], report -> through_port[1 - from], report -> through_octets,
	       all.frames, CLOCK_FRAMES);
	if (all.frames > 0)
		printf(", in %.2f / %.2f / %.2f ns (min / mean / max), +-%.2f ns; of these up to %.2f ns are errors of "
		       "time stamps",
		       middle_ns(report, all.min), middle_ns(report, all.mean), middle_ns(report, all.max),
		       ns_of(report, all.bound_ot), ns_of(report, report->through->error_ot[way]));
	printf("\n");
}

void clock_report_print(const struct clock_report *report)
{
	const struct clock_bound rate = report->pair->rate;
	struct clock_bound delay;
	struct moment now;

	printf("A: port %u of %s; B: port %u of %s; %d frames each way in %s\n", report->port[0],
	       report->identity[0]->name, report->port[1], report->identity[1]->name, CLOCK_FRAMES,
	       format_time(report->duration_ns * 1e-9).text);
	if (report->why_not[0] != '\0') {
		printf("INVALID: %s\n", report->why_not);
		return;
	}
	now = moment_after(report, 0);
	delay = clock_pair_delay(report->pair);
	printf("%-10s B is ahead of A by %.2f ns, when A shows %" PRIu64 " octet times\n", "offset",
	       offset_ns(report, &now.offset), now.a_ot);
	printf("%-10s B gains %.5f ppm on A, +-%.2g ppm\n", "drift", (rate.high + rate.low) / 2 * 1e6,
	       (rate.high - rate.low) / 2 * 1e6);
	print_bounds(report);
	printf("%-10s %.2f to %.2f ns between the ports, without what the devices state as errors (%.2f and %.2f ns)\n",
	       "delay", ns_of(report, delay.low), ns_of(report, delay.high),
	       ns_of(report, report->sights->error_ot[CLOCK_A_TO_B]),
	       ns_of(report, report->sights->error_ot[CLOCK_B_TO_A]));
	for (unsigned way = 0; report->through_octets > 0 && way < CLOCK_WAYS; way++)
		print_latencies(report, (enum clock_way)way);
	print_assumptions(report);
}

/* -- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *moment_json(const struct clock_report *report, unsigned after_s)
{
	const struct moment moment = moment_after(report, after_s);

	return json_pack("{s:i, s:I, s:I, s:f, s:f, s:f, s:f}", "after_s", (int)after_s, "a_ot",
	                 (json_int_t)moment.a_ot, "offset_base_ot", (json_int_t)moment.offset.base_ot, "offset_low_ot",
	                 moment.offset.ot.low, "offset_high_ot", moment.offset.ot.high, "bound_ns",
	                 bound_ns(report, &moment.offset), "bound_any_asymmetry_ns", bound_ns(report, &moment.any));
}

static json_t *bound_json(const struct clock_report *report, struct clock_bound bound)
{
	return json_pack("{s:f, s:f}", "low_ns", ns_of(report, bound.low), "high_ns", ns_of(report, bound.high));
}

/* A way on which no frame came has no latencies. */
static json_t *latencies_json(const struct clock_report *report, enum clock_way way)
{
	const struct latencies all = latencies_of(report, way);
	const unsigned from = way == CLOCK_A_TO_B ? 0 : 1;
	json_t *object =
	        json_pack("{s:s, s:i, s:i, s:i, s:i, s:I, s:f}", "way", way == CLOCK_A_TO_B ? "a_to_b" : "b_to_a",
	                  "from_port", (int)report->through_port[from], "to_port", (int)report->through_port[1 - from],
	                  "frame_octets", (int)report->through_octets, "sent_frames", CLOCK_FRAMES, "received_frames",
	                  (json_int_t)all.frames, "stamp_error_ns", ns_of(report, report->through->error_ot[way]));

	if (object == NULL || all.frames == 0)
		return object;
	json_put(object, "latency_min", bound_json(report, all.min));
	json_put(object, "latency_mean", bound_json(report, all.mean));
	json_put(object, "latency_max", bound_json(report, all.max));
	return object;
}

static void add_latencies(const struct clock_report *report, json_t *root)
{
	json_t *ways = json_array();

	for (unsigned way = 0; way < CLOCK_WAYS; way++)
		json_add(ways, latencies_json(report, (enum clock_way)way));
	json_put(root, "through", ways);
}

static void add_result(const struct clock_report *report, json_t *root)
{
	const struct clock_bound delay = clock_pair_delay(report->pair);
	json_t *offsets = json_array();

	for (unsigned i = 0; i < AFTER_COUNT; i++)
		json_add(offsets, moment_json(report, AFTER_S[i]));
	json_put(root, "drift_low_ppm", json_real(report->pair->rate.low * 1e6));
	json_put(root, "drift_high_ppm", json_real(report->pair->rate.high * 1e6));
	json_put(root, "delay_low_ns", json_real(ns_of(report, delay.low)));
	json_put(root, "delay_high_ns", json_real(ns_of(report, delay.high)));
	json_put(root, "within_20_ns_for_s", json_real(accurate_s(report)));
	json_put(root, "offsets", offsets);
	if (report->through_octets > 0)
		add_latencies(report, root);
}

json_t *clock_report_json(const struct clock_report *report)
{
	json_t *devices = json_array(), *root;

	for (unsigned i = 0; i < CLOCK_CARDS; i++)
		json_add(devices,
		         json_pack("{s:s, s:i, s:I}", "name", report->identity[i]->name, "port", (int)report->port[i],
		                   "bits_per_second", (json_int_t)report->identity[i]->link_bps));
	root = json_pack("{s:i, s:s, s:o, s:b, s:s, s:i, s:f, s:f, s:f, s:f, s:f}", "schema", 1, "tool",
	                 "fpgauge " FPGAUGE_VERSION, "devices", devices, "valid", report->why_not[0] == '\0',
	                 "invalid_reason", report->why_not, "frames_each_way", CLOCK_FRAMES, "duration_ns",
	                 report->duration_ns, "asymmetry_ns", report->asymmetry_ns, "wander_ns", report->wander_ns,
	                 "error_a_to_b_ns", ns_of(report, report->sights->error_ot[CLOCK_A_TO_B]), "error_b_to_a_ns",
	                 ns_of(report, report->sights->error_ot[CLOCK_B_TO_A]));
	if (root != NULL && report->why_not[0] == '\0')
		add_result(report, root);
	return root;
}
