/* SPDX-License-Identifier: Apache-2.0 */
#include "host/forecast/commit_cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/forecast/passed_time.h"
#include "host/store/store.h"
#include "host/traffic/shape.h"

enum { TRIALS = 8, MOST_TRIALS = 64, PATH_SIZE = 400 };

static const double ENOUGH_S = 0.1;

static int compare(const void *a, const void *b)
{
	const double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

/* What a quarter of them take at most: other programs may want the disk and the processor meanwhile, for some of them
 * or, if only a few were made at once, for all. */
static double measure(struct store *store, struct error *error)
{
	struct store_trial trial = {
	        .place = {.test_number = 1, .test = "a trial", .frame_octets = 64},
	        .request = {.shape = traffic_shape_plain(64), .duration_ot = 1000000, .load = {1, 1}},
	        .result = {.valid = true, .ports = 2}};
	const double since_s = clock_s();
	double took_s[MOST_TRIALS];
	size_t count = 0;

	clock_rfc3339_now(trial.started, true);
	while (count < TRIALS || (count < MOST_TRIALS && clock_s() - since_s < ENOUGH_S)) {
		const double begun_s = clock_s();

		if (store_trial_add(store, &trial, error))
			return 0;
		took_s[count++] = clock_s() - begun_s;
	}
	qsort(took_s, count, sizeof(*took_s), compare);
	return took_s[count / 4];
}

struct commit_cost commit_cost(void)
{
	static const struct store_plan_file NO_PLAN = {"", "", ""};
	const struct store_run run = {
	        .tool = "fpgauge check", .plan_path = "", .files = &NO_PLAN, .file_count = 1, .tester = "{}"};
	const char *temporary = getenv("TMPDIR");
	char folder[PATH_SIZE], path[PATH_SIZE + 8];
	struct store *store = NULL;
	struct error ignored = {0};
	const struct passed_since begun = passed_begin();
	struct commit_cost cost = {0, 0};

	if (snprintf(folder, sizeof(folder), "%s/fpgauge-check-XXXXXX", temporary && *temporary ? temporary : "/tmp") >=
	            (int)sizeof(folder) ||
	    !mkdtemp(folder))
		return cost;
	snprintf(path, sizeof(path), "%s/run.db", folder);
	if (store_create(path, &run, "", &store, &ignored) == 0 &&
	    store_session_begin(store, "check", "fpgauge check", "{}", &ignored) == 0)
		cost.trial_s = measure(store, &ignored);
	store_close(store);
	cost.file_s = passed_s(begun);
	unlink(path);
	rmdir(folder);
	return cost;
}
