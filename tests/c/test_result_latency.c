/* SPDX-License-Identifier: Apache-2.0 */
/* Percentiles and histogram of a result, against a list of every frame. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "host/bench/result.h"
#include "host/trial/judging/sum.h"

/* An octet time is a nanosecond at 8 Gb/s. */
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

/* Returns a number from 0 up to, but not including, 1. */
static double random_share(void)
{
	return (double)(next_random() >> 11) / 9007199254740992.0;
}

enum { MOST_FRAMES = 40000 };

/* A latency for each frame, which it certainly did not exceed. */
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

/* -- log bins: what a device counts of a list of latencies, and what is made of it --------------------------------- */

enum { LISTED = 3000, LISTED_PORTS = 4 };

struct listed {
	uint64_t ot[LISTED_PORTS][LISTED], offset_ot[LISTED_PORTS];
	unsigned ports;
};

/* Latencies around one or two, over any part of the range of the device: from 41 ns to 43.9 s at 100 Gb/s. */
static void list_latencies(struct listed *listed)
{
	const double low = 9 + 30 * random_share(), spread = random_share() < 0.5 ? 0.5 : (39 - low) * random_share();
	const bool constant = next_random() % 8 == 0;

	listed->ports = 1 + (unsigned)(next_random() % LISTED_PORTS);
	for (unsigned port = 0; port < listed->ports; port++) {
		for (size_t i = 0; i < LISTED; i++) {
			double octave = low + (constant ? 0 : spread * random_share() * random_share());

			listed->ot[port][i] = (uint64_t)exp2(fmin(octave, 38.999)) / 8 * 8;
		}
	}
}

static struct trial_result counted(const struct listed *listed)
{
	static const struct histogram_source SOURCE = {.width = 128, .bins = 1022};
	struct trial_result trial = {.valid = true, .ports = listed->ports, .latency = {.min_ot = UINT64_MAX}};
	uint32_t first, end;

	for (unsigned port = 0; port < listed->ports; port++) {
		struct latency_stats *stats = &trial.port[port].latency;

		*stats = (struct latency_stats){.frames = LISTED, .min_ot = UINT64_MAX};
		for (size_t i = 0; i < LISTED; i++) {
			stats->min_ot = listed->ot[port][i] < stats->min_ot ? listed->ot[port][i] : stats->min_ot;
			stats->max_ot = listed->ot[port][i] > stats->max_ot ? listed->ot[port][i] : stats->max_ot;
		}
		trial.latency.min_ot = stats->min_ot < trial.latency.min_ot ? stats->min_ot : trial.latency.min_ot;
		trial.latency.max_ot = stats->max_ot > trial.latency.max_ot ? stats->max_ot : trial.latency.max_ot;
		trial.latency.frames += LISTED;
	}
	for (unsigned port = 0; port < listed->ports; port++) {
		struct histogram *histogram = &trial.port[port].latency_histogram;
		struct octaves *octaves = &trial.port[port].latency_octaves;

		histogram_begin(histogram, &SOURCE, trial.latency.min_ot, trial.latency.max_ot, &first, &end);
		for (size_t i = 0; i < LISTED; i++) {
			if (listed->ot[port][i] / 128 < SOURCE.bins)
				histogram_add(histogram, &SOURCE, (uint32_t)(listed->ot[port][i] / 128), 1);
			else
				histogram->beyond++;
		}
		if (!octaves_needed(histogram, trial.latency.min_ot, trial.latency.max_ot))
			continue;
		octaves->first = octave_bin(trial.latency.min_ot);
		octaves->bins = octave_bin(trial.latency.max_ot) - octaves->first + 1;
		for (size_t i = 0; i < LISTED; i++)
			octaves->count[octave_bin(listed->ot[port][i]) - octaves->first]++;
	}
	return trial;
}

/* True latencies of all frames, in order; less the calibration. */
static size_t sorted(const struct listed *listed, uint64_t *all)
{
	size_t count = 0;

	for (unsigned port = 0; port < listed->ports; port++)
		for (size_t i = 0; i < LISTED; i++)
			all[count++] = listed->ot[port][i] - listed->offset_ot[port];
	qsort(all, count, sizeof(*all), by_value);
	return count;
}

