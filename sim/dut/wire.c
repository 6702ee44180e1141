// SPDX-License-Identifier: Apache-2.0
/* A wire: everything comes out after a fixed delay, a whole number of groups of 8 octets. It never loses. */
#include <stdlib.h>

#include "host/base/rate.h"
#include "sim/dut/dut.h"

struct wire {
	struct dut dut;
	uint64_t delay_ot;
};

static const struct sim_option_rule rules[] = {
        {.name = "dut.latency_ns",
         .fallback = "0",
         .kind = SIM_OPTION_NUMBER,
         .min = 0,
         .max = 100000000,
         .unit = "ns"},
};

static struct dut *wire_create(const struct sim_options *options, const struct sim_option_value *values,
                               uint64_t link_bps, unsigned direction)
{
	struct wire *wire = calloc(1, sizeof(*wire));

	if (wire == NULL) {
		sim_options_refuse(options, NULL, "out of memory");
		return NULL;
	}
	(void)direction;
	wire->dut = (struct dut){.ops = &dut_wire_ops, .link_bps = link_bps};
	wire->delay_ot = dut_group_up(dut_latency_ot(&values[0].number, link_bps));
	return &wire->dut;
}

static void wire_destroy(struct dut *dut)
{
	free((struct wire *)dut);
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

/* A wire remembers nothing. */
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

const struct dut_ops dut_wire_ops = {
        .name = "wire",
        .rules = rules,
        .rule_count = sizeof(rules) / sizeof(rules[0]),
        .create = wire_create,
        .destroy = wire_destroy,
        .pass = wire_pass,
        .state = wire_state,
        .shift = wire_shift,
        .truth = wire_truth,
        .delays_line = wire_delays_line,
};
