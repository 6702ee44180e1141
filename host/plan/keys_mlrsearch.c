/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the benchmark mlrsearch, RFC 9971. */
#include "host/plan/key_slices.h"

#define SETTINGS struct plan_test

static const struct plan_key MLRSEARCH[] = {
        {.name = "trial_duration",
         .value = TIME(trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .doc = "Final trial duration of the preset in place of its own; its other durations change in proportion. For "
                "simulations."},
};
const struct key_slice KEYS_MLRSEARCH = {SLICE(MLRSEARCH)};
