/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the benchmark throughput, RFC 2544 section 26.1. */
#include "host/plan/key_slices.h"

#define SETTINGS struct plan_test

static const struct plan_key THROUGHPUT[] = {
        {.name = "trial_duration",
         .value = TIME(trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "60s",
         .doc = "Length of the trials that settle the result (RFC 2544 section 24)."},
        {.name = "search_trial_duration",
         .value = TIME(search_trial_duration_ns),
         .searches = SEARCH_BINARY | SEARCH_LOSS_VERIFICATION,
         .instead = "MLRsearch has initial_trial_duration",
         .ranges = {{"1us", A_WEEK}},
         .doc = "length of the trials while searching; default: trial_duration."},
        {.name = "resolution",
         .value = QUANTITY(resolution),
         .searches = SEARCH_BINARY | SEARCH_LOSS_VERIFICATION,
         .instead = "MLRsearch has width",
         .ranges = {{"0.0001%", "50%"}, {"1", "1T"}},
         .unit = "frames a second",
         .default_text = "0.1%",
         .doc = "step of the search; percent of line rate, or a rate."},
};
const struct key_slice KEYS_THROUGHPUT = {SLICE(THROUGHPUT)};
