/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas against published tables and hand-worked numbers. */
#include <criterion/criterion.h>
#include <math.h>

#include "host/bench/rfc_math.h"

Test(rfc_math, statistics_are_those_of_a_sample)
{
	const uint64_t values[] = {2, 4, 4, 4, 5, 5, 7, 9};
	struct sample_statistics s = sample_statistics(values, 8);

	cr_assert_float_eq(s.average, 5, 1e-12);
	cr_assert_eq(s.min, 2);
	cr_assert_eq(s.max, 9);
	cr_assert_float_eq(s.stddev, 2.138089935299395, 1e-12, "divisor N - 1");
	cr_assert_float_eq(s.confidence95_high - 5, 2.364624 * 2.138089935299395 / sqrt(8), 1e-4);
	cr_assert_float_eq(5 - s.confidence95_low, s.confidence95_high - 5, 1e-12);
}

Test(rfc_math, one_value_has_no_deviation_and_no_interval)
{
	const uint64_t values[] = {26000};
	struct sample_statistics s = sample_statistics(values, 1);

	cr_assert_float_eq(s.average, 26000, 0);
	cr_assert(isnan(s.stddev) && isnan(s.confidence95_low) && isnan(s.confidence95_high));
	cr_assert(isnan(sample_statistics(values, 0).average));
}

Test(rfc_math, equal_values_have_exactly_no_deviation)
{
	uint64_t values[50];
	struct sample_statistics s;

	for (unsigned i = 0; i < 50; i++)
		values[i] = 19991;
	s = sample_statistics(values, 50);
	cr_assert_float_eq(s.average, 19991, 0);
	cr_assert_float_eq(s.stddev, 0, 0);
}

