/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what is known about a bursty traffic test before its first trial. */
#include <math.h>

#include "host/bench/rfc2544/burst_gaps.h"
#include "host/bench/rfc2544/bursty_traffic.h"

static struct burst_gaps gaps_of(const struct plan_test *test, unsigned i, uint32_t frame_octets, uint64_t link_bps)
{
	const struct bursty_traffic_settings *settings = bursty_traffic_settings(test);

	return burst_gaps(settings, settings->bursts.value[i], plan_max_rate(test, frame_octets, link_bps), link_bps);
}

/* Whole bursts, at least two: so a trial may take longer than the plan says. */
static double trial_s(uint64_t duration_ns, const struct burst_gaps *gaps, uint64_t link_bps)
{
	const double two_bursts_s =
	        seconds_from_octet_times(2 * gaps->burst_octets + gaps->most - gaps->least, link_bps);

	return fmax(extent_seconds(duration_ns), two_bursts_s);
}

double bursty_traffic_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	double longest_s = 0;

	for (unsigned i = 0; i < bursty_traffic_settings(test)->bursts.count; i++) {
		const struct burst_gaps gaps = gaps_of(test, i, frame_octets, link_bps);

		longest_s = fmax(longest_s, trial_s(bursty_traffic_settings(test)->trial_duration_ns, &gaps, link_bps));
	}
	return longest_s;
}

/* Least: frames are lost at the longest gap, or none at the minimum gap. Most: a bisection of all gaps for each burst
 * size, each trial waiting the whole drain time for a frame that is lost; after shorter trials again at full length. Of
 * those, one is expected. */
static void add_burst_size(const struct plan_test *test, const struct burst_gaps *gaps, uint64_t link_bps,
                           struct extent *extent)
{
	const struct bursty_traffic_settings *settings = bursty_traffic_settings(test);
	const double drain_s = extent_seconds(test->drain_ns);
	const double short_s = trial_s(settings->search_trial_duration_ns, gaps, link_bps);
	const double full_s = trial_s(settings->trial_duration_ns, gaps, link_bps);
	const double bisection = effort_bisection_trials(test, (double)((gaps->most - gaps->least) / gaps->step));
	const struct effort least = effort_of(test, 1, short_s, drain_s),
	                    searching = effort_of(test, bisection + effort_bisection_trials(test, 1), short_s, drain_s),
	                    settling = effort_of(test, bisection, full_s, drain_s),
	                    settled = effort_of(test, 1, full_s, drain_s);

	effort_add(&extent->least, &least);
	effort_add(&extent->most, &searching);
	effort_add(&extent->expected, &searching);
	if (short_s < full_s) {
		effort_add(&extent->most, &settling);
		effort_add(&extent->expected, &settled);
	}
}

struct extent bursty_traffic_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	struct extent extent = {.least_remark = ", when no gap is long enough"};

	for (unsigned i = 0; i < bursty_traffic_settings(test)->bursts.count; i++) {
		const struct burst_gaps gaps = gaps_of(test, i, frame_octets, link_bps);

		add_burst_size(test, &gaps, link_bps, &extent);
	}
	return extent;
}

void bursty_traffic_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	const double short_s = extent_seconds(bursty_traffic_settings(test)->search_trial_duration_ns);
	const double full_s = extent_seconds(bursty_traffic_settings(test)->trial_duration_ns);
	const double final_s = shorter_time_s(full_s, factor);

	(void)link_bps;
	shorter_add(settings, "trial_duration", final_s);
	if (short_s < full_s && short_s > final_s / 10) /* it must not be longer */
		shorter_add(settings, "search_trial_duration", fmin(short_s, final_s / 10));
}
