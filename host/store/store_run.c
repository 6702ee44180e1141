/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads what comes before the first trial: plan, limits, device. The sessions of the program on this file
 * are in store_session.c. */
#include "host/store/store_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/clock.h"
#include "host/base/text.h"
#include "host/store/store_check.h"
#include "host/store/store_info.h"

static const char *column_text(sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	return text ? text : "";
}

/* NULL stays NULL. *failed is set when out of memory. */
static char *copy_column(sqlite3_stmt *statement, int column, bool *failed)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);
	char *copy = text ? strdup(text) : NULL;

	*failed |= text && !copy;
	return copy;
}

/* Leaves NULL if the tester is a program, which has no registers. */
static void bind_device(sqlite3_stmt *statement, int at, const struct store_run *run)
{
	const struct device_identity *device = &run->device;
	const int64_t numbers[] = {device->map_version, device->map_hash,     device->ports,
	                           device->groups,      device->destinations, device->histogram_bins};

	if (!run->has_device)
		return;
	sqlite3_bind_text(statement, at++, device->backend, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, at++, device->name, -1, SQLITE_STATIC);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sqlite3_bind_int64(statement, at++, numbers[i]);
}

static void read_device(sqlite3_stmt *statement, int at, struct store_run *run)
{
	struct device_identity *device = &run->device;

	run->has_device = sqlite3_column_type(statement, at) != SQLITE_NULL;
	text_copy(device->backend, sizeof(device->backend), column_text(statement, at));
	text_copy(device->name, sizeof(device->name), column_text(statement, at + 1));
	device->map_version = (uint32_t)sqlite3_column_int64(statement, at + 2);
	device->map_hash = (uint32_t)sqlite3_column_int64(statement, at + 3);
	device->ports = (unsigned)sqlite3_column_int64(statement, at + 4);
	device->groups = (unsigned)sqlite3_column_int64(statement, at + 5);
	device->destinations = (unsigned)sqlite3_column_int64(statement, at + 6);
	device->histogram_bins = (unsigned)sqlite3_column_int64(statement, at + 7);
	device->link_bps = run->link_bps;
}

static int write_heading(struct store *store, const struct store_run *run, struct error *error)
{
	static const char SQL[] = "INSERT INTO run (one, tool, plan_path, tester, link_bps, calibration, "
	                          "started, incomplete, device_backend, device_name, device_map_version, "
	                          "device_map_hash, device_ports, device_groups, device_destinations, "
	                          "device_histogram_bins) "
	                          "VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
	sqlite3_stmt *statement = NULL;
	char started[40];
	int status = store_prepare(store, SQL, &statement, error);

	if (status)
		return status;
	clock_rfc3339_now(started, false);
	sqlite3_bind_text(statement, 1, run->tool, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 2, run->plan_path, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 3, run->tester, -1, SQLITE_STATIC);
	sqlite3_bind_int64(statement, 4, (int64_t)run->link_bps);
	sqlite3_bind_text(statement, 5, run->calibration, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 6, started, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 7, "not at its end", -1, SQLITE_STATIC);
	bind_device(statement, 8, run);
	status = store_step(store, statement, "the run cannot be written", error);
	sqlite3_finalize(statement);
	return status;
}

static int write_files(struct store *store, const struct store_run *run, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status =
	        store_prepare(store, "INSERT INTO plan_file (path, absolute_path, text, checksum) VALUES (?, ?, ?, ?)",
	                      &statement, error);

	for (size_t i = 0; i < run->file_count && status == 0; i++) {
		const struct store_plan_file *file = &run->files[i];

		sqlite3_bind_text(statement, 1, file->path, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, 2, file->absolute_path, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, 3, file->text, -1, SQLITE_STATIC);
		sqlite3_bind_int64(statement, 4, store_checksum_text(file->text));
		status = store_step(store, statement, "the plan cannot be written", error);
	}
	sqlite3_finalize(statement);
	return status;
}

static int write_overrides(struct store *store, const struct store_run *run, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store, "INSERT INTO plan_override (text) VALUES (?)", &statement, error);

	for (size_t i = 0; i < run->override_count && status == 0; i++) {
		sqlite3_bind_text(statement, 1, run->overrides[i], -1, SQLITE_STATIC);
		status = store_step(store, statement, "--set cannot be written", error);
	}
	sqlite3_finalize(statement);
	return status;
}

