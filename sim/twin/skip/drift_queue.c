// SPDX-License-Identifier: Apache-2.0
/* A queue (sim/dut/output_queue.h) is as good as a fifo. Its frames take P octet times of the line, and one that comes
 * into it at T starts to leave at max(T rounded up to a group, F rounded down to one), where F is when the line is
 * free: P after the later of that start and the F before. So with "services" of P that begin at T rounded up, F is the
 * end of the last one, and a frame leaves in the group in which its service begins: that is P + 7 before its end,
 * rounded up. It frees its room a frame after that. So there is room at T for a frame if the service before that of the
 * frame which `frames` others have followed is over, rounded down, T less a frame: one that holds one frame more, and
 * looks for room earlier. */
#include "sim/twin/skip/drift_queue.h"

#include "sim/dut/output_queue.h"
#include "sim/twin/play/clocks.h"

/* The longest that a service may be; a latency may be 16 times as long. */
static const uint64_t MOST_OT = UINT64_C(1) << 20;
/* The line out is never late: it is the service. */
static const int64_t LONG_AGO = -(INT64_C(1) << 40);

static bool describe(const void *state, uint32_t octets, uint64_t base_ot, struct drift_fifo *is)
{
	const struct dut_queue *of = state;
	const uint64_t free_ot = of->queue->line.free_ot, line_octets = of->line_octets;

	if (line_octets > MOST_OT || of->latency_ot > MOST_OT << 4 || !leap_is_near(free_ot, base_ot) ||
	    of->queue->frames < DRIFT_ENDS || ring_reserve(&of->queue->left, sizeof(uint64_t), of->queue->frames) != 0)
		return false;
	is->slow = true;
	is->service = (int64_t)line_octets;
	is->service_parts = 1;
	is->end = (int64_t)(free_ot - base_ot);
	is->store_ot = (int64_t)dut_group_up(DUT_PREAMBLE_OCTETS + octets + of->latency_ot);
	is->room_ot = (int64_t)(of->latency_ot / GROUP_OCTETS * GROUP_OCTETS) + GROUP_OCTETS - 1;
	is->latency_ot = -(int64_t)line_octets - (GROUP_OCTETS - 1);
	is->buffer = (int64_t)of->queue->frames + 1;
	is->line_octets = DUT_PREAMBLE_OCTETS + (int64_t)octets;
	is->line_free_ot = LONG_AGO;
	return true;
}

/* Time at which a frame has left whose service ends at this time. */
static uint64_t left_ot(const struct dut_queue *of, uint64_t end_ot, uint32_t octets)
{
	return dut_group_down(end_ot - of->line_octets) + DUT_PREAMBLE_OCTETS + octets;
}

/* Frames that have left when the next frame needs room do not matter any more. */
static bool is_straight(const void *state, uint32_t octets, uint64_t base_ot)
{
	const struct dut_queue *of = state;
	const struct ring *left = &of->queue->left;
	const uint64_t next_ot = base_ot + DUT_PREAMBLE_OCTETS + octets + of->latency_ot;
	uint64_t end_ot = of->queue->line.free_ot;
	uint64_t i = left->end;

	for (; i != left->first && *(const uint64_t *)ring_at(left, i - 1, sizeof(uint64_t)) > next_ot; i--) {
		if (*(const uint64_t *)ring_at(left, i - 1, sizeof(uint64_t)) != left_ot(of, end_ot, octets))
			return false;
		end_ot -= of->line_octets;
	}
	return true;
}

/* The last frames, as many as are known or as it holds; describe() has made room for them. */
static void take(void *state, uint32_t octets, const struct leap *leap)
{
	struct dut_queue *of = state;
	struct ring *left = &of->queue->left;
	const bool full = leap->end.services == 1;
	const uint64_t count = full ? of->queue->frames : leap->end.services;

	left->first = left->end;
	for (uint64_t i = 0; i < count; i++) {
		const uint64_t end_ot =
		        full ? leap->base_ot + (uint64_t)(int64_t)leap->end.ends[0] + (i + 1) * of->line_octets
		             : leap->base_ot + (uint64_t)(int64_t)leap->end.ends[i];

		*(uint64_t *)ring_at(left, left->end++, sizeof(uint64_t)) = left_ot(of, end_ot, octets);
		of->queue->line.free_ot = end_ot;
	}
}

struct leap_server leap_server_of_queue(struct dut_queue *queue)
{
	return (struct leap_server){.state = queue, .describe = describe, .is_straight = is_straight, .take = take};
}
