/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that all statements share. */
#include "host/store/database.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

int store_fail(const struct store *store, struct error *error, const char *format, ...)
{
	char what[256];
	va_list arguments;
	int code = sqlite3_errcode(store->database) & 0xff;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
		return error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE, "%s: %s: the file is damaged: %s",
		                    store->path, what, sqlite3_errmsg(store->database));
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
