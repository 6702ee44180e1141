/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what is known about a back_to_back test before its first trial. */
#include <math.h>

#include "host/bench/rfc9004/back_to_back.h"

static double longest_burst_s(const struct plan_test *test, double line_fps)
{
	const struct quantity *max_burst = &back_to_back_settings(test)->max_burst;

	return quantity_number(max_burst) / (max_burst->unit == QUANTITY_TIME ? 1 : line_fps);
}

/* A trial waits for frames that come ten times slower than they were sent, or as much slower as was measured. */
enum { SLOWNESS = 10 };

/* Least: throughput turns out to be line rate, and the size does not qualify (RFC 9004 6.1). Most: all bursts are as
 * long as the limit allows, and waits grow with them (6.2). */
struct extent back_to_back_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct back_to_back_settings *settings = back_to_back_settings(test);
	double line_fps = rate_fps(rate_max_theoretical(link_bps, frame_octets));
	double longest_s = longest_burst_s(test, line_fps);
	double steps = longest_s * line_fps / quantity_number(&settings->resolution);
	double trials = settings->repetitions * (settings->first_burst_frames ? effort_galloping_trials(test, steps)
	                                                                      : effort_bisection_trials(test, steps));
	double waiting_s = extent_seconds(test->drain_ns) + (SLOWNESS - 1) * longest_s +
	                   fmax(extent_seconds(test->settle_ns), longest_s);

	return (struct extent){
	        .open = true,
	        .most = {trials, trials * longest_s, trials * waiting_s},
	        .least_remark = ", when no size qualifies (RFC 9004 section 6.1)",
	        .most_remark =
	                settings->first_burst_frames
	                        ? ", if a tenth of line rate is forwarded; far less when bursts much shorter than "
	                          "max_burst are lossy"
	                        : ", if a tenth of line rate is forwarded",
	};
}

/* Bursts up to the first that is lossy; then halvings between it and the one before. Trials are as long as the burst
 * that is found, on average. */
struct effort back_to_back_expected(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                                    double lossy_after_s)
{
	const struct back_to_back_settings *settings = back_to_back_settings(test);
	const double line_fps = rate_fps(rate_max_theoretical(link_bps, frame_octets));
	const double longest_s = longest_burst_s(test, line_fps);
	const double burst_s = fmin(lossy_after_s, longest_s), burst_frames = burst_s * line_fps;
	const double first = (double)settings->first_burst_frames;
	const double from_s = first > 0 ? burst_s : longest_s;
	const double doublings = first > 0 ? fmax(ceil(log2(burst_frames / first)), 0) : 0;
	const double halvings = ceil(log2(fmax(from_s * line_fps / quantity_number(&settings->resolution), 1)));
	const double trials = settings->repetitions * (doublings + halvings + 1);
	const double waiting_s = extent_seconds(test->drain_ns) + fmax(extent_seconds(test->settle_ns), burst_s);

	return (struct effort){trials, settings->repetitions * (2 * from_s + halvings * burst_s), trials * waiting_s};
}

double back_to_back_longest_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	return longest_burst_s(test, rate_fps(rate_max_theoretical(link_bps, frame_octets)));
}

void back_to_back_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	double longest_s = back_to_back_longest_trial_s(test, test->frame_sizes[0], link_bps);

	shorter_add(settings, "max_burst", shorter_time_s(longest_s, factor));
}
