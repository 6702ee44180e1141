/* SPDX-License-Identifier: Apache-2.0 */
/* All plans of a sweep, looked at before the first run. */
#ifndef FPGAUGE_COMMANDS_SWEEP_CHECK_H
#define FPGAUGE_COMMANDS_SWEEP_CHECK_H

#include "host/base/error.h"
#include "host/commands/sweep/points.h"
#include "host/console/plan_source.h"

/* Properties that the plans of all points have in common. */
struct sweep_kind {
	bool all_simulated;
};

/* Reads the plan that the arguments name, with the settings of the first point, since it may lack what is varied. The
 * sweep keeps its files. */
int sweep_take_plan(const struct plan_options *options, struct sweep *sweep, struct error *error);

/* Checks every point that is not done as `check` does. With `elsewhere`, the runs are made on other machines, so
 * only simulated devices are opened here. An error names the point. */
int sweep_check_points(const struct sweep *sweep, bool elsewhere, struct sweep_kind *kind, struct error *error);

#endif
