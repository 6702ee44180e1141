/* SPDX-License-Identifier: Apache-2.0 */
/* A throughput trial of t seconds hides up to buffer / t of overload, because the buffer absorbs it. The throughput is
 * then too high and the corrected buffer too small. Both results say by how much. */
#include <math.h>

#include "host/base/format.h"
#include "host/bench/rfc9004/back_to_back.h"
#include "host/bench/rfc_math.h"

/* The resolution to which the forwarding rate of a burst is known: each end of `frames` periods is known to a group of
 * 8 octets. */
static double forwarding_resolution_fps(const struct session *session, const struct burst_measurements *measured)
{
	const double two_groups_s = session_seconds(session, 16);
	double fps = burst_forwarding_fps(measured);

	return measured->rate_frames > 1 ? fps * fps * two_groups_s / (double)(measured->rate_frames - 1) : NAN;
}

static void flag_hidden_overload(const struct prerequisite *before, const struct buffer_bound *bound, json_t *result)
{
	result_number(result, "hidden_overload_fps", bound->hidden_overload_fps);
	result_number(result, "hidden_overload_trial_s", bound->settling_trial_s);
	if (bound->hidden_overload_fps > before->resolution_fps)
		result_flag(result,
		            "the buffer takes up to %s of overload in a throughput trial of %s unseen, more than the "
		            "resolution of %s: throughput may be too high by that; trials of %s settle it",
		            format_fps(bound->hidden_overload_fps).text, format_time(before->trial_duration_s).text,
		            format_fps(before->resolution_fps).text, format_time(bound->settling_trial_s).text);
}

/* Two estimates of the same buffer, only one of which uses the throughput. */
static void compare_estimates(const struct buffer_bound *bound, json_t *result)
{
	double corrected = result_get(result, "buffer_frames");
	double latency = result_get(result, "latency_buffer_frames");

	/* The estimate from latency may itself be one frame low. */
	if (fabs(corrected - latency) > bound->error_frames + 1)
		result_flag(result,
		            "latency growth shows a buffer of %.1f frames, the burst length one of %.1f (within %.1f): "
		            "not a single queue with a constant rate",
		            latency, corrected, bound->error_frames);
}

void self_check(const struct session *session, const struct prerequisite *before,
                const struct burst_measurements *measured, json_t *result)
{
	struct buffer_bound_input input = {
	        .average_frames = result_get(result, "average_frames"),
	        .step_frames = (double)measured->config.step,
	        .max_fps = rate_fps(session->max_rate),
	        .throughput_fps = before->throughput_fps,
	        .resolution_fps =
	                before->result ? before->resolution_fps : forwarding_resolution_fps(session, measured),
	        .trial_duration_s = before->trial_duration_s,
	};
	struct buffer_bound bound = {NAN, NAN, NAN};

	/* There is no buffer to speak of without a value, a rate below line rate and a burst below the limit. */
	if (measured->count && !measured->at_limit && input.throughput_fps < input.max_fps)
		bound = corrected_buffer_bound(&input);
	result_number(result, "corrected_buffer_error_frames", bound.error_frames);
	flag_hidden_overload(before, &bound, result);
	if (before->result)
		flag_hidden_overload(before, &bound, before->result);
	compare_estimates(&bound, result);
}
