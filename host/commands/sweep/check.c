/* SPDX-License-Identifier: Apache-2.0 */
#include "host/commands/sweep/check.h"

#include <stdlib.h>
#include <string.h>

#include "host/commands/sweep/state.h"
#include "host/console/bring_up.h"
#include "host/console/interrupt.h"
#include "host/console/plan_source.h"
#include "host/trial/exec/tester.h"

static const char **settings_of(const struct sweep *sweep, size_t number, size_t *count, struct error *error)
{
	const char **list = calloc(sweep->set_count + sweep->axis_count, sizeof(*list));

	*count = list ? sweep_overrides(sweep, number, list) : 0;
	if (!list)
		error_set(error, ERROR_INTERNAL, "out of memory");
	return list;
}

static void name_point(const struct sweep *sweep, size_t number, struct error *error)
{
	if (error->code == ERROR_PLAN || error->code == ERROR_DEVICE)
		error_prefix(error, "run %zu of %zu: ", number, sweep_points(sweep));
}

int sweep_take_plan(const struct plan_options *options, struct sweep *sweep, struct error *error)
{
	size_t count;
	const char **settings = settings_of(sweep, 1, &count, error);
	struct plan *plan = NULL;
	int status = settings ? plan_source_read(options, settings, count, &plan, error) : error->code;

	if (status == 0) {
		sweep->files = plan->files;
		sweep->file_count = plan->file_count;
		plan->files = NULL;
		plan->file_count = 0;
	} else {
		name_point(sweep, 1, error);
	}
	plan_free(plan);
	free(settings);
	return status;
}

/* Finds out whether the plan of a point needs a device that is here. */
static int look_at_plan(const struct plan_options *options, bool *simulated, struct error *error)
{
	struct plan *plan;
	int status = plan_source_read(options, options->device.overrides.texts, options->device.overrides.count, &plan,
	                              error);

	if (status)
		return status;
	*simulated = !plan->exec.command && !strcmp(plan->device.backend, "sim");
	plan_free(plan);
	return 0;
}

/* A program is started for the first point only: it is the plan that differs, not the program. */
static int look_at_device(const struct plan_options *options, bool first, struct error *error)
{
	struct setup setup = {0};
	int status = bring_up(options, DEVICE_LOOK, interrupt_watch(), &setup, error);

	if (status == 0 && first && !setup.device)
		status = exec_tester_try(setup.tester, error);
	tear_down(&setup);
	return status;
}

static int check_point(const struct sweep *sweep, size_t number, bool elsewhere, bool first, struct sweep_kind *kind,
                       struct error *error)
{
	struct plan_options options = {.files = sweep->files, .file_count = sweep->file_count};
	bool simulated = false;
	int status;

	options.device.overrides.texts = settings_of(sweep, number, &options.device.overrides.count, error);
	status = options.device.overrides.texts ? look_at_plan(&options, &simulated, error) : error->code;
	kind->all_simulated &= simulated;
	if (status == 0 && (simulated || !elsewhere))
		status = look_at_device(&options, first, error);
	free(options.device.overrides.texts);
	return status;
}

int sweep_check_points(const struct sweep *sweep, bool elsewhere, struct sweep_kind *kind, struct error *error)
{
	bool first = true;
	struct error ignored;

	kind->all_simulated = true;
	for (size_t number = 1; number <= sweep_points(sweep); number++) {
		/* A new sweep has no folder yet. */
		if (sweep->directory && sweep_state(sweep, number, NULL, &ignored) == POINT_DONE)
			continue;
		if (check_point(sweep, number, elsewhere, first, kind, error)) {
			name_point(sweep, number, error);
			return error->code;
		}
		if (*interrupt_watch())
			return error_set(error, ERROR_CANCELLED, "interrupted");
		first = false;
	}
	return 0;
}
