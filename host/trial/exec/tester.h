/* SPDX-License-Identifier: Apache-2.0 */
/* A tester made of an external program that speaks JSON lines (docs/exec-tester.md): another generator, or a model. */
#ifndef FPGAUGE_TRIAL_EXEC_TESTER_H
#define FPGAUGE_TRIAL_EXEC_TESTER_H

#include <signal.h>

#include "host/trial/tester.h"

struct exec_tester_config {
	const char *const *command; /* ends with NULL; borrowed */
	uint64_t timeout_ns;        /* limit for an answer; 0: the trial's own time plus EXEC_SPARE_S */
	uint64_t link_bps;
	unsigned senders;      /* ports that send in a trial */
	struct rate tolerance; /* tolerance for offered frames, a ratio */
};

enum { EXEC_SPARE_S = 60 }; /* time for an answer beyond duration, drain and settle, unless the plan sets a timeout */

/* Starts the program. *cancel (may be NULL) is checked ten times a second. SIGPIPE must be ignored.
 * ERROR_DEVICE if it cannot be started. */
int exec_tester_open(const struct exec_tester_config *config, const _Atomic int *cancel, struct tester **tester,
                     struct error *error);

/* Ends the program before it is asked anything, to see whether it runs at all: 0, or ERROR_DEVICE if it ends with an
 * exit status other than 0, or does not end. Only tester_close() may follow. */
int exec_tester_try(struct tester *tester, struct error *error);

/* The command as one text, words separated by spaces, cut to fit. Returns buffer. */
const char *exec_command_text(const char *const *command, char *buffer, size_t size);

#endif
