/* SPDX-License-Identifier: Apache-2.0 */
/* One script on two simulation libraries, side by side: every answer of the one must be the answer of the other, and
 * after every access both must have come to the same octet time. */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_PLAY_H
#define FPGAUGE_TESTS_DIFFERENTIAL_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/sim_abi.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/script.h"

struct side {
	void *library;
	const struct fpgauge_sim_api *api;
	/* An option that stands on this side only, in place of the script's of that name; one of the script's models
	 * needs it to be there, device.* does not. "" is none. */
	char own_name[64];
	const char *own_value;
};

struct pair {
	struct side side[2];
};

struct outcome {
	bool different;
	bool refused;   /* both refused the options, with the same words */
	size_t op;      /* where they differ; SIZE_MAX when it was in the opening */
	char what[768]; /* one line: what was compared, both answers */
	uint64_t end_ot;
	/* What the last look of the script at each counter gave, all ports together; what a suite of trials has
	 * covered. */
	uint64_t counted[FPGAUGE_COUNTER_COUNT];
};

/* Loads a library by path; own is "name=value" or NULL. False with one line in why. */
bool side_load(struct side *side, const char *path, const char *own, char *why, size_t size);
void side_unload(struct side *side);

void play(const struct pair *pair, const struct script *script, struct outcome *outcome);

#endif
