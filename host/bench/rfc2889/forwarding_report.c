/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the trials of a test of forwarding into the numbers of the report. */
#include <inttypes.h>
#include <math.h>

#include "host/base/format.h"
#include "host/base/json_write.h"
#include "host/base/ratio.h"
#include "host/bench/layers.h"
#include "host/bench/queue_growth.h"
#include "host/bench/result.h"
#include "host/bench/rfc2889/forwarding.h"

/* Rates are ratios of whole numbers, and as floating-point numbers wrong by less than this. */
static const double SAME_RATE = 1e-12;

enum { START_OCTETS = 8 /* frames begin on groups of so many */ };

static double percent_of(uint64_t parts)
{
	return ratio_percent(parts, FORWARDING_PARTS);
}

/* The load of all ports together. */
static struct rate aggregate(const struct forwarding *forwarding, struct rate load)
{
	return load.denominator ? rate_scale(load, (uint64_t)forwarding->shares.offered, 1) : load;
}

static double aggregate_fps(const struct forwarding *forwarding, uint64_t parts)
{
	return rate_fps(aggregate(forwarding, load_at(&forwarding->parts, parts)));
}

static void report_layers(const struct forwarding *forwarding, const char *prefix, double fps, json_t *object)
{
	layers_report(object, prefix, layers_of(fps, forwarding->parts.line, session_link_bps(forwarding->session)));
}

static void report_throughput(const struct forwarding *forwarding, bool known, json_t *result)
{
	const struct search_result *bounds = &forwarding->found.bounds;
	const struct load_grid *grid = &forwarding->grid;
	const bool below =
	        known && !bounds->has_lower; /* the lowest load; if the plan says it, by how much is not known */
	const bool is_known = known && !(below && forwarding->range.has_min);
	const struct rate lossy = load_if(grid, known && bounds->has_upper, bounds->upper);
	const struct rate load = below ? (struct rate){0, is_known} : load_if(grid, known, bounds->lower);
	const struct rate all = aggregate(forwarding, load);

	result_number(result, "throughput_fps", rate_fps(all));
	layers_report(result, "", layers_of_rate(all, grid->line, session_link_bps(forwarding->session)));
	result_number(result, "throughput_percent", rate_percent(load, grid->line));
	result_number(result, "first_lossy_fps", rate_fps(aggregate(forwarding, lossy)));
	result_number(result, "resolution_fps", load_step_fps(grid) * forwarding->shares.offered);
	if (known)
		load_range_report(forwarding->session, &forwarding->range, &forwarding->grid, bounds, "throughput",
		                  result);
	if (below && forwarding->range.has_min)
		result_invalid(
		        result,
		        "frames were lost at the lowest load that was tried, %.9g%% of line rate, as min_load of "
		        "the plan says: the throughput is below it",
		        percent_of(forwarding_parts_of_point(forwarding, forwarding->range.low)));
	else if (below)
		result_flag(
		        result,
		        "frames were lost even at the lowest load that was tried, %.9g%% of line rate at each sending "
		        "port",
		        load_percent(grid, 0));
}

/* A buffer takes what is too much for the device as long as a trial is short. */
static void report_hidden_overload(const struct forwarding *forwarding, bool known, json_t *result)
{
	const struct trial_result *passed = forwarding->found.passed;
	const double throughput_fps = known ? result_get(result, "throughput_fps") : (double)NAN;
	const double theoretical_fps = forwarding->shares.receivable * rate_fps(forwarding->parts.line);
	const double share = known && forwarding->found.bounds.has_lower ? queue_growth_share(passed) : (double)NAN;

	queue_growth_report(share * throughput_fps, load_step_fps(&forwarding->grid) * forwarding->shares.offered,
	                    "throughput", passed, result);
	if (throughput_fps > theoretical_fps * (1 + SAME_RATE))
		result_flag(result,
		            "the throughput is above what the receiving ports can be sent, %s: at least %s of "
		            "overload went into a buffer, as trials of %s are too short to fill it; a longer "
		            "trial_duration settles it",
		            format_fps(theoretical_fps).text, format_fps(throughput_fps - theoretical_fps).text,
		            format_time(passed->duration_s).text);
}

static void report_intended(const struct forwarding *forwarding, json_t *result)
{
	const struct session *session = forwarding->session;
	const struct quantity *intended = &forwarding_settings(session->test)->intended_load;
	const struct forwarding_load *load;

	if (!intended->numerator)
		return;
	load = forwarding_find(forwarding, forwarding_parts(intended, session->max_rate));
	result_number(result, "intended_load_percent", percent_of(forwarding_parts(intended, session->max_rate)));
	result_number(result, "offered_load_fps", load ? load->offered_fps : NAN);
	result_number(result, "forwarding_rate_fps", load ? load->forwarding_fps : NAN);
	report_layers(forwarding, "forwarding_", load ? load->forwarding_fps : NAN, result);
	result_number(result, "intended_loss_percent", load ? load->loss_percent : NAN);
}

