/* SPDX-License-Identifier: Apache-2.0 */
/* The destination memory of a port: every bit of every entry in both states, and every entry at its own address.
 *
 * The memory cannot be read, so frames tell: in loopback one to each entry, and it counts as received where the entry
 * names the port itself, as at a wrong port where it names another. The receiver's table of streams and the
 * transmitter's table of counts are looked at with it, entry by entry.
 *
 * What this does not see: frame headers. They are written only, and no logic of the device reads them back. */
#include <inttypes.h>

#include "host/base/rate.h"
#include "host/selftest/traffic.h"

enum { PORT_BITS = 4, INDEX_BITS = 8, ROUNDS = 1 + PORT_BITS + INDEX_BITS };

/* Round 0: all entries name the port. Then a bit of the port's number is another in all of them. Then it is another in
 * those whose index has a bit set, which no two entries have alike in all rounds. */
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
