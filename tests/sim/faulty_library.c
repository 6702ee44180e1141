// SPDX-License-Identifier: Apache-2.0
/* The twin with a fault: a simulation library that passes everything on to another and corrupts one thing, named by the
 * setting device.fault. It acts like a worn or wrongly built card, so that self-tests can be seen to detect it. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drivers/sim_abi.h"
#include "hw/regs/fpgauge_regs.h"

enum { PORT = 1, STUCK_BIT = 4, LATENCY_OT = 8 };

/* Entries of this port, in one word of its table of expected streams; and a word of another port's. */
enum { ENTRY = 77, OTHER_ENTRY = 78, SOURCE_WORDS = 8, WORD = PORT * SOURCE_WORDS + ENTRY / 32, OTHER_WORD = 5 };

#define STATUS(name) FPGAUGE_PORT_LINK_STATUS_##name
#define LINK_UP                                                                                                        \
	(STATUS(PRESENT) | STATUS(UP) | STATUS(CLOCK) | STATUS(BLOCK_LOCK) | STATUS(LANES_SYNCED) | STATUS(ALIGNED))

/* The status of a card's receiver at each fault: how far it has come. */
static const struct {
	const char *fault;
	uint32_t status, flaps;
} LINKS[] = {
        {"link up", LINK_UP, 0},
        {"flapping link", LINK_UP, 3},
        {"flapped link", LINK_UP, 1},
        {"no reference", STATUS(PRESENT), 0},
        {"no block lock", STATUS(PRESENT) | STATUS(CLOCK), 0},
        {"bad lane", STATUS(PRESENT) | STATUS(CLOCK) | STATUS(BLOCK_LOCK), 0},
        {"skew", STATUS(PRESENT) | STATUS(CLOCK) | STATUS(BLOCK_LOCK) | STATUS(LANES_SYNCED), 0},
        {"remote fault", (LINK_UP & ~STATUS(UP)) | STATUS(REMOTE_FAULT), 0},
        {"silent MAC", LINK_UP & ~STATUS(UP), 0},
        {"bad FEC", LINK_UP | STATUS(FEC_UNCORRECTABLE), 0},
};

struct fpgauge_sim {
	const struct fpgauge_sim_api *api;
	struct fpgauge_sim *twin;
	char fault[64];
	uint32_t time_high;
	unsigned reads;
};

static void *library;

static int has(const struct fpgauge_sim *sim, const char *fault)
{
	return strcmp(sim->fault, fault) == 0;
}

static const struct fpgauge_sim_api *load(char *error, size_t error_size)
{
	const struct fpgauge_sim_api *(*entry)(void);

	if (library == NULL)
		library = dlopen(TWIN_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL) {
		snprintf(error, error_size, "%s", dlerror());
		return NULL;
	}
	*(void **)&entry = dlsym(library, "fpgauge_sim_entry");
	return entry();
}

static struct fpgauge_sim *faulty_open(const struct fpgauge_sim_option *options, size_t count, const char **bad_option,
                                       char *error, size_t error_size)
{
	struct fpgauge_sim_option *others = calloc(count + 1, sizeof(*others));
	struct fpgauge_sim *sim = calloc(1, sizeof(*sim));
	size_t left = 0;

	*bad_option = NULL;
	snprintf(sim->fault, sizeof(sim->fault), "none");
	for (size_t i = 0; i < count; i++)
		if (strcmp(options[i].name, "device.fault") == 0)
			snprintf(sim->fault, sizeof(sim->fault), "%s", options[i].value);
		else
			others[left++] = options[i];
	sim->api = load(error, error_size);
	sim->twin = sim->api != NULL ? sim->api->open(others, left, bad_option, error, error_size) : NULL;
	free(others);
	if (sim->twin != NULL)
		return sim;
	free(sim);
	return NULL;
}

static void faulty_close(struct fpgauge_sim *sim)
{
	sim->api->close(sim->twin);
	free(sim);
}

/* Octet times at 100G by the wall clock, off_ppm too fast; in steps, for a time that is sampled rarely. */
static uint64_t wall_ot(double off_ppm, double step_s)
{
	struct timespec now;
	double s;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	s = ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec) * (1 + off_ppm * 1e-6);
	if (step_s > 0)
		s = (double)(uint64_t)(s / step_s) * step_s;
	return (uint64_t)(s * 12.5e9);
}

static int read_wall(struct fpgauge_sim *sim, uint32_t address, uint32_t *value)
{
	uint64_t ot;

	if (address == FPGAUGE_GLOBAL_TIME + 4) {
		*value = sim->time_high;
		return 0;
	}
	ot = has(sim, "fast clock")   ? wall_ot(1000, 0)
	     : has(sim, "slow clock") ? wall_ot(-1000, 0)
	     : has(sim, "lazy clock") ? wall_ot(0, 1e-3)
	                              : wall_ot(0, 0);
	sim->time_high = (uint32_t)(ot >> 32);
	*value = (uint32_t)ot;
	return 0;
}

static uint32_t corrupt_counter(const struct fpgauge_sim *sim, uint32_t address, uint32_t value)
{
	if (has(sim, "counter off by one") && address == FPGAUGE_COUNTER(PORT, FPGAUGE_COUNTER_RX_GAPS) && value != 0)
		return value + 1;
	if (has(sim, "counter not cleared") && address == FPGAUGE_COUNTER(PORT, FPGAUGE_COUNTER_RX_BAD_SHORT_FRAMES))
		return value + 1;
	if (has(sim, "latency") && (address == FPGAUGE_COUNTER(PORT, FPGAUGE_COUNTER_RX_LATENCY_MIN) ||
	                            address == FPGAUGE_COUNTER(PORT, FPGAUGE_COUNTER_RX_LATENCY_MAX)))
		return value == 0 ? LATENCY_OT : value;
	if (has(sim, "lost frame") && address == FPGAUGE_COUNTER(PORT, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES) &&
	    value > 20000) /* a count that only line rate reaches */
		return value - 1;
	if (has(sim, "wide gap") && address == FPGAUGE_COUNTER(PORT, FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS) &&
	    value > 200000)
		return value + 8;
	return value;
}

