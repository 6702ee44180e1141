/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files of a folder, and picks one. */
#include "host/cli/baseline.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/base/text.h"
#include "host/compare/compare.h"
#include "host/report/load.h"
#include "host/report/value.h"
#include "host/schema/check.h"

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

int baseline_load(const char *path, json_t **report, struct error *error)
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

static int is_run_file(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && dot != entry->d_name && !strcmp(dot, ".db");
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Names of files are any octets, JSON is UTF-8. */
static json_t *name_of(const char *path)
{
	char *shown = text_repaired(path);
	json_t *name = json_string(shown ? shown : "-");

	free(shown);
	return name;
}

static void pass_over(json_t *said, const char *path, const char *why)
{
	json_array_append_new(json_object_get(said, "passed_over"),
	                      json_pack("{s:o, s:s}", "path", name_of(path), "why", why));
}

/* Times are RFC 3339 in UTC, whose order is that of their texts. */
static bool is_later(const json_t *a, const json_t *b)
{
	return strcmp(value_string(a, "started"), value_string(b, "started")) > 0;
}

/* Takes the file if it is better than *base. */
static void consider(const char *path, const json_t *new, json_t **base, json_t *said)
{
	struct error error = {0};
	json_t *report = NULL;
	char why[400];

	if (baseline_load(path, &report, &error)) {
		pass_over(said, path, error.text);
		return;
	}
	if (is_later(report, new)) {
		pass_over(said, path, "it began after NEW");
	} else if (!compare_is_baseline(report, new, why, sizeof(why))) {
		pass_over(said, path, why);
	} else if (*base && is_later(*base, report)) {
		pass_over(said, path, "it is older");
	} else {
		if (*base)
			pass_over(said, value_string(said, "path"), "it is older");
		json_decref(*base);
		*base = json_incref(report);
		json_object_set_new(said, "path", name_of(path));
		json_object_set(said, "started", json_object_get(report, "started"));
	}
	json_decref(report);
}

static int look_through(const char *folder, const char *new_path, const json_t *new, json_t **base, json_t *said,
                        struct error *error)
{
	struct dirent **names;
	int count = scandir(folder, &names, is_run_file, alphasort);

	if (count < 0)
		return error_set(error, ERROR_PLAN, "--baseline-dir %s: cannot be read: %s", folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		char *path;

		if (asprintf(&path, "%s/%s", folder, names[i]->d_name) >= 0) {
			if (!is_same_file(path, new_path))
				consider(path, new, base, said);
			free(path);
		}
		free(names[i]);
	}
	free(names);
	return 0;
}

int baseline_find(const char *folder, const char *new_path, const json_t *new, json_t **base, json_t **said,
                  struct error *error)
{
	int status;

	*base = NULL;
	*said = json_pack("{s:n, s:n, s:[]}", "path", "started", "passed_over");
	if (!*said)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	status = look_through(folder, new_path, new, base, *said, error);
	if (status == 0 && !*base)
		status = error_set(error, ERROR_PLAN,
		                   "--baseline-dir %s: none of its %zu other run files can be the baseline: it takes a "
		                   "complete run of the same plan, valid and within its limits",
		                   folder, json_array_size(json_object_get(*said, "passed_over")));
	return status;
}
