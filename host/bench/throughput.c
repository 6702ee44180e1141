/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput (RFC 2544 26.1): the highest load without loss, by a search with short trials and a final determination
 * with full-length ones (section 24). Loads are on a grid that has exactly line rate at its top. */
#include <inttypes.h>
#include <math.h>

#include "host/base/format.h"
#include "host/bench/result.h"
#include "host/bench/rfc_math.h"
#include "host/bench/throughput.h"

static int run_phase(struct session *session, const struct load_grid *grid, uint64_t high, uint64_t duration_ns,
                     struct phase *phase, struct error *error)
{
	struct search_config config = {.low = 0, .high = high, .step = 1, .duration_ns = duration_ns};
	struct trial_request request = session_request(session);
	struct search_request wanted;
	struct trial_result trial;
	struct search *search;
	int status = 0;

	*phase = (struct phase){.resolution_fps = load_step_fps(grid), .forwarded = 1};
	session_search_limits(session, &config);
	search = search_create(&config, error);
	if (search == NULL)
		return error->code;
	request.kind = TRIAL_LOAD;
	while (status == 0 && search_next(search, &wanted)) {
		request.load = load_at(grid, wanted.point);
		request.duration_ot = session_octet_times(session, wanted.duration_ns);
		status = session_trial(session, &config, search, &request, &trial, error);
		if (status == 0)
			status = session_observe(session, search, &trial, error);
		if (status)
			break;
		/* A lossy trial that loss verification overruled is at neither bound. */
		phase->found = search_result(search);
		if (phase->found.has_lower && phase->found.lower == wanted.point)
			phase->passed = trial;
		else if (phase->found.has_upper && phase->found.upper == wanted.point)
			phase->failed = trial;
	}
	phase->found = search_result(search);
	search_free(search);
	return status ? status : session_check_end(session, &phase->found);
}

/* The search, then the final determination: full-length trials from the load found downwards. */
static int determine(struct session *session, const struct load_grid *grid, struct phase *phase, bool *has_upper,
                     uint64_t *upper, struct error *error)
{
	const struct plan_test *test = session->test;
	uint64_t search_ns = test->search_trial_duration_ns ? test->search_trial_duration_ns : test->trial_duration_ns;
	int status = run_phase(session, grid, grid->top, search_ns, phase, error);

	*has_upper = status == 0 && phase->found.has_upper;
	*upper = phase->found.upper;
	if (status || !phase->found.has_lower || search_ns >= test->trial_duration_ns)
		return status;
	status = run_phase(session, grid, phase->found.lower, test->trial_duration_ns, phase, error);
	if (status == 0 && phase->found.has_upper) {
		*has_upper = true;
		*upper = phase->found.upper;
	}
	return status;
}

static json_t *parameters(const struct session *session, const struct load_grid *grid)
{
	const struct plan_test *test = session->test;
	json_t *object = result_parameters(session);

	result_number(object, "resolution_fps", load_step_fps(grid));
	result_number(object, "resolution_percent", 100.0 * (double)grid->part / (double)grid->whole);
	result_number(object, "trial_duration_s", (double)test->trial_duration_ns / NS_PER_S);
	result_number(
	        object, "search_trial_duration_s",
	        (double)(test->search_trial_duration_ns ? test->search_trial_duration_ns : test->trial_duration_ns) /
	                NS_PER_S);
	json_object_set_new(object, "load", json_string("frames a second, a sending port"));
	return object;
}

/* A load that the DUT really sustains leaves latency where it was. When latency grew, a buffer was filling: what it
 * held in the end, over the length of the trial, is the overload that it took unseen. Also seen where no back-to-back
 * test follows, or where it is left out because throughput looks like line rate. Jitter is in it too. */
