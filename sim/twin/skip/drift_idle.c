// SPDX-License-Identifier: Apache-2.0
/* A fifo that is nearly always empty, with a load below its service.
 *
 * A step is a frame k. Its start is its ideal start rounded down to a group, so that it may arrive before the one
 * before it has been served: its service ends at E(k) = max(arrival(k), E(k - 1)) + service. It leaves in the first
 * group after that and a constant. Steps are counted relative to the start of their frame, ends in parts of the
 * service. */
#include <stdlib.h>
#include <string.h>

#include "host/base/uint128.h"
#include "sim/twin/skip/drift_flows.h"
#include "sim/twin/skip/drift_return.h"

struct idle {
	const struct drift_fifo *fifo;
	const struct drift_flows *flows;
	int64_t parts;               /* parts of the service in a group */
	int64_t load_parts;          /* parts of the load in a group */
	int64_t leaves;              /* departure after the end of a service, relative to the arrival, in parts */
	int64_t groups, groups_rest; /* increments of a step */
	int64_t memory, line_memory;
	struct drift_sums *sums;
};

/* A frame that has been served. */
struct served {
	int64_t end;       /* time after its arrival, in parts of the service */
	int64_t departure; /* groups after its start */
};

/* Frame k: its group, and its ideal start after that. */
struct step {
	int64_t group, after;
};

static struct step step_at(const struct idle *idle, int64_t k)
{
	const int128 ideal = idle->fifo->start + (int128)idle->fifo->load * k;
	const int128 group = drift_floor(ideal, idle->load_parts);

	return (struct step){.group = (int64_t)group, .after = (int64_t)(ideal - group * idle->load_parts)};
}

/* Returns the groups from one start to the next. */
static inline int64_t step_on(const struct idle *idle, struct step *step)
{
	int64_t groups = idle->groups;

	step->after += idle->groups_rest;
	if (step->after >= idle->load_parts) {
		step->after -= idle->load_parts;
		groups++;
	}
	step->group += groups;
	return groups;
}

/* The group of a departure. Both are relative to a step, and after many returns a frame may be far before it. */
static inline int64_t up(const struct idle *idle, int64_t end)
{
	const int64_t ready = end + idle->leaves, groups = ready / idle->parts;

	return groups + (ready > groups * idle->parts);
}

/* A frame that starts `late` groups after its step, where ends are relative to the step. */
static inline int64_t end_of(const struct idle *idle, int64_t late, int64_t end_before)
{
	const int64_t arrival = late * idle->parts;

	return (arrival > end_before ? arrival : end_before) + idle->fifo->service;
}

/* End of the service before the first frame, relative to its step. */
static int64_t end_before(const struct idle *idle, const struct step *first)
{
	return (int64_t)idle->fifo->end - first->group * idle->parts - idle->fifo->store_ot * idle->fifo->service_parts;
}

/* -- one by one ---------------------------------------------------------------------------------------------------- */

/* Goes on until what was before the beginning does not matter any more, or through all. Returns the number of steps; 0:
 * too many. */
static int64_t settle(const struct idle *idle, int64_t most, int64_t departure_groups, bool all)
{
	struct drift_sums *sums = idle->sums;
	struct step step = step_at(idle, 0);
	int64_t end = end_before(idle, &step);
	int64_t departed = departure_groups - step.group, left = idle->memory, unsettled = DRIFT_MOST_SETTLING;
	bool settled = false;

	for (int64_t k = 0; k < most; k++) {
		int64_t departure, groups;

		if (!all && settled && left-- == 0)
			return k;
		if (!all && !settled && unsettled-- == 0)
			return 0;
		settled = settled || end <= 0;
		if (!drift_turn(idle->flows, k)->gone) {
			end = end_of(idle, 0, end);
			departure = up(idle, end);
			if (!drift_count(sums->flow[drift_turn(idle->flows, k)->flow].latency, sums->span,
			                 departure - sums->latency_base, 1) ||
			    !drift_count(sums->between, DRIFT_SPAN, departure - departed, 1))
				return 0;
			departed = departure;
		}
		groups = step_on(idle, &step);
		end -= groups * idle->parts;
		departed -= groups;
	}
	return all ? most : 0;
}

/* Goes through the last steps of all once more, for what they leave. */
static void finish(const struct idle *idle, int64_t steps, int64_t last, struct drift_end *end)
{
	const int64_t from = steps > last ? steps - last : 0;
	struct step step = step_at(idle, from);
	int64_t ends = from == 0 ? end_before(idle, &step) : INT64_MIN / 2, free_ot = INT64_MIN;

	*end = (struct drift_end){.services = DRIFT_ENDS};
	drift_arrive_all(idle->flows, steps, &end->arrived);
	for (int64_t k = from; k < steps; k++) {
		end->start_groups = step.group;
		if (!drift_turn(idle->flows, k)->gone) {
			ends = end_of(idle, 0, ends);
			end->departure_groups = step.group + up(idle, ends);
			if (free_ot < end->departure_groups * GROUP_OCTETS)
				free_ot = end->departure_groups * GROUP_OCTETS;
			free_ot += idle->fifo->line_octets;
			memmove(end->ends, end->ends + 1, (DRIFT_ENDS - 1) * sizeof(end->ends[0]));
			end->ends[DRIFT_ENDS - 1] = (int128)step.group * idle->parts + ends +
			                            (int128)idle->fifo->store_ot * idle->fifo->service_parts;
		}
		ends -= step_on(idle, &step) * idle->parts;
	}
	end->line_free_ot = free_ot;
}

