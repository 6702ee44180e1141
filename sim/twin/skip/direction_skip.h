/* SPDX-License-Identifier: Apache-2.0 */
/* State that the accelerations keep of a direction. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_DIRECTION_SKIP_H
#define FPGAUGE_SIM_TWIN_SKIP_DIRECTION_SKIP_H

#include "sim/twin/skip/drift_play.h"
#include "sim/twin/skip/jump.h"

struct direction_skip {
	struct jump jump;
	struct drift drift;
};

#endif
