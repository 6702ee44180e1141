/* SPDX-License-Identifier: Apache-2.0 */
/* Values are read where the plan of them is made (send_plan.c), with the limits of its keys. */
#include "host/commands/send/options.h"

#include <argp.h>

#include "host/console/option_values.h"

enum { KEY_SIZE = 256, KEY_FOR, KEY_FRAMES, KEY_PATTERN, KEY_DIRECTION, KEY_PORTS, KEY_DRAIN, KEY_INTERVAL };

#define ARGUMENTS "DEVICE"

static const struct argp_option OPTIONS[] = {
        {"load", 'l', "LOAD", 0,
         "Of each sending port: 50% of line rate, 1.5M or 1.5Mpps, frames a second, or 10Gbps on the line (with "
         "preamble and "
         "gap); must be given",
         0},
        {"size", KEY_SIZE, "SIZE", 0,
         "Octets of a frame with FCS, the shortest by default; or a mix: 64,570,1518, imix, genome:aabbz", 0},
        {"for", KEY_FOR, "TIME", 0, "Send for so long by the clock of the device; default: until Ctrl-C", 0},
        {"frames", KEY_FRAMES, "N", 0, "Send so many frames from each sending port, in place of --for", 0},
        {"pattern", KEY_PATTERN, "pairs|one_to_many|many_to_one|mesh|unidirectional_mesh|snake", 0,
         "Between which ports, pairs by default, as traffic.pattern of a plan", 0},
        {"direction", KEY_DIRECTION, "unidirectional|bidirectional", 0, "As in a plan; default: bidirectional", 0},
        {"ports", KEY_PORTS, "0,2,...", 0,
         "Only these ports send, to the ones that they have by the pattern; default: all of it", 0},
        {"drain", KEY_DRAIN, "TIME", 0, "Longest wait for the last frame, \"2s\" by default", 0},
        {"interval", KEY_INTERVAL, "TIME", 0,
         "Device time between two updates; \"1s\" by default, or a tenth of --for if that is shorter", 0},
        {"json", 'j', "FILE", 0,
         "Write a line of JSON per update, and one for the whole, to FILE; - is standard output", 0},
        {"set", 's', "PATH=VALUE", 0,
         "A setting of device, dut, link or traffic, as in a plan: dut.model=fifo, traffic.vlan=7; repeatable", 0},
        {0},
};

/* Where an option with a value keeps it; NULL: it is another one. */
static const char **place_of(struct send_options *options, int key)
{
	switch (key) {
	case 'l':
		return &options->load;
	case KEY_SIZE:
		return &options->size;
	case KEY_FOR:
		return &options->duration;
	case KEY_FRAMES:
		return &options->frames;
	case KEY_PATTERN:
		return &options->pattern;
	case KEY_DIRECTION:
		return &options->direction;
	case KEY_PORTS:
		return &options->ports;
	case KEY_DRAIN:
		return &options->drain;
	case KEY_INTERVAL:
		return &options->common.interval;
	case 'j':
		return &options->common.json_path;
	default:
		return NULL;
	}
}

static const char *name_of(int key)
{
	const struct argp_option *option = OPTIONS;

	while (option->key != key)
		option++;
	return option->name;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct send_options *options = state->input;
	const char **place = place_of(options, key);

	if (place) {
		option_set_once(place, name_of(key), argument, state);
		return 0;
	}
	switch (key) {
	case 's':
		option_add(&options->common.overrides, &options->common.override_count, argument, state);
		return 0;
	case ARGP_KEY_ARG:
		if (options->common.device)
			argp_error(state, "%s: too many arguments; must be DEVICE", argument);
		options->common.device = argument;
		return 0;
	case ARGP_KEY_END:
		if (!options->common.device)
			argp_error(state, "the DEVICE is missing: `fpgauge devices` lists them");
		if (!options->load)
			argp_error(state, "--load must be given: 50%%, 1.5M (frames a second) or 10Gbps");
		if (options->frames && options->duration)
			argp_error(state, "--frames %s: must not be given with --for", options->frames);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void send_options_parse(int argc, char **argv, const char *doc, struct send_options *options)
{
	const struct argp argp = {.options = OPTIONS, .parser = parse, .args_doc = ARGUMENTS, .doc = doc};

	*options = (struct send_options){0};
	argp_parse(&argp, argc, argv, 0, NULL, options);
}

void send_options_free(struct send_options *options)
{
	options_free(&options->common);
}

const struct option_list SEND_OPTIONS = {"send", ARGUMENTS, OPTIONS};
