// SPDX-License-Identifier: Apache-2.0
/* A fifo that is always busy, with a load above its service.
 *
 * A step is a service: the frame number k(j) that takes the room of service j. From e(j), its end less the time that a
 * frame takes until it needs room, follow n(j), the first group at or after it; K(j), the first frame that starts in
 * n(j) or later; k(j) = max(k(j - 1) + 1, K(j)); when that frame starts; and when it leaves, which is a constant after
 * e(j), rounded up to a group. All but the maximum are sums rounded to whole numbers. */
#include <stdlib.h>

#include "host/base/uint128.h"
#include "sim/twin/skip/drift_rounds.h"
#include "sim/twin/skip/drift_steps.h"

/* -- one by one ---------------------------------------------------------------------------------------------------- */

/* While room is left, a frame comes every load, and room for it only every service. */
static bool is_nearly_full(const struct full *full)
{
	return (double)-step_at(full, 0).frame * full->fills <= 2.0 * (double)full->settling;
}

/* Goes on until what was before the beginning does not matter any more, or through all. Returns the number of steps; 0:
 * too many. */
static int64_t settle(const struct full *full, int64_t most, bool all)
{
	struct drift_sums *sums = full->sums;
	struct step step = step_at(full, 0);
	int64_t frame = -1, left = full->memory, unsettled = full->settling;
	struct drift_arrived arrived;
	bool settled = false;

	drift_arrive_none(full->flows, &arrived);
	for (int64_t j = 0; j < most; j++) {
		struct drift_flow_sums *flow;

		if (!all && settled && left-- == 0)
			return j;
		if (!all && !settled && unsettled-- == 0)
			return 0;
		settled = settled || step.frame > frame;
		frame = drift_coming(full->flows, step.frame > frame ? step.frame : frame + 1);
		flow = &sums->flow[drift_turn(full->flows, frame)->flow];
		if (!drift_count(flow->latency, sums->span,
		                 departure_of(full, &step) - start_of(full, &step, frame - step.frame) + sums->span - 8,
		                 1))
			return 0;
		flow->gaps += drift_arrive(full->flows, frame, &arrived) != 0;
		step_on(full, &step);
	}
	return all ? most : 0;
}

/* The last steps of all, gone through once more. Of each flow, frames from `known` on. */
struct last_steps {
	int64_t frame, known;
	bool seen[DRIFT_FLOWS];
	int64_t first[DRIFT_FLOWS]; /* number of the first that was seen */
	bool unsure;                /* one after the last known loss came after another loss */
};

/* A frame takes the room, and it is known which ones did before, from `known` on. Returns true if some of its flow are
 * missing before it. */
static bool finish_frame(const struct full *full, struct last_steps *last, struct drift_arrived *arrived)
{
	const struct drift_turn *turn = drift_turn(full->flows, last->frame);
	const bool seen = last->seen[turn->flow], missing = drift_arrive(full->flows, last->frame, arrived) != 0;

	if (!seen)
		last->first[turn->flow] = arrived->last[turn->flow];
	last->seen[turn->flow] = true;
	if (seen || last->known < 0 || last->frame - turn->back >= last->known)
		return seen || last->known < 0 ? missing : true;
	last->unsure = true;
	return false;
}

static bool finish_is_known(const struct full *full, const struct last_steps *last, const struct drift_arrived *arrived)
{
	for (size_t i = 0; i < full->flows->flows; i++)
		if (!full->flows->gone[i] && (!last->seen[i] || arrived->last[i] - last->first[i] < 64))
			return false;
	return !last->unsure;
}

/* Goes through the last steps of all once more, for what they leave. False: too few. */
static bool finish(const struct full *full, int64_t steps, int64_t count, struct drift_end *end)
{
	const int64_t from = steps > count ? steps - count : 0, exact = from == 0 ? 0 : from + full->forgets + 1;
	const int64_t line_octets = full->fifo->line_octets;
	struct step step = step_at(full, from);
	struct last_steps last = {.frame = from == 0 ? -1 : step.frame - 1, .known = from == 0 ? -1 : INT64_MAX};
	int64_t free_ot = from == 0 ? full->fifo->line_free_ot : INT64_MIN;
	uint64_t gaps = 0;

	end->lost = false;
	drift_arrive_none(full->flows, &end->arrived);
	for (int64_t j = from; j < steps; j++) {
		last.frame = drift_coming(full->flows, step.frame > last.frame ? step.frame : last.frame + 1);
		end->start_groups = step.group + start_of(full, &step, last.frame - step.frame);
		end->departure_groups = step.group + full->leaves + departure_of(full, &step);
		if (j == exact && from != 0)
			last.known = last.frame;
		if (j >= exact && finish_frame(full, &last, &end->arrived)) {
			end->lost = true;
			end->loss_departure_groups = end->departure_groups;
			last.unsure = false;
		}
		if (free_ot < end->departure_groups * GROUP_OCTETS)
			free_ot = end->departure_groups * GROUP_OCTETS;
		free_ot += line_octets;
		step_on(full, &step);
	}
	for (size_t i = 0; i < full->flows->flows; i++)
		gaps += full->sums->flow[i].gaps;
	full->sums->frames = (uint64_t)last.frame + 1;
	end->line_free_ot = free_ot;
	return from == 0 || (finish_is_known(full, &last, &end->arrived) && (end->lost || gaps == 0));
}