Test(rfc_math, student_t_is_that_of_the_printed_tables)
{
	static const struct {
		size_t degrees;
		double t;
	} rows[] = {{1, 12.7062}, {2, 4.3027},  {4, 2.7764},  {9, 2.2622},  {10, 2.2281}, {11, 2.2010},
	            {12, 2.1788}, {19, 2.0930}, {29, 2.0452}, {49, 2.0096}, {99, 1.9842}, {999, 1.9623}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cr_expect_float_eq(student_t_95(rows[i].degrees), rows[i].t, 1e-4, "%zu degrees: %f", rows[i].degrees,
		                   student_t_95(rows[i].degrees));
	cr_assert(isnan(student_t_95(0)));
}

Test(rfc_math, buffer_times_of_rfc_9004)
{
	/* 26000 frames of 64 octets at 10G (14880952 fps) into a device of 12 Mfps */
	double max = 1e10 / 672, implied = implied_buffer_s(26000, max);
	double corrected = corrected_buffer_s(implied, 12e6, max);

	cr_assert_float_eq(implied, 26000 / 14880952.380952, 1e-12);
	cr_assert_float_eq(corrected, 0.0017472 * (1 - 12e6 / 14880952.380952), 1e-9);
	cr_assert_float_eq(corrected * max, 26000 * 0.1936, 1e-6);
	cr_assert_float_eq(actual_buffer_s(corrected, max, 6e6), 26000 * 0.1936 / 6e6, 1e-12,
	                   "the buffer, at the actual rate");
	cr_assert_float_eq(filling_rate_fps(max, 12e6), 2880952.380952, 1e-3);
}

/* A queue simulated frame by frame: what the estimate from latency should see. */
Test(rfc_math, latency_growth_shows_the_frames_in_a_played_queue)
{
	for (unsigned arrival = 3; arrival <= 20; arrival++)
		for (unsigned service = arrival + 1; service <= 40; service++)
			for (unsigned frames = 1; frames <= 60; frames++) {
				uint64_t last_arrival = (uint64_t)(frames - 1) * arrival;
				uint64_t first_latency = service;
				uint64_t last_latency = (uint64_t)frames * service - last_arrival;
				uint64_t in_buffer = frames - last_arrival / service;
				double got = latency_buffer_frames(last_latency - first_latency, frames,
				                                   (uint64_t)(frames - 1) * service);

				cr_assert(got <= (double)in_buffer + 1e-9 && got > (double)in_buffer - 1,
				          "A %u S %u N %u: %f, %lu in the buffer", arrival, service, frames, got,
				          (unsigned long)in_buffer);
			}
}

Test(rfc_math, the_bound_holds_for_every_throughput_that_a_trial_can_find)
{
	const double max = 1e11 / 672;

	for (unsigned percent = 5; percent <= 95; percent += 10)
		for (uint64_t buffer = 1; buffer <= 3000; buffer = buffer * 3 + 1)
			for (double trial_s = 1e-4; trial_s < 10; trial_s *= 10)
				for (double resolution = 1e-4; resolution < 0.1; resolution *= 10) {
					double rho = percent / 100.0, t0 = rho * max;
					uint64_t n = 1;
					double found[2];

					while (n + 1 - (uint64_t)((double)n * rho + 1e-9) <= buffer)
						n++;
					found[0] = t0 - resolution * max * 0.999;
					found[1] = t0 + (double)buffer / trial_s;
					for (unsigned i = 0; i < 2; i++) {
						struct buffer_bound bound;
						double corrected;

						if (found[i] <= 0 || found[i] >= max)
							continue;
						bound = corrected_buffer_bound(
						        &(struct buffer_bound_input){.average_frames = (double)n,
						                                     .step_frames = 1,
						                                     .max_fps = max,
						                                     .throughput_fps = found[i],
						                                     .resolution_fps = resolution * max,
						                                     .trial_duration_s = trial_s});
						corrected = (double)n * (1 - found[i] / max);
						cr_assert_leq(fabs(corrected - (double)buffer),
						              bound.error_frames + 1e-6,
						              "%u%% B %lu t %g r %g: %f within %f", percent,
						              (unsigned long)buffer, trial_s, resolution, corrected,
						              bound.error_frames);
						cr_assert_geq(bound.hidden_overload_fps * trial_s,
						              (double)buffer - 1e-6, "hides at least the buffer");
					}
				}
}

Test(rfc_math, a_coarse_step_is_in_the_bound)
{
	struct buffer_bound_input input = {.average_frames = 19900,
	                                   .step_frames = 100,
	                                   .max_fps = 1e8,
	                                   .throughput_fps = 9e7,
	                                   .resolution_fps = 1e4,
	                                   .trial_duration_s = 60};
	double coarse = corrected_buffer_bound(&input).error_frames;

	input.step_frames = 1;
	cr_assert_gt(coarse - corrected_buffer_bound(&input).error_frames, 9.8, "99 frames x (1 - 90%%)");
}

/* Worked out by hand: the burst takes 0.1 ms and is 1000 frames more than what leaves meanwhile. Counting may be off by
 * 1 + 0.901, so the buffer has at most 1001.901 / (1 - 0.0001) = 1002.0012 frames. At a resolution of 100,000 frames
 * per second a trial needs (1002.0012 + 1.901) / 100,000 s plus two bursts. */
Test(rfc_math, the_trial_that_settles_is_that_worked_out_by_hand)
{
	struct buffer_bound_input input = {.average_frames = 10000,
	                                   .step_frames = 1,
	                                   .max_fps = 1e8,
	                                   .throughput_fps = 9e7,
	                                   .resolution_fps = 1e5,
	                                   .trial_duration_s = 1};
	struct buffer_bound bound = corrected_buffer_bound(&input);

	cr_expect_float_eq(bound.hidden_overload_fps, 1002.0012001, 1e-6);
	cr_expect_float_eq(bound.settling_trial_s, 0.0002 + 0.010039022, 1e-8);
}

/* The promise of "trials of ... settle it" holds even where the burst is as long as the trial, as it is near line
 * rate. */
Test(rfc_math, a_trial_as_long_as_the_one_named_hides_no_more_than_the_resolution_whatever_it_finds)
{
	static const double SHARES[] = {0.05, 0.5, 0.9, 0.99, 0.999};
	const double max = 1e11 / 672;
	unsigned looked = 0;

	for (unsigned i = 0; i < sizeof(SHARES) / sizeof(SHARES[0]); i++)
		for (uint64_t buffer = 10; buffer <= 10000; buffer *= 10)
			for (double resolution = 1e-4 * max; resolution < 0.02 * max; resolution *= 10) {
				const double t0 = SHARES[i] * max;
				struct buffer_bound_input input = {.step_frames = 1,
				                                   .max_fps = max,
				                                   .resolution_fps = resolution,
				                                   .trial_duration_s = 1};
				double settling_s;

				/* the longest burst: N - floor((N - 1) rho) = B */
				input.average_frames = floor(((double)buffer - SHARES[i]) / (1 - SHARES[i]));
				input.throughput_fps = t0;
				settling_s = corrected_buffer_bound(&input).settling_trial_s;
				input.trial_duration_s = settling_s;
				for (double found = t0 - resolution * 0.999; found <= t0 + (double)buffer / settling_s;
				     found += resolution / 50) {
					if (found <= 0 || found >= max)
						continue;
					input.throughput_fps = found;
					cr_expect_leq(corrected_buffer_bound(&input).hidden_overload_fps,
					              resolution * (1 + 1e-9), "%g B %lu r %g t %g found %g", SHARES[i],
					              (unsigned long)buffer, resolution, settling_s, found);
					looked++;
				}
			}
	cr_expect_gt(looked, 1000);
}
