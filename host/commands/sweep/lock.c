/* SPDX-License-Identifier: Apache-2.0 */
/* Locks of the open file, not of the process: these do not end when some other descriptor of it is closed. */
#include "host/commands/sweep/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_file(const char *directory, int flags)
{
	char *path;
	int file;

	if (asprintf(&path, "%s/sweep.lock", directory) < 0) {
		errno = ENOMEM;
		return -1;
	}
	file = open(path, flags | O_CLOEXEC, 0666);
	free(path);
	return file;
}

static struct flock octet(size_t number)
{
	return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)number, .l_len = 1};
}

int sweep_lock(const char *directory, size_t number, bool waits, int *descriptor, struct error *error)
{
	int file = open_file(directory, O_RDWR | O_CREAT);
	struct flock lock = octet(number);
	int why;

	*descriptor = file;
	if (file >= 0 && fcntl(file, waits ? F_OFD_SETLKW : F_OFD_SETLK, &lock) == 0)
		return 0;
	why = errno;
	if (file >= 0)
		close(file);
	*descriptor = -1;
	if (file >= 0 && why == EINTR)
		return error_set(error, ERROR_CANCELLED, "interrupted");
	if (file >= 0 && !waits && (why == EAGAIN || why == EACCES))
		return error_set(error, ERROR_STORE, "%s: another fpgauge works on this sweep", directory);
	return error_set(error, ERROR_STORE, "%s/sweep.lock: cannot be locked: %s", directory, strerror(why));
}

bool sweep_is_locked(const char *directory, size_t number)
{
	int file = open_file(directory, O_RDWR);
	struct flock lock = octet(number);
	bool locked = file >= 0 && fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;

	if (file >= 0)
		close(file);
	return locked;
}
