/* SPDX-License-Identifier: Apache-2.0 */
/* Trials: two documents per row, and where in the run they belong. */
#include "host/store/store_trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "host/store/fields.h"
#include "host/store/store_check.h"
#include "host/store/trial_document.h"

int store_trials_prepare(struct store *store, struct error *error)
{
	int status = store_prepare(store,
	                           "INSERT INTO trial (number, session, search, point, low, high, started, wall_s, "
	                           "request, result, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	                           &store->trial_insert, error);

	if (status == 0)
		status = store_prepare(store,
		                       "SELECT started, wall_s, request, result, checksum FROM trial WHERE number = ?",
		                       &store->trial_select, error);
	if (status == 0)
		status = store_prepare(store,
		                       "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND tbl_name = 'trial'",
		                       &store->trial_indexes, error);
	if (status == 0)
		status = store_prepare(store,
		                       "INSERT INTO search (test_number, test, frame_octets, repetition) "
		                       "VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
		                       &store->search_insert, error);
	if (status == 0)
		status = store_prepare(store,
		                       "SELECT number FROM search WHERE test_number = ? AND frame_octets = ? "
		                       "AND repetition = ?",
		                       &store->search_select, error);
	return status;
}

void store_trials_finalize(struct store *store)
{
	sqlite3_finalize(store->trial_insert);
	sqlite3_finalize(store->trial_select);
	sqlite3_finalize(store->trial_indexes);
	sqlite3_finalize(store->search_insert);
	sqlite3_finalize(store->search_select);
}

/* The search that a trial belongs to; created for its first trial. */
static int find_search(struct store *store, const struct store_place *place, int64_t *number, struct error *error)
{
	sqlite3_stmt *insert = store->search_insert, *select = store->search_select;
	int status;

	sqlite3_bind_int64(insert, 1, place->test_number);
	sqlite3_bind_text(insert, 2, place->test, -1, SQLITE_STATIC);
	sqlite3_bind_int64(insert, 3, place->frame_octets);
	sqlite3_bind_int64(insert, 4, place->repetition);
	status = store_step(store, insert, "a search cannot be written", error);
	if (status)
		return status;
	sqlite3_bind_int64(select, 1, place->test_number);
	sqlite3_bind_int64(select, 2, place->frame_octets);
	sqlite3_bind_int64(select, 3, place->repetition);
	if (sqlite3_step(select) == SQLITE_ROW)
		*number = sqlite3_column_int64(select, 0);
	else
		status = store_fail(store, error, "a search cannot be found");
	sqlite3_reset(select);
	return status;
}

/* Nothing reads the generated columns of a row while it is written, except an index that somebody made on them. */
static bool has_index(struct store *store)
{
	bool has = sqlite3_step(store->trial_indexes) != SQLITE_ROW || sqlite3_column_int(store->trial_indexes, 0) != 0;

	sqlite3_reset(store->trial_indexes);
	return has;
}

static int insert_trial(struct store *store, uint64_t number, int64_t search, const struct store_trial *trial,
                        struct error *error)
{
	sqlite3_stmt *statement = store->trial_insert;
	char *request = trial_request_text(&trial->request), *result = trial_result_text(&trial->result);
	int status = request && result ? 0 : error_set(error, ERROR_INTERNAL, "out of memory"), at = 1;

	if (status == 0) {
		sqlite3_bind_int64(statement, at++, (sqlite3_int64)number);
		sqlite3_bind_int64(statement, at++, store->session);
		sqlite3_bind_int64(statement, at++, search);
		sqlite3_bind_int64(statement, at++, (sqlite3_int64)trial->place.point);
		sqlite3_bind_int64(statement, at++, (sqlite3_int64)trial->place.low);
		sqlite3_bind_int64(statement, at++, (sqlite3_int64)trial->place.high);
		sqlite3_bind_text(statement, at++, trial->started, -1, SQLITE_STATIC);
		sqlite3_bind_double(statement, at++, trial->wall_s);
		sqlite3_bind_text(statement, at++, request, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, at++, result, -1, SQLITE_STATIC);
		sqlite3_bind_int64(statement, at++, trial_checksum(request, result));
		store->skips_columns = !has_index(store);
		status = store_step(store, statement, "a trial cannot be written", error);
		store->skips_columns = false;
		sqlite3_clear_bindings(statement);
	}
	free(request);
	free(result);
	return status;
}

int store_trial_add(struct store *store, const struct store_trial *trial, struct error *error)
{
	uint64_t number = store->trial_count + 1;
	int64_t search = 0;
	int status = store_exec(store, "BEGIN IMMEDIATE", error);

	if (status)
		return status;
	status = find_search(store, &trial->place, &search, error);
	if (status == 0)
		status = insert_trial(store, number, search, trial, error);
	status = store_end(store, status, "a trial cannot be written", error);
	if (status == 0)
		store->trial_count = number;
	return status;
}

static int damaged(const struct store *store, uint64_t number, struct error *error)
{
	return error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE,
	                    "%s: the file is damaged: trial %" PRIu64 " is not what was written", store->path, number);
}

