/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what is known about a frame loss rate test before its first trial. */
#include "host/bench/known_queue.h"
#include "host/bench/load_range.h"
#include "host/bench/rfc2544/frame_loss_rate.h"

double frame_loss_rate_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	(void)frame_octets;
	(void)link_bps;
	return extent_seconds(frame_loss_rate_settings(test)->trial_duration_ns);
}

static struct load_grid grid_of(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	return load_grid_of_steps(plan_max_rate(test, frame_octets, link_bps), &frame_loss_rate_settings(test)->step);
}

int frame_loss_rate_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error)
{
	const struct load_grid grid = grid_of(test, frame_octets, link_bps);

	return load_range_check(test, &grid, error);
}

/* Least: the first two loads, without loss. Most: all of them, each waiting the whole drain time for a frame that is
 * lost; it is also what is expected, since nothing is known of the device. */
struct extent frame_loss_rate_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const struct load_grid grid = grid_of(test, frame_octets, link_bps);
	const double trial_s = frame_loss_rate_trial_s(test, frame_octets, link_bps);
	struct load_range range;
	struct effort most;

	load_range_of(test, &grid, &range);
	most = effort_of(test, (double)(range.high - range.low) + 1, trial_s, extent_seconds(test->drain_ns));
	return (struct extent){.least = effort_of(test, 2, trial_s, 0),
	                       .most = most,
	                       .expected = most,
	                       .least_remark = ", when nothing is lost at the two highest loads",
	                       .most_remark = ", when frames are lost down to the lowest load"};
}

/* All steps above what the device forwards must lose frames, and the right share of them. */
bool frame_loss_rate_needed_trial(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                                  const struct known_queue *queue, struct needed_trial *needed)
{
	const struct load_grid grid = grid_of(test, frame_octets, link_bps);

	need_overflow(queue, &grid, needed);
	need_loss(queue, grid.line, needed);
	return true;
}

void frame_loss_rate_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	shorter_add(settings, "trial_duration", shorter_time_s(frame_loss_rate_trial_s(test, 0, link_bps), factor));
}
