/* SPDX-License-Identifier: Apache-2.0 */
/* Bursty traffic (RFC 2544 section 21): for each burst size, the smallest gap between bursts at which nothing is lost.
 * Within bursts, frames are at the minimum gap. */
#include "host/bench/rfc2544/bursty_traffic.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "host/base/json_write.h"
#include "host/bench/result.h"
#include "host/bench/rfc2544/burst_gaps.h"
#include "host/bench/search_loop.h"
#include "host/plan/key_slices.h"

/* The findings of the searches so far. */
struct measured {
	json_t *rows;                              /* rows of the result; one a burst size */
	unsigned without_gap;                      /* burst sizes for which none was long enough */
	uint64_t largest_gap_octets, largest_step; /* largest of the burst sizes that have one */
	unsigned at_line_rate;                     /* burst sizes that pass at the minimum gap */
	double least_load_percent;
	struct counter_sums passed, failed;
	bool gaps_unproven; /* a trial had unproven gaps */
};

/* One search. */
struct bursts {
	struct burst_gaps gaps;
	struct measured *measured;
};

static void request_bursts(void *user, const struct session *session, const struct search_request *wanted,
                           struct trial_request *request)
{
	const struct burst_gaps *gaps = &((const struct bursts *)user)->gaps;

	request->kind = TRIAL_BURST;
	request->burst_frames = gaps->burst_frames;
	request->burst_gap_octets = burst_gap_at(gaps, wanted->point);
	request->bursts =
	        bursts_within(gaps, request->burst_gap_octets, session_octet_times(session, wanted->duration_ns));
}

static uint64_t in_octets(const void *user, uint64_t point)
{
	return burst_gap_at(&((const struct bursts *)user)->gaps, point);
}

static void note_trial(void *user, const struct trial_result *trial)
{
	((const struct bursts *)user)->measured->gaps_unproven |= trial->gaps_unproven;
}

static const char *outcome_of(const struct search_result *bounds)
{
	return !bounds->has_lower ? "no_gap" : !bounds->has_upper ? "line_rate" : "found";
}

/* Reports the gap that follows from what a simulated device states; null: it states none, or no gap is enough. */
static void report_truth(const struct session *session, const struct burst_gaps *gaps, const json_t *truth, json_t *row)
{
	const double throughput = result_get(truth, "throughput_fps") / rate_fps(session->max_rate);
	const double longest = result_get(truth, "longest_burst_frames");
	uint64_t gap_octets = 0;

	if (throughput > 0)
		gap_octets = burst_least_gap(gaps, throughput, isnan(longest) ? UINT64_MAX : (uint64_t)longest);
	result_count(row, "true_gap_octets", gap_octets ? gap_octets : COUNT_UNKNOWN);
}

static json_t *row_of(const struct session *session, const struct burst_gaps *gaps, const struct findings *found,
                      const json_t *truth)
{
	const struct search_result *bounds = &found->bounds;
	const uint64_t gap = bounds->has_lower ? burst_gap_at(gaps, bounds->lower) : COUNT_UNKNOWN;
	const struct rate load = bounds->has_lower ? burst_load(gaps, gap) : (struct rate){0, 0};
	json_t *row = json_object();

	result_count(row, "burst_frames", gaps->burst_frames);
	json_put(row, "outcome", json_string(outcome_of(bounds)));
	result_count(row, "inter_burst_gap_octets", gap);
	result_number(row, "inter_burst_gap_ns", bounds->has_lower ? session_ns(session, gap) : (double)NAN);
	result_count(row, "lossy_gap_octets", bounds->has_upper ? burst_gap_at(gaps, bounds->upper) : COUNT_UNKNOWN);
	result_count(row, "lossy_gap_lost_frames", bounds->has_upper ? found->failed->lost_frames : COUNT_UNKNOWN);
	result_number(row, "load_fps",
	              bounds->has_lower ? rate_fps(rate_scale(session->max_rate, load.numerator, load.denominator))
	                                : (double)NAN);
	result_number(row, "load_percent", rate_percent(load, (struct rate){1, 1}));
	result_count(row, "offered_frames", bounds->has_lower ? found->passed->offered_frames : COUNT_UNKNOWN);
	result_count(row, "resolution_octets", gaps->step);
	result_count(row, "max_gap_octets", gaps->most);
	result_count(row, "trials", bounds->trials);
	report_truth(session, gaps, truth, row);
	return row;
}

