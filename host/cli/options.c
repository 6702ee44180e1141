/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments by argp: --help is made from the same table. */
#include "host/cli/options.h"

#include <argp.h>
#include <stdlib.h>

#include "host/cli/commands.h"

static const struct argp_option PLAN_OPTIONS[] = {
        {"set", 's', "PATH=VALUE", 0,
         "Change a setting of the plan: dut.buffer_frames=64, run[1].repetitions=5; repeatable", 0},
        {0},
};

static const struct argp_option REPORT_OPTIONS[] = {
        {"set", 's', "PATH=VALUE", 0,
         "Change a setting of the plan: dut.buffer_frames=64, run[1].repetitions=5; repeatable", 0},
        {"json", 'j', "FILE", 0, "Write the results to FILE as JSON; - is standard output, without the table then", 0},
        {"trace", 't', "FILE", OPTION_ARG_OPTIONAL,
         "List every trial as it comes: load, duration, loss, class and bounds; to FILE, or to standard error", 0},
        {"quiet", 'q', NULL, 0, "Neither table nor progress; complaints stay", 0},
        {0},
};

static void add_override(struct options *options, const char *text, const struct argp_state *state)
{
	const char **grown = realloc(options->overrides, (options->override_count + 1) * sizeof(*grown));

	if (!grown)
		argp_failure(state, EXIT_DEVICE, 0, "out of memory");
	options->overrides = grown;
	options->overrides[options->override_count++] = text;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 's':
		add_override(options, argument, state);
		return 0;
	case 'j':
		if (options->json_path)
			argp_error(state, "--json %s: must be given once", argument);
		options->json_path = argument;
		return 0;
	case 't':
		if (options->trace_path)
			argp_error(state, "--trace: must be given once");
		options->trace_path = argument ? argument : "-";
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->plan_path)
			argp_error(state, "%s: one plan at a time, %s is the first", argument, options->plan_path);
		options->plan_path = argument;
		return 0;
	case ARGP_KEY_END:
		if (!options->plan_path)
			argp_error(state, "the PLAN is missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void options_parse(int argc, char **argv, bool reports, const char *doc, struct options *options)
{
	const struct argp argp = {
	        .options = reports ? REPORT_OPTIONS : PLAN_OPTIONS,
	        .parser = parse,
	        .args_doc = "PLAN",
	        .doc = doc,
	};

	*options = (struct options){0};
	argp_parse(&argp, argc, argv, 0, NULL, options);
}

void options_free(struct options *options)
{
	free(options->overrides);
}
