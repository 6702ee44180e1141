// SPDX-License-Identifier: Apache-2.0
/* "%Error: switch.v:12:3: syntax error, unexpected ';'" is the first line of a failure; what follows is about it. */
#include "host/commands/sim_build/verilator.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/base/spawn.h"
#include "host/base/text.h"

#define PROGRAM "verilator"
#define ERROR_MARK "%Error"

enum { LINE_SIZE = 800 };

void verilator_add(struct verilator_arguments *arguments, const char *word)
{
	if (arguments->count < VERILATOR_MAX_ARGUMENTS)
		arguments->words[arguments->count++] = word;
}

/* The first complaint in the log, without its mark; or that of a compiler or a linker. */
static void find_complaint(const char *log, char *line, size_t size)
{
	char read[LINE_SIZE];
	FILE *file = fopen(log, "r");

	line[0] = '\0';
	while (file != NULL && fgets(read, sizeof(read), file) != NULL) {
		const char *mark = strncmp(read, ERROR_MARK, strlen(ERROR_MARK)) == 0 ? strstr(read, ": ") : NULL;

		read[strcspn(read, "\r\n")] = '\0';
		if (mark == NULL && strstr(read, " error: ") == NULL && strstr(read, "rror 127") == NULL)
			continue;
		text_copy(line, size, mark != NULL ? mark + 2 : read);
		break;
	}
	if (file != NULL)
		fclose(file);
}

static int refuse(const char *log, struct error *error)
{
	char line[LINE_SIZE];

	find_complaint(log, line, sizeof(line));
	if (line[0] == '\0')
		return error_set(error, ERROR_PLAN, PROGRAM " failed: %s has what it says", log);
	return error_set(error, ERROR_PLAN, "%s", line);
}

int verilator_run(struct verilator_arguments *arguments, const char *log, struct error *error)
{
	const int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	const struct spawn_file files[] = {{SPAWN_NO_FILE, 0}, {fd, 1}, {fd, 2}};
	const struct spawn_request request = {PROGRAM, arguments->words, files, 3, SPAWN_OUR_GROUP};
	struct spawn_end end;
	pid_t pid;
	int why;

	if (fd < 0)
		return error_set(error, ERROR_PLAN, "%s: %s", log, strerror(errno));
	if (arguments->count >= VERILATOR_MAX_ARGUMENTS) {
		close(fd);
		return error_set(error, ERROR_PLAN,
		                 "%zu arguments: must be fewer than %d; -f FILE takes a list of files",
		                 arguments->count, VERILATOR_MAX_ARGUMENTS);
	}
	arguments->words[arguments->count] = NULL;
	why = spawn_start(&request, &pid);
	close(fd);
	if (why == ENOENT)
		return error_set(error, ERROR_DEVICE,
		                 PROGRAM ": not found in PATH; on Debian: apt install verilator make g++");
	if (why != 0)
		return error_set(error, ERROR_DEVICE, PROGRAM ": %s", strerror(why));
	end = spawn_reap(pid);
	return end.how == SPAWN_EXITED && end.number == 0 ? 0 : refuse(log, error);
}
