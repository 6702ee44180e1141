/* SPDX-License-Identifier: Apache-2.0 */
/* A full fifo: its steps, which drift_full.c explains. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_DRIFT_STEPS_H
#define FPGAUGE_SIM_TWIN_SKIP_DRIFT_STEPS_H

#include "sim/twin/skip/drift_bursts.h"
#include "sim/twin/skip/drift_flows.h"
#include "sim/twin/skip/drift_return.h"

struct full {
	const struct drift_fifo *fifo;
	const struct drift_flows *flows;
	int64_t parts;               /* parts of e in a group */
	int64_t load_parts;          /* parts of the load in a group */
	int128 end;                  /* e(0) */
	int64_t leaves, leaves_rest; /* departure after e: groups, and parts of e */
	/* increments of a step, rounded down */
	int64_t groups, groups_rest, frames, frames_rest;
	int64_t forgets; /* so many steps back, or more, nothing matters for which frame takes the room, */
	int64_t memory;  /* nor, so many, for whether the one before of its flow did */
	int64_t line_memory;
	double fills;     /* steps for a frame of the buffer that is empty */
	int64_t settling; /* steps to play at most until it has settled */
	struct drift_sums *sums;
};

/* A step j: n, K; e before the end of n, in parts; and, but for bursts, the ideal start of K after the begin of n. */
struct step {
	int64_t group, frame, before, after;
};

static inline struct step step_at(const struct full *full, int64_t j)
{
	const int128 end = full->end + (int128)full->fifo->service * j;
	const int128 group = drift_ceil(end, full->parts);
	const int64_t before = (int64_t)(group * full->parts - end);
	const int128 ideal = group * full->load_parts - full->fifo->start;
	const int128 frame = drift_ceil(ideal, full->fifo->load);

	if (full->fifo->burst_frames != 0)
		return (struct step){.group = (int64_t)group,
		                     .frame = drift_frame_from(full->fifo, (int64_t)group),
		                     .before = before};
	return (struct step){.group = (int64_t)group,
	                     .frame = (int64_t)frame,
	                     .before = before,
	                     .after = (int64_t)(frame * full->fifo->load - ideal)};
}

static inline void step_on(const struct full *full, struct step *step)
{
	step->group += full->groups;
	step->before -= full->groups_rest;
	step->after -= full->frames_rest;
	if (step->before < 0) {
		step->before += full->parts;
		step->group++;
		step->after -= full->load_parts;
	}
	if (full->fifo->burst_frames != 0) {
		step->frame = drift_frame_from(full->fifo, step->group);
		return;
	}
	step->frame += full->frames;
	while (step->after < 0) {
		step->after += full->fifo->load;
		step->frame++;
	}
}

/* Groups from n to the start of a frame that is `later` than K. */
static inline int64_t start_of(const struct full *full, const struct step *step, int64_t later)
{
	if (full->fifo->burst_frames != 0)
		return drift_start_of(full->fifo, step->frame + later) - step->group;
	return (step->after + later * full->fifo->load) / full->load_parts;
}

/* Groups from n to the departure, but for the constant part. */
static inline int64_t departure_of(const struct full *full, const struct step *step)
{
	return full->leaves_rest > step->before;
}

/* A frame takes the room in returns from `from` on, before `to`. straight: the one before took it in the step before.
 * seen: of frames that are asked for. False: outside of what can be counted. */
static inline bool steps_count_gaps(const struct full *full, struct drift_seen *seen, int64_t frame, int64_t from,
                                    int64_t to, bool straight, bool counts)
{
	const struct drift_turn *turn = drift_turn(full->flows, frame);
	uint64_t *gaps = &full->sums->flow[turn->flow].gaps;

	if (turn->asked && !drift_seen_add(seen, frame, from, to))
		return false;
	if (counts && turn->back == 1) {
		*gaps += straight ? 0 : (uint64_t)(to - from);
	} else if (counts) {
		const int64_t returns = drift_seen_count(seen, frame - turn->back, from, to);

		*gaps += (uint64_t)(to - from - returns);
		return returns >= 0;
	}
	return true;
}

#endif
