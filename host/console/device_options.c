/* SPDX-License-Identifier: Apache-2.0 */
#include "host/console/device_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/console/device_name.h"

const struct option_row DEVICE_SETTING_OPTION[] = {
        {"set", 's', "PATH=VALUE", "A setting of the device, as in a plan: device.ports=2, dut.model=wire; repeatable",
         OPTION_LIST, .place = offsetof(struct device_options, overrides)},
        {0},
};

void device_options_check(const struct device_options *options, const struct argp_state *state)
{
	if (!options->device)
		argp_error(state, "the DEVICE is missing: `fpgauge devices` lists them");
}

void device_options_free(struct device_options *options)
{
	free(options->overrides.texts);
	free(options->settings[0]);
	free(options->settings[1]);
}

/* "sim:twin" as two settings of a plan; quoted, because a card may have a number. */
static int make_settings(struct device_options *options, const char *device, struct error *error)
{
	const size_t length = strcspn(device, ":");
	const char *key = strncmp(device, "sim", length) ? "card" : "library";
	int failed = asprintf(&options->settings[0], "device.backend=%.*s", (int)length, device) < 0;

	if (device[length])
		failed |= asprintf(&options->settings[1], "device.%s=\"%s\"", key, device + length + 1) < 0;
	return failed ? error_set(error, ERROR_INTERNAL, "out of memory") : 0;
}

int device_options_take(struct device_options *options, struct error *error)
{
	struct text_list *overrides = &options->overrides;
	char name[DEVICE_NAME_SIZE];
	const char **grown;
	size_t count;

	if (!options->device)
		return 0;
	if (strpbrk(options->device, "\"\\"))
		return error_set(error, ERROR_PLAN, "--device %s: must be a name that `fpgauge devices` lists",
		                 options->device);
	if (make_settings(options, device_name_in_full(options->device, name), error))
		return error->code;
	count = options->settings[1] ? 2 : 1;
	grown = realloc(overrides->texts, (overrides->count + count) * sizeof(*grown));
	if (!grown)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	memmove(grown + count, grown, overrides->count * sizeof(*grown));
	memcpy(grown, options->settings, count * sizeof(*grown));
	overrides->texts = grown;
	overrides->count += count;
	return 0;
}