static int write_requirements(struct store *store, const struct store_run *run, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store,
	                           "INSERT INTO requirement (test_number, frame_octets, key, at_least, limit_value) "
	                           "VALUES (?, ?, ?, ?, ?)",
	                           &statement, error);

	for (size_t i = 0; i < run->requirement_count && status == 0; i++) {
		const struct store_requirement *requirement = &run->requirements[i];

		sqlite3_bind_int64(statement, 1, requirement->test_number);
		sqlite3_bind_int64(statement, 2, requirement->frame_octets);
		sqlite3_bind_text(statement, 3, requirement->key, -1, SQLITE_STATIC);
		sqlite3_bind_int64(statement, 4, requirement->at_least);
		sqlite3_bind_double(statement, 5, requirement->limit);
		status = store_step(store, statement, "a limit cannot be written", error);
	}
	sqlite3_finalize(statement);
	return status;
}

int store_run_write(struct store *store, const struct store_run *run, struct error *error)
{
	int status = write_heading(store, run, error);

	if (status == 0)
		status = write_files(store, run, error);
	if (status == 0)
		status = write_overrides(store, run, error);
	if (status == 0)
		status = write_requirements(store, run, error);
	if (status == 0)
		status = store_info_write(store, run, error);
	return status;
}

static int out_of_memory(struct error *error)
{
	return error_set(error, ERROR_INTERNAL, "out of memory");
}

static int read_heading(struct store *store, struct error *error)
{
	static const char SQL[] = "SELECT tool, plan_path, tester, link_bps, calibration, started, finished, "
	                          "incomplete, device_backend, device_name, device_map_version, device_map_hash, "
	                          "device_ports, device_groups, device_destinations, device_histogram_bins FROM run";
	struct store_run *run = &store->run;
	sqlite3_stmt *statement = NULL;
	bool failed = false;
	int status = store_prepare(store, SQL, &statement, error);

	if (status)
		return status;
	if (sqlite3_step(statement) != SQLITE_ROW) {
		status = error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE,
		                      "%s: the file is damaged: table run is empty", store->path);
		sqlite3_finalize(statement);
		return status;
	}
	status = store_check_row(store, statement, "run", "tttnTtTTTTNNNNNN", error);
	if (status) {
		sqlite3_finalize(statement);
		return status;
	}
	run->tool = copy_column(statement, 0, &failed);
	run->plan_path = copy_column(statement, 1, &failed);
	run->tester = copy_column(statement, 2, &failed);
	run->link_bps = (uint64_t)sqlite3_column_int64(statement, 3);
	run->calibration = copy_column(statement, 4, &failed);
	run->started = copy_column(statement, 5, &failed);
	run->finished = copy_column(statement, 6, &failed);
	run->incomplete = copy_column(statement, 7, &failed);
	read_device(statement, 8, run);
	sqlite3_finalize(statement);
	return failed ? out_of_memory(error) : 0;
}

/* Makes room for one more element at the end of an array; NULL when out of memory. */
static void *grow(const void *array, size_t count, size_t size)
{
	return realloc((void *)(uintptr_t)array, (count + 1) * size);
}

/* False at the end, and on an error, which is in *status. */
static bool next_row(const struct store *store, sqlite3_stmt *statement, const char *table, const char *types,
                     int *status, struct error *error)
{
	int step = *status ? SQLITE_DONE : sqlite3_step(statement);

	if (step == SQLITE_ROW)
		*status = store_check_row(store, statement, table, types, error);
	else if (step != SQLITE_DONE)
		*status = store_fail(store, error, "table %s cannot be read", table);
	return step == SQLITE_ROW && *status == 0;
}

