/* SPDX-License-Identifier: Apache-2.0 */
#include "host/console/plan_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/bench/benchmark.h"
#include "host/console/device_name.h"
#include "host/plan/presets/preset.h"

const char *plan_source_name(const struct options *options)
{
	if (options->plan_files)
		return options->plan_files[0].path;
	return options->preset ? options->preset->path : options->plan_path;
}

int plan_source_read(const struct options *options, const char *const *overrides, size_t override_count,
                     struct plan **plan, struct error *error)
{
	const struct preset *preset = options->preset;
	struct plan_file file;

	if (options->plan_files)
		return plan_read_recorded(options->plan_files, options->plan_file_count, &BENCHMARK_KEYS, overrides,
		                          override_count, plan, error);
	if (!preset)
		return plan_read(options->plan_path, &BENCHMARK_KEYS, overrides, override_count, plan, error);
	file = (struct plan_file){.path = (char *)(uintptr_t)preset->path,
	                          .absolute = (char *)(uintptr_t) "",
	                          .text = (char *)(uintptr_t)preset->text};
	return plan_read_recorded(&file, 1, &BENCHMARK_KEYS, overrides, override_count, plan, error);
}

/* "sim:twin" as two settings of a plan; quoted, because a card may have a number. */
static int device_settings(const char *device, struct options *options, struct error *error)
{
	const size_t length = strcspn(device, ":");
	const char *key = strncmp(device, "sim", length) ? "card" : "library";
	char **settings = options->device_settings;
	int failed = asprintf(&settings[0], "device.backend=%.*s", (int)length, device) < 0;

	if (device[length])
		failed |= asprintf(&settings[1], "device.%s=\"%s\"", key, device + length + 1) < 0;
	return failed ? error_set(error, ERROR_INTERNAL, "out of memory") : 0;
}

int plan_source_take_device(struct options *options, struct error *error)
{
	const char *device = options->device, **grown;
	char name[DEVICE_NAME_SIZE];
	size_t count;

	if (!device)
		return 0;
	if (strpbrk(device, "\"\\"))
		return error_set(error, ERROR_PLAN, "--device %s: must be a name that `fpgauge devices` lists", device);
	if (device_settings(device_name_in_full(device, name), options, error))
		return error->code;
	count = options->device_settings[1] ? 2 : 1;
	grown = realloc(options->overrides, (options->override_count + count) * sizeof(*grown));
	if (!grown)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	memmove(grown + count, grown, options->override_count * sizeof(*grown));
	memcpy(grown, options->device_settings, count * sizeof(*grown));
	options->overrides = grown;
	options->override_count += count;
	return 0;
}

void plan_source_print_presets(FILE *out)
{
	for (size_t i = 0; i < PRESET_COUNT; i++) {
		const char *what = PRESETS[i].text + strspn(PRESETS[i].text, "# ");

		fprintf(out, "%-16s %.*s\n", PRESETS[i].name, (int)strcspn(what, "\n"), what);
	}
}
