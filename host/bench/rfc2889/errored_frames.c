/* SPDX-License-Identifier: Apache-2.0 */
/* A trial for each error at each load, in which all frames have that error. Just before it a few right frames go the
 * same way: they must all arrive, or that errored ones do not would say nothing; and the device learns from them where
 * they go, since it learns nothing from errored ones. */
#include "host/bench/rfc2889/errored_frames.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "host/base/json_write.h"
#include "host/bench/result.h"
#include "host/bench/rfc2889/errored_conditions.h"
#include "host/bench/rfc2889/errored_frames_keys.h"
#include "host/plan/key_slices.h"
#include "host/trial/traffic.h"

enum { RIGHT_FRAMES = 16, WHOLE = 100 };

struct errored {
	struct session *session;
	struct search_config config;
	struct search *search; /* a search of one point, for the progress line */
	json_t *result, *verdicts;
	struct counter_sums sums;
	uint64_t failed, untested, forwarded;
};

/* Copies that came out of the device, at any port: as they were, with a right FCS, or cut. */
static uint64_t forwarded_frames(const struct trial_result *trial)
{
	uint64_t frames = 0;

	for (unsigned i = 0; i < trial->ports; i++)
		frames += trial->port[i].received_frames + trial->port[i].bad_frames +
		          trial->port[i].wrong_port_frames + trial->port[i].wrong_length_frames +
		          trial->port[i].bad_payload_frames;
	return frames;
}

/* Counts the frames that are of no kind that devices send by themselves. */
static uint64_t unknown_frames(const struct trial_result *trial)
{
	uint64_t frames = 0;

	for (unsigned i = 0; i < trial->ports; i++) {
		const struct trial_port *port = &trial->port[i];
		uint64_t known = 0;

		for (unsigned kind = 0; kind < FOREIGN_KINDS; kind++)
			known += kind == FOREIGN_OTHER ? 0 : port->foreign[kind];
		frames += port->foreign_frames > known ? port->foreign_frames - known : 0;
	}
	return frames;
}

static const char *const RULES[] = {[ERRORED_MUST_FILTER] = "must be filtered",
                                    [ERRORED_SHOULD_FILTER] = "should be filtered",
                                    [ERRORED_MAY_FORWARD] = "may be forwarded"};

enum verdict { PASS, FAIL, NOT_TESTED };

static const char *const VERDICTS[] = {[PASS] = "pass", [FAIL] = "fail", [NOT_TESTED] = "not tested"};

/* Frames without a signature may be these, padded or cut on the way, as by an interface of Linux. Then that none came
 * back says nothing of the device. */
static enum verdict verdict_of(enum errored_rule rule, uint64_t forwarded, uint64_t unknown)
{
	if (rule == ERRORED_MAY_FORWARD)
		return PASS;
	if (forwarded)
		return FAIL;
	return unknown ? NOT_TESTED : PASS;
}

static void flag_unknown(const struct errored *errored, const struct errored_condition *condition,
                         unsigned load_percent, uint64_t unknown, enum verdict verdict)
{
	if (unknown)
		result_flag(errored->result,
		            "%" PRIu64 " frames without a signature came in the trial of %s frames of %" PRIu32
		            " octets at %u%%: they may be errored frames that were padded or cut on the way, which "
		            "nobody can "
		            "tell%s",
		            unknown, errored_name(condition->kind), condition->frame_octets, load_percent,
		            verdict == NOT_TESTED ? ", so this error is not tested" : "");
}

static void note(struct errored *errored, const struct errored_condition *condition, unsigned load_percent,
                 const struct trial_result *trial)
{
	const uint64_t forwarded = forwarded_frames(trial), unknown = unknown_frames(trial);
	const enum verdict verdict = verdict_of(errored_rule(condition->kind), forwarded, unknown);
	json_t *row = json_object();

	json_put(row, "error", json_string(errored_name(condition->kind)));
	result_count(row, "error_octets", condition->frame_octets);
	result_number(row, "load_percent", load_percent);
	result_count(row, "offered_frames", trial->offered_frames);
	result_count(row, "forwarded_frames", forwarded);
	result_count(row, "unknown_frames", unknown);
	result_count(row, "right_frames", trial->before.offered_frames);
	result_count(row, "right_received_frames", trial->before.received_frames);
	json_put(row, "rule", json_string(RULES[errored_rule(condition->kind)]));
	json_put(row, "verdict", json_string(VERDICTS[verdict]));
	json_add(errored->verdicts, row);
	flag_unknown(errored, condition, load_percent, unknown, verdict);
	counters_add(&errored->sums, trial);
	errored->failed += verdict == FAIL;
	errored->untested += verdict == NOT_TESTED;
	errored->forwarded += forwarded;
}

/* Right frames that do not arrive leave no verdict. */
static int check_way(struct errored *errored, const struct trial_result *trial)
{
	struct session *session = errored->session;

	if (trial->before.received_frames == trial->before.offered_frames)
		return 0;
	snprintf(session->why_invalid, sizeof(session->why_invalid),
	         "of %" PRIu64 " right frames that went the same way before, %" PRIu64
	         " arrived: errored ones that do not arrive would prove nothing",
	         trial->before.offered_frames, trial->before.received_frames);
	return SESSION_INVALID;
}

