/* SPDX-License-Identifier: Apache-2.0 */
/* An external program that answers lines: started once, talked to through pipes, and ended with all its children. Knows
 * nothing about the content of the lines. It shares our standard error. */
#ifndef FPGAUGE_TRIAL_EXEC_PROCESS_H
#define FPGAUGE_TRIAL_EXEC_PROCESS_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "host/base/error.h"

enum {
	EXEC_MAX_LINE_OCTETS = 65536, /* octets of an answer, without its newline */
	EXEC_QUOTE_SIZE = 200,        /* size of a line quoted in a message */
};

struct exec_process;

/* Starts argv[0] (found in PATH) with argv, which ends with NULL, in a process group of its own, so that Ctrl-C reaches
 * only us. *cancel (may be NULL) is checked ten times a second while waiting. The caller must ignore SIGPIPE.
 * ERROR_DEVICE if it cannot be started. */
int exec_process_start(const char *const *argv, const _Atomic int *cancel, struct exec_process **process,
                       struct error *error);

/* Writes a line (its newline included) and waits for one, at most timeout_ns for both. *answer has no newline, ends
 * with NUL, may contain NULs, and is valid until the next call.
 * ERROR_CANCELLED; ERROR_DEVICE if the program ended (says how), did not answer, answered too much, or wrote output
 * that was not requested. */
int exec_process_ask(struct exec_process *process, const char *line, size_t length, uint64_t timeout_ns,
                     const char **answer, size_t *answer_length, struct error *error);

/* Closes its standard input and waits for its end, at most grace_ns. 0 if it ended with exit status 0, else
 * ERROR_DEVICE, which says how it ended, or that it did not. Nothing more may be asked; exec_process_end() must still
 * be called. */
int exec_process_finish(struct exec_process *process, uint64_t grace_ns, struct error *error);

/* Closes its standard input, which asks it to end; after grace_ns (less if the user cancels) sends SIGTERM, then
 * SIGKILL, to its whole group. Leaves no zombie. NULL is allowed. */
void exec_process_end(struct exec_process *process, uint64_t grace_ns);

/* Arbitrary octets as text for a message: printable ASCII in quotes, the rest as \xNN, cut to fit with "...". */
const char *exec_quote(const char *text, size_t length, char buffer[EXEC_QUOTE_SIZE]);

#endif
