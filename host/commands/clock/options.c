// SPDX-License-Identifier: Apache-2.0
/* Two devices, and settings for each. */
#include "host/commands/clock/options.h"

#include <stdlib.h>

#include "host/base/format.h"
#include "host/base/quantity.h"
#include "host/commands/clock/exchange.h"

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

static void read_ports_option(void *user, const char *value, const struct argp_state *state)
{
	read_ports("ports", value, ((struct clock_options *)user)->ports, state);
}

static void read_through_option(void *user, const char *value, const struct argp_state *state)
{
	struct clock_options *options = user;

	option_set_once(&options->through_ports, "through", value, state);
	read_ports("through", value, options->through, state);
}

const struct option_row CLOCK_OPTIONS[] = {
        {"ports", 0, "N:M", "The cable is between port N of DEVICE_A and port M of DEVICE_B; \"0:0\" by default",
         OPTION_READ, .read = read_ports_option},
        {"through", 0, "N:M",
         "At the same time measure the latency of frames between port N of DEVICE_A and port M of DEVICE_B, both ways, "
         "through the device under test",
         OPTION_READ, .read = read_through_option},
        {"size", 0, "OCTETS", "Length of these frames with FCS, 64 by default; up to 9216", OPTION_TEXT,
         .place = offsetof(struct clock_options, size)},
        {"for", 0, "TIME", "Exchange frames for so long, \"1s\" by default; 1ms to 300s", OPTION_TEXT,
         .place = offsetof(struct clock_options, duration)},
        {"asymmetry", 0, "TIME",
         "By how much the two ways between the ports may differ, without the errors that the devices state; \"0ns\" by "
         "default",
         OPTION_TEXT, .place = offsetof(struct clock_options, asymmetry)},
        {"wander", 0, "TIME",
         "How far the clocks may be off constant rates while frames are exchanged; \"0ns\" by default", OPTION_TEXT,
         .place = offsetof(struct clock_options, wander)},
        {"json", 'j', "FILE", "Write the result to FILE as JSON; - writes it to standard output in place of the text",
         OPTION_TEXT, .place = offsetof(struct clock_options, json_path)},
        {"set-a", 0, "PATH=VALUE", "A setting of DEVICE_A, as in a plan: device.manifest=FILE; repeatable", OPTION_LIST,
         .place = offsetof(struct clock_options, of[0].overrides)},
        {"set-b", 0, "PATH=VALUE", "A setting of DEVICE_B; repeatable", OPTION_LIST,
         .place = offsetof(struct clock_options, of[1].overrides)},
        {"quiet", 'q', NULL, "Print nothing but errors", OPTION_FLAG, .place = offsetof(struct clock_options, quiet)},
        {0},
};

void clock_options_argument(void *user, const char *argument, const struct argp_state *state)
{
	struct clock_options *options = user;

	argument_set(options->of[0].device ? &options->of[1].device : &options->of[0].device, argument,
	             "DEVICE_A DEVICE_B", state);
}

void clock_options_check(void *user, const struct argp_state *state)
{
	struct clock_options *options = user;
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

void clock_options_free(struct clock_options *options)
{
	for (unsigned i = 0; i < CLOCK_DEVICES; i++)
		device_options_free(&options->of[i]);
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
