/* SPDX-License-Identifier: Apache-2.0 */
/* A full fifo with bursts, all rounds of them at once. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_DRIFT_ROUNDS_H
#define FPGAUGE_SIM_TWIN_SKIP_DRIFT_ROUNDS_H

#include "sim/twin/skip/drift_steps.h"

/* Rounds of bursts that are over after so many steps; 0: not worth it, or numbers that are too long. */
int64_t rounds_choose(const struct full *full, int64_t steps);

/* Goes through so many rounds from this step on. Returns the number of steps that they took; 0: outside of what can be
 * counted. */
int64_t rounds_go_through(const struct full *full, int64_t from, int64_t rounds);

#endif
