/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers that are the same on every machine. Private to host/trend. */
#ifndef FPGAUGE_TREND_DRAW_H
#define FPGAUGE_TREND_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "host/base/splitmix64.h"

/* 0 to count - 1. A count below 2^32 is drawn evenly to one in 2^32 / count. */
static inline size_t draw_below(size_t count, uint64_t *state)
{
	return (size_t)((splitmix64(state) >> 32) * count >> 32);
}

#endif
