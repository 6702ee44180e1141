/* SPDX-License-Identifier: Apache-2.0 */
/* Turns what benchmarks found into JSON objects. Decides nothing. */
#include "host/bench/result.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/base/json_write.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/pattern.h"
#include "host/traffic/protocols/snmp.h"
#include "host/traffic/sizes.h"

/* Devices state the truth for single sizes, between ports in pairs: other patterns have another one. Two ports are a
 * pair whatever the pattern. Broadcasts go to more ports than one, or are not forwarded by a router; from one port of
 * two to the other they are frames like others. */
static bool truth_applies(const struct session *session)
{
	const struct tester_info *info = &session->context->tester->info;
	const struct traffic_shape *shape = &session->shape;
	const bool two = info->device && info->device->ports == 2;

	if (traffic_has(shape, TRAFFIC_BROADCAST) && (!two || shape->routed))
		return false;
	return session->frame_octets && (shape->pattern == TRAFFIC_PAIRS || two);
}

static json_t *truth_of(const struct session *session)
{
	struct tester *tester = session->context->tester;
	struct dut_truth truth;
	json_t *object;

	if (tester->ops->truth == NULL || !truth_applies(session) ||
	    !tester->ops->truth(tester, session->frame_octets, &truth))
		return json_null();
	object = json_object();
	json_put(object, "model", json_string(truth.model));
	result_number(object, "throughput_fps", truth.throughput_fps);
	result_count(object, "buffer_frames", truth.buffer_frames);
	result_count(object, "longest_burst_frames", truth.longest_burst_frames); /* unlimited is null */
	result_number(object, "latency_ns", session_ns(session, truth.latency_ot));
	return object;
}

/* null: all frames have one size. */
static json_t *sizes_of(const struct session *session)
{
	char text[TRAFFIC_SIZES_TEXT];

	if (session->frame_octets)
		return json_null();
	return json_string(traffic_sizes_text(&session->test->shape.sizes, text, sizeof(text)));
}

/* null: none. */
static json_t *modifier_of(const struct session *session)
{
	char text[TRAFFIC_MODIFIERS_TEXT];

	if (!session->shape.modifiers)
		return json_null();
	return json_string(traffic_modifiers_text(session->shape.modifiers, text, sizeof(text)));
}

static void set_frames(json_t *result, const struct session *session)
{
	result_count(result, "frame_octets", session->frame_octets ? session->frame_octets : COUNT_UNKNOWN);
	json_put(result, "sizes", sizes_of(session));
	json_put(result, "modifier", modifier_of(session));
}

/* Flags a size that the plan did not name itself. */
static void flag_raised_size(const struct session *session, json_t *result)
{
	const struct plan_test *test = session->test;
	const uint32_t octets = session->frame_octets;

	if (test->raised_octets && (octets == 0 || octets == test->raised_octets))
		result_flag(result,
		            "frames of less than %" PRIu32 " octets have no room for these headers: they have %" PRIu32
		            " octets instead",
		            test->raised_octets, test->raised_octets);
}

json_t *result_begin(const struct session *session, const char *clause)
{
	json_t *result = json_object();

	json_put(result, "test", json_string(benchmark_name(session->benchmark)));
	result_count(result, "test_number", session->progress.test_number);
	json_put(result, "rfc", json_string(clause));
	set_frames(result, session);
	json_put(result, "valid", json_true());
	json_put(result, "why_invalid", json_null());
	result_number(result, "max_theoretical_fps", rate_fps(session->max_rate));
	json_put(result, "flags", json_array());
	json_put(result, "truth", truth_of(session));
	return result;
}

static json_t *z_text(const struct quantity *z)
{
	double value = z->denominator ? (double)z->numerator / (double)z->denominator : NAN;
	char text[64];

	if (z->unit == QUANTITY_PERCENT)
		snprintf(text, sizeof(text), "%.9g%% of the frames offered", value * 100);
	else
		snprintf(text, sizeof(text), "%.15g frames", value);
	return json_string(text);
}

/* Sets the parameters of the traffic, except direction, which stands beside it in a plan, and sizes, which are a key of
 * the result. */
