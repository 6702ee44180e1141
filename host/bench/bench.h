/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks: decisions only. Each runs trials through a tester and returns results as JSON objects whose keys are
 * fixed in docs/results.md; the report renders those objects and nothing else. */
#ifndef FPGAUGE_BENCH_BENCH_H
#define FPGAUGE_BENCH_BENCH_H

#include <jansson.h>
#include <stdint.h>

#include "host/base/error.h"
#include "host/bench/benchmark.h"
#include "host/plan/plan.h"
#include "host/trial/tester.h"

/* Passed to progress() before every trial, for the live line. */
struct bench_progress {
	const struct benchmark *benchmark;
	unsigned test_number, test_count;
	uint32_t frame_octets;             /* 0: of a mix */
	const struct traffic_sizes *sizes; /* the mix, which is part of the plan; without entries for one size */
	unsigned run;                      /* run of plan_runs(), from 0 */
	uint32_t modifiers;                /* modifiers of that run */
	unsigned step, steps_estimate;     /* trials done, and expected in total, for this test at this size */
	unsigned repetition, repetitions;
	uint64_t low, high;  /* bracket, in the unit of point */
	uint64_t point;      /* point in the unit of the benchmark */
	double trial_s;      /* how long this trial sends frames, in device time */
	double seconds_left; /* estimate for this test at this size, from the trials so far; negative when unknown */
};

enum { BENCH_MAX_GOALS = 16 };

/* The knowledge so far about a load or a burst length (RFC 9971 6.1; for a binary search, what it decided). */
enum bench_class { BENCH_UNDECIDED, BENCH_LOWER, BENCH_UPPER };

/* Passed to trace() after every trial. Rates are in frames per second per sending port. */
struct bench_trial {
	const char *test;
	unsigned test_number;              /* number in the plan, from 1 */
	uint32_t frame_octets;             /* 0: of a mix */
	const struct traffic_sizes *sizes; /* the mix, which is part of the plan; without entries for one size */
	uint32_t modifiers;                /* modifiers of its traffic */
	unsigned repetition, trial;        /* both from 1 */
	double load_fps;                   /* line rate for a burst; the average for several */
	uint64_t burst_frames;             /* 0: a trial at a load, not a burst */
	double duration_s;                 /* time that was requested; NAN for a single burst */
	uint64_t offered_frames, lost_frames;
	const char *why_invalid; /* NULL: valid. Otherwise no frame counts, and nothing below */
	size_t goals;
	struct bench_goal {
		enum bench_class class; /* class of this load */
		double lower, upper;    /* bounds, in the unit of the benchmark's points; NAN where there is none */
	} goal[BENCH_MAX_GOALS];
};

struct bench_context {
	struct tester *tester;
	void (*progress)(void *user, const struct bench_progress *progress); /* may be NULL */
	double (*now_s)(
	        void *user); /* wall time for seconds_left, from any origin; NULL: unknown (bench has no clock) */
	/* Called when a test is done at one frame size: results were added or changed. Nonzero ends the run. May be
	 * NULL. */
	int (*done)(void *user, const json_t *results, struct error *error);
	void *user;
	void (*trace)(void *user, const struct bench_trial *trial); /* may be NULL */
	void *trace_user;
	/* Array. Benchmarks append one object per frame size, and look up the earlier ones they depend on. */
	json_t *results;
};

/* Makes what a test sends of the traffic of its pattern: benchmark.traffic. 0, or ERROR_PLAN without the place. */
int bench_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error);

/* Returns how many ports a device must have for a test: those that its traffic needs at least. */
unsigned bench_least_ports(const struct plan_test *test);

/* plan.cannot_send of its benchmark; NULL: a device can send it all. */
const char *bench_cannot_send(const struct plan_test *test, uint32_t sends);

/* Makes the checks of a plan that only the searches themselves can make, before any trial. 0, or ERROR_PLAN with the
 * place. */
int bench_check(const struct plan *plan, uint64_t link_bps, struct error *error);

/* Runs all tests of the plan in order, appending to context->results. Returns 0, or a negative error (ERROR_CANCELLED,
 * ERROR_DEVICE), which keeps the results so far. Frees nothing in the context. */
int bench_run(struct bench_context *context, const struct plan *plan, struct error *error);

#endif