static int read_files(struct store *store, struct error *error)
{
	struct store_run *run = &store->run;
	sqlite3_stmt *statement = NULL;
	bool failed = false;
	int status = store_prepare(store, "SELECT path, absolute_path, text, checksum FROM plan_file ORDER BY number",
	                           &statement, error);

	while (!failed && next_row(store, statement, "plan_file", "tttn", &status, error)) {
		struct store_plan_file *files = grow(run->files, run->file_count, sizeof(*files));
		struct store_plan_file file;

		if (!files) {
			failed = true;
			break;
		}
		run->files = files;
		file.path = copy_column(statement, 0, &failed);
		file.absolute_path = copy_column(statement, 1, &failed);
		file.text = copy_column(statement, 2, &failed);
		files[run->file_count++] = file;
		if (!failed && store_checksum_text(file.text) != sqlite3_column_int64(statement, 3))
			status = error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE,
			                      "%s: the file is damaged: the text of the plan has another checksum",
			                      store->path);
	}
	sqlite3_finalize(statement);
	if (status == 0 && !failed && run->file_count == 0)
		status = error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE,
		                      "%s: the file is damaged: the plan is missing", store->path);
	if (status == 0 && !failed)
		run->plan_text = run->files[0].text;
	return failed ? out_of_memory(error) : status;
}

static int read_overrides(struct store *store, struct error *error)
{
	struct store_run *run = &store->run;
	sqlite3_stmt *statement = NULL;
	bool failed = false;
	int status = store_prepare(store, "SELECT text FROM plan_override ORDER BY number", &statement, error);

	while (!failed && next_row(store, statement, "plan_override", "t", &status, error)) {
		const char **overrides = grow(run->overrides, run->override_count, sizeof(*overrides));

		if (!overrides) {
			failed = true;
			break;
		}
		run->overrides = overrides;
		overrides[run->override_count++] = copy_column(statement, 0, &failed);
	}
	sqlite3_finalize(statement);
	return failed ? out_of_memory(error) : status;
}

static int read_requirements(struct store *store, struct error *error)
{
	struct store_run *run = &store->run;
	sqlite3_stmt *statement = NULL;
	bool failed = false;
	int status = store_prepare(store,
	                           "SELECT test_number, frame_octets, key, at_least, limit_value FROM requirement "
	                           "ORDER BY number",
	                           &statement, error);

	while (!failed && next_row(store, statement, "requirement", "nntnr", &status, error)) {
		struct store_requirement *requirements =
		        grow(run->requirements, run->requirement_count, sizeof(*requirements));

		if (!requirements) {
			failed = true;
			break;
		}
		run->requirements = requirements;
		requirements[run->requirement_count++] = (struct store_requirement){
		        .test_number = (unsigned)sqlite3_column_int64(statement, 0),
		        .frame_octets = (uint32_t)sqlite3_column_int64(statement, 1),
		        .key = copy_column(statement, 2, &failed),
		        .at_least = sqlite3_column_int64(statement, 3) != 0,
		        .limit = sqlite3_column_double(statement, 4),
		};
	}
	sqlite3_finalize(statement);
	return failed ? out_of_memory(error) : status;
}

int store_run_read(struct store *store, struct error *error)
{
	int status = read_heading(store, error);

	if (status == 0)
		status = read_files(store, error);
	if (status == 0)
		status = read_overrides(store, error);
	if (status == 0)
		status = read_requirements(store, error);
	if (status == 0)
		status = store_info_read(store, error);
	return status;
}

static void free_text(const char *text)
{
	free((char *)(uintptr_t)text);
}

void store_run_free(struct store_run *run)
{
	for (size_t i = 0; i < run->file_count; i++) {
		free_text(run->files[i].path);
		free_text(run->files[i].absolute_path);
		free_text(run->files[i].text);
	}
	for (size_t i = 0; i < run->override_count; i++)
		free_text(run->overrides[i]);
	for (size_t i = 0; i < run->requirement_count; i++)
		free_text(run->requirements[i].key);
	free((void *)(uintptr_t)run->files);
	free((void *)(uintptr_t)run->overrides);
	free((void *)(uintptr_t)run->requirements);
	store_info_free(run);
	free_text(run->tool);
	free_text(run->plan_path);
	free_text(run->tester);
	free_text(run->calibration);
	free_text(run->started);
	free_text(run->finished);
	free_text(run->incomplete);
	memset(run, 0, sizeof(*run));
}