static int read_documents(const struct store *store, uint64_t number, sqlite3_stmt *statement,
                          struct store_trial *trial, struct error *error)
{
	const char *request = store_whole_text(statement, 2), *result = store_whole_text(statement, 3);
	char why[256];

	if (!request || !result || sqlite3_column_int64(statement, 4) != trial_checksum(request, result))
		return damaged(store, number, error);
	if (trial_request_read(request, &trial->request, why, sizeof(why)))
		return error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE,
		                    "%s: the file is damaged: trial %" PRIu64 ": request%s", store->path, number, why);
	if (trial_result_read(result, &trial->result, why, sizeof(why)))
		return error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE,
		                    "%s: the file is damaged: trial %" PRIu64 ": result%s", store->path, number, why);
	return 0;
}

int store_trial_get(struct store *store, uint64_t number, struct store_trial *trial, struct error *error)
{
	sqlite3_stmt *statement = store->trial_select;
	int status;

	memset(trial, 0, sizeof(*trial));
	sqlite3_bind_int64(statement, 1, (sqlite3_int64)number);
	if (sqlite3_step(statement) != SQLITE_ROW)
		status = store_fail(store, error, "trial %" PRIu64 " cannot be read", number);
	else
		status = store_check_row(store, statement, "trial", "trttn", error);
	if (status == 0) {
		text_copy(trial->started, sizeof(trial->started), (const char *)sqlite3_column_text(statement, 0));
		trial->wall_s = sqlite3_column_double(statement, 1);
		status = read_documents(store, number, statement, trial, error);
	}
	sqlite3_reset(statement);
	return status;
}

int store_wall_s(struct store *store, unsigned test_number, uint32_t frame_octets, const char *modifiers,
                 double *seconds, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store,
	                           "SELECT total(wall_s) FROM trial JOIN search ON trial.search = search.number "
	                           "WHERE search.test_number = ? AND search.frame_octets = ? "
	                           "AND ifnull(json_extract(trial.request, '$.modifiers'), '') = ?",
	                           &statement, error);

	if (status == 0) {
		sqlite3_bind_int64(statement, 1, test_number);
		sqlite3_bind_int64(statement, 2, frame_octets);
		sqlite3_bind_text(statement, 3, modifiers, -1, SQLITE_STATIC);
		if (sqlite3_step(statement) != SQLITE_ROW)
			status = store_fail(store, error, "times of trials cannot be read");
		else
			*seconds = sqlite3_column_double(statement, 0);
	}
	sqlite3_finalize(statement);
	return status;
}

int store_request_differs(const struct trial_request *recorded, const struct trial_request *asked, char *text,
                          size_t size)
{
	const struct field *field = fields_difference(&REQUEST_FIELDS, recorded, asked);
	char was[64], is[64];

	if (!field)
		return 0;
	snprintf(text, size, "%s = %s is recorded, %s is asked for", field->name,
	         field_show(field, recorded, was, sizeof(was)), field_show(field, asked, is, sizeof(is)));
	return 1;
}
