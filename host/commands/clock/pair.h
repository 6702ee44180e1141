/* SPDX-License-Identifier: Apache-2.0 */
/* Two clocks that run freely, and what frames over a cable between them say of how they go together: the offset of one
 * to the other at any time, with a hard bound. Pure arithmetic; docs/clock.md derives it.
 *
 * Each frame gives an inequality: it came no earlier than the shortest time over the cable after it was sent, and later
 * by no more than a known error. Clock B shows a straight line over clock A (as long as both run at a constant rate),
 * of which offset and rate are unknown, as are the delays of both ways. All lines that no frame contradicts are a
 * linear program (Moon, Skelly and Towsley 1999, there with one way and without a known error), and the bound on the
 * offset at a time is the least and the most of it there: nothing is estimated, and no more frames can make it wrong.
 *
 * Times are octet times; those of A and of B are each of their own clock. */
#ifndef FPGAUGE_COMMANDS_CLOCK_PAIR_H
#define FPGAUGE_COMMANDS_CLOCK_PAIR_H

#include <stddef.h>
#include <stdint.h>

#include "host/base/error.h"

enum clock_way { CLOCK_A_TO_B, CLOCK_B_TO_A, CLOCK_WAYS };

/* A frame over the cable: when it was sent by the clock of its sender, and came by that of its receiver. */
struct clock_sight {
	uint64_t a_ot, b_ot;
	enum clock_way way;
};

/* Limits that are known beforehand. */
struct clock_limits {
	double error_ot[CLOCK_WAYS]; /* how much later a frame may come, or seem to, than the shortest time of its way
	                              */
	double wander_ot;            /* how far B may be off a straight line over A while it is measured */
};

/* Clocks that differ by more are not taken for clocks of Ethernet ports (IEEE 802.3: 100 ppm each). */
#define CLOCK_MOST_RATE 1e-3

struct clock_bound {
	double low, high;
};

/* The lead of B over A: base_ot + low to base_ot + high. Two parts, because a double does not hold all of a time. */
struct clock_offset {
	int64_t base_ot;
	struct clock_bound ot;
};

struct clock_pair {
	const struct clock_sight *sights; /* borrowed: those that say more than others */
	size_t count;
	struct clock_limits limits; /* limits by the clock of B */
	uint64_t a_ot;              /* where the line begins: x is time by A since then, */
	int64_t base_ot;            /* and y what B is ahead of A beyond this */
	struct clock_bound rate;    /* octet times by which B gains on A in each of A's */
};

/* Finds all rates that the sights allow, and puts the sights that decide anything in front of the others. They stay in
 * use. ERROR_DEVICE, with the reason: there are none of one way, they span too little time, or they contradict the
 * limits. */
int clock_pair_fit(struct clock_pair *pair, struct clock_sight *sights, size_t count, const struct clock_limits *limits,
                   struct error *error);

/* How far B is ahead of A when A shows a_ot, before, while or after it was measured: later, as long as the rates stay
 * what they were. asymmetry_ot: by how much the shortest times of the two ways may differ; INFINITY: nothing is known
 * but that none is below 0. */
struct clock_offset clock_pair_offset(const struct clock_pair *pair, uint64_t a_ot, double asymmetry_ot);

/* Returns for how long after a_ot the offset is known to within bound_ot either way, by the clock of A; at most
 * most_ot. */
uint64_t clock_pair_lasts(const struct clock_pair *pair, uint64_t a_ot, double asymmetry_ot, double bound_ot,
                          uint64_t most_ot);

/* The shortest time over the cable, as the mean of both ways. */
struct clock_bound clock_pair_delay(const struct clock_pair *pair);

/* Returns how long a frame took, whichever way it went from one card to the other, by the clock of B. The errors of
 * both time stamps are in it. */
struct clock_bound clock_pair_latency(const struct clock_pair *pair, const struct clock_sight *sight,
                                      double asymmetry_ot);

#endif
