/* SPDX-License-Identifier: Apache-2.0 */
/* Reset (RFC 2544 26.6, RFC 6201): a stream at the throughput of the smallest frame size; the device is reset in
 * mid-trial, and the reset time is from the last frame received before the interruption (Timestamp A) to the first one
 * after it (Timestamp B), both times of the hardware. Repeated. */
#include "host/bench/rfc2544/reset.h"

#include <math.h>
#include <stdlib.h>

#include "host/base/json_write.h"
#include "host/bench/repeat.h"
#include "host/bench/rfc2544/known_throughput.h"
#include "host/plan/key_slices.h"

struct repetition {
	const struct session *session;
	struct reset_measurements *measured;
};

static void request_reset(void *user, const struct session *session, const struct search_request *wanted,
                          struct trial_request *request)
{
	const struct reset_measurements *measured = ((const struct repetition *)user)->measured;
	const struct reset_settings *settings = reset_settings(session->test);

	(void)wanted;
	request->kind = TRIAL_LOAD;
	request->load = measured->load;
	request->reset = settings->command ? TRIAL_RESET_COMMAND : TRIAL_RESET_DEVICE;
	request->reset_command = reset_command(session->test);
	request->reset_ot = session_octet_times(session, settings->before_ns);
	request->duration_ot = request->reset_ot + session_octet_times(session, settings->after_ns);
}

static uint64_t load_fps(const void *user, uint64_t point)
{
	(void)point;
	return (uint64_t)(rate_fps(((const struct repetition *)user)->measured->load) + 0.5);
}

static unsigned senders(const struct trial_result *trial)
{
	unsigned count = 0;

	for (unsigned i = 0; i < trial->ports; i++)
		count += trial->port[i].sent;
	return count;
}

/* Frames at the load, of which some may be broadcasts of a modifier, for each test frame. */
static double places(const struct trial_result *trial)
{
	uint64_t broadcasts = 0;

	for (unsigned i = 0; i < trial->ports; i++)
		broadcasts += trial->port[i].broadcast_offered_frames;
	return trial->offered_frames ? 1 + (double)broadcasts / (double)trial->offered_frames : 1;
}

/* RFC 6201 1.3, frame-loss method: frames lost over the rate at which they were offered. */
static double by_loss_s(const struct reset_measurements *measured, const struct trial_result *trial)
{
	return (double)trial->lost_frames * places(trial) / (rate_fps(measured->load) * senders(trial));
}

static void note_value(const struct repetition *repetition, const struct trial_result *trial,
                       const struct reset_time *time)
{
	const struct session *session = repetition->session;
	struct reset_measurements *measured = repetition->measured;
	const bool lossless = time->outcome == RESET_NO_LOSS;
	const uint64_t stop_ot = time->last_ot > time->begun_ot ? time->last_ot - time->begun_ot : 0;

	measured->values_s[measured->count] = lossless ? 0 : session_seconds(session, time->first_ot - time->last_ot);
	measured->stop_delays_s[measured->came_back] = session_seconds(session, stop_ot);
	measured->lost_frames[measured->count] = (double)trial->lost_frames;
	measured->by_loss_s[measured->count] = by_loss_s(measured, trial);
	measured->count++;
	*(lossless ? &measured->lossless : &measured->came_back) += 1;
}

static void note(void *user, const struct trial_result *trial)
{
	const struct repetition *repetition = user;
	struct reset_measurements *measured = repetition->measured;
	const double octets_per_s = 1 / session_seconds(repetition->session, 1);
	const struct reset_time time = reset_time_of(trial, octets_per_s / rate_fps(measured->load));

	counters_add(&measured->sums, trial);
	*repetition->session->kept = *trial;
	if (time.outcome == RESET_NEVER)
		measured->never++;
	else if (time.outcome == RESET_ELSEWHERE)
		measured->elsewhere++;
	else
		note_value(repetition, trial, &time);
}

static int measure(struct session *session, struct reset_measurements *measured, struct error *error)
{
	const unsigned repetitions = reset_settings(session->test)->repetitions;
	struct repetition repetition = {session, measured};
	const struct search_points points = {
	        .request = request_reset, .in_unit = load_fps, .note = note, .user = &repetition};

	measured->load = known_throughput_part(session, measured->throughput_fps, 100, 100);
	return repeat_trial(session, repetitions, &points, error);
}

