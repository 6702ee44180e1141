/* SPDX-License-Identifier: Apache-2.0 */
/* A plan in a run file is as much a program as the command that it names. */
#include "host/commands/run/permit.h"

#include <stdio.h>
#include <string.h>

#include "host/base/text.h"
#include "host/plan/plan_benchmark.h"
#include "host/trial/exec/tester.h"

enum { DOES_SIZE = 600 };

/* "starts the command python3 tester.py"; false when the plan does nothing but measure. */
static bool what_it_does(const struct plan *plan, char *does, size_t size)
{
	static const char *const WRITES[] = {"device.capture", "device.waveform", "dut.waveform"};
	const struct device_config *device = &plan->device;
	char command[DOES_SIZE - 40];

	does[0] = '\0';
	if (plan->exec.command)
		snprintf(does, size, "starts the command %s",
		         exec_command_text(plan->exec.command, command, sizeof(command)));
	else if (device->library && strchr(device->library, '/'))
		snprintf(does, size, "loads the library %s", device->library);
	else if (plan->trial_log && strcmp(plan->trial_log, "-") != 0)
		snprintf(does, size, "writes the file %s", plan->trial_log);
	for (size_t i = 0; i < plan->test_count && !does[0]; i++) {
		const struct plan_test *test = &plan->tests[i];
		const char *const *words = test->benchmark->command ? test->benchmark->command(test) : NULL;

		words = words ? words : (const char *const *)test->filters_command;

		if (words)
			snprintf(does, size, "starts the command %s",
			         exec_command_text(words, command, sizeof(command)));
	}
	for (size_t i = 0; i < device->option_count && !does[0]; i++) {
		if (!strcmp(device->options[i].name, "dut.library"))
			snprintf(does, size, "loads the library %s", device->options[i].value);
		for (size_t j = 0; j < sizeof(WRITES) / sizeof(WRITES[0]); j++) {
			if (!strcmp(device->options[i].name, WRITES[j]))
				snprintf(does, size, "writes the file %s", device->options[i].value);
		}
	}
	text_repair(does, size);
	return does[0] != '\0';
}

int permit_resume(struct store *store, const struct plan *plan, const struct session_options *options,
                  struct error *error)
{
	char why[500], does[DOES_SIZE];

	if (options->allow_command || !what_it_does(plan, does, sizeof(does)) ||
	    !store_is_foreign(store, why, sizeof(why)))
		return 0;
	return error_set(error, ERROR_PLAN, "%s: %s; to go on with it %s: see that it may, then add --allow-command",
	                 store_path(store), why, does);
}
