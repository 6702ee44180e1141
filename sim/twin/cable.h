/* SPDX-License-Identifier: Apache-2.0 */
/* A cable between two twins of one process, each with a clock of its own: port i of one leads to port i of the other.
 * Time is true time, in which each clock runs at its own pace from its own beginning; whenever one twin lets time pass,
 * the other's clock follows. docs/twin.md says what is simulated so. */
#ifndef FPGAUGE_SIM_TWIN_CABLE_H
#define FPGAUGE_SIM_TWIN_CABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/dut.h"
#include "sim/dut/options.h"
#include "sim/twin/registers.h"

struct direction;
struct twin;

enum { CABLE_NAME_SIZE = 64, CABLE_OPTIONS = 5 };

/* The settings device.cable..., device.clock_.... */
extern const struct sim_option_rule cable_rules[CABLE_OPTIONS];

/* From the times of one clock to those of another. */
struct cable_map {
	uint64_t from_ot, to_ot; /* the same moment, before anything else */
	uint64_t from_pace, to_pace;
};

/* An end of a cable. */
struct cable {
	char name[CABLE_NAME_SIZE]; /* empty: there is no cable */
	uint64_t start_ot;          /* of the clock, at the moment that is 0 in true time */
	uint64_t pace;              /* octet times in 10^9 true ones */
	uint64_t milli_ot;          /* to the other end at port 0, in thousandths of true octet times */
	uint64_t others_milli_ot;   /* at the other ports */
	struct twin *peer;          /* NULL: nothing is plugged in at the other end */
	struct cable_map map;       /* to the clock of the peer */
	struct dut *wires[FPGAUGE_MAX_PORTS];
	struct twin *next; /* of all with cables */
};

/* The clock of the peer when that of this twin is at `clock`; of words. */
uint64_t cable_clock(const struct cable_map *map, uint64_t clock);

/* Reads the settings; with a cable, makes this end and plugs it in. Ports exist, and time has not begun. False:
 * refused.
 */
bool cable_open(struct twin *twin, const struct sim_options *options, const struct sim_option_value *values,
                uint64_t link_bps);
void cable_close(struct twin *twin);

/* The receiver at the other end of a port; NULL: there is none. */
struct receiver *cable_receiver(const struct twin *twin, unsigned port);

/* The direction that comes from there; NULL: there is none. */
struct direction *cable_feeder(const struct twin *twin, unsigned port);

/* Plays what comes from there, by the clock of this twin, for its receiver to count. */
bool cable_play(struct twin *twin, unsigned port, uint64_t clock);

/* The clock of the peer follows that of this twin. */
void cable_follow(const struct twin *twin);

static inline bool cable_is_there(const struct cable *cable)
{
	return cable->name[0] != '\0';
}

#endif
