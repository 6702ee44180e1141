/* SPDX-License-Identifier: Apache-2.0 */
/* Frames over a cable between two devices, both ways at the same time: when each was sent by the clock of its sender,
 * and when it came by that of its receiver, for clock_pair.h. Takes over both devices, as a self-test does: what they
 * were sending is stopped, and their counters are cleared. */
#ifndef FPGAUGE_COMMANDS_CLOCK_EXCHANGE_H
#define FPGAUGE_COMMANDS_CLOCK_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include "drivers/device.h"
#include "host/base/error.h"
#include "host/commands/clock/pair.h"

enum {
	CLOCK_CARDS = 2,
	CLOCK_MOST_PORTS = 16, /* most that a device may have */
	CLOCK_FRAMES = 500,    /* each way; a device keeps the times of 512 */
	CLOCK_SIGHTS = CLOCK_WAYS * CLOCK_FRAMES,
};

/* The stamp of a frame has 40 bits of groups, 704 s at 100 Gb/s; only within half of them it is clear which one is
 * meant. */
#define CLOCK_LEAST_NS UINT64_C(1000000)
#define CLOCK_MOST_NS UINT64_C(300000000000)

/* A port. */
struct clock_end {
	struct device *device;
	unsigned port;
};

struct clock_exchange {
	struct clock_end ends[CLOCK_CARDS]; /* one of A, one of B */
	/* Frames of so many octets go both ways between two more ports at the same time, through a device under
	 * test. 0: none do. */
	uint32_t through_octets;
	unsigned through_port[CLOCK_CARDS];
	uint64_t duration_ns;      /* CLOCK_LEAST_NS to CLOCK_MOST_NS */
	const _Atomic int *cancel; /* may be NULL */
};

struct clock_sights {
	struct clock_sight sight[CLOCK_SIGHTS];
	size_t count;
	size_t of_way[CLOCK_WAYS];
	double error_ot[CLOCK_WAYS]; /* error as the devices state it, and a group more: a frame is seen when one
	                              * begins */
	char why_not[320];           /* why this is no measurement, as: frames were lost; empty: it is one */
};

/* cable: over the cable. through: through the device under test, which may lose some; NULL, or left alone if none were
 * sent. 0, whatever the frames were like; ERROR_PLAN: these ports cannot do it; else a device failed, or the user
 * stopped it. */
int clock_exchange_run(const struct clock_exchange *exchange, struct clock_sights *cable, struct clock_sights *through,
                       struct error *error);

#endif
