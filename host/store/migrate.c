/* SPDX-License-Identifier: Apache-2.0 */
/* One step per version. A step knows the layouts before and after it, and verifies what it reads by the old checksums.
 * tests/run-files has files of all versions, made by the programs of their time. */
#include "host/store/migrate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/store/layout.h"
#include "host/store/old_trial.h"
#include "host/store/schema.h"
#include "host/store/store_check.h"
#include "host/store/trial_document.h"

static int check_old_layout(struct store *store, enum old_layout layout, struct error *error)
{
	char trial[SCHEMA_SQL_SIZE], port[SCHEMA_SQL_SIZE];
	const char *const sql[] = {SCHEMA_TABLES, old_trial_table(layout, trial, sizeof(trial)),
	                           old_port_table(layout, port, sizeof(port))};

	return layout_check(store, sql, sizeof(sql) / sizeof(sql[0]), error);
}

/* Calls `each` with every trial of a layout, in order. */
static int old_trials_each(struct store *store, enum old_layout layout,
                           int (*each)(struct store *store, sqlite3_stmt *to, int64_t number,
                                       const struct store_trial *trial, struct error *error),
                           sqlite3_stmt *to, struct error *error)
{
	struct old_trials trials;
	sqlite3_stmt *numbers = NULL;
	int status = old_trials_open(store, layout, &trials, error), step = SQLITE_DONE;

	if (status == 0)
		status = store_prepare(store, "SELECT number FROM trial ORDER BY number", &numbers, error);
	while (status == 0 && (step = sqlite3_step(numbers)) == SQLITE_ROW) {
		int64_t number = sqlite3_column_int64(numbers, 0);
		struct store_trial trial;

		status = old_trial_get(&trials, number, &trial, error);
		if (status == 0)
			status = each(store, to, number, &trial, error);
	}
	if (status == 0 && step != SQLITE_DONE)
		status = store_fail(store, error, "trials cannot be read");
	sqlite3_finalize(numbers);
	old_trials_close(&trials);
	return status;
}

static int put_checksum(struct store *store, sqlite3_stmt *to, int64_t number, const struct store_trial *trial,
                        struct error *error)
{
	sqlite3_bind_int64(to, 1, old_trial_checksum(OLD_2, trial));
	sqlite3_bind_int64(to, 2, number);
	return store_step(store, to, "a checksum cannot be written", error);
}

/* Histograms that were not taken are NULL; a checksum of version 2 covers them all the same. */
static int add_histograms(struct store *store, enum old_layout from, const char *alter, struct error *error)
{
	sqlite3_stmt *update = NULL;
	int status = check_old_layout(store, from, error);

	if (status == 0)
		status = store_exec(store, "CREATE TEMP TABLE seal (number INTEGER PRIMARY KEY, checksum INTEGER)",
		                    error);
	if (status == 0)
		status = store_prepare(store, "INSERT INTO temp.seal (checksum, number) VALUES (?, ?)", &update, error);
	if (status == 0)
		status = old_trials_each(store, from, put_checksum, update, error);
	sqlite3_finalize(update);
	if (status == 0)
		status = store_exec(store, alter, error);
	if (status == 0)
		status = store_exec(store,
		                    "UPDATE trial SET checksum = (SELECT seal.checksum FROM temp.seal WHERE "
		                    "seal.number = trial.number); DROP TABLE temp.seal",
		                    error);
	return status;
}

static int from_1_to_2(struct store *store, struct error *error)
{
	return add_histograms(store, OLD_1,
	                      "ALTER TABLE trial_port ADD COLUMN latency_histogram TEXT; "
	                      "ALTER TABLE trial_port ADD COLUMN tx_gap_histogram TEXT",
	                      error);
}

/* Schema 2 had no histogram of gaps for a few commits. */
static int complete_2(struct store *store, struct error *error)
{
	int64_t columns = 0;
	int status = store_integer(store,
	                           "SELECT count(*) FROM pragma_table_info('trial_port') WHERE name = "
	                           "'tx_gap_histogram'",
	                           &columns, error);

	if (status == 0 && columns == 0)
		status = add_histograms(store, OLD_2_EARLY, "ALTER TABLE trial_port ADD COLUMN tx_gap_histogram TEXT",
		                        error);
	return status;
}

static int put_documents(struct store *store, sqlite3_stmt *to, int64_t number, const struct store_trial *trial,
                         struct error *error)
{
	char *request = trial_request_text(&trial->request), *result = trial_result_text(&trial->result);
	int status = request && result ? 0 : error_set(error, ERROR_INTERNAL, "out of memory");

	if (status == 0) {
		sqlite3_bind_int64(to, 1, number);
		sqlite3_bind_text(to, 2, request, -1, SQLITE_STATIC);
		sqlite3_bind_text(to, 3, result, -1, SQLITE_STATIC);
		sqlite3_bind_int64(to, 4, trial_checksum(request, result));
		status = store_step(store, to, "a trial cannot be written", error);
	}
	free(request);
	free(result);
	return status;
}

