/* SPDX-License-Identifier: Apache-2.0 */
/* Runs gnuplot as a child. Its input and output are files in memory, so that neither side waits for the other and
 * nothing is left behind. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/base/spawn.h"
#include "host/report/chart/draw.h"

enum { INPUT, OUTPUT, COMPLAINTS, FILES };

static int complain(struct error *error, const char *what)
{
	return error_set(error, ERROR_PLAN, "charts cannot be drawn: %s", what);
}

static int write_all(int file, const char *text)
{
	for (size_t left = strlen(text); left;) {
		ssize_t written = write(file, text, left);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return -1;
		text += written;
		left -= (size_t)written;
	}
	return lseek(file, 0, SEEK_SET) < 0 ? -1 : 0;
}

/* NULL on failure. */
static char *read_all(int file)
{
	off_t size = lseek(file, 0, SEEK_END);
	char *text = size < 0 ? NULL : malloc((size_t)size + 1);
	ssize_t got = text ? pread(file, text, (size_t)size, 0) : -1;

	if (got != size) {
		free(text);
		return NULL;
	}
	text[size] = 0;
	return text;
}

/* -d: none of the user's settings, so that a report looks the same on every machine. */
static int start(const int files[FILES], pid_t *child)
{
	const char *const arguments[] = {"gnuplot", "-d", NULL};
	const struct spawn_file given[FILES] = {
	        {files[INPUT], STDIN_FILENO}, {files[OUTPUT], STDOUT_FILENO}, {files[COMPLAINTS], STDERR_FILENO}};

	return spawn_start(&(struct spawn_request){.program = arguments[0],
	                                           .arguments = arguments,
	                                           .files = given,
	                                           .file_count = FILES,
	                                           .group = SPAWN_OUR_GROUP},
	                   child);
}

static int run(const int files[FILES], struct error *error)
{
	pid_t child;
	struct spawn_end end;
	int status = start(files, &child);

	if (status == ENOENT)
		return complain(error, "there is no program gnuplot; install the package gnuplot-nox");
	if (status)
		return complain(error, strerror(status));
	end = spawn_reap(child);
	if (end.how == SPAWN_EXITED && end.number == 0)
		return 0;
	if (end.how == SPAWN_EXITED) {
		char *text = read_all(files[COMPLAINTS]);
		const char *line = text ? text + strspn(text, " \n") : "";

		error_set(error, ERROR_PLAN, "charts cannot be drawn: gnuplot ended with exit code %d: %.*s",
		          end.number, (int)strcspn(line, "\n"), line);
		free(text);
		return error->code;
	}
	return complain(error, "gnuplot was killed");
}

int gnuplot_draw(const char *script, char **svg, struct error *error)
{
	int files[FILES] = {-1, -1, -1};
	int status = 0;

	*svg = NULL;
	for (int i = 0; i < FILES && !status; i++) {
		files[i] = memfd_create("fpgauge-chart", MFD_CLOEXEC);
		if (files[i] < 0)
			status = complain(error, strerror(errno));
	}
	if (!status && write_all(files[INPUT], script))
		status = complain(error, strerror(errno));
	if (!status)
		status = run(files, error);
	if (!status) {
		*svg = read_all(files[OUTPUT]);
		if (!*svg)
			status = complain(error, "out of memory");
	}
	for (int i = 0; i < FILES; i++) {
		if (files[i] >= 0)
			close(files[i]);
	}
	return status;
}

int chart_check(struct error *error)
{
	char *svg;
	int status = gnuplot_draw("set terminal svg\nplot 0 notitle\n", &svg, error);

	if (!status && !strstr(svg, "<svg"))
		status = complain(error, "gnuplot cannot draw SVG");
	free(svg);
	return status;
}
