/* SPDX-License-Identifier: Apache-2.0 */
/* Making, opening and closing a run file; what every statement shares. */
#include "host/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "host/store/private.h"
#include "host/store/schema.h"

enum { BUSY_MS = 10000, SQL_SIZE = 4096 };

int store_fail(const struct store *store, struct error *error, const char *format, ...)
{
	char what[256];
	va_list arguments;
	int code = sqlite3_errcode(store->database) & 0xff;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
		return error_set(error, ERROR_STORE, "%s: %s: the file is damaged: %s", store->path, what,
		                 sqlite3_errmsg(store->database));
	if (sqlite3_system_errno(store->database) && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN))
		return error_set(error, ERROR_STORE, "%s: %s: %s (%s)", store->path, what,
		                 sqlite3_errmsg(store->database), strerror(sqlite3_system_errno(store->database)));
	return error_set(error, ERROR_STORE, "%s: %s: %s", store->path, what, sqlite3_errmsg(store->database));
}

int store_exec(struct store *store, const char *sql, struct error *error)
{
	if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(store, error, "%.40s", sql);
	return 0;
}

int store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement, struct error *error)
{
	if (sqlite3_prepare_v2(store->database, sql, -1, statement, NULL) != SQLITE_OK)
		return store_fail(store, error, "%.40s", sql);
	return 0;
}

int store_step(struct store *store, sqlite3_stmt *statement, const char *what, struct error *error)
{
	int status = 0;

	if (sqlite3_step(statement) != SQLITE_DONE)
		status = store_fail(store, error, "%s", what);
	sqlite3_reset(statement);
	return status;
}

int store_end(struct store *store, int status, const char *what, struct error *error)
{
	if (status == 0 && sqlite3_exec(store->database, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
		status = store_fail(store, error, "%s", what);
	if (status && !sqlite3_get_autocommit(store->database))
		sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
	return status;
}

int store_integer(struct store *store, const char *sql, int64_t *value, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store, sql, &statement, error);

	if (status == 0 && sqlite3_step(statement) != SQLITE_ROW)
		status = store_fail(store, error, "%.40s", sql);
	if (status == 0)
		*value = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return status;
}

uint32_t store_checksum_text(const char *text)
{
	return (uint32_t)crc32(0, (const unsigned char *)text, (uInt)strlen(text));
}

const struct store_run *store_run(const struct store *store)
{
	return &store->run;
}

const char *store_path(const struct store *store)
{
	return store->path;
}

bool store_complete(const struct store *store)
{
	return store->run.finished && !store->run.incomplete;
}

uint64_t store_trial_count(const struct store *store)
{
	return store->trial_count;
}

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
	/* A file that nobody writes is one file, without -wal and -shm beside it: it can be copied, and read where
	 * nothing can be written. Not possible while somebody reads it; then the next one to close it does. */
	if (store->writing)
		sqlite3_exec(store->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	sqlite3_close(store->database);
	/* Last: closing any descriptor of a file drops all of SQLite's own locks on it. */
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

	/* ":memory:" and "file:..." are names of files here. */
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
	char sql[SQL_SIZE];
	int status = store_exec(store, SCHEMA_TABLES, error);

	if (status == 0)
		status = store_exec(store, schema_trial_table(sql, sizeof(sql)), error);
	if (status == 0)
		status = store_exec(store, schema_port_table(sql, sizeof(sql)), error);
	if (status == 0)
		status = store_exec(store, SCHEMA_ORIGIN, error);
	if (status == 0)
		status = store_exec(store, SCHEMA_VIEWS, error);
	if (status == 0)
		status = store_exec(store, views, error);
	snprintf(sql, sizeof(sql), "PRAGMA application_id = %d; PRAGMA user_version = %d", STORE_APPLICATION_ID,
	         STORE_SCHEMA_VERSION);
	if (status == 0)
		status = store_exec(store, sql, error);
	return status;
}

/* All or nothing: a program that dies here leaves a file without a run in it. */
static int create_contents(struct store *store, const struct store_run *run, const char *views, struct error *error)
{
	int status = begin_writing(store, error);

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

/* A file that is there and holds something is somebody's measurements. */
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
	return error_set(error, ERROR_STORE, "%s: exists and is no run file; must be a new file", path);
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

/* What the file says of itself: another program's, another version's, an empty one. */
static int check_schema(struct store *store, struct error *error)
{
	int64_t application = 0, version = 0, tables = 0;
	int status = store_integer(store, "PRAGMA application_id", &application, error);

	if (status == 0)
		status = store_integer(store, "PRAGMA user_version", &version, error);
	if (status == 0)
		status = store_integer(store, "SELECT count(*) FROM sqlite_master", &tables, error);
	if (status)
		return status;
	if (tables == 0)
		return error_set(error, ERROR_STORE, "%s: no run is in it: nothing was measured yet", store->path);
	if (application != STORE_APPLICATION_ID)
		return error_set(error, ERROR_STORE, "%s: is an SQLite database, but no run file of fpgauge",
		                 store->path);
	if (version != STORE_SCHEMA_VERSION)
		return error_set(error, ERROR_STORE,
		                 "%s: has schema version %lld; this program (fpgauge " FPGAUGE_VERSION
		                 ") reads version %d: %s",
		                 store->path, (long long)version, STORE_SCHEMA_VERSION,
		                 version > STORE_SCHEMA_VERSION ? "use a newer fpgauge" : "use an older fpgauge");
	return 0;
}

static int check_integrity(struct store *store, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store, "PRAGMA quick_check(1)", &statement, error);
	const char *found = NULL;

	if (status == 0 && sqlite3_step(statement) != SQLITE_ROW)
		status = store_fail(store, error, "cannot be checked");
	if (status == 0)
		found = (const char *)sqlite3_column_text(statement, 0);
	if (found && strcmp(found, "ok") != 0)
		status = error_set(error, ERROR_STORE, "%s: the file is damaged: %s", store->path, found);
	sqlite3_finalize(statement);
	return status;
}

/* SQLite says no more than "unable to open database file". */
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
 * SQLite does it at the first look; nothing else is written. */
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

static int open_contents(struct store *store, enum store_access access_kind, struct error *error)
{
	int64_t count = 0, last = 0;
	int status = store_distrust(store, error);

	if (status == 0)
		status = check_schema(store, error);
	if (status == 0)
		status = check_integrity(store, error);
	if (status == 0)
		status = store_check_layout(store, error);
	if (status == 0)
		status = store_run_read(store, error);
	if (status == 0 && access_kind == STORE_RESUME && !store_complete(store)) /* else there is nothing to write */
		status = begin_writing(store, error);
	if (status == 0)
		status = store_integer(store, "SELECT count(*) FROM trial", &count, error);
	if (status == 0)
		status = store_integer(store, "SELECT coalesce(max(number), 0) FROM trial", &last, error);
	if (status == 0 && count != last)
		status = error_set(error, ERROR_STORE,
		                   "%s: the file is damaged: %lld trials, the last of which is number %lld",
		                   store->path, (long long)count, (long long)last);
	store->trial_count = (uint64_t)count;
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
