/* SPDX-License-Identifier: Apache-2.0 */
/* The report object from the rows of a run file. */
#include "host/report/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/json_write.h"
#include "host/base/text.h"
#include "host/report/schema.h"
#include "host/report/schema_check.h"
#include "host/report/verdict.h"

/* NULL only when out of memory: text from the file that is not UTF-8 is repaired, to show as much as possible. */
static json_t *text_of(const char *text)
{
	char *repaired = text ? text_repaired(text) : NULL;
	json_t *value = repaired ? json_string(repaired) : NULL;

	free(repaired);
	return value;
}

/* A column that holds JSON. */
static int parse(const struct store *store, const char *column, const char *text, json_t **value, struct error *error)
{
	json_error_t where;

	*value = json_loads(text, JSON_REJECT_DUPLICATES, &where);
	if (*value)
		return 0;
	return error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE, "%s: the file is damaged: %s is not JSON: %s",
	                    store_path(store), column, where.text);
}

static json_t *overrides_of(const struct store_run *run)
{
	json_t *overrides = json_array();

	for (size_t i = 0; i < run->override_count; i++)
		json_add(overrides, text_of(run->overrides[i]));
	return overrides;
}

/* NULL: the plan says nothing. */
static json_t *info_of(const struct store_run *run)
{
	json_t *info = run->info_count ? json_object() : NULL;

	for (size_t i = 0; i < run->info_count; i++)
		json_put(info, run->info[i].key, text_of(run->info[i].text));
	return info;
}

/* The second in which the last trial began, in the format of the other times. */
static int last_begun(struct store *store, char second[24], struct error *error)
{
	struct store_trial *trial = malloc(sizeof(*trial));
	int status = trial ? store_trial_get(store, store_trial_count(store), trial, error)
	                   : error_set(error, ERROR_INTERNAL, "out of memory");

	if (status == 0)
		snprintf(second, 24, "%.19sZ", trial->started);
	free(trial);
	return status;
}

/* The last thing known about a run that never reached its end is its last trial. NULL: the error is set. */
static json_t *finished_of(struct store *store, struct error *error)
{
	const struct store_run *run = store_run(store);
	char second[24];
	json_t *finished;

	if (!run->finished && store_trial_count(store) != 0) {
		if (last_begun(store, second, error))
			return NULL;
		finished = text_of(second);
	} else {
		finished = text_of(run->finished ? run->finished : run->started);
	}
	if (!finished)
		error_set(error, ERROR_INTERNAL, "out of memory");
	return finished;
}

static json_t *incomplete_of(const struct store_run *run)
{
	if (run->finished || !run->incomplete)
		return text_of(run->incomplete);
	return json_string("not at its end: the program still runs, or died; `fpgauge resume` goes on with it");
}

struct loading {
	json_t *results;
	json_t *latency_error; /* the device's own; NULL: it does not state it */
	json_t *schema;
	const struct store *store;
	size_t rows, left_out;
	struct error first; /* why the first of those was left out */
	struct error *error;
};

/* The columns that SQL queries use must agree with what a report says. */
static int check_row(const struct loading *loading, const struct store_result *row, const json_t *document,
                     struct error *error)
{
	/* 0 in a column, which cannot be NULL: of a mix */
	json_t *octets = row->frame_octets ? json_integer(row->frame_octets) : json_null();
	json_t *columns = json_pack("{s:I, s:o, s:b, s:s}", "test_number", (json_int_t)row->test_number, "frame_octets",
	                            octets, "valid", row->valid, "test", row->test);
	const char *name;
	json_t *value;
	int status = 0;

	json_object_foreach(columns, name, value)
	{
		if (!status && !json_equal(value, json_object_get(document, name)))
			status = error_set(error, ERROR_STORE,
			                   "%s: the column %s of result %zu is not what its document says",
			                   store_path(loading->store), name, loading->rows);
	}
	json_decref(columns);
	return status;
}

/* *result is NULL on failure. */
static int read_result(const struct loading *loading, const struct store_result *row, json_t **result,
                       struct error *error)
{
	char column[60];
	int status;

	snprintf(column, sizeof(column), "the document of result %zu", loading->rows);
	status = parse(loading->store, column, row->document, result, error);
	if (status)
		return status;
	if (!json_is_object(*result)) {
		status = error_set(error, ERROR_STORE, "%s: %s is not a JSON object", store_path(loading->store),
		                   column);
	} else {
		verdict_of_result(*result, row->test_number, store_run(loading->store));
		if (loading->latency_error) /* stands beside the latencies, in each result */
			json_put_shared(*result, "latency_error_ns", loading->latency_error);
		status = schema_check_result(loading->schema, *result, loading->rows - 1, store_path(loading->store),
		                             error);
	}
	if (status == 0)
		status = check_row(loading, row, *result, error);
	if (status) {
		json_decref(*result);
		*result = NULL;
	}
	return status;
}

/* A result that is not what the schema says is left out, so that the report has all others. */
static int add_result(void *user, const struct store_result *row)
{
	struct loading *loading = user;
	struct error why = {0};
	json_t *result;

	loading->rows++;
	if (read_result(loading, row, &result, &why)) {
		loading->first = loading->left_out++ ? loading->first : why;
		return 0;
	}
	return json_array_append_new(loading->results, result)
	               ? error_set(loading->error, ERROR_INTERNAL, "out of memory")
	               : 0;
}

