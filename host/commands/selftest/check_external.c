/* SPDX-License-Identifier: Apache-2.0 */
/* Cables: which port each one leads to, that it loses nothing at line rate, and its latency. What is measured is all
 * that lies between the two time stamps except a device under test: cable, transceivers, MAC and PHY of both ports. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "host/base/rate.h"
#include "host/commands/selftest/sizes.h"
#include "host/commands/selftest/traffic.h"

enum { PROBE_FRAMES = 100, DRAIN_NS = 1000000 };

/* Clock crossings shift a time stamp by a few periods of a 322 MHz clock; a device that stores or queues frames is far
 * above this. A card may state more. */
static const double MOST_SPREAD_NS = 100;

static double ns_of(const struct session *session, double ot)
{
	return ot * 8e9 / (double)session->identity->link_bps;
}

static uint64_t drain_ot(const struct session *session)
{
	return octet_times_from_ns(DRAIN_NS, session->identity->link_bps);
}

/* One port sends, all receive. */
static int send_from(struct session *session, unsigned from, const struct traffic *traffic)
{
	int status = 0;

	for (unsigned port = 0; !status && port < session->identity->ports; port++)
		if (port != from)
			status = traffic_mute(session, port, false);
	if (!status)
		status = traffic_program(session, from, traffic, false);
	return status ? status : traffic_run(session, traffic, drain_ot(session));
}

/* Finds the port where frames of `from` come out. *to is the number of ports if there is none; the row then says why.
 */
static int find_end(struct session *session, unsigned from, unsigned *to, struct selftest_row *row)
{
	unsigned ports = session->identity->ports;
	struct traffic probe = {.frame_octets = MIN_FRAME_OCTETS,
	                        .frames = PROBE_FRAMES,
	                        .destinations = 1,
	                        .max_frame_octets = MAX_FRAME_OCTETS};
	int status;

	*to = ports;
	status = send_from(session, from, &probe);
	for (unsigned port = 0; !status && port < ports; port++) {
		uint64_t frames = 0;

		status = get64(session, FPGAUGE_COUNTER(port, FPGAUGE_COUNTER_RX_FRAMES), &frames);
		if (status || frames == 0)
			continue;
		if (*to < ports) {
			row_fail(row, "frames come out at ports %u and %u: that is not a cable", *to, port);
			*to = ports;
			return 0;
		}
		*to = port;
	}
	if (!status && *to == ports)
		row_fail(row, "none of %d frames came back: no cable, no link, or a device that holds them",
		         PROBE_FRAMES);
	return status;
}

/* Adds the latencies of one frame size to those of all sizes. */
static void add(struct calibration_cable *cable, const struct counters *receiver)
{
	const uint64_t *value = receiver->value;
	uint64_t frames = value[FPGAUGE_COUNTER_RX_LATENCY_FRAMES];
	double sum_ot = ldexp((double)value[FPGAUGE_COUNTER_RX_LATENCY_SUM_HIGH], 64) +
	                (double)value[FPGAUGE_COUNTER_RX_LATENCY_SUM];

	if (frames == 0)
		return;
	if (cable->frames == 0 || value[FPGAUGE_COUNTER_RX_LATENCY_MIN] < cable->min_ot)
		cable->min_ot = value[FPGAUGE_COUNTER_RX_LATENCY_MIN];
	if (value[FPGAUGE_COUNTER_RX_LATENCY_MAX] > cable->max_ot)
		cable->max_ot = value[FPGAUGE_COUNTER_RX_LATENCY_MAX];
	cable->mean_ot = (cable->mean_ot * (double)cable->frames + sum_ot) / (double)(cable->frames + frames);
	cable->frames += frames;
}

