/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands, and fpgauge help and version, which print it: text to standard output, nothing else. */
#include "host/cli/commands.h"

#include <string.h>

#include "host/base/nearest.h"
#include "host/bench/benchmark.h"
#include "host/commands/commands.h"
#include "host/commands/help/plan_page.h"
#include "host/commands/help/results_page.h"
#include "host/console/build_info.h"
#include "host/console/exit_code.h"
#include "host/console/outputs.h"
#include "host/report/schema.h"

static void print_schema(FILE *out)
{
	schema_print(out);
}

static void print_options(FILE *out);

/* Topics of `fpgauge help` besides commands. */
static const struct topic {
	const char *name;
	void (*print)(FILE *out);
} TOPICS[] = {
        {"plan", plan_page_print},
        {"results", results_page_print},
        {"results-schema", print_schema},
        {"options", print_options},
};
enum { TOPIC_COUNT = sizeof(TOPICS) / sizeof(TOPICS[0]) };

static const struct command HELP_COMMAND = {
        .name = "help",
        .usage = "[COMMAND | plan | results | results-schema | options]",
        .summary = "Help on a command, or on every key of a plan or of results; the JSON Schema of results; the "
                   "options of "
                   "all commands, for programs",
        .run = help_print,
};

static const struct command VERSION_COMMAND = {
        .name = "version", .usage = "", .summary = "Print the version", .run = version_print};

static const struct command *const COMMANDS[] = {
        &RUN_COMMAND,   &RESUME_COMMAND, &REPORT_COMMAND,    &COMPARE_COMMAND,  &TREND_COMMAND,
        &SWEEP_COMMAND, &CHECK_COMMAND,  &DEVICES_COMMAND,   &SELFTEST_COMMAND, &SEND_COMMAND,
        &WATCH_COMMAND, &CLOCK_COMMAND,  &SIM_BUILD_COMMAND, &HELP_COMMAND,     &VERSION_COMMAND,
};
enum { COMMAND_COUNT = sizeof(COMMANDS) / sizeof(COMMANDS[0]) };

/* "--json FILE, --csv DIR, ...": every form that `report` writes into a file. */
static void print_reports(FILE *out)
{
	fprintf(out, "--%s %s", JSON_OPTION->name, JSON_OPTION->value);
	for (const struct option_row *row = OUTPUT_OPTIONS; row->name; row++)
		fprintf(out, ", --%s %s", row->name, row->value);
}

void commands_print(FILE *out)
{
	fprintf(out, "Commands:\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "  fpgauge %s%s%s\n      %s.\n", COMMANDS[i]->name, *COMMANDS[i]->usage ? " " : "",
		        COMMANDS[i]->usage, COMMANDS[i]->summary);
	fprintf(out, "\nREPORT: ");
	print_reports(out);
	fprintf(out, ".\n"
	             "\nExit codes: 0 all results valid and as the plan requires; 1 a result is not, or is worse "
	             "(compare, trend), or stopped by\n"
	             "Ctrl-C; 2 the plan, the arguments or the run file are wrong; 3 the device failed or is not the "
	             "one expected;\n4 no accepted run to compare with; 5 more runs are needed to judge (compare, "
	             "trend).\n");
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(COMMANDS[i]->name, name))
			return COMMANDS[i];
	return NULL;
}

/* "fpgauge: rnu: unknown command; did you mean run?" or "must be run, resume ... or version". */
static int refuse(const char *who, const char *what, const char *name, size_t topics)
{
	const size_t count = COMMAND_COUNT + topics;
	struct nearest nearest = {0};

	for (size_t i = 0; i < count; i++)
		nearest_try(&nearest, name, i < COMMAND_COUNT ? COMMANDS[i]->name : TOPICS[i - COMMAND_COUNT].name);
	fprintf(stderr, "%s: %s: %s; ", who, name, what);
	if (nearest_word(&nearest)) {
		fprintf(stderr, "did you mean %s?\n", nearest_word(&nearest));
		return EXIT_PLAN;
	}
	fprintf(stderr, "must be");
	for (size_t i = 0; i < count; i++)
		fprintf(stderr, "%s %s",
		        i == 0           ? ""
		        : i + 1 == count ? " or"
		                         : ",",
		        i < COMMAND_COUNT ? COMMANDS[i]->name : TOPICS[i - COMMAND_COUNT].name);
	fputc('\n', stderr);
	return EXIT_PLAN;
}

/* Prints what every command takes, for shell completion (command_print_options()): for help, the words, "help A|B|C".
 */
static void print_options(FILE *out)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (COMMANDS[i]->groups[0].rows) {
			command_print_options(COMMANDS[i], out);
			continue;
		}
		fprintf(out, "%s", COMMANDS[i]->name);
		if (COMMANDS[i] == &HELP_COMMAND) {
			for (size_t name = 0; name < COMMAND_COUNT; name++)
				fprintf(out, "%c%s", name == 0 ? ' ' : '|', COMMANDS[name]->name);
			for (size_t topic = 0; topic < TOPIC_COUNT; topic++)
				fprintf(out, "|%s", TOPICS[topic].name);
		}
		fputc('\n', out);
	}
}

/* The command sees "fpgauge run" as its own name, so that argp's messages carry it. */
static int call(const struct command *command, int argc, char **argv)
{
	char name[64];

	snprintf(name, sizeof(name), "fpgauge %s", command->name);
	argv[0] = name;
	return command->run(argc, argv);
}

int command_call(const char *name, int argc, char **argv)
{
	const struct command *command = find(name);

	return command ? call(command, argc, argv) : refuse("fpgauge", "unknown command", name, 0);
}

int help_print(int argc, char **argv)
{
	char *inner[] = {NULL, (char[]){"--help"}, NULL};
	const struct command *command = argc < 2 ? NULL : find(argv[1]);

	if (argc < 2) {
		printf("fpgauge " FPGAUGE_VERSION " measures network devices:");
		for (size_t i = 0; i < BENCHMARK_COUNT; i++)
			printf("%s %s (%s)", i ? "," : "", BENCHMARKS[i]->title, BENCHMARKS[i]->clause);
		printf(".\n\n");
	}
	for (size_t i = 0; argc >= 2 && i < TOPIC_COUNT; i++) {
		if (!strcmp(argv[1], TOPICS[i].name)) {
			TOPICS[i].print(stdout);
			return EXIT_VALID;
		}
	}
	if (argc >= 2 && !command)
		return refuse("fpgauge help", "no such topic", argv[1], TOPIC_COUNT);
	if (command && command->groups[0].rows)
		return call(command, 2, inner);
	commands_print(stdout);
	return EXIT_VALID;
}

int version_print(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	printf("fpgauge " FPGAUGE_VERSION " (%s)\n", build_text().text);
	return EXIT_VALID;
}
