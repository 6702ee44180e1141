/* SPDX-License-Identifier: Apache-2.0 */
/* Random scripts at rates without a short common period. */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_GENERATE_DRIFT_H
#define FPGAUGE_TESTS_DIFFERENTIAL_GENERATE_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/differential/script.h"

struct drift_recipe {
	bool turns;  /* several flows in turns, else one */
	bool bursts; /* bursts with a longer gap between them */
	bool quick;  /* fewer and shorter frames, for the RTL */
};

/* The caller releases the script. */
void generate_drift(uint64_t seed, const struct drift_recipe *recipe, struct script *script);

/* A buffer fills in some 100,000 frames, and stays full for a while; in the next trial it empties as slowly. */
void generate_drift_slow(uint64_t seed, struct script *script);

/* Uses both ports of a router, which answers queries between the frames. quick: fewer frames, for the RTL. */
void generate_drift_router(uint64_t seed, bool quick, struct script *script);

#endif