static int make_documents(struct store *store, struct error *error)
{
	sqlite3_stmt *insert = NULL;
	int status = store_exec(store,
	                        "CREATE TEMP TABLE document (number INTEGER PRIMARY KEY, request TEXT, result TEXT, "
	                        "checksum INTEGER)",
	                        error);

	if (status == 0)
		status = store_prepare(store, "INSERT INTO temp.document VALUES (?, ?, ?, ?)", &insert, error);
	if (status == 0)
		status = old_trials_each(store, OLD_2, put_documents, insert, error);
	sqlite3_finalize(insert);
	return status;
}

/* A trial becomes two documents with every field of this program, so a later step that adds one finds it there. */
static int from_2_to_3(struct store *store, struct error *error)
{
	static const char MOVE[] = "CREATE TEMP TABLE place AS SELECT number, session, search, point, low, high, "
	                           "started, wall_s FROM trial; "
	                           "DROP VIEW IF EXISTS search_trace; DROP VIEW IF EXISTS loss_over_load; "
	                           "DROP TABLE trial_port; DROP TABLE trial";
	static const char FILL[] =
	        "INSERT INTO main.trial (number, session, search, point, low, high, started, wall_s, "
	        "request, result, checksum) SELECT place.*, request, result, checksum "
	        "FROM temp.place JOIN temp.document USING (number) ORDER BY number; "
	        "DROP TABLE temp.place; DROP TABLE temp.document";
	char trial[SCHEMA_SQL_SIZE], port[SCHEMA_SQL_SIZE];
	int status = complete_2(store, error);

	if (status == 0)
		status = check_old_layout(store, OLD_2, error);
	if (status == 0)
		status = make_documents(store, error);
	if (status == 0)
		status = store_exec(store, MOVE, error);
	if (status == 0)
		status = store_exec(store, schema_trial_table_4(trial, sizeof(trial)), error);
	store->skips_columns = true; /* there is no index on them yet */
	if (status == 0)
		status = store_exec(store, FILL, error);
	store->skips_columns = false;
	if (status == 0)
		status = store_exec(store, schema_port_view(port, sizeof(port)), error);
	return status ? status : store_exec(store, SCHEMA_TRIAL_VIEWS, error);
}

/* -- to schemas 4 to 6: more keys in the documents ------------------------------------------------------------------
 */

static int check_layout_4(struct store *store, struct error *error)
{
	char trial[SCHEMA_SQL_SIZE];
	const char *const sql[] = {SCHEMA_TABLES, schema_trial_table_4(trial, sizeof(trial))};

	return layout_check(store, sql, sizeof(sql) / sizeof(sql[0]), error);
}

/* Schema 4 has more keys in its results, and the same tables. The last step writes all documents anew, and adds these
 * keys too. */
static int from_3_to_4(struct store *store, struct error *error)
{
	return check_layout_4(store, error);
}

static int damaged(const struct store *store, int64_t number, const char *what, const char *why, struct error *error)
{
	return error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE, "%s: the file is damaged: trial %" PRId64 "%s%s",
	                    store->path, number, what, why);
}

/* Makes documents of today from those that a program of versions 3 to 5 wrote; neither is made when they, or what was
 * written, are not as they should be. */
static int renew_documents(const struct store *store, int64_t number, const char *const old[2], char *made[2],
                           struct error *error)
{
	struct store_trial trial;
	char why[256];
	int status = 0;

	made[1] = NULL;
	made[0] = trial_request_from_5(old[0], why, sizeof(why));
	if (!made[0] || trial_request_read(made[0], &trial.request, why, sizeof(why)))
		status = damaged(store, number, ": request", why, error);
	if (status == 0)
		made[1] = trial_result_from_5(old[1], why, sizeof(why));
	if (status == 0 && (!made[1] || trial_result_read(made[1], &trial.result, why, sizeof(why))))
		status = damaged(store, number, ": result", why, error);
	if (status) {
		free(made[0]);
		free(made[1]);
	}
	return status;
}

/* Puts the row that `from` is at. */
static int put_renewed(struct store *store, sqlite3_stmt *from, sqlite3_stmt *to, struct error *error)
{
	const int64_t number = sqlite3_column_int64(from, 0);
	const char *old[2];
	char *made[2];
	int status = store_check_row(store, from, "trial", "nttn", error);

	if (status)
		return status;
	old[0] = store_whole_text(from, 1);
	old[1] = store_whole_text(from, 2);
	if (!old[0] || !old[1] || sqlite3_column_int64(from, 3) != trial_checksum(old[0], old[1]))
		return damaged(store, number, " is not what was written", "", error);
	status = renew_documents(store, number, old, made, error);
	if (status)
		return status;
	sqlite3_bind_int64(to, 1, number);
	sqlite3_bind_text(to, 2, made[0], -1, SQLITE_STATIC);
	sqlite3_bind_text(to, 3, made[1], -1, SQLITE_STATIC);
	sqlite3_bind_int64(to, 4, trial_checksum(made[0], made[1]));
	status = store_step(store, to, "a trial cannot be written", error);
	free(made[0]);
	free(made[1]);
	return status;
}