/* -- all returns at once ------------------------------------------------------------------------------------------- */

/* Number of frames by which the frame is later than K, from this return on. */
struct stretch {
	int64_t from, later;
};

struct stretches {
	size_t count;
	struct stretch stretch[DRIFT_MOST_STRETCHES + 1];
};

struct rows {
	const struct full *full;
	struct drift_seen *seen; /* records the frames that are asked for */
	int64_t returns;
	int64_t end_drift;  /* change of e over a return, in parts */
	int64_t load_drift; /* change of n after the frames of a return, in parts of the load */
};

/* A step over all returns; added: what K has become more since the step before. */
static bool go_through(const struct rows *rows, const struct step *step, const struct stretches *before, int64_t added,
                       bool counts, struct stretches *stretches)
{
	const struct full *full = rows->full;
	const int64_t returns = rows->returns;
	struct drift_slow group = {0}, frame = {0}, start = {0}, departure = {0};
	struct drift_flow_sums *flow = &full->sums->flow[0];
	const bool several = full->flows->flows > 1;
	int64_t previous = INT64_MIN, until = 0, later = INT64_MIN;
	size_t at = 0;

	stretches->count = 0;
	for (int64_t now = 0; now < returns;) {
		bool moved = now == group.until;
		int64_t to, takes;

		if (moved)
			group = drift_slow(step->before, -rows->end_drift, full->parts, now, returns);
		if (moved || now == frame.until)
			frame = drift_slow(step->after + group.value * full->load_parts, -rows->load_drift,
			                   full->fifo->load, now, returns);
		if (before != NULL && now == until) {
			previous = before->stretch[at++].later + 1 - added;
			until = at < before->count ? before->stretch[at].from : returns;
		}
		takes = -frame.value > previous ? -frame.value : previous;
		/* The same in each return: keeps_turns(). */
		if (full->flows->gone_turns != 0)
			takes = drift_coming(full->flows, step->frame + takes) - step->frame;
		if (takes != later || now == start.until)
			start = drift_slow(step->after + takes * full->fifo->load, -rows->load_drift, full->load_parts,
			                   now, returns);
		if (now == departure.until)
			departure = drift_slow(step->before - full->leaves_rest, -rows->end_drift, full->parts, now,
			                       returns);
		if (takes != later) {
			if (stretches->count == DRIFT_MOST_STRETCHES)
				return false;
			stretches->stretch[stretches->count++] = (struct stretch){.from = now, .later = takes};
			later = takes;
			/* The same in each return: keeps_turns(). */
			if (several)
				flow = &full->sums->flow[drift_turn(full->flows, step->frame + takes)->flow];
		}
		to = drift_smaller(drift_smaller(group.until, frame.until),
		                   drift_smaller(start.until, departure.until));
		to = before != NULL ? drift_smaller(to, until) : to;
		if (several ? !steps_count_gaps(full, rows->seen, step->frame + takes, now, to, takes <= previous,
		                                counts)
		            : false)
			return false;
		if (counts && !several)
			flow->gaps += takes > previous ? (uint64_t)(to - now) : 0;
		if (counts && !drift_count(flow->latency, full->sums->span,
		                           -departure.value - start.value + full->sums->span - 8, to - now))
			return false;
		now = to;
	}
	return true;
}

static bool go_through_all(const struct full *full, int64_t from, const struct drift_return *over)
{
	struct rows rows = {.full = full, .returns = over->returns};
	struct stretches *stretches = malloc(2 * sizeof(*stretches)), *before = NULL;
	struct step step = step_at(full, from - full->memory);
	int128 groups, end_drift, load_drift;
	int64_t frame = step.frame;
	bool done;

	rows.seen = full->flows->most_back > 1 ? drift_seen_make() : NULL;
	done = stretches != NULL && (rows.seen != NULL || full->flows->most_back == 1);
	groups = drift_nearest((int128)full->fifo->service * over->steps, full->parts, &end_drift);
	drift_nearest(groups * full->load_parts, full->fifo->load, &load_drift);
	rows.end_drift = (int64_t)end_drift;
	rows.load_drift = (int64_t)load_drift;
	done = done && drift_is_slow(rows.end_drift, full->parts, over->returns) &&
	       drift_is_slow(rows.load_drift, full->fifo->load, over->returns);
	for (int64_t j = -full->memory; j < over->steps && done; j++) {
		struct stretches *now = before == stretches ? stretches + 1 : stretches;

		done = go_through(&rows, &step, before, step.frame - frame, j >= 0, now);
		before = now;
		frame = step.frame;
		step_on(full, &step);
	}
	drift_seen_free(rows.seen);
	free(stretches);
	return done;
}

