/* SPDX-License-Identifier: Apache-2.0 */
/* Plan and device brought together. All that can be wrong before the first trial is found here. */
#include "host/cli/bring_up.h"

#include <inttypes.h>
#include <stdio.h>

#include "host/base/format.h"
#include "host/cli/commands.h"

int exit_code_of(const struct error *error, const char *command)
{
	fprintf(stderr, "%s: %s\n", command, error->text);
	switch (error->code) {
	case ERROR_PLAN:
	case ERROR_STORE:
		return EXIT_PLAN;
	case ERROR_CANCELLED:
		return EXIT_INVALID;
	default:
		return EXIT_DEVICE;
	}
}

/* The driver names setting and value; where they stand is known here only. */
static int open_device(const struct plan *plan, struct device **device, struct error *error)
{
	const char *bad_option = NULL;
	int result = device_open(&plan->device, device, &bad_option, error);

	if (result == ERROR_PLAN || result == ERROR_DEVICE)
		error_prefix(error, "%s: ", plan_option_place(plan, bad_option ? bad_option : "device.library"));
	return result;
}

static int check_device(const struct plan *plan, const struct device_identity *identity, struct error *error)
{
	if (plan->link_bps && plan->link_bps != identity->link_bps)
		return error_set(error, ERROR_PLAN, "%s: link.speed = \"%s\": must be \"%s\", the speed of %s",
		                 plan_option_place(plan, "link.speed"), format_multiple(plan->link_bps).text,
		                 format_multiple(identity->link_bps).text, identity->name);
	if (plan->device.ports > identity->ports)
		return error_set(error, ERROR_PLAN, "%s: device.ports = %u: must be at most %u, the ports of %s",
		                 plan_option_place(plan, "device.ports"), plan->device.ports, identity->ports,
		                 identity->name);
	for (size_t i = 0; i < plan->test_count; i++) {
		if (plan->tests[i].destinations > identity->destinations)
			return error_set(error, ERROR_PLAN,
			                 "%s:%u: destinations = %u: must be 1 to %u, the entries of %s", plan->path,
			                 plan->tests[i].line, plan->tests[i].destinations, identity->destinations,
			                 identity->name);
	}
	return 0;
}

int bring_up_device(const struct plan *plan, struct device **device, struct error *error)
{
	int result = open_device(plan, device, error);

	if (!result)
		result = check_device(plan, device_identity(*device), error);
	if (result) {
		device_close(*device);
		*device = NULL;
	}
	return result;
}

int bring_up(const struct options *options, struct plan **plan, struct device **device, struct error *error)
{
	int result = plan_read(options->plan_path, options->overrides, options->override_count, plan, error);

	*device = NULL;
	if (!result)
		result = bring_up_device(*plan, device, error);
	if (result) {
		plan_free(*plan);
		*plan = NULL;
	}
	return result;
}