static void traffic_parameters(json_t *parameters, const struct traffic_shape *shape)
{
	json_put(parameters, "pattern", json_string(TRAFFIC_PATTERN_NAMES[shape->pattern]));
	json_put(parameters, "frame", json_string(TRAFFIC_FRAME_NAMES[shape->frame]));
	if (shape->routed)
		json_put(parameters, "routed", json_true());
	result_count(parameters, "vlan", shape->vlan == TRAFFIC_NO_VLAN ? COUNT_UNKNOWN : shape->vlan);
	result_count(parameters, "addresses", shape->addresses);
	result_count(parameters, "seed", pattern_draws(shape) ? shape->seed : COUNT_UNKNOWN);
	if (traffic_has(shape, TRAFFIC_MANAGEMENT)) { /* the community is left out, as it may be a secret */
		json_put(parameters, "snmp_version", json_string(TRAFFIC_SNMP_NAMES[shape->snmp_version]));
		result_count(parameters, "interface", shape->interface);
	}
	if (traffic_has(shape, TRAFFIC_ROUTING)) {
		result_number(parameters, "routing_interval_s", (double)shape->routing_interval_ns / NS_PER_S);
		if (traffic_is_learned(shape))
			result_number(parameters, "routing_wait_s", (double)shape->routing_wait_ns / NS_PER_S);
	}
}

json_t *result_parameters(const struct session *session)
{
	const struct plan_test *test = session->test;
	bool verifies = test->search == PLAN_SEARCH_LOSS_VERIFICATION;
	bool by_goals = test->search == PLAN_SEARCH_MLRSEARCH;
	unsigned most = !verifies ? 1 : test->counts_repeats ? test->max_repeats + 1 : test->max_trials;
	const bool searches = !test->benchmark->why_no_search;
	json_t *parameters = json_object();

	json_put(parameters, "search",
	         !searches ? json_null()
	                   : json_string(by_goals   ? "mlrsearch"
	                                 : verifies ? "loss_verification"
	                                            : "binary"));
	result_count(parameters, "max_trials", by_goals || !searches ? COUNT_UNKNOWN : most);
	/* The same limit as the plan counts it: max(r) can be read in two ways. */
	result_count(parameters, "max_repeats", verifies && test->counts_repeats ? test->max_repeats : COUNT_UNKNOWN);
	json_put(parameters, "z", verifies ? z_text(&test->loss_verification_z) : json_null());
	result_count(parameters, "trials_limit", test->trials_limit ? test->trials_limit : COUNT_UNKNOWN);
	result_number(parameters, "traffic_limit_s",
	              test->traffic_limit_ns ? (double)test->traffic_limit_ns / NS_PER_S : NAN);
	result_count(parameters, "goal_lost_frames", by_goals || !searches ? COUNT_UNKNOWN : 0);
	result_number(parameters, "settle_s", (double)test->settle_ns / NS_PER_S);
	result_number(parameters, "drain_s", (double)test->drain_ns / NS_PER_S);
	json_put(parameters, "direction", json_string(test->shape.bidirectional ? "bidirectional" : "unidirectional"));
	traffic_parameters(parameters, &session->shape);
	result_count(parameters, "gap_octets", MIN_GAP_OCTETS);
	if (test->for_simulation)
		json_put(parameters, "duration_chosen_for", json_string("simulated"));
	if (test->duration_reason)
		json_put(parameters, "duration_reason", json_string(test->duration_reason));
	return parameters;
}

static void flag_payload(const struct session *session, json_t *result)
{
	if (session->bad_payload_frames)
		result_flag(result,
		            "in %u of the trials, the device changed the payload of %" PRIu64
		            " frames and made a new FCS for them: they count as lost",
		            session->bad_payload_trials, session->bad_payload_frames);
}

static void flag_late(const struct session *session, json_t *result)
{
	if (session->far_reordered_frames)
		result_flag(result,
		            "in %u of the trials, %" PRIu64
		            " frames were overtaken by 64 or more of their flow: they count as reordered, not as lost; "
		            "of a device that duplicates as late as this, as many more may be lost",
		            session->far_reordered_trials, session->far_reordered_frames);
	if (session->late_frames)
		result_flag(result,
		            "in %u of the trials, %" PRIu64
		            " frames came so late that they could not be told from second copies, which came too: they "
		            "stay counted as lost, though some may only have been overtaken",
		            session->late_trials, session->late_frames);
}

/* The answers of a device to management are a fact about it (RFC 2544 section 11.2), and make nothing invalid. */
static void flag_management(const struct session *session, json_t *result)
{
	if (session->management_answers < session->management_queries)
		result_flag(result,
		            "the device did not answer %" PRIu64 " of the %" PRIu64 " management queries of all trials",
		            session->management_queries - session->management_answers, session->management_queries);
	if (session->management_wrong_frames)
		result_flag(result,
		            "the device sent %" PRIu64
		            " wrong answers to the management queries of all trials, the first: %s",
		            session->management_wrong_frames,
		            session->management_verdict < MANAGEMENT_VERDICTS
		                    ? MANAGEMENT_VERDICT_TEXTS[session->management_verdict]
		                    : "unknown");
}

