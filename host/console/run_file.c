/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a run file, or says what may have been meant instead. */
#include "host/console/run_file.h"

#include <string.h>

#include "host/bench/benchmark.h"

/* A file that reads as a plan, or is named like one. */
static bool is_plan(const char *path)
{
	const char *dot = strrchr(path, '.');
	struct error ignored = {0};
	struct plan *plan = NULL;
	bool reads = plan_read(path, &BENCHMARK_KEYS, NULL, 0, &plan, &ignored) == 0;

	plan_free(plan);
	return reads || (dot && !strcmp(dot, ".cfg"));
}

int run_file_open(const char *path, enum store_access access_kind, struct store **store, struct error *error)
{
	int status = store_open(path, access_kind, store, error);

	if (status == ERROR_STORE && error->kind == ERROR_NOT_A_RUN_FILE && is_plan(path))
		error_set(error, ERROR_STORE,
		          "%s: is not an fpgauge run file but a plan: `fpgauge run %s` runs it and makes one", path,
		          path);
	return status;
}
