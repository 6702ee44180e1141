/* SPDX-License-Identifier: Apache-2.0 */
/* An external tester without a process: the system calls of host/trial/exec/process.c are answered here (linked with
 * --wrap), and what the program would write comes from the input, in portions. The pipes are real. */
#ifndef FPGAUGE_TESTS_FUZZ_FAKE_PROGRAM_H
#define FPGAUGE_TESTS_FUZZ_FAKE_PROGRAM_H

#include "tests/fuzz/fuzz.h"

/* The script of the next program to be started. In an answer the texts "$TRIAL", "$OFFERED" and "$DURATION" become the
 * numbers requested. portion: octets written at a time; 0: a whole line. */
struct fake_script {
	struct fuzz_piece banner;  /* said before the first request */
	struct fuzz_piece answers; /* lines, one per request; after the last one the first again */
	unsigned portion;
	int exit_status;
};
void fake_program_next(const struct fake_script *script);

/* Closes what the program had open. */
void fake_program_end(void);

#endif
