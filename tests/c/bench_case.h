/* SPDX-License-Identifier: Apache-2.0 */
/* A hand-made plan, and a run of it on the FIFO tester. */
#ifndef FPGAUGE_TESTS_C_BENCH_CASE_H
#define FPGAUGE_TESTS_C_BENCH_CASE_H

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "fifo_tester.h"
#include "host/bench/bench.h"
#include "host/bench/rfc2544/throughput.h"
#include "host/bench/rfc9004/back_to_back.h"

enum { CASE_MAX_SIZES = 8 };

struct bench_case {
	struct fifo_tester fifo;
	uint32_t sizes[CASE_MAX_SIZES];
	struct plan_test tests[2]; /* throughput, back_to_back */
	struct throughput_settings throughput;
	struct back_to_back_settings burst;
	struct plan plan;
	struct bench_context context;
	struct error error;
};

static inline void case_begin(struct bench_case *c, const uint32_t *sizes, size_t size_count)
{
	struct plan_test common = {.frame_size_count = size_count,
	                           .search = PLAN_SEARCH_BINARY,
	                           .max_trials = 1,
	                           .loss_verification_z = {QUANTITY_FRAMES, 1000000000, 1},
	                           .settle_ns = 2000000000,
	                           .drain_ns = 2000000000,
	                           .shape = traffic_shape_plain(0)};

	memset(c, 0, sizeof(*c));
	memcpy(c->sizes, sizes, size_count * sizeof(*sizes));
	c->tests[0] = c->tests[1] = common;
	c->tests[0].benchmark = &THROUGHPUT.plan;
	c->tests[0].settings = &c->throughput;
	c->throughput = (struct throughput_settings){.trial_duration_ns = 1000000000,
	                                             .search_trial_duration_ns = 1000000000,
	                                             .resolution = {QUANTITY_PERCENT, 1, 1000}}; /* 0.1% */
	c->tests[1].benchmark = &BACK_TO_BACK.plan;
	c->tests[1].settings = &c->burst;
	c->burst = (struct back_to_back_settings){.resolution = {QUANTITY_FRAMES, 1, 1},
	                                          .repetitions = 3,
	                                          .max_burst = {QUANTITY_TIME, 30, 1},
	                                          .first_burst_frames = 64};
	c->plan = (struct plan){.tests = c->tests, .test_count = 2};
}

static inline int case_run(struct bench_case *c)
{
	c->tests[0].frame_sizes = c->tests[1].frame_sizes = c->sizes;
	json_decref(c->context.results);
	c->context.results = json_array();
	c->context.tester = &c->fifo.tester;
	return bench_run(&c->context, &c->plan, &c->error);
}

static inline void case_end(struct bench_case *c)
{
	json_decref(c->context.results);
	c->context.results = NULL;
}

/* The first result of a test at a frame size. */
static inline json_t *case_result(const struct bench_case *c, const char *test, uint32_t frame_octets)
{
	json_t *result;
	size_t i;

	json_array_foreach(c->context.results, i,
	                   result) if (strcmp(json_string_value(json_object_get(result, "test")), test) == 0 &&
	                               json_integer_value(json_object_get(result, "frame_octets")) ==
	                                       frame_octets) return result;
	cr_assert_fail("no %s result of %u octets", test, frame_octets);
	return NULL;
}

static inline double number(const json_t *result, const char *key)
{
	const json_t *value = json_object_get(result, key);

	cr_assert(value, "no key %s", key);
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static inline const char *text(const json_t *result, const char *key)
{
	const char *value = json_string_value(json_object_get(result, key));

	return value ? value : "";
}

static inline bool is_true(const json_t *result, const char *key)
{
	return json_is_true(json_object_get(result, key));
}

static inline bool flagged(const json_t *result, const char *part)
{
	const json_t *flag;
	size_t i;

	json_array_foreach(json_object_get(result, "flags"), i,
	                   flag) if (strstr(json_string_value(flag), part)) return true;
	return false;
}

#endif
