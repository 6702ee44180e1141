// SPDX-License-Identifier: Apache-2.0
/* The lock, and who holds it: the kernel's list of locks (proc_locks(5)) gives the process id, and /proc its command.
 */
#include "drivers/board_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "drivers/pci_find.h"
#include "host/base/clock.h"

enum { LOOK_NS = 5000000, MAX_COMMAND = 160, MAX_HOLDER = MAX_COMMAND + 64 };

/* The process that holds the lock on this file; 0 if that cannot be seen. Blocked processes are in the list too, after
 * "->". */
static long holder_of(const struct stat *file)
{
	FILE *list = fopen("/proc/locks", "re");
	char line[256];
	long holder = 0;

	while (list != NULL && holder == 0 && fgets(line, sizeof(line), list) != NULL) {
		unsigned major_number, minor_number;
		uint64_t inode;
		long process;

		if (sscanf(line, "%*d: FLOCK %*s %*s %ld %x:%x:%" SCNu64, &process, &major_number, &minor_number,
		           &inode) == 4 &&
		    inode == file->st_ino && major_number == major(file->st_dev) && minor_number == minor(file->st_dev))
			holder = process;
	}
	if (list != NULL)
		fclose(list);
	return holder;
}

/* "fpgauge run lab.cfg", on one line; empty if it cannot be seen. In /proc, arguments end with NUL. */
static void command_of(long process, char *text, size_t size)
{
	char path[64];
	ssize_t length;
	int fd;

	text[0] = '\0';
	snprintf(path, sizeof(path), "/proc/%ld/cmdline", process);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	length = read(fd, text, size - 1);
	close(fd);
	while (length > 0 && text[length - 1] == '\0')
		length--;
	text[length > 0 ? length : 0] = '\0';
	for (ssize_t i = 0; i < length; i++) {
		if (text[i] == '\0')
			text[i] = ' ';
		else if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
	}
}

static int refuse(const struct stat *file, const char *name, struct error *error)
{
	char command[MAX_COMMAND], holder[MAX_HOLDER] = "another program, which cannot be seen from here";
	long process = holder_of(file);

	if (process > 0) {
		command_of(process, command, sizeof(command));
		snprintf(holder, sizeof(holder), "process %ld%s%s%s", process, command[0] ? " (" : "", command,
		         command[0] ? ")" : "");
	}
	return error_set(error, ERROR_DEVICE, "%s: is in use by %s: one program at a time drives a board", name,
	                 holder);
}

int board_lock_refuse(const char *path, const char *name, struct error *error)
{
	struct stat file = {0};

	stat(path, &file); /* if it fails, no holder is found */
	return refuse(&file, name, error);
}

int board_lock_try(int fd, const char *name, bool *taken, struct error *error)
{
	*taken = flock(fd, LOCK_EX | LOCK_NB) == 0;
	if (*taken || errno == EWOULDBLOCK)
		return 0;
	return error_set(error, ERROR_DEVICE, "%s: cannot be locked against other programs: %s", name, strerror(errno));
}

int board_lock_take(int fd, const char *name, struct error *error)
{
	int64_t deadline_ms = clock_ms() + BOARD_LOCK_WAIT_MS;
	struct stat file = {0};

	for (bool is_last = false, taken; !is_last;) {
		int status;

		is_last = clock_ms() >= deadline_ms; /* then it is tried once more */
		status = board_lock_try(fd, name, &taken, error);
		if (status != 0 || taken)
			return status;
		clock_sleep_ns(LOOK_NS);
	}
	fstat(fd, &file);
	return refuse(&file, name, error);
}

int board_lock_by_address(const char *sysfs, const char *address, const char *name, int *fd, struct error *error)
{
	bool has_domain = strchr(address, ':') != strrchr(address, ':');
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/devices/%s%s/config", sysfs != NULL ? sysfs : PCI_SYSFS,
	         has_domain ? "" : "0000:", address);
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return error_set(error, ERROR_DEVICE, "%s: cannot be locked against other programs: %.256s: %s", name,
		                 path, strerror(errno));
	return board_lock_take(*fd, name, error);
}

void board_lock_give_back(int fd)
{
	flock(fd, LOCK_UN);
}
