/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzzers share. A fuzzer runs in one process without end, so that what it opens or writes stands in memory,
 * and what it calls may print, start programs or wait for nobody. */
#ifndef FPGAUGE_TESTS_FUZZ_H
#define FPGAUGE_TESTS_FUZZ_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "host/base/error.h"

/* libFuzzer calls these. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* its own; for a mutator to call */

/* Ends the program with a message: a finding, as a crash is one. */
#define FUZZ_EXPECT(condition, ...)                                                                                    \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			fuzz_fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                                        \
	} while (0)
void fuzz_fail(const char *file, int line, const char *condition, const char *format, ...)
        __attribute__((format(printf, 4, 5), noreturn));

/* A complaint is one line of text that a terminal can show, with a code of its own. */
void fuzz_expect_complaint(int status, const struct error *error);
/* UTF-8 without control characters, but for those of `allowed`. */
void fuzz_expect_text(const char *text, size_t length, const char *allowed, const char *what);

/* A piece of the input. */
struct fuzz_piece {
	const uint8_t *octets;
	size_t size;
};

/* Pieces are apart by lines of "%%". Returns how many there are, at most `most`; the last one has the rest. */
size_t fuzz_split(const uint8_t *data, size_t size, struct fuzz_piece *pieces, size_t most);

/* A copy with NUL behind it; the caller frees. */
char *fuzz_text(const struct fuzz_piece *piece);

/* Puts values in place of names such as "$TRIAL", so that an input stays good when what it must agree with changes. The
 * caller frees. */
struct fuzz_name {
	const char *name, *value;
};
char *fuzz_replace(const struct fuzz_piece *piece, const struct fuzz_name *names, size_t count, size_t *size);

/* Files in memory that have a name: "/proc/self/fd/100" and up. One of them can name another as it would one in its own
 * folder: "101". */
enum { FUZZ_FILES = 8 };
const char *fuzz_file(unsigned number, const void *octets, size_t size);

/* A name in a folder in memory that goes with the process; at most FUZZ_PATHS of them in use at a time. It is not the
 * working directory, which is where libFuzzer puts what it finds. */
enum { FUZZ_PATHS = 8 };
const char *fuzz_path(const char *name);
/* The whole of a file, with NUL behind it; the caller frees. */
char *fuzz_read(const char *path, size_t *size);

/* What would be printed is thrown away. The fuzzer itself speaks on standard error. */
void fuzz_silence(void);

/* A mutator of JSON that leaves JSON behind: members and elements come, go, change places and take odd values. Octets
 * are changed where the input is not JSON, and now and then anyway. */
size_t fuzz_mutate_json(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
