/* SPDX-License-Identifier: Apache-2.0 */
/* Notes where a run file was made, and tells whether it is still there: a plan may name a command, so it matters whose
 * it is. The inode number is what somebody who sends a file cannot know. */
#include "host/store/store_origin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/text.h"

/* The real folder of the file, to be freed; NULL when it cannot be determined. */
static char *folder_of(const char *path)
{
	char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;

	if (slash)
		slash[slash == real] = '\0';
	return real;
}

int store_origin_write(struct store *store, struct error *error)
{
	char *folder = folder_of(store->path);
	sqlite3_stmt *statement = NULL;
	struct stat status;
	int result =
	        store_prepare(store, "INSERT INTO origin (one, directory, inode) VALUES (1, ?, ?)", &statement, error);

	if (result == 0 && folder && fstat(store->lock, &status) == 0) {
		sqlite3_bind_text(statement, 1, folder, -1, SQLITE_STATIC);
		sqlite3_bind_int64(statement, 2, (sqlite3_int64)status.st_ino);
		result = store_step(store, statement, "its origin cannot be written", error);
	}
	sqlite3_finalize(statement);
	free(folder);
	return result;
}

static bool says_origin(sqlite3_stmt *statement)
{
	return sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_type(statement, 0) == SQLITE_TEXT &&
	       sqlite3_column_type(statement, 1) == SQLITE_INTEGER;
}

static void compare(sqlite3_stmt *statement, const struct stat *status, const char *folder, char *why, size_t size)
{
	const char *made;

	if (!statement || !says_origin(statement)) {
		snprintf(why, size, "does not say where it was made");
		return;
	}
	made = (const char *)sqlite3_column_text(statement, 0);
	if (!folder || strcmp(made, folder) != 0)
		snprintf(why, size, "was made in %.200s and lies in %.200s now", made, folder ? folder : "?");
	else if (sqlite3_column_int64(statement, 1) != (sqlite3_int64)status->st_ino)
		snprintf(why, size, "is a copy of the file that the run made");
}

bool store_is_foreign(struct store *store, char *why, size_t size)
{
	struct error ignored;
	struct stat status;
	sqlite3_stmt *statement = NULL;
	char *folder;

	why[0] = '\0';
	if (store->lock < 0 ? stat(store->path, &status) : fstat(store->lock, &status)) {
		snprintf(why, size, "cannot be looked at");
	} else if (status.st_uid != geteuid()) {
		snprintf(why, size, "belongs to another user, number %u", (unsigned)status.st_uid);
	} else {
		folder = folder_of(store->path);
		store_prepare(store, "SELECT directory, inode FROM origin", &statement, &ignored);
		compare(statement, &status, folder, why, size);
		sqlite3_finalize(statement);
		free(folder);
	}
	text_repair(why, size);
	return why[0] != '\0';
}
