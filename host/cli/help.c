/* SPDX-License-Identifier: Apache-2.0 */
/* fpgauge help, fpgauge version: text to standard output, nothing else. */
#include <string.h>

#include "host/cli/commands.h"
#include "host/cli/plan_page.h"

int command_help(int argc, char **argv)
{
	char *inner[] = {NULL, (char[]){"--help"}, NULL};

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
	inner[0] = argv[0];
	if (!strcmp(argv[1], "run")) {
		inner[0] = (char[]){"fpgauge run"};
		return command_run(2, inner);
	}
	if (!strcmp(argv[1], "check")) {
		inner[0] = (char[]){"fpgauge check"};
		return command_check(2, inner);
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "version")) {
		commands_print(stdout);
		return EXIT_VALID;
	}
	fprintf(stderr, "fpgauge help: %s: no such topic; must be run, check, help, version or plan\n", argv[1]);
	return EXIT_PLAN;
}

int command_version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	printf("fpgauge " FPGAUGE_VERSION "\n");
	return EXIT_VALID;
}
