// SPDX-License-Identifier: Apache-2.0
/* Flows by plain register accesses. */
#include "tests/sim/flows.h"

#include <criterion/criterion.h>

const struct sent_traffic FLOWS_ONE_WAY = {
        .frame_octets = FRAME_OCTETS, .gap_octets = 16, .destinations = FLOWS, .one_way = true};

struct device *flows_open(const struct sent_traffic *traffic)
{
	struct device *device = traffic_open(TWIN_LIBRARY, (const char *const[]){"dut.model=wire", NULL});

	traffic_prepare(device, traffic);
	traffic_write32(device, FPGAUGE_PORT_TX_FLOWS(0), 1); /* flows used of those prepared */
	traffic_write32(device, FPGAUGE_PORT_TX_TAG_ENABLE(0), 1);
	traffic_write64(device, FPGAUGE_PORT_TX_TAG_FIRST(0), 0);
	traffic_write64(device, FPGAUGE_PORT_TX_TAG_INTERVAL(0), 1);
	traffic_write32(device, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(1), FPGAUGE_PORT_RX_MAX_FRAME_OCTETS_MAX);
	return device;
}

void flows_send(struct device *device, uint64_t frames)
{
	traffic_write64(device, FPGAUGE_PORT_TX_STOP_FRAMES(0), frames);
	traffic_start(device);
	cr_assert(traffic_wait_sent(device, SETTLE_OT, 1000 * SETTLE_OT));
	traffic_wait(device, SETTLE_OT);
	traffic_snapshot(device);
}

uint64_t flows_counter(struct device *device, unsigned port, enum fpgauge_counter which)
{
	return traffic_read64(device, FPGAUGE_COUNTER(port, which));
}

uint64_t flows_sent(struct device *device, uint32_t flow)
{
	traffic_write32(device, FPGAUGE_PORT_TX_STREAM_INDEX(0), flow);
	return traffic_read64(device, FPGAUGE_PORT_TX_STREAM_FRAMES(0));
}

void flows_turn(struct device *device, uint32_t turn, uint32_t flow)
{
	traffic_write32(device, FPGAUGE_PORT_TX_TURN_INDEX(0), turn);
	traffic_write32(device, FPGAUGE_PORT_TX_TURN_FLOW(0), flow);
}

void flows_size(struct device *device, uint32_t flow, enum flows_how how, uint32_t first, uint32_t count)
{
	traffic_write32(device, FPGAUGE_PORT_TX_FLOW_INDEX(0), flow);
	traffic_write32(device, FPGAUGE_PORT_TX_FLOW_SIZE(0), count << 16 | first << 2 | how);
}

void flows_flags(struct device *device, uint32_t flow, uint32_t flags)
{
	traffic_write32(device, FPGAUGE_PORT_TX_FLOW_INDEX(0), flow);
	traffic_write32(device, FPGAUGE_PORT_TX_FLOW_FLAGS(0), flags);
}

void flows_length(struct device *device, uint32_t entry, uint32_t octets)
{
	traffic_write32(device, FPGAUGE_PORT_TX_SIZE_INDEX(0), entry);
	traffic_write32(device, FPGAUGE_PORT_TX_SIZE_OCTETS(0), octets);
}

uint32_t flows_tagged_flow(struct device *device, uint32_t frame)
{
	traffic_write32(device, FPGAUGE_PORT_RX_TAG_INDEX(1), frame);
	return traffic_read32(device, FPGAUGE_PORT_RX_TAG_STREAM(1));
}

uint64_t flows_tagged_start(struct device *device, uint32_t frame)
{
	traffic_write32(device, FPGAUGE_PORT_RX_TAG_INDEX(1), frame);
	return traffic_read64(device, FPGAUGE_PORT_RX_TAG_TIME(1)) -
	       traffic_read64(device, FPGAUGE_PORT_RX_TAG_LATENCY(1)) -
	       traffic_read64(device, FPGAUGE_GLOBAL_START_TIME);
}

void flows_phase(struct device *device, uint32_t phase, uint64_t time_ot, uint64_t gap_octets, uint32_t numerator,
                 uint32_t denominator)
{
	traffic_write32(device, FPGAUGE_PORT_TX_PHASE_INDEX(0), phase);
	traffic_write64(device, FPGAUGE_PORT_TX_PHASE_TIME(0), time_ot);
	traffic_write64(device, FPGAUGE_PORT_TX_PHASE_GAP_OCTETS(0), gap_octets);
	traffic_write32(device, FPGAUGE_PORT_TX_PHASE_GAP_NUMERATOR(0), numerator);
	traffic_write32(device, FPGAUGE_PORT_TX_PHASE_GAP_DENOMINATOR(0), denominator);
}

void flows_send_turns(struct device *device, const uint8_t *turns, uint32_t count, uint64_t frames)
{
	traffic_write32(device, FPGAUGE_PORT_TX_ORDER(0), TABLE);
	traffic_write32(device, FPGAUGE_PORT_TX_TURNS(0), count);
	for (uint32_t turn = 0; turn < count; turn++)
		flows_turn(device, turn, turns[turn]);
	flows_send(device, frames);
}
