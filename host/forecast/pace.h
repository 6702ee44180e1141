/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how much wall time device time takes here. A card takes as long as its trials; for a simulation it depends on
 * the library, the machine, the frames and the device under test, so it is measured, in a few milliseconds per size. */
#ifndef FPGAUGE_FORECAST_PACE_H
#define FPGAUGE_FORECAST_PACE_H

#include "host/bench/extent.h"
#include "host/forecast/setup.h"

enum pace_kind {
	PACE_UNKNOWN,  /* a simulation that could not be measured */
	PACE_DEVICE,   /* a card: wall time is device time */
	PACE_MEASURED, /* a simulation */
	PACE_ASKED,    /* an external program: as if it took as long as its trials are asked for */
};

/* Wall seconds of the trials of a test at a frame size. */
struct pace_size {
	uint32_t frame_octets;
	bool bidirectional;
	enum traffic_pattern pattern;
	unsigned modifiers;
	bool glanced;     /* at the device only: the pace is of other traffic */
	double trial_s;   /* of any trial, however short */
	double sending_s; /* per second of sending */
	double tried_s;   /* the longest trial that was measured, by its sending */
	double tried_wall_s;
	bool clock_by_clock; /* every clock is computed, whatever the traffic */
	struct glimpse glimpse;
};

struct pace {
	enum pace_kind kind;
	double waiting_s; /* wall seconds per second without frames */
	struct pace_size *sizes;
	size_t size_count;
};

/* Measures a simulation in an instance of its own. The run's instance is not touched, as its results would then differ.
 * What cannot be measured is PACE_UNKNOWN; a plan is never refused for it. *cancel (may be NULL) ends it. */
void pace_measure(const struct setup *setup, const _Atomic int *cancel, struct pace *pace);
void pace_free(struct pace *pace);

/* The pace of a frame size with the traffic of a test; if that was not measured, of that size with other traffic, or
 * else the last one that was. NULL if there is none. */
const struct pace_size *pace_find(const struct pace *pace, const struct plan_test *test, uint32_t frame_octets);

/* True if the pace was measured with the traffic of that test. */
bool pace_is_of(const struct pace_size *size, const struct plan_test *test, uint32_t frame_octets);

/* The glimpse of the device at a frame size, or at another. */
struct glimpse pace_glimpse(const struct pace *pace, const struct plan_test *test, uint32_t frame_octets);

/* Wall seconds of that effort; NAN when not known, INFINITY when it has no bound. */
double pace_wall_s(const struct pace *pace, const struct plan_test *test, uint32_t frame_octets,
                   const struct effort *effort);

/* A line through the last two of a series of ever longer trials: what a trial takes whatever its length, and what each
 * second of it takes. Pure. */
struct pace_size pace_through(const double *sending_s, const double *wall_s, size_t count);

#endif
