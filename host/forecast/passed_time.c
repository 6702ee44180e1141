/* SPDX-License-Identifier: Apache-2.0 */
#include "host/forecast/passed_time.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "host/base/clock.h"
#include "host/base/rate.h"

static const double LEAST_PART = 0.1; /* of wall time */

/* The time for which this thread was ready to run but had no processor (the second number of its schedstat, in ns); 0
 * if the kernel does not say. */
static double starved_s(void)
{
	FILE *file = fopen("/proc/thread-self/schedstat", "re");
	uint64_t ran_ns, starved_ns = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%" SCNu64 " %" SCNu64, &ran_ns, &starved_ns) != 2)
		starved_ns = 0;
	fclose(file);
	return (double)starved_ns / 1e9;
}

struct passed_since passed_begin(void)
{
	return (struct passed_since){clock_s(), clock_processor_s(), starved_s()};
}

double passed_s(struct passed_since since)
{
	const double alone_s = fmax(clock_s() - since.wall_s - (starved_s() - since.starved_s), 0);

	return fmin(fmax(clock_processor_s() - since.processor_s, alone_s * LEAST_PART), alone_s);
}
