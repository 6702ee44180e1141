/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput by MLRsearch (RFC 9971): fewer and shorter trials than bisection for the same proof. */
#include <math.h>
#include <stdlib.h>

#include "host/bench/goals.h"
#include "host/bench/result.h"
#include "host/bench/throughput.h"

/* Loads change their class as trials come, so which trial settled the result is known at the end only. */
struct kept_trial {
	struct search_request request;
	struct trial_result result;
};

struct kept_trials {
	struct kept_trial *list;
	size_t count, capacity;
};

static int keep(void *user, const struct search_request *request, const struct trial_result *result,
                struct error *error)
{
	struct kept_trials *kept = user;

	if (kept->count == kept->capacity) {
		size_t capacity = kept->capacity * 2 + 16;
		struct kept_trial *grown = realloc(kept->list, capacity * sizeof(*grown));

		if (!grown)
			return error_set(error, ERROR_INTERNAL, "out of memory");
		kept->list = grown;
		kept->capacity = capacity;
	}
	kept->list[kept->count++] = (struct kept_trial){*request, *result};
	return 0;
}

/* The last of the longest trials at a load. */
static void settling_trial(const struct kept_trials *kept, uint64_t point, struct trial_result *result)
{
	uint64_t longest_ns = 0;

	for (size_t i = 0; i < kept->count; i++) {
		const struct kept_trial *trial = &kept->list[i];

		if (trial->request.point == point && !trial->request.warm_up &&
		    trial->request.duration_ns >= longest_ns) {
			longest_ns = trial->request.duration_ns;
			*result = trial->result;
		}
	}
}

static double forwarded(const struct mlrsearch_goal_result *found)
{
	if (!found->has_lower || !found->quantile_expected_frames)
		return 1;
	return 1 - (double)found->quantile_lost_frames / (double)found->quantile_expected_frames;
}

/* The distance of the bounds; beside the end of the range, what the width would have been. */
static double resolution(const struct goal_search *goals, const struct search_result *found)
{
	double lower_fps = rate_fps(load_at(&goals->grid, found->has_lower ? found->lower : goals->config.low));
	double upper_fps = rate_fps(load_at(&goals->grid, found->has_upper ? found->upper : goals->config.high));

	if (found->has_lower && found->has_upper)
		return upper_fps - lower_fps;
	return (double)goals->goals[0].width_ppm / MLRSEARCH_PPM * (found->has_lower ? lower_fps : upper_fps);
}

int throughput_by_goals(struct session *session, struct phase *phase, bool *has_upper, uint64_t *upper,
                        struct error *error)
{
	struct kept_trials kept = {0};
	struct goal_search goals;
	struct search *search;
	int status;

	goals_configure(session->test, session->max_rate, &goals);
	search = search_create(&goals.config, error);
	if (!search)
		return error->code;
	status = goals_run(session, &goals, search, keep, &kept, error);
	phase->found = search_result(search);
	if (status == 0)
		status = session_check_end(session, &phase->found);
	if (status == 0) {
		struct mlrsearch_goal_result first = mlrsearch_result(search, 0);

		phase->forwarded = forwarded(&first);
		phase->resolution_fps = resolution(&goals, &phase->found);
		settling_trial(&kept, phase->found.lower, &phase->passed);
		settling_trial(&kept, phase->found.upper, &phase->failed);
		*has_upper = phase->found.has_upper;
		*upper = phase->found.upper;
	}
	search_free(search);
	free(kept.list);
	return status;
}

json_t *throughput_goal_parameters(const struct session *session)
{
	json_t *object = result_parameters(session);
	struct goal_search goals;

	goals_configure(session->test, session->max_rate, &goals);
	goals_report(session->test, &goals, 0, object);
	result_number(object, "trial_duration_s", (double)goals.goals[0].final_ns / NS_PER_S);
	result_number(object, "search_trial_duration_s", (double)goals.goals[0].initial_ns / NS_PER_S);
	return object;
}
