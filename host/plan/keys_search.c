/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of searches that several benchmarks take. */
#include "host/plan/key_slices.h"

#define SETTINGS struct plan_test

static const struct plan_key BISECTION[] = {
        {.name = "max_trials",
         .value = COUNT(max_trials),
         .searches = BY_LOSS_VERIFICATION,
         .ranges = {{"1", "100"}},
         .unit = "trials",
         .default_text = "2",
         .doc = "most trials at one point, max(r); the first one counts."},
        {.name = "max_repeats",
         .value = COUNT(max_repeats),
         .searches = BY_LOSS_VERIFICATION,
         .ranges = {{"0", "99"}},
         .unit = "repeats",
         .default_text = "1",
         .doc = "most repeats at one point after a first trial, the other reading of max(r); in place of max_trials."},
        {.name = "loss_verification_z",
         .value = QUANTITY(loss_verification_z),
         .searches = BY_LOSS_VERIFICATION,
         .ranges = {{"1 frame", "1T frames"}, {"0.0001%", "100%"}},
         .unit = "frames",
         .default_text = "10%",
         .doc = "a loss of at least this needs no second trial; frames, or percent of those offered."},
};
const struct key_slice KEYS_BISECTION = {SLICE(BISECTION)};

static const struct plan_key LOADS[] = {
        {.name = "traffic_limit",
         .value = TIME(traffic_limit_ns),
         .ranges = {{"0s", A_YEAR}},
         .default_text = "0s",
         .doc = "A search ends before its trials would last longer than this in total, and its result is invalid; 0s: "
                "no limit."},
        {.name = "preset",
         .value = CHOICE(preset),
         .searches = BY_MLRSEARCH,
         .choices = CHOICES("rfc2544", "tst009", "ndrpdr"),
         .default_text = "rfc2544",
         .doc = "goals by name. rfc2544: no loss, 60 s; tst009: no loss, 120 s in trials of 60 s, half of the time may "
                "be lossy; ndrpdr: no loss and 0.5%, each 21 s in trials of 1 s."},
        {.name = "goals",
         .value = UNSTORED(KEY_GOALS),
         .searches = BY_MLRSEARCH,
         .doc = "1 to 16 goals of your own, ( { loss_ratio = \"0.5%\"; ... }, ... ), in place of preset; their keys "
                "are below."},
        {.name = "width",
         .value = QUANTITY(width),
         .searches = BY_MLRSEARCH,
         .ranges = {{"0.0001%", "50%"}, {"0.000001", "0.5"}},
         .default_text = "0.5%",
         .doc = "goal width of goals that have none of their own, (upper - lower) / upper bound."},
        {.name = "initial_trial_duration",
         .value = TIME(initial_trial_duration_ns),
         .searches = BY_MLRSEARCH,
         .ranges = {{"1us", A_WEEK}},
         .doc = "length of the first trials of goals that say nothing themselves; default: 1 s, or as much shorter as "
                "trial_duration is than the preset's."},
        {.name = "warm_up",
         .value = TIME(warm_up_ns),
         .searches = BY_MLRSEARCH,
         .ranges = {{"0s", A_WEEK}},
         .default_text = "0s",
         .doc = "a first trial at the highest load whose outcome is ignored (RFC 9971); 0s: none."},
};
const struct key_slice KEYS_LOADS = {SLICE(LOADS)};

static const struct plan_key LOAD_RANGE[] = {
        {.name = "min_load",
         .value = QUANTITY(min_load),
         .ranges = {{"0.0001%", "100%"}, {"1", "1T"}},
         .unit = "frames a second",
         .doc = "No load below this is tried; percent of line rate, or a rate of each sending port. Default: 0.01% for "
                "mlrsearch, else the lowest step of the search above nothing."},
        {.name = "max_load",
         .value = QUANTITY(max_load),
         .ranges = {{"0.0001%", "100%"}, {"1", "1T"}},
         .unit = "frames a second",
         .default_text = "100%",
         .doc = "No load above this is tried, for a generator that cannot reach line rate; percent of line rate, or a "
                "rate of each sending port. If all loads pass, the result is at_least what it says."},
};
const struct key_slice KEYS_LOAD_RANGE = {SLICE(LOAD_RANGE)};

static const struct plan_key CHOSEN_DURATION[] = {
        {.name = "duration_chosen_for",
         .value = CHOICE_OF_TWO(for_simulation),
         .choices = CHOICES("real", "simulated"),
         .default_text = "real",
         .doc = "What kind of device trial_duration was chosen for. `fpgauge run` sets it where it chose the duration "
                "itself, and reports say so; nothing else depends on it."},
        {.name = "duration_reason",
         .value = TEXT(duration_reason),
         .doc = "Why that duration, for the report. `fpgauge run` sets it too."},
};
const struct key_slice KEYS_CHOSEN_DURATION = {SLICE(CHOSEN_DURATION)};
