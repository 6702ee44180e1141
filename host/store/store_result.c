/* SPDX-License-Identifier: Apache-2.0 */
/* Results and events. A result is stored as its document; the columns beside it are for queries in SQL. */
#include <stdio.h>

#include "host/base/clock.h"
#include "host/store/store_check.h"

/* A later test may add to an earlier result (RFC 9004 tells throughput what it hid), so a row may change. */
static int put_result(struct store *store, sqlite3_stmt *statement, size_t position, const struct store_result *result,
                      const char *now, struct error *error)
{
	sqlite3_bind_int64(statement, 1, (sqlite3_int64)position);
	sqlite3_bind_int64(statement, 2, result->test_number);
	sqlite3_bind_text(statement, 3, result->test, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 4, result->rfc, -1, SQLITE_STATIC);
	sqlite3_bind_int64(statement, 5, result->frame_octets);
	sqlite3_bind_int64(statement, 6, result->valid);
	sqlite3_bind_text(statement, 7, result->why_invalid, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 8, now, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 9, result->document, -1, SQLITE_STATIC);
	sqlite3_bind_int64(statement, 10, store_checksum_text(result->document));
	return store_step(store, statement, "a result cannot be written", error);
}

static int put_all(struct store *store, const struct store_result *results, size_t count, struct error *error)
{
	static const char SQL[] =
	        "INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (position) DO UPDATE SET "
	        "test_number = excluded.test_number, test = excluded.test, rfc = excluded.rfc, "
	        "frame_octets = excluded.frame_octets, valid = excluded.valid, why_invalid = excluded.why_invalid, "
	        "committed = excluded.committed, document = excluded.document, checksum = excluded.checksum "
	        "WHERE document <> excluded.document";
	sqlite3_stmt *statement = NULL;
	char now[40], trim[80];
	int status = store_prepare(store, SQL, &statement, error);

	clock_rfc3339_now(now, true);
	for (size_t i = 0; i < count && status == 0; i++)
		status = put_result(store, statement, i, &results[i], now, error);
	sqlite3_finalize(statement);
	snprintf(trim, sizeof(trim), "DELETE FROM result WHERE position >= %zu", count);
	return status ? status : store_exec(store, trim, error);
}

int store_results_put(struct store *store, const struct store_result *results, size_t count, struct error *error)
{
	int status = store_exec(store, "BEGIN IMMEDIATE", error);

	if (status)
		return status;
	status = put_all(store, results, count, error);
	return store_end(store, status, "results cannot be written", error);
}

int store_results_each(struct store *store, int (*each)(void *user, const struct store_result *result), void *user,
                       struct error *error)
{
	static const char SQL[] =
	        "SELECT test_number, test, rfc, frame_octets, valid, why_invalid, document, checksum, "
	        "position FROM result ORDER BY position";
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store, SQL, &statement, error), step = SQLITE_DONE;

	while (status == 0 && (step = sqlite3_step(statement)) == SQLITE_ROW) {
		struct store_result result;

		status = store_check_row(store, statement, "result", "nttnnTtnn", error);
		if (status)
			break;
		result = (struct store_result){
		        .test_number = (unsigned)sqlite3_column_int64(statement, 0),
		        .test = (const char *)sqlite3_column_text(statement, 1),
		        .rfc = (const char *)sqlite3_column_text(statement, 2),
		        .frame_octets = (uint32_t)sqlite3_column_int64(statement, 3),
		        .valid = sqlite3_column_int64(statement, 4) != 0,
		        .why_invalid = (const char *)sqlite3_column_text(statement, 5),
		        .document = (const char *)sqlite3_column_text(statement, 6),
		};

		if (store_checksum_text(result.document) != sqlite3_column_int64(statement, 7))
			status = error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE,
			                      "%s: the file is damaged: result %lld is not what was written",
			                      store->path, (long long)sqlite3_column_int64(statement, 8) + 1);
		else
			status = each(user, &result);
	}
	if (status == 0 && step != SQLITE_DONE)
		status = store_fail(store, error, "results cannot be read");
	sqlite3_finalize(statement);
	return status;
}

int store_event(struct store *store, const char *kind, const char *detail, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	char now[40];
	int status = store_prepare(store, "INSERT INTO event (session, time, kind, detail) VALUES (?, ?, ?, ?)",
	                           &statement, error);

	clock_rfc3339_now(now, true);
	if (status == 0) {
		sqlite3_bind_int64(statement, 1, store->session);
		sqlite3_bind_text(statement, 2, now, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, 3, kind, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, 4, detail, -1, SQLITE_STATIC);
		status = store_step(store, statement, "an event cannot be written", error);
	}
	sqlite3_finalize(statement);
	return status;
}
