/* SPDX-License-Identifier: Apache-2.0 */
/* The seed of what a test draws. For C and C++. */
#ifndef FPGAUGE_TESTS_SEED_H
#define FPGAUGE_TESTS_SEED_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Returns FPGAUGE_TEST_SEED of the environment, else a seed of 32 bits that no other run is likely to have, and prints
 * it. Tests that ctest runs at the same time are processes of the same second, so the process counts too. */
static inline uint64_t test_seed(void)
{
	const char *given = getenv("FPGAUGE_TEST_SEED");
	const uint64_t seed = given != NULL ? strtoull(given, NULL, 0)
	                                    : (uint32_t)((uint64_t)time(NULL) * 1000003 + (uint64_t)getpid());

	fprintf(stderr, "FPGAUGE_TEST_SEED=%" PRIu64 "\n", seed);
	return seed;
}

#endif
