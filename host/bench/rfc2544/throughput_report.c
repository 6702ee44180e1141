/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the bounds of a throughput search into the numbers of the report. */
#include <inttypes.h>
#include <math.h>

#include "host/base/format.h"
#include "host/bench/layers.h"
#include "host/bench/load_points.h"
#include "host/bench/result.h"
#include "host/bench/rfc2544/throughput.h"
#include "host/bench/rfc_math.h"

/* A load that the DUT really sustains leaves latency unchanged. When latency grew, a buffer was filling: what it held
 * at the end, divided by the length of the trial, is the overload it hid. This also shows where no back-to-back test
 * follows, or where one is skipped because throughput looks like line rate. It includes jitter too. */
static void report_queue_growth(double resolution_fps, const char *name, const struct trial_result *final,
                                json_t *result)
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
		            "latency grew during the final trial as if a buffer filled at %s: %s may be too high by "
		            "that; a "
		            "longer trial_duration settles it",
		            format_fps(growth_fps).text, name);
}

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

static double lower_fps_of(const struct load_grid *grid, const struct phase *phase)
{
	const struct search_result *bounds = &phase->found.bounds;

	return bounds->has_lower ? load_offered_fps(grid, bounds->lower, &phase->found.passed_load) : (double)NAN;
}

/* A load that was intended, and failed because it was not offered, is a bound all the same (RFC 9971 4.5.2). */
static double upper_fps_of(const struct load_grid *grid, const struct phase *phase)
{
	const struct search_result *bounds = &phase->found.bounds;

	if (!bounds->has_upper)
		return NAN;
	return phase->tester_limit ? rate_fps(load_at(grid, bounds->upper))
	                           : load_offered_fps(grid, bounds->upper, &phase->found.failed_load);
}

/* Below the lowest load of the search the throughput is called 0, as there is next to nothing; below one that the plan
 * chose there may be a lot, and it is not known. */
static void report_throughput(const struct load_grid *grid, const struct load_range *range, const struct phase *phase,
                              json_t *result)
{
	const bool below = phase && !phase->found.bounds.has_lower && !phase->tester_limit;
	double throughput_fps = NAN, first_lossy_fps = NAN;

	if (phase && !phase->tester_limit)
		first_lossy_fps = upper_fps_of(grid, phase);
	if (phase)
		throughput_fps = !below ? lower_fps_of(grid, phase) : range->has_min ? (double)NAN : 0;
	result_number(result, "throughput_fps", throughput_fps);
	result_number(result, "throughput_percent", 100 * (throughput_fps / rate_fps(grid->line)));
	result_number(result, "first_lossy_fps", first_lossy_fps);
	if (below)
		result_flag(result, "frames were lost even at the lowest load that was tried, %.3f fps",
		            phase->lowest_fps);
	if (phase)
		flag_overruled(phase, result);
}

static void report_conditional(const struct load_grid *grid, const struct phase *phase, double loss_ratio,
                               json_t *result)
{
	double lower_fps = phase ? lower_fps_of(grid, phase) : (double)NAN;
	double upper_fps = phase ? upper_fps_of(grid, phase) : (double)NAN;
	double conditional_fps = phase ? lower_fps * phase->forwarded : (double)NAN;

	result_number(result, "conditional_throughput_fps", conditional_fps);
	result_number(result, "conditional_throughput_percent", 100 * (conditional_fps / rate_fps(grid->line)));
	result_number(result, "relevant_lower_bound_fps", lower_fps);
	result_number(result, "relevant_upper_bound_fps", upper_fps);
	result_flag(
	        result,
	        "the goal allows a loss of %.9g%%: this is the conditional throughput of RFC 9971, not the throughput "
	        "of RFC 2544 section 26.1, which is without loss; back_to_back does not use it",
	        100 * loss_ratio);
	if (phase && !phase->found.bounds.has_lower && !phase->tester_limit)
		result_flag(result, "more was lost even at the lowest load, %.3f fps", phase->lowest_fps);
}

/* phase: NULL when the search did not finish. */
static void report_rate(const struct load_grid *grid, const struct load_range *range, const struct phase *phase,
                        double loss_ratio, json_t *result)
{
	report_throughput(grid, range, loss_ratio > 0 ? NULL : phase, result);
	if (loss_ratio > 0)
		report_conditional(grid, phase, loss_ratio, result);
}

/* Other loads than were intended may leave more between what passed and what failed than the search does. */
static void report_offered(const struct load_grid *grid, struct phase *phase, json_t *result)
{
	const struct findings *found = &phase->found;
	const double apart_fps = upper_fps_of(grid, phase) - lower_fps_of(grid, phase);

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

static void report_layers(const struct session *session, json_t *result)
{
	const double conditional_fps = result_get(result, "conditional_throughput_fps");
	const double fps = isnan(conditional_fps) ? result_get(result, "throughput_fps") : conditional_fps;

	layers_report(result, "", fps, session->max_rate, session->context->tester->info.link_bps);
}

static void report_found(const struct session *session, const struct phase *phase, const char *name, json_t *result)
{
	const struct trial_result *final = phase->found.bounds.has_lower ? &phase->found.passed : &phase->found.failed;
	struct counter_sums sums = {0};

	/* RFC 2889 3.9: forwarded at the load of the deciding trial. */
	result_number(result, "forwarding_rate_fps", final->forwarding_rate_fps > 0 ? final->forwarding_rate_fps : NAN);
	result_number(result, "final_trial_duration_s", final->duration_s);
	result_latency(result, session, final);
	result_variation(result);
	result_ports(result, session, final);
	counters_add(&sums, final);
	result_counters(result, "counters", &sums);
	report_queue_growth(phase->resolution_fps, name, final, result);
	if (sums.foreign_frames && sums.foreign_frames != COUNT_UNKNOWN) {
		char kinds[RESULT_FOREIGN_TEXT];

		result_flag(result,
		            "%" PRIu64 " foreign frames came during the deciding trial%s; not counted (RFC 2544 10)",
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
		load_range_report_too_little(grid, phase->lowest_fps, result);
	else if (range->has_min && !phase->found.bounds.has_lower)
		result_invalid(
		        result,
		        "the lowest load that was tried fails, %.9g%% of line rate, as min_load of the plan says: "
		        "the %s is below it",
		        100 * phase->lowest_fps / rate_fps(grid->line), name);
}

void throughput_report(const struct session *session, const struct load_grid *grid, const struct load_range *range,
                       struct phase *phase, double loss_ratio, json_t *result)
{
	const char *name = loss_ratio > 0 ? "conditional throughput" : "throughput";

	report_rate(grid, range, phase, loss_ratio, result);
	report_layers(session, result);
	report_offered(grid, phase, result);
	report_range(session, grid, range, phase, name, result);
	report_found(session, phase, name, result);
}

void throughput_report_unknown(const struct session *session, const struct load_grid *grid, double loss_ratio,
                               const char *why, json_t *result)
{
	report_rate(grid, NULL, NULL, loss_ratio, result);
	report_layers(session, result); /* of what is null */
	result_number(result, "forwarding_rate_fps", NAN);
	result_number(result, "queue_growth_fps", NAN);
	result_latency_unknown(result);
	result_variation(result);
	result_ports(result, NULL, NULL);
	result_invalid(result, "%s", why);
}
