/* SPDX-License-Identifier: Apache-2.0 */
/* What is known about a bursty traffic test before its first trial. */
#include <math.h>

#include "host/bench/rfc2544/burst_gaps.h"
#include "host/bench/rfc2544/bursty_traffic.h"

static struct burst_gaps gaps_of(const struct plan_test *test, unsigned i, uint32_t frame_octets, uint64_t link_bps)
{
	const struct bursty_traffic_settings *settings = bursty_traffic_settings(test);

	return burst_gaps(settings, settings->bursts.value[i], plan_max_rate(test, frame_octets, link_bps), link_bps);
}

/* Whole bursts, at least two: so a trial may take longer than the plan says. */
static double trial_s(const struct plan_test *test, const struct burst_gaps *gaps, uint64_t link_bps)
{
	const double two_bursts_s =
	        seconds_from_octet_times(2 * gaps->burst_octets + gaps->most - gaps->least, link_bps);

	return fmax(extent_seconds(bursty_traffic_settings(test)->trial_duration_ns), two_bursts_s);
}

double bursty_traffic_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	double longest_s = 0;

	for (unsigned i = 0; i < bursty_traffic_settings(test)->bursts.count; i++) {
		const struct burst_gaps gaps = gaps_of(test, i, frame_octets, link_bps);

		longest_s = fmax(longest_s, trial_s(test, &gaps, link_bps));
	}
	return longest_s;
}

/* Least: frames are lost at the longest gap, or none at the minimum gap. Most: a bisection of all gaps for each burst
 * size, each trial waiting the whole drain time for a frame that is lost. */
struct extent bursty_traffic_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const double drain_s = extent_seconds(test->drain_ns);
	struct extent extent = {.least_remark = ", when no gap is long enough"};

	for (unsigned i = 0; i < bursty_traffic_settings(test)->bursts.count; i++) {
		const struct burst_gaps gaps = gaps_of(test, i, frame_octets, link_bps);
		const double steps = (double)((gaps.most - gaps.least) / gaps.step);
		const double trials = effort_bisection_trials(test, steps) + effort_bisection_trials(test, 1);
		const double one_s = trial_s(test, &gaps, link_bps);
		const struct effort least = effort_of(test, 1, one_s, drain_s);
		const struct effort most = effort_of(test, trials, one_s, drain_s);

		effort_add(&extent.least, &least);
		effort_add(&extent.most, &most);
	}
	extent.expected = extent.most;
	return extent;
}

void bursty_traffic_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	(void)link_bps;
	shorter_add(settings, "trial_duration",
	            shorter_time_s(extent_seconds(bursty_traffic_settings(test)->trial_duration_ns), factor));
}