static void note_search(const struct session *session, struct measured *measured, const struct burst_gaps *gaps,
                        const struct findings *found)
{
	const struct search_result *bounds = &found->bounds;
	const uint64_t gap = bounds->has_lower ? burst_gap_at(gaps, bounds->lower) : 0;

	measured->without_gap += !bounds->has_lower;
	measured->at_line_rate += bounds->has_lower && !bounds->has_upper;
	if (gap > measured->largest_gap_octets) {
		measured->largest_gap_octets = gap;
		measured->largest_step = gaps->step;
	}
	if (bounds->has_lower) {
		measured->least_load_percent =
		        fmin(measured->least_load_percent, rate_percent(burst_load(gaps, gap), (struct rate){1, 1}));
		counters_add(&measured->passed, found->passed);
	}
	if (bounds->has_upper)
		counters_add(&measured->failed, found->failed);
	*session->kept = bounds->has_lower ? *found->passed : *found->failed;
}

/* Trials of full length, from the gap that shorter ones found up to longer ones, until nothing is lost. If it is the
 * first of them, the shorter ones have shown that the gap below loses. */
static int settle(struct session *session, const struct search_config *config, const struct search_points *points,
                  const struct findings *found, struct findings *full, struct error *error)
{
	struct search_config full_length = *config;
	int status;

	full_length.duration_ns = bursty_traffic_settings(session->test)->trial_duration_ns;
	full_length.high = found->bounds.lower;
	full_length.first = 0;
	status = search_loop(session, &full_length, points, full, error);
	full->bounds.trials += found->bounds.trials;
	if (!full->bounds.has_upper) {
		full->bounds.has_upper = found->bounds.has_upper;
		full->bounds.upper = found->bounds.upper;
		full->failed = found->failed;
	}
	return status;
}

static int search_gap(struct session *session, const struct burst_gaps *gaps, const json_t *truth,
                      struct measured *measured, struct error *error)
{
	const struct bursty_traffic_settings *settings = bursty_traffic_settings(session->test);
	struct bursts bursts = {*gaps, measured};
	const struct search_points points = {
	        .request = request_bursts, .in_unit = in_octets, .note = note_trial, .user = &bursts};
	struct search_config config = burst_gaps_search(gaps);
	struct findings found, full = {0}, *last = &found;
	int status;

	session_search_limits(session, &config);
	config.duration_ns = settings->search_trial_duration_ns;
	status = search_loop(session, &config, &points, &found, error);
	if (status == 0 && found.bounds.has_lower && settings->search_trial_duration_ns < settings->trial_duration_ns) {
		last = &full;
		status = settle(session, &config, &points, &found, last, error);
	}
	if (status == 0) {
		note_search(session, measured, gaps, last);
		json_add(measured->rows, row_of(session, gaps, last, truth));
	}
	findings_free(&full);
	findings_free(&found);
	return status;
}

static int search_gaps(struct session *session, const json_t *truth, struct measured *measured, struct error *error)
{
	const struct bursty_traffic_settings *settings = bursty_traffic_settings(session->test);
	int status = 0;

	session->progress.repetitions = settings->bursts.count;
	for (unsigned i = 0; i < settings->bursts.count && status == 0; i++) {
		const struct burst_gaps gaps = burst_gaps(settings, settings->bursts.value[i], session->max_rate,
		                                          session->context->tester->info.link_bps);

		session->progress.repetition = i + 1;
		status = search_gap(session, &gaps, truth, measured, error);
	}
	return status;
}

