/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes, deadlines and the end of a child process. This uses the wall clock, because the program does. */
#include "host/trial/exec/process.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/base/spawn.h"

static const uint64_t NS_PER_MS = 1000000;

enum {
	SLICE_MS = 100,    /* interval between checks for a cancel */
	REAP_SLICE_MS = 5, /* interval between checks for its end */
	DEATH_MS = 500,    /* how long it may outlive its output before that is reported */
	SIGNAL_MS = 300,   /* wait before SIGTERM after a cancel was asked for, and from SIGTERM to SIGKILL */
};

struct exec_process {
	pid_t pid;
	int in, out; /* its standard input and output; -1: closed */
	const _Atomic int *cancel;
	size_t used, taken; /* octets in the buffer; those of the last answer and its newline */
	char buffer[EXEC_MAX_LINE_OCTETS + 2];
};

static bool cancelled(const struct exec_process *process)
{
	return process->cancel && *process->cancel;
}

const char *exec_quote(const char *text, size_t length, char buffer[EXEC_QUOTE_SIZE])
{
	enum { LONGEST = 4, TAIL = sizeof("\"...") }; /* size of one octet as \xNN; of what follows the last one */
	size_t used = 0, i;

	buffer[used++] = '"';
	for (i = 0; i < length && used + LONGEST + TAIL <= EXEC_QUOTE_SIZE; i++) {
		unsigned char octet = (unsigned char)text[i];

		if (octet >= 0x20 && octet < 0x7f)
			buffer[used++] = (char)octet;
		else
			used += (size_t)snprintf(buffer + used, EXEC_QUOTE_SIZE - used, "\\x%02x", octet);
	}
	snprintf(buffer + used, EXEC_QUOTE_SIZE - used, "\"%s", i < length ? "..." : "");
	return buffer;
}

/* -- start ------------------------------------------------------------------------------------------------------- */

int exec_process_start(const char *const *argv, const _Atomic int *cancel, struct exec_process **process,
                       struct error *error)
{
	/* A group of its own, so that a terminal's Ctrl-C reaches us alone and a kill reaches its children. */
	const struct spawn_request request = {.program = argv[0], .arguments = argv, .group = SPAWN_OWN_GROUP};
	struct exec_process *made = calloc(1, sizeof(*made));
	int why;

	*process = NULL;
	if (!made)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	why = spawn_piped(&request, &made->pid, &made->in, &made->out);
	if (why) {
		free(made);
		return error_set(error, ERROR_DEVICE, "cannot be started: %s", strerror(why));
	}
	made->cancel = cancel;
	*process = made;
	return 0;
}

/* -- how it ended ------------------------------------------------------------------------------------------------ */

/* Waits for its end, at most at_most_ns; a cancel shortens the wait. */
static bool wait_for_end(const struct exec_process *process, uint64_t at_most_ns, struct spawn_end *end)
{
	uint64_t began = (uint64_t)clock_ns();

	while (!spawn_has_ended(process->pid, end)) {
		uint64_t waited = (uint64_t)clock_ns() - began;

		if (waited >= at_most_ns || (cancelled(process) && waited >= SIGNAL_MS * NS_PER_MS))
			return false;
		poll(NULL, 0, REAP_SLICE_MS);
	}
	return true;
}

/* It has closed its output or its input: reports why. */
static int report_end(const struct exec_process *process, struct error *error)
{
	char partial[EXEC_QUOTE_SIZE + 64] = "", quote[EXEC_QUOTE_SIZE], how[SPAWN_END_TEXT];
	struct spawn_end end;

	if (process->used)
		snprintf(partial, sizeof(partial), ", in the middle of the line %s",
		         exec_quote(process->buffer, process->used, quote));
	if (!wait_for_end(process, DEATH_MS * NS_PER_MS, &end))
		return error_set(error, ERROR_DEVICE, "closed its standard input or output before it answered%s",
		                 partial);
	spawn_end_text(&end, how);
	return error_set(error, ERROR_DEVICE, "%s before it answered%s", how, partial);
}

/* -- lines ------------------------------------------------------------------------------------------------------- */

/* Waits until the file is ready, the deadline has passed (ERROR_DEVICE) or the user cancels. */
static int wait_ready(const struct exec_process *process, int file, short events, uint64_t deadline_ns,
                      struct error *error)
{
	for (;;) {
		uint64_t now = (uint64_t)clock_ns(),
		         left_ms = now < deadline_ns ? (deadline_ns - now) / NS_PER_MS + 1 : 0;
		struct pollfd ready = {.fd = file, .events = events};
		int count;

		if (cancelled(process))
			return error_set(error, ERROR_CANCELLED, "stopped by the user");
		count = poll(&ready, 1, left_ms < SLICE_MS ? (int)left_ms : SLICE_MS);
		if (count > 0)
			return 0;
		if (count < 0 && errno != EINTR)
			return error_set(error, ERROR_INTERNAL, "poll: %s", strerror(errno));
		if (count == 0 && left_ms == 0)
			return error_set(error, ERROR_DEVICE, "timeout");
	}
}

