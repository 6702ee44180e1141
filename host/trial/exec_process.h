/* SPDX-License-Identifier: Apache-2.0 */
/* A program beside ours that answers lines: started once, asked and answered by pipes, ended without a trace. Knows
 * nothing of what the lines say. Its standard error is ours. */
#ifndef FPGAUGE_TRIAL_EXEC_PROCESS_H
#define FPGAUGE_TRIAL_EXEC_PROCESS_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "host/base/error.h"

enum {
	EXEC_MAX_LINE_OCTETS = 65536, /* of an answer, without its newline */
	EXEC_QUOTE_SIZE = 200,        /* of a line quoted in a message */
};

struct exec_process;

/* Starts argv[0] (found by PATH) with argv, which ends with NULL, in a process group of its own: Ctrl-C is for us to
 * pass on. *cancel (may be NULL) is looked at ten times a second while waiting. The caller ignores SIGPIPE.
 * ERROR_DEVICE when it cannot be started. */
int exec_process_start(const char *const *argv, const volatile sig_atomic_t *cancel, struct exec_process **process,
                       struct error *error);

/* Writes a line (its newline included) and waits for one, at most timeout_ns in all. *answer is without its newline,
 * ends with NUL, may hold NULs, and lives until the next call.
 * ERROR_CANCELLED; ERROR_DEVICE when the program ended (with how), said nothing, too much, or spoke unasked. */
int exec_process_ask(struct exec_process *process, const char *line, size_t length, uint64_t timeout_ns,
                     const char **answer, size_t *answer_length, struct error *error);

/* Closes its standard input and waits for its end, at most grace_ns. 0 when it ended with exit status 0; ERROR_DEVICE
 * says how else, or that it did not. Nothing more may be asked; exec_process_end() is still due. */
int exec_process_finish(struct exec_process *process, uint64_t grace_ns, struct error *error);

/* Closes its standard input, which asks it to end; a little later comes SIGTERM, then SIGKILL, to its whole group.
 * grace_ns: how long "a little" is, as long as nobody cancels. Leaves no zombie. NULL is allowed. */
void exec_process_end(struct exec_process *process, uint64_t grace_ns);

/* Text of any octets for a message: printable ASCII in quotes, the rest as \xNN, cut to fit with "...". */
const char *exec_quote(const char *text, size_t length, char buffer[EXEC_QUOTE_SIZE]);

#endif
