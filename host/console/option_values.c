/* SPDX-License-Identifier: Apache-2.0 */
#include "host/console/option_values.h"

#include "host/base/array.h"
#include "host/cli/commands.h"

void option_add(const char ***list, size_t *count, const char *text, const struct argp_state *state)
{
	const char **place = array_add(list, *count, sizeof(*place));

	if (!place)
		argp_failure(state, EXIT_DEVICE, 0, "out of memory");
	*place = text;
	++*count;
}

void option_set_once(const char **value, const char *name, const char *argument, const struct argp_state *state)
{
	if (*value)
		argp_error(state, "--%s %s: must be given once", name, argument);
	*value = argument;
}
