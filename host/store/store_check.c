/* SPDX-License-Identifier: Apache-2.0 */
/* A run file may be somebody else's: its tables are those that this program makes, its values of the types that they
 * are read as, and nothing in it runs by itself. */
#include <math.h>

#include "host/store/private.h"
#include "host/store/schema.h"

enum {
	MOST_OCTETS = 64 << 20, /* of a text in the file; a result with every trial of a long search has a few */
	SQL_SIZE = 4096,
};

int store_distrust(struct store *store, struct error *error)
{
	static const int OFF[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
	                          SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION};
	int status = sqlite3_db_config(store->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);

	for (size_t i = 0; i < sizeof(OFF) / sizeof(OFF[0]) && status == SQLITE_OK; i++)
		status = sqlite3_db_config(store->database, OFF[i], 0, NULL);
	sqlite3_limit(store->database, SQLITE_LIMIT_LENGTH, MOST_OCTETS);
	return status == SQLITE_OK ? 0 : store_fail(store, error, "cannot be opened");
}

/* Name, type and constraints of every column of every table. No view, and nothing that a module computes. */
static const char LAYOUT[] = "SELECT master.name || '.' || info.name || ' ' || info.type || "
                             "CASE WHEN info.\"notnull\" THEN ' NOT NULL' ELSE '' END || "
                             "CASE WHEN info.hidden THEN ', computed' ELSE '' END "
                             "FROM sqlite_master AS master JOIN pragma_table_xinfo(master.name) AS info "
                             "WHERE master.type = 'table' AND master.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY 1";

/* Tables as this program makes them, in memory. */
static int make_model(sqlite3 **model)
{
	char trial[SQL_SIZE], port[SQL_SIZE];
	const char *sql[] = {SCHEMA_TABLES, schema_trial_table(trial, sizeof(trial)),
	                     schema_port_table(port, sizeof(port))};
	int status = sqlite3_open(":memory:", model);

	for (size_t i = 0; i < sizeof(sql) / sizeof(sql[0]) && status == SQLITE_OK; i++)
		status = sqlite3_exec(*model, sql[i], NULL, NULL, NULL);
	return status;
}

static const char *text_of(sqlite3_stmt *statement)
{
	const char *text = (const char *)sqlite3_column_text(statement, 0);

	return text ? text : "";
}

/* Both are in order: every column of the model must come in the file, which may have more tables. */
static int compare_layouts(const struct store *store, sqlite3_stmt *model, sqlite3_stmt *file, struct error *error)
{
	while (sqlite3_step(model) == SQLITE_ROW) {
		int order = -1;

		while (order < 0 && sqlite3_step(file) == SQLITE_ROW)
			order = sqlite3_stricmp(text_of(file), text_of(model));
		if (order != 0)
			return error_set(error, ERROR_STORE, "%s: is no run file of fpgauge: it has no column %s",
			                 store->path, text_of(model));
	}
	return 0;
}

int store_check_layout(struct store *store, struct error *error)
{
	sqlite3 *model = NULL;
	sqlite3_stmt *wanted = NULL, *found = NULL;
	int status = store_prepare(store, LAYOUT, &found, error);

	if (status == 0 &&
	    (make_model(&model) != SQLITE_OK || sqlite3_prepare_v2(model, LAYOUT, -1, &wanted, NULL) != SQLITE_OK))
		status = error_set(error, ERROR_INTERNAL, "the layout of a run file cannot be made: %s",
		                   model ? sqlite3_errmsg(model) : "out of memory");
	if (status == 0)
		status = compare_layouts(store, wanted, found, error);
	sqlite3_finalize(wanted);
	sqlite3_finalize(found);
	sqlite3_close(model);
	return status;
}

static bool is_right(sqlite3_stmt *statement, int column, char type)
{
	int found = sqlite3_column_type(statement, column);

	switch (type) {
	case 'T':
		return found == SQLITE_TEXT || found == SQLITE_NULL;
	case 't':
		return found == SQLITE_TEXT;
	case 'N':
		return found == SQLITE_NULL ||
		       (found == SQLITE_INTEGER && sqlite3_column_int64(statement, column) >= 0);
	case 'n':
		return found == SQLITE_INTEGER && sqlite3_column_int64(statement, column) >= 0;
	case 'r':
		return found == SQLITE_FLOAT && isfinite(sqlite3_column_double(statement, column));
	default:
		return true;
	}
}

int store_check_row(const struct store *store, sqlite3_stmt *statement, const char *table, const char *types,
                    struct error *error)
{
	static const char *const FOUND[] = {[SQLITE_INTEGER] = "a whole number, negative or not",
	                                    [SQLITE_FLOAT] = "a number",
	                                    [SQLITE_TEXT] = "a text",
	                                    [SQLITE_BLOB] = "a blob",
	                                    [SQLITE_NULL] = "NULL"};

	for (int i = 0; types[i]; i++) {
		if (is_right(statement, i, types[i]))
			continue;
		return error_set(error, ERROR_STORE, "%s: the file is damaged: %s.%s is %s: must be %s", store->path,
		                 table, sqlite3_column_name(statement, i), FOUND[sqlite3_column_type(statement, i)],
		                 types[i] == 't' || types[i] == 'T' ? "a text"
		                 : types[i] == 'r'                  ? "a number"
		                                                    : "a whole number from 0");
	}
	return 0;
}
