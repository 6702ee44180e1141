// SPDX-License-Identifier: Apache-2.0
/* The C ABI of the library (drivers/sim_abi.h) on top of the twin. */
#include <stdlib.h>

#include "sim/twin/cable.h"
#include "sim/twin/twin.h"

struct fpgauge_sim {
	struct twin twin;
};

static void sim_close(struct fpgauge_sim *sim)
{
	cable_close(&sim->twin);
	twin_close(&sim->twin);
	free(sim);
}

static struct fpgauge_sim *sim_open(const struct fpgauge_sim_option *options, size_t count, const char **bad_option,
                                    char *error, size_t error_size)
{
	const char *ignored = NULL;
	const struct sim_options asked = {options, count, bad_option != NULL ? bad_option : &ignored, error,
	                                  error_size};
	struct fpgauge_sim *sim = malloc(sizeof(*sim));

	if (sim == NULL) {
		sim_options_refuse(&asked, NULL, "out of memory");
		return NULL;
	}
	if (twin_open(&sim->twin, &asked) && cable_open(&sim->twin, &asked))
		return sim;
	sim_close(sim);
	return NULL;
}

static int sim_read32(struct fpgauge_sim *sim, uint32_t address, uint32_t *value)
{
	const bool done = twin_read(&sim->twin, address, value);

	cable_follow(&sim->twin);
	return done ? 0 : -1;
}

static int sim_write32(struct fpgauge_sim *sim, uint32_t address, uint32_t value)
{
	const bool done = twin_write(&sim->twin, address, value);

	cable_follow(&sim->twin);
	return done ? 0 : -1;
}

static int sim_wait(struct fpgauge_sim *sim, uint64_t octet_times)
{
	const bool done = twin_wait(&sim->twin, octet_times);

	cable_follow(&sim->twin);
	return done ? 0 : -1;
}

static uint64_t sim_now(struct fpgauge_sim *sim)
{
	return twin_now_ot(&sim->twin);
}

static int sim_truth(struct fpgauge_sim *sim, uint32_t frame_octets, struct fpgauge_sim_truth *truth)
{
	const struct dut_load load = {frame_octets, 1, sim->twin.play.port_count};

	dut_device_truth(sim->twin.play.device, &load, truth);
	return 0;
}

static int sim_reset_dut(struct fpgauge_sim *sim)
{
	return twin_reset_dut(&sim->twin) ? 0 : -1;
}

static const char *sim_error_text(struct fpgauge_sim *sim)
{
	return sim->twin.play.error;
}

static int sim_at_rest(struct fpgauge_sim *sim)
{
	return twin_at_rest(&sim->twin);
}

static const struct fpgauge_sim_api API = {
        FPGAUGE_SIM_ABI_VERSION,
        FPGAUGE_SIM_NAME,
        FPGAUGE_SIM_PORTS,
        sim_open,
        sim_close,
        sim_read32,
        sim_write32,
        sim_wait,
        sim_now,
        sim_truth,
        sim_error_text,
        sim_reset_dut,
        PLAY_MOST_PORTS,
        NULL,
        sim_at_rest,
        NULL,
};

__attribute__((visibility("default"))) const struct fpgauge_sim_api *fpgauge_sim_entry(void)
{
	return &API;
}
