/* SPDX-License-Identifier: Apache-2.0 */
/* Output of fpgauge clock, as text and as JSON. */
#ifndef FPGAUGE_COMMANDS_CLOCK_REPORT_H
#define FPGAUGE_COMMANDS_CLOCK_REPORT_H

#include <jansson.h>

#include "drivers/device.h"
#include "host/commands/clock/exchange.h"
#include "host/commands/clock/pair.h"

struct clock_report {
	const struct device_identity *identity[CLOCK_CARDS]; /* identities of A and B */
	unsigned port[CLOCK_CARDS];
	double duration_ns, asymmetry_ns, wander_ns;
	const struct clock_sights *sights;  /* sights over the cable */
	const struct clock_sights *through; /* the device under test */
	unsigned through_port[CLOCK_CARDS];
	unsigned through_octets; /* 0: there were none */
	const struct clock_pair *pair;
	const char *why_not; /* "": all below is known; else why nothing is */
	uint64_t now_ot;     /* time by A, after the exchange */
};

void clock_report_print(const struct clock_report *report);

/* docs/clock.md lists its keys. NULL: out of memory. */
json_t *clock_report_json(const struct clock_report *report);

#endif
