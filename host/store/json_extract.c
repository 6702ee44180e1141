/* SPDX-License-Identifier: Apache-2.0 */
/* Calls go to the function of a database in memory, which trusts it. */
#include "host/store/json_extract.h"

#include <stdlib.h>

struct original {
	sqlite3 *database;
	sqlite3_stmt *statement;
	const bool *unused;
};

static void extract(sqlite3_context *context, int count, sqlite3_value **values)
{
	const struct original *original = sqlite3_user_data(context);

	if (*original->unused)
		return; /* NULL */
	for (int i = 0; i < count; i++)
		sqlite3_bind_value(original->statement, i + 1, values[i]);
	if (sqlite3_step(original->statement) == SQLITE_ROW)
		sqlite3_result_value(context, sqlite3_column_value(original->statement, 0));
	else
		sqlite3_result_error(context, sqlite3_errmsg(original->database), -1);
	sqlite3_reset(original->statement);
	sqlite3_clear_bindings(original->statement);
}

static void forget(void *user)
{
	struct original *original = user;

	sqlite3_finalize(original->statement);
	sqlite3_close(original->database);
	free(original);
}

int json_extract_trust(sqlite3 *database, const bool *unused)
{
	struct original *original = calloc(1, sizeof(*original));
	int status = original ? sqlite3_open(":memory:", &original->database) : SQLITE_NOMEM;

	if (status == SQLITE_OK)
		status = sqlite3_prepare_v2(original->database, "SELECT json_extract(?1, ?2)", -1, &original->statement,
		                            NULL);
	if (original)
		original->unused = unused;
	if (status == SQLITE_OK) /* calls forget() later, or at once if it fails */
		return sqlite3_create_function_v2(database, "json_extract", 2,
		                                  SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, original,
		                                  extract, NULL, NULL, forget);
	if (original)
		forget(original);
	return status;
}