static void flag_routing(const struct session *session, json_t *result)
{
	if (traffic_has(&session->shape, TRAFFIC_ROUTING) && !traffic_is_learned(&session->shape))
		result_flag(result, "whether the device processed routing updates was not verified: with "
		                    "random_destinations or filters, no frame goes to a network of theirs");
}

void result_load(json_t *result, const struct trial_load *load)
{
	if (!load->differs)
		return;
	result_number(result, "intended_load_fps", load->intended);
	result_number(result, "offered_load_fps", load->offered);
}

static void flag_load(const struct session *session, json_t *result)
{
	const struct load_deviation *deviation = &session->deviation;
	char range[64];

	snprintf(range, sizeof(range), "%.5g%%", 100 * deviation->least);
	if (deviation->most - deviation->least > RATE_CLOCK_TOLERANCE)
		snprintf(range, sizeof(range), "%.5g%% to %.5g%%", 100 * deviation->least, 100 * deviation->most);
	if (deviation->others)
		result_flag(
		        result,
		        "in %u of %u valid trials the tester offered another load than was intended, %s of it: results "
		        "are made of what it offered (RFC 2285 section 3.5.2)",
		        deviation->others, deviation->trials, range);
	if (deviation->above_line)
		result_flag(result,
		            "in %u of %u valid trials the tester says that it offered more than line rate, up to "
		            "%.5g%% of it, which no line carries: its counts, its durations or link.speed of the plan "
		            "are wrong, and line rate stands for it",
		            deviation->above_line, deviation->trials, 100 * deviation->highest_claimed);
	if (load_deviation_below_line(deviation))
		result_flag(result, "the line was never reached: at most %.5g%% of line rate was offered",
		            100 * deviation->highest);
}

int result_finish(struct session *session, json_t *result, struct error *error)
{
	json_t *counters = json_object_get(result, "counters");

	if (session->unfinished && !json_is_true(json_object_get(result, "valid")))
		json_put(result, "unfinished", json_true());
	arrivals_report(session, result);
	flag_raised_size(session, result);
	flag_load(session, result);
	flag_payload(session, result);
	flag_late(session, result);
	if (counters)
		result_count_none(session, counters);
	flag_management(session, result);
	flag_routing(session, result);
	result_count(result, "trials", session->trials);
	result_count(result, "invalid_trials", session->invalid_trials);
	if (json_array_append_new(session->context->results, result))
		return error_set(error, ERROR_INTERNAL, "out of memory");
	return 0;
}

/* True if a result is of the traffic of this test, at its frame size. */
static bool same_traffic(const json_t *result, const json_t *wanted, const json_t *wanted_parameters)
{
	static const char *const OF_PARAMETERS[] = {"direction", "pattern",   "frame", "routed",
	                                            "vlan",      "addresses", "seed"};
	const json_t *parameters = json_object_get(result, "parameters");

	for (size_t i = 0; i < sizeof(OF_PARAMETERS) / sizeof(OF_PARAMETERS[0]); i++) {
		const json_t *is = json_object_get(parameters, OF_PARAMETERS[i]);
		const json_t *should = json_object_get(wanted_parameters, OF_PARAMETERS[i]);

		if (is != should && !json_equal(is, should))
			return false;
	}
	return json_equal(json_object_get(result, "frame_octets"), json_object_get(wanted, "frame_octets")) &&
	       json_equal(json_object_get(result, "sizes"), json_object_get(wanted, "sizes")) &&
	       json_equal(json_object_get(result, "modifier"), json_object_get(wanted, "modifier"));
}

json_t *result_find(const struct session *session, const char *test, const char *key)
{
	json_t *wanted = json_object(), *parameters = result_parameters(session), *found = NULL, *result;
	size_t i;

	set_frames(wanted, session);
	json_array_foreach(session->context->results, i, result)
	{
		const char *name = json_string_value(json_object_get(result, "test"));

		if (name && strcmp(name, test) == 0 && json_is_true(json_object_get(result, "valid")) &&
		    json_is_number(json_object_get(result, key)) && same_traffic(result, wanted, parameters))
			found = result;
	}
	json_decref(parameters);
	json_decref(wanted);
	return found;
}
