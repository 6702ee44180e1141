/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the latency benchmark, RFC 2544 section 26.2, and its checks of them. */
#include "host/bench/rfc2544/latency_keys.h"

#include "host/plan/key_slices.h"
#include "host/plan/plan_benchmark.h"

#define SETTINGS struct latency_settings

/* Indexed by to_new_network. */
static const char *const TAGGED_DESTINATIONS[] = {"same", "same and new network", NULL};

static const struct plan_key KEYS[] = {
        {.name = "trial_duration",
         .value = TIME(trial_duration_ns),
         .ranges = {{"1us", A_WEEK}},
         .default_text = "120s",
         .doc = "Length of every stream (RFC 2544 section 26.2: at least 120 s)."},
        {.name = "tag_after",
         .value = TIME(tag_after_ns),
         .ranges = {{"1ns", A_WEEK}},
         .doc = "The first frame that begins this long after the first one is tagged (RFC 2544 section 26.2: 60 s); "
                "default: half of trial_duration."},
        {.name = "repetitions",
         .value = COUNT(repetitions),
         .ranges = {{"1", "1000"}},
         .unit = "streams",
         .default_text = "20",
         .doc = "Streams at each size, with a tagged frame each (RFC 2544 section 26.2: at least 20)."},
        {.name = "tagged_destination",
         .value = CHOICE_OF_TWO(to_new_network),
         .choices = TAGGED_DESTINATIONS,
         .default_text = "same",
         .doc = "Where the tagged frame goes: to the destination of the other frames; or, in as many streams again, "
                "also to "
                "a network to which no other frame goes (RFC 2544 section 26.2 asks for both), which needs "
                "traffic.routed."},
        {.name = "load",
         .value = QUANTITY(load),
         .ranges = {{"0.0001%", "100%"}, {"1", "1T"}},
         .unit = "frames a second",
         .doc = "Load of the streams; percent of line rate, or a rate; default: the throughput that an earlier test of "
                "the run found at this size."},
};
const struct key_slice LATENCY_KEYS = {OWN_SLICE(KEYS)};

int latency_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error)
{
	const struct latency_settings *settings = latency_settings(test);
	const struct rate line = plan_max_rate(test, frame_octets, link_bps);
	const double fps = rate_fps(settings->has_load ? plan_load(&settings->load, line) : line);
	const double left_s = (double)(settings->trial_duration_ns - settings->tag_after_ns) / NS_PER_S;
	char frames[PLAN_FRAMES_TEXT];

	if (fps * left_s >= 1)
		return 0;
	return error_set(
	        error, ERROR_PLAN,
	        "tag_after: must leave time for a frame before the end of the stream: %.9g s are left, and frames "
	        "of %s begin every %.9g s",
	        left_s, plan_frames_text(test, frame_octets, frames, sizeof(frames)), 1 / fps);
}

static int check_new_network(const struct plan_test *test, const struct node *setting, struct error *error)
{
	struct error why = {0};

	if (plan_check_with_modifiers(test, traffic_modifier_bit(TRAFFIC_NEW_NETWORK), &why))
		return plan_complain(error, setting, "tagged_destination", "%s", why.text);
	return 0;
}

int latency_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	struct latency_settings *settings = test->settings;
	const struct node *after = node_child(group, "tag_after");

	if (!after)
		settings->tag_after_ns = settings->trial_duration_ns / 2;
	if (settings->tag_after_ns >= settings->trial_duration_ns)
		return plan_complain(error, after, "tag_after", "must be below trial_duration, %.9g s",
		                     (double)settings->trial_duration_ns / NS_PER_S);
	if (settings->to_new_network && check_new_network(test, node_child(group, "tagged_destination"), error))
		return error->code;
	settings->has_load = node_child(group, "load") != NULL;
	return plan_check_rate(plan, test, group, "load", &settings->load, error);
}
