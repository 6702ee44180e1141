/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what is known about a test of forwarding before its first trial. */
#include <math.h>

#include "host/bench/rfc2889/forwarding.h"

double forwarding_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	(void)frame_octets;
	(void)link_bps;
	return extent_seconds(forwarding_settings(test)->common.trial_duration_ns);
}

double forwarding_settling_trial_s(const struct plan_test *test)
{
	return extent_seconds(forwarding_settings(test)->common.trial_duration_ns);
}

static double part_of_line(const struct quantity *quantity, double line_fps)
{
	return quantity_number(quantity) / (quantity->unit == QUANTITY_PERCENT ? 1 : line_fps);
}

/* Least: the first trial passes at line rate, so that only the intended load remains. Most: the search goes down to
 * the lowest load, at full length too, and the steps come all the way up again; each trial waits the whole drain time.
 * Expected: a search, its confirmation, the intended and the maximum load, and half of the steps. */
struct extent forwarding_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct forwarding_settings *settings = forwarding_settings(test);
	const double line_fps = rate_fps(plan_max_rate(test, frame_octets, link_bps));
	const double short_s = extent_seconds(settings->search_trial_duration_ns);
	const double full_s = extent_seconds(settings->common.trial_duration_ns),
	             drain_s = extent_seconds(test->drain_ns);
	const double searching = effort_bisection_trials(test, 1 / part_of_line(&settings->resolution, line_fps));
	const double steps = ceil(1 / part_of_line(&settings->step, line_fps)) - 1;
	const double shorter = short_s < full_s, intended = settings->intended_load.numerator != 0;
	struct extent extent = {.least = effort_of(test, 1, short_s, 0),
	                        .most = effort_of(test, searching, short_s, drain_s),
	                        .expected = effort_of(test, searching, short_s, drain_s),
	                        .least_remark = ", when nothing is lost at line rate"};
	const struct effort least = effort_of(test, intended + shorter, full_s, 0);
	const struct effort most = effort_of(test, shorter * searching + 1 + intended + steps, full_s, drain_s);
	const struct effort expected = effort_of(test, 2 * shorter + intended + floor(steps / 2), full_s, drain_s);

	effort_add(&extent.least, &least);
	effort_add(&extent.most, &most);
	effort_add(&extent.expected, &expected);
	return extent;
}

/* search_trial_duration must not become longer than trial_duration. */
void forwarding_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	const double short_s = extent_seconds(forwarding_settings(test)->search_trial_duration_ns);
	const double full_s = forwarding_trial_s(test, 0, link_bps), final_s = shorter_time_s(full_s, factor);

	shorter_add(settings, "trial_duration", final_s);
	if (short_s < full_s && short_s > final_s / 10)
		shorter_add(settings, "search_trial_duration", fmin(short_s, final_s / 10));
}
