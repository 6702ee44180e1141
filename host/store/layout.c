/* SPDX-License-Identifier: Apache-2.0 */
/* Compares layouts as SQLite itself describes them. */
#include "host/store/layout.h"

#include "host/store/schema.h"

/* Name, type and constraints of every column of every table. No views, and nothing that a module computes. */
static const char LAYOUT[] = "SELECT master.name || '.' || info.name || ' ' || info.type || "
                             "CASE WHEN info.\"notnull\" THEN ' NOT NULL' ELSE '' END || "
                             "CASE WHEN info.hidden THEN ', computed' ELSE '' END "
                             "FROM sqlite_master AS master JOIN pragma_table_xinfo(master.name) AS info "
                             "WHERE master.type = 'table' AND master.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY 1";

/* A database in memory with the tables of the schema. */
static int make_model(sqlite3 **model)
{
	char trial[SCHEMA_SQL_SIZE];
	int status = sqlite3_open(":memory:", model);

	if (status == SQLITE_OK)
		status = sqlite3_exec(*model, SCHEMA_TABLES, NULL, NULL, NULL);
	return status ? status : sqlite3_exec(*model, schema_trial_table(trial, sizeof(trial)), NULL, NULL, NULL);
}

static const char *text_of(sqlite3_stmt *statement)
{
	const char *text = (const char *)sqlite3_column_text(statement, 0);

	return text ? text : "";
}

/* Model and file are both sorted: every column of the model must occur in the file, which may have more tables. */
static int compare_layouts(const struct store *store, sqlite3_stmt *model, sqlite3_stmt *file, struct error *error)
{
	while (sqlite3_step(model) == SQLITE_ROW) {
		int order = -1;

		while (order < 0 && sqlite3_step(file) == SQLITE_ROW)
			order = sqlite3_stricmp(text_of(file), text_of(model));
		if (order != 0)
			return error_set_as(error, ERROR_STORE, ERROR_NOT_A_RUN_FILE,
			                    "%s: is not an fpgauge run file: it has no column %s", store->path,
			                    text_of(model));
	}
	return 0;
}

int layout_check(struct store *store, struct error *error)
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
