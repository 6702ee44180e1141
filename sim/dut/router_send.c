// SPDX-License-Identifier: Apache-2.0
/* Queues what leaves a router, and keeps what the caller has to know of frames that are not as they came. */
#include "sim/dut/router.h"

/* Gives a frame its place in the queue of an output; false: it is lost. */
static bool leave(struct router_device *dut, unsigned output, const struct dut_frame *frame, uint64_t to_mac,
                  uint64_t now_ot)
{
	struct router_port *port = &dut->ports[output];
	struct router_leaving *leaving;
	uint64_t start_ot;

	switch (output_queue_take(&port->queue, now_ot, frame->octets,
	                          router_line_octets(&dut->settings, frame->octets), &start_ot)) {
	case OUTPUT_NO_MEMORY:
		dut->device.failed = true;
		return false;
	case OUTPUT_LOST:
		return false;
	default:
		break;
	}
	leaving = ring_push(&port->leaving, sizeof(*leaving));
	if (leaving == NULL) {
		dut->device.failed = true;
		return false;
	}
	*leaving = (struct router_leaving){.frame = *frame, .to_mac = to_mac};
	leaving->frame.start_ot = start_ot;
	return true;
}

void router_forward(struct router_device *dut, unsigned output, const struct dut_frame *frame, uint64_t to_mac,
                    uint64_t now_ot)
{
	struct dut_frame forwarded = *frame;

	forwarded.flags |= DUT_FRAME_REWRITTEN;
	if (leave(dut, output, &forwarded, to_mac, now_ot))
		agent_count_out(&dut->ports[output].counters, frame->octets, true);
}

void router_send_own(struct router_device *dut, unsigned output, const struct router_own *own, uint32_t octets,
                     uint64_t now_ot)
{
	struct router_port *port = &dut->ports[output];
	const struct dut_frame frame = {
	        .id = port->own.end, .octets = octets, .flags = DUT_FRAME_OWN, .from = (uint16_t)dut->device.ports};
	struct router_own *kept;

	if (!leave(dut, output, &frame, 0, now_ot))
		return;
	agent_count_out(&dut->ports[output].counters, octets, (own->octets[0] & 1) == 0);
	kept = ring_push(&port->own, sizeof(*kept));
	if (kept == NULL)
		dut->device.failed = true;
	else
		*kept = *own;
}
