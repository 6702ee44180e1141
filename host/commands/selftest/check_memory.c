/* SPDX-License-Identifier: Apache-2.0 */
/* The table of expected streams of a port: the bit of every stream that it can send itself in both states, and each at
 * its own address.
 *
 * The table cannot be read, so frames show what it holds: in loopback, one frame is sent per entry, and it counts as
 * received if its stream is expected, and as unexpected if not. The receiver's stream tables and the transmitter's
 * count table are checked along with it, entry by entry.
 *
 * Not checked: the bits of streams from other ports, beyond that a write of them changes no other; and frame headers,
 * which are write-only, and no logic in the device reads them back. */
#include <inttypes.h>
#include <string.h>

#include "host/base/rate.h"
#include "host/commands/selftest/traffic.h"

enum { INDEX_BITS = 8, ROUNDS = 2 + INDEX_BITS };

/* Round 0: all are expected. Round 1: none is. In the others, those are not whose index has a given bit set, so that no
 * two entries are alike in all rounds. */
static void fill(struct traffic *traffic, unsigned round)
{
	memset(traffic->unexpected, 0, sizeof(traffic->unexpected));
	for (unsigned entry = 0; entry < TRAFFIC_ENTRIES; entry++)
		if (round == 1 || (round > 1 && entry >> (round - 2) & 1))
			traffic->unexpected[entry / 32] |= UINT32_C(1) << entry % 32;
}

/* Writes what other ports' streams could spoil: their words, with the opposite. */
static int write_others(struct session *session, unsigned port, const struct traffic *traffic)
{
	enum { WORDS = TRAFFIC_ENTRIES / 32 };
	int status = 0;

	for (unsigned word = 0; !status && word < session->identity->ports * WORDS; word++)
		if (word / WORDS != port)
			status = put32(session, FPGAUGE_PORT_RX_EXPECTED(port) + 4 * word,
			               traffic->unexpected[word % WORDS]);
	return status;
}

static int check_entry(struct session *session, unsigned port, unsigned entry, const struct traffic *traffic,
                       struct selftest_row *row)
{
	const uint64_t expected = traffic_expects(traffic, entry);
	uint64_t sent = 0, received = 0, unexpected = 0;
	int status = put32(session, FPGAUGE_PORT_TX_STREAM_INDEX(port), entry);

	if (!status)
		status = get64(session, FPGAUGE_PORT_TX_STREAM_FRAMES(port), &sent);
	if (!status)
		status = put32(session, FPGAUGE_PORT_RX_STREAM_INDEX(port), port * TRAFFIC_ENTRIES + entry);
	if (!status)
		status = get64(session, FPGAUGE_PORT_RX_STREAM_RECEIVED(port), &received);
	if (!status)
		status = get64(session, FPGAUGE_PORT_RX_STREAM_UNEXPECTED(port), &unexpected);
	if (!status && sent != 1)
		row_fail(row, "entry %u: %" PRIu64 " frames sent, must be 1", entry, sent);
	if (!status && (received != expected || unexpected != !expected))
		row_fail(row, "entry %u, %s: %" PRIu64 " frames received and %" PRIu64 " unexpected", entry,
		         expected ? "expected" : "not expected", received, unexpected);
	return status;
}

static int check_round(struct session *session, struct traffic *traffic, unsigned round, struct selftest_row *rows)
{
	unsigned ports = session->identity->ports;
	int status = 0;

	fill(traffic, round);
	for (unsigned port = 0; !status && port < ports; port++) {
		status = round == 0 ? traffic_program(session, port, traffic, true)
		                    : traffic_write_expected(session, port, port, traffic);
		if (!status)
			status = write_others(session, port, traffic);
	}
	if (!status)
		status = traffic_run(session, traffic, 0);
	for (unsigned port = 0; !status && port < ports; port++)
		for (unsigned entry = 0; !status && entry < traffic->destinations; entry++)
			status = check_entry(session, port, entry, traffic, &rows[port]);
	return status;
}

int check_memory(struct session *session)
{
	unsigned ports = session->identity->ports, entries = session->identity->destinations;
	struct traffic traffic = {.frame_octets = MIN_FRAME_OCTETS,
	                          .frames = entries,
	                          .destinations = entries,
	                          .max_frame_octets = MAX_FRAME_OCTETS};
	size_t first = session->report->count;
	struct selftest_row *rows;
	int status = 0;

	for (unsigned port = 0; port < ports; port++) {
		struct selftest_row *row = row_open(session, "memory", (int)port, 0);

		if (!row)
			return ERROR_INTERNAL;
		row_text(row, "expected streams of %u entries hold %d patterns, each at its own address", entries,
		         ROUNDS);
	}
	rows = &session->report->rows[first];
	for (unsigned round = 0; !status && round < ROUNDS; round++)
		status = check_round(session, &traffic, round, rows);
	fill(&traffic, 1); /* leave nothing expected behind */
	for (unsigned port = 0; !status && port < ports; port++)
		status = traffic_write_expected(session, port, port, &traffic);
	for (unsigned port = 0; !status && port < ports; port++)
		row_close(session, &rows[port]);
	return status;
}
