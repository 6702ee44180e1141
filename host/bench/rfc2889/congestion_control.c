/* SPDX-License-Identifier: Apache-2.0 */
/* Trials at the maximum offered load: of the first sources alone, to see whether the device takes their load, and of
 * all. Each source sends an exact and even number of frames, half of which the first source has for each receiver. If
 * the device sends pause frames to sources, there is a third one, in which the sources obey them: it shows what load
 * the device accepts (RFC 2889 5.5.4), and the two before it whose frames it drops where nobody holds back. */
#include "host/bench/rfc2889/congestion_control.h"

#include <stdlib.h>

#include "host/base/json_write.h"
#include "host/bench/offered_load.h"
#include "host/bench/result.h"
#include "host/plan/key_slices.h"
#include "host/trial/traffic.h"

enum { LEAST_TRIALS = 2, MOST_TRIALS };

struct congestion {
	struct session *session;
	struct trial_result *room; /* MOST_TRIALS entries */
	unsigned made;
	struct congestion_trials trials;
	struct trial_request request; /* the last trial's; trials do not differ in what is reported of it */
	struct counter_sums sums;
};

#define SETTINGS struct congestion_control_settings

static const struct plan_key KEYS[] = {
        {.name = "obey_pause",
         .value = BOOL(obey_pause),
         .default_text = "true",
         .doc = "If the device sends pause frames (IEEE 802.3 annex 31B) to sources, a further trial, in which they "
                "obey: what load it accepts then (RFC 2889 section 5.5.4) and what it loses (section 5.5.5.2)."},
};
static const struct key_slice OWN_KEYS = {OWN_SLICE(KEYS)};

static const struct congestion_control_settings *settings_of(const struct plan_test *test)
{
	return test->settings;
}

static uint64_t trial_ns(const struct plan_test *test)
{
	return settings_of(test)->rfc2889.trial_duration_ns;
}

static struct trial_request request_of(const struct session *session, const struct traffic *traffic, bool obeys)
{
	const struct rate line = session->max_rate;
	const uint64_t wanted = frames_of_duration(line, trial_ns(session->test));
	const uint64_t frames = wanted < 2 ? 2 : wanted / 2 * 2;
	struct trial_request request = session_request(session);

	request.traffic = traffic;
	request.kind = TRIAL_LOAD;
	request.listens = true; /* pause frames are read */
	request.obeys_pause = obeys;
	request.load = line;
	request.duration_ot = duration_of_frames(frames, line, session->context->tester->info.link_bps);
	return request;
}

/* One trial, valid or given up. */
static int try_traffic(struct congestion *congestion, const struct traffic *traffic, bool obeys,
                       const struct trial_result **trial, struct error *error)
{
	struct session *session = congestion->session;
	const struct search_config config = {.low = 1, .high = 1, .step = 1, .max_repeat = 1};
	struct search *search = search_create(&config, error);
	int status;

	if (!search)
		return error->code;
	congestion->request = request_of(session, traffic, obeys);
	status = session_trial(session, &config, search, &congestion->request, error);
	if (status == 0) {
		counters_add(&congestion->sums, session->trial);
		status = session_observe(session, search, session->trial, error);
	}
	if (status == 0) {
		congestion->room[congestion->made] = *session->trial;
		*trial = &congestion->room[congestion->made++];
	}
	search_free(search);
	return status;
}

static int try_relieved(struct congestion *congestion, struct error *error)
{
	const struct session *session = congestion->session;
	struct traffic traffic = {0};
	int status = trial_traffic_of_shape(&session->shape, session->context->tester->info.device, &traffic, error);

	if (status == 0)
		status = congestion_traffic(session->test, &traffic, error);
	if (status == 0) {
		congestion_traffic_relieve(&traffic);
		status = try_traffic(congestion, &traffic, false, &congestion->trials.relieved, error);
	}
	traffic_free(&traffic);
	return status;
}

static int try_all(struct congestion *congestion, bool obeys, const struct trial_result **trial, struct error *error)
{
	congestion->session->progress.repetition++;
	return try_traffic(congestion, congestion->session->traffic, obeys, trial, error);
}

