// SPDX-License-Identifier: Apache-2.0
/* A fifo in which a frame comes exactly every service, both a whole number of octets.
 *
 * Starts are at the same place of a group again after at most 8 frames. So once each of these finds another one in
 * service, and room, all others do, and service k ends at E + (k + 1) S. Latencies repeat after those frames and the
 * turns. */
#include "sim/twin/play/divisor.h"
#include "sim/twin/skip/drift_flows.h"
#include "sim/twin/skip/drift_return.h"

/* Number of frames from one start at a multiple of 8 to the next. */
static int64_t frames_of_groups(const struct drift_fifo *fifo)
{
	return GROUP_OCTETS / (int64_t)common_divisor(GROUP_OCTETS, (uint64_t)fifo->load);
}

static int64_t start_group(const struct drift_fifo *fifo, int64_t k)
{
	return (fifo->start + k * fifo->load) / GROUP_OCTETS;
}

static int64_t departure_group(const struct drift_fifo *fifo, int64_t k)
{
	return (int64_t)drift_ceil(fifo->end + (int128)fifo->service * (k + 1) + fifo->latency_ot, GROUP_OCTETS);
}

/* Every frame finds another one in service, and room. */
static bool is_steady(const struct drift_fifo *fifo)
{
	for (int64_t k = 0; k < frames_of_groups(fifo); k++) {
		const int128 start_ot = (int128)start_group(fifo, k) * GROUP_OCTETS;
		const int128 before = fifo->end + (int128)fifo->service * k;

		if (before < start_ot + fifo->store_ot ||
		    before - (int128)fifo->service * (fifo->buffer - 1) > start_ot + fifo->room_ot)
			return false;
	}
	return true;
}

/* Frames that are over in time. */
static int64_t frames_of_time(const struct drift_fifo *fifo, int64_t until_ot, int64_t depart_ot, uint64_t most)
{
	const int128 by_start = (int128)until_ot / fifo->load - 2;
	const int128 by_end =
	        ((int128)depart_ot - fifo->latency_ot - fifo->line_octets - 2 * GROUP_OCTETS - fifo->end) /
	                fifo->service -
	        2;
	const int128 by_count = most > 2 ? (int128)(most - 2) : 0;
	const int128 least = by_start < by_end ? by_start : by_end;

	return (int64_t)(least < by_count ? least : by_count);
}

/* One period of `period` frames, `times` times. False: outside of what can be counted. */
static bool count(const struct drift_fifo *fifo, int64_t period, int64_t times, struct drift_sums *sums)
{
	sums->latency_base = departure_group(fifo, 0) - start_group(fifo, 0) - GROUP_OCTETS;
	sums->between_base = fifo->service / GROUP_OCTETS;
	for (int64_t k = 0; k < period; k++) {
		const int64_t departure = departure_group(fifo, k);
		struct drift_flow_sums *flow = &sums->flow[drift_turn(fifo->flows, k)->flow];

		if (!drift_count(flow->latency, sums->span, departure - start_group(fifo, k) - sums->latency_base,
		                 times) ||
		    !drift_count(sums->between, DRIFT_SPAN,
		                 departure - departure_group(fifo, k - 1) - sums->between_base, times))
			return false;
	}
	return true;
}

enum drift_outcome drift_even(const struct drift_fifo *given, int64_t until_ot, int64_t depart_ot, uint64_t most,
                              struct drift_sums *sums, struct drift_end *end)
{
	struct drift_fifo whole = *given;
	const struct drift_fifo *fifo = &whole;
	int64_t period, frames;

	/* Parts of an octet in a start stay as they are. */
	whole.load /= given->load_parts;
	whole.start = (int64_t)drift_floor(given->start, given->load_parts);
	/* The line out is not late now, and never will be: services are not shorter than frames. */
	if (fifo->burst_frames != 0 || fifo->flows->gone_turns != 0 || given->load % given->load_parts != 0 ||
	    fifo->service_parts != 1 || fifo->load != fifo->service || fifo->service < fifo->line_octets ||
	    fifo->line_free_ot - GROUP_OCTETS - fifo->latency_ot >= fifo->end + fifo->service || !is_steady(fifo))
		return DRIFT_NOT;
	period = (int64_t)least_common_multiple((uint64_t)frames_of_groups(fifo), (uint64_t)fifo->flows->period,
	                                        GROUP_OCTETS * DRIFT_TURNS);
	frames = frames_of_time(fifo, until_ot, depart_ot, most);
	if (frames < (fifo->slow ? DRIFT_LEAST_SLOW : DRIFT_LEAST) || frames < fifo->buffer || frames < 2 * period)
		return DRIFT_SHORT;
	frames = frames / period * period;
	if (!count(fifo, period, frames / period, sums))
		return DRIFT_NOT;
	*end = (struct drift_end){.services = 1};
	drift_arrive_all(fifo->flows, frames, &end->arrived);
	sums->frames = (uint64_t)frames;
	end->start_groups = start_group(fifo, frames - 1);
	end->departure_groups = departure_group(fifo, frames - 1);
	end->line_free_ot = end->departure_groups * GROUP_OCTETS + fifo->line_octets;
	end->ends[0] = fifo->end + (int128)fifo->service * (frames - fifo->buffer + 1);
	return DRIFT_ON;
}
