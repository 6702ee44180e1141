/* SPDX-License-Identifier: Apache-2.0 */
#include "host/console/standard_output.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static bool gone;

/* 0: an error, as stdio wants it here. */
static ssize_t write_all(void *cookie, const char *octets, size_t length)
{
	(void)cookie;
	for (size_t at = 0; at < length && !gone;) {
		ssize_t wrote = write(STDOUT_FILENO, octets + at, length - at);

		if (wrote < 0 && errno == EPIPE)
			gone = true;
		else if (wrote < 0 && errno != EINTR)
			return 0;
		at += wrote > 0 ? (size_t)wrote : 0;
	}
	return (ssize_t)length;
}

bool standard_output_begin(void)
{
	FILE *out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_all});

	if (!out)
		return false;
	if (isatty(STDOUT_FILENO))
		setvbuf(out, NULL, _IOLBF, BUFSIZ);
	stdout = out;
	return true;
}

bool standard_output_is_gone(void)
{
	return gone;
}
