// SPDX-License-Identifier: Apache-2.0
/* A fifo that fills or empties slowly: it is always busy and has always room.
 *
 * Then service k ends at E + (k + 1) S, and nothing depends on the frame before: a frame leaves in the first group
 * after that and a constant, and starts in the group of its ideal start. How far both are apart changes all the time,
 * so this goes from frame to frame; but a frame takes only two additions. It ends before the first frame that might
 * find no room, or no other frame in service: both are bounds of sums, which are the tighter the longer it goes. */
#include "sim/twin/skip/drift_flows.h"
#include "sim/twin/skip/drift_return.h"

enum { MARGIN = 32 }; /* groups at both ends of the latencies that are counted */

struct fill {
	const struct drift_fifo *fifo;
	int64_t parts;      /* parts of the service in a group */
	int64_t load_parts; /* parts of the load in a group */
	int128 change;      /* change of the latency with each frame, in octet times / (both kinds of parts) */
};

static int128 smaller(int128 a, int128 b)
{
	return a < b ? a : b;
}

/* Frames for which value + k x step is not below 0, if it is not for the first; in parts of both kinds. */
static int128 while_not_negative(int128 value, int128 step)
{
	if (value < 0)
		return 0;
	return step < 0 ? value / -step + 1 : (int128)1 << 44;
}

/* Frames that find another one in service, and room. */
static int128 frames_of_state(const struct fill *fill)
{
	const struct drift_fifo *fifo = fill->fifo;
	/* Time from the latest arrival of frame 0 until the service before it ends. */
	const int128 busy = (fifo->end - (int128)fifo->store_ot * fifo->service_parts) * fifo->load_parts -
	                    (int128)fifo->start * fifo->service_parts;
	/* Time from the end of the service that frees its place until it arrives at the earliest. */
	const int128 sooner = (int128)(fifo->store_ot - fifo->room_ot) * fifo->service_parts;
	const int128 room = ((int128)fifo->service * (fifo->buffer - 1) - 8 * (int128)fifo->service_parts - sooner) *
	                            fifo->load_parts -
	                    busy;

	return smaller(while_not_negative(busy, fill->change), while_not_negative(room, -fill->change));
}

/* Frames that are over in time. */
static int128 frames_of_time(const struct fill *fill, int64_t until_ot, int64_t depart_ot, uint64_t most)
{
	const struct drift_fifo *fifo = fill->fifo;
	const int128 start_ot = (int128)until_ot - 2 * (fifo->load / fifo->load_parts + 1);
	const int128 end_ot = (int128)depart_ot - fifo->latency_ot - fifo->line_octets - 2 * GROUP_OCTETS;
	const int128 by_start = start_ot > 0 ? start_ot * fifo->load_parts / fifo->load : 0;
	const int128 by_end = (end_ot * fifo->service_parts - fifo->end) / fifo->service - 2;
	const int128 by_count = most > 2 ? (int128)most - 2 : 0;

	return smaller(by_start, smaller(by_end, by_count));
}

/* Frames whose latencies can be counted. */
static int128 frames_of_span(const struct fill *fill)
{
	const struct drift_fifo *fifo = fill->fifo;
	const int128 change = fill->change < 0 ? -fill->change : fill->change;
	const int128 span = (int128)(DRIFT_SPAN - 2 * MARGIN) * GROUP_OCTETS * fifo->load_parts * fifo->service_parts;

	return change != 0 ? span / change : (int128)1 << 44;
}

static bool prepare(struct fill *fill)
{
	const struct drift_fifo *fifo = fill->fifo;

	fill->parts = GROUP_OCTETS * fifo->service_parts;
	fill->load_parts = GROUP_OCTETS * fifo->load_parts;
	fill->change = (int128)fifo->service * fifo->load_parts - (int128)fifo->load * fifo->service_parts;
	/* The line out is not late now, and never will be: services are not shorter than frames. */
	return fifo->burst_frames == 0 && fifo->flows->gone_turns == 0 &&
	       fifo->service >= fifo->line_octets * fifo->service_parts &&
	       (int128)(fifo->line_free_ot - GROUP_OCTETS - fifo->latency_ot) * fifo->service_parts <
	               fifo->end + fifo->service;
}

/* Goes through the frames. False: outside of what can be counted. */
static bool go_through(const struct fill *fill, int64_t frames, struct drift_sums *sums, struct drift_end *end)
{
	const struct drift_fifo *fifo = fill->fifo;
	const int64_t load_groups = fifo->load / fill->load_parts, load_rest = fifo->load % fill->load_parts;
	const int64_t groups = fifo->service / fill->parts, rest = fifo->service % fill->parts;
	const int128 before = fifo->end + (int128)fifo->latency_ot * fifo->service_parts;
	const int64_t departed = (int64_t)drift_ceil(before, fill->parts);
	int64_t start = 0, after = fifo->start, departure = departed,
	        missing = (int64_t)(departed * (int128)fill->parts - before);
	int64_t free_ot = fifo->line_free_ot;
	const struct drift_turn *turn = fifo->flows->turn, *turns_end = turn + fifo->flows->period;

	sums->latency_base = departed + groups - (fill->change < 0 ? DRIFT_SPAN - MARGIN : MARGIN);
	for (int64_t k = 0; k < frames; k++) {
		departure += groups;
		missing -= rest;
		departure += missing < 0;
		missing += missing < 0 ? fill->parts : 0;
		if (!drift_count(sums->flow[turn->flow].latency, sums->span, departure - start - sums->latency_base, 1))
			return false;
		turn = turn + 1 != turns_end ? turn + 1 : fifo->flows->turn;
		free_ot = (free_ot > departure * GROUP_OCTETS ? free_ot : departure * GROUP_OCTETS) + fifo->line_octets;
		end->start_groups = start;
		start += load_groups;
		after += load_rest;
		start += after >= fill->load_parts;
		after -= after >= fill->load_parts ? fill->load_parts : 0;
	}
	end->departure_groups = departure;
	end->line_free_ot = free_ot;
	sums->between_base = groups;
	sums->between[1] = (uint64_t)(departure - departed - frames * groups);
	sums->between[0] = (uint64_t)frames - sums->between[1];
	sums->frames = (uint64_t)frames;
	return true;
}

enum drift_outcome drift_fill(const struct drift_fifo *fifo, int64_t until_ot, int64_t depart_ot, uint64_t most,
                              struct drift_sums *sums, struct drift_end *end)
{
	struct fill fill = {.fifo = fifo};
	int128 by_time, frames;

	if (!prepare(&fill))
		return DRIFT_NOT;
	frames = smaller(frames_of_state(&fill), frames_of_span(&fill));
	if (frames < DRIFT_LEAST || frames < fifo->buffer)
		return DRIFT_NOT;
	by_time = frames_of_time(&fill, until_ot, depart_ot, most);
	if (by_time < DRIFT_LEAST || by_time < fifo->buffer)
		return DRIFT_SHORT;
	frames = smaller(frames, by_time);
	*end = (struct drift_end){.services = 1};
	drift_arrive_all(fifo->flows, (int64_t)frames, &end->arrived);
	if (!go_through(&fill, (int64_t)frames, sums, end))
		return DRIFT_NOT;
	end->ends[0] = fifo->end + (int128)fifo->service * (frames - fifo->buffer + 1);
	return DRIFT_ON;
}
