/* SPDX-License-Identifier: Apache-2.0 */
/* The report object from the rows of a run file. */
#include "host/report/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/report/verdict.h"

enum { RESULT_SCHEMA = 1 };

static json_t *overrides_of(const struct store_run *run)
{
	json_t *overrides = json_array();

	for (size_t i = 0; i < run->override_count; i++)
		json_array_append_new(overrides, json_string(run->overrides[i]));
	return overrides;
}

/* Of a run that never came to its end the last thing known is its last trial. */
static json_t *finished_of(struct store *store, json_t **report, struct error *error)
{
	const struct store_run *run = store_run(store);
	struct store_trial trial;

	if (run->finished)
		return json_string(run->finished);
	if (store_trial_count(store) == 0)
		return json_string(run->started);
	if (store_trial_get(store, store_trial_count(store), &trial, error)) {
		json_decref(*report);
		*report = NULL;
		return NULL;
	}
	/* to the second, as the others are */
	return json_sprintf("%.19sZ", trial.started);
}

static json_t *incomplete_of(const struct store_run *run)
{
	if (run->finished || !run->incomplete)
		return json_string(run->incomplete);
	return json_string("not at its end: the program still runs, or died; `fpgauge resume` goes on with it");
}

struct loading {
	json_t *results;
	const struct store_run *run;
	struct error *error;
};

static int add_result(void *user, const struct store_result *row)
{
	struct loading *loading = user;
	json_error_t where;
	json_t *result = json_loads(row->document, 0, &where);

	if (!json_is_object(result)) {
		json_decref(result);
		return error_set(loading->error, ERROR_STORE, "a result is no JSON object: %s", where.text);
	}
	verdict_of_result(result, row->test_number, loading->run);
	return json_array_append_new(loading->results, result)
	               ? error_set(loading->error, ERROR_INTERNAL, "out of memory")
	               : 0;
}

int report_load(struct store *store, json_t **report, struct error *error)
{
	const struct store_run *run = store_run(store);
	struct loading loading = {json_array(), run, error};
	json_t *finished;
	int status;

	*report = json_pack("{s:i, s:s, s:s, s:s, s:o, s:o, s:{s:I}, s:s}", "schema", RESULT_SCHEMA, "tool", run->tool,
	                    "plan", run->plan_text, "plan_path", run->plan_path, "set", overrides_of(run), "device",
	                    json_loads(run->tester, 0, NULL), "link", "bits_per_second", (json_int_t)run->link_bps,
	                    "started", run->started);
	if (!*report || !loading.results) {
		json_decref(*report);
		json_decref(loading.results);
		*report = NULL;
		return error_set(error, ERROR_INTERNAL,
		                 "the report cannot be made: out of memory, or a text that is not UTF-8");
	}
	finished = finished_of(store, report, error);
	if (!finished) {
		json_decref(loading.results);
		return *report ? error_set(error, ERROR_INTERNAL, "out of memory") : error->code;
	}
	json_object_set_new(*report, "finished", finished);
	if (run->incomplete)
		json_object_set_new(*report, "incomplete", incomplete_of(run));
	if (run->calibration)
		json_object_set_new(*report, "calibration", json_loads(run->calibration, 0, NULL));
	json_object_set(*report, "results", loading.results);
	status = store_results_each(store, add_result, &loading, error);
	json_decref(loading.results);
	verdict_of_report(*report, run);
	if (status) {
		json_decref(*report);
		*report = NULL;
	}
	return status;
}

bool report_passes(const json_t *report)
{
	const json_t *results = json_object_get(report, "results"), *result;
	const char *verdict = json_string_value(json_object_get(report, "verdict"));
	size_t i;

	if (json_object_get(report, "incomplete") || (verdict && strcmp(verdict, "pass") != 0))
		return false;
	json_array_foreach(results, i, result)
	{
		/* A size that the RFC leaves out (section 6.1 of RFC 9004) is no invalid result. */
		if (!json_is_true(json_object_get(result, "valid")) &&
		    !json_is_true(json_object_get(result, "skipped")))
			return false;
	}
	return true;
}
