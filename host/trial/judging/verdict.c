/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/judging/verdict.h"

#include <stdarg.h>
#include <stdio.h>

#include "host/base/text.h"

void trial_invalid(struct trial_result *result, const char *format, ...)
{
	va_list arguments;

	if (!result->valid)
		return;
	result->valid = false;
	va_start(arguments, format);
	vsnprintf(result->why_invalid, sizeof(result->why_invalid), format, arguments);
	text_repair(result->why_invalid,
	            sizeof(result->why_invalid)); /* a program wrote part of it, and it may be cut */
	va_end(arguments);
}
