// SPDX-License-Identifier: Apache-2.0
/* A wire: everything comes out after a fixed delay, a whole number of groups of 8 octets. It never loses. */
#include <stdlib.h>

#include "host/base/rate.h"
#include "sim/dut/models.h"

struct wire {
	struct dut dut;
	uint64_t delay_ot;
};

static const struct sim_option_rule table[] = {
        {.name = "dut.latency_ns",
         .fallback = "0",
         .kind = SIM_OPTION_NUMBER,
         .min = 0,
         .max = 100000000,
         .unit = "ns"},
};
const struct dut_rules wire_rules = {table, 1};

static void wire_destroy(struct dut *dut)
{
	free(dut);
}

static size_t wire_pass(struct dut *dut, const struct dut_frame *in, size_t *count, uint64_t known_ot,
                        struct dut_frame *out, size_t room)
{
	const uint64_t delay_ot = ((const struct wire *)dut)->delay_ot;
	const size_t taken = *count < room ? *count : room;

	(void)known_ot;
	for (size_t i = 0; i < taken; i++) {
		out[i] = in[i];
		out[i].start_ot += delay_ot;
	}
	*count = taken;
	return taken;
}

static void wire_clear(struct dut *dut)
{
	(void)dut;
}

/* A wire has no state. */
static size_t wire_state(const struct dut *dut, uint64_t base_ot, uint64_t base_id, uint8_t *buffer, size_t size)
{
	(void)dut, (void)base_ot, (void)base_id;
	if (size > 0)
		buffer[0] = 0;
	return 1;
}

static void wire_shift(struct dut *dut, uint64_t ot, uint64_t ids)
{
	(void)dut, (void)ot, (void)ids;
}

static void wire_truth(const struct dut *dut, uint32_t frame_octets, struct fpgauge_sim_truth *truth)
{
	truth->throughput_fps = rate_fps(rate_max_theoretical(dut->link_bps, frame_octets));
	truth->buffer_frames = 0;
	truth->longest_burst_frames = UINT64_MAX;
	truth->latency_ot = ((const struct wire *)dut)->delay_ot;
}

static bool wire_delays_line(const struct dut *dut, uint64_t *delay_ot)
{
	*delay_ot = ((const struct wire *)dut)->delay_ot;
	return true;
}

static const struct dut_ops wire_ops = {
        .destroy = wire_destroy,
        .pass = wire_pass,
        .clear = wire_clear,
        .state = wire_state,
        .shift = wire_shift,
        .truth = wire_truth,
        .delays_line = wire_delays_line,
};

struct dut *wire_create(const struct dut_setup *setup)
{
	struct sim_option_value latency;
	struct wire *wire;

	if (sim_options_read(setup->options, table, 1, &latency) != 0)
		return NULL;
	wire = calloc(1, sizeof(*wire));
	if (wire == NULL) {
		sim_options_refuse(setup->options, NULL, "out of memory");
		return NULL;
	}
	wire->dut = (struct dut){.ops = &wire_ops, .link_bps = setup->link_bps};
	wire->delay_ot = dut_group_up(dut_latency_ot(&latency.number, setup->link_bps));
	return &wire->dut;
}
