/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that look random and are the same on every machine (splitmix64, Steele, Lea and Flood 2014). */
#ifndef FPGAUGE_TRAFFIC_DRAW_H
#define FPGAUGE_TRAFFIC_DRAW_H

#include <stdint.h>

struct draw {
	uint64_t state;
};

static inline struct draw draw_begin(uint64_t seed)
{
	return (struct draw){seed};
}

static inline uint32_t draw_next(struct draw *draw)
{
	uint64_t z = draw->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ z >> 31) >> 32);
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
