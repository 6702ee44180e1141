/* SPDX-License-Identifier: Apache-2.0 */
/* System recovery (RFC 2544 26.5): 110% of the throughput, or the maximum rate if that is less, then half of it, in one
 * trial; repeated. The load changes in the hardware, and the time from the change (Timestamp A) to the last frame lost
 * (Timestamp B) is between two times of the hardware. The clause prints A - B; the later minus the earlier is meant. */
#include "host/bench/rfc2544/system_recovery.h"

#include <math.h>
#include <stdlib.h>

#include "host/base/json_write.h"
#include "host/bench/repeat.h"
#include "host/bench/rfc2544/known_throughput.h"
#include "host/plan/key_slices.h"

struct repetition {
	const struct session *session;
	struct recovery_measurements *measured;
};

static void request_recovery(void *user, const struct session *session, const struct search_request *wanted,
                             struct trial_request *request)
{
	const struct recovery_measurements *measured = ((const struct repetition *)user)->measured;
	const struct system_recovery_settings *settings = system_recovery_settings(session->test);

	(void)wanted;
	request->kind = TRIAL_LOAD;
	request->load = measured->overload;
	request->next_load = measured->reduced;
	request->next_load_ot = session_octet_times(session, settings->overload_duration_ns);
	request->duration_ot = request->next_load_ot + session_octet_times(session, settings->recovery_duration_ns);
}

static uint64_t overload_fps(const void *user, uint64_t point)
{
	(void)point;
	return (uint64_t)(rate_fps(((const struct repetition *)user)->measured->overload) + 0.5);
}

static void note(void *user, const struct trial_result *trial)
{
	const struct repetition *repetition = user;
	struct recovery_measurements *measured = repetition->measured;
	const double octets_per_s = 1 / session_seconds(repetition->session, 1);
	const struct recovery recovery = recovery_of(trial, octets_per_s / rate_fps(measured->reduced));

	counters_add(&measured->sums, trial);
	*repetition->session->kept = *trial;
	if (recovery.outcome == RECOVERY_NO_LOSS)
		measured->lossless++;
	else if (recovery.outcome == RECOVERY_NEVER)
		measured->never++;
	else
		measured->values_s[measured->recovered++] =
		        session_seconds(repetition->session, recovery_ot(&recovery));
}

static void set_rates(const struct session *session, struct recovery_measurements *measured)
{
	const struct rate line = session->max_rate;

	measured->overload = known_throughput_part(session, measured->throughput_fps, OVERLOAD_PERCENT, 100);
	measured->capped = rate_compare(measured->overload, line) >= 0;
	measured->reduced = rate_scale(measured->overload, RECOVERY_PERCENT, 100);
}

static int measure(struct session *session, struct recovery_measurements *measured, struct error *error)
{
	const unsigned repetitions = system_recovery_settings(session->test)->repetitions;
	struct repetition repetition = {session, measured};
	const struct search_points points = {
	        .request = request_recovery, .in_unit = overload_fps, .note = note, .user = &repetition};

	set_rates(session, measured);
	return repeat_trial(session, repetitions, &points, error);
}

static void report_status(const struct session *session, const struct recovery_measurements *measured, int status,
                          const struct error *error, json_t *result)
{
	const unsigned done = measured->recovered + measured->lossless + measured->never;

	if (status == SESSION_INVALID)
		result_invalid(result, "%s", session->why_invalid);
	else if (status)
		result_invalid(result, "ended after %u of %u repetitions: %s", done,
		               system_recovery_settings(session->test)->repetitions, error->text);
}

static int run(struct session *session, struct error *error)
{
	struct recovery_measurements measured = {.throughput_fps = known_throughput_fps(session)};
	const char *missing = known_throughput_missing(measured.throughput_fps);
	json_t *result;
	int status = 0, finished;

	measured.values_s = calloc(system_recovery_settings(session->test)->repetitions, sizeof(*measured.values_s));
	if (!measured.values_s)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	result = result_begin(session, session->benchmark->clause);
	json_put(result, "parameters", system_recovery_parameters(session));
	if (!missing && known_throughput_is_at_least(session))
		missing =
		        "the throughput is only known to be at least what max_load of its test let through, so no load "
		        "is known that is an overload";
	if (missing)
		result_invalid(result, "%s (RFC 2544 section 26.5)", missing);
	else
		status = measure(session, &measured, error);
	report_status(session, &measured, status, error, result);
	system_recovery_report(session, &measured, result);
	free(measured.values_s);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

static double trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct system_recovery_settings *settings = system_recovery_settings(test);

	(void)frame_octets;
	(void)link_bps;
	return extent_seconds(settings->overload_duration_ns) + extent_seconds(settings->recovery_duration_ns);
}

/* Frames are lost in every trial, so each waits the whole drain time; unless the device never loses any. */
static struct extent extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const double trials = system_recovery_settings(test)->repetitions;
	const double each_s = trial_s(test, frame_octets, link_bps);
	const struct effort most = effort_of(test, trials, each_s, extent_seconds(test->drain_ns));

	return (struct extent){.least = {0, 0, 0},
	                       .most = most,
	                       .expected = most,
	                       .least_remark = ", when there is no throughput (RFC 2544 section 26.5)"};
}

static void shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	const struct system_recovery_settings *own = system_recovery_settings(test);

	(void)link_bps;
	shorter_add(settings, "overload_duration", shorter_time_s(extent_seconds(own->overload_duration_ns), factor));
	shorter_add(settings, "recovery_duration", shorter_time_s(extent_seconds(own->recovery_duration_ns), factor));
}

const struct benchmark SYSTEM_RECOVERY = {
        .plan = {.keys = {.name = "system_recovery", .slices = SLICES(&KEYS_TEST, &SYSTEM_RECOVERY_KEYS)},
                 .settings_size = sizeof(struct system_recovery_settings),
                 .searches = BY_BINARY,
                 .why_searches = "as it searches nothing",
                 .why_no_search = "it repeats one trial (RFC 2544 section 26.5)",
                 .refused_modifiers = UINT32_C(1) << TRAFFIC_BROADCAST | UINT32_C(1) << TRAFFIC_MANAGEMENT |
                                      UINT32_C(1) << TRAFFIC_ROUTING,
                 .why_refused =
                         "the loss of a broadcast shows only when the next one comes, 100 frames later, which may "
                         "be taken for the last loss (RFC 2544 section 26.5); management queries and routing updates "
                         "would shift the frame at which the load changes",
                 .prerequisite = KNOWN_THROUGHPUT,
                 .prerequisite_clause = "RFC 2544 section 26.5",
                 .needs_prerequisite = true,
                 .finish = system_recovery_finish,
                 .results = (const struct result_description *const[]){&SYSTEM_RECOVERY_RESULTS, NULL}},
        .title = "System recovery",
        .clause = "RFC 2544 26.5",
        .point_key = "load_fps",
        .point_unit = "fps",
        .run = run,
        .extent = extent,
        .longest_trial_s = trial_s,
        .shorten = shorten,
};
