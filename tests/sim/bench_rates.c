// SPDX-License-Identifier: Apache-2.0
/* Measures how long the twin takes for trials at random loads into a fifo of a random service. One line for each, in
 * numbers that tools/bench reads:  frame_octets load_fps service_fps wall_s sent received
 *
 *   bench_rates LIBRARY SECONDS TRIALS SEED lossy|lossless OCTETS
 *
 * lossy: loads above the service; lossless: below it. FPGAUGE_LIBRARY_PATH says where the library is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/base/splitmix64.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/sim/traffic.h"

static const double OCTETS_PER_S = 12.5e9;

static double wall_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t draw(uint64_t *state, uint64_t below)
{
	return splitmix64(state) % below;
}

/* The average gap of a load in frames per second. */
static void set_load(struct sent_traffic *traffic, uint64_t fps)
{
	const uint64_t octets_per_s = (uint64_t)OCTETS_PER_S;

	traffic->gap_octets = octets_per_s / fps - 8 - traffic->frame_octets;
	traffic->gap_numerator = (uint32_t)(octets_per_s % fps);
	traffic->gap_denominator = (uint32_t)fps;
}

static void measure(const char *library, uint64_t duration_ot, struct sent_traffic *traffic, uint64_t load_fps,
                    uint64_t service_fps)
{
	char service[64], buffer[] = "dut.buffer_frames=1000", model[] = "dut.model=fifo";
	const char *options[] = {model, buffer, service, NULL};
	struct device *device;
	double begin, took;

	snprintf(service, sizeof(service), "dut.service_fps=%llu", (unsigned long long)service_fps);
	device = traffic_open(library, options);
	set_load(traffic, load_fps);
	traffic_prepare(device, traffic);
	begin = wall_s();
	traffic_start(device);
	traffic_wait(device, duration_ot + 10000000);
	traffic_snapshot(device); /* the twin may defer work until somebody looks */
	took = wall_s() - begin;
	printf("%u %llu %llu %.6f %llu %llu\n", traffic->frame_octets, (unsigned long long)load_fps,
	       (unsigned long long)service_fps, took,
	       (unsigned long long)traffic_read64(device, FPGAUGE_COUNTER(0, FPGAUGE_COUNTER_TX_FRAMES)),
	       (unsigned long long)traffic_read64(device, FPGAUGE_COUNTER(1, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES)));
	fflush(stdout);
	device_close(device);
}

int main(int argc, char **argv)
{
	struct sent_traffic traffic = {.one_way = true};
	uint64_t line_fps, seed;
	bool lossy;

	if (argc != 7) {
		fprintf(stderr, "usage: bench_rates LIBRARY SECONDS TRIALS SEED lossy|lossless OCTETS\n");
		return 2;
	}
	traffic.frame_octets = (uint32_t)strtoul(argv[6], NULL, 10);
	traffic.duration_ot = (uint64_t)(strtod(argv[2], NULL) * OCTETS_PER_S);
	line_fps = (uint64_t)(OCTETS_PER_S / (traffic.frame_octets + 20));
	seed = strtoull(argv[4], NULL, 10);
	lossy = strcmp(argv[5], "lossy") == 0;
	for (uint64_t i = 0; i < strtoull(argv[3], NULL, 10); i++) {
		const uint64_t least = line_fps / 10, a = least + draw(&seed, line_fps - least),
		               b = least + draw(&seed, line_fps - least);

		measure(argv[1], traffic.duration_ot, &traffic, (a > b) == lossy ? a : b, (a > b) == lossy ? b : a);
	}
	return 0;
}
