/* SPDX-License-Identifier: Apache-2.0 */
/* The number of random trials that a test plays. */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_AMOUNT_H
#define FPGAUGE_TESTS_DIFFERENTIAL_AMOUNT_H

#include <stdint.h>

/* A quarter under the sanitizers where that is 20 or more: they take three times as long, and what they look for is in
 * most trials. */
static inline uint64_t amount_of(uint64_t trials)
{
#ifdef __SANITIZE_ADDRESS__
	return trials >= 80 ? trials / 4 : trials;
#else
	return trials;
#endif
}

#endif
