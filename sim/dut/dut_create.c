// SPDX-License-Identifier: Apache-2.0
/* The list of models, and how a device is made of them from the dut.* settings. */
#include "sim/dut/models.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "sim/dut/device.h"

static const struct {
	const char *name;
	const struct dut_rules *rules;
} models[DUT_MODELS] = {
        [DUT_WIRE] = {"wire", &wire_rules},       [DUT_FIFO] = {"fifo", &fifo_rules},
        [DUT_STALL] = {"stall", &stall_rules},    [DUT_OVERLOAD] = {"overload", &overload_rules},
        [DUT_FAULTS] = {"faults", &faults_rules}, [DUT_RESET] = {"reset", &reset_rules},
};

static const struct sim_option_rule seed_rule = {
        .name = "dut.seed", .fallback = "1", .kind = SIM_OPTION_INTEGER, .max = UINT64_MAX};

/* The models named in dut.model, in the order given. */
struct list {
	enum dut_model models[DUT_MODELS];
	size_t count;
};

static int refuse_model(const struct sim_options *options, const char *text, int length)
{
	return sim_options_refuse(options, dut_model_rule.name,
	                          "\"%.*s\": must be \"wire\", \"fifo\", \"stall\", \"overload\", \"faults\" or "
	                          "\"reset\", or several of them with commas, or \"" DUT_SWITCH
	                          "\", \"" DUT_TWO_SWITCHES "\", \"" DUT_ROUTER "\", \"" DUT_TAP "\" or \"" DUT_VERILOG
	                          "\" alone",
	                          length, text);
}

/* True for a device of several ports, which is no model of one direction (device.h): whoever asks for directions cannot
 * have it. */
static bool is_device(const char *name, size_t length)
{
	return length == strlen(DUT_SWITCH) && strncmp(name, DUT_SWITCH, length) == 0;
}

static int add_model(const struct sim_options *options, const char *name, size_t length, struct dut_setup *setup,
                     struct list *list)
{
	if (is_device(name, length))
		return sim_options_refuse(
		        options, dut_model_rule.name,
		        "\"%s\": a " DUT_SWITCH " has no directions: it is one device between all ports", setup->title);
	for (enum dut_model i = 0; i < DUT_MODELS; i++) {
		if (strlen(models[i].name) != length || strncmp(models[i].name, name, length) != 0)
			continue;
		if (setup->named[i])
			return sim_options_refuse(options, dut_model_rule.name, "\"%s\": names %s twice", setup->title,
			                          models[i].name);
		setup->named[i] = true;
		list->models[list->count++] = i;
		return 0;
	}
	return refuse_model(options, name, (int)length);
}

/* "stall, fifo" */
static int read_list(const struct sim_options *options, struct dut_setup *setup, struct list *list)
{
	struct sim_option_value model;
	const char *at;

	if (sim_options_read(options, &dut_model_rule, 1, &model) != 0)
		return -1;
	snprintf(setup->title, sizeof(setup->title), "%s", model.text);
	list->count = 0;
	for (at = model.text;; at++) {
		size_t length;

		while (isspace((unsigned char)*at))
			at++;
		length = strcspn(at, ",");
		while (length > 0 && isspace((unsigned char)at[length - 1]))
			length--;
		if (add_model(options, at, length, setup, list) != 0)
			return -1;
		at = strchr(at, ',');
		if (at == NULL)
			break;
	}
	if (setup->named[DUT_WIRE] && (setup->named[DUT_FIFO] || setup->named[DUT_STALL] || setup->named[DUT_OVERLOAD]))
		return sim_options_refuse(options, dut_model_rule.name,
		                          "\"%s\": a wire cannot be combined with fifo, stall or overload, which "
		                          "have a dut.latency_ns of their own",
		                          setup->title);
	return 0;
}

/* Settings must belong to a named model, or to the caller. stall and overload modify a fifo, so they have its settings.
 */
static int check_names(const struct sim_options *options, const struct dut_setup *setup,
                       const struct sim_option_rule *extra, size_t extra_count)
{
	const struct sim_option_rule *tables[DUT_MODELS + 3] = {&dut_model_rule, extra};
	size_t counts[DUT_MODELS + 3] = {1, extra_count};
	size_t count = 2;
	const bool server = setup->named[DUT_FIFO] || setup->named[DUT_STALL] || setup->named[DUT_OVERLOAD];

	for (enum dut_model i = 0; i < DUT_MODELS; i++) {
		if (!setup->named[i] && !(i == DUT_FIFO && server))
			continue;
		tables[count] = models[i].rules->rules;
		counts[count++] = models[i].rules->count;
	}
	if (setup->named[DUT_STALL] || setup->named[DUT_FAULTS]) {
		tables[count] = &seed_rule;
		counts[count++] = 1;
	}
	return sim_options_check_names(options, tables, counts, count);
}

/* Creates the stages of a direction, with one server for fifo, stall and overload, at the position of the first of
 * them. 0, or -1 with nothing left to free. */
static int create_stages(const struct dut_setup *setup, const struct list *list, struct dut **stages, size_t *count)
{
	bool stores = false, server = false;

	*count = 0;
	for (size_t i = 0; i < list->count; i++)
		stores = stores || (list->models[i] != DUT_WIRE && list->models[i] != DUT_RESET);
	if (!stores)
		stages[(*count)++] = faults_create(setup);
	for (size_t i = 0; i < list->count && (*count == 0 || stages[*count - 1] != NULL); i++) {
		const enum dut_model model = list->models[i];

		if (model == DUT_WIRE) {
			stages[(*count)++] = wire_create(setup);
		} else if (model == DUT_FAULTS) {
			stages[(*count)++] = faults_create(setup);
		} else if (model != DUT_RESET && !server) {
			stages[(*count)++] = server_create(setup);
			server = true;
		}
	}
	if (stages[*count - 1] != NULL)
		return 0;
	for (size_t i = 0; i < *count; i++)
		dut_destroy(stages[i]);
	return -1;
}

static struct dut *create_direction(const struct dut_setup *setup, const struct list *list)
{
	struct dut *stages[DUT_MAX_STAGES];
	struct dut *dut;
	size_t count;

	if (list->count == 1 && list->models[0] == DUT_WIRE)
		dut = wire_create(setup);
	else if (create_stages(setup, list, stages, &count) != 0)
		return NULL;
	else if (count == 1 && !setup->named[DUT_RESET])
		dut = stages[0];
	else
		dut = chain_create(setup, stages, count);
	if (dut != NULL)
		snprintf(dut->model, sizeof(dut->model), "%.*s", (int)sizeof(dut->model) - 1, setup->title);
	return dut;
}

int dut_create(const struct sim_options *options, const struct sim_option_rule *extra, size_t extra_count,
               uint64_t link_bps, struct dut **duts, size_t count)
{
	struct dut_setup setup = {.options = options, .link_bps = link_bps};
	struct sim_option_value seed;
	struct list list = {.count = 0};

	if (read_list(options, &setup, &list) != 0 || check_names(options, &setup, extra, extra_count) != 0 ||
	    sim_options_read(options, &seed_rule, 1, &seed) != 0)
		return -1;
	setup.seed = seed.number.numerator;
	for (size_t i = 0; i < count; i++) {
		setup.direction = (unsigned)i;
		duts[i] = create_direction(&setup, &list);
		if (duts[i] == NULL) {
			while (i-- > 0)
				dut_destroy(duts[i]);
			return -1;
		}
	}
	return 0;
}
