/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of an external program in place of a device. */
#include "host/plan/key_slices.h"

#define SETTINGS struct plan_exec

static const struct plan_key EXEC[] = {
        {.name = "command",
         .value = WORDS(command),
         .doc = "The program and its arguments, [\"python3\", \"my-tester.py\"]; found by PATH, run in the working "
                "directory. Required."},
        {.name = "timeout",
         .value = TIME(timeout_ns),
         .ranges = {{"1ms", A_WEEK}},
         .doc = "Longest wait for an answer, including the trial; default: 60 s beyond duration, drain and settle of "
                "the trial."},
        {.name = "senders",
         .value = COUNT(senders),
         .ranges = {{"1", "16"}},
         .unit = "ports",
         .default_text = "1",
         .doc = "Ports that send in a trial. Loads and bursts are per sending port, frame counts are totals."},
        {.name = "offered_tolerance",
         .value = QUANTITY(offered_tolerance),
         .ranges = {{"0%", "10%"}},
         .default_text = "0%",
         .doc = "How far the offered frames may be off the request before a trial is invalid, in addition to one frame "
                "per sender of a load."},
};
const struct key_slice KEYS_EXEC = {.base = offsetof(struct plan, exec), SLICE(EXEC)};
