/* SPDX-License-Identifier: Apache-2.0 */
/* Percentiles and histogram of a result, against a list of every frame. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "host/bench/result.h"

/* At 8 Gb/s an octet time is a nanosecond. */
static struct tester tester = {.info = {.link_bps = UINT64_C(8000000000)}};
static struct bench_context context = {.tester = &tester};
static const struct session SESSION = {.context = &context};

static const struct {
	const char *key;
	unsigned per_mille;
} PERCENTILES[] = {
        {"latency_p50_ns", 500}, {"latency_p90_ns", 900}, {"latency_p99_ns", 990}, {"latency_p99_9_ns", 999}};

static double number(const json_t *result, const char *key)
{
	const json_t *value = json_object_get(result, key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static json_t *latency_of(const struct trial_result *trial)
{
	json_t *result = json_object();

	result_latency(result, &SESSION, trial);
	return result;
}

/* 1000 frames below 100 ns: that many of them below 10 ns, the others in the ninth bin. */
static struct trial_result two_bins(uint64_t below)
{
	struct trial_result trial = {.ports = 1, .latency = {.frames = 1000, .min_ot = 1, .max_ot = 99, .mean_ot = 50}};
	struct histogram *histogram = &trial.port[0].latency_histogram;

	*histogram = (struct histogram){.width = 10, .bins = 10};
	histogram->count[0] = below;
	histogram->count[8] = 1000 - below;
	return trial;
}

/* 500 frames of 1000 are "50% of the frames"; 499 are not. The same at every percentile. */
Test(result_latency, a_percentile_is_the_first_edge_that_exactly_so_many_frames_do_not_exceed)
{
	for (size_t i = 0; i < sizeof(PERCENTILES) / sizeof(PERCENTILES[0]); i++) {
		for (unsigned below = PERCENTILES[i].per_mille - 1; below <= PERCENTILES[i].per_mille; below++) {
			struct trial_result trial = two_bins(below);
			json_t *result = latency_of(&trial);

			cr_expect_float_eq(number(result, PERCENTILES[i].key),
			                   below == PERCENTILES[i].per_mille ? 10 : 90, 1e-9, "%s of %u: %g",
			                   PERCENTILES[i].key, below, number(result, PERCENTILES[i].key));
			json_decref(result);
		}
	}
}

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

enum { MOST_FRAMES = 40000 };

/* For every frame, a latency that it certainly did not exceed. */
struct frames {
	uint64_t edge_ot[MOST_FRAMES];
	size_t count;
};

static void random_port(struct trial_port *port, uint64_t max_ot, struct frames *frames)
{
	struct histogram *histogram = &port->latency_histogram;
	const uint64_t width = 1 + next_random() % 50, bins = 1 + next_random() % HISTOGRAM_BINS;

	*histogram = (struct histogram){.first = next_random() % 100, .width = width, .bins = bins};
	for (uint64_t bin = 0; bin < bins; bin++)
		histogram->count[bin] = next_random() % 4 ? 0 : next_random() % 100;
	histogram->beyond = next_random() % 2 ? 0 : next_random() % 100;
	for (uint64_t bin = 0; bin < bins; bin++) {
		for (uint64_t i = 0; i < histogram->count[bin]; i++)
			frames->edge_ot[frames->count++] = histogram->first + (bin + 1) * width;
	}
	for (uint64_t i = 0; i < histogram->beyond; i++)
		frames->edge_ot[frames->count++] = max_ot + 1;
}

static int by_value(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

Test(result_latency, percentiles_of_all_ports_are_those_of_a_list_of_every_frame)
{
	static struct frames frames;

	for (unsigned round = 0; round < 500; round++) {
		struct trial_result trial = {.ports = 1 + (unsigned)(next_random() % 4)};
		const uint64_t max_ot = 3000 + next_random() % 1000;
		json_t *result;

		frames.count = 0;
		for (unsigned i = 0; i < trial.ports; i++)
			random_port(&trial.port[i], max_ot, &frames);
		trial.latency = (struct latency_stats){.frames = frames.count, .max_ot = max_ot};
		qsort(frames.edge_ot, frames.count, sizeof(frames.edge_ot[0]), by_value);
		result = latency_of(&trial);
		for (size_t i = 0; i < sizeof(PERCENTILES) / sizeof(PERCENTILES[0]); i++) {
			/* the first frame that brings the count up to the share, in whole numbers */
			size_t rank = (frames.count * PERCENTILES[i].per_mille + 999) / 1000;
			double got = number(result, PERCENTILES[i].key);

			if (frames.count == 0)
				cr_expect(isnan(got));
			else
				cr_expect_float_eq(got, fmin((double)frames.edge_ot[rank - 1], (double)max_ot), 1e-9,
				                   "round %u, %s of %zu frames: %g", round, PERCENTILES[i].key,
				                   frames.count, got);
		}
		json_decref(result);
	}
}
