/* SPDX-License-Identifier: Apache-2.0 */
/* Frame loss rate (RFC 2544 26.3): what share of the frames is lost at each load, from line rate down in equal steps
 * until two successive trials lose nothing. */
#include "host/bench/rfc2544/frame_loss_rate.h"

#include <math.h>

#include "host/base/json_write.h"
#include "host/base/ratio.h"
#include "host/bench/layers.h"
#include "host/bench/load_points.h"
#include "host/bench/load_range.h"
#include "host/bench/result.h"
#include "host/plan/key_slices.h"

/* The findings of the trials so far. */
struct ladder {
	struct load_grid grid; /* first, for load_points() */
	struct load_range range;
	struct search *search;
	json_t *rows;                   /* rows of the result; one a valid trial */
	struct trial_load last, before; /* the loads of the last trial, and of the one before it */
	struct counter_sums sums;
	double most_percent;
};

/* The share of line rate is exactly that of the grid, unless another load was offered. */
static double percent_at(const struct load_grid *grid, uint64_t point, const struct trial_load *load)
{
	return rate_percent(load_offered(grid, point, load), grid->line);
}

/* RFC 2544 26.3: ((input_count - output_count) x 100) / input_count. A duplicate does not make up for a lost frame. */
static double loss_percent(const struct trial_result *trial)
{
	return ratio_percent(trial->lost_frames, trial->offered_frames);
}

static void note(const struct session *session, struct ladder *ladder, uint64_t point, const struct trial_result *trial)
{
	const struct trial_load load = trial_load_of(session, &session->asked, trial);
	const struct rate rate = load_offered(&ladder->grid, point, &load);
	json_t *row = json_object();

	if (ladder->sums.trials == 0) /* the highest load is reported port by port */
		*session->kept = *trial;
	ladder->before = ladder->last;
	ladder->last = load;
	ladder->most_percent = fmax(ladder->most_percent, loss_percent(trial));
	counters_add(&ladder->sums, trial);
	result_number(row, "load_percent", percent_at(&ladder->grid, point, &load));
	result_number(row, "load_fps", rate_fps(rate));
	if (load.differs)
		result_number(row, "intended_load_fps", load.intended);
	layers_report(row, "", layers_of_rate(rate, session->max_rate, session_link_bps(session)));
	result_count(row, "offered_frames", trial->offered_frames);
	result_count(row, "received_frames", trial->received_frames);
	result_count(row, "lost_frames", trial->lost_frames);
	result_number(row, "loss_percent", loss_percent(trial));
	json_add(ladder->rows, row);
}

static int try_load(struct session *session, const struct search_config *config, struct ladder *ladder,
                    const struct search_request *wanted, struct error *error)
{
	struct trial_request request = session_request(session);
	int status;

	session->points->request(session->points->user, session, wanted, &request);
	status = session_trial(session, config, ladder->search, &request, error);
	if (status)
		return status;
	note(session, ladder, wanted->point, session->trial);
	return session_observe(session, ladder->search, session->trial, error);
}

/* Does without search_loop(), which keeps a trial of every load: there may be thousands. */
static int descend(struct session *session, struct ladder *ladder, struct error *error)
{
	const struct search_config config = {.kind = SEARCH_DESCENT,
	                                     .low = ladder->range.low,
	                                     .high = ladder->range.high,
	                                     .step = 1,
	                                     .duration_ns = frame_loss_rate_settings(session->test)->trial_duration_ns};
	const struct search_points points = load_points(&ladder->grid);
	struct search_request wanted;
	int status = 0;

	ladder->search = search_create(&config, error);
	if (!ladder->search)
		return error->code;
	session->points = &points;
	while (status == 0 && search_next(ladder->search, &wanted))
		status = try_load(session, &config, ladder, &wanted, error);
	session->points = NULL;
	return status;
}

/* The clause ends with two successive trials without loss. Where the loads end first, the reader must know. */
static void flag_end(const struct session *session, const struct ladder *ladder, const struct search_result *found,
                     json_t *result)
{
	const json_t *lowest = json_array_get(ladder->rows, json_array_size(ladder->rows) - 1);
	const double lost = result_get(lowest, "lost_frames"), percent = result_get(lowest, "load_percent");

	load_range_report(session, &ladder->range, &ladder->grid, found, "loss-free load", result);
	if (found->has_lower)
		return;
	if (lost > 0)
		result_flag(result, "frames were lost even at the lowest load, %.9g%% of line rate", percent);
	else
		result_flag(result,
		            "only the trial at the lowest load, %.9g%% of line rate, lost nothing: two successive ones "
		            "would end the test (RFC 2544 section 26.3); a finer step tries lower loads",
		            percent);
}

