/* SPDX-License-Identifier: Apache-2.0 */
/* The accelerations: periods are jumped over (jump.h, exchange_jump.h), and constant loads into a fifo drift on at any
 * rate (drift.h, exchange_drift.h). */
#ifndef FPGAUGE_SIM_TWIN_SKIPS_H
#define FPGAUGE_SIM_TWIN_SKIPS_H

#include "sim/twin/drift_play.h"
#include "sim/twin/jump.h"
#include "sim/twin/skip.h"

struct direction_skip {
	struct jump jump;
	struct drift drift;
};

extern const struct skips SKIPS;

#endif
