// SPDX-License-Identifier: Apache-2.0
/* A simulation library that answers registers from a table and simulates nothing. The FAKE_* macros make it lie, so
 * that a test can see the driver catch each lie. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/sim_abi.h"
#include "hw/regs/fpgauge_regs.h"

#ifndef FAKE_ABI
#define FAKE_ABI FPGAUGE_SIM_ABI_VERSION
#endif
#ifndef FAKE_ID
#define FAKE_ID FPGAUGE_MAP_ID
#endif
#ifndef FAKE_HASH
#define FAKE_HASH FPGAUGE_MAP_HASH
#endif
#ifndef FAKE_VERSION
#define FAKE_VERSION FPGAUGE_MAP_VERSION
#endif
#ifndef FAKE_PORTS
#define FAKE_PORTS 2
#endif
#ifndef FAKE_MOST_PORTS
#define FAKE_MOST_PORTS 0
#endif
#ifndef FAKE_BINS
#define FAKE_BINS 1024
#endif

struct fpgauge_sim {
	uint32_t registers[FPGAUGE_MAP_OCTETS / 4];
	uint64_t now_ot;
	int gone;
	char error[64];
};

static struct fpgauge_sim device;

static struct fpgauge_sim *fake_open(const struct fpgauge_sim_option *options, size_t count, const char **bad_option,
                                     char *error, size_t error_size)
{
	unsigned ports = FAKE_PORTS;
	uint64_t link_bps = UINT64_C(100000000000);

	for (size_t i = 0; i < count; i++) {
		*bad_option = options[i].name;
		if (strcmp(options[i].name, "device.ports") == 0) {
			ports = (unsigned)strtoul(options[i].value, NULL, 10);
			if (ports > FAKE_MOST_PORTS) {
				snprintf(error, error_size, "%s: must be at most %d", options[i].value,
				         FAKE_MOST_PORTS);
				return NULL;
			}
		}
		if (strcmp(options[i].name, "device.link") == 0) {
			link_bps = strtoull(options[i].value, NULL, 10);
			if (link_bps == 20000000) {
				snprintf(error, error_size, "%s: must be another", options[i].value);
				return NULL;
			}
		}
		if (strcmp(options[i].name, "dut.refuse") == 0) {
			snprintf(error, error_size, "%s: must not be given", options[i].value);
			return NULL;
		}
		if (strcmp(options[i].name, "dut.explode") == 0) {
			*bad_option = NULL;
			snprintf(error, error_size, "no core to be had");
			return NULL;
		}
	}
	*bad_option = NULL;
	memset(&device, 0, sizeof(device));
	device.registers[FPGAUGE_GLOBAL_ID / 4] = FAKE_ID;
	device.registers[FPGAUGE_GLOBAL_MAP_VERSION / 4] = FAKE_VERSION;
	device.registers[FPGAUGE_GLOBAL_MAP_HASH / 4] = FAKE_HASH;
	device.registers[FPGAUGE_GLOBAL_PORTS / 4] = ports;
	device.registers[FPGAUGE_GLOBAL_GROUPS / 4] = 8;
	device.registers[FPGAUGE_GLOBAL_CLOCK_HZ / 4] = (uint32_t)((link_bps + 256) / 512);
	device.registers[FPGAUGE_GLOBAL_FLOWS / 4] = 256;
	device.registers[FPGAUGE_GLOBAL_HISTOGRAM_BINS / 4] = FAKE_BINS;
	return &device;
}

static void fake_close(struct fpgauge_sim *sim)
{
	(void)sim;
}

static int fake_read32(struct fpgauge_sim *sim, uint32_t address, uint32_t *value)
{
	if (address >= FPGAUGE_MAP_OCTETS) {
		snprintf(sim->error, sizeof(sim->error), "register 0x%05x: not there", (unsigned)address);
		return -1;
	}
	*value = sim->gone ? UINT32_MAX : sim->registers[address / 4];
	return 0;
}

/* Writing 0xdead to the scratch register makes the device disappear. */
static int fake_write32(struct fpgauge_sim *sim, uint32_t address, uint32_t value)
{
	if (address >= FPGAUGE_MAP_OCTETS) {
		snprintf(sim->error, sizeof(sim->error), "register 0x%05x: not there", (unsigned)address);
		return -1;
	}
	sim->registers[address / 4] = value;
	sim->gone = address == FPGAUGE_GLOBAL_SCRATCH && value == 0xdead;
	return 0;
}

static int fake_wait(struct fpgauge_sim *sim, uint64_t octet_times)
{
	sim->now_ot += octet_times;
	return 0;
}

static uint64_t fake_now(struct fpgauge_sim *sim)
{
	return sim->now_ot;
}

static int fake_truth(struct fpgauge_sim *sim, uint32_t frame_octets, struct fpgauge_sim_truth *truth)
{
	(void)sim;
	*truth = (struct fpgauge_sim_truth){.model = "fake", .throughput_fps = 1, .buffer_frames = frame_octets};
	return 0;
}

static int fake_reset(struct fpgauge_sim *sim)
{
	snprintf(sim->error, sizeof(sim->error), FPGAUGE_SIM_NO_RESET);
	return -1;
}

static const char *fake_error(struct fpgauge_sim *sim)
{
	return sim->error;
}

#ifdef FAKE_DISTURBED
/* Reports a disturbance every other time, and with more to say than there is room for. */
static enum fpgauge_sim_disturbance fake_disturbance(struct fpgauge_sim *sim, char *text, size_t size)
{
	static unsigned times;

	(void)sim;
	memset(text, 'x', size); /* no end */
	memcpy(text, "late \xff", 6);
	return times++ % 2 ? FPGAUGE_SIM_UNDISTURBED : FPGAUGE_SIM_DISTURBED;
}
#else
#define fake_disturbance NULL
#endif

#ifdef FAKE_NO_ENTRY
extern const struct fpgauge_sim_api fpgauge_not_the_entry;
const struct fpgauge_sim_api fpgauge_not_the_entry = {
#else
static const struct fpgauge_sim_api api = {
#endif
        .abi_version = FAKE_ABI,
        .name = "fake",
        .ports = FAKE_PORTS,
        .open = fake_open,
        .close = fake_close,
        .read32 = fake_read32,
        .write32 = fake_write32,
        .wait = fake_wait,
        .now = fake_now,
        .truth = fake_truth,
        .error_text = fake_error,
        .reset_dut = fake_reset,
        .most_ports = FAKE_MOST_PORTS,
        .disturbance = fake_disturbance,
};

#ifndef FAKE_NO_ENTRY
const struct fpgauge_sim_api *fpgauge_sim_entry(void)
{
	return &api;
}
#endif
