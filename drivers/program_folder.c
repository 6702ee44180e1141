/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel knows the file; without /proc, as in a bare chroot, only the name by which it was started is known. */
#include "drivers/program_folder.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static bool find_program(char program[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - 1);
	const char *started;

	if (length > 0) {
		program[length] = '\0';
		return true;
	}
	started = (const char *)getauxval(AT_EXECFN);
	return started != NULL && realpath(started, program) != NULL;
}

bool program_folder(char *folder, size_t size)
{
	char program[PATH_MAX];
	const char *slash;
	size_t length;

	if (!find_program(program))
		return false;
	slash = strrchr(program, '/');
	length = slash != NULL ? (size_t)(slash - program) : size;
	if (length >= size)
		return false;
	memcpy(folder, program, length);
	folder[length] = '\0';
	return true;
}
