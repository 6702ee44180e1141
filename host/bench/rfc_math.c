/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas; see the header for where they come from. */
#include "host/bench/rfc_math.h"

#include <math.h>

#include "host/base/ratio.h"

struct sample_statistics sample_statistics(const uint64_t *values, size_t count)
{
	struct sample_statistics s = {.average = NAN, .stddev = NAN, .confidence95_low = NAN, .confidence95_high = NAN};
	double squares = 0, half_width;
	uint128 sum = 0;

	if (count == 0)
		return s;
	s.min = s.max = values[0];
	for (size_t i = 0; i < count; i++) {
		sum += values[i];
		if (values[i] < s.min)
			s.min = values[i];
		if (values[i] > s.max)
			s.max = values[i];
	}
	s.average = ratio_nearest(sum, count);
	if (count < 2)
		return s;
	for (size_t i = 0; i < count; i++)
		squares += ((double)values[i] - s.average) * ((double)values[i] - s.average);
	s.stddev = sqrt(squares / (double)(count - 1));
	half_width = student_t_95(count - 1) * s.stddev / sqrt((double)count);
	s.confidence95_low = s.average - half_width;
	s.confidence95_high = s.average + half_width;
	return s;
}

double implied_buffer_s(double average_frames, double max_fps)
{
	return average_frames / max_fps;
}

double corrected_buffer_s(double implied_s, double throughput_fps, double max_fps)
{
	return implied_s - implied_s * throughput_fps / max_fps;
}

double actual_buffer_s(double corrected_s, double max_fps, double actual_fps)
{
	return corrected_s * max_fps / actual_fps;
}

double filling_rate_fps(double max_fps, double throughput_fps)
{
	return max_fps - throughput_fps;
}

double latency_buffer_frames(uint64_t growth_ot, uint64_t received_frames, uint64_t received_ot)
{
	if (received_frames == 0)
		return NAN;
	if (received_frames == 1 || received_ot == 0)
		return 1;
	return 1 + (double)growth_ot * (double)(received_frames - 1) / (double)received_ot;
}

struct buffer_bound corrected_buffer_bound(const struct buffer_bound_input *in)
{
	double longest = in->average_frames + in->step_frames - 1;
	double burst_s = longest / in->max_fps;
	double corrected = in->average_frames * (1 - in->throughput_fps / in->max_fps);
	double rho_high = fmin(1, (in->throughput_fps + in->resolution_fps) / in->max_fps);
	/* The buffer is at most the burst, so the hidden overload is at most longest / t. */
	double hidden_most = isnan(in->trial_duration_s) ? 0 : longest / in->trial_duration_s;
	double rho_low = fmax(0, (in->throughput_fps - hidden_most) / in->max_fps);
	double counting = 1 + rho_high + (in->step_frames - 1) * (1 - rho_low);
	struct buffer_bound bound = {.hidden_overload_fps = NAN, .settling_trial_s = NAN};
	double buffer_most;

	if (isnan(in->trial_duration_s)) {
		bound.error_frames = counting + longest * in->resolution_fps / in->max_fps;
		return bound;
	}
	buffer_most = longest;
	if (burst_s < in->trial_duration_s)
		buffer_most = fmin(longest, (corrected + counting) / (1 - burst_s / in->trial_duration_s));
	bound.hidden_overload_fps = buffer_most / in->trial_duration_s;
	/* A trial this long finds a C of at most B + N r / M, so its largest buffer is within its own resolution. */
	bound.settling_trial_s = 2 * burst_s + (buffer_most + counting) / in->resolution_fps;
	bound.error_frames = counting + longest * fmax(in->resolution_fps, bound.hidden_overload_fps) / in->max_fps;
	return bound;
}
