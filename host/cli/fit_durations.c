/* SPDX-License-Identifier: Apache-2.0 */
/* Sixty seconds find out about a buffer that is not known. That of a simulated FIFO is: a trial of so many seconds
 * hides an overload of buffer / seconds (host/bench/rfc9004/self_check.c), and the least overload that a search can ask
 * for is known.
 */
#include "host/cli/fit_durations.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/base/text.h"
#include "host/bench/bench.h"
#include "host/cli/plan_source.h"

/* A trial says something about any device if it is as long as the one; the other is what RFC 2544 section 24 asks for.
 */
static const double LEAST_S = 1e-3, RFC_S = 60;

/* What a test needs at all of its frame sizes; 0: that is not known, or the plan says it. */
static double needed_s(const struct setup *setup, const struct plan_test *test)
{
	const uint64_t link_bps = setup->tester->info.link_bps;
	double needed = 0;

	if (!benchmark_of(test)->needed_trial_s)
		return 0;
	for (size_t i = 0; i < test->frame_size_count; i++) {
		const uint32_t octets = test->frame_sizes[i];
		struct dut_truth truth;
		double here;

		if (octets == 0 || !device_truth(setup->device, octets, &truth) || strcmp(truth.model, "fifo") != 0 ||
		    !(truth.throughput_fps > 0))
			return 0;
		here = benchmark_of(test)->needed_trial_s(test, octets, link_bps, &truth);
		if (here <= 0)
			return 0;
		needed = fmax(needed, here);
	}
	return needed;
}

/* Nanoseconds, rounded up to 1, 2 or 5 times a power of ten: a time that people would write. */
static uint64_t round_up_ns(double seconds)
{
	static const uint64_t STEPS[] = {1, 2, 5, 10};
	uint64_t decade = 1;
	unsigned step = 0;

	while ((double)decade * 10 < seconds * 1e9)
		decade *= 10;
	while ((double)(decade * STEPS[step]) < seconds * 1e9 && step + 1 < sizeof(STEPS) / sizeof(STEPS[0]))
		step++;
	return decade * STEPS[step];
}

static int add_setting(struct options *options, char *text, struct error *error)
{
	char **owned = text ? array_add(&options->fitted, options->fitted_count, sizeof(*owned)) : NULL;
	const char **grown;

	if (!owned) {
		free(text);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	*owned = text;
	options->fitted_count++;
	grown = realloc(options->overrides, (options->override_count + 1) * sizeof(*grown));
	if (!grown)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	options->overrides = grown;
	options->overrides[options->override_count++] = text;
	return 0;
}

static int choose(struct options *options, size_t test_index, double seconds, struct error *error)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} UNITS[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}};
	const uint64_t ns = round_up_ns(seconds);
	char *duration = NULL, *why = NULL;
	unsigned unit = 0;

	while (ns % UNITS[unit].ns)
		unit++;
	if (asprintf(&duration, "run[%zu].trial_duration=%" PRIu64 "%s", test_index, ns / UNITS[unit].ns,
	             UNITS[unit].name) < 0)
		duration = NULL;
	if (asprintf(&why, "run[%zu].duration_chosen_for=simulated", test_index) < 0)
		why = NULL;
	if (add_setting(options, duration, error)) {
		free(why);
		return error->code;
	}
	return add_setting(options, why, error);
}

/* The plan again, with the settings. */
static int read_again(const struct options *options, struct setup *setup, struct error *error)
{
	struct plan *plan;

	if (plan_source_read(options, options->overrides, options->override_count, &plan, error))
		return error->code;
	if (bench_check(plan, setup->tester->info.link_bps, error)) {
		plan_free(plan);
		return error->code;
	}
	plan->device.use = setup->plan->device.use;
	plan_free(setup->plan);
	setup->plan = plan;
	return 0;
}

int fit_durations(struct options *options, struct setup *setup, struct error *error)
{
	const struct plan *plan = setup->plan;

	if (options->rfc_durations || !setup->device || strcmp(plan->device.backend, "sim") != 0)
		return 0;
	for (size_t i = 0; i < plan->test_count; i++) {
		const double seconds = needed_s(setup, &plan->tests[i]);

		if (seconds > 0 && seconds < RFC_S / 2 && choose(options, i, fmax(seconds, LEAST_S), error))
			return error->code;
	}
	return options->fitted_count ? read_again(options, setup, error) : 0;
}

const char *fit_durations_text(const struct options *options, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	if (!options->fitted_count)
		return text;
	length = text_add(text, size, length, "Chosen because the device is simulated:");
	for (size_t i = 0; i < options->fitted_count; i += 2) /* each is followed by why */
		length = text_add(text, size, length, " %s", options->fitted[i]);
	text_add(text, size, length, "; the RFC's duration is for a real one (--rfc-durations)");
	return text;
}
