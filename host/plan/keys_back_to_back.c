/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the benchmark back_to_back, RFC 9004. */
#include "host/plan/key_slices.h"

#define SETTINGS struct plan_test

static const struct plan_key BACK_TO_BACK[] = {
        {.name = "repetitions",
         .value = COUNT(repetitions),
         .ranges = {{"1", "100000"}},
         .unit = "searches",
         .default_text = "50",
         .doc = "N, independent searches at each size (RFC 9004 section 6.3)."},
        {.name = "resolution",
         .value = QUANTITY(resolution),
         .ranges = {{"1 frame", "1G frames"}},
         .unit = "frames",
         .default_text = "1 frame",
         .doc = "Minimum step size of the burst length (RFC 9004 section 6.2)."},
        {.name = "max_burst",
         .value = QUANTITY(max_burst),
         .ranges = {{"1us", "3600s"}, {"1 frame", "1T frames"}},
         .unit = "frames",
         .default_text = "30s",
         .doc = "Longest burst, by time or frames (RFC 9004 section 6.2)."},
        {.name = "first_burst",
         .value = WHOLE(first_burst_frames),
         .ranges = {{"0 frames", "1T frames"}},
         .unit = "frames",
         .default_text = "1024 frames",
         .doc = "Length from which bursts double until one fails, before bisection; 0: begin at max_burst, as TST 009 "
                "does."},
        {.name = "test_all_sizes",
         .value = BOOL(test_all_sizes),
         .default_text = "false",
         .doc = "Also test sizes without loss at line rate, marked invalid (RFC 9004 section 6.1)."},
        {.name = "actual_rate",
         .value = QUANTITY(actual_rate),
         .ranges = {{"0.0001%", "100%"}, {"1", "1T"}},
         .unit = "frames a second",
         .doc = "Rate of interest for the actual buffer time (RFC 9004 section 7); percent of line rate, or a rate; "
                "default: none."},
};
const struct key_slice KEYS_BACK_TO_BACK = {SLICE(BACK_TO_BACK)};