/* -- all returns at once ------------------------------------------------------------------------------------------- */

/* State of the server from this return on. */
struct stretch {
	int64_t from;
	struct served served;
};

struct stretches {
	size_t count;
	struct stretch stretch[DRIFT_MOST_STRETCHES + 1];
};

struct rows {
	const struct idle *idle;
	int64_t returns;
	int64_t drift; /* change of the ideal start over a return */
};

/* Passes over a frame that does not come, so many groups after the one before: all stays. */
static bool pass_over(const struct rows *rows, const struct stretches *before, int64_t groups,
                      struct stretches *stretches)
{
	if (before == NULL)
		return false;
	stretches->count = before->count;
	for (size_t i = 0; i < before->count; i++) {
		stretches->stretch[i] = before->stretch[i];
		stretches->stretch[i].served.end -= groups * rows->idle->parts;
		stretches->stretch[i].served.departure -= groups;
	}
	return true;
}

/* A step over all returns, so many groups after the one before. latency: NULL, or where to count. */
static bool go_through(const struct rows *rows, const struct step *step, const struct stretches *before, int64_t groups,
                       uint64_t *latency, struct stretches *stretches)
{
	const struct idle *idle = rows->idle;
	const int64_t returns = rows->returns;
	struct drift_slow start = {0};
	struct served previous = {.end = INT64_MIN / 2}, served = {.end = INT64_MIN};
	int64_t until = 0;
	size_t at = 0;

	stretches->count = 0;
	for (int64_t now = 0; now < returns;) {
		int64_t end, to;

		if (now == start.until)
			start = drift_slow(step->after, rows->drift, idle->load_parts, now, returns);
		if (before != NULL && now == until) {
			previous = before->stretch[at++].served;
			previous.end -= groups * idle->parts;
			previous.departure -= groups;
			until = at < before->count ? before->stretch[at].from : returns;
		}
		end = end_of(idle, start.value, previous.end);
		if (end != served.end) {
			served = (struct served){.end = end, .departure = up(idle, end)};
			if (stretches->count == DRIFT_MOST_STRETCHES)
				return false;
			stretches->stretch[stretches->count++] = (struct stretch){.from = now, .served = served};
		}
		to = before != NULL ? drift_smaller(start.until, until) : start.until;
		if (latency != NULL &&
		    (!drift_count(latency, idle->sums->span, served.departure - start.value - idle->sums->latency_base,
		                  to - now) ||
		     !drift_count(idle->sums->between, DRIFT_SPAN, served.departure - previous.departure, to - now)))
			return false;
		now = to;
	}
	return true;
}

static bool go_through_all(const struct idle *idle, int64_t from, const struct drift_return *over)
{
	struct rows rows = {.idle = idle, .returns = over->returns};
	struct stretches *stretches = malloc(2 * sizeof(*stretches)), *before = NULL;
	const int64_t first = drift_coming(idle->flows, from - idle->memory) - from;
	struct step step = step_at(idle, from + first);
	int64_t groups = 0;
	int128 drift;
	bool done = stretches != NULL;

	drift_nearest((int128)idle->fifo->load * over->steps, idle->load_parts, &drift);
	rows.drift = (int64_t)drift;
	done = done && drift_is_slow(rows.drift, idle->load_parts, over->returns);
	for (int64_t k = first; k < over->steps && done; k++) {
		struct stretches *now = before == stretches ? stretches + 1 : stretches;
		/* The same in each return: keeps_turns(). */
		const struct drift_turn *turn = drift_turn(idle->flows, from + k);

		done = turn->gone ? pass_over(&rows, before, groups, now)
		                  : go_through(&rows, &step, before, groups,
		                               k >= 0 ? idle->sums->flow[turn->flow].latency : NULL, now);
		before = now;
		groups = step_on(idle, &step);
	}
	free(stretches);
	return done;
}

/* -- all of it ----------------------------------------------------------------------------------------------------- */

/* Frames that matter: see drift.h. If some do not come, the others of a window are at most their share and gone_turns
 * more: so frames may come closer than services, if on average they do not. 0: they do. */
static int128 memory_of(const struct drift_fifo *fifo)
{
	const struct drift_flows *flows = fifo->flows;
	const int128 load = (int128)fifo->load * fifo->service_parts,
	             service = (int128)fifo->service * fifo->load_parts;
	const int128 eight = (int128)8 * fifo->load_parts * fifo->service_parts;
	const int128 slower = load - service;
	const int128 on_average = load * flows->period - service * (flows->period - flows->gone_turns);

	if (slower > 0 && eight / slower + 4 <= DRIFT_MOST_MEMORY)
		return eight / slower + 4;
	if (flows->gone_turns != 1 || on_average <= 0)
		return slower > 0 ? DRIFT_MOST_MEMORY + 1 : 0;
	return (eight + service * flows->gone_turns) * flows->period / on_average + 4;
}

