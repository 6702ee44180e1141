/* SPDX-License-Identifier: Apache-2.0 */
/* Trials and their ports. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "host/base/text.h"
#include "host/store/columns.h"
#include "host/store/private.h"
#include "host/store/schema.h"

enum { SQL_SIZE = 4096 };

int store_trials_prepare(struct store *store, struct error *error)
{
	char sql[SQL_SIZE];
	int status = store_prepare(store, schema_trial_insert(sql, sizeof(sql)), &store->trial_insert, error);

	if (status == 0)
		status = store_prepare(store, schema_port_insert(sql, sizeof(sql)), &store->port_insert, error);
	if (status == 0)
		status = store_prepare(store, schema_trial_select(sql, sizeof(sql)), &store->trial_select, error);
	if (status == 0)
		status = store_prepare(store, schema_port_select(sql, sizeof(sql)), &store->port_select, error);
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
	sqlite3_finalize(store->port_insert);
	sqlite3_finalize(store->trial_select);
	sqlite3_finalize(store->port_select);
	sqlite3_finalize(store->search_insert);
	sqlite3_finalize(store->search_select);
}

/* Over what was asked and what came of it: an octet that turned on the disk is no measurement. */
static uint32_t checksum_of(const struct store_trial *trial)
{
	uint32_t checksum = columns_checksum(&REQUEST_COLUMNS, &trial->request, 0);

	checksum = columns_checksum(&RESULT_COLUMNS, &trial->result, checksum);
	for (unsigned i = 0; i < trial->result.ports && i < TRIAL_MAX_PORTS; i++)
		checksum = columns_checksum(&PORT_COLUMNS, &trial->result.port[i], checksum);
	return checksum;
}

/* The search that a trial belongs to; made when it is the first of it. */
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

static int insert_trial(struct store *store, uint64_t number, int64_t search, const struct store_trial *trial,
                        struct error *error)
{
	sqlite3_stmt *statement = store->trial_insert;
	int at = 1;

	sqlite3_bind_int64(statement, at++, (sqlite3_int64)number);
	sqlite3_bind_int64(statement, at++, store->session);
	sqlite3_bind_int64(statement, at++, search);
	sqlite3_bind_int64(statement, at++, (sqlite3_int64)trial->place.point);
	sqlite3_bind_int64(statement, at++, (sqlite3_int64)trial->place.low);
	sqlite3_bind_int64(statement, at++, (sqlite3_int64)trial->place.high);
	sqlite3_bind_text(statement, at++, trial->started, -1, SQLITE_STATIC);
	sqlite3_bind_double(statement, at++, trial->wall_s);
	sqlite3_bind_int64(statement, at++, checksum_of(trial));
	if (columns_bind(&REQUEST_COLUMNS, &trial->request, statement, at) ||
	    columns_bind(&RESULT_COLUMNS, &trial->result, statement, at + (int)REQUEST_COLUMNS.count))
		return store_fail(store, error, "trial %" PRIu64, number);
	return store_step(store, statement, "a trial cannot be written", error);
}

static int insert_port(struct store *store, uint64_t number, unsigned port, const struct trial_port *counters,
                       struct error *error)
{
	sqlite3_stmt *statement = store->port_insert;

	sqlite3_bind_int64(statement, 1, (sqlite3_int64)number);
	sqlite3_bind_int64(statement, 2, port);
	if (columns_bind(&PORT_COLUMNS, counters, statement, 3))
		return store_fail(store, error, "trial %" PRIu64 ", port %u", number, port);
	return store_step(store, statement, "a trial cannot be written", error);
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
	for (unsigned i = 0; i < trial->result.ports && i < TRIAL_MAX_PORTS && status == 0; i++)
		status = insert_port(store, number, i, &trial->result.port[i], error);
	status = store_end(store, status, "a trial cannot be written", error);
	if (status == 0)
		store->trial_count = number;
	return status;
}

static int damaged(const struct store *store, uint64_t number, struct error *error)
{
	return error_set(error, ERROR_STORE, "%s: the file is damaged: trial %" PRIu64 " is not what was written",
	                 store->path, number);
}

static int read_ports(struct store *store, uint64_t number, struct trial_result *result, struct error *error)
{
	sqlite3_stmt *statement = store->port_select;
	unsigned count = 0;
	int status = 0;

	sqlite3_bind_int64(statement, 1, (sqlite3_int64)number);
	while (status == 0 && sqlite3_step(statement) == SQLITE_ROW) {
		if (count >= result->ports || count >= TRIAL_MAX_PORTS || sqlite3_column_int64(statement, 0) != count ||
		    columns_read(&PORT_COLUMNS, &result->port[count], statement, 1))
			status = damaged(store, number, error);
		count++;
	}
	sqlite3_reset(statement);
	return status == 0 && count != result->ports ? damaged(store, number, error) : status;
}

int store_trial_get(struct store *store, uint64_t number, struct store_trial *trial, struct error *error)
{
	sqlite3_stmt *statement = store->trial_select;
	int64_t checksum = 0;
	const char *started;
	int status = 0;

	memset(trial, 0, sizeof(*trial));
	sqlite3_bind_int64(statement, 1, (sqlite3_int64)number);
	if (sqlite3_step(statement) != SQLITE_ROW) {
		status = store_fail(store, error, "trial %" PRIu64 " cannot be read", number);
	} else {
		started = (const char *)sqlite3_column_text(statement, 0);
		text_copy(trial->started, sizeof(trial->started), started ? started : "");
		trial->wall_s = sqlite3_column_double(statement, 1);
		checksum = sqlite3_column_int64(statement, 2);
		status = store_check_row(store, statement, "trial", "trn", error);
		if (status == 0 &&
		    (columns_read(&REQUEST_COLUMNS, &trial->request, statement, 3) ||
		     columns_read(&RESULT_COLUMNS, &trial->result, statement, 3 + (int)REQUEST_COLUMNS.count)))
			status = damaged(store, number, error);
	}
	sqlite3_reset(statement);
	if (status == 0)
		status = read_ports(store, number, &trial->result, error);
	if (status == 0 && checksum != checksum_of(trial))
		status = damaged(store, number, error);
	return status;
}

int store_wall_s(struct store *store, unsigned test_number, uint32_t frame_octets, double *seconds, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store,
	                           "SELECT total(wall_s) FROM trial JOIN search ON trial.search = search.number "
	                           "WHERE search.test_number = ? AND search.frame_octets = ?",
	                           &statement, error);

	if (status == 0) {
		sqlite3_bind_int64(statement, 1, test_number);
		sqlite3_bind_int64(statement, 2, frame_octets);
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
	const struct column *column = columns_difference(&REQUEST_COLUMNS, recorded, asked);
	char was[64], is[64];

	if (!column)
		return 0;
	snprintf(text, size, "%s = %s is recorded, %s is asked for", column->name,
	         column_show(column, recorded, was, sizeof(was)), column_show(column, asked, is, sizeof(is)));
	return 1;
}