/* The build of the first session, which made the file; nothing if it does not say. */
static int note_build(void *user, const struct store_session *session)
{
	json_t *host = session->host ? json_loads(session->host, 0, NULL) : NULL;
	json_t *build = json_object_get(host, "build");

	if (json_is_object(build))
		json_put_shared((json_t *)user, "build", build);
	json_decref(host);
	return 1;
}

/* Everything before the results. *report is NULL on failure. */
static int load_heading(struct store *store, json_t **report, struct error *error)
{
	const struct store_run *run = store_run(store);
	json_t *device, *finished;
	int status = parse(store, "run.tester", run->tester, &device, error);

	*report = NULL;
	if (status)
		return status;
	finished = finished_of(store, error);
	if (!finished) {
		json_decref(device);
		return error->code;
	}
	*report = json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:{s:I}, s:o, s:o}", "schema", REPORT_SCHEMA, "tool",
	                    text_of(run->tool), "plan", text_of(run->plan_text), "plan_path", text_of(run->plan_path),
	                    "set", overrides_of(run), "device", device, "link", "bits_per_second",
	                    (json_int_t)run->link_bps, "started", text_of(run->started), "finished", finished);
	if (!*report)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	status = store_sessions_each(store, note_build, *report, error);
	return status < 0 ? status : 0;
}

/* Says in the report which results it does not have. Before that, `incomplete` is of the run, or not there. */
static int say_left_out(const struct loading *loading, json_t *report, struct error *error)
{
	const char *of_run = json_string_value(json_object_get(report, "incomplete"));
	json_t *text;

	if (!loading->left_out)
		return 0;
	text = json_sprintf("%s%s%zu of %zu results cannot be shown: %s%s", of_run ? of_run : "", of_run ? "; " : "",
	                    loading->left_out, loading->rows, loading->left_out > 1 ? "the first: " : "",
	                    loading->first.text);
	if (!text || json_object_set_new(report, "incomplete", text))
		return error_set(error, ERROR_INTERNAL, "out of memory");
	*error = loading->first;
	return 0;
}

/* The report without its results, of which each has been checked. */
static int check_rest(const struct loading *loading, const json_t *report, struct error *error)
{
	json_t *rest = json_copy((json_t *)(uintptr_t)report);
	int status;

	if (!rest || json_object_set_new(rest, "results", json_array()))
		status = error_set(error, ERROR_INTERNAL, "out of memory");
	else
		status = schema_check(loading->schema, rest, store_path(loading->store), error);
	json_decref(rest);
	return status;
}

static int load_results(struct loading *loading, struct store *store, json_t *report, struct error *error)
{
	int status;

	if (!loading->schema || !loading->results)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	status = store_results_each(store, add_result, loading, error);
	json_put_shared(report, "results", loading->results);
	if (status == 0)
		status = say_left_out(loading, report, error);
	verdict_of_report(report, store_run(store));
	return status ? status : check_rest(loading, report, error);
}

static int load_rest(struct store *store, json_t *report, size_t *left_out, struct error *error)
{
	const struct store_run *run = store_run(store);
	struct loading loading = {.results = json_array(),
	                          .latency_error =
	                                  json_object_get(json_object_get(report, "device"), "latency_error_ns"),
	                          .schema = schema_of_report(),
	                          .store = store,
	                          .error = error};
	json_t *calibration;
	int status = 0;

	if (run->incomplete)
		json_put(report, "incomplete", incomplete_of(run));
	if (run->info_count)
		json_put(report, "info", info_of(run));
	if (run->calibration) {
		status = parse(store, "run.calibration", run->calibration, &calibration, error);
		if (status == 0)
			json_put(report, "calibration", calibration);
	}
	if (status == 0)
		status = load_results(&loading, store, report, error);
	json_decref(loading.schema);
	json_decref(loading.results);
	*left_out = loading.left_out;
	return status;
}

int report_load_most(struct store *store, json_t **report, size_t *left_out, struct error *error)
{
	struct error ignored = {0};
	int status = load_heading(store, report, error);

	*left_out = 0;
	if (status == 0)
		status = load_rest(store, *report, left_out, error);
	if (status) /* the first error says more */
		json_write_check(&ignored);
	else
		status = json_write_check(error);
	if (status) {
		json_decref(*report);
		*report = NULL;
	}
	return status;
}

int report_load(struct store *store, json_t **report, struct error *error)
{
	size_t left_out;
	int status = report_load_most(store, report, &left_out, error);

	if (status || !left_out)
		return status;
	json_decref(*report);
	*report = NULL;
	return error->code;
}

bool report_passes(const json_t *report)
{
	const char *verdict = json_string_value(json_object_get(report, "verdict"));

	/* A size that the RFC leaves out (section 6.1 of RFC 9004) is not an invalid result. */
	return !json_object_get(report, "incomplete") && !(verdict && strcmp(verdict, "pass") != 0) &&
	       !verdict_counts(json_object_get(report, "results")).invalid;
}

bool report_shows_setting(const char *setting)
{
	static const char REASON[] = "].duration_reason=";
	const char *equals = strchr(setting, '=');
	const char *reason = strstr(setting, REASON);

	return !reason || reason + sizeof(REASON) - 2 != equals;
}
