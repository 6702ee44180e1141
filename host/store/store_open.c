/* SPDX-License-Identifier: Apache-2.0 */
/* Makes, opens and closes a run file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/store/json_extract.h"
#include "host/store/layout.h"
#include "host/store/schema.h"
#include "host/store/store_check.h"
#include "host/store/store_magic.h"
#include "host/store/store_origin.h"
#include "host/store/store_run.h"
#include "host/store/store_trial.h"

enum { BUSY_MS = 10000 };

static struct store *store_new(const char *path, struct error *error)
{
	struct store *store = calloc(1, sizeof(*store));

	if (store)
		store->path = strdup(path);
	if (!store || !store->path) {
		free(store);
		error_set(error, ERROR_INTERNAL, "out of memory");
		return NULL;
	}
	store->lock = -1;
	return store;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	store_trials_finalize(store);
	/* A run file that nobody writes is a single file, without -wal and -shm beside it: it can be copied, and read
	 * where nothing can be written. This is not possible while somebody reads it; then the next to close it does
	 * it. */
	if (store->writing)
		sqlite3_exec(store->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	sqlite3_close(store->database);
	/* The lock comes last: closing any descriptor of a file drops all of SQLite's own locks on it. */
	if (store->lock >= 0)
		close(store->lock);
	store_run_free(&store->run);
	free(store->path);
	free(store);
}

/* One writer at a time; the lock goes with the process, however it ends. */
static int take_lock(struct store *store, int flags, struct error *error)
{
	store->lock = open(store->path, O_RDWR | O_CLOEXEC | flags, 0666);
	if (store->lock < 0)
		return error_set(error, ERROR_STORE, "%s: cannot be %s: %s", store->path,
		                 flags & O_CREAT ? "created" : "opened for writing", strerror(errno));
	if (flock(store->lock, LOCK_EX | LOCK_NB))
		return error_set(error, ERROR_STORE, "%s: is in use by another run of fpgauge", store->path);
	return 0;
}

static int open_database(struct store *store, int flags, struct error *error)
{
	bool plain = store->path[0] == '/' || store->path[0] == '.';
	char *name;
	int status = 0;

	/* ":memory:" and "file:..." are names of ordinary files here. */
	if (asprintf(&name, "%s%s", plain ? "" : "./", store->path) < 0)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	if (sqlite3_open_v2(name, &store->database, flags, NULL) != SQLITE_OK)
		status = store_fail(store, error, "cannot be opened");
	else
		sqlite3_busy_timeout(store->database, BUSY_MS);
	free(name);
	return status;
}

static int begin_writing(struct store *store, struct error *error)
{
	int status = store_exec(store, "PRAGMA journal_mode = WAL", error);

	if (status == 0)
		status = store_exec(store, "PRAGMA synchronous = FULL", error);
	if (status == 0)
		status = store_exec(store, "PRAGMA foreign_keys = ON", error);
	store->writing = status == 0;
	return status;
}

static int create_tables(struct store *store, const char *views, struct error *error)
{
	char made[SCHEMA_SQL_SIZE];
	int status = store_exec(store, SCHEMA_TABLES, error);

	if (status == 0)
		status = store_exec(store, schema_trial_table(made, sizeof(made)), error);
	if (status == 0)
		status = store_exec(store, views, error);
	if (status == 0)
		status = store_exec(store, SCHEMA_TRIAL_VIEWS, error);
	if (status == 0)
		status = store_exec(store, schema_port_view(made, sizeof(made)), error);
	if (status == 0)
		status = store_exec(store, schema_flow_view(made, sizeof(made)), error);
	snprintf(made, sizeof(made), "PRAGMA application_id = %d; PRAGMA user_version = %d", STORE_APPLICATION_ID,
	         STORE_SCHEMA_VERSION);
	return status ? status : store_exec(store, made, error);
}

