/* SPDX-License-Identifier: Apache-2.0 */
/* Runs gnuplot as a child. Its input and output are files in memory, so that neither side waits for the other and
 * nothing is left behind. */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/report/html/page.h"

extern char **environ;

enum { INPUT, OUTPUT, COMPLAINTS, FILES };

static int complain(struct error *error, const char *what)
{
	return error_set(error, ERROR_PLAN, "--html: charts cannot be drawn: %s", what);
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

/* -d: no settings of the user's, so that a report looks the same on every machine. */
static int spawn(const int files[FILES], pid_t *child)
{
	char name[] = "gnuplot", settings[] = "-d";
	char *arguments[] = {name, settings, NULL};
	posix_spawn_file_actions_t actions;
	int status = posix_spawn_file_actions_init(&actions);

	if (status)
		return status;
	for (int i = 0; i < FILES && !status; i++)
		status = posix_spawn_file_actions_adddup2(&actions, files[i], i);
	if (!status)
		status = posix_spawnp(child, name, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return status;
}

static int run(const int files[FILES], struct error *error)
{
	pid_t child;
	int status = spawn(files, &child), ended;

	if (status == ENOENT)
		return complain(error, "there is no program gnuplot; install the package gnuplot-nox");
	if (status)
		return complain(error, strerror(status));
	while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
		;
	if (ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (ended == child && WIFEXITED(status)) {
		char *text = read_all(files[COMPLAINTS]);
		const char *line = text ? text + strspn(text, " \n") : "";

		error_set(error, ERROR_PLAN, "--html: charts cannot be drawn: gnuplot ended with exit code %d: %.*s",
		          WEXITSTATUS(status), (int)strcspn(line, "\n"), line);
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
		/* A file that is its own target in the child would be closed there. */
		if (files[i] < 0 || files[i] < FILES)
			status = complain(error, files[i] < 0 ? strerror(errno) : "standard files are closed");
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

int gnuplot_check(struct error *error)
{
	char *svg;
	int status = gnuplot_draw("set terminal svg\nplot 0 notitle\n", &svg, error);

	if (!status && !strstr(svg, "<svg"))
		status = complain(error, "gnuplot cannot draw SVG");
	free(svg);
	return status;
}
