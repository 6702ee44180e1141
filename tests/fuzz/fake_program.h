/* SPDX-License-Identifier: Apache-2.0 */
/* An external tester without a process: what exec_process.c asks of the system is answered here (linked with --wrap),
 * and what the program would write comes from the input, in portions. The pipes are real. */
#ifndef FPGAUGE_TESTS_FUZZ_FAKE_PROGRAM_H
#define FPGAUGE_TESTS_FUZZ_FAKE_PROGRAM_H

#include "tests/fuzz/fuzz.h"

/* What the next program that is started says. In an answer the texts "$TRIAL", "$OFFERED" and "$DURATION" become the
 * numbers that were asked for. portion: octets written at a time; 0 all of a line. */
struct fake_script {
	struct fuzz_piece banner;  /* before it is asked anything */
	struct fuzz_piece answers; /* lines, one a request; after the last one the first */
	unsigned portion;
	int exit_status;
};
void fake_program_next(const struct fake_script *script);

/* Closes what the program had. */
void fake_program_end(void);

#endif
