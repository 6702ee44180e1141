/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the back_to_back benchmark, RFC 9004, and its checks of them. */
#include <inttypes.h>

#include "host/bench/rfc9004/back_to_back.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct back_to_back_settings

static const struct plan_key KEYS[] = {
        {.name = "repetitions",
         .value = COUNT(repetitions),
         .ranges = {{"1", "100000"}},
         .unit = "searches",
         .default_text = "50",
         .doc = "N, independent searches at each size (RFC 9004 section 6.3)."},
        {.name = "resolution",
         .value = QUANTITY(resolution),
         .ranges = {{"1 frame", "1G frames"}},
         .unit = "frames",
         .default_text = "1 frame",
         .doc = "Minimum step size of the burst length (RFC 9004 section 6.2)."},
        {.name = "max_burst",
         .value = QUANTITY(max_burst),
         .ranges = {{"1us", "3600s"}, {"1 frame", "1T frames"}},
         .unit = "frames",
         .default_text = "30s",
         .doc = "Longest burst, by time or frames (RFC 9004 section 6.2)."},
        {.name = "first_burst",
         .value = WHOLE(first_burst_frames),
         .ranges = {{"0 frames", "1T frames"}},
         .unit = "frames",
         .default_text = "1024 frames",
         .doc = "Length from which bursts double until one fails, before bisection; 0: begin at max_burst, as TST 009 "
                "does."},
        {.name = "test_all_sizes",
         .value = BOOL(test_all_sizes),
         .default_text = "false",
         .doc = "Also test sizes without loss at line rate, marked invalid (RFC 9004 section 6.1)."},
        {.name = "actual_rate",
         .value = QUANTITY(actual_rate),
         .ranges = {{"0.0001%", "100%"}, {"1", "1T"}},
         .unit = "frames a second",
         .doc = "Rate of interest for the actual buffer time (RFC 9004 section 7); percent of line rate, or a rate; "
                "default: none."},
};
const struct key_slice BACK_TO_BACK_KEYS = {OWN_SLICE(KEYS)};

static int check_burst(const struct back_to_back_settings *settings, const struct node *group, struct error *error)
{
	uint64_t max = settings->max_burst.numerator;
	const struct node *first = node_child(group, "first_burst");
	const struct node *step = node_child(group, "resolution");

	if (first && settings->first_burst_frames > max)
		return plan_complain(error, first, "first_burst", "must be at most max_burst, %" PRIu64 " frames", max);
	if (step && settings->resolution.numerator > max)
		return plan_complain(error, step, "resolution", "must be at most max_burst, %" PRIu64 " frames", max);
	return 0;
}

int back_to_back_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	struct back_to_back_settings *settings = test->settings;
	bool in_frames = settings->max_burst.unit == QUANTITY_FRAMES;
	int result = in_frames ? check_burst(settings, group, error) : 0;

	settings->has_actual_rate = node_child(group, "actual_rate") != NULL;
	if (in_frames && settings->first_burst_frames > settings->max_burst.numerator)
		settings->first_burst_frames = 0; /* the default, which is longer */
	return result ? result : plan_check_rate(plan, test, group, "actual_rate", &settings->actual_rate, error);
}
