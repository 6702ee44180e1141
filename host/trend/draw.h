/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers that are the same on every machine. Private to host/trend. */
#ifndef FPGAUGE_TREND_DRAW_H
#define FPGAUGE_TREND_DRAW_H

#include <stddef.h>
#include <stdint.h>

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static inline uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* 0 to count - 1. A count below 2^32 is drawn evenly to one in 2^32 / count. */
static inline size_t draw_below(size_t count, uint64_t *state)
{
	return (size_t)((draw(state) >> 32) * count >> 32);
}

#endif