/* All or nothing: a program that dies here leaves a file with no run in it. */
static int create_contents(struct store *store, const struct store_run *run, const char *views, struct error *error)
{
	int status = begin_writing(store, error);

	if (status == 0 && json_extract_trust(store->database, &store->skips_columns) != SQLITE_OK)
		status = store_fail(store, error, "cannot be opened");
	if (status == 0)
		status = store_exec(store, "BEGIN IMMEDIATE", error);
	if (status == 0) {
		status = create_tables(store, views, error);
		if (status == 0)
			status = store_run_write(store, run, error);
		if (status == 0)
			status = store_origin_write(store, error);
		status = store_end(store, status, "cannot be written", error);
	}
	if (status == 0)
		status = store_run_read(store, error);
	return status ? status : store_trials_prepare(store, error);
}

/* A file that exists and is not empty is somebody's measurements. */
static int refuse_existing(const char *path, struct error *error)
{
	struct stat status;
	struct store *old;

	if (stat(path, &status))
		return 0;
	if (S_ISREG(status.st_mode) && status.st_size == 0)
		return 0;
	if (S_ISREG(status.st_mode) && store_open(path, STORE_REPORT, &old, error) == 0) {
		error_set(error, ERROR_STORE,
		          "%s: holds the run of %s that began %s; must be a new file (`fpgauge resume %s` goes on with "
		          "it)",
		          path, old->run.plan_path, old->run.started, path);
		store_close(old);
		return ERROR_STORE;
	}
	return error_set(error, ERROR_STORE, "%s: exists and is not a run file; must be a new file", path);
}

int store_create(const char *path, const struct store_run *run, const char *views, struct store **store,
                 struct error *error)
{
	struct store *made;
	int status = refuse_existing(path, error);

	*store = NULL;
	if (status)
		return status;
	made = store_new(path, error);
	if (!made)
		return ERROR_INTERNAL;
	status = take_lock(made, O_CREAT, error);
	if (status == 0)
		status = open_database(made, SQLITE_OPEN_READWRITE, error);
	if (status == 0)
		status = create_contents(made, run, views, error);
	if (status) {
		store_close(made);
		return status;
	}
	*store = made;
	return 0;
}

/* Refuses a file of another schema. A later schema begins here: its program brings an older file to its own version at
 * this place, or refuses it, and every place below sees only the newest. */
static int check_version(struct store *store, struct error *error)
{
	int64_t version = 0;
	int status = store_integer(store, "PRAGMA user_version", &version, error);

	if (status || version == STORE_SCHEMA_VERSION)
		return status;
	return error_set_as(error, ERROR_STORE, version > 0 ? ERROR_OF_NO_KIND : ERROR_DAMAGED_FILE,
	                    "%s: has schema version %lld; this program (fpgauge " FPGAUGE_VERSION
	                    ") reads version %d: %s",
	                    store->path, (long long)version, STORE_SCHEMA_VERSION,
	                    version > 0 ? "use a newer fpgauge" : "the file is damaged");
}

/* Checks what the file says about itself: it may be another program's, empty, of another schema or damaged. */
static int check_schema(struct store *store, struct error *error)
{
	int64_t application = 0, tables = 0;
	int status = store_integer(store, "PRAGMA application_id", &application, error);

	if (status == 0)
		status = store_integer(store, "SELECT count(*) FROM sqlite_master", &tables, error);
	if (status)
		return status;
	if (tables == 0)
		return error_set_as(error, ERROR_STORE, ERROR_NO_RUN_IN_FILE,
		                    "%s: no run is in it: nothing was measured yet", store->path);
	if (application == STORE_EARLY_APPLICATION_ID)
		return error_set(error, ERROR_STORE,
		                 "%s: is a run file that fpgauge wrote before its release 1, which this program cannot "
		                 "read: run the plan again, or read it with the build that wrote it",
		                 store->path);
	if (application != STORE_APPLICATION_ID)
		return error_set(error, ERROR_STORE, "%s: is an SQLite database, but not an fpgauge run file",
		                 store->path);
	return check_version(store, error);
}

