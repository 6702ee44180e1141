/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the bounds of a throughput search into the numbers of the report. */
#include <inttypes.h>
#include <math.h>

#include "host/base/format.h"
#include "host/bench/layers.h"
#include "host/bench/load_points.h"
#include "host/bench/queue_growth.h"
#include "host/bench/result.h"
#include "host/bench/rfc2544/throughput.h"

/* Loss verification and exceed ratios see past loss that the load did not cause (RFC 9004 6.4 accepts such a
 * throughput). RFC 2544 26.1 would have gone on to a lower load. */
static void flag_overruled(const struct phase *phase, json_t *result)
{
	if (phase->found.bounds.has_lower && phase->found.lossy_trials)
		result_flag(result,
		            "frames were lost in %u of %u trials at this load; those without loss count, as in Binary "
		            "Search with Loss Verification (RFC 9004 section 6.4), where RFC 2544 takes a lower load",
		            phase->found.lossy_trials, phase->found.trials);
}

/* 0 / 0: there is none, as in the next. */
static struct rate lower_of(const struct load_grid *grid, const struct phase *phase)
{
	const struct search_result *bounds = &phase->found.bounds;

	return bounds->has_lower ? load_offered(grid, bounds->lower, &phase->found.passed_load) : (struct rate){0, 0};
}

/* A load that was intended, and failed because it was not offered, is a bound all the same (RFC 9971 4.5.2). */
static struct rate upper_of(const struct load_grid *grid, const struct phase *phase)
{
	const struct search_result *bounds = &phase->found.bounds;

	if (!bounds->has_upper)
		return (struct rate){0, 0};
	return phase->tester_limit ? load_at(grid, bounds->upper)
	                           : load_offered(grid, bounds->upper, &phase->found.failed_load);
}

static void report_layers(const struct session *session, struct rate rate, json_t *result)
{
	layers_report(result, "", layers_of_rate(rate, session->max_rate, session_link_bps(session)));
}

/* The throughput is called 0 below the lowest load of the search, as there is next to nothing; below one that the plan
 * chose there may be a lot, and it is not known. */
static void report_throughput(const struct session *session, const struct load_grid *grid,
                              const struct load_range *range, const struct phase *phase, json_t *result)
{
	const bool below = phase && !phase->found.bounds.has_lower && !phase->tester_limit;
	struct rate throughput = {0, 0}, first_lossy = {0, 0};

	if (phase && !phase->tester_limit)
		first_lossy = upper_of(grid, phase);
	if (phase)
		throughput = below ? (struct rate){0, !range->has_min} : lower_of(grid, phase);
	result_number(result, "throughput_fps", rate_fps(throughput));
	result_number(result, "throughput_percent", rate_percent(throughput, grid->line));
	result_number(result, "first_lossy_fps", rate_fps(first_lossy));
	report_layers(session, throughput, result);
	if (below)
		result_flag(result, "frames were lost even at the lowest load that was tried, %.3f fps",
		            rate_fps(load_at(grid, phase->lowest)));
	if (phase)
		flag_overruled(phase, result);
}

static void report_conditional(const struct session *session, const struct load_grid *grid, const struct phase *phase,
                               double loss_ratio, json_t *result)
{
	const struct rate lower = phase ? lower_of(grid, phase) : (struct rate){0, 0};
	const struct rate upper = phase ? upper_of(grid, phase) : (struct rate){0, 0};
	struct rate conditional = lower;

	if (lower.denominator && phase->forwarded_of)
		conditional = rate_scale(lower, phase->forwarded_of - phase->lost, phase->forwarded_of);
	result_number(result, "conditional_throughput_fps", rate_fps(conditional));
	result_number(result, "conditional_throughput_percent", rate_percent(conditional, grid->line));
	result_number(result, "relevant_lower_bound_fps", rate_fps(lower));
	result_number(result, "relevant_upper_bound_fps", rate_fps(upper));
	report_layers(session, conditional, result);
	result_flag(
	        result,
	        "the goal allows a loss of %.9g%%: this is the conditional throughput of RFC 9971, not the throughput "
	        "of RFC 2544 section 26.1, which is without loss; back_to_back does not use it",
	        100 * loss_ratio);
	if (phase && !phase->found.bounds.has_lower && !phase->tester_limit)
		result_flag(result, "more was lost even at the lowest load, %.3f fps",
		            rate_fps(load_at(grid, phase->lowest)));
}

