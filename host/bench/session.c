/* SPDX-License-Identifier: Apache-2.0 */
/* Trials on behalf of a benchmark. */
#include "host/bench/session.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/search/mlrsearch.h"
#include "host/trial/traffic.h"

struct session session_begin(struct bench_context *context, const struct benchmark *benchmark, const struct plan *plan,
                             size_t test_index, uint32_t frame_octets)
{
	const struct plan_test *test = &plan->tests[test_index];
	struct traffic_shape shape = test->shape;

	shape.frame_octets = frame_octets;
	return (struct session){
	        .context = context,
	        .test = test,
	        .benchmark = benchmark,
	        .shape = shape,
	        .frame_octets = frame_octets,
	        .filters = {.command = (const char *const *)test->filters_command,
	                    .nft = test->filters_format == PLAN_FILTERS_NFT,
	                    .interfaces = (const char *const *)test->filters_interfaces},
	        .max_rate = plan_max_rate(test, frame_octets, context->tester->info.link_bps),
	        .begin_s = session_clock_s(context),
	        .progress = {.benchmark = benchmark,
	                     .test_number = (unsigned)test_index + 1,
	                     .test_count = (unsigned)plan->test_count,
	                     .frame_octets = frame_octets,
	                     .sizes = &test->shape.sizes,
	                     .repetition = 1,
	                     .repetitions = 1},
	};
}

void session_modify(struct session *session, unsigned run)
{
	session->shape.modifiers = plan_modifiers(session->test, run);
	session->progress.run = run;
	session->progress.modifiers = session->shape.modifiers;
}

int session_make_traffic(struct session *session, struct traffic *traffic, struct error *error)
{
	const struct device_identity *device = session->context->tester->info.device;
	int status;

	if (!device)
		return error_set(error, ERROR_INTERNAL, "%s: an external program makes its own traffic",
		                 benchmark_name(session->benchmark));
	status = trial_traffic_of_shape(&session->shape, device, traffic, error);
	if (status == 0)
		status = session->benchmark->traffic(session->test, traffic, error);
	if (status == 0)
		session->traffic = traffic;
	return status;
}

uint64_t session_link_bps(const struct session *session)
{
	return session->context->tester->info.link_bps;
}

uint64_t session_octet_times(const struct session *session, uint64_t ns)
{
	return octet_times_from_ns(ns, session->context->tester->info.link_bps);
}

double session_seconds(const struct session *session, uint64_t octet_times)
{
	return seconds_from_octet_times(octet_times, session_link_bps(session));
}

double session_ns(const struct session *session, uint64_t octet_times)
{
	return ns_from_octet_times(octet_times, session_link_bps(session));
}

struct trial_request session_request(const struct session *session)
{
	const struct plan_test *test = session->test;

	return (struct trial_request){
	        .shape = session->shape,
	        .gap_octets = MIN_GAP_OCTETS,
	        .drain_ot = session_octet_times(session, test->drain_ns),
	        .settle_ot = session_octet_times(session, test->settle_ns),
	        .filters = session->filters.command ? &session->filters : NULL,
	        .traffic = session->traffic,
	};
}

static struct search_z search_z(const struct quantity *z)
{
	if (z->denominator == 0)
		return SEARCH_NO_Z;
	if (z->unit != QUANTITY_PERCENT)
		return (struct search_z){z->numerator / z->denominator, 0};
	return (struct search_z){z->numerator, z->denominator};
}

void session_search_limits(const struct session *session, struct search_config *config)
{
	const struct plan_test *test = session->test;

	config->kind = test->search == PLAN_SEARCH_LOSS_VERIFICATION ? SEARCH_LOSS_VERIFICATION : SEARCH_BINARY;
	config->repeat_unit = test->counts_repeats ? SEARCH_MAX_REPEATS : SEARCH_MAX_TRIALS;
	config->max_repeat = test->counts_repeats ? test->max_repeats : test->max_trials;
	config->z = search_z(&test->loss_verification_z);
	config->trials_limit = test->trials_limit;
	config->traffic_limit_ns = test->traffic_limit_ns;
}

static struct bench_trial describe(const struct session *session, const struct trial_result *result)
{
	const struct trial_request *asked = &session->asked;
	bool burst = asked->kind == TRIAL_BURST, several = burst && trial_bursts(asked) > 1;

	return (struct bench_trial){.test = benchmark_name(session->benchmark),
	                            .test_number = session->progress.test_number,
	                            .frame_octets = session->frame_octets,
	                            .sizes = &session->test->shape.sizes,
	                            .modifiers = session->shape.modifiers,
	                            .repetition = session->progress.repetition,
	                            .trial = session->trials,
	                            .load_fps = several ? (double)asked->burst_frames / session_burst_s(session, asked)
	                                                : rate_fps(burst ? session->max_rate : asked->load),
	                            .burst_frames = burst ? asked->burst_frames : 0,
	                            .duration_s = burst && !several ? (double)NAN : session_sending_s(session, asked),
	                            .offered_frames = result->offered_frames,
	                            .lost_frames = result->lost_frames,
	                            .why_invalid = result->valid ? NULL : result->why_invalid};
}

