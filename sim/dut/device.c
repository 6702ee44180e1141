// SPDX-License-Identifier: Apache-2.0
/* Creates the device that dut.model asks for, and holds what all devices share. */
#include "sim/dut/device.h"

#include <string.h>

#include "sim/dut/devices.h"
#include "sim/dut/models.h"

/* The devices that are not made of models of one direction. One whose name is in that of another comes after it. */
static const struct {
	const char *name;
	struct dut_device *(*create)(const struct dut_device_setup *setup);
} devices[] = {{DUT_TWO_SWITCHES, two_switches_create}, {DUT_SWITCH, switch_create}, {DUT_ROUTER, router_create}};

static bool is_named(const char *model, const char *name)
{
	const size_t length = strlen(name);

	model += strspn(model, " ");
	return strncmp(model, name, length) == 0 && model[length + strspn(model + length, " ")] == '\0';
}

bool dut_is_tap(const char *model)
{
	return is_named(model, DUT_TAP);
}

bool dut_is_verilog(const char *model)
{
	return is_named(model, DUT_VERILOG);
}

int dut_device_create(const struct sim_options *options, const struct sim_option_rule *extra, size_t extra_count,
                      uint64_t link_bps, unsigned ports, struct dut_device **device)
{
	const struct dut_device_setup setup = {options, extra, extra_count, link_bps, ports};
	struct sim_option_value model;

	if (sim_options_read(options, &dut_model_rule, 1, &model) != 0)
		return -1;
	if (dut_is_tap(model.text))
		return sim_options_refuse(options, dut_model_rule.name,
		                          "\"%s\": real time is only for the simulated logic: library = \"rtl\"",
		                          model.text);
	if (dut_is_verilog(model.text))
		return sim_options_refuse(options, dut_model_rule.name,
		                          "\"%s\": logic is only for the simulated logic: library = \"rtl\"",
		                          model.text);
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		const char *name = devices[i].name;

		if (is_named(model.text, name)) {
			*device = devices[i].create(&setup);
			return *device != NULL ? 0 : -1;
		}
		if (strstr(model.text, name) != NULL && strchr(model.text, ',') != NULL)
			return sim_options_refuse(options, dut_model_rule.name,
			                          "\"%s\": a %s cannot be combined with other models", model.text,
			                          name);
	}
	*device = pairs_create(&setup);
	return *device != NULL ? 0 : -1;
}

void dut_device_truth(const struct dut_device *device, const struct dut_load *load, struct fpgauge_sim_truth *truth)
{
	memset(truth, 0, sizeof(*truth));
	device->ops->truth(device, load, truth);
}
