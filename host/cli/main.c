/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge COMMAND ...: finds the command and hands over. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/bench/benchmark.h"
#include "host/cli/commands.h"
#include "host/cli/options.h"

static const struct command {
	const char *name;
	const char *usage;
	const char *doc;
	int (*main)(int argc, char **argv);
} COMMANDS[] = {
        {"run", "run PLAN [--db FILE] [--set PATH=VALUE]... [REPORT]... [--events FILE] [--trial-log[=FILE]] [--quiet]",
         "Run a plan and report", command_run},
        {"resume",
         "resume DB [--recorded-plan] [--allow-command] [REPORT]... [--events FILE] [--trial-log[=FILE]] [--quiet]",
         "Go on with a run that died or was stopped", command_resume},
        {"report", "report DB [REPORT]... [--quiet]", "Report a run from its file", command_report},
        {"compare", "compare BASE NEW [--tolerance PERCENT] [--json FILE] [--quiet]",
         "Say what became worse since another run", command_compare},
        {"check", "check PLAN [--set PATH=VALUE]...", "Validate a plan, print what would run and how long it takes",
         command_check},
        {"devices", "devices [--json FILE | --names]", "List the devices that can be opened, and why others cannot",
         command_devices},
        {"selftest",
         "selftest DEVICE [--set PATH=VALUE]... [--external [--calibration FILE]] [--duration TIME] [--json FILE] "
         "[--quiet]",
         "Test a device by itself: registers, memory, counters, clock, loopback, cables", command_selftest},
        {"watch", "watch DEVICE [--set PATH=VALUE]... [--interval TIME] [--count N] [--json FILE]",
         "Show the counters of all ports live, and rates", command_watch},
        {"help", "help [COMMAND | plan | options]",
         "Help on a command, on every key of a plan, or the options of all commands, for programs to read",
         command_help},
        {"version", "version", "Print the version", command_version},
};
static const size_t COMMAND_COUNT = sizeof(COMMANDS) / sizeof(COMMANDS[0]);

void commands_print(FILE *out)
{
	fprintf(out, "Commands:\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "  fpgauge %s\n      %s.\n", COMMANDS[i].usage, COMMANDS[i].doc);
	fprintf(out, "\nREPORT: ");
	options_print_reports(out);
	fprintf(out, ".\n"
	             "\nExit codes: 0 all results valid and as the plan requires; 1 a result is not, or is worse "
	             "(compare), or stopped by\n"
	             "Ctrl-C; 2 the plan, the arguments or the run file are wrong; 3 the device failed or is not the "
	             "one expected.\n");
}

void commands_print_names(FILE *out, const char *const *topics)
{
	size_t topic_count = 0, count;

	while (topics && topics[topic_count])
		topic_count++;
	count = COMMAND_COUNT + topic_count;
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s %s",
		        i == 0           ? ""
		        : i + 1 == count ? " or"
		                         : ",",
		        i < COMMAND_COUNT ? COMMANDS[i].name : topics[i - COMMAND_COUNT]);
}

void commands_print_options(FILE *out)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (options_print(out, COMMANDS[i].name))
			continue;
		fprintf(out, "%s", COMMANDS[i].name);
		if (COMMANDS[i].main == command_help) {
			for (size_t name = 0; name < COMMAND_COUNT; name++)
				fprintf(out, "%c%s", name == 0 ? ' ' : '|', COMMANDS[name].name);
			for (const char *const *topic = HELP_TOPICS; *topic; topic++)
				fprintf(out, "|%s", *topic);
		}
		fputc('\n', out);
	}
}

static int unknown_command(const char *name)
{
	fprintf(stderr, "fpgauge: %s: unknown command; must be", name);
	commands_print_names(stderr, NULL);
	fprintf(stderr, "\n");
	return EXIT_PLAN;
}

/* The command sees "fpgauge run" as its own name, so that argp's messages carry it. */
static int call(const struct command *command, int argc, char **argv)
{
	char name[64];

	snprintf(name, sizeof(name), "fpgauge %s", command->name);
	argv[0] = name;
	return command->main(argc, argv);
}

bool command_print_help(const char *name)
{
	char *inner[] = {NULL, (char[]){"--help"}, NULL};

	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (!strcmp(COMMANDS[i].name, name)) {
			call(&COMMANDS[i], 2, inner);
			return true;
		}
	}
	return false;
}

/* A descriptor that is closed at the start would become that of the first file or pipe that is opened, and what is
 * printed would go there. What is read is at its end, what is complained goes nowhere, as was asked for; results do
 * not: a descriptor that cannot be written makes the printing of them fail, which is said. */
static bool open_standard_descriptors(void)
{
	static const int modes[] = {[STDIN_FILENO] = O_RDONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_WRONLY};

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO;
	     fd++) /* the lowest one that is free is the one that is opened */
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", modes[fd]) != fd)
			return false;
	return true;
}

/* The exit code of a command, or that of its output where that is all that went wrong. */
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
	benchmarks_begin();
	/* A reader of the report that goes away must not take the JSON file with it. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		fprintf(stderr, "fpgauge: a command is missing\n");
		commands_print(stderr);
		return EXIT_PLAN;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "-?"))
		return finish(command_help(1, argv), "help");
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return finish(command_version(1, argv), "version");
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (!strcmp(argv[1], COMMANDS[i].name))
			return finish(call(&COMMANDS[i], argc - 1, argv + 1), argv[1]);
	}
	return unknown_command(argv[1]);
}
