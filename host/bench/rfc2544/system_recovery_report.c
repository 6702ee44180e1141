/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the trials of a system_recovery test into a result. */
#include <inttypes.h>
#include <math.h>

#include "host/base/json_write.h"
#include "host/bench/repeat.h"
#include "host/bench/rfc2544/system_recovery.h"

json_t *system_recovery_parameters(const struct session *session)
{
	const struct system_recovery_settings *settings = system_recovery_settings(session->test);
	json_t *object = result_parameters(session);

	result_count(object, "repetitions", settings->repetitions);
	result_number(object, "overload_duration_s", extent_seconds(settings->overload_duration_ns));
	result_number(object, "recovery_duration_s", extent_seconds(settings->recovery_duration_ns));
	json_put(object, "load", json_string("frames a second, a sending port"));
	return object;
}

/* The worst of several trials counts: a device that does not always recover has not recovered. */
static const char *outcome_text(const struct recovery_measurements *measured)
{
	if (measured->never)
		return "not_recovered";
	if (measured->recovered)
		return "recovered";
	return measured->lossless ? "no_loss" : "not_measured";
}

static void report_rates(const struct session *session, const struct recovery_measurements *measured, json_t *result)
{
	const bool known = measured->overload.denominator != 0;
	result_number(result, "throughput_fps", measured->throughput_fps);
	result_number(result, "overload_fps", known ? rate_fps(measured->overload) : (double)NAN);
	result_number(result, "overload_percent",
	              known ? rate_percent(measured->overload, session->max_rate) : (double)NAN);
	result_number(result, "reduced_fps", known ? rate_fps(measured->reduced) : (double)NAN);
	json_put(result, "overload_at_maximum", json_boolean(measured->capped));
}

static void report_values(const struct recovery_measurements *measured, json_t *result)
{
	/* A mean over those that recovered would hide those that did not. */
	const size_t counted = measured->never ? 0 : measured->recovered;
	const struct repeated repeated = repeated_statistics(measured->values_s, counted);
	json_t *values = json_array();

	for (unsigned i = 0; i < measured->recovered; i++)
		json_add(values, json_real(measured->values_s[i]));
	result_number(result, "recovery_s", repeated.mean);
	result_number(result, "recovery_min_s", repeated.min);
	result_number(result, "recovery_max_s", repeated.max);
	result_number(result, "recovery_stddev_s", repeated.stddev);
	json_put(result, "values_s", values);
	result_count(result, "recovered_trials", measured->recovered);
	result_count(result, "lossless_trials", measured->lossless);
	result_count(result, "unrecovered_trials", measured->never);
}

/* Reports the backlog that was queued at the overload, from the growth of latency, and the time that the device takes
 * for it beside the lower rate: backlog / spare rate. Holds for a single queue with a constant rate. */
static void report_backlog(const struct session *session, const struct recovery_measurements *measured, json_t *result)
{
	const struct latency_stats *latency = &session->kept->latency;
	double backlog = NAN, spare_fps = NAN;

	if (measured->recovered && latency->frames) {
		backlog = 1 + session_seconds(session, latency->max_ot - latency->min_ot) * measured->throughput_fps;
		spare_fps = measured->throughput_fps - rate_fps(measured->reduced);
	}
	result_number(result, "backlog_frames", backlog);
	result_number(result, "backlog_drain_s", spare_fps > 0 ? backlog / spare_fps : NAN);
}

static void flag_outcome(const struct session *session, const struct recovery_measurements *measured, json_t *result)
{
	const struct system_recovery_settings *settings = system_recovery_settings(session->test);

	if (measured->never)
		result_flag(result,
		            "in %u of %u trials, frames were lost in the second half of the %.9g s at half of the "
		            "overload, or none came at their end: the device did not recover",
		            measured->never, measured->never + measured->recovered + measured->lossless,
		            extent_seconds(settings->recovery_duration_ns));
	if (measured->lossless)
		result_flag(
		        result,
		        "in %u of %u trials nothing was lost%s: without an overload there is nothing to recover from",
		        measured->lossless, measured->never + measured->recovered + measured->lossless,
		        measured->capped ? " at the maximum rate" : " at 110% of the throughput");
	if (measured->sums.reordered_frames && measured->sums.reordered_frames != COUNT_UNKNOWN)
		result_flag(result,
		            "%" PRIu64
		            " frames were overtaken: the last loss may be the gap that such a frame left until "
		            "it came, so the recovery time is at most this",
		            measured->sums.reordered_frames);
	if (settings->overload_duration_ns < 60 * NS_PER_S)
		result_flag(result, "overload_duration is %.9g s: RFC 2544 section 26.5 asks for 60 s at least",
		            extent_seconds(settings->overload_duration_ns));
}

void system_recovery_report(const struct session *session, const struct recovery_measurements *measured, json_t *result)
{
	const bool measured_any = measured->sums.trials != 0;

	json_put(result, "outcome", json_string(outcome_text(measured)));
	report_rates(session, measured, result);
	report_values(measured, result);
	report_backlog(session, measured, result);
	if (measured_any)
		result_latency(result, session, session->kept);
	else
		result_latency_unknown(result);
	result_ports(result, session, measured_any ? session->kept : NULL);
	if (measured_any)
		result_counters(result, "counters", &measured->sums);
	flag_outcome(session, measured, result);
}