static void report_queue_growth(double resolution_fps, const struct trial_result *final, json_t *result)
{
	double growth_fps = NAN;

	for (unsigned i = 0; i < final->ports; i++) {
		const struct trial_port *port = &final->port[i];

		if (port->latency.frames && final->duration_s > 0)
			growth_fps =
			        fmax(growth_fps, (latency_buffer_frames(port->latency.max_ot - port->latency.min_ot,
			                                                port->received_frames,
			                                                port->rx_last_ot - port->rx_first_ot) -
			                          1) / final->duration_s);
	}
	result_number(result, "queue_growth_fps", growth_fps);
	if (growth_fps > resolution_fps && final->lost_frames == 0)
		result_flag(result,
		            "latency grew during the final trial as if a buffer filled at %s: throughput may be too "
		            "high by "
		            "that; a longer trial_duration settles it",
		            format_fps(growth_fps).text);
}

static void report_found(const struct session *session, const struct load_grid *grid, const struct phase *phase,
                         json_t *result)
{
	const struct trial_result *final = phase->found.has_lower ? &phase->passed : &phase->failed;
	double line_fps = rate_fps(grid->line);
	double throughput_fps =
	        phase->found.has_lower ? rate_fps(load_at(grid, phase->found.lower)) * phase->forwarded : 0;
	struct counter_sums sums = {0};

	result_number(result, "throughput_fps", throughput_fps);
	result_number(result, "throughput_percent", 100 * (throughput_fps / line_fps));
	/* RFC 2889 3.9: forwarded at the load of the deciding trial. */
	result_number(result, "forwarding_rate_fps", final->forwarding_rate_fps > 0 ? final->forwarding_rate_fps : NAN);
	result_number(result, "final_trial_duration_s", final->duration_s);
	result_latency(result, session, final);
	counters_add(&sums, final);
	result_counters(result, "counters", &sums);
	if (!phase->found.has_lower)
		result_flag(result, "frames were lost even at the lowest load of the grid, %.3f fps: reported as 0",
		            rate_fps(load_at(grid, 0)));
	report_queue_growth(phase->resolution_fps, final, result);
	if (sums.foreign_frames && sums.foreign_frames != COUNT_UNKNOWN)
		result_flag(result,
		            "%" PRIu64 " foreign frames came during the deciding trial; not counted (RFC 2544 10)",
		            sums.foreign_frames);
}

static void report_unknown(const char *why, json_t *result)
{
	static const char *const UNKNOWN[] = {"throughput_fps", "throughput_percent", "forwarding_rate_fps",
	                                      "queue_growth_fps", "first_lossy_fps"};

	for (size_t i = 0; i < sizeof(UNKNOWN) / sizeof(*UNKNOWN); i++)
		result_number(result, UNKNOWN[i], NAN);
	result_latency_unknown(result);
	result_invalid(result, "%s", why);
}

int throughput_run(struct session *session, struct error *error)
{
	bool by_goals = session->test->search == PLAN_SEARCH_MLRSEARCH;
	struct load_grid grid = by_goals ? load_grid_of_parts(session->max_rate)
	                                 : load_grid_of_steps(session->max_rate, &session->test->resolution);
	json_t *result = result_begin(session, "RFC 2544 26.1");
	struct phase phase = {.resolution_fps = by_goals ? (double)NAN : load_step_fps(&grid)};
	uint64_t upper = 0;
	bool has_upper = false;
	int status, finished;

	session->point_in_unit = load_fps;
	session->grid = &grid;
	json_object_set_new(result, "parameters",
	                    by_goals ? throughput_goal_parameters(session) : parameters(session, &grid));
	/* Filled by back_to_back when it has found the buffer (self_check.c). */
	result_number(result, "hidden_overload_fps", NAN);
	result_number(result, "hidden_overload_trial_s", NAN);
	status = by_goals ? throughput_by_goals(session, &phase, &has_upper, &upper, error)
	                  : determine(session, &grid, &phase, &has_upper, &upper, error);
	result_number(result, "resolution_fps", phase.resolution_fps);
	if (status == 0) {
		report_found(session, &grid, &phase, result);
		result_number(result, "first_lossy_fps", has_upper ? rate_fps(load_at(&grid, upper)) : NAN);
	} else {
		report_unknown(status == SESSION_INVALID ? session->why_invalid : error->text, result);
	}
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}