static int check_integrity(struct store *store, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store, "PRAGMA quick_check(1)", &statement, error);
	const char *found = NULL;

	/* An invalid document is reported with its trial when it is read. */
	store->skips_columns = true;
	if (status == 0 && sqlite3_step(statement) != SQLITE_ROW)
		status = store_fail(store, error, "cannot be checked");
	store->skips_columns = false;
	if (status == 0)
		found = (const char *)sqlite3_column_text(statement, 0);
	if (found && strcmp(found, "ok") != 0)
		status = error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE, "%s: the file is damaged: %s",
		                      store->path, found);
	sqlite3_finalize(statement);
	return status;
}

/* SQLite itself would say no more than "unable to open database file". */
static int open_for_reading(struct store *store, struct error *error)
{
	struct stat status;

	if (stat(store->path, &status))
		return error_set(error, ERROR_STORE, "%s: cannot be read: %s", store->path, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return error_set(error, ERROR_STORE, "%s: must be a file", store->path);
	if (access(store->path, R_OK))
		return error_set(error, ERROR_STORE, "%s: cannot be read: %s", store->path, strerror(errno));
	return open_database(store, SQLITE_OPEN_READONLY, error);
}

/* A program that died in the middle of the change to or from WAL leaves a journal that only a writer may play back.
 * SQLite does so on the first access; nothing else is written. */
static int play_back(struct store *store, struct error *error)
{
	int64_t ignored;
	int status;

	sqlite3_close(store->database);
	store->database = NULL;
	status = open_database(store, SQLITE_OPEN_READWRITE, error);
	if (status == 0)
		status = store_integer(store, "SELECT count(*) FROM sqlite_master", &ignored, error);
	sqlite3_close(store->database);
	store->database = NULL;
	return status ? status : open_database(store, SQLITE_OPEN_READONLY, error);
}

static int check_readable(struct store *store, struct error *error)
{
	int64_t ignored;

	if (store_integer(store, "SELECT count(*) FROM sqlite_master", &ignored, error) == 0)
		return 0;
	return sqlite3_errcode(store->database) == SQLITE_READONLY ? play_back(store, error) : ERROR_STORE;
}

static int count_trials(struct store *store, struct error *error)
{
	int64_t count = 0, last = 0;
	int status = store_integer(store, "SELECT count(*) FROM trial", &count, error);

	if (status == 0)
		status = store_integer(store, "SELECT coalesce(max(number), 0) FROM trial", &last, error);
	if (status == 0 && count != last)
		status = error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE,
		                      "%s: the file is damaged: %lld trials, the last of which is number %lld",
		                      store->path, (long long)count, (long long)last);
	store->trial_count = (uint64_t)count;
	return status;
}

static int read_contents(struct store *store, struct error *error)
{
	int status = layout_check(store, error);

	if (status == 0)
		status = store_run_read(store, error);
	return status ? status : count_trials(store, error);
}

static int open_contents(struct store *store, enum store_access access_kind, struct error *error)
{
	int status = store_distrust(store, error);

	if (status == 0)
		status = check_schema(store, error);
	if (status == 0)
		status = check_integrity(store, error);
	if (status == 0)
		status = read_contents(store, error);
	if (status == 0 && access_kind == STORE_RESUME &&
	    !store_complete(store)) /* otherwise there is nothing to write */
		status = begin_writing(store, error);
	return status ? status : store_trials_prepare(store, error);
}

int store_open(const char *path, enum store_access access_kind, struct store **store, struct error *error)
{
	struct store *made = store_new(path, error);
	int status;

	*store = NULL;
	if (!made)
		return ERROR_INTERNAL;
	status = store_check_magic(made, error);
	if (status == 0 && access_kind == STORE_REPORT) {
		status = open_for_reading(made, error);
		if (status == 0)
			status = check_readable(made, error);
	} else if (status == 0) {
		status = take_lock(made, 0, error);
		if (status == 0)
			status = open_database(made, SQLITE_OPEN_READWRITE, error);
	}
	if (status == 0)
		status = open_contents(made, access_kind, error);
	if (status) {
		store_close(made);
		return status;
	}
	*store = made;
	return 0;
}
