/* SPDX-License-Identifier: Apache-2.0 */
/* A store-and-forward queue in front of an output line, with a buffer in frames: a frame takes its room when it comes
 * into the queue, and frees it with its last octet on the line; if both happen at the same instant, room is freed
 * first. When a frame leaves is known as soon as it has its place in the queue. */
#ifndef FPGAUGE_SIM_DUT_OUTPUT_QUEUE_H
#define FPGAUGE_SIM_DUT_OUTPUT_QUEUE_H

#include "sim/dut/line_out.h"
#include "sim/dut/ring.h"

struct output_queue {
	struct ring left; /* when each of those inside will have left: uint64_t */
	struct line_out line;
	uint64_t frames; /* frames that it can hold */
};

static inline int output_queue_init(struct output_queue *queue, uint64_t frames)
{
	*queue = (struct output_queue){.frames = frames};
	return ring_init(&queue->left, sizeof(uint64_t));
}

static inline void output_queue_release(struct output_queue *queue)
{
	ring_release(&queue->left);
}

enum output_result { OUTPUT_LEAVES, OUTPUT_LOST, OUTPUT_NO_MEMORY };

/* A frame comes in at now_ot, which does not go back, and takes line_octets on the line, preamble and gap included.
 * Writes when it starts to leave. */
static inline enum output_result output_queue_take(struct output_queue *queue, uint64_t now_ot, uint32_t octets,
                                                   uint64_t line_octets, uint64_t *start_ot)
{
	struct ring *left = &queue->left;
	uint64_t *left_ot;

	while (!ring_empty(left) && *(const uint64_t *)ring_first(left, sizeof(uint64_t)) <= now_ot)
		left->first++;
	if (left->end - left->first >= queue->frames)
		return OUTPUT_LOST;
	left_ot = ring_push(left, sizeof(uint64_t));
	if (left_ot == NULL)
		return OUTPUT_NO_MEMORY;
	*start_ot = line_out_take_octets(&queue->line, now_ot, line_octets);
	*left_ot = *start_ot + DUT_PREAMBLE_OCTETS + octets;
	return OUTPUT_LEAVES;
}

#endif
