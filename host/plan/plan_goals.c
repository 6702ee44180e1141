/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch goals (RFC 9971 4.7.7) from a plan: each key against the table, then what no single key shows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/plan/plan_keys.h"
#include "host/plan/plan_parts.h"

static const uint64_t PPM = 1000000;

static bool whole_ppm(const struct quantity *ratio)
{
	return ratio->denominator && PPM % ratio->denominator == 0;
}

static int check_ratio(const struct quantity *ratio, const char *shown, const struct node *node, struct error *error)
{
	if (!node || whole_ppm(ratio))
		return 0;
	return plan_complain(error, node, shown, "must be whole parts per million, 0.0001%% steps");
}

static int read_keys(struct plan_goal *goal, const char *shown, const struct node *group, struct error *error)
{
	int result = plan_require_group(group, shown, error);
	char prefix[40];

	snprintf(prefix, sizeof(prefix), "%.30s.", shown);
	return result ? result : plan_settings_read(&PLAN_GOAL_KEYS, prefix, group, goal, error);
}

/* Sets defaults that the goal takes from the test; then checks its values against one another. */
static int finish_goal(const struct plan_test *test, struct plan_goal *goal, const char *shown,
                       const struct node *group, struct error *error)
{
	static const char *const RATIOS[] = {"loss_ratio", "exceed_ratio", "width"};
	const struct quantity *values[] = {&goal->loss_ratio, &goal->exceed_ratio, &goal->width};
	const struct node *initial = node_child(group, "initial_trial_duration");
	uint64_t short_ns = test->initial_trial_duration_ns ? test->initial_trial_duration_ns : NS_PER_S;
	char name[160];
	int result = 0;

	if (!node_child(group, "width"))
		goal->width = test->width;
	if (!node_child(group, "duration_sum"))
		goal->duration_sum_ns = goal->final_trial_duration_ns;
	if (!initial)
		goal->initial_trial_duration_ns =
		        short_ns < goal->final_trial_duration_ns ? short_ns : goal->final_trial_duration_ns;
	for (size_t i = 0; !result && i < sizeof(RATIOS) / sizeof(RATIOS[0]); i++) {
		snprintf(name, sizeof(name), "%s.%s", shown, RATIOS[i]);
		result = check_ratio(values[i], name, node_child(group, RATIOS[i]), error);
	}
	snprintf(name, sizeof(name), "%s.initial_trial_duration", shown);
	if (!result && goal->initial_trial_duration_ns > goal->final_trial_duration_ns)
		result = plan_complain(error, initial, name, "must be at most final_trial_duration, %.9g s",
		                       (double)goal->final_trial_duration_ns / (double)NS_PER_S);
	return result;
}

int plan_read_goals(struct plan_test *test, const struct node *group, struct error *error)
{
	const struct node *list = node_child(group, "goals");
	int result = check_ratio(&test->width, "width", node_child(group, "width"), error);

	if (result || !list)
		return result;
	if (list->kind != NODE_LIST || list->count == 0 || list->count > PLAN_MAX_GOALS)
		return plan_complain(error, list, "goals",
		                     "must be a list of 1 to %d goals, ( { loss_ratio = ...; }, ... )", PLAN_MAX_GOALS);
	test->goals = calloc(list->count, sizeof(*test->goals));
	if (!test->goals)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; !result && i < list->count; i++) {
		struct plan_goal *goal = &test->goals[test->goal_count++];
		char shown[32];

		snprintf(shown, sizeof(shown), "goals[%zu]", i);
		result = read_keys(goal, shown, list->children[i], error);
		if (!result)
			result = finish_goal(test, goal, shown, list->children[i], error);
	}
	return result;
}
