/* SPDX-License-Identifier: Apache-2.0 */
/* The report as a JSON file. A reader sees the old file or the whole new one, never a part. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/report/report.h"

/* 17 digits give every double back as it was. */
static const size_t FLAGS = JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17);

static int complain(struct error *error, const char *path)
{
	return error_set(error, ERROR_PLAN, "--json %s: cannot be written: %s", path, strerror(errno));
}

/* To the disk and to the end: a full disk shows in any of these. */
static int write_all(const json_t *report, FILE *out)
{
	if (json_dumpf(report, out, FLAGS) || fputc('\n', out) == EOF || fflush(out))
		return -1;
	return 0;
}

static int write_and_close(const json_t *report, int file, bool durable)
{
	FILE *out = fdopen(file, "w");
	int result;

	if (!out) {
		close(file);
		return -1;
	}
	result = write_all(report, out);
	if (!result && durable)
		result = fsync(file);
	return fclose(out) || result ? -1 : 0;
}

/* A device or pipe ("/dev/stdout", a shell's >(...)) is written to, not replaced. */
static bool is_stream(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/* A file beside the one that is asked for. *name is the caller's to free. */
static int create_beside(const char *path, char **name)
{
	int file;

	if (asprintf(name, "%s.XXXXXX", path) < 0) {
		*name = NULL;
		return -1;
	}
	file = mkostemp(*name, O_CLOEXEC);
	if (file < 0) {
		free(*name);
		*name = NULL;
	}
	return file;
}

int report_json_check(const char *path, struct error *error)
{
	struct stat status;
	char *name;
	int file;

	if (!strcmp(path, "-"))
		return 0;
	if (is_stream(path))
		return access(path, W_OK) ? complain(error, path) : 0;
	errno = EISDIR;
	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return complain(error, path);
	file = create_beside(path, &name);
	if (file < 0)
		return complain(error, path);
	close(file);
	unlink(name);
	free(name);
	return 0;
}

int report_json(const json_t *report, const char *path, struct error *error)
{
	mode_t mask = umask(0);
	char *name;
	int file;
	int result = 0;

	umask(mask);
	if (!strcmp(path, "-"))
		return write_all(report, stdout) ? complain(error, path) : 0;
	if (is_stream(path)) {
		file = open(path, O_WRONLY | O_CLOEXEC);
		return file < 0 || write_and_close(report, file, false) ? complain(error, path) : 0;
	}
	file = create_beside(path, &name);
	if (file < 0)
		return complain(error, path);
	/* mkostemp() makes a file for its owner alone; a report is as open as any file of this user's. */
	if (write_and_close(report, file, true) || chmod(name, 0666 & ~mask) || rename(name, path)) {
		result = complain(error, path);
		unlink(name);
	}
	free(name);
	return result;
}
