// SPDX-License-Identifier: Apache-2.0
/* A fifo as what frames go through without being played. */
#include "host/base/uint128.h"
#include "sim/dut/fifo.h"
#include "sim/twin/skip/drift_leap.h"

/* Factors of products that must fit in 63 bits; and how long a latency may be. */
static const uint64_t MOST_PARTS = UINT64_C(1) << 40, MOST_OT = UINT64_C(1) << 20;

static bool describe(const void *state, uint32_t octets, uint64_t base_ot, struct drift_fifo *is)
{
	const struct fifo *fifo = state;
	const struct fifo_time service = fifo_service_time(&fifo->settings.service, octets);
	const uint64_t parts = fifo->settings.service.denominator, cost = fifo_cost(&fifo->settings, octets);
	uint128 numerator;

	if (parts > MOST_PARTS || service.whole > MOST_OT || !leap_is_near(fifo->now.end.whole, base_ot) ||
	    !leap_is_near(fifo->now.line.free_ot, base_ot))
		return false;
	numerator = (uint128)service.whole * parts + service.part;
	if (numerator > MOST_PARTS || fifo->settings.latency_ot > MOST_OT << 4)
		return false;
	is->service = (int64_t)numerator;
	is->service_parts = (int64_t)parts;
	is->end = (int128)(int64_t)(fifo->now.end.whole - base_ot) * (int64_t)parts + (int64_t)fifo->now.end.part;
	is->store_ot = DUT_PREAMBLE_OCTETS + (int64_t)octets;
	is->room_ot = is->store_ot;
	is->latency_ot = (int64_t)fifo->settings.latency_ot;
	is->buffer = (int64_t)(fifo->settings.buffer / cost);
	is->line_octets = (int64_t)line_out_octets(octets);
	is->line_free_ot = (int64_t)(fifo->now.line.free_ot - base_ot);
	return true;
}

static bool is_straight(const void *state, uint32_t octets, uint64_t base_ot)
{
	const struct fifo *fifo = state;
	const struct fifo_run *run = &fifo->runs[fifo->first_run & fifo->run_mask];
	const struct fifo_time service = fifo_service_time(&fifo->settings.service, octets);
	const uint64_t cost = fifo_cost(&fifo->settings, octets);

	(void)base_ot;
	return fifo->next_run - fifo->first_run == 1 && run->cost == cost && run->frames * cost == fifo->now.used &&
	       run->service.whole == service.whole && run->service.part == service.part;
}

static void take(void *state, uint32_t octets, const struct leap *leap)
{
	struct fifo *fifo = state;
	const struct fifo_time service = fifo_service_time(&fifo->settings.service, octets);
	const int128 parts = leap->is.service_parts;
	struct fifo_run runs[DRIFT_ENDS];

	for (size_t i = 0; i < leap->end.services; i++) {
		const int128 end = leap->end.ends[i] + (int128)leap->base_ot * parts;

		runs[i] = (struct fifo_run){.end = {.whole = (uint64_t)(end / parts), .part = (uint64_t)(end % parts)},
		                            .service = service,
		                            .cost = fifo_cost(&fifo->settings, octets),
		                            .frames = leap->end.services == 1 ? (uint64_t)leap->is.buffer : 1};
	}
	fifo_resume(fifo, runs, leap->end.services, leap->base_ot + (uint64_t)leap->end.line_free_ot);
}

struct leap_server leap_server_of(struct fifo *fifo)
{
	return (struct leap_server){.state = fifo, .describe = describe, .is_straight = is_straight, .take = take};
}
