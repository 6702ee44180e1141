// SPDX-License-Identifier: Apache-2.0
/* Reads which library is asked for, and how its MACs behave. */
#include "sim/verilog/verilog_settings.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/dut/device.h"
#include "sim/dut/link.h"
#include "sim/dut/models.h"
#include "sim/line/line.h"
#include "sim/verilog/dut_waveform.h"

enum { RULE_LIBRARY, RULE_CLOCK, RULE_FCS, RULE_START, RULE_BUFFER, RULE_WAVEFORM, RULE_ON_LOSS, RULES };

static const struct sim_option_rule rules[RULES] = {
        [RULE_LIBRARY] = {.name = "dut.library", .kind = SIM_OPTION_TEXT},
        [RULE_CLOCK] = {.name = "dut.clock", .kind = SIM_OPTION_RATE, .min = 1000, .max = 100000000000, .unit = "Hz"},
        [RULE_FCS] = {.name = "dut.fcs", .fallback = "strip", .kind = SIM_OPTION_CHOICE, .choices = {"strip", "pass"}},
        [RULE_START] = {.name = "dut.mac_start",
                        .fallback = "first_beat",
                        .kind = SIM_OPTION_CHOICE,
                        .choices = {"first_beat", "last_beat"}},
        [RULE_BUFFER] = {.name = "dut.mac_buffer_octets",
                         .fallback = "512",
                         .kind = SIM_OPTION_INTEGER,
                         .min = 256,
                         .max = 65536,
                         .unit = "octets"},
        [RULE_WAVEFORM] = {.name = "dut.waveform", .kind = SIM_OPTION_TEXT},
        [RULE_ON_LOSS] = {.name = "dut.waveform_on_loss", .kind = SIM_OPTION_TIME, .min = 100, .max = 1000000000},
};

#define SUFFIX ".fst"

enum { MOST_CLOCK_PARTS = 1000000 };

bool verilog_is_asked_for(const struct sim_options *options)
{
	struct sim_option_value model;

	return sim_options_read(options, &dut_model_rule, 1, &model) == 0 && dut_is_verilog(model.text);
}

static int load(const struct sim_options *options, const char *path, unsigned ports, struct verilog_settings *settings)
{
	const char *const name = rules[RULE_LIBRARY].name;
	const struct fpgauge_dut_api *(*entry)(void);

	settings->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (settings->handle == NULL)
		return sim_options_refuse(options, name, "\"%s\": cannot be loaded: %s", path, dlerror());
	*(void **)&entry = dlsym(settings->handle, FPGAUGE_DUT_ENTRY);
	if (entry == NULL)
		return sim_options_refuse(
		        options, name, "\"%s\": was not made by fpgauge sim-build: it has no " FPGAUGE_DUT_ENTRY, path);
	settings->api = entry();
	if (settings->api->abi_version != FPGAUGE_DUT_ABI_VERSION)
		return sim_options_refuse(
		        options, name,
		        "\"%s\": was built for version %u of the interface; this one has %u: build it "
		        "again with fpgauge sim-build",
		        path, settings->api->abi_version, FPGAUGE_DUT_ABI_VERSION);
	if (settings->api->ports != ports)
		return sim_options_refuse(options, name, "\"%s\": has %u ports; must have those of the tester, %u",
		                          path, settings->api->ports, ports);
	return 0;
}

/* A rate in its own unit, not in percent. */
static int read_rate(const struct sim_options *options, const struct sim_option_rule *rule, const char *fallback,
                     struct quantity *rate)
{
	struct sim_option_rule own = *rule;
	struct sim_option_value value;

	own.fallback = fallback;
	if (sim_options_read(options, &own, 1, &value) != 0)
		return -1;
	*rate = value.number;
	if (rate->unit == QUANTITY_PLAIN)
		return 0;
	return sim_options_refuse(options, rule->name, "%s: must be a rate, not a share of one", value.text);
}

static int set_clock(const struct sim_options *options, const struct quantity *rate, struct verilog_clock *clock)
{
	if (rate->denominator > MOST_CLOCK_PARTS)
		return sim_options_refuse(options, rules[RULE_CLOCK].name,
		                          "%" PRIu64 "/%" PRIu64 " Hz: must be a multiple of 1 uHz", rate->numerator,
		                          rate->denominator);
	clock->hz = rate->numerator;
	clock->parts = rate->denominator;
	return 0;
}

