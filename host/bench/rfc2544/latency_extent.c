/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what is known about a latency test before its first trial. */
#include "host/bench/known_queue.h"
#include "host/bench/rfc2544/latency.h"

double latency_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	(void)frame_octets;
	(void)link_bps;
	return extent_seconds(latency_settings(test)->trial_duration_ns);
}

/* Nothing is lost at the throughput, so no stream waits the whole drain time; most: all do. Least: without a
 * throughput there is no trial. */
struct extent latency_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const double trial_s = latency_trial_s(test, frame_octets, link_bps);
	const double trials =
	        (double)latency_settings(test)->repetitions * (latency_settings(test)->to_new_network ? 2 : 1);
	const struct effort without_loss = effort_of(test, trials, trial_s, 0);
	const bool has_load = latency_settings(test)->has_load;

	return (struct extent){.least = has_load ? without_loss : (struct effort){0},
	                       .most = effort_of(test, trials, trial_s, extent_seconds(test->drain_ns)),
	                       .expected = without_loss,
	                       .least_remark =
	                               has_load ? NULL : ", when there is no throughput (RFC 2544 section 26.2)"};
}

/* Tagged frames are in the middle of a stream, when the queue has long been as it stays. At a load above what it
 * forwards, whether one is lost is a matter of its place, which another duration changes. */
bool latency_needed_trial(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                          const struct known_queue *queue, struct needed_trial *needed)
{
	const struct latency_settings *settings = latency_settings(test);
	const struct rate line = plan_max_rate(test, frame_octets, link_bps);
	/* A throughput is a step of a search, and below what the queue forwards. */
	const double load_fps = settings->has_load ? rate_fps(plan_load(&settings->load, line)) : queue->fps;

	if (!queue_forwards(queue, load_fps) || !(settings->has_load || queue->throughput_found))
		return false;
	need_latency(queue, load_fps, needed);
	return true;
}

/* tag_after as well where the plan sets it, since it must be below. */
void latency_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	const struct latency_settings *now = latency_settings(test);
	const double trial_s = shorter_time_s(latency_trial_s(test, 0, link_bps), factor);

	shorter_add(settings, "trial_duration", trial_s);
	if (now->tag_after_ns != now->trial_duration_ns / 2)
		shorter_add(settings, "tag_after", trial_s / 2.5);
}
