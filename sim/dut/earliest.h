/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the port with the earliest time, of equal times the port with the lowest number. A winner tree: a change takes
 * a comparison per level, the answer none. */
#ifndef FPGAUGE_SIM_DUT_EARLIEST_H
#define FPGAUGE_SIM_DUT_EARLIEST_H

#include <stdint.h>

enum { EARLIEST_MAX = 16 };

struct earliest {
	unsigned leaves;                  /* a power of two, 2 or more */
	uint64_t ot[EARLIEST_MAX];        /* time of each port */
	uint8_t winner[2 * EARLIEST_MAX]; /* earliest port below a node; 1 is the root, n has 2n and 2n + 1 below it */
};

static inline void earliest_set(struct earliest *earliest, unsigned port, uint64_t ot)
{
	earliest->ot[port] = ot;
	for (unsigned node = (earliest->leaves + port) / 2; node != 0; node /= 2) {
		const uint8_t left = earliest->winner[2 * node], right = earliest->winner[2 * node + 1];

		earliest->winner[node] = earliest->ot[right] < earliest->ot[left] ? right : left;
	}
}

/* All times are UINT64_MAX. */
static inline void earliest_init(struct earliest *earliest, unsigned ports)
{
	earliest->leaves = 2;
	while (earliest->leaves < ports)
		earliest->leaves *= 2;
	for (unsigned i = 0; i < EARLIEST_MAX; i++)
		earliest->ot[i] = UINT64_MAX;
	for (unsigned i = 0; i < earliest->leaves; i++)
		earliest->winner[earliest->leaves + i] = (uint8_t)i;
	for (unsigned i = 0; i < earliest->leaves; i++)
		earliest_set(earliest, i, UINT64_MAX);
}

static inline unsigned earliest_port(const struct earliest *earliest)
{
	return earliest->winner[1];
}

static inline uint64_t earliest_ot(const struct earliest *earliest)
{
	return earliest->ot[earliest->winner[1]];
}

#endif
