/* SPDX-License-Identifier: Apache-2.0 */
#include "host/console/exit_code.h"

#include <stdio.h>

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
