// SPDX-License-Identifier: Apache-2.0
/* Runs a simulation library that records which way its branches go, so that the real library is optimised for that:
 *
 *   train LIBRARY.so
 *
 * Traffic as in most trials, both ports at line rate: frames of one word, of some, of many, and at half the rate. The
 * recording affects how fast the library is, never what it does. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/sim_abi.h"
#include "hw/regs/fpgauge_regs.h"

enum { MIN_GAP_OCTETS = 12, TRIAL_OT = 4000000, DRAIN_OT = 200000, UDP_PAYLOAD_OFFSET = 42, MAX_FRAME_OCTETS = 9216 };
enum { SOURCE_WORDS = 8 }; /* words of the table of expected streams */

static const struct fpgauge_sim_api *api;
static struct fpgauge_sim *sim;

static void check(int result)
{
	if (result == 0)
		return;
	fprintf(stderr, "train: %s\n", api->error_text(sim));
	exit(1);
}

static void put(uint32_t address, uint32_t value)
{
	check(api->write32(sim, address, value));
}

static uint32_t get(uint32_t address)
{
	uint32_t value;

	check(api->read32(sim, address, &value));
	return value;
}

static void prepare(unsigned port, uint32_t frame_octets, uint32_t gap_octets)
{
	put(FPGAUGE_PORT_TX_ENABLE(port), 1);
	put(FPGAUGE_PORT_TX_FRAME_OCTETS(port), frame_octets);
	put(FPGAUGE_PORT_TX_GAP_OCTETS(port), gap_octets);
	put(FPGAUGE_PORT_TX_GAP_DENOMINATOR(port), 1);
	put(FPGAUGE_PORT_TX_FLOWS(port), 1);
	put(FPGAUGE_PORT_RX_EXPECTED(port) + 4 * SOURCE_WORDS * (port ^ 1u), 1);
	put(FPGAUGE_PORT_TX_FLOW_PAYLOAD(port), UDP_PAYLOAD_OFFSET);
	put(FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(port), MAX_FRAME_OCTETS);
	put(FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(port), 3);
}

/* Runs one trial and reads its counters as a host would. */
static void trial(uint32_t frame_octets, uint32_t gap_octets)
{
	for (unsigned port = 0; port < api->ports; port++)
		prepare(port, frame_octets, gap_octets);
	put(FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
	check(api->wait(sim, TRIAL_OT));
	put(FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);
	check(api->wait(sim, DRAIN_OT));
	put(FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
	for (unsigned port = 0; port < api->ports; port++)
		for (unsigned counter = 0; counter < FPGAUGE_COUNTER_COUNT; counter++)
			get(FPGAUGE_COUNTER(port, counter));
}

int main(int argc, char **argv)
{
	/* One thread: several do more or less in vain each time, and the same source has to give the same library. */
	static const struct fpgauge_sim_option options[] = {{"dut.model", "fifo"}, {"device.threads", "1"}};
	const struct fpgauge_sim_api *(*entry)(void);
	char error[256];
	void *library;

	library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (library == NULL || (*(void **)&entry = dlsym(library, "fpgauge_sim_entry")) == NULL) {
		fprintf(stderr, "usage: train LIBRARY.so\n%s\n", argc == 2 ? dlerror() : "");
		return 2;
	}
	api = entry();
	sim = api->open(options, 2, NULL, error, sizeof(error));
	if (sim == NULL) {
		fprintf(stderr, "train: %s\n", error);
		return 1;
	}
	trial(64, MIN_GAP_OCTETS);
	trial(65, MIN_GAP_OCTETS);
	trial(512, MIN_GAP_OCTETS);
	trial(1518, MIN_GAP_OCTETS);
	trial(64, 64 + 8 + 2 * MIN_GAP_OCTETS);
	api->close(sim);
	return 0;
}