/* Reads what is available. 1: something; 0: nothing yet; ERROR_DEVICE: it has ended. */
static int read_some(struct exec_process *process, struct error *error)
{
	size_t room = sizeof(process->buffer) - 1 - process->used;
	ssize_t got = read(process->out, process->buffer + process->used, room);

	if (got > 0) {
		process->used += (size_t)got;
		return 1;
	}
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	return report_end(process, error);
}

/* Output that is there before a request answers nothing. */
static int refuse_unasked(struct exec_process *process, struct error *error)
{
	char quote[EXEC_QUOTE_SIZE];
	int status = 0;

	memmove(process->buffer, process->buffer + process->taken, process->used - process->taken);
	process->used -= process->taken;
	process->taken = 0;
	if (process->used == 0)
		status = read_some(process, error);
	if (status < 0)
		return status;
	if (process->used)
		return error_set(error, ERROR_DEVICE, "more than one line for a trial: %s",
		                 exec_quote(process->buffer, process->used, quote));
	return 0;
}

static int write_line(struct exec_process *process, const char *line, size_t length, uint64_t deadline_ns,
                      struct error *error)
{
	size_t done = 0;

	while (done < length) {
		ssize_t count = write(process->in, line + done, length - done);
		int status;

		if (count > 0) {
			done += (size_t)count;
			continue;
		}
		if (count < 0 && errno != EAGAIN && errno != EINTR)
			return report_end(process, error);
		status = wait_ready(process, process->in, POLLOUT, deadline_ns, error);
		if (status == ERROR_DEVICE)
			return error_set(error, ERROR_DEVICE, "does not read its standard input");
		if (status)
			return status;
	}
	return 0;
}

static int report_timeout(const struct exec_process *process, uint64_t timeout_ns, struct error *error)
{
	double timeout_s = (double)timeout_ns / 1e9;
	char quote[EXEC_QUOTE_SIZE];

	if (process->used == 0)
		return error_set(error, ERROR_DEVICE, "no answer within %.9g s", timeout_s);
	return error_set(error, ERROR_DEVICE, "no end of the line %s within %.9g s",
	                 exec_quote(process->buffer, process->used, quote), timeout_s);
}

static int read_line(struct exec_process *process, uint64_t deadline_ns, uint64_t timeout_ns, struct error *error)
{
	char quote[EXEC_QUOTE_SIZE];
	size_t looked_at = 0;

	for (;;) {
		char *end = memchr(process->buffer + looked_at, '\n', process->used - looked_at);
		int status;

		if (end) {
			process->taken = (size_t)(end - process->buffer) + 1;
			return 0;
		}
		if (process->used > EXEC_MAX_LINE_OCTETS)
			return error_set(error, ERROR_DEVICE, "a line of more than %d octets: %s", EXEC_MAX_LINE_OCTETS,
			                 exec_quote(process->buffer, process->used, quote));
		looked_at = process->used;
		status = wait_ready(process, process->out, POLLIN, deadline_ns, error);
		if (status == ERROR_DEVICE)
			return report_timeout(process, timeout_ns, error);
		if (!status)
			status = read_some(process, error);
		if (status < 0)
			return status;
	}
}

int exec_process_ask(struct exec_process *process, const char *line, size_t length, uint64_t timeout_ns,
                     const char **answer, size_t *answer_length, struct error *error)
{
	uint64_t now = (uint64_t)clock_ns();
	uint64_t deadline_ns = timeout_ns < UINT64_MAX - now ? now + timeout_ns : UINT64_MAX;
	int status = refuse_unasked(process, error);

	if (!status)
		status = write_line(process, line, length, deadline_ns, error);
	if (!status)
		status = read_line(process, deadline_ns, timeout_ns, error);
	if (status)
		return status;
	process->buffer[process->taken - 1] = '\0';
	*answer = process->buffer;
	*answer_length = process->taken - 1;
	return 0;
}

/* -- end --------------------------------------------------------------------------------------------------------- */

static void close_input(struct exec_process *process)
{
	if (process->in >= 0)
		close(process->in);
	process->in = -1;
}

int exec_process_finish(struct exec_process *process, uint64_t grace_ns, struct error *error)
{
	char how[SPAWN_END_TEXT];
	struct spawn_end end;

	close_input(process);
	if (!wait_for_end(process, grace_ns, &end))
		return error_set(error, ERROR_DEVICE, "does not end within %.9g s of the end of its standard input",
		                 (double)grace_ns / 1e9);
	if (end.how == SPAWN_EXITED && end.number == 0)
		return 0;
	spawn_end_text(&end, how);
	return error_set(error, ERROR_DEVICE, "%s although it was asked nothing", how);
}

void exec_process_end(struct exec_process *process, uint64_t grace_ns)
{
	struct spawn_end end;

	if (!process)
		return;
	close_input(process);
	if (!wait_for_end(process, grace_ns, &end)) {
		kill(-process->pid, SIGTERM);
		wait_for_end(process, SIGNAL_MS * NS_PER_MS, &end);
	}
	/* However the program itself ended, what it started must not go on sending. */
	kill(-process->pid, SIGKILL);
	spawn_reap(process->pid);
	close(process->out);
	free(process);
}