/* Every frame is in a bin that holds its latency: the bins are in order, and none has more frames than there are. */
static void expect_every_frame(const json_t *result, const uint64_t *all, size_t count)
{
	const json_t *bins = json_object_get(result, "latency_histogram"), *bin;
	double total = 0, before_ns = -1;
	size_t i;

	json_array_foreach(bins, i, bin)
	{
		const double from_ns = number(bin, "from_ns"), to_ns = number(bin, "to_ns"),
		             frames = number(bin, "frames");
		size_t inside = 0;

		cr_assert_geq(from_ns, before_ns, "bins overlap");
		before_ns = to_ns;
		for (size_t frame = 0; frame < count; frame++)
			inside += (double)all[frame] >= from_ns && (double)all[frame] < to_ns;
		cr_assert_eq((size_t)frames, inside, "%g to %g ns: %g frames, must be %zu", from_ns, to_ns, frames,
		             inside);
		total += frames;
	}
	cr_assert_eq((size_t)total, count);
}

Test(result_latency, a_percentile_is_within_3_percent_of_a_list_of_every_frame_at_any_latency)
{
	static uint64_t all[LISTED_PORTS * LISTED];
	static struct listed listed;

	for (unsigned round = 0; round < 1500; round++) {
		struct trial_result trial;
		json_t *result;
		size_t count;

		list_latencies(&listed);
		trial = counted(&listed);
		count = sorted(&listed, all);
		result = latency_of(&trial);
		for (size_t i = 0; i < sizeof(PERCENTILES) / sizeof(PERCENTILES[0]); i++) {
			const size_t rank = (count * PERCENTILES[i].per_mille + 999) / 1000;
			const double truth = (double)all[rank - 1], got = number(result, PERCENTILES[i].key);

			cr_expect_leq(fabs(got - truth), 0.03 * truth, "round %u, %s: %.1f, must be %.1f", round,
			              PERCENTILES[i].key, got, truth);
		}
		if (round % 10 == 0)
			expect_every_frame(result, all, count);
		json_decref(result);
	}
}

/* Bins of equal width that are narrow enough: what today's bins say, to the bit. */
Test(result_latency, percentiles_of_bins_of_equal_width_are_their_upper_edges)
{
	struct trial_result trial = {.ports = 1, .latency = {.frames = 1000, .min_ot = 4352, .max_ot = 5000}};
	struct histogram *histogram = &trial.port[0].latency_histogram;
	json_t *result;

	*histogram = (struct histogram){.first = 4352, .width = 128, .bins = 6, .count = {600, 390, 9, 0, 0, 1}};
	cr_assert(!octaves_needed(histogram, 4352, 5000));
	result = latency_of(&trial);
	cr_expect_float_eq(number(result, "latency_p50_ns"), 4480, 1e-9);
	cr_expect_float_eq(number(result, "latency_p99_ns"), 4608, 1e-9);
	cr_expect_float_eq(number(result, "latency_p99_9_ns"), 4736, 1e-9);
	json_decref(result);
}

/* The two histograms move by what a calibration subtracts from a port, so they still fit together. */
Test(result_latency, every_frame_is_in_its_bin_after_a_calibration_too)
{
	static uint64_t all[LISTED_PORTS * LISTED];
	static struct listed listed;

	for (unsigned round = 0; round < 60; round++) {
		uint64_t offset_ot[TRIAL_MAX_PORTS] = {0};
		struct trial_result trial;
		json_t *result;

		list_latencies(&listed);
		listed.ports = 1;
		trial = counted(&listed);
		offset_ot[0] = next_random() % (trial.latency.min_ot / 128 * 128 + 1);
		if (offset_ot[0] > trial.port[0].latency_histogram.first)
			offset_ot[0] = trial.port[0].latency_histogram.first;
		listed.offset_ot[0] = offset_ot[0];
		trial_subtract_latency(&trial, offset_ot);
		result = latency_of(&trial);
		expect_every_frame(result, all, sorted(&listed, all));
		json_decref(result);
		listed.offset_ot[0] = 0;
	}
}
