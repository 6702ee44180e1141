/* SPDX-License-Identifier: Apache-2.0 */
#include "host/console/fit_plan.h"

#include <stdlib.h>

#include "host/base/text.h"
#include "host/bench/bench.h"
#include "host/console/plan_source.h"

const struct option_row FIT_OPTIONS[] = {
        {"rfc-durations", 0, NULL,
         "Where the plan says nothing, trials of a simulated device are as long as the RFC wants them, not as long as "
         "its "
         "buffer needs them",
         OPTION_FLAG, .place = offsetof(struct plan_options, rfc_durations)},
        {0},
};

/* They stay those of options->fitted, which frees them. */
static int add_to_overrides(struct plan_options *options, struct error *error)
{
	const struct fitted *fitted = &options->fitted;
	const char **grown = realloc(options->device.overrides.texts,
	                             (options->device.overrides.count + fitted->count) * sizeof(*grown));

	if (!grown)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	options->device.overrides.texts = grown;
	for (size_t i = 0; i < fitted->count; i++)
		options->device.overrides.texts[options->device.overrides.count++] = fitted->settings[i];
	return 0;
}

/* The plan again, with the settings. */
static int read_again(const struct plan_options *options, struct setup *setup, struct error *error)
{
	struct plan *plan;

	if (plan_source_read(options, options->device.overrides.texts, options->device.overrides.count, &plan, error))
		return error->code;
	if (bring_up_leave_out(plan, device_identity(setup->device), error) ||
	    bench_check(plan, setup->tester->info.link_bps, error)) {
		plan_free(plan);
		return error->code;
	}
	plan->device.use = setup->plan->device.use;
	plan_free(setup->plan);
	setup->plan = plan;
	return 0;
}

int fit_plan(struct plan_options *options, struct setup *setup, struct error *error)
{
	int result;

	if (options->rfc_durations)
		return 0;
	result = fit_durations(setup, &options->fitted, error);
	if (result || !options->fitted.count)
		return result;
	result = add_to_overrides(options, error);
	return result ? result : read_again(options, setup, error);
}

const char *fit_plan_text(const struct plan_options *options, char *text, size_t size)
{
	const struct fitted *fitted = &options->fitted;
	size_t length = 0;

	*text = '\0';
	if (!fitted->count)
		return text;
	length = text_add(text, size, length, "Chosen because the device is simulated:");
	for (size_t i = 0; i < fitted->count; i += FITTED_OF_A_TEST)
		length = text_add(text, size, length, " %s", fitted->settings[i]);
	text_add(text, size, length, "; the RFC's duration is for a real one (--rfc-durations)");
	return text;
}
