// SPDX-License-Identifier: Apache-2.0
/* bench_traffic WATCHED-LIBRARY PATTERN ADDRESSES RUNS: traffic of 16 ports made into registers, and the writes of
 * three trials with it: the first, the same again, and another load. Prints the flows of a port, the seconds of the
 * fastest run, the registers it made, and the writes of each trial. FPGAUGE_WATCHED_LIBRARY is the library behind. Run
 * by tools/bench. */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "host/trial/device/tester.h"
#include "host/trial/flow_registers.h"
#include "host/trial/traffic.h"

enum { PORTS = 16, TRIALS = 3, FRAME_OCTETS = 128 };

static struct error error;

static double wall_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint64_t make_port(const struct traffic *traffic, unsigned port)
{
	static struct register_write writes[TABLE_MAX_WRITES > FLOW_MAX_WRITES ? TABLE_MAX_WRITES : FLOW_MAX_WRITES];
	uint64_t count = length_registers(traffic, port, writes);

	count += turn_registers(traffic, port, writes);
	for (unsigned flow = 0; flow < traffic->port[port].flows; flow++)
		count += flow_registers(traffic, port, flow, writes);
	for (unsigned source = 0; source < traffic->ports; source++)
		count += expected_registers(traffic, port, source, writes);
	return count;
}

/* Compiles from the shape to all registers, as a trial does. */
static int compile(const struct traffic_shape *shape, const struct device_identity *identity, unsigned runs,
                   double *fastest_s, uint64_t *registers, unsigned *flows)
{
	for (unsigned run = 0; run < runs; run++) {
		const double begin_s = wall_s();
		struct traffic traffic;
		double took_s;
		int status = trial_traffic_of_shape(shape, identity, &traffic, &error);

		if (status)
			return status;
		*registers = 0;
		for (unsigned port = 0; port < PORTS; port++)
			*registers += make_port(&traffic, port);
		took_s = wall_s() - begin_s;
		if (run == 0 || took_s < *fastest_s)
			*fastest_s = took_s;
		*flows = traffic.port[0].flows;
		traffic_free(&traffic);
	}
	return 0;
}

/* Counts of the watched library: of all writes, and of those before the last start. */
struct written {
	const uint64_t *writes, *to_start;
};

/* Writes of a trial before its frames leave: results are read through registers that are written too. */
static int count_writes(struct device *device, const struct traffic_shape *shape, const struct written *written,
                        uint64_t writes[TRIALS])
{
	static const uint64_t LOADS_FPS[TRIALS] = {1000000, 1000000, 1999993};
	struct tester *tester = NULL;
	struct trial_result result;
	int status = device_tester_open(device, NULL, &tester, &error);

	for (unsigned trial = 0; trial < TRIALS && status == 0; trial++) {
		const struct trial_request request = {.kind = TRIAL_LOAD,
		                                      .shape = *shape,
		                                      .gap_octets = 12,
		                                      .load = {LOADS_FPS[trial], 1},
		                                      .duration_ot = 125000,
		                                      .drain_ot = 2500000,
		                                      .settle_ot = 1000};
		const uint64_t before = *written->writes;

		status = tester_run(tester, &request, &result, &error);
		if (status == 0 && !result.valid)
			status = error_set(&error, ERROR_INTERNAL, "%s", result.why_invalid);
		writes[trial] = *written->to_start - before;
	}
	tester_close(tester);
	return status;
}

static int measure(const struct device_config *config, const struct traffic_shape *shape, unsigned runs,
                   const struct written *written)
{
	struct device *device = NULL;
	const char *bad_option;
	double fastest_s = 0;
	uint64_t registers = 0, writes[TRIALS] = {0};
	unsigned flows = 0;
	int status = device_open(config, &device, &bad_option, &error);

	if (status == 0)
		status = compile(shape, device_identity(device), runs, &fastest_s, &registers, &flows);
	if (status == 0)
		status = count_writes(device, shape, written, writes);
	device_close(device);
	if (status == 0)
		printf("%u %.6f %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", flows, fastest_s, registers,
		       writes[0], writes[1], writes[2]);
	return status;
}

int main(int argc, char **argv)
{
	const struct device_option options[] = {{"dut.model", "switch"}, {"dut.table_addresses", "16384"}};
	const struct device_config config = {.backend = "sim",
	                                     .library = argc > 1 ? argv[1] : NULL,
	                                     .ports = PORTS,
	                                     .options = options,
	                                     .option_count = 2};
	struct traffic_shape shape = traffic_shape_plain(FRAME_OCTETS);
	struct written written = {NULL, NULL};
	void *library;

	if (argc != 5 || !traffic_pattern_of(argv[2], &shape.pattern))
		return 2;
	shape.addresses = (unsigned)strtoul(argv[3], NULL, 10);
	library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	if (library != NULL)
		written = (struct written){dlsym(library, "watched_writes"), dlsym(library, "watched_writes_to_start")};
	if (written.writes == NULL || written.to_start == NULL) {
		fprintf(stderr, "bench_traffic: %s\n", dlerror());
		return 1;
	}
	if (measure(&config, &shape, (unsigned)strtoul(argv[4], NULL, 10), &written) == 0)
		return 0;
	fprintf(stderr, "bench_traffic: %s\n", error.text);
	return 1;
}