static void set_load(struct trial_request *request, const struct session *session, unsigned load_percent)
{
	const uint64_t link_bps = session->context->tester->info.link_bps;
	const unsigned sender = trial_traffic_sender(request->traffic);

	request->kind = TRIAL_LOAD;
	request->load = rate_scale(traffic_max_rate(request->traffic, sender, link_bps), load_percent, WHOLE);
	request->duration_ot =
	        session_octet_times(session, errored_frames_settings(session->test)->rfc2889.trial_duration_ns);
}

static int try_requests(struct errored *errored, const struct trial_request *request,
                        const struct errored_condition *condition, unsigned load_percent, struct error *error)
{
	const struct trial_result *trial = errored->session->trial;
	int status = session_trial(errored->session, &errored->config, errored->search, request, error);

	if (status == 0)
		status = check_way(errored, trial);
	if (status == 0)
		note(errored, condition, load_percent, trial);
	return status ? status : session_observe(errored->session, errored->search, trial, error);
}

static int try_error(struct errored *errored, const struct errored_condition *condition, unsigned load_percent,
                     struct error *error)
{
	struct session *session = errored->session;
	const struct device_identity *device = session->context->tester->info.device;
	struct trial_request before = session_request(session), request = before;
	struct traffic right = {0}, wrong = {0};
	int status = trial_traffic_of_shape(&session->shape, device, &right, error);

	if (status == 0)
		status = trial_traffic_of_shape(&session->shape, device, &wrong, error);
	errored->search = status == 0 ? search_create(&errored->config, error) : NULL;
	if (errored->search) {
		before.kind = TRIAL_BURST;
		before.burst_frames = RIGHT_FRAMES;
		before.traffic = &right;
		errored_make(&wrong, condition);
		request.traffic = &wrong;
		request.before = &before;
		set_load(&request, session, load_percent);
		status = try_requests(errored, &request, condition, load_percent, error);
		search_free(errored->search);
	} else if (status == 0) {
		status = error->code;
	}
	traffic_free(&right);
	traffic_free(&wrong);
	return status;
}

static unsigned count_conditions(const struct session *session)
{
	struct errored_condition condition;
	unsigned count = 0;

	while (errored_condition(session->test, session->frame_octets, count, &condition))
		count++;
	return count;
}

static int try_all(struct errored *errored, struct error *error)
{
	struct session *session = errored->session;
	const struct plan_counts *loads = &errored_frames_settings(session->test)->loads;
	const unsigned conditions = count_conditions(session);
	struct errored_condition condition;
	int status = 0;

	session->progress.repetitions = conditions * loads->count;
	for (unsigned i = 0; errored_condition(session->test, session->frame_octets, i, &condition); i++)
		for (unsigned load = 0; load < loads->count && status == 0; load++) {
			session->progress.repetition = i * loads->count + load + 1;
			status = try_error(errored, &condition, loads->value[load], error);
		}
	return status;
}

static json_t *parameters(const struct session *session)
{
	const struct errored_frames_settings *settings = errored_frames_settings(session->test);
	json_t *object = result_parameters(session);

	result_number(object, "trial_duration_s", extent_seconds(settings->rfc2889.trial_duration_ns));
	result_count(object, "max_frame_octets", settings->max_frame_octets);
	result_count(object, "right_frames", RIGHT_FRAMES);
	return object;
}

static int run(struct session *session, struct error *error)
{
	struct errored errored = {.session = session,
	                          .config = {.low = 1, .high = 1, .step = 1, .max_repeat = 1},
	                          .verdicts = json_array()};
	json_t *result = result_begin(session, session->benchmark->clause);
	int status, finished;

	json_put(result, "parameters", parameters(session));
	errored.result = result;
	status = try_all(&errored, error);
	result_count(result, "failed_verdicts", errored.failed);
	result_count(result, "untested_verdicts", errored.untested);
	result_count(result, "forwarded_frames", errored.forwarded);
	json_put_shared(result, "verdicts", errored.verdicts);
	result_counters(result, "counters", &errored.sums);
	if (status)
		result_invalid(result, "ended after %u verdicts: %s", (unsigned)errored.sums.trials,
		               status == SESSION_INVALID ? session->why_invalid : error->text);
	json_decref(errored.verdicts);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

const struct benchmark RFC2889_ERRORED_FRAMES = {
        .plan = {.keys = {.name = "rfc2889.errored_frames",
                          .slices = SLICES(&KEYS_TEST, &RFC2889_KEYS, &ERRORED_FRAMES_KEYS)},
                 .settings_size = sizeof(struct errored_frames_settings),
                 .why_no_search = "its loads are given (RFC 2889 section 5.9.2)",
                 .why_unmixed = "each error is tried alone (RFC 2889 section 5.9.3)",
                 .refused_modifiers = ~UINT32_C(0),
                 .why_refused = "each error is tried alone (RFC 2889 section 5.9.3)",
                 .finish = errored_frames_finish,
                 .cannot_send = errored_frames_cannot_send,
                 .results = (const struct result_description *const[]){&ERRORED_FRAMES_RESULTS, NULL}},
        .title = "Errored frames filtering",
        .clause = "RFC 2889 5.9",
        .point_key = "load_fps",
        .point_unit = "fps",
        .run = run,
        .extent = errored_frames_extent,
        .longest_trial_s = errored_frames_trial_s,
        .shorten = errored_frames_shorten,
};
