/* SPDX-License-Identifier: Apache-2.0 */
/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): numbers that look random and are the same on every machine. */
#ifndef FPGAUGE_BASE_SPLITMIX64_H
#define FPGAUGE_BASE_SPLITMIX64_H

#include <stdint.h>

#define SPLITMIX64_STEP UINT64_C(0x9e3779b97f4a7c15) /* increment of the state with each draw */

static inline uint64_t splitmix64_mix(uint64_t value)
{
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

/* Draws the next number. Any state is a good one to begin with. */
static inline uint64_t splitmix64(uint64_t *state)
{
	return splitmix64_mix(*state += SPLITMIX64_STEP);
}

#endif
