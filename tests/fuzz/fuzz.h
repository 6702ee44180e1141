/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that the fuzzers share. A fuzzer runs endlessly in one process, so whatever it opens or writes is in
 * memory, and what it calls may not print, start programs or wait for anybody. */
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
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* libFuzzer's own mutator, for ours to call */

/* Ends the program with a message: a finding, just like a crash. */
#define FUZZ_EXPECT(condition, ...)                                                                                    \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			fuzz_fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                                        \
	} while (0)
void fuzz_fail(const char *file, int line, const char *condition, const char *format, ...)
        __attribute__((format(printf, 4, 5), noreturn));

/* A complaint is one line of text that a terminal can show, with its own code. */
void fuzz_expect_complaint(int status, const struct error *error);
/* UTF-8 without control characters, except those in `allowed`. */
void fuzz_expect_text(const char *text, size_t length, const char *allowed, const char *what);

/* A piece of the input. */
struct fuzz_piece {
	const uint8_t *octets;
	size_t size;
};

/* Pieces are separated by lines of "%%". Returns how many there are, at most `most`; the last one has the rest. */
size_t fuzz_split(const uint8_t *data, size_t size, struct fuzz_piece *pieces, size_t most);

/* A copy with a NUL appended; the caller frees it. */
char *fuzz_text(const struct fuzz_piece *piece);

/* Replaces names such as "$TRIAL" with values, so that an input stays valid when what it must agree with changes. The
 * caller frees the result. */
struct fuzz_name {
	const char *name, *value;
};
char *fuzz_replace(const struct fuzz_piece *piece, const struct fuzz_name *names, size_t count, size_t *size);

/* Files in memory that have a name: "/proc/self/fd/100" and up. One can name another like a file in its own folder:
 * "101". */
enum { FUZZ_FILES = 8 };
const char *fuzz_file(unsigned number, const void *octets, size_t size);

/* A name in an in-memory folder that disappears with the process; at most FUZZ_PATHS of them in use at a time. It is
 * not the working directory, where libFuzzer puts its findings. */
enum { FUZZ_PATHS = 8 };
const char *fuzz_path(const char *name);
/* A whole file, with a NUL appended; the caller frees it. */
char *fuzz_read(const char *path, size_t *size);

/* Discards what would be printed. The fuzzer itself reports on standard error. */
void fuzz_silence(void);

/* A mutator of JSON whose output is JSON: members and elements come, go, change places and take odd values. Octets are
 * changed when the input is not JSON, and now and then anyway. */
size_t fuzz_mutate_json(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
