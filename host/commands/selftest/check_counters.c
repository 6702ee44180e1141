/* SPDX-License-Identifier: Apache-2.0 */
/* Sends known frames in loopback, after which every counter, stream, histogram bin and tag must be as expected. */
#include <inttypes.h>
#include <stdlib.h>

#include "host/base/rate.h"
#include "host/commands/selftest/traffic.h"

enum { DESTINATIONS = 7, FRAMES = 1000, MAX_TAGS = FPGAUGE_PORT_RX_TAG_INDEX_MAX + 1, FIRST_BIN = 1 };

/* Kinds of traffic, named after the counters they exercise. One burst of each is sent, the same on all ports. */
static const struct {
	const char *name;
	struct traffic traffic;
} BURSTS[] = {
        {"frames with wrong FCS, of an entry that is not expected, and tagged ones",
         {.frame_octets = MIN_FRAME_OCTETS,
          .frames = FRAMES,
          .destinations = DESTINATIONS,
          .bad_fcs_every = 10,
          .max_frame_octets = MAX_FRAME_OCTETS,
          .short_gap_octets = MIN_GAP_OCTETS,
          .tag_interval_ot = 1,
          .unexpected = {1u << (DESTINATIONS - 1)}}},
        {"frames that are too short",
         {.frame_octets = MIN_FRAME_OCTETS - 4,
          .frames = FRAMES,
          .destinations = 1,
          .max_frame_octets = MAX_FRAME_OCTETS}},
        {"frames that are too long",
         {.frame_octets = 200, .frames = FRAMES, .destinations = 1, .max_frame_octets = 199}},
};
enum { BURST_COUNT = sizeof(BURSTS) / sizeof(BURSTS[0]) };

static int check_stream(struct session *session, unsigned port, unsigned entry, const struct stream_expected *expected,
                        struct selftest_row *row)
{
	const struct {
		const char *name;
		uint32_t address;
		uint64_t expected;
	} reads[] = {{"tx_stream_frames", FPGAUGE_PORT_TX_STREAM_FRAMES(port), expected->sent},
	             {"rx_stream_received", FPGAUGE_PORT_RX_STREAM_RECEIVED(port), expected->received},
	             {"rx_stream_lost", FPGAUGE_PORT_RX_STREAM_LOST(port), expected->lost},
	             {"rx_stream_duplicated", FPGAUGE_PORT_RX_STREAM_DUPLICATED(port), 0},
	             {"rx_stream_reordered", FPGAUGE_PORT_RX_STREAM_REORDERED(port), 0},
	             {"rx_stream_late", FPGAUGE_PORT_RX_STREAM_LATE(port), 0},
	             {"rx_stream_sequence_gaps", FPGAUGE_PORT_RX_STREAM_SEQUENCE_GAPS(port), expected->gaps},
	             {"rx_stream_next", FPGAUGE_PORT_RX_STREAM_NEXT(port), expected->next},
	             {"rx_stream_unexpected", FPGAUGE_PORT_RX_STREAM_UNEXPECTED(port), expected->unexpected},
	             {"rx_stream_latency_min", FPGAUGE_PORT_RX_STREAM_LATENCY_MIN(port),
	              expected->received != 0 ? 0 : UINT64_MAX},
	             {"rx_stream_latency_max", FPGAUGE_PORT_RX_STREAM_LATENCY_MAX(port), 0},
	             {"rx_stream_latency_sum", FPGAUGE_PORT_RX_STREAM_LATENCY_SUM(port), 0},
	             {"rx_stream_latency_sum_high", FPGAUGE_PORT_RX_STREAM_LATENCY_SUM_HIGH(port), 0}};
	int status = put32(session, FPGAUGE_PORT_TX_STREAM_INDEX(port), entry);

	if (!status)
		status = put32(session, FPGAUGE_PORT_RX_STREAM_INDEX(port), port * TRAFFIC_ENTRIES + entry);
	for (size_t i = 0; !status && i < sizeof(reads) / sizeof(*reads); i++) {
		uint64_t seen = 0;

		status = get64(session, reads[i].address, &seen);
		if (!status && seen != reads[i].expected)
			row_fail(row, "%s of entry %u is %" PRIu64 ", must be %" PRIu64, reads[i].name, entry, seen,
			         reads[i].expected);
	}
	return status;
}

/* Latency 0 belongs in the first regular bin, and in the first bin of octaves; the bins at both ends show whether there
 * are other values. */
