/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of an MLRsearch goal (RFC 9971 4.7.7). */
#include "host/plan/key_slices.h"

#define SETTINGS struct plan_goal

static const struct plan_key GOAL[] = {
        {.name = "loss_ratio",
         .value = QUANTITY(loss_ratio),
         .ranges = {{"0%", "99.9999%"}, {"0", "0.999999"}},
         .default_text = "0%",
         .doc = "Goal Loss Ratio: a trial that loses more is a high-loss trial."},
        {.name = "exceed_ratio",
         .value = QUANTITY(exceed_ratio),
         .ranges = {{"0%", "99.9999%"}, {"0", "0.999999"}},
         .default_text = "50%",
         .doc = "Goal Exceed Ratio: what share of the time high-loss trials may take."},
        {.name = "final_trial_duration",
         .value = TIME(final_trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "60s",
         .doc = "Goal Final Trial Duration: trials of this length are full-length."},
        {.name = "duration_sum",
         .value = TIME(duration_sum_ns),
         .ranges = {{"1us", A_YEAR}},
         .doc = "Goal Duration Sum: this much time in full-length trials settles a load; default: "
                "final_trial_duration."},
        {.name = "initial_trial_duration",
         .value = TIME(initial_trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .doc = "Goal Initial Trial Duration: no trial for this goal is shorter; default: that of the test."},
        {.name = "width",
         .value = QUANTITY(width),
         .ranges = {{"0.0001%", "50%"}, {"0.000001", "0.5"}},
         .doc = "Goal Width, (upper - lower) / upper bound; default: that of the test."},
};
const struct key_slice KEYS_GOAL = {.heading = "goals = ( { ... }, ... ): keys of a goal", SLICE(GOAL)};
