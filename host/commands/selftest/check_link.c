/* SPDX-License-Identifier: Apache-2.0 */
/* The link of each port behind which there is a MAC, in words of the board: how far the receiver has come, in the order
 * in which it comes up (IEEE 802.3 clause 82). Without a MAC, as in a simulation, there is nothing to say. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/commands/selftest/session.h"

/* The first that is not as it should be says why there is no link. */
static const struct {
	uint32_t bit;
	bool should;
	const char *text;
} STEPS[] = {
        {FPGAUGE_PORT_LINK_STATUS_CLOCK, true,
         "the MAC has no clock: no reference clock, or the transceivers have not locked to it"},
        {FPGAUGE_PORT_LINK_STATUS_BLOCK_LOCK, true,
         "no block lock: no signal (module, cable, far end), another speed, or RS-FEC at one end only"},
        {FPGAUGE_PORT_LINK_STATUS_LANES_SYNCED, true,
         "blocks are found, but not the alignment markers of all lanes: a bad lane"},
        {FPGAUGE_PORT_LINK_STATUS_ALIGNED, true,
         "all lanes are found, but are not aligned: lanes are twice there, or their skew is too large"},
        {FPGAUGE_PORT_LINK_STATUS_REMOTE_FAULT, false, "this end receives, but the far end says that it does not"},
        {FPGAUGE_PORT_LINK_STATUS_UP, true, "the receiver is aligned, but the MAC does not send"},
};

static const char *why_down(uint32_t status)
{
	for (size_t i = 0; i < sizeof(STEPS) / sizeof(*STEPS); i++)
		if (((status & STEPS[i].bit) != 0) != STEPS[i].should)
			return STEPS[i].text;
	return NULL;
}

/* Flaps are since the load of the bitstream: over months in a rack, a cable or a module that begins to fail. */
static void tell_up(uint32_t flaps, struct selftest_row *row)
{
	if (flaps)
		row_text(row, "the link is up; since the bitstream was loaded it went down %" PRIu32 " time%s", flaps,
		         flaps == 1 ? "" : "s");
	else
		row_text(row, "the link is up, and has not gone down since the bitstream was loaded");
}

/* Only cables that are said to be there must give a link; a clock must be there in any case. */
static void judge(const struct session *session, uint32_t status, uint32_t flaps, struct selftest_row *row)
{
	const char *why = why_down(status);

	if (!why)
		tell_up(flaps, row);
	else if (session->config->external || !(status & FPGAUGE_PORT_LINK_STATUS_CLOCK))
		row_fail(row, "no link: %s", why);
	else {
		row->verdict = SELFTEST_NOT_APPLICABLE;
		row_text(row, "no link, and none is needed: %s", why);
	}
}

int check_link(struct session *session)
{
	uint32_t link = 0, flaps = 0;
	int status = 0;

	for (unsigned port = 0; !status && port < session->identity->ports; port++) {
		struct selftest_row *row;

		status = put32(session, FPGAUGE_PORT_LOOPBACK(port), 0); /* a port in loopback has no MAC */
		if (!status)
			status = get32(session, FPGAUGE_PORT_LINK_STATUS(port), &link);
		if (!status)
			status = get32(session, FPGAUGE_PORT_LINK_FLAPS(port), &flaps);
		if (status || !(link & FPGAUGE_PORT_LINK_STATUS_PRESENT))
			continue;
		row = row_open(session, "link", (int)port, 0);
		if (!row)
			return ERROR_INTERNAL;
		judge(session, link, flaps, row);
		row_close(session, row);
	}
	return status;
}

int link_explain(struct session *session, unsigned port, struct selftest_row *row)
{
	uint32_t link = 0;
	int status = get32(session, FPGAUGE_PORT_LINK_STATUS(port), &link);
	const size_t length = strlen(row->text);

	if (!status && row->verdict == SELFTEST_FAIL && link & FPGAUGE_PORT_LINK_STATUS_FEC_UNCORRECTABLE)
		snprintf(row->text + length, sizeof(row->text) - length,
		         "; port %u had code words of the FEC with more errors than can be corrected", port);
	return status;
}
