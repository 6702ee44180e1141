/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge COMMAND ...: what holds for every command, before it begins and after its end. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "host/cli/commands.h"
#include "host/console/exit_code.h"
#include "host/console/standard_output.h"

/* A standard descriptor that is closed at the start would be reused for the first file or pipe that is opened, and
 * output would go there. /dev/null takes its place: input is at its end, and error messages are lost, as was asked for.
 * Results are not: standard output is not writable, so printing them fails, which is reported. */
static bool open_standard_descriptors(void)
{
	static const int modes[] = {[STDIN_FILENO] = O_RDONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_WRONLY};

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) /* open() returns the lowest one that is free */
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", modes[fd]) != fd)
			return false;
	return true;
}

/* The exit code of a command, or that of its output if nothing else went wrong. */
static int finish(int code, const char *name)
{
	if ((!fflush(stdout) && !ferror(stdout)) || code == EXIT_PLAN || code == EXIT_DEVICE)
		return code;
	fprintf(stderr, "fpgauge %s: standard output cannot be written\n", name);
	return EXIT_PLAN;
}

int main(int argc, char **argv)
{
	if (!open_standard_descriptors())
		return EXIT_DEVICE;
	argp_err_exit_status = EXIT_PLAN;
	/* A reader of the report that goes away must not take the JSON file with it. */
	signal(SIGPIPE, SIG_IGN);
	if (!standard_output_begin())
		return EXIT_DEVICE;
	if (argc < 2) {
		fprintf(stderr, "fpgauge: a command is missing\n");
		commands_print(stderr);
		return EXIT_PLAN;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "-?"))
		return finish(help_print(1, argv), "help");
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return finish(version_print(1, argv), "version");
	return finish(command_call(argv[1], argc - 1, argv + 1), argv[1]);
}
