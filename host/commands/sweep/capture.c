/* SPDX-License-Identifier: Apache-2.0 */
#include "host/commands/sweep/capture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/base/spawn.h"

enum { LOOK_NS = 100000000 };

/* Reads to the end of the pipe, which does not block. */
static bool read_all(int pipe, FILE *out)
{
	char octets[4096];
	ssize_t got;

	do {
		got = read(pipe, octets, sizeof(octets));
		if (got > 0)
			fwrite(octets, 1, (size_t)got, out);
		else if (got < 0 && errno == EAGAIN)
			clock_sleep_until_input(&pipe, 1, LOOK_NS);
	} while (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR)));
	return got == 0;
}

int capture(const char *const *arguments, char **printed, struct error *error)
{
	const struct spawn_request request = {
	        .program = arguments[0], .arguments = arguments, .group = SPAWN_OUR_GROUP};
	char text[SPAWN_END_TEXT];
	struct spawn_end end;
	size_t length;
	FILE *out = open_memstream(printed, &length);
	bool whole = false;
	pid_t pid;
	int to, from, why = out ? spawn_piped(&request, &pid, &to, &from) : ENOMEM;

	if (why == 0) {
		close(to);
		whole = read_all(from, out);
		close(from);
		end = spawn_reap(pid);
	}
	if (out && fclose(out))
		why = ENOMEM;
	if (why == 0 && whole && end.how == SPAWN_EXITED && end.number == 0)
		return 0;
	if (out)
		free(*printed);
	*printed = NULL;
	if (why)
		return error_set(error, why == ENOENT ? ERROR_PLAN : ERROR_DEVICE, "%s: cannot be started: %s",
		                 arguments[0], strerror(why));
	spawn_end_text(&end, text);
	return error_set(error, ERROR_DEVICE, "%s %s", arguments[0], text);
}
