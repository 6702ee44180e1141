/* SPDX-License-Identifier: Apache-2.0 */
/* Sources, defines and folders go to Verilator in the order and the form in which they are given. */
#include "host/commands/sim_build/options.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/console/exit_code.h"

enum { MIN_PORTS = 2, MAX_WIDTH = 512 };

#define DEFAULT_CLOCK "322.265625M"

static void add(struct text_list *list, const char *prefix, const char *word, const struct argp_state *state)
{
	char *text = NULL;

	if (asprintf(&text, "%s%s", prefix, word) < 0)
		argp_failure(state, EXIT_DEVICE, 0, "out of memory");
	text_list_add(list, text, state);
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

static void read_ports(void *options, const char *value, const struct argp_state *state)
{
	((struct sim_build_options *)options)->request.ports =
	        number("ports", value, MIN_PORTS, PIN_MAX_PORTS, 1, state);
}

static void read_width(void *options, const char *value, const struct argp_state *state)
{
	((struct sim_build_options *)options)->request.width = number("data-width", value, 8, MAX_WIDTH, 8, state);
}

static void read_style(void *options, const char *value, const struct argp_state *state)
{
	if (strcmp(value, "axis") != 0 && strcmp(value, "mii") != 0)
		argp_error(state, "--style %s: must be axis or mii", value);
	((struct sim_build_options *)options)->request.style = strcmp(value, "mii") == 0 ? PIN_MII : PIN_AXIS;
}

static void read_clock(void *options, const char *value, const struct argp_state *state)
{
	if (!clock_is_right(value))
		argp_error(state, "--clock %s: " CLOCK_RULE, value);
	((struct sim_build_options *)options)->request.clock = value;
}

static void read_parameter(void *options, const char *value, const struct argp_state *state)
{
	const char *equals = strchr(value, '=');

	if (equals == NULL || equals == value || equals[1] == '\0' || strlen(value) >= PIN_NAME_SIZE - 2)
		argp_error(state, "-G%s: must be NAME=VALUE, up to %d characters", value, PIN_NAME_SIZE - 3);
	add(&((struct sim_build_options *)options)->parameters, "", value, state);
}

static void read_include(void *options, const char *value, const struct argp_state *state)
{
	add(&((struct sim_build_options *)options)->sources, "-I", value, state);
}

static void read_define(void *options, const char *value, const struct argp_state *state)
{
	add(&((struct sim_build_options *)options)->sources, "-D", value, state);
}

static void read_file_list(void *options, const char *value, const struct argp_state *state)
{
	sim_build_options_argument(options, "-f", state);
	sim_build_options_argument(options, value, state);
}

const struct option_row SIM_BUILD_OPTIONS[] = {
        {"top", 0, "NAME", "The module under test", OPTION_TEXT,
         .place = offsetof(struct sim_build_options, request.top)},
        {"ports", 0, "N", "How many ports it has: 2 to 16; the simulation of the tester must be there with as many",
         OPTION_READ, .read = read_ports},
        {"style", 0, "axis|mii",
         "What its ports are: AXI4-Stream behind a MAC (the default), or groups of 8 octets with control bits",
         OPTION_READ, .read = read_style},
        {"data-width", 0, "BITS", "Width of the data of a port; default: that of the module", OPTION_READ,
         .read = read_width},
        {"clock", 0, "HZ",
         "Clock of the module, \"" DEFAULT_CLOCK "\" by default; with --style mii it follows from the link",
         OPTION_READ, .read = read_clock},
        {"map", 0, "FILE", "What the module's ports are called, if not as by convention", OPTION_TEXT,
         .place = offsetof(struct sim_build_options, request.map_path)},
        {"waveform", 0, NULL, "Makes it able to draw the module's signals (dut.waveform of a plan), and slower",
         OPTION_FLAG, .place = offsetof(struct sim_build_options, request.waveform)},
        {"output", 'o', "FILE", "The library to make; what is kept for the next time is in FILE.build", OPTION_TEXT,
         .place = offsetof(struct sim_build_options, request.output)},
        {"include", 'I', "DIR", "Where included files and modules are looked for; repeatable", OPTION_READ,
         .read = read_include},
        {"define", 'D', "NAME[=VALUE]", "Defines a macro; repeatable", OPTION_READ, .read = read_define},
        {"param", 'G', "NAME=VALUE", "Sets a parameter of the module; repeatable", OPTION_READ, .read = read_parameter},
        {"file-list", 'f', "FILE", "A file with further files and options, as for Verilator; repeatable", OPTION_READ,
         .read = read_file_list},
        {0},
};

void sim_build_options_argument(void *options, const char *argument, const struct argp_state *state)
{
	add(&((struct sim_build_options *)options)->sources, "", argument, state);
}

void sim_build_options_check(void *user, const struct argp_state *state)
{
	struct sim_build_options *options = user;
	struct sim_build_request *request = &options->request;

	if (request->top == NULL || request->ports == 0 || request->output == NULL)
		argp_error(state, "--%s must be given",
		           request->top == NULL  ? "top"
		           : request->ports == 0 ? "ports"
		                                 : "output");
	if (options->sources.count == 0)
		argp_error(state, "the FILES are missing: Verilog sources");
	if (request->style == PIN_MII && request->clock != NULL)
		argp_error(state, "--clock %s: with --style mii the clock follows from the link and the width",
		           request->clock);
	if (request->style == PIN_AXIS && request->clock == NULL)
		request->clock = DEFAULT_CLOCK;
	request->sources = options->sources.texts;
	request->source_count = options->sources.count;
	request->parameters = options->parameters.texts;
	request->parameter_count = options->parameters.count;
}

static void free_list(struct text_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free((char *)(uintptr_t)list->texts[i]);
	free(list->texts);
}

void sim_build_options_free(struct sim_build_options *options)
{
	free_list(&options->sources);
	free_list(&options->parameters);
}
