/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a span of time, in their order, and of those at the same time in the order of ports: to sort them costs
 * no comparison (Brown 1988, with one octet time in a day). */
#ifndef FPGAUGE_SIM_DUT_CALENDAR_H
#define FPGAUGE_SIM_DUT_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

enum { CALENDAR_OT = 16384, CALENDAR_WORD = 64 };

struct calendar {
	uint64_t from_ot;
	uint64_t busy[CALENDAR_OT / CALENDAR_WORD]; /* a bit per octet time: something is at it */
	uint16_t ports[CALENDAR_OT];                /* a bit per port; 0 where nothing is */
};

/* Enters an event at from_ot or later, and before from_ot + CALENDAR_OT. */
static inline void calendar_enter(struct calendar *calendar, uint64_t ot, unsigned port)
{
	const uint64_t day = ot - calendar->from_ot;

	calendar->busy[day / CALENDAR_WORD] |= UINT64_C(1) << day % CALENDAR_WORD;
	calendar->ports[day] = (uint16_t)(calendar->ports[day] | 1u << port);
}

/* The first time of this word of days, which is busy, and its ports; both are then free. */
static inline uint64_t calendar_take(struct calendar *calendar, uint64_t word, uint32_t *ports)
{
	const uint64_t day = word * CALENDAR_WORD + (uint64_t)__builtin_ctzll(calendar->busy[word]);

	calendar->busy[word] &= calendar->busy[word] - 1;
	*ports = calendar->ports[day];
	calendar->ports[day] = 0;
	return calendar->from_ot + day;
}

#endif
