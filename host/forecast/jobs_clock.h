/* SPDX-License-Identifier: Apache-2.0 */
/* When trials would end that run side by side (host/trial/side_by_side.h), reckoned from how long each takes alone:
 * what `run --jobs N` gains depends on how often the search asks for what was foreseen. Pure. */
#ifndef FPGAUGE_FORECAST_JOBS_CLOCK_H
#define FPGAUGE_FORECAST_JOBS_CLOCK_H

#include "host/trial/tester.h"

enum { JOBS_CLOCK_MOST = 64 };

struct jobs_clock {
	unsigned jobs;              /* at a time; below 2: one trial after the other */
	bool also_short;            /* see side_by_side.h */
	double now_s;               /* that has passed so */
	double alone_s;             /* that would have passed with one after the other */
	double last_s;              /* of the last trial */
	bool forks;                 /* the device can be copied: it is at rest after a trial on itself */
	struct traffic_shape shape; /* of that trial */
	struct {
		struct trial_request request;
		double begun_s;
	} ahead[JOBS_CLOCK_MOST]; /* begun before they were asked for */
	unsigned count;
};

void jobs_clock_begin(struct jobs_clock *clock, unsigned jobs, bool also_short);

/* As of the tester: how many trials it wants to know beforehand, and which will come, the first for certain. */
unsigned jobs_clock_looks_ahead(const struct jobs_clock *clock);
void jobs_clock_expect(struct jobs_clock *clock, const struct trial_request *requests, unsigned count);

/* A trial that was asked for and takes trial_s alone. at_rest: the device can be copied after it. */
void jobs_clock_run(struct jobs_clock *clock, const struct trial_request *request, double trial_s, bool at_rest);

#endif
