// SPDX-License-Identifier: Apache-2.0
/* Which models there are, and how dut.* settings make one. */
#include "sim/dut/dut.h"

#include <string.h>

static const struct dut_ops *const models[] = {&dut_wire_ops, &dut_fifo_ops};

enum { MODELS = sizeof(models) / sizeof(models[0]), MAX_RULES = 16 };

static const struct sim_option_rule model_rule = {
        .name = "dut.model", .fallback = "wire", .kind = SIM_OPTION_CHOICE, .choices = {"wire", "fifo"}};

static const struct dut_ops *find_model(const char *name)
{
	for (size_t i = 0; i < MODELS; i++)
		if (strcmp(models[i]->name, name) == 0)
			return models[i];
	return NULL;
}

int dut_create(const struct sim_options *options, const struct sim_option_rule *extra, size_t extra_count,
               uint64_t link_bps, struct dut **duts, size_t count)
{
	struct sim_option_value model;
	struct sim_option_value values[MAX_RULES];
	const struct dut_ops *ops;

	if (sim_options_read(options, &model_rule, 1, &model) != 0)
		return -1;
	ops = find_model(model.text);
	if (ops == NULL || ops->rule_count > MAX_RULES)
		return sim_options_refuse(options, model_rule.name, "%s: this model is not built in", model.text);

	const struct sim_option_rule *tables[] = {&model_rule, ops->rules, extra};
	const size_t counts[] = {1, ops->rule_count, extra_count};

	if (sim_options_check_names(options, tables, counts, 3) != 0 ||
	    sim_options_read(options, ops->rules, ops->rule_count, values) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		duts[i] = ops->create(options, values, link_bps, (unsigned)i);
		if (duts[i] == NULL) {
			while (i-- > 0)
				dut_destroy(duts[i]);
			return -1;
		}
	}
	return 0;
}

void dut_destroy(struct dut *dut)
{
	if (dut != NULL)
		dut->ops->destroy(dut);
}

void dut_truth(const struct dut *dut, uint32_t frame_octets, struct fpgauge_sim_truth *truth)
{
	memset(truth, 0, sizeof(*truth));
	strncpy(truth->model, dut->ops->name, sizeof(truth->model) - 1);
	dut->ops->truth(dut, frame_octets, truth);
}

uint64_t dut_latency_ot(const struct quantity *latency_ns, uint64_t link_bps)
{
	/* An octet time is 8 / link_bps seconds. The limits of dut.latency_ns keep the product below 2^128. */
	unsigned __int128 bits = (unsigned __int128)latency_ns->numerator * link_bps;
	unsigned __int128 unit = (unsigned __int128)latency_ns->denominator * 8000000000u;

	return (uint64_t)((bits + unit - 1) / unit);
}
