/* SPDX-License-Identifier: Apache-2.0 */
/* Head-of-line blocking (RFC 8239 section 5.2): which groups, and where they are on the device. */
#include "host/bench/rfc8239/head_of_line_blocking.h"

#include <stdlib.h>

#include "host/base/json_write.h"
#include "host/bench/repeat.h"
#include "host/bench/result.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct holb_settings

enum { LEAST_PORTS = 2 * GROUP_PORTS };

static const struct plan_key KEYS[] = {
        {.name = "groups",
         .value = CHOICE_OF_TWO(all_groups),
         .choices = CHOICES("two", "all"),
         .default_text = "two",
         .doc = "Two groups of four ports (RFC 8239 section 5.2, procedure 1), or as many as there are ports for, with "
                "traffic to four egress ports (procedure 2)."},
        {.name = "trial_duration",
         .value = TIME(trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "30s",
         .doc = "Length of every trial (RFC 2889 section 5.5.2)."},
};
static const struct key_slice HOLB_KEYS = {OWN_SLICE(KEYS)};

static const struct plan_pattern PATTERN = {
        .pattern = TRAFFIC_MESH, .bidirectional = true, .clause = "RFC 8239 section 5.2"};

static int holb_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	(void)test;
	if (traffic->ports < LEAST_PORTS)
		return error_set(error, ERROR_PLAN,
		                 "has %u ports, and head-of-line blocking needs %d, in two groups of four (RFC 8239 "
		                 "section 5.2); with four ports there is rfc2889.congestion_control",
		                 traffic->ports, LEAST_PORTS);
	return 0;
}

/* A port that sends to a single other one does so at line rate. */
struct port_plan holb_plan(unsigned ports, unsigned groups, bool all_groups, unsigned position)
{
	struct port_plan plan = {.ports = ports};

	for (unsigned group = 0; group < groups; group++) {
		const unsigned first = group * GROUP_PORTS, next = (group + 1) % groups * GROUP_PORTS;

		port_plan_add(&plan, first, first + 2);
		port_plan_add(&plan, first, first + 3);
		if (all_groups) {
			port_plan_add(&plan, first, next + 2);
			port_plan_add(&plan, first, next + 3);
		}
		port_plan_add(&plan, first + 1, first + 3);
	}
	return port_plan_shifted(&plan, position);
}

static void request_trial(void *user, const struct session *session, const struct search_request *wanted,
                          struct trial_request *request)
{
	(void)user;
	(void)wanted;
	request->kind = TRIAL_LOAD;
	request->load = session->max_rate;
	request->duration_ot = session_octet_times(session, holb_settings(session->test)->trial_duration_ns);
}

static uint64_t load_fps(const void *user, uint64_t point)
{
	(void)point;
	return (uint64_t)(rate_fps(((const struct holb *)user)->session->max_rate) + 0.5);
}

static void note(void *user, const struct trial_result *trial)
{
	holb_note(user, trial);
}

static int run_position(struct holb *measured, struct session *session, struct error *error)
{
	const struct search_points points = {
	        .request = request_trial, .in_unit = load_fps, .note = note, .user = measured};
	const struct port_plan plan = holb_plan(measured->ports, measured->groups,
	                                        holb_settings(session->test)->all_groups, measured->position);
	struct traffic traffic;
	int status = port_traffic_use(session, &plan, &traffic, error);

	if (status)
		return status;
	measured->count = 0;
	session_next_case(session, measured->ports);
	status = repeat_trial(session, measured->repetitions, &points, error);
	if (status == 0)
		holb_note_position(measured);
	session->traffic = NULL;
	traffic_free(&traffic);
	return status;
}