static void judge(const struct session *session, const struct calibration_cable *all, const struct counters *sender,
                  const struct counters *receiver, struct selftest_row *row)
{
	struct calibration_cable here = {.from = all->from, .to = all->to};
	uint64_t sent = sender->value[FPGAUGE_COUNTER_TX_FRAMES];
	uint64_t received = receiver->value[FPGAUGE_COUNTER_RX_RECEIVED_FRAMES];
	double spread_ns = ns_of(session, (double)(all->max_ot - all->min_ot));
	double stated_ns = ns_of(session, session->identity->tx_time_error_ot + session->identity->rx_time_error_ot);
	double most_ns = stated_ns > MOST_SPREAD_NS ? stated_ns : MOST_SPREAD_NS;

	add(&here, receiver);
	row_value(row, "to_port", all->to);
	row_value(row, "offered_frames", (double)sent);
	row_value(row, "received_frames", (double)received);
	row_value(row, "latency_min_ns", ns_of(session, (double)here.min_ot));
	row_value(row, "latency_mean_ns", ns_of(session, here.mean_ot));
	row_value(row, "latency_max_ns", ns_of(session, (double)here.max_ot));
	row_text(row, "to port %u: %" PRIu64 " frames, none lost, latency %.2f / %.2f / %.2f ns", all->to, sent,
	         ns_of(session, (double)here.min_ot), ns_of(session, here.mean_ot),
	         ns_of(session, (double)here.max_ot));
	if (received != sent)
		row_fail(row,
		         "to port %u: %" PRIu64 " of %" PRIu64 " frames came back, %" PRIu64 " bad, %" PRIu64
		         " with a changed payload",
		         all->to, received, sent, receiver->value[FPGAUGE_COUNTER_RX_BAD_FRAMES],
		         receiver->value[FPGAUGE_COUNTER_RX_BAD_PAYLOAD_FRAMES]);
	else if (spread_ns > most_ns)
		row_fail(row, "to port %u: latency differs by %.2f ns, must be within %.0f: is a device in between?",
		         all->to, spread_ns, most_ns);
}

static int measure(struct session *session, struct calibration_cable *cable, bool *passes)
{
	int status = 0;

	for (size_t i = 0; !status && i < SELFTEST_SIZE_COUNT; i++) {
		struct traffic traffic = selftest_line_rate(session, SELFTEST_SIZES[i]);
		struct counters sender, receiver;
		struct selftest_row *row;

		status = traffic_write_expected(session, cable->to, cable->from, &traffic);
		if (!status)
			status = send_from(session, cable->from, &traffic);
		if (!status)
			status = traffic_read(session, cable->from, &sender);
		if (!status)
			status = traffic_read(session, cable->to, &receiver);
		if (status)
			break;
		row = row_open(session, "external", (int)cable->from, SELFTEST_SIZES[i]);
		if (!row)
			return ERROR_INTERNAL;
		add(cable, &receiver);
		judge(session, cable, &sender, &receiver, row);
		status = link_explain(session, cable->to, row);
		*passes = *passes && row->verdict == SELFTEST_PASS;
		row_close(session, row);
	}
	return status;
}

static int check_port(struct session *session, unsigned from)
{
	struct selftest_report *report = session->report;
	struct selftest_row *row = row_open(session, "external", (int)from, 0);
	struct calibration_cable cable = {.from = from};
	bool passes = true;
	int status;

	if (!row)
		return ERROR_INTERNAL;
	status = find_end(session, from, &cable.to, row);
	if (status)
		return status;
	if (row->verdict == SELFTEST_PASS)
		row_text(row, "the cable leads to port %u", cable.to);
	row_close(session, row);
	if (row->verdict == SELFTEST_FAIL)
		return 0;
	status = measure(session, &cable, &passes);
	if (!status && passes && report->cable_count < SELFTEST_MAX_PORTS)
		report->cables[report->cable_count++] = cable;
	return status;
}

int check_external(struct session *session)
{
	int status = 0;

	for (unsigned port = 0; !status && port < session->identity->ports; port++)
		status = check_port(session, port);
	return status;
}
