/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the frame loss rate benchmark, RFC 2544 section 26.3. */
#include "host/bench/rfc2544/frame_loss_rate_keys.h"

#include "host/plan/key_slices.h"

#define SETTINGS struct frame_loss_rate_settings

static const struct plan_key KEYS[] = {
        {.name = "trial_duration",
         .value = TIME(trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "60s",
         .doc = "Length of every trial (RFC 2544 section 24)."},
        {.name = "step",
         .value = QUANTITY(step),
         .ranges = {{"0.01%", "10%"}},
         .default_text = "10%",
         .doc = "From one load to the next lower one, in percent of line rate (RFC 2544 section 26.3: at most 10%)."},
};
const struct key_slice FRAME_LOSS_RATE_KEYS = {OWN_SLICE(KEYS)};