/* Makes room for all values; 0 or ERROR_INTERNAL. */
static int begin(struct holb *measured, struct session *session, struct error *error)
{
	const unsigned ports = session->context->tester->info.device->ports;
	const bool all = holb_settings(session->test)->all_groups;
	bool has_room;

	*measured = (struct holb){.session = session,
	                          .ports = ports,
	                          .groups = all ? ports / GROUP_PORTS : 2,
	                          .repetitions = rfc8239_settings(session->test)->repetitions,
	                          .rows = json_array()};
	measured->worst_percent = calloc(measured->repetitions, sizeof(double));
	has_room = measured->worst_percent != NULL;
	for (unsigned group = 0; group < measured->groups; group++) {
		measured->group[group].loss_percent = calloc(measured->repetitions, sizeof(double));
		has_room = has_room && measured->group[group].loss_percent;
	}
	return has_room ? 0 : error_set(error, ERROR_INTERNAL, "out of memory");
}

static void end(struct holb *measured)
{
	for (unsigned group = 0; group < measured->groups; group++)
		free(measured->group[group].loss_percent);
	free(measured->worst_percent);
	json_decref(measured->rows);
}

static json_t *parameters(const struct holb *measured)
{
	const struct holb_settings *settings = holb_settings(measured->session->test);
	json_t *object = rfc8239_parameters(measured->session);

	result_number(object, "trial_duration_s", extent_seconds(settings->trial_duration_ns));
	result_count(object, "groups", measured->groups);
	result_count(object, "procedure", settings->all_groups ? 2 : 1);
	return object;
}

static int run(struct session *session, struct error *error)
{
	const struct traffic *mesh = session->traffic;
	struct holb measured;
	json_t *result;
	int status = begin(&measured, session, error), finished;

	if (status) {
		end(&measured);
		return status;
	}
	result = result_begin(session, session->benchmark->clause);
	json_put(result, "parameters", parameters(&measured));
	for (; status == 0 && measured.position < measured.ports; measured.position += status == 0)
		status = run_position(&measured, session, error);
	session->traffic = mesh;
	holb_report(&measured, status == 0, result);
	if (status)
		result_invalid(result, "ended after %u of %u places of the ports: %s", measured.position,
		               measured.ports, status == SESSION_INVALID ? session->why_invalid : error->text);
	end(&measured);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

static double trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	(void)frame_octets;
	(void)link_bps;
	return extent_seconds(holb_settings(test)->trial_duration_ns);
}

/* Each port of the device is the first once; how many there are is not known here. The congested ports always lose
 * frames, so every trial waits the whole drain time. */
static struct extent extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const double each_s = trial_s(test, frame_octets, link_bps), drain_s = extent_seconds(test->drain_ns);
	const double repetitions = rfc8239_settings(test)->repetitions;

	return (struct extent){.least = effort_of(test, LEAST_PORTS * repetitions, each_s, drain_s),
	                       .most = effort_of(test, TRAFFIC_MAX_PORTS * repetitions, each_s, drain_s),
	                       .open = true,
	                       .least_remark = ", with 8 ports",
	                       .most_remark = ", with 16 ports"};
}

static void shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	shorter_add(settings, "trial_duration", shorter_time_s(trial_s(test, 0, link_bps), factor));
}

const struct benchmark RFC8239_HEAD_OF_LINE_BLOCKING = {
        .plan = {.keys = {.name = "rfc8239.head_of_line_blocking",
                          .slices = SLICES(&KEYS_TEST, &RFC8239_KEYS, &HOLB_KEYS)},
                 .settings_size = sizeof(struct holb_settings),
                 .why_no_search = "its loads are given (RFC 8239 section 5.2)",
                 .why_unmixed = "ports must send at line rate whatever the turn (RFC 8239 section 5.2)",
                 .pattern = &PATTERN,
                 .refused_modifiers = UINT32_MAX,
                 .why_refused = "RFC 8239 section 5.2 says which frames are sent",
                 .finish = rfc8239_refuse_program,
                 .results = (const struct result_description *const[]){&HOLB_RESULTS, NULL}},
        .title = "Head-of-line blocking",
        .clause = "RFC 8239 5",
        .point_key = "load_fps",
        .point_unit = "fps",
        .line_rate_only = true,
        .run = run,
        .traffic = holb_traffic,
        .extent = extent,
        .longest_trial_s = trial_s,
        .shorten = shorten,
};
