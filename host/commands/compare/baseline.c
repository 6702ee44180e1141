/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files of a folder, and picks those that are held against a new one. */
#include "host/commands/compare/baseline.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/base/array.h"
#include "host/base/json_write.h"
#include "host/base/text.h"
#include "host/commands/compare/accepted.h"
#include "host/compare/compare.h"
#include "host/compare/history.h"
#include "host/report/load.h"
#include "host/report/schema_check.h"
#include "host/report/value.h"

static int check_schema(const char *path, const json_t *report, struct error *error)
{
	const json_t *schema = json_object_get(report, "schema");
	const json_int_t number = json_integer_value(schema); /* 0: none */
	char *says;

	if (number == REPORT_SCHEMA)
		return 0;
	says = schema ? json_dumps(schema, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	error_set(error, ERROR_PLAN, "%s: schema is %.40s; this program (fpgauge " FPGAUGE_VERSION ") reads schema %d",
	          path, says ? says : "not there", REPORT_SCHEMA);
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
	return accepted_is_run_file(entry->d_name);
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
	json_add(json_object_get(said, "passed_over"), json_pack("{s:o, s:s}", "path", name_of(path), "why", why));
}

/* Times are RFC 3339 in UTC, whose order is that of their texts. */
static bool is_later(const json_t *a, const json_t *b)
{
	return strcmp(value_string(a, "started"), value_string(b, "started")) > 0;
}

/* An accepted run. */
struct candidate {
	char *path;
	json_t *report;
	bool new_level;
};

struct candidates {
	struct candidate *list;
	size_t count, not_accepted;
};

/* Takes over path and report of one that is accepted; NULL is left of them. */
static void consider(struct candidates *candidates, char **path, json_t **report, const json_t *new, json_t *said)
{
	enum acceptance acceptance = NOT_ACCEPTED;
	struct candidate *one;
	char why[400];

	if (is_later(*report, new)) {
		pass_over(said, *path, "it began after NEW");
		return;
	}
	if (!compare_is_baseline(*report, new, why, sizeof(why))) {
		pass_over(said, *path, why);
		return;
	}
	acceptance = accepted_of(*path, *report);
	one = acceptance != NOT_ACCEPTED ? array_add(&candidates->list, candidates->count, sizeof(*one)) : NULL;
	if (!one) {
		candidates->not_accepted++;
		pass_over(said, *path, "nobody accepted it");
		return;
	}
	candidates->count++;
	*one = (struct candidate){*path, *report, acceptance == ACCEPTED_LEVEL};
	*path = NULL;
	*report = NULL;
}

/* Two that began in the same second are in the order of their names. */
static int by_date(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	const int order = strcmp(value_string(x->report, "started"), value_string(y->report, "started"));

	return order ? order : strcmp(x->path, y->path);
}

static void say(json_t *said, const struct candidates *candidates, size_t first)
{
	const size_t count = candidates->count;
	json_t *runs = json_array();

	for (size_t i = 0; i < count; i++) {
		const struct candidate *one = &candidates->list[i];

		if (i < first)
			pass_over(said, one->path, "it is older");
		else
			json_add(runs, json_pack("{s:o, s:O}", "path", name_of(one->path), "started",
			                         json_object_get(one->report, "started")));
	}
	if (count) {
		json_put_shared(said, "path", json_object_get(json_array_get(runs, count - 1 - first), "path"));
		json_put_shared(said, "started", json_object_get(json_array_get(runs, count - 1 - first), "started"));
	}
	json_put(said, "runs", runs);
	json_put(said, "not_accepted", json_integer((json_int_t)candidates->not_accepted));
}

/* Chooses runs from the last new level on, and not too many. Frees the candidates. */
static json_t *choose(struct candidates *candidates, json_t *said)
{
	json_t *runs = json_array();
	size_t first = 0;

	if (candidates->count)
		qsort(candidates->list, candidates->count, sizeof(*candidates->list), by_date);
	for (size_t i = 0; i < candidates->count; i++) {
		if (candidates->list[i].new_level || i >= first + HISTORY_MOST)
			first = candidates->list[i].new_level ? i : first + 1;
	}
	say(said, candidates, first);
	for (size_t i = 0; i < candidates->count; i++) {
		if (i >= first)
			json_add_shared(runs, candidates->list[i].report);
		json_decref(candidates->list[i].report);
		free(candidates->list[i].path);
	}
	free(candidates->list);
	return runs;
}

static void look_at(struct candidates *candidates, char *path, const json_t *new, json_t *said)
{
	struct error error = {0};
	json_t *report = NULL;

	if (baseline_load(path, &report, &error))
		pass_over(said, path, error.text);
	else
		consider(candidates, &path, &report, new, said);
	json_decref(report);
	free(path);
}

static int look_through(const char *folder, const char *new_path, const json_t *new, struct candidates *candidates,
                        json_t *said, struct error *error)
{
	struct dirent **names;
	int count = scandir(folder, &names, is_run_file, alphasort);

	if (count < 0)
		return error_set(error, ERROR_PLAN, "--baseline-dir %s: cannot be read: %s", folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		char *path;

		if (asprintf(&path, "%s/%s", folder, names[i]->d_name) >= 0) {
			if (is_same_file(path, new_path))
				free(path);
			else
				look_at(candidates, path, new, said);
		}
		free(names[i]);
	}
	free(names);
	return 0;
}

int baseline_find(const char *folder, const char *new_path, const json_t *new, json_t **runs, json_t **said,
                  struct error *error)
{
	struct candidates candidates = {0};
	int status;

	*runs = NULL;
	*said = json_pack("{s:n, s:n, s:[]}", "path", "started", "passed_over");
	if (!*said)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	status = look_through(folder, new_path, new, &candidates, *said, error);
	*runs = choose(&candidates, *said);
	return status;
}
