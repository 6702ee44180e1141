// SPDX-License-Identifier: Apache-2.0
/* Measures how fast the simulation is: all ports send at line rate for a while. One line for each size and DUT, in
 * words and numbers that tools/bench reads:  frame_octets dut wall_s simulated_ns clocks frames received
 *
 *   bench_sim [-p N] LIBRARY MICROSECONDS NAME=VALUE,... SIZE...   -p: only the first N ports send
 *
 * FPGAUGE_LIBRARY_PATH says where the library is. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/sim/traffic.h"

enum { MAX_SETTINGS = 8 };

static double wall_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t sum_of(struct device *device, unsigned counter)
{
	uint64_t sum = 0;

	for (unsigned port = 0; port < device_identity(device)->ports; port++)
		sum += traffic_read64(device, FPGAUGE_COUNTER(port, counter));
	return sum;
}

static void measure(struct device *device, const char *dut, unsigned senders, uint32_t frame_octets,
                    uint64_t duration_ot)
{
	const struct device_identity *identity = device_identity(device);
	const struct sent_traffic traffic = {.frame_octets = frame_octets};
	const double octets_per_s = (double)identity->link_bps / 8;
	double begin, took;

	traffic_prepare(device, &traffic);
	for (unsigned port = senders; port < identity->ports; port++)
		traffic_write32(device, FPGAUGE_PORT_TX_ENABLE(port), 0);
	traffic_start(device);
	begin = wall_s();
	traffic_wait(device, duration_ot);
	traffic_snapshot(device); /* the twin may defer work until somebody looks */
	took = wall_s() - begin;
	traffic_stop(device);
	printf("%u %s %.6f %.0f %.0f %llu %llu\n", frame_octets, dut, took, (double)duration_ot / octets_per_s * 1e9,
	       (double)duration_ot / (8 * identity->groups),
	       (unsigned long long)sum_of(device, FPGAUGE_COUNTER_TX_FRAMES),
	       (unsigned long long)sum_of(device, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES));
	traffic_wait(device, 1250000); /* 100 us at 100G: empty again */
}

int main(int argc, char **argv)
{
	unsigned senders = UINT_MAX;
	const char *options[MAX_SETTINGS + 1] = {NULL};
	struct device *device;
	char *settings;
	size_t count = 0;

	for (int option; (option = getopt(argc, argv, "p:")) == 'p';)
		senders = (unsigned)strtoul(optarg, NULL, 10);
	argv += optind;
	argc -= optind;
	settings = argc > 3 ? strdup(argv[2]) : NULL;
	if (settings == NULL) {
		fprintf(stderr, "usage: bench_sim [-p N] LIBRARY MICROSECONDS NAME=VALUE,... SIZE...\n");
		return 2;
	}
	for (char *one = strtok(settings, ","); one != NULL && count < MAX_SETTINGS; one = strtok(NULL, ","))
		options[count++] = one;
	device = traffic_open(argv[0], options);
	for (int i = 3; i < argc; i++)
		measure(device, argv[2], senders, (uint32_t)strtoul(argv[i], NULL, 10),
		        (uint64_t)(strtod(argv[1], NULL) * (double)device_identity(device)->link_bps / 8e6));
	device_close(device);
	free(settings);
	return 0;
}
