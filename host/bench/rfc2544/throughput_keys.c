/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the throughput benchmark, RFC 2544 section 26.1, and its checks of them. */
#include <string.h>

#include "host/bench/rfc2544/throughput.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct throughput_settings

static const struct plan_key KEYS[] = {
        {.name = "trial_duration",
         .value = TIME(trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "60s",
         .doc = "Length of the trials that settle the result (RFC 2544 section 24)."},
        {.name = "search_trial_duration",
         .value = TIME(search_trial_duration_ns),
         .searches = BY_BINARY | BY_LOSS_VERIFICATION,
         .instead = "MLRsearch has initial_trial_duration",
         .ranges = {{"1us", A_WEEK}},
         .doc = "length of the trials while searching; default: trial_duration."},
        {.name = "resolution",
         .value = QUANTITY(resolution),
         .searches = BY_BINARY | BY_LOSS_VERIFICATION,
         .instead = "MLRsearch has width",
         .ranges = {{"0.0001%", "50%"}, {"1", "1T"}},
         .unit = "frames a second",
         .default_text = "0.1%",
         .doc = "step of the search; percent of line rate, or a rate."},
};
const struct key_slice THROUGHPUT_KEYS = {OWN_SLICE(KEYS)};

int throughput_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	struct throughput_settings *settings = test->settings;
	const struct node *searching = node_child(group, "search_trial_duration");

	if (!searching)
		settings->search_trial_duration_ns = settings->trial_duration_ns;
	if (node_child(group, "trial_duration"))
		test->preset_trial_duration_ns = settings->trial_duration_ns;
	if (settings->search_trial_duration_ns > settings->trial_duration_ns)
		return plan_complain(error, searching, "search_trial_duration",
		                     "must be at most trial_duration, %.9g s",
		                     (double)settings->trial_duration_ns / NS_PER_S);
	return plan_check_rate(plan, test, group, "resolution", &settings->resolution, error);
}

/* The first goal of every preset allows no loss. */
const struct quantity *throughput_loss_of_rate(const struct plan_test *test)
{
	bool by_goals = test->search == PLAN_SEARCH_MLRSEARCH && test->goal_count;

	return by_goals && test->goals[0].loss_ratio.numerator ? &test->goals[0].loss_ratio : NULL;
}
