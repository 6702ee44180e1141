/* SPDX-License-Identifier: Apache-2.0 */
/* The tester of a rehearsal: it passes trials on, notes what they take or would take, and ends a part when its time is
 * up. */
#ifndef FPGAUGE_FORECAST_REHEARSAL_METER_H
#define FPGAUGE_FORECAST_REHEARSAL_METER_H

#include "host/forecast/jobs_clock.h"
#include "host/forecast/pace.h"
#include "host/forecast/passed_time.h"

struct meter {
	struct tester tester; /* first */
	struct tester *inner;
	struct device *device; /* of inner; NULL: it has none */
	const struct pace *pace;
	bool stands_in; /* inner answers in place of the plan's tester: its trials are priced by the pace */
	bool waits;     /* trials take drain and settle in any case, as an external program does */
	/* Of the part that is being run. */
	const struct plan_test *test;
	uint32_t frame_octets;
	struct passed_since began;
	double most_s;                  /* of passed_s() */
	unsigned trials;                /* so far */
	double priced_s;                /* what the pace says of them */
	double first_s, first_priced_s; /* the first of them, for which tables are written */
	double long_trial_s;            /* a trial that was not run, because it would take so long; 0: none */
	struct jobs_clock jobs;
};

/* Makes meter->tester of inner; the caller sets the rest. */
void meter_open(struct meter *meter, struct tester *inner);

void meter_begin_part(struct meter *meter, const struct plan_test *test, uint32_t frame_octets, double most_s,
                      unsigned jobs, bool also_short);

/* What the part took, or would take if inner stands in for another tester; one trial after the other. */
double meter_part_s(const struct meter *meter);

#endif
