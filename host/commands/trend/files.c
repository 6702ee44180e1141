/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for run files in folders, as a laboratory or a sweep leaves them. */
#include "host/commands/trend/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/base/array.h"
#include "host/base/json_write.h"
#include "host/base/text.h"
#include "host/commands/compare/baseline.h"
#include "host/trend/trend.h"

struct file_id {
	dev_t device;
	ino_t inode;
};

struct reading {
	json_t *runs, *passed_over;
	struct file_id *seen;
	size_t seen_count;
	struct error *error;
};

static int out_of_memory(struct reading *reading)
{
	return error_set(reading->error, ERROR_INTERNAL, "out of memory");
}

/* A file may be named by itself and by its folder, or have two names. */
static bool is_seen(const struct reading *reading, const struct stat *status)
{
	for (size_t i = 0; i < reading->seen_count; i++) {
		if (reading->seen[i].device == status->st_dev && reading->seen[i].inode == status->st_ino)
			return true;
	}
	return false;
}

/* Names of files are any octets, JSON is UTF-8. Reasons mostly begin with the name, which is said already. */
static void pass_over(struct reading *reading, const char *path, const char *why)
{
	const size_t length = strlen(path);
	char *shown = text_repaired(path);

	if (!strncmp(why, path, length) && !strncmp(why + length, ": ", 2))
		why += length + 2;
	json_add(reading->passed_over, json_pack("{s:s, s:s}", "path", shown ? shown : "-", "why", why));
	free(shown);
}

static json_t *run_of(const json_t *report, const char *path)
{
	char *shown = text_repaired(path);
	json_t *run = shown ? trend_run(report, shown) : NULL;

	free(shown);
	return run;
}

static int read_file(struct reading *reading, const char *path, const struct stat *status)
{
	struct file_id *id;
	struct error error = {0};
	json_t *report, *run;

	if (is_seen(reading, status))
		return 0;
	id = array_add(&reading->seen, reading->seen_count, sizeof(*id));
	if (!id)
		return out_of_memory(reading);
	*id = (struct file_id){status->st_dev, status->st_ino};
	reading->seen_count++;
	if (baseline_load(path, &report, &error)) {
		pass_over(reading, path, error.text);
		return 0;
	}
	run = run_of(report, path);
	json_decref(report);
	if (!run)
		return out_of_memory(reading);
	if (json_array_size(json_object_get(run, "results")))
		json_add_shared(reading->runs, run);
	else
		pass_over(reading, path, "it has no results");
	json_decref(run);
	return 0;
}

static int is_not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static bool is_run_file(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && !strcmp(dot, ".db");
}

static int read_folder(struct reading *reading, const char *folder, unsigned depth);

/* Reads an entry of a folder. What has vanished since it was listed is no run. */
static int read_entry(struct reading *reading, const char *folder, const char *name, unsigned depth)
{
	struct stat status;
	int result = 0;
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return out_of_memory(reading);
	if (stat(path, &status) == 0) {
		if (S_ISDIR(status.st_mode) && depth > 0)
			result = read_folder(reading, path, depth - 1);
		else if (S_ISREG(status.st_mode) && is_run_file(name))
			result = read_file(reading, path, &status);
	}
	free(path);
	return result;
}

static int read_folder(struct reading *reading, const char *folder, unsigned depth)
{
	struct dirent **names;
	const int count = scandir(folder, &names, is_not_hidden, alphasort);
	int result = 0;

	if (count < 0) {
		pass_over(reading, folder, strerror(errno));
		return 0;
	}
	for (int i = 0; i < count; i++) {
		if (!result)
			result = read_entry(reading, folder, names[i]->d_name, depth);
		free(names[i]);
	}
	free(names);
	return result;
}

static int read_path(struct reading *reading, const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return error_set(reading->error, ERROR_PLAN, "%s: cannot be read: %s", path, strerror(errno));
	return S_ISDIR(status.st_mode) ? read_folder(reading, path, 1) : read_file(reading, path, &status);
}

int trend_files_read(const char *const *paths, size_t count, json_t **runs, json_t **passed_over, struct error *error)
{
	struct reading reading = {.runs = json_array(), .passed_over = json_array(), .error = error};
	int result = 0;

	for (size_t i = 0; i < count && !result; i++)
		result = read_path(&reading, paths[i]);
	if (!result && json_array_size(reading.runs) == 0) {
		const json_t *first = json_array_get(reading.passed_over, 0);

		result = first ? error_set(error, ERROR_PLAN,
		                           "none of %zu files is a run with results; the first: %s: %s",
		                           json_array_size(reading.passed_over),
		                           json_string_value(json_object_get(first, "path")),
		                           json_string_value(json_object_get(first, "why")))
		               : error_set(error, ERROR_PLAN, "%s: has no run file, NAME.db", paths[0]);
	}
	free(reading.seen);
	*runs = reading.runs;
	*passed_over = reading.passed_over;
	return result;
}
