// SPDX-License-Identifier: Apache-2.0
/* Compares the speed of simulation libraries where other programs run too: all ports of each send at line rate, and
 * they take turns of some thousand clocks, in one process. One line for each library, of nanoseconds per clock: least
 * processor time, least wall time, and how many times as fast as the first it is by processor time, the median of all
 * turns. With more than one thread only the wall time is right: the kernel adds the processor time of others late.
 *
 *   bench_turns OCTETS THREADS TURNS LIBRARY.so... */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/sim/traffic.h"

enum { CLOCKS = 5000, AGAIN_CLOCKS = 500, MOST = 8, MOST_TURNS = 10000 }; /* AGAIN: until its code is in the caches */

static struct device *device[MOST];
static double processor_ns[MOST][MOST_TURNS], least_wall_ns[MOST];

static double now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return ((double)now.tv_sec * 1e9 + (double)now.tv_nsec) / CLOCKS;
}

static void turn(int one, unsigned number)
{
	const unsigned octets = 8 * device_identity(device[one])->groups;
	double wall_ns;

	traffic_wait(device[one], (uint64_t)AGAIN_CLOCKS * octets);
	wall_ns = -now_ns(CLOCK_MONOTONIC);
	processor_ns[one][number] = -now_ns(CLOCK_PROCESS_CPUTIME_ID);
	traffic_wait(device[one], (uint64_t)CLOCKS * octets);
	processor_ns[one][number] += now_ns(CLOCK_PROCESS_CPUTIME_ID);
	wall_ns += now_ns(CLOCK_MONOTONIC);
	if (number == 0 || wall_ns < least_wall_ns[one])
		least_wall_ns[one] = wall_ns;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print(int one, const char *library, unsigned turns)
{
	static double ratio[MOST_TURNS];
	double least = processor_ns[one][0];

	for (unsigned i = 0; i < turns; i++) {
		ratio[i] = processor_ns[0][i] / processor_ns[one][i];
		least = processor_ns[one][i] < least ? processor_ns[one][i] : least;
	}
	qsort(ratio, turns, sizeof(*ratio), compare);
	printf("%s %.0f %.0f %.3f\n", library, least, least_wall_ns[one], ratio[turns / 2]);
}

int main(int argc, char **argv)
{
	const struct sent_traffic traffic = {.frame_octets = argc > 1 ? (uint32_t)atoi(argv[1]) : 0};
	const unsigned turns = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
	const int libraries = argc - 4;
	char threads[32], model[] = "dut.model=fifo";
	const char *options[] = {model, threads, NULL};

	if (libraries < 1 || libraries > MOST || turns < 1 || turns > MOST_TURNS) {
		fprintf(stderr, "usage: bench_turns OCTETS THREADS TURNS LIBRARY.so...\n");
		return 2;
	}
	snprintf(threads, sizeof(threads), "device.threads=%d", atoi(argv[2]));
	for (int i = 0; i < libraries; i++) {
		device[i] = traffic_open(argv[4 + i], options);
		traffic_prepare(device[i], &traffic);
		traffic_start(device[i]);
	}
	for (unsigned number = 0; number < turns; number++)
		for (int i = 0; i < libraries; i++)
			turn((i + (int)number) % libraries, number);
	for (int i = 0; i < libraries; i++)
		print(i, argv[4 + i], turns);
	for (int i = 0; i < libraries; i++)
		device_close(device[i]);
	return 0;
}
