/* SPDX-License-Identifier: Apache-2.0 */
/* What the model faults is made of: faults.c plays it, faults_settings.c reads its settings. */
#ifndef FPGAUGE_SIM_DUT_FAULTS_H
#define FPGAUGE_SIM_DUT_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/line_out.h"
#include "sim/dut/models.h"

enum fault_kind { FAULT_DROP, FAULT_DUPLICATE, FAULT_REORDER, FAULT_CORRUPT, FAULT_DELAY, FAULT_KINDS };

enum {
	FAULTS_BLOCK = 256,      /* frames that are drawn for at once */
	FAULTS_MOST_HELD = 4096, /* frames put aside at a time, a power of two */
	FAULTS_COPY_LAG = 16384, /* octet times that the line may be behind when a copy is made */
};

/* Which frames a fault hits. */
struct fault {
	bool on, at_random;
	uint32_t every, left; /* every Nth: frames up to the next one */
	uint64_t limit;       /* at random: a draw up to this hits */
	uint64_t draws;
};

/* A frame that is held aside until others have overtaken it. */
struct held {
	struct dut_frame frame;
	uint64_t passed;      /* `passed` when it was put aside */
	uint64_t deadline_ot; /* it waits no longer than until then */
	uint8_t hits;
};

struct faults {
	struct dut dut;
	bool any;
	struct fault kinds[FAULT_KINDS];
	uint64_t delay_ot, wait_ot;
	uint64_t overtaking; /* frames that overtake one that is reordered */

	struct line_out line;
	uint64_t floor_ot; /* no frame is ready before the one that goes before it */
	uint64_t event_ot; /* arrival of the last frame that passed */
	uint64_t passed;   /* frames ever that were neither lost nor put aside */

	bool copy_due;
	struct dut_frame copy; /* start_ot: when it is ready */

	uint64_t first_held, next_held; /* ever put aside: the first that still is, the one to come */
	size_t hits_from, hits_end;     /* drawn and not used */
	uint8_t hits[FAULTS_BLOCK];     /* of the next frames, a bit for each kind */
	struct held held[FAULTS_MOST_HELD];
};

/* Reads the settings of the model into what is zero so far. 0, or -1 with the refusal said. */
int faults_read(const struct dut_setup *setup, struct faults *faults);

#endif
