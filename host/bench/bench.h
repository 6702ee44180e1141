/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks: decisions only. Each runs trials through a tester and returns results as JSON objects whose keys are
 * fixed in docs/results.md; the report renders those objects and nothing else. */
#ifndef FPGAUGE_BENCH_BENCH_H
#define FPGAUGE_BENCH_BENCH_H

#include <jansson.h>
#include <stdint.h>

#include "host/base/error.h"
#include "host/plan/plan.h"
#include "host/trial/tester.h"

/* Told before every trial, for the live line. */
struct bench_progress {
	const char *test; /* "throughput", "back_to_back" */
	unsigned test_number, test_count;
	uint32_t frame_octets;
	unsigned step, steps_estimate; /* trials done and expected in all of this test at this size */
	unsigned repetition, repetitions;
	uint64_t low, high;  /* bracket, in the unit of point */
	uint64_t point;      /* frames a second, or frames of burst */
	double seconds_left; /* of this test at this size, from the trials so far; negative when unknown */
};

struct bench_context {
	struct tester *tester;
	void (*progress)(void *user, const struct bench_progress *progress); /* may be NULL */
	double (*now_s)(
	        void *user); /* wall time for seconds_left, from any origin; NULL: unknown (bench has no clock) */
	/* Told when a test at a size is done: results were added or changed. Nonzero ends the run. May be NULL. */
	int (*done)(void *user, const json_t *results, struct error *error);
	void *user;
	/* throughput results so far, for back_to_back: the results array itself */
	json_t *results; /* array; benchmarks append one object a frame size */
};

/* Runs all tests of the plan in order, appending to context->results. 0; or a negative error with the results so far
 * kept (ERROR_CANCELLED, ERROR_DEVICE). Frees nothing of the context. */
int bench_run(struct bench_context *context, const struct plan *plan, struct error *error);

#endif