static void report_loss_free(const struct session *session, const struct ladder *ladder,
                             const struct search_result *found, json_t *result)
{
	const bool known = found && found->has_lower;
	const struct load_grid *grid = &ladder->grid;
	const struct trial_load *load = &ladder->before; /* the higher of the two without loss that end the test */
	const struct rate rate = known ? load_offered(grid, found->lower, load) : (struct rate){0, 0};

	result_number(result, "loss_free_load_percent", rate_percent(rate, grid->line));
	result_number(result, "loss_free_load_fps", rate_fps(rate));
	if (known)
		result_load(result, load);
	layers_report(result, "loss_free_load_", layers_of_rate(rate, session->max_rate, session_link_bps(session)));
}

/* finished: false where a trial stayed invalid or the device failed; what was measured until then is there. */
static void report(const struct session *session, const struct ladder *ladder, bool finished, json_t *result)
{
	const bool any = ladder->sums.trials != 0;
	const struct search_result found = finished ? search_result(ladder->search) : (struct search_result){0};
	const bool below_line = ladder->range.has_max || load_deviation_below_line(&session->deviation);

	result_number(result, "line_rate_loss_percent", any && !below_line ? loss_percent(session->kept) : NAN);
	if (below_line)
		result_number(result, "max_load_loss_percent", any ? loss_percent(session->kept) : NAN);
	result_number(result, "max_loss_percent", any ? ladder->most_percent : NAN);
	report_loss_free(session, ladder, finished ? &found : NULL, result);
	json_put_shared(result, "points", ladder->rows);
	result_ports(result, session, any ? session->kept : NULL);
	result_counters(result, "counters", &ladder->sums);
	if (finished)
		flag_end(session, ladder, &found, result);
}

static json_t *parameters(const struct session *session, const struct load_grid *grid, const struct load_range *range)
{
	const struct frame_loss_rate_settings *settings = frame_loss_rate_settings(session->test);
	json_t *object = result_parameters(session);

	result_number(object, "step_percent", load_step_percent(grid));
	result_number(object, "trial_duration_s", (double)settings->trial_duration_ns / NS_PER_S);
	load_range_parameters(range, grid, object);
	json_put(object, "load", json_string("frames a second, a sending port"));
	return object;
}

static int run(struct session *session, struct error *error)
{
	struct ladder ladder = {
	        .grid = load_grid_of_steps(session->max_rate, &frame_loss_rate_settings(session->test)->step),
	        .rows = json_array()};
	json_t *result = result_begin(session, session->benchmark->clause);
	int status, finished;

	load_range_of(session->test, &ladder.grid, &ladder.range); /* frame_loss_rate_check(): there are loads in it */
	json_put(result, "parameters", parameters(session, &ladder.grid, &ladder.range));
	status = descend(session, &ladder, error);
	report(session, &ladder, status == 0, result);
	if (status)
		result_invalid(result, "ended after %u loads: %s", (unsigned)ladder.sums.trials,
		               status == SESSION_INVALID ? session->why_invalid : error->text);
	json_decref(ladder.rows);
	search_free(ladder.search);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

const struct benchmark FRAME_LOSS_RATE = {
        .plan = {.keys = {.name = "frame_loss_rate",
                          .slices = SLICES(&KEYS_TEST, &KEYS_LOAD_RANGE, &FRAME_LOSS_RATE_KEYS, &KEYS_CHOSEN_DURATION)},
                 .settings_size = sizeof(struct frame_loss_rate_settings),
                 .why_no_search = "its loads are given (RFC 2544 section 26.3)",
                 .results = (const struct result_description *const[]){&FRAME_LOSS_RATE_RESULTS, NULL}},
        .title = "Frame loss rate",
        .clause = "RFC 2544 26.3",
        .point_key = "load_fps",
        .point_unit = "fps",
        .measures_mtu = true,
        .run = run,
        .check = frame_loss_rate_check,
        .extent = frame_loss_rate_extent,
        .longest_trial_s = frame_loss_rate_trial_s,
        .needed_trial = frame_loss_rate_needed_trial,
        .shorten = frame_loss_rate_shorten,
};
