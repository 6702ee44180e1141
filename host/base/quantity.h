/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers with units, as people write them in a plan: "100G", "148.8M", "2ms", "60s", "0.5%", "1500 frames". */
#ifndef FPGAUGE_BASE_QUANTITY_H
#define FPGAUGE_BASE_QUANTITY_H

#include <stdint.h>

#include "host/base/rate.h"

enum quantity_unit {
	QUANTITY_PLAIN, /* no unit: a count, octets, frames per second or bits per second, depending on the key */
	QUANTITY_PERCENT,
	QUANTITY_TIME,       /* s, ms, us, ns */
	QUANTITY_FRAMES,     /* "frames" or "frame" */
	QUANTITY_FRAME_RATE, /* fps or pps: frames a second */
	QUANTITY_BIT_RATE,   /* bps or bit/s */
};

#define QUANTITY_UNKNOWN_UNIT                                                                                          \
	"unknown unit: known are %, s ms us ns, frames, fps pps bps bit/s, and k M G T before them"

/* The value is exactly numerator / denominator in base units (1, ratio for percent, seconds for time). */
struct quantity {
	enum quantity_unit unit;
	uint64_t numerator;
	uint64_t denominator;
};

/* Parses a whole text: decimal number, optional multiplier k M G T (10^3 ...), optional unit after optional space. In a
 * rate with its unit, case does not matter (10gbps, 1.5 MPPS), except that B would be an octet. Returns 0, or -1 with
 * *why set to a static text ("not a number", "too large", QUANTITY_UNKNOWN_UNIT, ...). Never rounds: a number with too
 * many digits is "too large" or "too precise". */
int quantity_parse(const char *text, struct quantity *quantity, const char **why);

/* The nearest double, in base units. */
double quantity_number(const struct quantity *quantity);

#endif
