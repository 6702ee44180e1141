/* SPDX-License-Identifier: Apache-2.0 */
/* The subject of a forecast: a plan, and the tester that is open for it. */
#ifndef FPGAUGE_FORECAST_SETUP_H
#define FPGAUGE_FORECAST_SETUP_H

#include <jansson.h>

#include "drivers/device.h"
#include "host/plan/plan.h"
#include "host/trial/tester.h"

/* Everything that a run needs. */
struct setup {
	struct plan *plan;
	struct device *device; /* NULL: an external program is the tester */
	struct tester *tester;
	json_t *calibration; /* what the tester subtracts; NULL: nothing */
};

#endif