static void report_status(const struct session *session, const struct reset_measurements *measured, int status,
                          const struct error *error, json_t *result)
{
	if (status == SESSION_INVALID)
		result_invalid(result, "%s", session->why_invalid);
	else if (status)
		result_invalid(result, "ended after %llu of %u repetitions: %s",
		               (unsigned long long)measured->sums.trials, reset_settings(session->test)->repetitions,
		               error->text);
	else if (measured->elsewhere)
		result_invalid(
		        result,
		        "in %u of %u trials frames were lost although nothing was interrupted after the reset: the "
		        "device does not sustain this load for so long",
		        measured->elsewhere, reset_settings(session->test)->repetitions);
}

static int measure_and_report(struct session *session, struct reset_measurements *measured, struct error *error)
{
	const char *missing = known_throughput_missing(measured->throughput_fps);
	json_t *result = result_begin(session, session->benchmark->clause);
	int status = 0, finished;

	json_put(result, "parameters", reset_parameters(session));
	if (missing)
		result_invalid(result, "%s (RFC 2544 section 26.6)", missing);
	else
		status = measure(session, measured, error);
	known_throughput_flag(session, result);
	report_status(session, measured, status, error, result);
	reset_report(session, measured, result);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

static int run(struct session *session, struct error *error)
{
	const size_t count = reset_settings(session->test)->repetitions;
	double *numbers = calloc(4 * count, sizeof(*numbers));
	struct reset_measurements measured = {.throughput_fps = known_throughput_fps(session),
	                                      .values_s = numbers,
	                                      .lost_frames = numbers + count,
	                                      .by_loss_s = numbers + 2 * count,
	                                      .stop_delays_s = numbers + 3 * count};
	int status;

	if (!numbers)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	status = measure_and_report(session, &measured, error);
	free(numbers);
	return status;
}

static double trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct reset_settings *settings = reset_settings(test);

	(void)frame_octets;
	(void)link_bps;
	return extent_seconds(settings->before_ns) + extent_seconds(settings->after_ns);
}

static struct extent extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct effort most = effort_of(test, reset_settings(test)->repetitions,
	                                     trial_s(test, frame_octets, link_bps), extent_seconds(test->drain_ns));

	return (struct extent){.most = most,
	                       .expected = most,
	                       .least_remark = ", when there is no throughput (RFC 2544 section 26.6)"};
}

static void shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	const struct reset_settings *own = reset_settings(test);

	(void)link_bps;
	shorter_add(settings, "before_reset", shorter_time_s(extent_seconds(own->before_ns), factor));
	shorter_add(settings, "after_reset", shorter_time_s(extent_seconds(own->after_ns), factor));
}

const struct benchmark RESET = {
        .plan = {.keys = {.name = "reset", .slices = SLICES(&KEYS_TEST, &RESET_KEYS)},
                 .settings_size = sizeof(struct reset_settings),
                 .searches = BY_BINARY,
                 .why_searches = "as it searches nothing",
                 .why_no_search = "it repeats one trial (RFC 2544 section 26.6)",
                 .refused_modifiers = UINT32_C(1) << TRAFFIC_MANAGEMENT | UINT32_C(1) << TRAFFIC_ROUTING,
                 .why_refused = "a device that resets answers no query and forgets its routes, and the time without "
                                "frames is to be that of the test frames (RFC 2544 section 26.6)",
                 .prerequisite = KNOWN_THROUGHPUT,
                 .prerequisite_clause = "RFC 2544 section 26.6",
                 .needs_prerequisite = true,
                 .finish = reset_finish,
                 .command = reset_command,
                 .results = (const struct result_description *const[]){&RESET_RESULTS, NULL}},
        .title = "Reset",
        .clause = "RFC 2544 26.6",
        .point_key = "load_fps",
        .point_unit = "fps",
        .run = run,
        .extent = extent,
        .longest_trial_s = trial_s,
        .shorten = shorten,
};
