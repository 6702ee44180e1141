/* SPDX-License-Identifier: Apache-2.0 */
/* Marks of acceptance, beside run files. */
#include "host/commands/compare/accepted.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/base/clock.h"
#include "host/report/output_file.h"
#include "host/report/value.h"

enum { SCHEMA = 1 };

/* The caller's to free; NULL when out of memory. */
static char *mark_path(const char *path)
{
	char *mark;

	return asprintf(&mark, "%s.accepted", path) < 0 ? NULL : mark;
}

/* Run files have no number of their own, but no tester begins two runs of one name in one second and ends both in one.
 */
static bool is_of(const json_t *mark, const json_t *report)
{
	return json_equal(json_object_get(mark, "started"), json_object_get(report, "started")) &&
	       json_equal(json_object_get(mark, "finished"), json_object_get(report, "finished"));
}

enum acceptance accepted_of(const char *path, const json_t *report)
{
	char *name = mark_path(path);
	json_t *mark = name ? json_load_file(name, JSON_REJECT_DUPLICATES, NULL) : NULL;
	enum acceptance acceptance = NOT_ACCEPTED;

	if (json_integer_value(json_object_get(mark, "fpgauge_accepted")) == SCHEMA && is_of(mark, report))
		acceptance = json_is_string(json_object_get(mark, "reason")) ? ACCEPTED_LEVEL : ACCEPTED;
	json_decref(mark);
	free(name);
	return acceptance;
}

static int write_mark(FILE *out, const void *mark)
{
	return json_dumpf(mark, out, JSON_INDENT(1)) || fputc('\n', out) == EOF ? -1 : 0;
}

int accepted_mark(const char *path, const json_t *report, const char *reason, struct error *error)
{
	char *name = mark_path(path), now[CLOCK_TEXT_SIZE];
	json_t *mark;
	int status;

	if (!reason && accepted_of(path, report) != NOT_ACCEPTED) {
		free(name);
		return 0;
	}
	clock_rfc3339_now(now, false);
	mark = json_pack("{s:i, s:O, s:O, s:s, s:s, s:s?}", "fpgauge_accepted", SCHEMA, "started",
	                 json_object_get(report, "started"), "finished", json_object_get(report, "finished"),
	                 "accepted", now, "by", reason ? "person" : "gate", "reason", reason);
	status = name && mark ? output_file("--accept", name, write_mark, mark, error)
	                      : error_set(error, ERROR_PLAN, "%s: cannot be accepted: %s", path,
	                                  name ? "the reason is no UTF-8" : "out of memory");
	json_decref(mark);
	free(name);
	return status;
}

bool accepted_is_run_file(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot != name && !strcmp(dot, ".db");
}

int accepted_check_place(const char *folder, const char *path, struct error *error)
{
	char *copy = strdup(path);
	struct stat its, asked;
	int status = 0;

	if (!copy)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	if (!accepted_is_run_file(path) || stat(folder, &asked) || stat(dirname(copy), &its) ||
	    asked.st_dev != its.st_dev || asked.st_ino != its.st_ino)
		status = error_set(error, ERROR_PLAN,
		                   "%s: cannot be accepted: only a file NAME.db in the folder %s itself is found by "
		                   "later comparisons",
		                   path, folder);
	free(copy);
	return status;
}
