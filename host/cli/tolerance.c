/* SPDX-License-Identifier: Apache-2.0 */
/* A percentage from 0 to 100. */
#include "host/cli/tolerance.h"

#include "host/base/quantity.h"

static const char DEFAULT_TOLERANCE[] = "1%";

int tolerance_read(const char *text, double *ratio, struct error *error)
{
	struct quantity quantity;
	const char *why;

	text = text ? text : DEFAULT_TOLERANCE;
	if (quantity_parse(text, &quantity, &why) || quantity.unit != QUANTITY_PERCENT ||
	    quantity.numerator > quantity.denominator)
		return error_set(error, ERROR_PLAN, "--tolerance %s: must be 0%% to 100%%", text);
	*ratio = (double)quantity.numerator / (double)quantity.denominator;
	return 0;
}
