/* SPDX-License-Identifier: Apache-2.0 */
/* One script on two simulation libraries, side by side: both must give the same answers, and after every access both
 * must be at the same octet time. */
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
	/* An option for this side only, replacing the script's option of that name; an option of one of the script's
	 * models must be in the script, device.* need not be. "": none. */
	char own_name[64];
	const char *own_value;
};

struct pair {
	struct side side[2];
};

struct outcome {
	bool different;
	bool refused;   /* both refused the options, with the same message */
	size_t op;      /* where they differ; SIZE_MAX for opening */
	char what[768]; /* one line: what was compared, both answers */
	uint64_t end_ot;
	/* Sums over all ports of the script's last read of each counter; they show what a suite of trials has
	 * covered. */
	uint64_t counted[FPGAUGE_COUNTER_COUNT];
};

/* Loads a library by path; own is "name=value" or NULL. False with one line in why. */
bool side_load(struct side *side, const char *path, const char *own, char *why, size_t size);
void side_unload(struct side *side);

void play(const struct pair *pair, const struct script *script, struct outcome *outcome);

#endif
