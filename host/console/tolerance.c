/* SPDX-License-Identifier: Apache-2.0 */
/* A percentage from 0 to 100; 0 needs no unit. */
#include "host/console/tolerance.h"

#include "host/base/quantity.h"

static const char DEFAULT_TOLERANCE[] = "1%";

int tolerance_read(const char *text, double *ratio, struct error *error)
{
	struct quantity quantity;
	const char *why;

	text = text ? text : DEFAULT_TOLERANCE;
	if (quantity_parse(text, &quantity, &why) || quantity.numerator > quantity.denominator ||
	    (quantity.unit != QUANTITY_PERCENT && (quantity.unit != QUANTITY_PLAIN || quantity.numerator)))
		return error_set(error, ERROR_PLAN, "--tolerance %s: must be 0%% to 100%%", text);
	*ratio = (double)quantity.numerator / (double)quantity.denominator;
	return 0;
}
