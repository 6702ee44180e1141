/* SPDX-License-Identifier: Apache-2.0 */
/* All ports at line rate in internal loopback, at every frame size of the RFCs: nothing is lost, the average gap is 12,
 * and latency is 0, as that of the loop inside the core is (docs/hardware-core.md). */
#include <inttypes.h>

#include "host/base/rate.h"
#include "host/commands/selftest/sizes.h"
#include "host/commands/selftest/traffic.h"

/* RFC 2544 section 9.1, and the longest frame that a plan may ask for. */
const uint32_t SELFTEST_SIZES[SELFTEST_SIZE_COUNT] = {64, 128, 256, 512, 1024, 1280, 1518, MAX_FRAME_OCTETS};

struct traffic selftest_line_rate(const struct session *session, uint32_t frame_octets)
{
	uint64_t octets = octet_times_from_ns(session->config->line_ns, session->identity->link_bps);
	uint64_t frames = octets / (frame_octets + LINE_OVERHEAD_OCTETS);

	return (struct traffic){.frame_octets = frame_octets,
	                        .frames = frames < 2 ? 2 : frames,
	                        .destinations = 1,
	                        .max_frame_octets = MAX_FRAME_OCTETS};
}

/* Answers what people want to know, in their terms, before all counters are compared. */
static void judge(struct selftest_row *row, const struct counters *seen, const struct counters *expected)
{
	const uint64_t *value = seen->value;
	uint64_t sent = value[FPGAUGE_COUNTER_TX_FRAMES], received = value[FPGAUGE_COUNTER_RX_RECEIVED_FRAMES];
	uint64_t gaps = value[FPGAUGE_COUNTER_TX_GAPS], gap_sum = value[FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS];
	double mean = gaps ? (double)gap_sum / (double)gaps : 0;

	row_value(row, "offered_frames", (double)sent);
	row_value(row, "received_frames", (double)received);
	row_value(row, "gap_min_octets", (double)value[FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS]);
	row_value(row, "gap_mean_octets", mean);
	row_value(row, "gap_max_octets", (double)value[FPGAUGE_COUNTER_TX_GAP_MAX_OCTETS]);
	row_value(row, "latency_min_ot", (double)value[FPGAUGE_COUNTER_RX_LATENCY_MIN]);
	row_value(row, "latency_max_ot", (double)value[FPGAUGE_COUNTER_RX_LATENCY_MAX]);
	row_text(row, "%" PRIu64 " frames, none lost, gaps %" PRIu64 " to %" PRIu64 ", average %.4f, latency 0", sent,
	         value[FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS], value[FPGAUGE_COUNTER_TX_GAP_MAX_OCTETS], mean);
	if (received != sent)
		row_fail(row, "%" PRIu64 " of %" PRIu64 " frames came back", received, sent);
	if (value[FPGAUGE_COUNTER_RX_LATENCY_MIN] != 0 || value[FPGAUGE_COUNTER_RX_LATENCY_MAX] != 0)
		row_fail(row, "latency is %" PRIu64 " to %" PRIu64 " octet times, must be 0",
		         value[FPGAUGE_COUNTER_RX_LATENCY_MIN], value[FPGAUGE_COUNTER_RX_LATENCY_MAX]);
	if (gap_sum != expected->value[FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS])
		row_fail(row, "the average gap is %.4f octets, must be %d", mean, MIN_GAP_OCTETS);
	traffic_compare(row, seen, expected);
}

static int check_size(struct session *session, uint32_t frame_octets)
{
	struct traffic traffic = selftest_line_rate(session, frame_octets);
	unsigned ports = session->identity->ports;
	uint64_t start_ot = 0;
	int status = 0;

	for (unsigned port = 0; !status && port < ports; port++)
		status = traffic_program(session, port, &traffic, true);
	if (!status)
		status = traffic_run(session, &traffic, 0);
	if (!status)
		status = get64(session, FPGAUGE_GLOBAL_START_TIME, &start_ot);
	for (unsigned port = 0; !status && port < ports; port++) {
		struct stream_expected streams[TRAFFIC_ENTRIES];
		struct counters seen, expected;
		struct selftest_row *row;

		status = traffic_read(session, port, &seen);
		if (status)
			break;
		row = row_open(session, "loopback", (int)port, frame_octets);
		if (!row)
			return ERROR_INTERNAL;
		traffic_expect(&traffic, start_ot, &expected, streams);
		judge(row, &seen, &expected);
		row_close(session, row);
	}
	return status;
}

int check_loopback(struct session *session)
{
	int status = 0;

	for (size_t i = 0; !status && i < SELFTEST_SIZE_COUNT; i++)
		status = check_size(session, SELFTEST_SIZES[i]);
	return status;
}
