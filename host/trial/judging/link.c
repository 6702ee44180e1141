/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what happened behind the core of a card, in words, and checks that its counts agree with the core's. */
#include "host/trial/judging/link.h"

#include <inttypes.h>
#include <stdio.h>

#include "host/trial/judging/verdict.h"

static const uint32_t LINK_STATUS_LINK =
        FPGAUGE_PORT_LINK_STATUS_DOWN | FPGAUGE_PORT_LINK_STATUS_LANES_LOST | FPGAUGE_PORT_LINK_STATUS_MAC_HELD;

/* The state of the link when the trial is over, and code words beyond correction, which are frames with errors: none
 * of it is a frame that the tester has lost. */
static const uint32_t LINK_STATUS_NOW =
        FPGAUGE_PORT_LINK_STATUS_PRESENT | FPGAUGE_PORT_LINK_STATUS_UP | FPGAUGE_PORT_LINK_STATUS_CLOCK |
        FPGAUGE_PORT_LINK_STATUS_BLOCK_LOCK | FPGAUGE_PORT_LINK_STATUS_LANES_SYNCED | FPGAUGE_PORT_LINK_STATUS_ALIGNED |
        FPGAUGE_PORT_LINK_STATUS_REMOTE_FAULT | FPGAUGE_PORT_LINK_STATUS_FEC_UNCORRECTABLE;

static const struct {
	uint32_t bit;
	const char *text;
} CAUSES[] = {
        {FPGAUGE_PORT_LINK_STATUS_LANES_LOST, "the receiver lost the alignment of its lanes"},
        {FPGAUGE_PORT_LINK_STATUS_MAC_HELD, "MAC or transceivers were in reset"},
        {FPGAUGE_PORT_LINK_STATUS_DOWN, "the link was down"},
        {FPGAUGE_PORT_LINK_STATUS_REFUSED, "a frame that the MAC cannot send"},
        {FPGAUGE_PORT_LINK_STATUS_LATE, "the MAC took frames too late"},
        {FPGAUGE_PORT_LINK_STATUS_NO_ROOM, "the queue to the MAC was full"},
        {FPGAUGE_PORT_LINK_STATUS_OVERFLOW, "the MAC's transmit buffer overflowed"},
        {FPGAUGE_PORT_LINK_STATUS_UNDERFLOW, "the MAC's transmit buffer ran empty"},
        {FPGAUGE_PORT_LINK_STATUS_TIME_SLIP, "the clocks of core and MAC were not in ratio"},
        {FPGAUGE_PORT_LINK_STATUS_RX_LATE, "received frames were too late for the line"},
        {FPGAUGE_PORT_LINK_STATUS_RX_NO_ROOM, "the queue from the MAC was full"},
};

static bool receives(const struct traffic *traffic, unsigned port)
{
	for (unsigned from = 0; from < traffic->ports; from++) {
		const struct traffic_port *sender = &traffic->port[from];

		for (unsigned flow = 0; traffic_sends(traffic, from) && flow < sender->flows; flow++)
			if (sender->flow[flow].arrives >> port & 1)
				return true;
	}
	return false;
}

/* The causes among the bits, with what became of the frames. */
static void name_causes(const struct port_counters *c, unsigned port, uint32_t bits, struct trial_result *result)
{
	char causes[sizeof(result->why_invalid)] = "";
	size_t length = 0;

	for (size_t i = 0; i < sizeof(CAUSES) / sizeof(*CAUSES) && length < sizeof(causes); i++)
		if (bits & CAUSES[i].bit)
			length += (size_t)snprintf(causes + length, sizeof(causes) - length, "%s%s", length ? ", " : "",
			                           CAUSES[i].text);
	if (length == 0)
		snprintf(causes, sizeof(causes), "link_status = 0x%08" PRIx32, bits);
	trial_invalid(result,
	              "port %u of the tester: %s; of %" PRIu64 " frames %" PRIu64 " were sent, %" PRIu64
	              " dropped, %" PRIu64 " late",
	              port, causes, c->tx_frames, c->mac_sent_frames, c->mac_dropped_frames, c->mac_late_frames);
}

static void check_port(const struct trial_counters *counters, unsigned port, uint32_t tolerated,
                       struct trial_result *result)
{
	const struct port_counters *c = &counters->port[port];
	const uint32_t happened = counters->link_status[port] & ~LINK_STATUS_NOW;

	if (happened & ~tolerated)
		name_causes(c, port, happened, result);
	else if (happened) /* nothing counts the frames that a reset cut */
		return;
	else if (c->mac_sent_frames != c->tx_frames || c->mac_dropped_frames || c->mac_late_frames)
		trial_invalid(result,
		              "port %u of the tester: of %" PRIu64 " frames that left the core %" PRIu64
		              " were sent, %" PRIu64 " dropped, %" PRIu64 " late, for no known cause",
		              port, c->tx_frames, c->mac_sent_frames, c->mac_dropped_frames, c->mac_late_frames);
	else if (c->mac_counted_frames != c->mac_sent_frames)
		trial_invalid(result,
		              "port %u of the tester: %" PRIu64 " frames were handed to the MAC, which counts %" PRIu64
		              " frames sent",
		              port, c->mac_sent_frames, c->mac_counted_frames);
}

void trial_check_link(const struct trial_request *request, const struct trial_counters *counters,
                      struct trial_result *result)
{
	const uint32_t tolerated = request->reset == TRIAL_LEFT_ALONE ? 0 : LINK_STATUS_LINK;

	for (unsigned port = 0; port < counters->ports; port++)
		if (counters->link_status[port] & FPGAUGE_PORT_LINK_STATUS_PRESENT &&
		    (traffic_sends(request->traffic, port) || receives(request->traffic, port)))
			check_port(counters, port, tolerated, result);
}
