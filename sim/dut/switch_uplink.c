// SPDX-License-Identifier: Apache-2.0
/* Frames from one switch to another. */
#include "sim/dut/switch_uplink.h"

static void add(struct fifo_time *time, const struct fifo_time *more, uint64_t denominator)
{
	time->whole += more->whole;
	time->part += more->part;
	if (time->part >= denominator) {
		time->part -= denominator;
		time->whole++;
	}
}

static const struct switch_crossing *crossing_of(struct switch_uplink *uplink, uint32_t octets)
{
	if (uplink->last.octets != octets)
		uplink->last = (struct switch_crossing){
		        .octets = octets,
		        .frame = fifo_service_time(&uplink->service, octets + DUT_PREAMBLE_OCTETS),
		        .gap = fifo_service_time(&uplink->service, DUT_MIN_GAP_OCTETS)};
	return &uplink->last;
}

int switch_cross(struct switch_uplink *uplink, const struct switch_arrival *arrival, uint64_t ready_ot,
                 uint64_t *left_ot)
{
	const uint64_t denominator = uplink->service.denominator;
	const struct switch_crossing *crossing = crossing_of(uplink, arrival->frame.octets);
	struct switch_arrival *there = ring_push(&uplink->crossed, sizeof(*there));

	if (there == NULL)
		return -1;

	if (uplink->free.whole < ready_ot)
		uplink->free = (struct fifo_time){.whole = ready_ot};
	add(&uplink->free, &crossing->frame, denominator);
	*left_ot = uplink->free.whole + (uplink->free.part != 0);
	add(&uplink->free, &crossing->gap, denominator);
	/* The frame arrives there as on a line of the tester that ends it at the same time. */
	*there = *arrival;
	there->frame.start_ot = *left_ot - DUT_PREAMBLE_OCTETS - arrival->frame.octets;
	there->decided_ot = *left_ot + uplink->latency_ot;
	return 0;
}

uint64_t switch_uplink_earliest_ot(const struct switch_uplink *uplink, uint64_t ready_ot, uint32_t octets)
{
	const uint64_t start_ot = ready_ot > uplink->free.whole ? ready_ot : uplink->free.whole;
	const uint64_t later_ot =
	        fifo_service_time(&uplink->service, octets + DUT_PREAMBLE_OCTETS).whole + uplink->latency_ot;

	return start_ot < UINT64_MAX - later_ot ? start_ot + later_ot : UINT64_MAX;
}
