/* SPDX-License-Identifier: Apache-2.0 */
/* The destination memory of a port: every bit of every entry in both states, and every entry at its own address.
 *
 * The memory cannot be read, so frames show what it holds: in loopback, one frame is sent per entry, and it counts as
 * received if the entry names the port itself, and as arrived at a wrong port if it names another. The receiver's
 * stream table and the transmitter's count table are checked along with it, entry by entry.
 *
 * Not checked: frame headers. They are write-only, and no logic in the device reads them back. */
#include <inttypes.h>

#include "host/base/rate.h"
#include "host/selftest/traffic.h"

enum { PORT_BITS = 4, INDEX_BITS = 8, ROUNDS = 1 + PORT_BITS + INDEX_BITS };

/* Round 0: all entries name the port itself. In the next rounds, one bit of the port number is inverted in all entries.
 * In the last rounds, bit 0 is inverted in the entries whose index has a given bit set, so that no two entries are
 * alike in all rounds. */
static void fill(struct traffic *traffic, unsigned round, unsigned port)
{
	for (unsigned entry = 0; entry < TRAFFIC_ENTRIES; entry++) {
		unsigned other = 0;

		if (round >= 1 && round <= PORT_BITS)
			other = 1u << (round - 1);
		else if (round > PORT_BITS)
			other = entry >> (round - PORT_BITS - 1) & 1;
		traffic->entry_port[entry] = (uint8_t)(port ^ other);
	}
}

static int check_entry(struct session *session, unsigned port, unsigned entry, const struct traffic *traffic,
                       struct selftest_row *row)
{
	uint64_t sent = 0, received = 0, expected = traffic->entry_port[entry] == port;
	int status = put32(session, FPGAUGE_PORT_TX_STREAM_INDEX(port), entry);

	if (!status)
		status = get64(session, FPGAUGE_PORT_TX_STREAM_FRAMES(port), &sent);
	if (!status)
		status = put32(session, FPGAUGE_PORT_RX_STREAM_INDEX(port), port * TRAFFIC_ENTRIES + entry);
	if (!status)
		status = get64(session, FPGAUGE_PORT_RX_STREAM_RECEIVED(port), &received);
	if (!status && sent != 1)
		row_fail(row, "entry %u: %" PRIu64 " frames sent, must be 1", entry, sent);
	if (!status && received != expected)
		row_fail(row, "entry %u with destination port %u: %" PRIu64 " frames received, must be %" PRIu64, entry,
		         traffic->entry_port[entry], received, expected);
	return status;
}

static int check_round(struct session *session, struct traffic *traffic, unsigned round, struct selftest_row *rows)
{
	unsigned ports = session->identity->ports;
	int status = 0;

	for (unsigned port = 0; !status && port < ports; port++) {
		fill(traffic, round, port);
		status = round == 0 ? traffic_program(session, port, traffic, true)
		                    : traffic_write_entries(session, port, traffic);
	}
	if (!status)
		status = traffic_run(session, traffic, 0);
	for (unsigned port = 0; !status && port < ports; port++) {
		fill(traffic, round, port);
		for (unsigned entry = 0; !status && entry < traffic->destinations; entry++)
			status = check_entry(session, port, entry, traffic, &rows[port]);
	}
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
		row_text(row, "%u destination entries hold %d patterns, each at its own address", entries, ROUNDS);
	}
	rows = &session->report->rows[first];
	for (unsigned round = 0; !status && round < ROUNDS; round++)
		status = check_round(session, &traffic, round, rows);
	for (unsigned port = 0; !status && port < ports; port++)
		row_close(session, &rows[port]);
	return status;
}