/* Acts as another program that looks at the counters of the same device. */
static void look_as_another(struct fpgauge_sim *sim)
{
	unsigned every = has(sim, "foreign snapshots") ? 50 : has(sim, "rare foreign snapshots") ? 1000 : 0;

	if (every != 0 && ++sim->reads % every == 0)
		sim->api->write32(sim->twin, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
}

static int faulty_read32(struct fpgauge_sim *sim, uint32_t address, uint32_t *value)
{
	int result;

	look_as_another(sim);
	result = sim->api->read32(sim->twin, address, value);
	if (strstr(sim->fault, "clock") != NULL &&
	    (address == FPGAUGE_GLOBAL_TIME || address == FPGAUGE_GLOBAL_TIME + 4))
		return read_wall(sim, address, value);
	for (size_t i = 0; i < sizeof(LINKS) / sizeof(*LINKS); i++) /* link states of a card; only PORT has the fault */
		if (has(sim, LINKS[i].fault) && address == FPGAUGE_PORT_LINK_STATUS(PORT))
			*value = LINKS[i].status;
		else if (has(sim, LINKS[i].fault) && address == FPGAUGE_PORT_LINK_STATUS(1 - PORT))
			*value = LINK_UP;
		else if (has(sim, LINKS[i].fault) && address == FPGAUGE_PORT_LINK_FLAPS(PORT))
			*value = LINKS[i].flaps;
	if (has(sim, "stuck register bit") && address == FPGAUGE_PORT_TX_SEED(PORT))
		*value |= STUCK_BIT;
	if (has(sim, "reserved bit") && address == FPGAUGE_PORT_TX_ENABLE(PORT))
		*value |= STUCK_BIT;
	if (has(sim, "busy") && address == FPGAUGE_GLOBAL_STATUS)
		*value |= FPGAUGE_GLOBAL_STATUS_SENDING;
	if (has(sim, "stuck histogram bit") && address == FPGAUGE_PORT_RX_HISTOGRAM_COUNT(PORT))
		*value |= STUCK_BIT;
	if (has(sim, "stuck octave bit") && address == FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_COUNT(PORT))
		*value |= STUCK_BIT;
	if (has(sim, "latency of a stream") && address == FPGAUGE_PORT_RX_STREAM_LATENCY_SUM(PORT))
		*value += LATENCY_OT;
	if (has(sim, "stuck gap bit") && address == FPGAUGE_PORT_TX_GAP_HISTOGRAM_COUNT(PORT))
		*value |= STUCK_BIT;
	if (has(sim, "stuck bit of gaps received") && address == FPGAUGE_PORT_RX_GAP_HISTOGRAM_COUNT(PORT))
		*value |= STUCK_BIT;
	*value = corrupt_counter(sim, address, *value);
	return result;
}

/* Returns what a word of the table of expected streams really holds. */
static uint32_t corrupt_streams(const struct fpgauge_sim *sim, uint32_t value)
{
	const uint32_t one = UINT32_C(1) << ENTRY % 32, other = UINT32_C(1) << OTHER_ENTRY % 32;

	if (has(sim, "stuck stream bit"))
		return value | one;
	if (has(sim, "swapped streams"))
		return (value & ~(one | other)) | (value & one ? other : 0) | (value & other ? one : 0);
	return value;
}

static int faulty_write32(struct fpgauge_sim *sim, uint32_t address, uint32_t value)
{
	if (address == FPGAUGE_PORT_RX_EXPECTED(PORT) + 4 * WORD)
		value = corrupt_streams(sim, value);
	if (has(sim, "aliased streams") && address == FPGAUGE_PORT_RX_EXPECTED(PORT) + 4 * OTHER_WORD)
		sim->api->write32(sim->twin, FPGAUGE_PORT_RX_EXPECTED(PORT) + 4 * WORD, value);
	if (has(sim, "aliased registers") && address == FPGAUGE_PORT_RX_SHORT_GAP_OCTETS(PORT))
		sim->api->write32(sim->twin, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(PORT), value);
	return sim->api->write32(sim->twin, address, value);
}

static int faulty_wait(struct fpgauge_sim *sim, uint64_t octet_times)
{
	return sim->api->wait(sim->twin, octet_times);
}

static uint64_t faulty_now(struct fpgauge_sim *sim)
{
	return sim->api->now(sim->twin);
}

static int faulty_truth(struct fpgauge_sim *sim, uint32_t frame_octets, struct fpgauge_sim_truth *truth)
{
	return sim->api->truth(sim->twin, frame_octets, truth);
}

static int faulty_reset_dut(struct fpgauge_sim *sim)
{
	return sim->api->reset_dut(sim->twin);
}

static const char *faulty_error_text(struct fpgauge_sim *sim)
{
	return sim->api->error_text(sim->twin);
}

static const struct fpgauge_sim_api API = {
        .abi_version = FPGAUGE_SIM_ABI_VERSION,
        .name = "faulty",
        .ports = 2,
        .open = faulty_open,
        .close = faulty_close,
        .read32 = faulty_read32,
        .write32 = faulty_write32,
        .wait = faulty_wait,
        .now = faulty_now,
        .truth = faulty_truth,
        .error_text = faulty_error_text,
        .reset_dut = faulty_reset_dut,
};

const struct fpgauge_sim_api *fpgauge_sim_entry(void)
{
	return &API;
}
