/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch looks where all that it has seen leads it, and the time that its trials must last depends on that, too. Its
 * outcomes on a known queue are known, so it is played: with durations that shrink from those of the preset, as long as
 * it ends on the same bounds. */
#include <inttypes.h>
#include <math.h>

#include "host/base/format.h"
#include "host/bench/goals.h"

enum { MOST_TRIALS = 10000, BESIDE_FRAMES = 8 };

/* The part of a goal's width by which its conditional throughput may differ. */
static const double PART_OF_WIDTH = 0.1;

struct ending {
	size_t goals;
	bool has_lower[MLRSEARCH_MAX_GOALS], has_upper[MLRSEARCH_MAX_GOALS];
	uint64_t lower[MLRSEARCH_MAX_GOALS], upper[MLRSEARCH_MAX_GOALS];
	double forwarded[MLRSEARCH_MAX_GOALS]; /* part of the frames that were forwarded at the lower bound */
	double width[MLRSEARCH_MAX_GOALS];
};

static struct search_observation outcome_of(const struct goal_search *goals, const struct search_request *wanted,
                                            double queue_fps, double buffer_frames)
{
	const double load_fps = rate_fps(load_at(&goals->grid, wanted->point));
	const double seconds = (double)wanted->duration_ns / NS_PER_S;
	const double frames = fmax(floor(load_fps * seconds), 1);
	const double lost = floor(fmax((load_fps - queue_fps) * seconds - buffer_frames, 0));

	return (struct search_observation){.expected_frames = (uint64_t)frames,
	                                   .lost_frames = (uint64_t)fmin(lost, frames)};
}

static void note_end(const struct search *search, const struct goal_search *goals, struct ending *ending)
{
	ending->goals = goals->mlrsearch.goal_count;
	for (size_t i = 0; i < ending->goals; i++) {
		const struct mlrsearch_goal_result found = mlrsearch_result(search, i);

		ending->has_lower[i] = found.has_lower;
		ending->has_upper[i] = found.has_upper;
		ending->lower[i] = found.has_lower ? found.lower : 0;
		ending->upper[i] = found.has_upper ? found.upper : 0;
		ending->forwarded[i] =
		        found.quantile_expected_frames
		                ? 1 - (double)found.quantile_lost_frames / (double)found.quantile_expected_frames
		                : 0;
		ending->width[i] = (double)goals->goals[i].width_ppm / MLRSEARCH_PPM;
	}
}

/* final_ns: of the trials; 0: the preset's. False: the search does not end. */
static bool play(const struct plan_test *test, struct rate line, uint64_t final_ns, double queue_fps,
                 double buffer_frames, struct ending *ending)
{
	struct plan_test played = *test;
	struct goal_search goals;
	struct search *search;
	struct search_request wanted;
	struct error ignored = {0};
	unsigned trials = 0;
	bool ends;

	played.preset_trial_duration_ns = final_ns;
	goals_configure(&played, line, &goals);
	search = search_create(&goals.config, &ignored);
	while (search && trials < MOST_TRIALS && search_next(search, &wanted)) {
		const struct search_observation outcome = outcome_of(&goals, &wanted, queue_fps, buffer_frames);

		trials++;
		if (search_observe(search, &outcome))
			break;
	}
	ends = search && trials < MOST_TRIALS && !search_next(search, &wanted);
	if (ends)
		note_end(search, &goals, ending);
	search_free(search);
	return ends;
}

static bool same_end(const struct ending *a, const struct ending *b)
{
	for (size_t i = 0; i < a->goals; i++) {
		if (a->has_lower[i] != b->has_lower[i] || a->has_upper[i] != b->has_upper[i] ||
		    a->lower[i] != b->lower[i] || a->upper[i] != b->upper[i] ||
		    fabs(a->forwarded[i] - b->forwarded[i]) > PART_OF_WIDTH * a->width[i])
			return false;
	}
	return true;
}

/* A few frames may be on their way beside the buffer. */
static bool ends_alike(const struct plan_test *test, struct rate line, uint64_t final_ns,
                       const struct known_queue *queue, const struct ending *full)
{
	const double buffer_frames = (double)queue->buffer_frames;
	struct ending least, most;

	return play(test, line, final_ns, queue->fps, buffer_frames, &least) && same_end(full, &least) &&
	       play(test, line, final_ns, queue->fps, 1.5 * buffer_frames + BESIDE_FRAMES, &most) &&
	       same_end(full, &most);
}

/* The next shorter of 1, 2 or 5 times a power of ten. */
static uint64_t shorter_ns(uint64_t ns)
{
	uint64_t decade = 1;

	while (decade * 10 < ns)
		decade *= 10;
	return ns > decade * 5 ? decade * 5 : ns > decade * 2 ? decade * 2 : decade;
}

bool goals_needed_trial(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                        const struct known_queue *queue, struct needed_trial *needed)
{
	const struct rate line = plan_max_rate(test, frame_octets, link_bps);
	uint64_t shortest_ns = 0;
	struct goal_search goals;
	struct ending full;

	/* Such a limit ends a search before its goals do. */
	if (test->traffic_limit_ns || test->trials_limit || test->goal_count)
		return false;
	goals_configure(test, line, &goals);
	if (!play(test, line, 0, queue->fps, (double)queue->buffer_frames, &full))
		return false;
	for (uint64_t ns = shorter_ns(goals.goals[0].final_ns); ns >= NS_PER_S / 1000; ns = shorter_ns(ns)) {
		if (!ends_alike(test, line, ns, queue, &full))
			break;
		shortest_ns = ns;
	}
	if (!shortest_ns)
		return false;
	need(needed, (double)shortest_ns / NS_PER_S,
	     "the search, played against its %s and its buffer of %" PRIu64
	     " frames, ends on the same bounds as with trials of %s, and with shorter ones it may not",
	     format_fps(queue->fps).text, queue->buffer_frames,
	     format_time((double)goals.goals[0].final_ns / NS_PER_S).text);
	return true;
}
