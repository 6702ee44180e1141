/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises a file that is not a run file by its first octets, before SQLite calls it damaged. */
#include "host/store/store_magic.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char MAGIC[] = "SQLite format 3"; /* and the NUL after it */

/* Others say what is wrong if a file cannot be read or is empty. */
static size_t read_begin(const char *path, char *begin, size_t size)
{
	struct stat status;
	FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "re") : NULL;
	size_t got = file ? fread(begin, 1, size, file) : 0;

	if (file)
		fclose(file);
	return got;
}

int store_check_magic(const struct store *store, struct error *error)
{
	char begin[sizeof(MAGIC)];
	size_t got = read_begin(store->path, begin, sizeof(begin));

	if (got == 0 || (got == sizeof(begin) && memcmp(begin, MAGIC, sizeof(begin)) == 0))
		return 0;
	/* NULs are what a crash may leave if the beginning never reached the disk. */
	if (memchr(begin, 0, got))
		return error_set_as(
		        error, ERROR_STORE, ERROR_NOT_A_RUN_FILE,
		        "%s: is not an fpgauge run file, or one whose beginning is damaged: it is not an SQLite "
		        "database",
		        store->path);
	return error_set_as(error, ERROR_STORE, ERROR_NOT_A_RUN_FILE, "%s: is not an fpgauge run file", store->path);
}
