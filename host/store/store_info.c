/* SPDX-License-Identifier: Apache-2.0 */
/* The table info. */
#include "host/store/store_info.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/store/store_check.h"

enum { KEY_OCTETS = 20 };

int store_info_write(struct store *store, const struct store_run *run, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store, "INSERT INTO info (key, text) VALUES (?, ?)", &statement, error);

	for (size_t i = 0; i < run->info_count && status == 0; i++) {
		sqlite3_bind_text(statement, 1, run->info[i].key, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, 2, run->info[i].text, -1, SQLITE_STATIC);
		status = store_step(store, statement, "info cannot be written", error);
	}
	sqlite3_finalize(statement);
	return status;
}

static int add(struct store_run *run, sqlite3_stmt *statement, struct error *error)
{
	struct store_info *list = (struct store_info *)(uintptr_t)run->info, *one;

	one = array_add(&list, run->info_count, sizeof(*one));
	if (one) {
		run->info = list;
		run->info_count++;
		one->key = strdup((const char *)sqlite3_column_text(statement, 0));
		one->text = strdup((const char *)sqlite3_column_text(statement, 1));
	}
	return one && one->key && one->text ? 0 : error_set(error, ERROR_INTERNAL, "out of memory");
}

/* Reports print keys as words of their own; in somebody else's file they could be anything. */
static int check_key(const struct store *store, sqlite3_stmt *statement, struct error *error)
{
	const char *key = (const char *)sqlite3_column_text(statement, 0);
	const size_t length = strlen(key);

	if (length > 0 && length <= KEY_OCTETS && strspn(key, "abcdefghijklmnopqrstuvwxyz_") == length)
		return 0;
	return error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE,
	                    "%s: the file is damaged: table info has a key that is not 1 to %d letters a to z",
	                    store->path, KEY_OCTETS);
}

int store_info_read(struct store *store, struct error *error)
{
	sqlite3_stmt *statement = NULL;
	int status = store_prepare(store, "SELECT key, text FROM info ORDER BY number", &statement, error);
	int step = SQLITE_DONE;

	while (status == 0 && (step = sqlite3_step(statement)) == SQLITE_ROW) {
		status = store_check_row(store, statement, "info", "tt", error);
		if (status == 0)
			status = check_key(store, statement, error);
		if (status == 0)
			status = add(&store->run, statement, error);
	}
	if (status == 0 && step != SQLITE_DONE)
		status = store_fail(store, error, "table info cannot be read");
	sqlite3_finalize(statement);
	return status;
}

void store_info_free(struct store_run *run)
{
	for (size_t i = 0; i < run->info_count; i++) {
		free((void *)(uintptr_t)run->info[i].key);
		free((void *)(uintptr_t)run->info[i].text);
	}
	free((void *)(uintptr_t)run->info);
}