/* phase: NULL when the search did not finish. */
static void report_rate(const struct session *session, const struct load_grid *grid, const struct load_range *range,
                        const struct phase *phase, double loss_ratio, json_t *result)
{
	report_throughput(session, grid, range, loss_ratio > 0 ? NULL : phase, result);
	if (loss_ratio > 0)
		report_conditional(session, grid, phase, loss_ratio, result);
}

/* Other loads than were intended may leave more between what passed and what failed than the search does. */
static void report_offered(const struct load_grid *grid, struct phase *phase, json_t *result)
{
	const struct findings *found = &phase->found;
	const double apart_fps = rate_fps(upper_of(grid, phase)) - rate_fps(lower_of(grid, phase));

	result_load(result, found->bounds.has_lower ? &found->passed_load : &found->failed_load);
	if (phase->tester_limit || (apart_fps >= 0 && apart_fps <= phase->asked_fps * (1 + 1e-9)))
		return;
	if (!(found->passed_load.differs || found->failed_load.differs) || isnan(apart_fps))
		return;
	phase->resolution_fps = fmax(phase->asked_fps, fabs(apart_fps));
	result_number(result, "resolution_fps", phase->resolution_fps);
	result_flag(
	        result,
	        "the highest load that passed and the lowest that failed are %s apart as they were offered, more than "
	        "the resolution of %s that was asked for",
	        format_fps(fabs(apart_fps)).text, format_fps(phase->asked_fps).text);
}

static void report_found(const struct session *session, const struct phase *phase, const char *name, json_t *result)
{
	const struct trial_result *final = phase->found.bounds.has_lower ? phase->found.passed : phase->found.failed;
	struct counter_sums sums = {0};

	/* RFC 2889 3.9: forwarded at the load of the deciding trial. */
	result_number(result, "forwarding_rate_fps", final->forwarding_rate_fps > 0 ? final->forwarding_rate_fps : NAN);
	result_number(result, "final_trial_duration_s", final->duration_s);
	result_latency(result, session, final);
	result_variation(result, session, final);
	result_ports(result, session, final);
	counters_add(&sums, final);
	result_counters(result, "counters", &sums);
	queue_growth_report(queue_growth_fps(final), phase->resolution_fps, name, final, result);
	if (sums.foreign_frames && sums.foreign_frames != COUNT_UNKNOWN) {
		char kinds[RESULT_FOREIGN_TEXT];

		result_flag(result,
		            "%" PRIu64 " unexpected frames came during the deciding trial%s; not counted (RFC 2544 10)",
		            sums.foreign_frames, result_foreign_text(&sums, kinds));
	}
}

static void report_range(const struct session *session, const struct load_grid *grid, const struct load_range *range,
                         const struct phase *phase, const char *name, json_t *result)
{
	load_range_report(session, range, grid, &phase->found.bounds, name, result);
	if (phase->tester_limit && phase->found.bounds.has_lower)
		load_range_report_tester_limit(name, result);
	else if (phase->tester_limit)
		load_range_report_too_little(grid, phase->lowest, result);
	else if (range->has_min && !phase->found.bounds.has_lower)
		result_invalid(
		        result,
		        "the lowest load that was tried fails, %.9g%% of line rate, as min_load of the plan says: "
		        "the %s is below it",
		        load_percent(grid, phase->lowest), name);
}

void throughput_report(const struct session *session, const struct load_grid *grid, const struct load_range *range,
                       struct phase *phase, double loss_ratio, json_t *result)
{
	const char *name = loss_ratio > 0 ? "conditional throughput" : "throughput";

	report_rate(session, grid, range, phase, loss_ratio, result);
	report_offered(grid, phase, result);
	report_range(session, grid, range, phase, name, result);
	report_found(session, phase, name, result);
}

void throughput_report_unknown(const struct session *session, const struct load_grid *grid, double loss_ratio,
                               const char *why, json_t *result)
{
	report_rate(session, grid, NULL, NULL, loss_ratio, result);
	result_number(result, "forwarding_rate_fps", NAN);
	result_number(result, "queue_growth_fps", NAN);
	result_latency_unknown(result);
	result_variation_unknown(result);
	result_ports(result, NULL, NULL);
	result_invalid(result, "%s", why);
}
