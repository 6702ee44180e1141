/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the tests of forwarding, RFC 2889 sections 5.1 to 5.4 and 5.6, and their checks. */
#include "host/bench/offered_load.h"
#include "host/bench/rfc2889/forwarding.h"
#include "host/plan/key_slices.h"
#include "host/plan/plan_benchmark.h"

#define SETTINGS struct forwarding_settings

static const struct plan_key KEYS[] = {
        {.name = "search_trial_duration",
         .value = TIME(search_trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .doc = "Length of the trials while searching the throughput; default: trial_duration."},
        {.name = "resolution",
         .value = QUANTITY(resolution),
         .ranges = {{"0.0001%", "50%"}, {"1", "1T"}},
         .unit = "frames a second",
         .default_text = "0.1%",
         .doc = "Step of the search; percent of line rate, or a rate of each sending port."},
        {.name = "load_mode",
         .value = CHOICE_OF_TWO(frame_based),
         .choices = CHOICES("time", "frames"),
         .default_text = "time",
         .doc = "Each port sends for trial_duration, or the number of frames that its load is in that time (RFC 2889 "
                "appendix B)."},
};
const struct key_slice FORWARDING_KEYS = {OWN_SLICE(KEYS)};

static const struct plan_key LOAD_KEYS[] = {
        {.name = "intended_load",
         .value = QUANTITY(intended_load),
         .ranges = {{"0.01%", "100%"}, {"1", "1T"}},
         .unit = "frames a second",
         .default_text = "50%",
         .doc = "ILoad of each sending port at which the forwarding rate is reported (RFC 2889 section 5.1.4.2); "
                "percent of line rate, or a rate."},
};
const struct key_slice FORWARDING_LOAD_KEYS = {OWN_SLICE(LOAD_KEYS)};

static const struct plan_key BURST_KEYS[] = {
        {.name = "burst",
         .value = COUNT(burst_frames),
         .ranges = {{"1", "930"}},
         .unit = "frames",
         .default_text = "1",
         .doc = "Frames that a port sends at the minimum gap before it pauses, so that its load is as intended on "
                "average (RFC 2889 section 5.1.2, appendix A); 1: constant load."},
};
const struct key_slice FORWARDING_BURST_KEYS = {OWN_SLICE(BURST_KEYS)};

#define STEP(default_step)                                                                                             \
	{                                                                                                              \
		.name = "step", .value = QUANTITY(step), .ranges = {{"0.01%", "100%"}, {"1", "1T"}},                   \
		.unit = "frames a second", .default_text = (default_step),                                             \
		.doc = "From one load to the next, from the throughput up to the maximum offered load, to find the "   \
		       "maximum forwarding rate (RFC 2889 section 5.6.3.1); percent of line rate, or a rate."          \
	}
static const struct plan_key STEP_KEYS[] = {STEP("10%")};
const struct key_slice FORWARDING_STEP_KEYS = {OWN_SLICE(STEP_KEYS)};
static const struct plan_key FINE_STEP_KEYS[] = {STEP("1%")};
const struct key_slice FORWARDING_FINE_STEP_KEYS = {OWN_SLICE(FINE_STEP_KEYS)};

int forwarding_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	struct forwarding_settings *settings = test->settings;
	const struct node *searching = node_child(group, "search_trial_duration");

	if (settings->burst_frames == 0) /* a test without that key */
		settings->burst_frames = 1;
	if (!searching)
		settings->search_trial_duration_ns = settings->common.trial_duration_ns;
	if (settings->search_trial_duration_ns > settings->common.trial_duration_ns)
		return plan_complain(error, searching, "search_trial_duration",
		                     "must be at most trial_duration, %.9g s",
		                     (double)settings->common.trial_duration_ns / NS_PER_S);
	if (rfc2889_refuse_program(plan, test, group, error) ||
	    plan_check_rate(plan, test, group, "resolution", &settings->resolution, error) ||
	    plan_check_rate(plan, test, group, "intended_load", &settings->intended_load, error) ||
	    plan_check_rate(plan, test, group, "step", &settings->step, error))
		return error->code;
	return 0;
}

/* The lowest load that may be tried is a step of the search above nothing, or the intended one. */
static struct rate lowest_load(const struct forwarding_settings *settings, const struct load_grid *grid, uint64_t low)
{
	const struct rate searched = load_at(grid, low);
	struct rate intended = searched;

	if (settings->intended_load.numerator)
		intended = plan_load(&settings->intended_load, grid->line);
	return rate_compare(intended, searched) < 0 ? intended : searched;
}

/* The intended load is one of those that max_load leaves. */
static int check_intended(const struct plan_test *test, struct rate line, struct error *error)
{
	const struct quantity *intended = &forwarding_settings(test)->intended_load;

	if (!intended->numerator || !test->max_load.denominator ||
	    rate_compare(plan_load(intended, line), plan_load(&test->max_load, line)) <= 0)
		return 0;
	return error_set(error, ERROR_PLAN,
	                 "intended_load, %.9g%% of line rate: must be at most max_load, %.9g%% of line rate",
	                 100 * (rate_fps(plan_load(intended, line)) / rate_fps(line)),
	                 100 * (rate_fps(plan_load(&test->max_load, line)) / rate_fps(line)));
}

int forwarding_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error)
{
	const struct forwarding_settings *settings = forwarding_settings(test);
	const struct rate line = plan_max_rate(test, frame_octets, link_bps);
	const struct load_grid grid = load_grid_of_steps(line, &settings->resolution);
	const uint64_t shortest_ot = octet_times_from_ns(settings->search_trial_duration_ns, link_bps);
	struct load_range range;
	struct burst_load bursts;
	struct rate lowest;

	if (load_range_check(test, &grid, error) || check_intended(test, line, error))
		return error->code;
	load_range_of(test, &grid, &range);
	lowest = lowest_load(settings, &grid, range.low);
	bursts = burst_load_of(settings->burst_frames, line, lowest, link_bps);
	if (burst_period_octets(&bursts) < shortest_ot)
		return 0;
	return error_set(
	        error, ERROR_PLAN,
	        "burst = %u: at the lowest load that may be tried, %.9g%% of line rate, one of %u octets begins "
	        "every %.9g s (RFC 2889 appendix A), and a trial of %.9g s has no two of them: it must be "
	        "longer, the burst shorter, or resolution coarser",
	        settings->burst_frames, 100 * (rate_fps(lowest) / rate_fps(line)), frame_octets,
	        seconds_from_octet_times(burst_period_octets(&bursts), link_bps),
	        extent_seconds(settings->search_trial_duration_ns));
}
