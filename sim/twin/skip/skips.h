/* SPDX-License-Identifier: Apache-2.0 */
/* The accelerations, which skip what need not be played because it repeats. They are only speed: a twin that is opened
 * without this table gives the same answers. Periods are jumped over (jump.h, exchange_jump.h); constant loads go on at
 * any rate (drift.h, exchange_drift.h). */
#ifndef FPGAUGE_SIM_TWIN_SKIP_SKIPS_H
#define FPGAUGE_SIM_TWIN_SKIP_SKIPS_H

#include "sim/twin/play/skip.h"

extern const struct skips SKIPS;

#endif
