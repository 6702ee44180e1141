/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the model faults: faults.c implements it, faults_settings.c reads its settings. */
#ifndef FPGAUGE_SIM_DUT_FAULTS_H
#define FPGAUGE_SIM_DUT_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/faults_draws.h"
#include "sim/dut/line_out.h"
#include "sim/dut/models.h"

enum fault_kind { FAULT_DROP, FAULT_DUPLICATE, FAULT_REORDER, FAULT_CORRUPT, FAULT_DELAY, FAULT_ALTER, FAULT_KINDS };

enum {
	FAULTS_BLOCK = 256,      /* frames for which draws are made at once */
	FAULTS_MOST_HELD = 4096, /* frames held back at a time, a power of two */
	FAULTS_COPY_LAG = 16384, /* octet times that the line may be behind when a copy is made */
};

/* A frame that is held back until others have overtaken it. */
struct held {
	struct dut_frame frame;
	uint64_t passed;      /* the value of faults.passed when it was held back */
	uint64_t deadline_ot; /* it waits until then at the latest */
	uint8_t hits;
};

struct faults {
	struct dut dut;
	bool any;
	struct fault kinds[FAULT_KINDS];
	uint64_t delay_ot, wait_ot;
	uint64_t overtaking; /* frames that overtake a reordered one */

	struct line_out line;
	uint64_t floor_ot; /* no frame is ready earlier than the one before it */
	uint64_t event_ot; /* arrival of the last frame that passed */
	uint64_t passed;   /* total frames that were neither lost nor held back */

	bool copy_due;
	struct dut_frame copy; /* start_ot: when it is ready */

	uint64_t first_held, next_held; /* counting all ever held back: the first that still is, the next one */
	size_t hits_from, hits_end;     /* drawn and not yet used */
	uint8_t hits[FAULTS_BLOCK];     /* faults of the next frames, a bit per kind */
	struct held held[FAULTS_MOST_HELD];
};

/* Reads the settings of the model into a zeroed struct. 0, or -1 with the option refused. */
int faults_read(const struct dut_setup *setup, struct faults *faults);

#endif
