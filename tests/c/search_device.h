/* SPDX-License-Identifier: Apache-2.0 */
/* Devices for searches, as pure models: frames in, frames lost. A fluid queue with one service rate; what is special
 * about a device is in its numbers. */
#ifndef FPGAUGE_TESTS_SEARCH_DEVICE_H
#define FPGAUGE_TESTS_SEARCH_DEVICE_H

#include <stdint.h>

#include "host/search/search.h"

enum overload_kind {
	OVERLOAD_HARMLESS, /* serves its capacity whatever is offered */
	OVERLOAD_STEP,     /* any overload at all, and it serves capacity x droop */
	OVERLOAD_GRADUAL,  /* from capacity just above it to capacity x droop at the line rate */
};

struct search_device {
	double line_fps, capacity_fps;
	double buffer_frames; /* empty when a trial begins */
	enum overload_kind overload;
	double droop;
	double stalls_per_s, stall_s; /* a Poisson process of pauses in service */
	uint64_t seed;                /* changes with every trial */
};

/* A trial on the device; load in frames a second. */
struct search_observation search_device_trial(struct search_device *device, uint64_t load_fps, uint64_t duration_ns);

/* A uniform number from 0 to below 1; splitmix64, whose every seed is as good as another. */
double search_device_random(uint64_t *seed);

#endif
