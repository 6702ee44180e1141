/* SPDX-License-Identifier: Apache-2.0 */
/* A temporary file, then rename. */
#include "host/report/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int complain(struct error *error, const char *option, const char *path)
{
	return error_set(error, ERROR_PLAN, "%s %s: cannot be written: %s", option, path, strerror(errno));
}

/* All the way to the disk and through the close: a full disk may show at any of these steps. */
static int write_and_close(int file, int (*write)(FILE *out, const void *what), const void *what, bool durable)
{
	FILE *out = fdopen(file, "w");
	int result;

	if (!out) {
		close(file);
		return -1;
	}
	result = write(out, what) || fflush(out) ? -1 : 0;
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

/* Creates a file next to the one that is asked for. *name is the caller's to free. */
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

int output_file_check(const char *option, const char *path, struct error *error)
{
	struct stat status;
	char *name;
	int file;

	if (!strcmp(path, "-"))
		return 0;
	if (is_stream(path))
		return access(path, W_OK) ? complain(error, option, path) : 0;
	errno = EISDIR;
	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return complain(error, option, path);
	file = create_beside(path, &name);
	if (file < 0)
		return complain(error, option, path);
	close(file);
	unlink(name);
	free(name);
	return 0;
}

int output_file(const char *option, const char *path, int (*write)(FILE *out, const void *what), const void *what,
                struct error *error)
{
	mode_t mask = umask(0);
	char *name;
	int file;
	int result = 0;

	umask(mask);
	if (!strcmp(path, "-"))
		return write(stdout, what) || fflush(stdout) ? complain(error, option, path) : 0;
	if (is_stream(path)) {
		file = open(path, O_WRONLY | O_CLOEXEC);
		if (file >= 0 && (!write_and_close(file, write, what, false) || errno == EPIPE))
			return 0; /* a reader that has seen enough is no error */
		return complain(error, option, path);
	}
	file = create_beside(path, &name);
	if (file < 0)
		return complain(error, option, path);
	/* mkostemp() makes a file for its owner alone; a report gets the permissions of any other file of this user. */
	if (write_and_close(file, write, what, true) || chmod(name, 0666 & ~mask) || rename(name, path)) {
		result = complain(error, option, path);
		unlink(name);
	}
	free(name);
	return result;
}

int output_file_renew(const char *option, const char *path, struct error *error)
{
	int result = output_file_check(option, path, error);

	if (!result && strcmp(path, "-") != 0 && !is_stream(path) && unlink(path) && errno != ENOENT)
		result = complain(error, option, path);
	return result;
}

int output_folder(const char *option, const char *path, struct error *error)
{
	struct stat status;

	if (mkdir(path, 0777) && errno != EEXIST)
		return complain(error, option, path);
	errno = ENOTDIR;
	if (stat(path, &status) || !S_ISDIR(status.st_mode) || access(path, W_OK | X_OK))
		return complain(error, option, path);
	return 0;
}
