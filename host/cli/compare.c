/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge compare: compares a run with an earlier one, for CI. */
#include "host/compare/compare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/quantity.h"
#include "host/cli/bring_up.h"
#include "host/cli/commands.h"
#include "host/report/load.h"
#include "host/report/report.h"
#include "host/schema/check.h"

static const char DOC[] = "Compares each result of BASE with the same result in NEW.\v"
                          "Both are run files, or JSON that --json wrote. Throughput, bursts and latency are compared. "
                          "A result is worse if the "
                          "change exceeds the tolerance, a step of the search, and what chance explains: by Welch's t "
                          "test if values were "
                          "measured repeatedly, else by how much trials of one device usually differ. Results that are "
                          "missing or invalid in "
                          "NEW, or were requested differently there, fail too. The exit code is 1 if any result is "
                          "worse or fails, or if nothing "
                          "could be compared.";

static const char DEFAULT_TOLERANCE[] = "1%";

static int read_tolerance(const char *text, double *ratio, struct error *error)
{
	struct quantity quantity;
	const char *why;

	if (quantity_parse(text, &quantity, &why) || quantity.unit != QUANTITY_PERCENT ||
	    quantity.numerator > quantity.denominator)
		return error_set(error, ERROR_PLAN, "--tolerance %s: must be 0%% to 100%%", text);
	*ratio = (double)quantity.numerator / (double)quantity.denominator;
	return 0;
}

static int check_schema(const char *path, const json_t *report, struct error *error)
{
	const json_t *schema = json_object_get(report, "schema");
	const json_int_t number = json_integer_value(schema); /* 0: none */
	char *says;

	if (number >= REPORT_SCHEMA_OLDEST && number <= REPORT_SCHEMA)
		return 0;
	says = schema ? json_dumps(schema, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	error_set(error, ERROR_PLAN,
	          "%s: schema is %.40s; this program (fpgauge " FPGAUGE_VERSION ") reads schemas %d to %d", path,
	          says ? says : "not there", REPORT_SCHEMA_OLDEST, REPORT_SCHEMA);
	free(says);
	return ERROR_PLAN;
}

static int load_json(const char *path, json_t **report, struct error *error)
{
	json_error_t where;
	int result;

	*report = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
	if (!*report)
		return error_set(error, ERROR_PLAN, "%s:%d: neither a run file nor JSON: %s", path, where.line,
		                 where.text);
	if (!json_is_array(json_object_get(*report, "results")))
		result = error_set(error, ERROR_PLAN, "%s: is JSON, but not of fpgauge: it has no list of results",
		                   path);
	else
		result = check_schema(path, *report, error);
	if (result == 0)
		result = schema_check_report(*report, path, error);
	if (result) {
		json_decref(*report);
		*report = NULL;
	}
	return result;
}

static int load(const char *path, json_t **report, struct error *error)
{
	static const char MAGIC[] = "SQLite format 3"; /* and the NUL after it */
	FILE *file = fopen(path, "re");
	char begin[sizeof(MAGIC)] = "";
	struct store *store;
	size_t got;
	int result;

	*report = NULL;
	if (!file)
		return error_set(error, ERROR_PLAN, "%s: cannot be read: %s", path, strerror(errno));
	got = fread(begin, 1, sizeof(begin), file);
	fclose(file);
	if (got != sizeof(begin) || memcmp(begin, MAGIC, sizeof(begin)) != 0)
		return load_json(path, report, error);
	result = store_open(path, STORE_REPORT, &store, error);
	if (!result)
		result = report_load(store, report, error);
	store_close(store);
	return result;
}

static int compare(const struct options *options, double tolerance, bool *passes, struct error *error)
{
	bool on_stdout = options->json_path && !strcmp(options->json_path, "-");
	json_t *base = NULL, *new = NULL, *comparison = NULL;
	int result = load(options->base_path, &base, error);

	if (!result)
		result = load(options->new_path, &new, error);
	if (!result) {
		comparison = compare_reports(base, new, tolerance);
		if (!comparison)
			result = error_set(error, ERROR_INTERNAL, "out of memory");
	}
	if (comparison) {
		*passes = compare_passes(comparison);
		if (!options->quiet && !on_stdout)
			compare_table(comparison, stdout);
		if (options->json_path)
			result = report_json(comparison, options->json_path, error);
	}
	if (!result && (fflush(stdout) || ferror(stdout)))
		result = error_set(error, ERROR_PLAN, "standard output cannot be written");
	json_decref(comparison);
	json_decref(new);
	json_decref(base);
	return result;
}

int command_compare(int argc, char **argv)
{
	struct options options;
	struct error error = {0};
	bool passes = false;
	double tolerance = 0;
	int result;

	options_parse(argc, argv, OPTIONS_COMPARE, DOC, &options);
	result = read_tolerance(options.tolerance ? options.tolerance : DEFAULT_TOLERANCE, &tolerance, &error);
	if (!result)
		result = compare(&options, tolerance, &passes, &error);
	result = result ? exit_code_of(&error, argv[0]) : passes ? EXIT_VALID : EXIT_INVALID;
	options_free(&options);
	return result;
}