/* A word of an MII is what the line carries in a clock, so the clock follows from the link. */
static int read_clock(const struct sim_options *options, struct verilog_settings *settings)
{
	const struct fpgauge_dut_api *api = settings->api;
	const struct sim_option_rule *rule = &rules[RULE_CLOCK];
	struct quantity clock;

	if (api->style == FPGAUGE_DUT_MII && sim_options_find(options, rule->name) != NULL)
		return sim_options_refuse(options, rule->name,
		                          "%s: the clock of an MII follows from the link and the width of its data",
		                          sim_options_find(options, rule->name)->value);
	if (api->style == FPGAUGE_DUT_MII) {
		settings->clock[0] = (struct verilog_clock){settings->link_bps, api->octets * 8};
		return 0;
	}
	return read_rate(options, rule, api->clock[0], &clock) == 0 ? set_clock(options, &clock, &settings->clock[0])
	                                                            : -1;
}

/* Sets the other clocks as they were built: the plan says nothing of them. */
static int read_more_clocks(const struct sim_options *options, struct verilog_settings *settings)
{
	const struct fpgauge_dut_api *api = settings->api;
	struct quantity rate;
	const char *why;

	for (unsigned i = 1; i < api->clocks; i++)
		if (quantity_parse(api->clock[i], &rate, &why) != 0 ||
		    set_clock(options, &rate, &settings->clock[i]) != 0)
			return -1;
	return 0;
}

static int read_waveform(const struct sim_options *options, const struct sim_option_value *path,
                         const struct sim_option_value *on_loss, struct verilog_settings *settings)
{
	FILE *file;

	if (!path->set && on_loss->set)
		return sim_options_refuse(options, rules[RULE_ON_LOSS].name, "%s: dut.waveform must name the file",
		                          on_loss->text);
	if (!path->set)
		return 0;
	if (!settings->api->has_waveform)
		return sim_options_refuse(options, rules[RULE_WAVEFORM].name,
		                          "\"%s\": the library was built without: fpgauge sim-build --waveform",
		                          path->text);
	if (strlen(path->text) <= strlen(SUFFIX) ||
	    strcmp(path->text + strlen(path->text) - strlen(SUFFIX), SUFFIX) != 0)
		return sim_options_refuse(options, rules[RULE_WAVEFORM].name,
		                          "\"%s\": the format is FST, so the name must end with " SUFFIX, path->text);
	if (strlen(path->text) >= DUT_WAVEFORM_PATH)
		return sim_options_refuse(options, rules[RULE_WAVEFORM].name, "must be shorter than %d octets",
		                          DUT_WAVEFORM_PATH);
	file = fopen(path->text, "wb");
	if (file == NULL || fclose(file) != 0)
		return sim_options_refuse(options, rules[RULE_WAVEFORM].name, "\"%s\": %s", path->text,
		                          strerror(errno));
	settings->waveform = strdup(path->text);
	settings->waveform_stretch_ps =
	        on_loss->set ? on_loss->number.numerator * 1000 / on_loss->number.denominator : 0;
	return settings->waveform != NULL ? 0 : -1;
}

int verilog_settings_open(const struct sim_options *options, const struct sim_option_rule *extra, size_t extra_count,
                          unsigned ports, struct verilog_settings *settings)
{
	const struct sim_option_rule *const tables[] = {&dut_model_rule, rules, extra};
	const size_t counts[] = {1, RULES, extra_count};
	const struct fpgauge_sim_option *idle_skip = sim_options_find(options, "device.idle_skip");
	struct sim_option_value values[RULES];

	memset(settings, 0, sizeof(*settings));
	if (sim_options_check_names(options, tables, counts, 3) != 0 ||
	    sim_options_read(options, rules, RULES, values) != 0)
		return -1;
	if (!values[RULE_LIBRARY].set)
		return sim_options_refuse(options, dut_model_rule.name,
		                          "\"" DUT_VERILOG "\": dut.library must name what fpgauge sim-build has made");
	settings->strips_fcs = strcmp(values[RULE_FCS].text, "strip") == 0;
	settings->waits_for_end = strcmp(values[RULE_START].text, "last_beat") == 0;
	settings->never_idle = idle_skip != NULL && strcmp(idle_skip->value, "false") == 0;
	settings->buffer_octets = (uint32_t)values[RULE_BUFFER].number.numerator;
	if (load(options, values[RULE_LIBRARY].text, ports, settings) == 0 &&
	    dut_link_read(options, DUT_LINK_DEFAULT, DUT_LINK_MOST_BPS, &settings->link_bps) == 0 &&
	    read_clock(options, settings) == 0 && read_more_clocks(options, settings) == 0 &&
	    read_waveform(options, &values[RULE_WAVEFORM], &values[RULE_ON_LOSS], settings) == 0)
		return 0;
	verilog_settings_close(settings);
	return -1;
}

void verilog_settings_close(struct verilog_settings *settings)
{
	if (settings->handle != NULL)
		dlclose(settings->handle);
	settings->handle = NULL;
	free(settings->waveform);
	settings->waveform = NULL;
}
