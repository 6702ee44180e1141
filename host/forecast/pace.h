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

/* Wall seconds per second of sending: a simulation above it computes every clock, whatever the traffic. */
enum { PACE_CLOCK_BY_CLOCK_S = 30 };

/* Wall seconds of the trials of a test at a frame size. */
struct pace_size {
	uint32_t frame_octets;
	bool bidirectional;
	enum traffic_pattern pattern;
	unsigned modifiers;
	double trial_s;       /* each trial, however short */
	double sending_s;     /* each second of sending */
	double waiting_s;     /* each second without frames */
	double tried_s;       /* the longest trial that was measured, by its sending */
	double lossy_after_s; /* what was seen of the device: benchmark_expected() */
};

struct pace {
	enum pace_kind kind;
	struct pace_size *sizes;
	size_t size_count;
};

/* Measures a simulation in an instance of its own. The run's instance is not touched, as its results would then differ.
 * What cannot be measured is PACE_UNKNOWN; a plan is never refused for it. *cancel (may be NULL) ends it. */
void pace_measure(const struct setup *setup, const _Atomic int *cancel, struct pace *pace);
void pace_free(struct pace *pace);

/* The pace of a frame size with the traffic of a test; if there was no time to measure that, the last one that was.
 * NULL if there is none. */
const struct pace_size *pace_find(const struct pace *pace, const struct plan_test *test, uint32_t frame_octets);

/* True if the pace was measured with the traffic of that test. */
bool pace_is_of(const struct pace_size *size, const struct plan_test *test, uint32_t frame_octets);

/* Wall seconds of that effort; NAN when not known, INFINITY when it has no bound. */
double pace_wall_s(const struct pace *pace, const struct plan_test *test, uint32_t frame_octets,
                   const struct effort *effort);

/* A trial that was measured; 0: none was. */
struct pace_trial {
	double sending_s, wall_s;
};

/* A line through two trials: what a trial takes whatever its length, and what each second of it takes. Pure. */
struct pace_size pace_through(struct pace_trial shorter, struct pace_trial longer);

#endif