static bool prepare(struct idle *idle)
{
	const struct drift_fifo *fifo = idle->fifo;
	const int64_t least_load = fifo->line_octets * fifo->load_parts;
	const int128 backlog = fifo->end - (int128)fifo->store_ot * fifo->service_parts;
	const int128 memory = memory_of(fifo);
	int128 line_memory, ready;

	/* It must not fill: after such a backlog there are never more than 5 frames inside, or 6, if one in each round
	 * does not come. */
	if (fifo->burst_frames != 0 || memory == 0 || fifo->load <= least_load ||
	    fifo->service < fifo->line_octets * fifo->service_parts || fifo->buffer < DRIFT_ENDS ||
	    backlog > 2 * (int128)fifo->service)
		return false;
	line_memory = (int128)24 * fifo->load_parts / (fifo->load - least_load) + 2;
	if (memory > DRIFT_MOST_MEMORY || line_memory > DRIFT_MOST_MEMORY)
		return false;
	idle->parts = 8 * fifo->service_parts;
	idle->load_parts = 8 * fifo->load_parts;
	idle->leaves = (fifo->store_ot + fifo->latency_ot) * fifo->service_parts;
	idle->groups = fifo->load / idle->load_parts;
	idle->groups_rest = fifo->load % idle->load_parts;
	idle->memory = (int64_t)memory;
	idle->line_memory = (int64_t)line_memory;
	/* The line out is not late now, and never will be: services are longer than frames. */
	ready = (backlog > 0 ? backlog : 0) + fifo->service + idle->leaves;
	return (int128)(fifo->line_free_ot - GROUP_OCTETS) * fifo->service_parts < ready;
}

/* A frame leaves less than 6 services after it has arrived. */
static int64_t steps_until(const struct idle *idle, int64_t until_ot, int64_t depart_ot, uint64_t most)
{
	const struct drift_fifo *fifo = idle->fifo;
	const int64_t load_ot = fifo->load / fifo->load_parts + 1, service_ot = fifo->service / fifo->service_parts + 1;
	const int64_t by_departure =
	        depart_ot - fifo->store_ot - fifo->latency_ot - fifo->line_octets - 6 * service_ot - 16;
	int128 ot = drift_smaller(until_ot - 2 * load_ot, by_departure - 2 * load_ot);

	ot = ot > 0 ? ot * fifo->load_parts / fifo->load : 0;
	ot = ot < (int128)1 << 44 ? ot : (int128)1 << 44;
	return most < (uint64_t)ot + 2 ? (most > 2 ? (int64_t)most - 2 : 0) : (int64_t)ot;
}

static bool keeps_turns(const void *state, int64_t steps)
{
	const struct idle *idle = state;

	return steps % idle->flows->period == 0;
}

enum drift_outcome drift_idle(const struct drift_fifo *fifo, int64_t until_ot, int64_t depart_ot, uint64_t most,
                              struct drift_sums *sums, struct drift_end *end)
{
	struct idle idle = {.fifo = fifo, .flows = fifo->flows, .sums = sums};
	struct drift_turns turns = {.second_weight = 0};
	struct drift_return over;
	int64_t steps, settled, ready, departure, last;
	bool one_by_one;

	if (!prepare(&idle))
		return DRIFT_NOT;
	steps = steps_until(&idle, until_ot, depart_ot, most);
	if (steps < (fifo->slow ? DRIFT_LEAST_SLOW : DRIFT_LEAST) + 4 * (idle.memory + idle.line_memory) +
	                    16 * idle.flows->gone_turns)
		return DRIFT_SHORT;
	/* The frame before has left when its service had ended. */
	ready = (int64_t)drift_ceil(fifo->end + (int128)fifo->latency_ot * fifo->service_parts, idle.parts);
	departure = ready;
	sums->latency_base = (fifo->service + idle.leaves) / idle.parts;
	sums->between_base = 0;
	one_by_one = fifo->slow && steps <= DRIFT_ONE_BY_ONE;
	settled = settle(&idle, steps, departure, one_by_one);
	if (settled == 0)
		return DRIFT_NOT;
	if (!one_by_one) {
		turns.first = (uint64_t)(((uint128)(uint64_t)idle.groups_rest << 64) / (uint64_t)idle.load_parts);
		turns.first_weight = 2 + (double)idle.memory / 4;
		over = drift_choose(&turns, steps - settled, idle.memory, keeps_turns, &idle);
		if (over.returns < 2)
			return steps < DRIFT_FEW ? DRIFT_SHORT : DRIFT_NOT;
		if (!go_through_all(&idle, settled, &over))
			return DRIFT_NOT;
		steps = settled + over.steps * over.returns;
	}
	/* One by one, it may not have settled. */
	last = one_by_one ? steps : idle.memory + idle.line_memory + 128 + 16 * idle.flows->gone_turns;
	finish(&idle, steps, last, end);
	sums->frames = (uint64_t)steps;
	return DRIFT_ON;
}
