/* SPDX-License-Identifier: Apache-2.0 */
/* An end of a cable, as its twin knows it (cable.h): the settings, and how the clocks of both twins go together. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_CABLE_END_H
#define FPGAUGE_SIM_TWIN_PLAY_CABLE_END_H

#include <stdbool.h>
#include <stdint.h>

#include "hw/regs/fpgauge_regs.h"
#include "sim/dut/dut.h"
#include "sim/dut/options.h"

struct play;

enum { CABLE_NAME_SIZE = 64 };
enum { CABLE_NAME, CABLE_NS, CABLE_OTHERS_NS, CABLE_CLOCK_START, CABLE_CLOCK_PACE, CABLE_OPTIONS };

/* The settings device.cable..., device.clock_.... */
extern const struct sim_option_rule cable_rules[CABLE_OPTIONS];

/* A map from the times of one clock to those of another. */
struct cable_map {
	uint64_t from_ot, to_ot; /* the same moment, before anything else */
	uint64_t from_pace, to_pace;
};

/* An end of a cable. */
struct cable {
	char name[CABLE_NAME_SIZE]; /* empty: there is no cable */
	uint64_t start_ot;          /* the clock at the moment that is 0 in true time */
	uint64_t pace;              /* octet times in 10^9 true ones */
	uint64_t milli_ot;          /* distance to the other end at port 0, in thousandths of true octet times */
	uint64_t others_milli_ot;   /* the same at the other ports */
	struct play *peer;          /* NULL: nothing is plugged in at the other end */
	struct cable_map map;       /* map to the clock of the peer */
	struct dut *wires[FPGAUGE_MAX_PORTS]; /* wires to the other end, by port */
	struct play *next;                    /* next in the list of all with cables */
};

/* Time of the other clock that passes in so much of this one: whole octet times, and the rest in parts of from_pace. */
uint64_t cable_span(const struct cable_map *map, uint64_t ot, uint64_t *parts);

/* The clock of the peer when that of this twin is at `clock`; of words. */
uint64_t cable_clock(const struct cable_map *map, uint64_t clock);

static inline bool cable_is_there(const struct cable *cable)
{
	return cable->name[0] != '\0';
}

#endif
