/* SPDX-License-Identifier: Apache-2.0 */
/* Sources, defines and folders go to Verilator in the order and the form in which they are given. */
#include "host/commands/sim_build/options.h"

#include <argp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/commands.h"
#include "host/console/option_values.h"

enum { KEY_TOP = 256, KEY_PORTS, KEY_STYLE, KEY_WIDTH, KEY_CLOCK, KEY_MAP, KEY_WAVEFORM };
enum { MIN_PORTS = 2, MAX_WIDTH = 512 };

#define ARGUMENTS "FILES..."
#define DEFAULT_CLOCK "322.265625M"

static const struct argp_option OPTIONS[] = {
        {"top", KEY_TOP, "NAME", 0, "The module under test", 0},
        {"ports", KEY_PORTS, "N", 0,
         "How many ports it has: 2 to 16; the simulation of the tester must be there with as many", 0},
        {"style", KEY_STYLE, "axis|mii", 0,
         "What its ports are: AXI4-Stream behind a MAC (the default), or groups of 8 octets with control bits", 0},
        {"data-width", KEY_WIDTH, "BITS", 0, "Of the data of a port; default: that of the module", 0},
        {"clock", KEY_CLOCK, "HZ", 0,
         "Of the module, \"" DEFAULT_CLOCK "\" by default; with --style mii it follows from the link", 0},
        {"map", KEY_MAP, "FILE", 0, "What the module's ports are called, if not as by convention", 0},
        {"waveform", KEY_WAVEFORM, NULL, 0,
         "Makes it able to draw the module's signals (dut.waveform of a plan), and slower", 0},
        {"output", 'o', "FILE", 0, "The library to make; what is kept for the next time is in FILE.build", 0},
        {"include", 'I', "DIR", 0, "Where included files and modules are looked for; repeatable", 0},
        {"define", 'D', "NAME[=VALUE]", 0, "Defines a macro; repeatable", 0},
        {"param", 'G', "NAME=VALUE", 0, "Sets a parameter of the module; repeatable", 0},
        {"file-list", 'f', "FILE", 0, "A file with further files and options, as for Verilator; repeatable", 0},
        {0},
};

static void add(const char ***list, size_t *count, const char *prefix, const char *word, const struct argp_state *state)
{
	char *text = NULL;

	if (asprintf(&text, "%s%s", prefix, word) < 0)
		argp_failure(state, EXIT_DEVICE, 0, "out of memory");
	option_add(list, count, text, state);
}

static unsigned number(const char *option, const char *argument, unsigned min, unsigned max, unsigned step,
                       const struct argp_state *state)
{
	char *end;
	const unsigned long value = strtoul(argument, &end, 10);

	if (argument[0] < '0' || argument[0] > '9' || *end != '\0' || value < min || value > max || value % step != 0)
		argp_error(state, "--%s %s: must be %u to %u, in steps of %u", option, argument, min, max, step);
	return (unsigned)value;
}

static void check_clock(const char *argument, const struct argp_state *state)
{
	if (!clock_is_right(argument))
		argp_error(state, "--clock %s: " CLOCK_RULE, argument);
}

static void check(struct sim_build_options *options, const struct argp_state *state)
{
	struct sim_build_request *request = &options->request;

	if (request->top == NULL || request->ports == 0 || request->output == NULL)
		argp_error(state, "--%s must be given",
		           request->top == NULL  ? "top"
		           : request->ports == 0 ? "ports"
		                                 : "output");
	if (request->source_count == 0)
		argp_error(state, "the FILES are missing: Verilog sources");
	if (request->style == PIN_MII && request->clock != NULL)
		argp_error(state, "--clock %s: with --style mii the clock follows from the link and the width",
		           request->clock);
	if (request->style == PIN_AXIS && request->clock == NULL)
		request->clock = DEFAULT_CLOCK;
	request->sources = options->sources;
	request->parameters = options->parameters;
}

static void add_parameter(struct sim_build_options *options, const char *argument, const struct argp_state *state)
{
	const char *equals = strchr(argument, '=');

	if (equals == NULL || equals == argument || equals[1] == '\0' || strlen(argument) >= PIN_NAME_SIZE - 2)
		argp_error(state, "-G%s: must be NAME=VALUE, up to %d characters", argument, PIN_NAME_SIZE - 3);
	add(&options->parameters, &options->request.parameter_count, "", argument, state);
}

static void read_style(struct sim_build_request *request, const char *argument, const struct argp_state *state)
{
	if (strcmp(argument, "axis") != 0 && strcmp(argument, "mii") != 0)
		argp_error(state, "--style %s: must be axis or mii", argument);
	request->style = strcmp(argument, "mii") == 0 ? PIN_MII : PIN_AXIS;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct sim_build_options *options = state->input;
	struct sim_build_request *request = &options->request;
	const char prefix[] = {'-', (char)key, '\0'};

	switch (key) {
	case KEY_TOP:
		request->top = argument;
		return 0;
	case KEY_PORTS:
		request->ports = number("ports", argument, MIN_PORTS, PIN_MAX_PORTS, 1, state);
		return 0;
	case KEY_STYLE:
		read_style(request, argument, state);
		return 0;
	case KEY_WIDTH:
		request->width = number("data-width", argument, 8, MAX_WIDTH, 8, state);
		return 0;
	case KEY_CLOCK:
		check_clock(argument, state);
		request->clock = argument;
		return 0;
	case KEY_MAP:
		request->map_path = argument;
		return 0;
	case KEY_WAVEFORM:
		request->waveform = true;
		return 0;
	case 'o':
		request->output = argument;
		return 0;
	case 'I':
	case 'D':
		add(&options->sources, &request->source_count, prefix, argument, state);
		return 0;
	case 'f':
		add(&options->sources, &request->source_count, "", prefix, state);
		add(&options->sources, &request->source_count, "", argument, state);
		return 0;
	case 'G':
		add_parameter(options, argument, state);
		return 0;
	case ARGP_KEY_ARG:
		add(&options->sources, &request->source_count, "", argument, state);
		return 0;
	case ARGP_KEY_END:
		check(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void sim_build_options_parse(int argc, char **argv, const char *doc, struct sim_build_options *options)
{
	const struct argp argp = {.options = OPTIONS, .parser = parse, .args_doc = ARGUMENTS, .doc = doc};

	*options = (struct sim_build_options){0};
	argp_parse(&argp, argc, argv, 0, NULL, options);
}

void sim_build_options_free(struct sim_build_options *options)
{
	for (size_t i = 0; i < options->request.source_count; i++)
		free((char *)(uintptr_t)options->sources[i]);
	for (size_t i = 0; i < options->request.parameter_count; i++)
		free((char *)(uintptr_t)options->parameters[i]);
	free(options->sources);
	free(options->parameters);
}

const struct option_list SIM_BUILD_OPTIONS = {"sim-build", ARGUMENTS, OPTIONS};
