/* SPDX-License-Identifier: Apache-2.0 */
#include "host/forecast/passed_time.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "host/base/clock.h"
#include "host/base/rate.h"

static const double LEAST_PART = 0.1; /* of wall time */
static const char OWN[] = "/proc/thread-self/schedstat";

/* How long a thread was ready to run but had no processor (the second number of its schedstat, in ns); 0 if the kernel
 * does not say. */
static double starved_s(const char *path)
{
	FILE *file = fopen(path, "re");
	uint64_t ran_ns, starved_ns = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%" SCNu64 " %" SCNu64, &ran_ns, &starved_ns) != 2)
		starved_ns = 0;
	fclose(file);
	return (double)starved_ns / 1e9;
}

static double counted_s(double processor_s, double alone_s)
{
	return fmin(fmax(processor_s, alone_s * LEAST_PART), alone_s);
}

struct passed_since passed_begin(void)
{
	return (struct passed_since){clock_s(), clock_processor_s(), starved_s(OWN)};
}

static double alone_since_s(struct passed_since since)
{
	return fmax(clock_s() - since.wall_s - (starved_s(OWN) - since.starved_s), 0);
}

double passed_s(struct passed_since since)
{
	return counted_s(clock_processor_s() - since.processor_s, alone_since_s(since));
}

double passed_s_of(pid_t process, double began_s)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/schedstat", (long)process);
	return counted_s(clock_processor_s_of(process), fmax(clock_s() - began_s - starved_s(path), 0));
}
