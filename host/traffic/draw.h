/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that look random and are the same on every machine. */
#ifndef FPGAUGE_TRAFFIC_DRAW_H
#define FPGAUGE_TRAFFIC_DRAW_H

#include <stdint.h>

#include "host/base/splitmix64.h"

struct draw {
	uint64_t state;
};

static inline struct draw draw_begin(uint64_t seed)
{
	return (struct draw){seed};
}

static inline uint32_t draw_next(struct draw *draw)
{
	return (uint32_t)(splitmix64(&draw->state) >> 32);
}

/* Draws a number from 0 to count - 1. */
static inline unsigned draw_below(struct draw *draw, unsigned count)
{
	return (unsigned)((uint64_t)draw_next(draw) * count >> 32);
}

/* All numbers from 0 to count - 1, in a drawn order (Fisher and Yates). */
static inline void draw_order(struct draw *draw, unsigned count, uint16_t *order)
{
	for (unsigned i = 0; i < count; i++) {
		const unsigned other = draw_below(draw, i + 1);

		order[i] = order[other];
		order[other] = (uint16_t)i;
	}
}

#endif
