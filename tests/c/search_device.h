/* SPDX-License-Identifier: Apache-2.0 */
/* Devices for searches, as pure models: frames in, frames lost. Each is a fluid queue with one service rate; devices
 * differ only in their numbers. */
#ifndef FPGAUGE_TESTS_SEARCH_DEVICE_H
#define FPGAUGE_TESTS_SEARCH_DEVICE_H

#include <stdint.h>

#include "host/search/search.h"

enum overload_kind {
	OVERLOAD_HARMLESS, /* serves its capacity whatever is offered */
	OVERLOAD_STEP,     /* serves capacity x droop under any overload at all */
	OVERLOAD_GRADUAL,  /* serves from capacity, just above it, down to capacity x droop at line rate */
};

struct search_device {
	double line_fps, capacity_fps;
	double buffer_frames; /* empty at the start of a trial */
	enum overload_kind overload;
	double droop;
	double stalls_per_s, stall_s; /* a Poisson process of pauses in service */
	uint64_t seed;                /* changes with every trial */
};

/* Runs a trial on the device; load in frames per second. */
struct search_observation search_device_trial(struct search_device *device, uint64_t load_fps, uint64_t duration_ns);

/* A uniform number from 0 to below 1, by splitmix64, for which every seed is as good as any other. */
double search_device_random(uint64_t *seed);

#endif
