/* SPDX-License-Identifier: Apache-2.0 */
#include "host/console/plan_source.h"

#include <stdlib.h>
#include <string.h>

#include "host/bench/benchmark.h"
#include "host/console/exit_code.h"
#include "host/plan/presets/preset.h"

const struct option_row PLAN_OPTIONS[] = {
        {"set", 's', "PATH=VALUE",
         "Change a setting of the plan: dut.buffer_frames=64, run[1].repetitions=5; repeatable", OPTION_LIST,
         .place = offsetof(struct plan_options, device.overrides)},
        {"preset", 0, PRESET_NAMES,
         "In place of PLAN: the tests of this preset, on the device that --device names; without a name, lists all",
         OPTION_TEXT, .place = offsetof(struct plan_options, preset_name), .if_none = ""},
        {"device", 0, "DEVICE", "Use this device in place of the plan's: twin, sim:rtl, pci:0000:3b:00.0", OPTION_TEXT,
         .place = offsetof(struct plan_options, device.device)},
        {0},
};

void plan_options_argument(struct plan_options *options, const char *argument, const struct argp_state *state)
{
	if (options->path)
		argp_error(state, "%s: one plan at a time, %s is the first", argument, options->path);
	options->path = argument;
}

/* One line for each preset: name, and what it measures. */
static void print_presets(void)
{
	for (size_t i = 0; i < PRESET_COUNT; i++) {
		const char *what = PRESETS[i].text + strspn(PRESETS[i].text, "# ");

		printf("%-16s %.*s\n", PRESETS[i].name, (int)strcspn(what, "\n"), what);
	}
}

void plan_options_check(struct plan_options *options, const struct argp_state *state)
{
	const char *name = options->preset_name;

	if (!name && !options->path)
		argp_error(state, "the PLAN is missing; or --preset NAME --device DEVICE");
	if (!name)
		return;
	if (*name && options->path)
		argp_error(state, "%s: must not be given with --preset, which has its tests", options->path);
	if (!*name && !options->path) {
		print_presets();
		exit(EXIT_VALID);
	}
	name = *name ? name
	             : options->path; /* --preset takes its name with = or as the next word, where a plan would be */
	options->path = NULL;
	options->preset = preset_find(name);
	if (!options->preset)
		argp_error(state, "--preset %s: must be one of %s", name, PRESET_NAMES);
	if (!options->device.device)
		argp_error(state, "--preset %s: --device must be given: `fpgauge devices` lists them", name);
}

void plan_options_free(struct plan_options *options)
{
	device_options_free(&options->device);
	fitted_free(&options->fitted);
}

const char *plan_source_name(const struct plan_options *options)
{
	if (options->files)
		return options->files[0].path;
	return options->preset ? options->preset->path : options->path;
}

int plan_source_read(const struct plan_options *options, const char *const *overrides, size_t override_count,
                     struct plan **plan, struct error *error)
{
	const struct preset *preset = options->preset;
	struct plan_file file;

	if (options->files)
		return plan_read_recorded(options->files, options->file_count, &BENCHMARK_KEYS, overrides,
		                          override_count, plan, error);
	if (!preset)
		return plan_read(options->path, &BENCHMARK_KEYS, overrides, override_count, plan, error);
	file = (struct plan_file){.path = (char *)(uintptr_t)preset->path,
	                          .absolute = (char *)(uintptr_t) "",
	                          .text = (char *)(uintptr_t)preset->text};
	return plan_read_recorded(&file, 1, &BENCHMARK_KEYS, overrides, override_count, plan, error);
}
