/* SPDX-License-Identifier: Apache-2.0 */
/* Plans for tests, written into a directory of their own, which is the working directory so that complaints name short
 * paths. */
#ifndef FPGAUGE_TESTS_PLAN_FILES_H
#define FPGAUGE_TESTS_PLAN_FILES_H

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char plan_directory[64];

static inline void enter_plan_directory(void)
{
	snprintf(plan_directory, sizeof(plan_directory), "/tmp/fpgauge-test-XXXXXX");
	cr_assert_not_null(mkdtemp(plan_directory));
	cr_assert_eq(chdir(plan_directory), 0);
}

static inline int remove_entry(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
	(void)status;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void leave_plan_directory(void)
{
	cr_assert_eq(chdir("/"), 0);
	cr_assert_eq(nftw(plan_directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static inline void write_octets(const char *path, const char *text, size_t length)
{
	FILE *file;

	/* A fresh file each time: some file systems flush a file that is truncated and rewritten, and tests write
	 * thousands. */
	remove(path);
	file = fopen(path, "wb");
	cr_assert_not_null(file);
	cr_assert_eq(fwrite(text, 1, length, file), length);
	cr_assert_eq(fclose(file), 0);
}

#endif
