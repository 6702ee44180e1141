/* SPDX-License-Identifier: Apache-2.0 */
/* The flows of a load that goes on as in drift.h: whose a frame is, and what has arrived of each. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_DRIFT_FLOWS_H
#define FPGAUGE_SIM_TWIN_SKIP_DRIFT_FLOWS_H

#include "sim/twin/skip/drift.h"

/* The turn of frame k, which may be before the first one. */
static inline const struct drift_turn *drift_turn(const struct drift_flows *flows, int64_t k)
{
	const int64_t place = k % flows->period;

	return &flows->turn[place < 0 ? place + flows->period : place];
}

/* The first frame from k on that comes to the fifo. */
static inline int64_t drift_coming(const struct drift_flows *flows, int64_t k)
{
	while (flows->gone_turns != 0 && drift_turn(flows, k)->gone)
		k++;
	return k;
}

/* Sets rank, back, asked, gone, frames, gone_turns and most_back from the period, the flow of each turn, and which
 * flows are gone. */
void drift_arrange(struct drift_flows *flows);

/* Nothing has arrived yet but what had before. */
void drift_arrive_none(const struct drift_flows *flows, struct drift_arrived *arrived);

/* So many frames from the first one have arrived, but those that are gone, and `behind` is 0. */
void drift_arrive_all(const struct drift_flows *flows, int64_t frames, struct drift_arrived *arrived);

/* Frame k, not below 0, arrives after all others. Returns how many of its flow are missing before it. */
int64_t drift_arrive(const struct drift_flows *flows, int64_t k, struct drift_arrived *arrived);

/* -- which frames were received, in which returns ------------------------------------------------------------------ */

/* A record of many frames, by their number in the first return. */
struct drift_seen;

/* NULL: out of memory. */
struct drift_seen *drift_seen_make(void);
void drift_seen_free(struct drift_seen *seen);

/* A frame is received in the returns [from, to). Of each frame these are disjoint. False: out of memory, or it is too
 * far before others. */
bool drift_seen_add(struct drift_seen *seen, int64_t frame, int64_t from, int64_t to);

/* Number of these returns in which a frame was received that is not more than DRIFT_TURNS before one that was just
 * added; negative: not known any more. */
int64_t drift_seen_count(const struct drift_seen *seen, int64_t frame, int64_t from, int64_t to);

#endif