static int renew_all(struct store *store, struct error *error)
{
	sqlite3_stmt *from = NULL, *to = NULL;
	int status = store_prepare(store, "SELECT number, request, result, checksum FROM trial ORDER BY number", &from,
	                           error);
	int step = SQLITE_DONE;

	if (status == 0)
		status = store_prepare(store, "INSERT INTO temp.document VALUES (?, ?, ?, ?)", &to, error);
	while (status == 0 && (step = sqlite3_step(from)) == SQLITE_ROW)
		status = put_renewed(store, from, to, error);
	if (status == 0 && step != SQLITE_DONE)
		status = store_fail(store, error, "trials cannot be read");
	sqlite3_finalize(from);
	sqlite3_finalize(to);
	return status;
}

/* Puts the documents of temp.document into the table. */
static int move_documents(struct store *store, struct error *error)
{
	static const char FILL[] =
	        "UPDATE main.trial SET (request, result, checksum) = (SELECT made.request, made.result, made.checksum "
	        "FROM temp.document AS made WHERE made.number = trial.number); DROP TABLE temp.document";
	int64_t indexes = 0;
	/* Somebody's index on generated columns needs them. */
	int status =
	        store_integer(store, "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND tbl_name = 'trial'",
	                      &indexes, error);

	store->skips_columns = indexes == 0;
	if (status == 0)
		status = store_exec(store, FILL, error);
	store->skips_columns = false;
	return status;
}

/* A request says all of its traffic. The last step adds the keys. */
static int from_4_to_5(struct store *store, struct error *error)
{
	char text[SCHEMA_SQL_SIZE];
	int status = check_layout_4(store, error);

	return status ? status : store_exec(store, schema_trial_columns_5(text, sizeof(text)), error);
}

static int check_layout_5(struct store *store, struct error *error)
{
	char trial[SCHEMA_SQL_SIZE];
	const char *const sql[] = {SCHEMA_TABLES, schema_trial_table_5(trial, sizeof(trial))};

	return layout_check(store, sql, sizeof(sql) / sizeof(sql[0]), error);
}

/* A result has flows. */
static int from_5_to_6(struct store *store, struct error *error)
{
	char text[SCHEMA_SQL_SIZE];
	int status = check_layout_5(store, error);

	if (status == 0)
		status =
		        store_exec(store,
		                   "CREATE TEMP TABLE document (number INTEGER PRIMARY KEY, request TEXT, result TEXT, "
		                   "checksum INTEGER)",
		                   error);
	if (status == 0)
		status = renew_all(store, error);
	if (status == 0)
		status = move_documents(store, error);
	if (status == 0)
		status = store_exec(store, schema_trial_columns_6(text, sizeof(text)), error);
	if (status == 0)
		status = store_exec(store, "DROP VIEW IF EXISTS trial_port; DROP VIEW IF EXISTS trial_flow", error);
	if (status == 0)
		status = store_exec(store, schema_port_view(text, sizeof(text)), error);
	return status ? status : store_exec(store, schema_flow_view(text, sizeof(text)), error);
}

int migrate(struct store *store, int64_t version, struct error *error)
{
	/* [n] goes from n to n + 1 */
	static int (*const STEPS[STORE_SCHEMA_VERSION])(struct store * store, struct error * error) = {
	        [1] = from_1_to_2, [2] = from_2_to_3, [3] = from_3_to_4, [4] = from_4_to_5, [5] = from_5_to_6};
	char sql[60];
	int status = store_exec(store, "BEGIN IMMEDIATE", error);

	for (int64_t i = version; i < STORE_SCHEMA_VERSION && status == 0; i++)
		status = STEPS[i](store, error);
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d", STORE_SCHEMA_VERSION);
	return status ? status : store_exec(store, sql, error);
}

int migrate_to_memory(struct store *store, struct error *error)
{
	sqlite3 *memory = NULL;
	sqlite3_backup *backup = NULL;
	int status = 0;

	if (sqlite3_open(":memory:", &memory) == SQLITE_OK)
		backup = sqlite3_backup_init(memory, "main", store->database, "main");
	if (backup)
		sqlite3_backup_step(backup, -1);
	if (!backup || sqlite3_backup_finish(backup) != SQLITE_OK)
		status = error_set(error, ERROR_STORE, "%s: cannot be copied into memory: %s", store->path,
		                   memory ? sqlite3_errmsg(memory) : "out of memory");
	if (status) {
		sqlite3_close(memory);
		return status;
	}
	sqlite3_close(store->database);
	store->database = memory;
	return store_distrust(store, error);
}
