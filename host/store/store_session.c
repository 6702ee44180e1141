/* SPDX-License-Identifier: Apache-2.0 */
/* The sessions of the program on a run file: one makes the run, others resume it. */
#include "host/base/clock.h"
#include "host/store/store_run.h"

int store_session_begin(struct store *store, const char *command, const char *tool, const char *host,
                        struct error *error)
{
	sqlite3_stmt *statement = NULL;
	char started[40];
	int status = store_prepare(store,
	                           "INSERT INTO session (command, tool, host, first_trial, started) "
	                           "VALUES (?, ?, ?, ?, ?)",
	                           &statement, error);

	clock_rfc3339_now(started, true);
	if (status == 0)
		status = store_exec(store, "UPDATE run SET finished = NULL, incomplete = 'not at its end'", error);
	if (status == 0) {
		sqlite3_bind_text(statement, 1, command, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, 2, tool, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, 3, host, -1, SQLITE_STATIC);
		sqlite3_bind_int64(statement, 4, (int64_t)store->trial_count + 1);
		sqlite3_bind_text(statement, 5, started, -1, SQLITE_STATIC);
		status = store_step(store, statement, "the session cannot be written", error);
	}
	store->session = sqlite3_last_insert_rowid(store->database);
	sqlite3_finalize(statement);
	return status;
}

/* The results are those of the tool of the last session: a resumed run makes all of them again. */
static int update_run(struct store *store, const char *ended, const char *outcome, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store,
	                           "UPDATE run SET finished = ?, incomplete = ?, "
	                           "tool = (SELECT tool FROM session WHERE number = ?)",
	                           &statement, error);

	if (status == 0) {
		sqlite3_bind_text(statement, 1, ended, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, 2, outcome, -1, SQLITE_STATIC);
		sqlite3_bind_int64(statement, 3, store->session);
		status = store_step(store, statement, "the end of the run cannot be written", error);
	}
	sqlite3_finalize(statement);
	return status;
}

static int update_session(struct store *store, const char *ended, const char *outcome, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status =
	        store_prepare(store, "UPDATE session SET ended = ?, outcome = ? WHERE number = ?", &statement, error);

	if (status == 0) {
		sqlite3_bind_text(statement, 1, ended, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, 2, outcome ? outcome : "complete", -1, SQLITE_STATIC);
		sqlite3_bind_int64(statement, 3, store->session);
		status = store_step(store, statement, "the end of the session cannot be written", error);
	}
	sqlite3_finalize(statement);
	return status;
}

int store_session_end(struct store *store, const char *outcome, struct error *error)
{
	char ended[40];
	int status = store_exec(store, "BEGIN IMMEDIATE", error);

	clock_rfc3339_now(ended, false);
	if (status == 0) {
		status = update_session(store, ended, outcome, error);
		if (status == 0)
			status = update_run(store, ended, outcome, error);
		status = store_end(store, status, "the end of the session cannot be written", error);
	}
	if (status == 0) { /* the run read on opening is out of date */
		store_run_free(&store->run);
		status = store_run_read(store, error);
	}
	return status;
}