static double bound(const struct session *session, bool known, uint64_t point)
{
	return known ? (double)session_in_unit(session, point) : (double)NAN;
}

static void describe_goals(const struct session *session, const struct search *search, uint64_t point,
                           struct bench_trial *trial)
{
	static const enum bench_class CLASSES[] = {[MLRSEARCH_UNDECIDED] = BENCH_UNDECIDED,
	                                           [MLRSEARCH_LOWER] = BENCH_LOWER,
	                                           [MLRSEARCH_UPPER] = BENCH_UPPER};

	if (session->kind != SEARCH_MLRSEARCH) {
		struct search_result now = search_result(search);
		bool lower = now.has_lower && now.lower == point, upper = now.has_upper && now.upper == point;

		trial->goals = 1;
		trial->goal[0] = (struct bench_goal){lower   ? BENCH_LOWER
		                                     : upper ? BENCH_UPPER
		                                             : BENCH_UNDECIDED,
		                                     bound(session, now.has_lower, now.lower),
		                                     bound(session, now.has_upper, now.upper)};
		return;
	}
	trial->goals = mlrsearch_goal_count(search);
	for (size_t i = 0; i < trial->goals && i < BENCH_MAX_GOALS; i++) {
		struct mlrsearch_goal_result now = mlrsearch_result(search, i);

		trial->goal[i] = (struct bench_goal){CLASSES[mlrsearch_class_of(search, i, point)],
		                                     bound(session, now.has_lower, now.lower),
		                                     bound(session, now.has_upper, now.upper)};
	}
}

/* Frames that were not offered count as lost for MLRsearch if they are more than the goal width of the load: RFC 9971
 * recommends it of a severe deviation (4.9.1), as its loads are intended ones (4.5.2). A search for a width cannot tell
 * loads apart that are closer. */
static uint64_t count_unoffered(const struct session *session, const struct search *search,
                                const struct trial_result *result)
{
	const uint64_t unoffered = trial_unoffered_frames(session, &session->asked, result);
	double width_ppm = MLRSEARCH_PPM;

	if (session->kind != SEARCH_MLRSEARCH || !unoffered)
		return 0;
	for (size_t i = 0; i < mlrsearch_goal_count(search); i++)
		width_ppm = fmin(width_ppm, mlrsearch_goal(search, i)->width_ppm);
	if ((double)unoffered * MLRSEARCH_PPM <= (double)(result->offered_frames + unoffered) * width_ppm)
		return 0;
	return unoffered;
}

int session_observe(struct session *session, struct search *search, const struct trial_result *result,
                    struct error *error)
{
	const uint64_t unoffered = count_unoffered(session, search, result);
	const struct search_observation observed = {.expected_frames = result->offered_frames + unoffered,
	                                            .lost_frames = result->lost_frames + unoffered,
	                                            .unoffered_frames = unoffered};
	struct search_request wanted = {0};

	search_next(search, &wanted);
	foresight_note(&session->foresight, &wanted, &observed);
	if (search_observe(search, &observed))
		return error_set(error, ERROR_INTERNAL, "search: out of memory");
	if (session->context->trace) {
		struct bench_trial trial = describe(session, result);

		if (!wanted.warm_up)
			describe_goals(session, search, wanted.point, &trial);
		session->context->trace(session->context->trace_user, &trial);
	}
	return 0;
}

static void trace_invalid(const struct session *session, const struct trial_result *result)
{
	struct bench_trial trial;

	if (!session->context->trace)
		return;
	trial = describe(session, result);
	session->context->trace(session->context->trace_user, &trial);
}

/* Puts what the search knew when the user stopped it into the error text: it is all that remains of the trials at this
 * size until the run is resumed. */
static int stopped(const struct session *session, const struct search *search, struct error *error)
{
	struct search_result now = search_result(search);
	const char *unit = session->benchmark->point_unit;
	char lower[32] = "none", upper[32] = "none", frames[PLAN_FRAMES_TEXT];

	if (now.has_lower)
		snprintf(lower, sizeof(lower), "%" PRIu64 " %s", session_in_unit(session, now.lower), unit);
	if (now.has_upper)
		snprintf(upper, sizeof(upper), "%" PRIu64 " %s", session_in_unit(session, now.upper), unit);
	return error_set(error, ERROR_CANCELLED,
	                 "stopped by the user in trial %u of %s of %s; bounds so far: lower %s, upper %s",
	                 session->trials + 1, benchmark_name(session->benchmark),
	                 plan_frames_text(session->test, session->frame_octets, frames, sizeof(frames)), lower, upper);
}

/* Each of them is a lost frame of its trial, and may be what decided the result. */
static void note_payload(struct session *session, const struct trial_result *result)
{
	uint64_t frames = 0;

	for (unsigned i = 0; i < result->ports && i < TRIAL_MAX_PORTS; i++)
		if (result->port[i].bad_payload_frames != COUNT_UNKNOWN)
			frames += result->port[i].bad_payload_frames;
	session->bad_payload_frames += frames;
	session->bad_payload_trials += frames != 0;
}

