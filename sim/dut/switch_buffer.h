/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer of a switch: room that frames in its queues take. */
#ifndef FPGAUGE_SIM_DUT_SWITCH_BUFFER_H
#define FPGAUGE_SIM_DUT_SWITCH_BUFFER_H

#include "sim/dut/switch.h"

static inline void switch_release_first(struct switch_device *dut, unsigned number)
{
	struct switch_port *queue = &dut->ports[number];
	const struct switch_release *release = ring_first(&queue->releases, sizeof(*release));

	queue->used -= release->cost;
	dut->used -= release->cost;
	queue->releases.first++;
}

static inline uint64_t switch_release_ot(const struct switch_port *queue)
{
	const struct switch_release *release = ring_first(&queue->releases, sizeof(*release));

	return ring_empty(&queue->releases) ? UINT64_MAX : release->ot;
}

/* Frees what is free by now: of one queue, or where all share a buffer, of all. */
static inline void switch_release_until(struct switch_device *dut, unsigned number, uint64_t now_ot)
{
	if (!dut->settings.shared) {
		while (switch_release_ot(&dut->ports[number]) <= now_ot)
			switch_release_first(dut, number);
		return;
	}
	while (earliest_ot(&dut->releases) <= now_ot) {
		const unsigned first = earliest_port(&dut->releases);

		switch_release_first(dut, first);
		earliest_set(&dut->releases, first, switch_release_ot(&dut->ports[first]));
	}
}

static inline bool switch_has_room(const struct switch_device *dut, const struct switch_port *queue, uint32_t cost)
{
	const struct switch_settings *settings = &dut->settings;
	const uint64_t used = settings->shared ? dut->used : queue->used;

	if (used + cost > settings->buffer)
		return false;
	/* The dynamic threshold of Choudhury and Hahne (1998): a queue may grow while it is below alpha times what is
	 * free. */
	return settings->alpha_denominator == 0 ||
	       queue->used * settings->alpha_denominator < settings->alpha_numerator * (settings->buffer - used);
}

/* Takes room in a queue, if there is some. What is free by now is counted only if that matters, or when much may be:
 * then it is done for many frames at once. */
static inline bool switch_admit(struct switch_device *dut, unsigned number, uint32_t cost, uint64_t now_ot)
{
	enum { MANY = 32 };
	struct switch_port *queue = &dut->ports[number];

	if (queue->releases.end - queue->releases.first >= MANY || !switch_has_room(dut, queue, cost)) {
		switch_release_until(dut, number, now_ot);
		if (!switch_has_room(dut, queue, cost))
			return false;
	}
	queue->used += cost;
	dut->used += cost;
	return true;
}

/* The buffer of a frame is free when it has left, and all before it in its queue: releases wait in the ring for those
 * before them. */
static inline void switch_release_at(struct switch_device *dut, unsigned number, uint32_t cost, uint64_t left_ot)
{
	struct switch_port *queue = &dut->ports[number];
	const bool first = ring_empty(&queue->releases);
	struct switch_release *release = ring_push(&queue->releases, sizeof(*release));

	if (release == NULL) {
		dut->device.failed = true;
		return;
	}
	*release = (struct switch_release){.ot = left_ot, .cost = cost};
	if (dut->settings.shared && first)
		earliest_set(&dut->releases, number, release->ot);
}

#endif
