/* SPDX-License-Identifier: Apache-2.0 */
/* Makes sure that values have the types that they are read as, and that nothing in a file runs by itself. */
#include "host/store/store_check.h"

#include <math.h>
#include <string.h>

#include "host/store/json_extract.h"

enum { MOST_OCTETS = 64 << 20 }; /* limit for a text; a result with all trials of a long search has a few MiB */

int store_distrust(struct store *store, struct error *error)
{
	static const int OFF[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
	                          SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION};
	int status = sqlite3_db_config(store->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);

	for (size_t i = 0; i < sizeof(OFF) / sizeof(OFF[0]) && status == SQLITE_OK; i++)
		status = sqlite3_db_config(store->database, OFF[i], 0, NULL);
	sqlite3_limit(store->database, SQLITE_LIMIT_LENGTH, MOST_OCTETS);
	if (status == SQLITE_OK)
		status = json_extract_trust(store->database, &store->skips_columns);
	return status == SQLITE_OK ? 0 : store_fail(store, error, "cannot be opened");
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
		return error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE,
		                    "%s: the file is damaged: %s.%s is %s: must be %s", store->path, table,
		                    sqlite3_column_name(statement, i), FOUND[sqlite3_column_type(statement, i)],
		                    types[i] == 't' || types[i] == 'T' ? "a text"
		                    : types[i] == 'r'                  ? "a number"
		                                                       : "a whole number from 0");
	}
	return 0;
}

const char *store_whole_text(sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	return text && strlen(text) == (size_t)sqlite3_column_bytes(statement, column) ? text : NULL;
}
