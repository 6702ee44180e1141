// SPDX-License-Identifier: Apache-2.0
/* Which device dut.model asks for, and what all devices share. */
#include "sim/dut/device.h"

#include <string.h>

#include "sim/dut/devices.h"
#include "sim/dut/models.h"

static bool is_switch(const char *model)
{
	const size_t length = strlen(DUT_SWITCH);

	model += strspn(model, " ");
	return strncmp(model, DUT_SWITCH, length) == 0 && model[length + strspn(model + length, " ")] == '\0';
}

int dut_device_create(const struct sim_options *options, const struct sim_option_rule *extra, size_t extra_count,
                      uint64_t link_bps, unsigned ports, struct dut_device **device)
{
	const struct dut_device_setup setup = {options, extra, extra_count, link_bps, ports};
	struct sim_option_value model;

	if (sim_options_read(options, &dut_model_rule, 1, &model) != 0)
		return -1;
	if (is_switch(model.text))
		*device = switch_create(&setup);
	else if (strstr(model.text, DUT_SWITCH) != NULL && strchr(model.text, ',') != NULL)
		return sim_options_refuse(options, dut_model_rule.name,
		                          "\"%s\": a " DUT_SWITCH " cannot be combined with other models", model.text);
	else
		*device = pairs_create(&setup);
	return *device != NULL ? 0 : -1;
}

void dut_device_truth(const struct dut_device *device, const struct dut_load *load, struct fpgauge_sim_truth *truth)
{
	memset(truth, 0, sizeof(*truth));
	device->ops->truth(device, load, truth);
}
