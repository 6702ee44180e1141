/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput by MLRsearch (RFC 9971): fewer and shorter trials than bisection for the same proof. */
#include "host/bench/goals.h"
#include "host/bench/load_points.h"
#include "host/bench/result.h"
#include "host/bench/rfc2544/throughput.h"

/* The distance between the bounds; at the end of the range, what the width would have been. */
static double resolution(const struct goal_search *goals, const struct findings *findings)
{
	const struct search_result *found = &findings->bounds;
	double lower_fps = rate_fps(found->has_lower ? load_offered(&goals->grid, found->lower, &findings->passed_load)
	                                             : load_at(&goals->grid, goals->config.low));
	double upper_fps = rate_fps(found->has_upper ? load_offered(&goals->grid, found->upper, &findings->failed_load)
	                                             : load_at(&goals->grid, goals->config.high));

	if (found->has_lower && found->has_upper)
		return upper_fps - lower_fps;
	return (double)goals->goals[0].width_ppm / MLRSEARCH_PPM * (found->has_lower ? lower_fps : upper_fps);
}

int throughput_by_goals(struct session *session, struct phase *phase, struct error *error)
{
	struct search_points points;
	struct goal_search goals;
	int status;

	goals_configure(session->test, session->max_rate, &goals);
	points = load_points(&goals.grid);
	status = search_loop(session, &goals.config, &points, &phase->found, error);
	if (status == 0) {
		struct mlrsearch_goal_result first = mlrsearch_result(phase->found.search, 0);

		phase->forwarded_of = first.has_lower ? first.quantile_expected_frames : 0;
		phase->lost = first.quantile_lost_frames;
		phase->resolution_fps = resolution(&goals, &phase->found);
		phase->asked_fps =
		        (double)goals.goals[0].width_ppm / MLRSEARCH_PPM *
		        rate_fps(load_offered(&goals.grid, phase->found.bounds.upper, &phase->found.failed_load));
		phase->tester_limit = goals_end_at_tester(&goals, phase->found.search, 0, &first);
		phase->lowest = goals.config.low;
	}
	return status;
}

double throughput_goal_loss_ratio(const struct session *session)
{
	struct goal_search goals;

	if (session->test->search != PLAN_SEARCH_MLRSEARCH)
		return 0;
	goals_configure(session->test, session->max_rate, &goals);
	return (double)goals.goals[0].loss_ppm / MLRSEARCH_PPM;
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