/* The reader must know where a search ended at an end of the gaps. */
static void flag_ends(const struct measured *measured, json_t *result)
{
	const size_t count = json_array_size(measured->rows);
	const json_t *row;
	size_t i;

	if (count && measured->at_line_rate == count)
		result_flag(result,
		            "nothing was lost at the minimum gap between bursts either: the device holds line rate");
	json_array_foreach(measured->rows, i, row)
	{
		if (json_is_number(json_object_get(row, "inter_burst_gap_octets")))
			continue;
		result_flag(
		        result,
		        "frames of bursts of %.0f frames were lost even with a gap of %.0f octets between bursts, the "
		        "longest that was tried: such a burst is longer than what the device absorbs, or "
		        "max_inter_burst_gap is too short",
		        result_get(row, "burst_frames"), result_get(row, "max_gap_octets"));
	}
	if (measured->gaps_unproven)
		result_flag(result, "the external tester did not report its gaps: nothing shows that frames left as "
		                    "bursts (RFC 2544 section 21)");
}

static void report(const struct session *session, const struct measured *measured, bool finished, json_t *result)
{
	const bool any = json_array_size(measured->rows) != 0, all = finished && measured->without_gap == 0;

	result_count(result, "max_inter_burst_gap_octets", all ? measured->largest_gap_octets : COUNT_UNKNOWN);
	result_count(result, "resolution_octets", all ? measured->largest_step : COUNT_UNKNOWN);
	result_number(result, "min_load_percent", all ? measured->least_load_percent : (double)NAN);
	result_count(result, "bursts_without_gap", finished ? measured->without_gap : COUNT_UNKNOWN);
	json_put_shared(result, "bursts", measured->rows);
	result_ports(result, session, any ? session->kept : NULL);
	result_counters(result, "counters", &measured->passed);
	result_counters(result, "upper_counters", &measured->failed);
	flag_ends(measured, result);
}

/* "16, 64, 256, 1024" */
static json_t *burst_sizes(const struct plan_counts *bursts)
{
	char text[PLAN_MOST_COUNTS * 12];
	size_t length = 0;

	for (unsigned i = 0; i < bursts->count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%" PRIu32, i ? ", " : "",
		                           bursts->value[i]);
	return json_string(text);
}

static json_t *parameters(const struct session *session)
{
	const struct bursty_traffic_settings *settings = bursty_traffic_settings(session->test);
	const bool by_load = settings->max_gap.numerator == 0;
	json_t *object = result_parameters(session);

	json_put(object, "bursts", burst_sizes(&settings->bursts));
	result_number(object, "trial_duration_s", (double)settings->trial_duration_ns / NS_PER_S);
	result_number(object, "search_trial_duration_s", (double)settings->search_trial_duration_ns / NS_PER_S);
	result_number(object, "least_load_percent", by_load ? LEAST_LOAD_PERCENT : (double)NAN);
	return object;
}

static int run(struct session *session, struct error *error)
{
	struct measured measured = {.rows = json_array(), .least_load_percent = INFINITY};
	json_t *result = result_begin(session, session->benchmark->clause);
	int status, finished;

	json_put(result, "parameters", parameters(session));
	status = search_gaps(session, json_object_get(result, "truth"), &measured, error);
	report(session, &measured, status == 0, result);
	if (status)
		result_invalid(result, "ended after %u of %u burst sizes: %s", (unsigned)json_array_size(measured.rows),
		               bursty_traffic_settings(session->test)->bursts.count,
		               status == SESSION_INVALID ? session->why_invalid : error->text);
	json_decref(measured.rows);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

const struct benchmark BURSTY_TRAFFIC = {
        .plan = {.keys = {.name = "bursty_traffic",
                          .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION, &BURSTY_TRAFFIC_KEYS)},
                 .settings_size = sizeof(struct bursty_traffic_settings),
                 .searches = BY_BINARY | BY_LOSS_VERIFICATION,
                 .finish = bursty_traffic_finish,
                 .why_searches = "as it searches gaps, not loads (RFC 2544 section 21)",
                 .results = (const struct result_description *const[]){&BURSTY_TRAFFIC_RESULTS, NULL}},
        .title = "Bursty traffic",
        .clause = "RFC 2544 21",
        .point_key = "inter_burst_gap_octets",
        .point_unit = "octets",
        .run = run,
        .extent = bursty_traffic_extent,
        .longest_trial_s = bursty_traffic_trial_s,
        .shorten = bursty_traffic_shorten,
};
