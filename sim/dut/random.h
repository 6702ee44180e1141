/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers for the models: SplitMix64, with one generator for each purpose. Integers only, so that every machine
 * draws the same. */
#ifndef FPGAUGE_SIM_DUT_RANDOM_H
#define FPGAUGE_SIM_DUT_RANDOM_H

#include <stdint.h>

#include "host/base/quantity.h"
#include "host/base/splitmix64.h"

/* Initial state of generator number `use` of a direction: dut.seed mixed with both, so that no two are alike. */
uint64_t random_state(uint64_t seed, unsigned direction, unsigned use);

/* Limit for a share (above 0, at most 1): a draw is a hit if it is not above it. */
uint64_t random_limit(const struct quantity *share);

/* An exponentially distributed time: mean x -ln(u), rounded down, with u from one draw. mean_ot must be below 2^48. */
uint64_t random_exponential_ot(uint64_t *state, uint64_t mean_ot);

#endif