static void note_load(struct session *session, const struct trial_result *result)
{
	const struct trial_load load = trial_load_of(session, &session->asked, result);
	const bool burst = session->asked.kind == TRIAL_BURST;

	load_deviation_add(&session->deviation, &load, burst ? INFINITY : rate_fps(session->max_rate));
}

static void note_late(struct session *session, const struct trial_result *result)
{
	session->far_reordered_frames += result->far_reordered_frames;
	session->far_reordered_trials += result->far_reordered_frames != 0;
	if (result->late_frames == COUNT_UNKNOWN)
		return;
	session->late_frames += result->late_frames;
	session->late_trials += result->late_frames != 0;
}

static void note_management(struct session *session, const struct trial_result *result)
{
	for (unsigned i = 0; i < result->ports && i < TRIAL_MAX_PORTS; i++) {
		const struct trial_port *port = &result->port[i];

		if (session->management_wrong_frames == 0)
			session->management_verdict = port->management_verdict;
		session->management_queries += port->management_queries;
		session->management_answers += port->management_answers;
		session->management_wrong_frames += port->management_wrong_frames;
	}
}

/* The request of the trial that a search wants next, the first of a new one when it has ended and is repeated. False:
 * there is none. */
static bool foresee_next(const struct session *session, const struct search_config *config, struct search **search,
                         unsigned *repetition, struct trial_request *request)
{
	struct search_request wanted;
	struct error ignored = {0};

	if (!search_next(*search, &wanted)) {
		search_free(*search);
		*search = *repetition < session->progress.repetitions ? search_create(config, &ignored) : NULL;
		++*repetition;
		if (!*search || !search_next(*search, &wanted))
			return false;
	}
	*request = session_request(session);
	session->points->request(session->points->user, session, &wanted, request);
	return true;
}

/* The outcome that is likely for the trial it wants. */
static bool suppose(const struct session *session, struct search *search)
{
	struct search_request wanted;
	struct search_observation guess;

	if (!search_next(search, &wanted))
		return false;
	guess = foresight_guess(&session->foresight, &wanted);
	return search_observe(search, &guess) == 0;
}

/* Tells a tester that wants to know which trials will come, if all is as foreseen. */
static void foresee(struct session *session, const struct search_config *config, const struct search *search,
                    const struct trial_request *request)
{
	struct tester *tester = session->context->tester;
	const unsigned most = tester_looks_ahead(tester);
	struct trial_request *requests;
	unsigned count = 1, repetition = session->progress.repetition;
	struct search *ahead;

	foresight_begin(&session->foresight, config);
	requests = most > 1 && session->points ? calloc(most, sizeof(*requests)) : NULL;
	if (!requests)
		return;
	requests[0] = *request;
	ahead = search_copy(search);
	while (ahead && count < most && suppose(session, ahead) &&
	       foresee_next(session, config, &ahead, &repetition, &requests[count]))
		count++;
	search_free(ahead);
	tester_expect(tester, requests, count);
	free(requests);
}

int session_trial(struct session *session, const struct search_config *config, const struct search *search,
                  const struct trial_request *request, struct error *error)
{
	struct trial_result *const result = session->trial;

	for (unsigned repeats = 0; repeats <= MAX_TRIAL_REPEATS; repeats++) {
		int status;

		session_tell_progress(session, config, search, request);
		foresee(session, config, search, request);
		status = tester_run(session->context->tester, request, result, error);
		if (status) {
			session->unfinished = true;
			return status == ERROR_CANCELLED ? stopped(session, search, error) : status;
		}
		session->trials++;
		arrivals_note(&session->arrivals, request, result);
		session->asked = *request;
		session->kind = config->kind;
		if (result->valid) {
			note_payload(session, result);
			note_late(session, result);
			note_management(session, result);
			note_load(session, result);
			return 0;
		}
		session->invalid_trials++;
		trace_invalid(session, result);
	}
	snprintf(session->why_invalid, sizeof(session->why_invalid),
	         "the tester did not do what was asked, %d times in a row: %s", MAX_TRIAL_REPEATS + 1,
	         result->why_invalid);
	return SESSION_INVALID;
}

int session_check_end(struct session *session, const struct search_result *found)
{
	if (found->end != SEARCH_TRIALS_LIMIT && found->end != SEARCH_TRAFFIC_LIMIT &&
	    found->end != SEARCH_GRID_TOO_WIDE)
		return 0;
	session->unfinished = found->end != SEARCH_GRID_TOO_WIDE;
	snprintf(session->why_invalid, sizeof(session->why_invalid),
	         "the search ended after %u trials, %.9g s of traffic: %s", found->trials,
	         (double)found->traffic_ns / 1e9, search_end_text(found->end));
	return SESSION_INVALID;
}