static int check_histogram(struct session *session, unsigned port, uint64_t frames, struct selftest_row *row)
{
	const unsigned last = session->identity->histogram_bins - 1;
	const struct {
		const char *name;
		uint32_t index, count;
		unsigned bin;
		uint64_t expected;
	} looks[] = {
#define LOOK(name, NAME, bin, expected)                                                                                \
	{name, FPGAUGE_PORT_RX_##NAME##_INDEX(port), FPGAUGE_PORT_RX_##NAME##_COUNT(port), bin, expected}
	        LOOK("histogram bin", HISTOGRAM, 0, 0),     LOOK("histogram bin", HISTOGRAM, FIRST_BIN, frames),
	        LOOK("histogram bin", HISTOGRAM, last, 0),  LOOK("octave bin", OCTAVE_HISTOGRAM, 0, frames),
	        LOOK("octave bin", OCTAVE_HISTOGRAM, 1, 0), LOOK("octave bin", OCTAVE_HISTOGRAM, last, 0),
#undef LOOK
	};
	int status = 0;

	for (size_t i = 0; !status && i < sizeof(looks) / sizeof(*looks); i++) {
		uint64_t seen = 0;

		status = put32(session, looks[i].index, looks[i].bin);
		if (!status)
			status = get64(session, looks[i].count, &seen);
		if (!status && seen != looks[i].expected)
			row_fail(row, "%s %u has %" PRIu64 " frames, must be %" PRIu64, looks[i].name, looks[i].bin,
			         seen, looks[i].expected);
	}
	return status;
}

/* A histogram of gaps and the counters of the same gaps. */
struct gap_table {
	const char *what;
	uint32_t index_address, count_address;
	unsigned gaps, min_octets, sum_octets;
};

/* Starts are rounded down to a group, so gaps at line rate have one length, or two that are a group apart, and the sum
 * tells how many there are of each (docs/hardware-core.md). */
static int check_gap_table(struct session *session, const struct gap_table *table, const struct counters *counters,
                           struct selftest_row *row)
{
	enum { GROUP_OCTETS = 8, SHORT_BINS = 32 };
	const uint64_t gaps = counters->value[table->gaps], least = counters->value[table->min_octets];
	const uint64_t above = counters->value[table->sum_octets] - gaps * least;
	int status = 0;

	for (unsigned look = 0; !status && look <= SHORT_BINS; look++) {
		const unsigned bin = look < SHORT_BINS ? look : session->identity->histogram_bins - 1;
		uint64_t expected = 0, seen = 0;

		if (gaps != 0 && bin == least)
			expected = gaps - above / GROUP_OCTETS;
		else if (gaps != 0 && bin == least + GROUP_OCTETS)
			expected = above / GROUP_OCTETS;
		status = put32(session, table->index_address, bin);
		if (!status)
			status = get64(session, table->count_address, &seen);
		if (!status && seen != expected)
			row_fail(row, "bin %u of gaps %s has %" PRIu64 ", must be %" PRIu64, bin, table->what, seen,
			         expected);
	}
	return status;
}

static int check_gaps(struct session *session, unsigned port, const struct counters *counters, struct selftest_row *row)
{
	const struct gap_table sent = {"sent",
	                               FPGAUGE_PORT_TX_GAP_HISTOGRAM_INDEX(port),
	                               FPGAUGE_PORT_TX_GAP_HISTOGRAM_COUNT(port),
	                               FPGAUGE_COUNTER_TX_GAPS,
	                               FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS,
	                               FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS};
	const struct gap_table received = {"received",
	                                   FPGAUGE_PORT_RX_GAP_HISTOGRAM_INDEX(port),
	                                   FPGAUGE_PORT_RX_GAP_HISTOGRAM_COUNT(port),
	                                   FPGAUGE_COUNTER_RX_GAPS,
	                                   FPGAUGE_COUNTER_RX_GAP_MIN_OCTETS,
	                                   FPGAUGE_COUNTER_RX_GAP_SUM_OCTETS};
	const int status = check_gap_table(session, &sent, counters, row);

	return status ? status : check_gap_table(session, &received, counters, row);
}

/* Checks tagged frames one by one: from this port, with latency 0 and increasing times. */
static int check_tags(struct session *session, unsigned port, const struct counters *counters, struct selftest_row *row)
{
	uint64_t tagged = counters->value[FPGAUGE_COUNTER_RX_TAGGED_FRAMES], before = 0;
	uint64_t kept = tagged < MAX_TAGS ? tagged : MAX_TAGS;
	int status = 0;

	for (unsigned i = 0; !status && i < kept; i++) {
		uint32_t stream = 0;
		uint64_t latency = 0, time = 0;

		status = put32(session, FPGAUGE_PORT_RX_TAG_INDEX(port), i);
		if (!status)
			status = get32(session, FPGAUGE_PORT_RX_TAG_STREAM(port), &stream);
		if (!status)
			status = get64(session, FPGAUGE_PORT_RX_TAG_LATENCY(port), &latency);
		if (!status)
			status = get64(session, FPGAUGE_PORT_RX_TAG_TIME(port), &time);
		if (!status && (stream / TRAFFIC_ENTRIES != port || latency != 0 || time <= before))
			row_fail(row,
			         "tag %u: stream %" PRIu32 ", latency %" PRIu64 ", time %" PRIu64
			         ": must be from port %u, with latency 0, after %" PRIu64,
			         i, stream, latency, time, port, before);
		before = time;
	}
	return status;
}

static int check_port(struct session *session, unsigned port, const struct traffic *traffic, uint64_t start_ot,
                      struct selftest_row *row)
{
	struct stream_expected streams[TRAFFIC_ENTRIES];
	struct counters expected, seen;
	int status = traffic_read(session, port, &seen);

	if (status)
		return status;
	traffic_expect(traffic, start_ot, &expected, streams);
	traffic_compare(row, &seen, &expected);
	for (unsigned entry = 0; !status && entry <= traffic->destinations; entry++)
		status = check_stream(session, port, entry, &streams[entry], row);
	if (!status)
		status = check_histogram(session, port, expected.value[FPGAUGE_COUNTER_RX_RECEIVED_FRAMES], row);
	if (!status)
		status = check_gaps(session, port, &expected, row);
	return status ? status : check_tags(session, port, &expected, row);
}

static int check_burst(struct session *session, size_t number, struct selftest_row *rows)
{
	const struct traffic traffic = BURSTS[number].traffic;
	unsigned ports = session->identity->ports;
	uint64_t start_ot = 0;
	int status = 0;

	for (unsigned port = 0; !status && port < ports; port++)
		status = traffic_program(session, port, &traffic, true);
	if (!status)
		status = traffic_run(session, &traffic, 0);
	if (!status)
		status = get64(session, FPGAUGE_GLOBAL_START_TIME, &start_ot);
	for (unsigned port = 0; !status && port < ports; port++)
		status = check_port(session, port, &traffic, start_ot, &rows[port]);
	return status;
}

/* Nothing is left after a clear. */
static int check_clear(struct session *session, struct selftest_row *rows)
{
	const struct traffic nothing = {.destinations = 1};
	struct stream_expected streams[TRAFFIC_ENTRIES];
	struct counters expected, seen;
	int status = put32(session, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);

	if (!status)
		status = session_settle(session, FPGAUGE_GLOBAL_STATUS_CLEARING, "clearing");
	if (!status)
		status = put32(session, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
	traffic_expect(&nothing, 0, &expected, streams);
	for (unsigned port = 0; !status && port < session->identity->ports; port++) {
		status = traffic_read(session, port, &seen);
		if (!status)
			traffic_compare(&rows[port], &seen, &expected);
		if (!status)
			status = check_stream(session, port, 0, &streams[0], &rows[port]);
		if (!status)
			status = check_histogram(session, port, 0, &rows[port]);
		if (!status)
			status = check_gaps(session, port, &expected, &rows[port]);
	}
	return status;
}

int check_counters(struct session *session)
{
	size_t first = session->report->count;
	struct selftest_row *rows;
	int status = 0;

	for (unsigned port = 0; port < session->identity->ports; port++) {
		struct selftest_row *row = row_open(session, "counters", (int)port, 0);

		if (!row)
			return ERROR_INTERNAL;
		row_text(row, "all %d as expected after %d frames of %d kinds, 0 after a clear", FPGAUGE_COUNTER_COUNT,
		         FRAMES * BURST_COUNT, BURST_COUNT);
	}
	rows = &session->report->rows[first];
	for (size_t i = 0; !status && i < BURST_COUNT; i++)
		status = check_burst(session, i, rows);
	if (!status)
		status = check_clear(session, rows);
	for (unsigned port = 0; !status && port < session->identity->ports; port++)
		row_close(session, &rows[port]);
	return status;
}