/* -- all of it ----------------------------------------------------------------------------------------------------- */

/* Computes how fast what is back loses its influence, with a burst of frames every period. After m periods, as many
 * later frames as services at most have come to matter instead if (m period + 8) / service is not more than m bursts:
 * frames start at the begin of a group, so that two of them are up to 8 octet times closer than they should be, or
 * farther apart. */
static bool prepare_memory(struct full *full, int128 burst, int128 period)
{
	const struct drift_fifo *fifo = full->fifo;
	const int128 faster = burst * fifo->service * fifo->load_parts - period * fifo->service_parts;
	const int128 eight = (int128)8 * fifo->service_parts * fifo->load_parts;
	int128 memory;

	if (faster <= 0)
		return false;
	memory = ((eight / faster + 1) * period + 8 * fifo->load_parts) * fifo->service_parts /
	                 ((int128)fifo->service * fifo->load_parts) +
	         3;
	if (memory > DRIFT_MOST_MEMORY)
		return false;
	full->forgets = (int64_t)memory;
	full->memory = full->forgets + (full->flows->most_back > 1 ? full->flows->most_back + 1 : 0);
	full->fills = (double)(period * fifo->service_parts) / (double)faster;
	full->settling = fifo->burst_frames != 0 ? DRIFT_BURSTS_SETTLING : DRIFT_MOST_SETTLING;
	return true;
}

static bool prepare(struct full *full)
{
	const struct drift_fifo *fifo = full->fifo;
	const int64_t least_service = fifo->line_octets * fifo->service_parts;
	int128 leaves, line_memory;

	if (fifo->service <= least_service || fifo->buffer < 3 ||
	    !(fifo->burst_frames != 0
	              ? full->flows->gone_turns == 0 && prepare_memory(full, fifo->burst_frames, fifo->burst_ot)
	              : prepare_memory(full, full->flows->period - full->flows->gone_turns,
	                               (int128)fifo->load * full->flows->period)))
		return false;
	leaves =
	        (int128)fifo->service * fifo->buffer + (int128)(fifo->room_ot + fifo->latency_ot) * fifo->service_parts;
	line_memory = (int128)8 * fifo->service_parts / (fifo->service - least_service) + 2;
	if (line_memory > DRIFT_MOST_MEMORY)
		return false;
	full->parts = 8 * fifo->service_parts;
	full->load_parts = 8 * fifo->load_parts;
	full->end = fifo->end + fifo->service - (int128)fifo->service * fifo->buffer -
	            (int128)fifo->room_ot * fifo->service_parts;
	full->leaves = (int64_t)(leaves / full->parts);
	full->leaves_rest = (int64_t)(leaves % full->parts);
	full->groups = fifo->service / full->parts;
	full->groups_rest = fifo->service % full->parts;
	full->frames = (int64_t)((int128)full->load_parts * full->groups / fifo->load);
	full->frames_rest = (int64_t)((int128)full->load_parts * full->groups % fifo->load);
	full->line_memory = (int64_t)line_memory;
	/* The line out is not late now, and never will be: services are longer than frames. */
	return (int128)(fifo->line_free_ot - GROUP_OCTETS) * fifo->service_parts < full->end + leaves;
}

/* A frame starts less than 3 loads, or periods of bursts, after n. */
static int64_t steps_until(const struct full *full, int64_t until_ot, int64_t depart_ot, uint64_t most)
{
	const struct drift_fifo *fifo = full->fifo;
	const bool bursts = fifo->burst_frames != 0;
	const int128 load_ot = (bursts ? fifo->burst_ot : fifo->load / fifo->load_parts) + 1;
	const int128 end_ot = drift_floor(full->end, fifo->service_parts) + 1;
	const int128 most_frames = most < (UINT64_MAX >> 2) ? most : UINT64_MAX >> 2;
	const int128 frames_ot = bursts ? most_frames / fifo->burst_frames * fifo->burst_ot
	                                : most_frames * fifo->load / fifo->load_parts;
	const int128 gone_ot = full->flows->gone_turns * load_ot;
	int128 ot = (int128)until_ot - end_ot - 4 * load_ot - gone_ot - 16;
	const int128 by_departure = (int128)depart_ot - end_ot - (full->leaves + 3) * GROUP_OCTETS - fifo->line_octets;

	ot = by_departure < ot ? by_departure : ot;
	ot = frames_ot - end_ot - 8 * load_ot - gone_ot < ot ? frames_ot - end_ot - 8 * load_ot - gone_ot : ot;
	ot = ot > 0 ? ot * fifo->service_parts / fifo->service : 0;
	return ot < (int128)1 << 44 ? (int64_t)ot : (int64_t)1 << 44;
}

