// SPDX-License-Identifier: Apache-2.0
/* Functions that all models need: no model is named here. */
#include "sim/dut/dut.h"

#include <string.h>

#include "host/base/uint128.h"
#include "sim/dut/models.h"

const struct sim_option_rule dut_model_rule = {.name = "dut.model", .fallback = "wire", .kind = SIM_OPTION_TEXT};

void dut_destroy(struct dut *dut)
{
	if (dut != NULL)
		dut->ops->destroy(dut);
}

void dut_truth(const struct dut *dut, uint32_t frame_octets, struct fpgauge_sim_truth *truth)
{
	memset(truth, 0, sizeof(*truth));
	memcpy(truth->model, dut->model, sizeof(truth->model));
	dut->ops->truth(dut, frame_octets, truth);
}

uint64_t dut_latency_ot(const struct quantity *latency_ns, uint64_t link_bps)
{
	/* An octet time is 8 / link_bps seconds. The limits on times keep the product below 2^128. */
	uint128 bits = (uint128)latency_ns->numerator * link_bps;
	uint128 unit = (uint128)latency_ns->denominator * 8000000000u;

	return (uint64_t)((bits + unit - 1) / unit);
}

void dut_state_word(struct dut_state_writer *writer, uint64_t word)
{
	if (writer->needed + sizeof(word) <= writer->size)
		memcpy(writer->buffer + writer->needed, &word, sizeof(word));
	writer->needed += sizeof(word);
}
