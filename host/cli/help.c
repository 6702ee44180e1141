/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge help, fpgauge version: text to standard output, nothing else. */
#include <string.h>

#include "host/cli/commands.h"
#include "host/cli/plan_page.h"

const char *const HELP_TOPICS[] = {"plan", "options", NULL};

static int unknown_topic(const char *name)
{
	fprintf(stderr, "fpgauge help: %s: no such topic; must be", name);
	commands_print_names(stderr, HELP_TOPICS);
	fprintf(stderr, "\n");
	return EXIT_PLAN;
}

int command_help(int argc, char **argv)
{
	if (argc < 2) {
		printf("fpgauge " FPGAUGE_VERSION
		       " measures network devices: RFC 2544 throughput, RFC 9004 back-to-back "
		       "frames, RFC 9971 MLRsearch.\n\n");
		commands_print(stdout);
		return EXIT_VALID;
	}
	if (!strcmp(argv[1], "plan")) {
		plan_page_print(stdout);
		return EXIT_VALID;
	}
	if (!strcmp(argv[1], "options")) {
		commands_print_options(stdout);
		return EXIT_VALID;
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "version")) {
		commands_print(stdout);
		return EXIT_VALID;
	}
	return command_print_help(argv[1]) ? EXIT_VALID : unknown_topic(argv[1]);
}

int command_version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	printf("fpgauge " FPGAUGE_VERSION "\n");
	return EXIT_VALID;
}
