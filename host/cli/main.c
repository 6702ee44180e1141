/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge COMMAND ...: finds the command and hands over. */
#include <argp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/commands.h"

static const struct command {
	const char *name;
	const char *usage;
	const char *doc;
	int (*main)(int argc, char **argv);
} COMMANDS[] = {
        {"run", "run PLAN [--db FILE] [--set PATH=VALUE]... [REPORT]... [--events FILE] [--trace[=FILE]] [--quiet]",
         "Run a plan and report", command_run},
        {"resume", "resume DB [--recorded-plan] [REPORT]... [--events FILE] [--trace[=FILE]] [--quiet]",
         "Go on with a run that died or was stopped", command_resume},
        {"report", "report DB [REPORT]... [--quiet]", "Report a run from its file", command_report},
        {"compare", "compare BASE NEW [--tolerance PERCENT] [--json FILE] [--quiet]",
         "Say what became worse since another run", command_compare},
        {"check", "check PLAN [--set PATH=VALUE]...", "Validate a plan, print what would run and how long it takes",
         command_check},
        {"devices", "devices [--json FILE]", "List the devices that can be opened, and why others cannot",
         command_devices},
        {"selftest",
         "selftest DEVICE [--set PATH=VALUE]... [--external [--calibration FILE]] [--duration TIME] [--json FILE] "
         "[--quiet]",
         "Test a device by itself: registers, memory, counters, clock, loopback, cables", command_selftest},
        {"watch", "watch DEVICE [--set PATH=VALUE]... [--interval TIME] [--count N] [--json FILE]",
         "Show the counters of all ports live, and rates", command_watch},
        {"help", "help [COMMAND | plan]", "Help on a command, or on every key of a plan", command_help},
        {"version", "version", "Print the version", command_version},
};
static const size_t COMMAND_COUNT = sizeof(COMMANDS) / sizeof(COMMANDS[0]);

void commands_print(FILE *out)
{
	fprintf(out, "Commands:\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "  fpgauge %s\n      %s.\n", COMMANDS[i].usage, COMMANDS[i].doc);
	fprintf(out, "\nREPORT: --json FILE, --csv DIR, --junit FILE.\n"
	             "\nExit codes: 0 all results valid and as the plan requires; 1 a result is not, or is worse "
	             "(compare), or stopped by\n"
	             "Ctrl-C; 2 the plan, the arguments or the run file are wrong; 3 the device failed or is not the "
	             "one expected.\n");
}

void commands_print_names(FILE *out, const char *last)
{
	size_t count = COMMAND_COUNT + (last != NULL);

	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s %s",
		        i == 0           ? ""
		        : i + 1 == count ? " or"
		                         : ",",
		        i < COMMAND_COUNT ? COMMANDS[i].name : last);
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

int main(int argc, char **argv)
{
	argp_err_exit_status = EXIT_PLAN;
	/* A reader of the report that goes away must not take the JSON file with it. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		fprintf(stderr, "fpgauge: a command is missing\n");
		commands_print(stderr);
		return EXIT_PLAN;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "-?"))
		return command_help(1, argv);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return command_version(1, argv);
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (!strcmp(argv[1], COMMANDS[i].name))
			return call(&COMMANDS[i], argc - 1, argv + 1);
	}
	return unknown_command(argv[1]);
}
