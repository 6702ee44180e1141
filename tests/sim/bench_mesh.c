// SPDX-License-Identifier: Apache-2.0
/* Measures how fast the twin is with a full mesh through a switch, and how much memory it takes. One line, in words and
 * numbers that tools/bench reads:  wall_s processor_s frames received memory_kib
 *
 *   bench_mesh PORTS MICROSECONDS GAP NUMERATOR DENOMINATOR [NAME=VALUE...]
 *
 * at 64 octets with an average gap of GAP + NUMERATOR / DENOMINATOR octets. memory_kib: the most that the process ever
 * had (VmHWM). FPGAUGE_LIBRARY_PATH says where the library is. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/sim/mesh.h"

enum { OWN_OPTIONS = 3, MAX_OPTIONS = 16, FIRST_OPTION = 6, FRAME_OCTETS = 64, SETTLE_OT = 2000000 };

static double seconds(clockid_t of)
{
	struct timespec now;

	clock_gettime(of, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(struct device *device, const struct sent_traffic *traffic)
{
	double wall, processor;
	struct rusage usage;

	mesh_prepare(device, traffic);
	traffic_start(device);
	wall = seconds(CLOCK_MONOTONIC);
	processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
	traffic_wait(device, traffic->duration_ot + SETTLE_OT);
	traffic_snapshot(device);
	wall = seconds(CLOCK_MONOTONIC) - wall;
	processor = seconds(CLOCK_PROCESS_CPUTIME_ID) - processor;
	getrusage(RUSAGE_SELF, &usage);
	printf("%.6f %.6f %llu %llu %ld\n", wall, processor,
	       (unsigned long long)mesh_sum(device, FPGAUGE_COUNTER_TX_FRAMES),
	       (unsigned long long)mesh_sum(device, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), usage.ru_maxrss);
}

int main(int argc, char **argv)
{
	static char ports[64];
	const char *options[MAX_OPTIONS + 1] = {ports, "dut.model=switch", "dut.buffer_frames=1000"};
	struct sent_traffic traffic = {.frame_octets = FRAME_OCTETS};
	struct device *device;

	if (argc < FIRST_OPTION || argc - FIRST_OPTION > MAX_OPTIONS - OWN_OPTIONS) {
		fprintf(stderr, "usage: bench_mesh PORTS MICROSECONDS GAP NUMERATOR DENOMINATOR [NAME=VALUE...]\n");
		return 2;
	}
	snprintf(ports, sizeof(ports), "device.ports=%s", argv[1]);
	for (int i = FIRST_OPTION; i < argc; i++)
		options[OWN_OPTIONS + i - FIRST_OPTION] = argv[i];
	traffic.gap_octets = strtoull(argv[3], NULL, 10);
	traffic.gap_numerator = (uint32_t)strtoul(argv[4], NULL, 10);
	traffic.gap_denominator = (uint32_t)strtoul(argv[5], NULL, 10);
	device = traffic_open("twin", options);
	traffic.duration_ot = (uint64_t)(strtod(argv[2], NULL) * (double)device_identity(device)->link_bps / 8e6);
	measure(device, &traffic);
	device_close(device);
	return 0;
}