/* Frames in a return of so many steps. */
static int64_t frames_of(const struct full *full, int64_t steps)
{
	int128 rest;
	const int128 groups = drift_nearest((int128)full->fifo->service * steps, full->parts, &rest);

	return (int64_t)drift_nearest(groups * full->load_parts, full->fifo->load, &rest);
}

static bool keeps_turns(const void *state, int64_t steps)
{
	const struct full *full = state;

	return full->flows->period == 1 || frames_of(full, steps) % full->flows->period == 0;
}

static struct drift_return choose(const struct full *full, int64_t steps)
{
	const double load_groups = (double)full->fifo->load / (double)full->load_parts;
	const struct drift_turns turns = {
	        .first = (uint64_t)(((uint128)(uint64_t)full->groups_rest << 64) / (uint64_t)full->parts),
	        .second = (uint64_t)(((uint128)(uint64_t)full->load_parts << 64) / (uint64_t)full->fifo->load),
	        .whole = full->groups,
	        .first_weight = 4,
	        .second_weight = 2 + load_groups};

	return drift_choose(&turns, steps, full->memory, keeps_turns, full);
}

/* The least latency says whether another frame was always in service. */
static bool was_busy(const struct full *full)
{
	const struct drift_fifo *fifo = full->fifo;
	int64_t least = full->sums->span;

	for (size_t flow = 0; flow < full->flows->flows; flow++)
		for (int64_t i = 0; i < least; i++)
			if (full->sums->flow[flow].latency[i] != 0)
				least = i;
	return (full->sums->latency_base + least) * GROUP_OCTETS >=
	       fifo->latency_ot + fifo->store_ot + fifo->service / fifo->service_parts + 16;
}

static void sum_departures(const struct full *full, int64_t steps, const struct drift_end *end)
{
	const struct step first = step_at(full, -1);
	const int64_t before = first.group + full->leaves + departure_of(full, &first);
	const int64_t more = end->departure_groups - before - steps * full->groups;

	full->sums->between_base = full->groups;
	full->sums->between[0] = (uint64_t)(steps - more);
	full->sums->between[1] = (uint64_t)more;
}

enum drift_outcome drift_full(const struct drift_fifo *fifo, int64_t until_ot, int64_t depart_ot, uint64_t most,
                              struct drift_sums *sums, struct drift_end *end)
{
	struct full full = {.fifo = fifo, .flows = fifo->flows, .sums = sums};
	struct drift_return over;
	int64_t steps, settled, through = 0, last;
	bool one_by_one;

	if (!prepare(&full) || !is_nearly_full(&full))
		return DRIFT_NOT;
	steps = steps_until(&full, until_ot, depart_ot, most);
	if (steps < (fifo->slow ? DRIFT_LEAST_SLOW : DRIFT_LEAST) + 4 * (full.memory + full.line_memory))
		return DRIFT_SHORT;
	sums->latency_base = full.leaves - (sums->span - 8);
	one_by_one = fifo->slow && steps <= DRIFT_ONE_BY_ONE;
	settled = settle(&full, steps, one_by_one);
	if (settled == 0)
		return DRIFT_NOT;
	if (!one_by_one) {
		over = fifo->burst_frames != 0 ? (struct drift_return){.returns = rounds_choose(&full, steps - settled)}
		                               : choose(&full, steps - settled);
		if (over.returns < 2)
			return steps < DRIFT_FEW ? DRIFT_SHORT : DRIFT_NOT;
		through = fifo->burst_frames != 0                 ? rounds_go_through(&full, settled, over.returns)
		          : go_through_all(&full, settled, &over) ? over.steps * over.returns
		                                                  : 0;
	}
	if ((through == 0 && !one_by_one) || !was_busy(&full))
		return DRIFT_NOT;
	steps = settled + through;
	/* One by one, it may not have settled. */
	last = one_by_one ? steps : 2 * full.memory + full.line_memory + 128 * fifo->flows->most_back;
	while (!finish(&full, steps, last, end))
		last *= 4;
	/* While it fills, frames start later than steps_until() takes them to. */
	if (one_by_one && (GROUP_OCTETS * end->start_groups + 2 * (fifo->load / fifo->load_parts) >= until_ot ||
	                   sums->frames + 2 > most))
		return DRIFT_SHORT;
	sum_departures(&full, steps, end);
	/* The first that is still held ends when the next one can come. */
	end->ends[0] = full.end + (int128)fifo->service * steps + (int128)fifo->room_ot * fifo->service_parts;
	end->services = 1;
	return DRIFT_ON;
}
