/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands, and fpgauge help and version, which print it: text to standard output, nothing else. */
#include "host/cli/commands.h"
#include "host/cli/build_info.h"

#include <string.h>

#include "host/bench/benchmark.h"
#include "host/cli/clock_options.h"
#include "host/cli/option_list.h"
#include "host/cli/options.h"
#include "host/cli/plan_page.h"
#include "host/cli/results_page.h"
#include "host/cli/send_options.h"
#include "host/cli/sim_build_options.h"
#include "host/cli/sweep_options.h"
#include "host/report/schema.h"

/* What `fpgauge help` explains besides commands; NULL at the end. */
static const char *const HELP_TOPICS[] = {"plan", "results", "results-schema", "options", NULL};

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
         "Continue a run that died or was stopped", command_resume},
        {"report", "report DB [REPORT]... [--quiet]", "Report a run from its file", command_report},
        {"compare",
         "compare BASE NEW | --baseline-dir DIR NEW [--accept | --accept-because REASON] [--tolerance PERCENT] [--json "
         "FILE] [--junit FILE] [--markdown "
         "FILE] "
         "[--quiet]",
         "Report what became worse since another run", command_compare},
        {"trend", "trend DIR|DB... [--html FILE] [--json FILE] [--tolerance PERCENT] [--fail-on-step] [--quiet]",
         "Show how results went over many runs, and where they changed", command_trend},
        {"sweep",
         "sweep PLAN --vary PATH=VALUE,... [--vary ...]... [-o DIR] [--jobs N] [--slurm [--wait]] | --resume DIR",
         "Run a plan with each combination of the values of some settings", command_sweep},
        {"check", "check PLAN [--set PATH=VALUE]...", "Validate a plan; print what would run and how long it takes",
         command_check},
        {"devices", "devices [--json FILE | --names]", "List the devices that can be opened, and why others cannot",
         command_devices},
        {"selftest",
         "selftest DEVICE [--set PATH=VALUE]... [--external [--calibration FILE]] [--duration TIME] [--json FILE] "
         "[--quiet]",
         "Test a device without other equipment: registers, memory, counters, clock, loopback, cables",
         command_selftest},
        {"send",
         "send DEVICE --load LOAD [--size SIZE] [--for TIME | --frames N] [--pattern PATTERN] [--json FILE] "
         "[OPTION]...",
         "Send traffic by hand, with the counters of all ports live", command_send},
        {"watch", "watch DEVICE [--set PATH=VALUE]... [--interval TIME] [--count N] [--json FILE]",
         "Show live counters and rates of all ports", command_watch},
        {"clock",
         "clock DEVICE_A DEVICE_B [--ports N:M] [--through N:M [--size OCTETS]] [--for TIME] [--asymmetry TIME] "
         "[--wander TIME] [--set-a "
         "PATH=VALUE]... "
         "[--set-b PATH=VALUE]... [--json FILE] [--quiet]",
         "Measure how the clocks of two devices go together, over a cable", command_clock},
        {"sim-build", "sim-build --top NAME --ports N -o LIBRARY [OPTION]... FILES...",
         "Make a library of a Verilog module, to be benchmarked in a simulation", command_sim_build},
        {"help", "help [COMMAND | plan | results | results-schema | options]",
         "Help on a command, or on every key of a plan or of results; the JSON Schema of results; the options of all "
         "commands, for programs",
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
	             "(compare, trend), or stopped by\n"
	             "Ctrl-C; 2 the plan, the arguments or the run file are wrong; 3 the device failed or is not the "
	             "one expected;\n4 no accepted run to compare with; 5 more runs are needed to judge (compare, "
	             "trend).\n");
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

/* Of the commands whose options are not those of options.h. */
static const struct option_list *const OWN_OPTIONS[] = {&SIM_BUILD_OPTIONS, &SEND_OPTIONS, &CLOCK_OPTIONS,
                                                        &SWEEP_OPTIONS};

static bool print_own_options(FILE *out, const char *command)
{
	for (size_t i = 0; i < sizeof(OWN_OPTIONS) / sizeof(OWN_OPTIONS[0]); i++) {
		if (strcmp(OWN_OPTIONS[i]->command, command) != 0)
			continue;
		option_list_print(out, OWN_OPTIONS[i]);
		return true;
	}
	return false;
}

/* What every command takes, for shell completion (option_list_print()). For a command without options: the words that
 * it takes, "help A|B|C", or its name alone. */
static void print_options(FILE *out)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (options_print(out, COMMANDS[i].name) || print_own_options(out, COMMANDS[i].name))
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

/* The command sees "fpgauge run" as its own name, so that argp's messages carry it. */
static int call(const struct command *command, int argc, char **argv)
{
	char name[64];

	snprintf(name, sizeof(name), "fpgauge %s", command->name);
	argv[0] = name;
	return command->main(argc, argv);
}

bool command_call(const char *name, int argc, char **argv, int *code)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (!strcmp(COMMANDS[i].name, name)) {
			*code = call(&COMMANDS[i], argc, argv);
			return true;
		}
	}
	return false;
}

/* "fpgauge NAME --help"; false when there is no such command. */
static bool print_help(const char *name)
{
	char *inner[] = {NULL, (char[]){"--help"}, NULL};
	int code;

	return command_call(name, 2, inner, &code);
}

static int unknown_topic(const char *name)
{
	fprintf(stderr, "fpgauge help: %s: no such topic; must be", name);
	commands_print_names(stderr, HELP_TOPICS);
	fprintf(stderr, "\n");
	return EXIT_PLAN;
}

static void print_schema(FILE *out)
{
	schema_print(out);
}

/* In the order of HELP_TOPICS. */
static void (*const PRINT_TOPIC[])(FILE *out) = {plan_page_print, results_page_print, print_schema, print_options};

int command_help(int argc, char **argv)
{
	if (argc < 2) {
		printf("fpgauge " FPGAUGE_VERSION " measures network devices:");
		for (size_t i = 0; i < BENCHMARK_COUNT; i++)
			printf("%s %s (%s)", i ? "," : "", BENCHMARKS[i]->title, BENCHMARKS[i]->clause);
		printf(".\n\n");
		commands_print(stdout);
		return EXIT_VALID;
	}
	for (size_t i = 0; HELP_TOPICS[i]; i++) {
		if (!strcmp(argv[1], HELP_TOPICS[i])) {
			PRINT_TOPIC[i](stdout);
			return EXIT_VALID;
		}
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "version")) {
		commands_print(stdout);
		return EXIT_VALID;
	}
	return print_help(argv[1]) ? EXIT_VALID : unknown_topic(argv[1]);
}

int command_version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	printf("fpgauge " FPGAUGE_VERSION " (%s)\n", build_text().text);
	return EXIT_VALID;
}
