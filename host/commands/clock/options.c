// SPDX-License-Identifier: Apache-2.0
/* Two devices, and settings for each. */
#include "host/commands/clock/options.h"

#include <argp.h>
#include <stdlib.h>

#include "host/base/format.h"
#include "host/base/quantity.h"
#include "host/cli/commands.h"
#include "host/commands/clock/exchange.h"
#include "host/console/option_values.h"

enum { KEY_PORTS = 256, KEY_THROUGH, KEY_SIZE, KEY_FOR, KEY_ASYMMETRY, KEY_WANDER, KEY_SET_A, KEY_SET_B };

#define ARGUMENTS "DEVICE_A DEVICE_B"

static const struct argp_option OPTIONS[] = {
        {"ports", KEY_PORTS, "N:M", 0,
         "The cable is between port N of DEVICE_A and port M of DEVICE_B; \"0:0\" by default", 0},
        {"through", KEY_THROUGH, "N:M", 0,
         "At the same time measure the latency of frames between port N of DEVICE_A and port M of DEVICE_B, both ways, "
         "through "
         "the device under test",
         0},
        {"size", KEY_SIZE, "OCTETS", 0, "Length of these frames with FCS, 64 by default; up to 9216", 0},
        {"for", KEY_FOR, "TIME", 0, "Exchange frames for so long, \"1s\" by default; 1ms to 300s", 0},
        {"asymmetry", KEY_ASYMMETRY, "TIME", 0,
         "By how much the two ways between the ports may differ, without the errors that the devices state; \"0ns\" by "
         "default",
         0},
        {"wander", KEY_WANDER, "TIME", 0,
         "How far the clocks may be off constant rates while frames are exchanged; \"0ns\" by default", 0},
        {"json", 'j', "FILE", 0,
         "Write the result to FILE as JSON; - writes it to standard output in place of the text", 0},
        {"set-a", KEY_SET_A, "PATH=VALUE", 0, "A setting of DEVICE_A, as in a plan: device.manifest=FILE; repeatable",
         0},
        {"set-b", KEY_SET_B, "PATH=VALUE", 0, "A setting of DEVICE_B; repeatable", 0},
        {"quiet", 'q', NULL, 0, "Print nothing but errors", 0},
        {0},
};

/* The number that a text begins with, up to `end`. */
static bool read_port(const char **text, char end, unsigned *port)
{
	char *rest;
	const unsigned long number = strtoul(*text, &rest, 10);

	if (**text < '0' || **text > '9' || *rest != end || number >= CLOCK_MOST_PORTS)
		return false;
	*port = (unsigned)number;
	*text = rest + 1;
	return true;
}

static void read_ports(const char *name, const char *argument, unsigned ports[CLOCK_DEVICES],
                       const struct argp_state *state)
{
	const char *text = argument;

	if (!read_port(&text, ':', &ports[0]) || !read_port(&text, '\0', &ports[1]))
		argp_error(state, "--%s %s: must be two ports, 0 to %d, as 0:1", name, argument, CLOCK_MOST_PORTS - 1);
}

static void check(struct clock_options *options, const struct argp_state *state)
{
	char *rest = NULL;
	const unsigned long octets = options->size ? strtoul(options->size, &rest, 10) : MIN_FRAME_OCTETS;

	if (!options->of[1].device)
		argp_error(state, "two devices must be given, DEVICE_A DEVICE_B: `fpgauge devices` lists them");
	if (options->size && !options->through_ports)
		argp_error(state, "--size %s: is of the frames of --through, which must be given", options->size);
	if ((rest && *rest) || octets < MIN_FRAME_OCTETS || octets > MAX_FRAME_OCTETS)
		argp_error(state, "--size %s: must be %d to %d", options->size, MIN_FRAME_OCTETS, MAX_FRAME_OCTETS);
	if (options->through_ports)
		options->through_octets = (unsigned)octets;
}

static void add_device(struct clock_options *options, const char *argument, const struct argp_state *state)
{
	struct options *of = options->of[0].device ? &options->of[1] : &options->of[0];

	if (of->device)
		argp_error(state, "%s: too many arguments; must be DEVICE_A DEVICE_B", argument);
	of->device = argument;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct clock_options *options = state->input;

	switch (key) {
	case KEY_PORTS:
		read_ports("ports", argument, options->ports, state);
		return 0;
	case KEY_THROUGH:
		option_set_once(&options->through_ports, "through", argument, state);
		read_ports("through", argument, options->through, state);
		return 0;
	case KEY_SIZE:
		option_set_once(&options->size, "size", argument, state);
		return 0;
	case KEY_FOR:
		option_set_once(&options->duration, "for", argument, state);
		return 0;
	case KEY_ASYMMETRY:
		option_set_once(&options->asymmetry, "asymmetry", argument, state);
		return 0;
	case KEY_WANDER:
		option_set_once(&options->wander, "wander", argument, state);
		return 0;
	case 'j':
		option_set_once(&options->json_path, "json", argument, state);
		return 0;
	case KEY_SET_A:
		option_add(&options->of[0].overrides, &options->of[0].override_count, argument, state);
		return 0;
	case KEY_SET_B:
		option_add(&options->of[1].overrides, &options->of[1].override_count, argument, state);
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		add_device(options, argument, state);
		return 0;
	case ARGP_KEY_END:
		check(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void clock_options_parse(int argc, char **argv, const char *doc, struct clock_options *options)
{
	const struct argp argp = {.options = OPTIONS, .parser = parse, .args_doc = ARGUMENTS, .doc = doc};

	*options = (struct clock_options){0};
	argp_parse(&argp, argc, argv, 0, NULL, options);
}

void clock_options_free(struct clock_options *options)
{
	for (unsigned i = 0; i < CLOCK_DEVICES; i++)
		options_free(&options->of[i]);
}

int clock_options_time(const char *name, const char *text, double fallback_ns, double least_ns, double most_ns,
                       double *ns, struct error *error)
{
	struct quantity quantity;
	const char *why;

	*ns = fallback_ns;
	if (!text)
		return 0;
	*ns = !quantity_parse(text, &quantity, &why) && quantity.unit == QUANTITY_TIME
	              ? quantity_number(&quantity) * 1e9
	              : -1;
	if (*ns >= least_ns && *ns <= most_ns)
		return 0;
	return error_set(error, ERROR_PLAN, "--%s %s: must be a time with its unit, %s to %s", name, text,
	                 format_time(least_ns * 1e-9).text, format_time(most_ns * 1e-9).text);
}

const struct option_list CLOCK_OPTIONS = {"clock", ARGUMENTS, OPTIONS};