static int try_each(struct congestion *congestion, struct error *error)
{
	const bool obey = settings_of(congestion->session->test)->obey_pause;
	int status;

	congestion->session->progress.repetitions = LEAST_TRIALS;
	congestion->session->progress.repetition = 1;
	status = try_relieved(congestion, error);
	if (status == 0)
		status = try_all(congestion, false, &congestion->trials.all, error);
	if (status || !obey || congestion_pauses(congestion->trials.all) == 0)
		return status;
	congestion->session->progress.repetitions = MOST_TRIALS;
	return try_all(congestion, true, &congestion->trials.obeyed, error);
}

static json_t *parameters(const struct session *session)
{
	json_t *object = result_parameters(session);

	result_number(object, "trial_duration_s", extent_seconds(trial_ns(session->test)));
	result_count(object, "ports", session->traffic->ports);
	json_put(object, "flow_control",
	         json_string(settings_of(session->test)->obey_pause
	                             ? "a further trial of all, which obey, if sources are sent pause frames"
	                             : "pause frames are counted, and not obeyed"));
	return object;
}

static int run(struct session *session, struct error *error)
{
	struct congestion congestion = {.session = session, .room = calloc(MOST_TRIALS, sizeof(*congestion.room))};
	json_t *result;
	int status, finished;

	if (!congestion.room)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	result = result_begin(session, session->benchmark->clause);
	json_put(result, "parameters", parameters(session));
	status = try_each(&congestion, error);
	congestion_report(session, &congestion.request, &congestion.trials, result);
	result_ports(result, session, congestion.trials.all);
	result_counters(result, "counters", &congestion.sums);
	if (status)
		result_invalid(result, "ended after %u trials: %s", (unsigned)congestion.sums.trials,
		               status == SESSION_INVALID ? session->why_invalid : error->text);
	free(congestion.room);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

static int finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	if (test->shape.routed)
		return plan_complain(error, node_child(group, "test"), "test",
		                     "must not be \"%s\" with traffic.routed (RFC 2889 section 1: switches)",
		                     plan_test_name(test));
	return rfc2889_refuse_program(plan, test, group, error);
}

static double longest_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	(void)frame_octets;
	(void)link_bps;
	return extent_seconds(trial_ns(test));
}

/* Each trial has its learning frames, which take the time of drain twice. */
static struct extent extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	enum { LEARNING = 2 };
	const double drain_s = extent_seconds(test->drain_ns), trial_s = longest_trial_s(test, frame_octets, link_bps);
	const struct effort least = effort_of(test, LEAST_TRIALS, trial_s, (LEARNING + 1) * drain_s);
	const struct effort most =
	        effort_of(test, LEAST_TRIALS + settings_of(test)->obey_pause, trial_s, (LEARNING + 1) * drain_s);

	return (struct extent){.least = least, .most = most, .expected = most};
}

static void shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	shorter_add(settings, "trial_duration", shorter_time_s(longest_trial_s(test, 0, link_bps), factor));
}

static const struct plan_pattern PATTERN = {.pattern = TRAFFIC_MESH,
                                            .bidirectional = true,
                                            .clause = "RFC 2889 section 5.5.3",
                                            .least_ports = CONGESTION_GROUP};

const struct benchmark RFC2889_CONGESTION_CONTROL = {
        .plan = {.keys = {.name = "rfc2889.congestion_control", .slices = SLICES(&KEYS_TEST, &RFC2889_KEYS, &OWN_KEYS)},
                 .settings_size = sizeof(struct congestion_control_settings),
                 .why_no_search = "its loads are given (RFC 2889 section 5.5.3)",
                 .why_unmixed = "each source sends an exact number of equal frames (RFC 2889 section 5.5.3)",
                 .pattern = &PATTERN,
                 .refused_modifiers = ~UINT32_C(0),
                 .why_refused = "each source sends an exact number of frames (RFC 2889 section 5.5.3)",
                 .finish = finish,
                 .results = (const struct result_description *const[]){&CONGESTION_CONTROL_RESULTS, NULL}},
        .title = "Congestion control",
        .clause = "RFC 2889 5.5",
        .point_key = "load_fps",
        .point_unit = "fps",
        .line_rate_only = true,
        .run = run,
        .traffic = congestion_traffic,
        .extent = extent,
        .longest_trial_s = longest_trial_s,
        .shorten = shorten,
};