static void report_mol(const struct forwarding *forwarding, json_t *result)
{
	const struct forwarding_load *load = forwarding_find(forwarding, forwarding->most_parts);
	const struct trial_result *mol = forwarding->mol;

	result_number(result, "mol_fps", aggregate_fps(forwarding, forwarding->most_parts));
	result_number(result, "mol_offered_load_fps", load ? load->offered_fps : NAN);
	result_number(result, "frmol_fps", load ? load->forwarding_fps : NAN);
	report_layers(forwarding, "frmol_", load ? load->forwarding_fps : NAN, result);
	result_number(result, "mol_loss_percent", load ? load->loss_percent : NAN);
	result_count(result, "flood_frames", load ? load->flood_frames : COUNT_UNKNOWN);
	result_number(result, "start_spread_ns", mol ? rfc2889_start_spread_ns(forwarding->session, mol) : NAN);
	result_ports(result, forwarding->session, mol);
	if (forwarding->range.has_max)
		result_flag(
		        result,
		        "the maximum offered load is %.9g%% of line rate at each sending port, as max_load of the plan "
		        "says: FRMOL, MFR and frame loss hold up to there",
		        percent_of(forwarding->most_parts));
}

/* The lowest load with the highest forwarding rate. Frames begin on groups of octets, so two rates are the same if they
 * differ by no more than the first and the last frame may be off. */
static const struct forwarding_load *highest_of(const struct forwarding *forwarding)
{
	const struct forwarding_load *highest = NULL;

	for (size_t i = 0; i < forwarding->load_count; i++) {
		const struct forwarding_load *load = &forwarding->loads[i];
		const double off = 2 * session_seconds(forwarding->session, START_OCTETS) / load->duration_s;

		if (!isnan(load->forwarding_fps) &&
		    (!highest || load->forwarding_fps > highest->forwarding_fps * (1 + off)))
			highest = load;
	}
	return highest;
}

static void report_highest(const struct forwarding *forwarding, bool finished, json_t *result)
{
	const struct forwarding_load *highest = highest_of(forwarding);
	const bool known = finished && highest;

	result_number(result, "mfr_fps", known ? highest->forwarding_fps : NAN);
	report_layers(forwarding, "mfr_", known ? highest->forwarding_fps : NAN, result);
	result_number(result, "mfr_offered_load_fps", known ? highest->offered_fps : NAN);
	result_number(result, "mfr_load_percent", known ? percent_of(highest->parts) : NAN);
}

static json_t *load_row(const struct forwarding *forwarding, const struct forwarding_load *load)
{
	json_t *row = json_object();

	result_number(row, "load_percent", percent_of(load->parts));
	result_number(row, "intended_load_fps", aggregate_fps(forwarding, load->parts));
	result_number(row, "offered_load_fps", load->offered_fps);
	result_number(row, "forwarding_rate_fps", load->forwarding_fps);
	report_layers(forwarding, "", load->forwarding_fps, row);
	result_number(row, "forwarding_percent",
	              100 * load->forwarding_fps / (forwarding->shares.receivable * rate_fps(forwarding->parts.line)));
	result_count(row, "offered_frames", load->offered_frames);
	result_count(row, "received_frames", load->received_frames);
	result_count(row, "lost_frames", load->lost_frames);
	result_number(row, "loss_percent", load->loss_percent);
	result_count(row, "flood_frames", load->flood_frames);
	result_number(row, "duration_s", load->duration_s);
	return row;
}

static void flag_others(const struct counter_sums *sums, json_t *result)
{
	char kinds[RESULT_FOREIGN_TEXT];

	if (sums->foreign_frames && sums->foreign_frames != COUNT_UNKNOWN)
		result_flag(result,
		            "%" PRIu64
		            " frames of the device itself or of others came in the trial at the maximum offered "
		            "load%s; they are counted neither as received nor as flooded (RFC 2889 section 5.1.4)",
		            sums->foreign_frames, result_foreign_text(sums, kinds));
}

void forwarding_report(const struct forwarding *forwarding, bool finished, json_t *result)
{
	struct counter_sums sums = {0};
	json_t *rows = json_array();

	result_number(result, "theoretical_fps", forwarding->shares.receivable * rate_fps(forwarding->parts.line));
	report_throughput(forwarding, finished, result);
	report_hidden_overload(forwarding, finished, result);
	report_intended(forwarding, result);
	report_mol(forwarding, result);
	report_highest(forwarding, finished, result);
	for (size_t i = 0; i < forwarding->load_count; i++)
		json_add(rows, load_row(forwarding, &forwarding->loads[i]));
	json_put(result, "loads", rows);
	if (forwarding->mol)
		counters_add(&sums, forwarding->mol);
	result_counters(result, "counters", &sums);
	flag_others(&sums, result);
}

json_t *forwarding_parameters(const struct forwarding *forwarding)
{
	const struct session *session = forwarding->session;
	const struct forwarding_settings *settings = forwarding_settings(session->test);
	json_t *object = result_parameters(session);

	result_count(object, "ports", session->traffic->ports);
	result_number(object, "resolution_percent", load_step_percent(&forwarding->grid));
	result_number(object, "step_percent", percent_of(forwarding_parts(&settings->step, session->max_rate)));
	result_number(object, "trial_duration_s", extent_seconds(settings->common.trial_duration_ns));
	result_number(object, "search_trial_duration_s", extent_seconds(settings->search_trial_duration_ns));
	result_count(object, "burst_frames", settings->burst_frames);
	load_range_parameters(&forwarding->range, &forwarding->grid, object);
	json_put(object, "load_mode", json_string(settings->frame_based ? "frames" : "time"));
	json_put(object, "duplex", json_string("full"));
	json_put(object, "load",
	         json_string(forwarding->shares.copied
	                             ? "frames a second of the sending port, and of the receiving port with "
	                               "the lowest rate"
	                             : "frames a second of all ports together; ILoad in percent of line rate "
	                               "at each sending port"));
	return object;
}
