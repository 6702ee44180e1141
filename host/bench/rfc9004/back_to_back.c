/* SPDX-License-Identifier: Apache-2.0 */
/* Back-to-back frames (RFC 9004): which sizes qualify, how bursts are sent, N independent searches. */
#include "host/bench/rfc9004/back_to_back.h"

#include <math.h>
#include <stdlib.h>

#include "host/base/json_write.h"
#include "host/bench/rfc_math.h"
#include "host/bench/search_loop.h"
#include "host/plan/key_slices.h"

enum {
	LONG_BURST_S = 2,        /* RFC 9004 6.2: for longer bursts, the wait afterwards grows with the burst */
	UNKNOWN_SLOWNESS = 10,   /* assumed until the first frame comes back: a DUT ten times slower than the line */
	LONGEST_WAIT_S = 1000000 /* bounds the wait when an external tester reports a rate of almost nothing */
};

static const char PREREQUISITE[] = "throughput";

/* The knowledge about earlier bursts that a burst needs. */
struct bursts {
	const struct prerequisite *before;
	struct burst_measurements *measured;
};

/* RFC 9004 section 5: throughput for the same size, direction and flows, without loss. */
static struct prerequisite find_prerequisite(const struct session *session)
{
	/* null under this key means that the rate found is with loss, and no throughput */
	struct prerequisite before = {.result = result_find(session, PREREQUISITE, "throughput_fps"),
	                              .throughput_fps = NAN,
	                              .trial_duration_s = NAN};

	if (json_is_true(json_object_get(before.result, "at_least"))) {
		before.result = NULL;
		before.is_at_least = true;
	}
	if (before.result) {
		const json_t *parameters = json_object_get(before.result, "parameters");

		before.throughput_fps = result_get(before.result, "throughput_fps");
		before.resolution_fps = result_get(before.result, "resolution_fps");
		before.trial_duration_s = result_get(parameters, "trial_duration_s");
	}
	return before;
}

static uint64_t frames_of(const struct quantity *quantity, double max_fps)
{
	double value = quantity->denominator ? (double)quantity->numerator / (double)quantity->denominator : 0;

	if (quantity->unit == QUANTITY_TIME)
		value = floor(value * max_fps);
	if (value < 1)
		return 1;
	return value < 0x1p48 ? (uint64_t)value : (UINT64_C(1) << 48) - 1;
}

static struct search_config burst_grid(const struct session *session)
{
	const struct back_to_back_settings *settings = back_to_back_settings(session->test);
	double max_fps = rate_fps(session->max_rate);
	struct search_config config = {.high = frames_of(&settings->max_burst, max_fps),
	                               .step = frames_of(&settings->resolution, max_fps)};

	if (config.step > config.high)
		config.step = config.high;
	config.low = config.step; /* points are multiples of the step */
	if (settings->first_burst_frames) {
		config.first = settings->first_burst_frames < config.low ? config.low : settings->first_burst_frames;
		if (config.first > config.high)
			config.first = config.high;
	}
	session_search_limits(session, &config);
	return config;
}

/* RFC 9004 6.2: (1) the burst at minimum gaps, which the device tester waits for; (2) the time to receive it at the
 * throughput rate, plus the latency of the DUT (drain); (3) at least 2 s (settle), longer when the burst or the buffer
 * is. The burst is never shorter than the buffer it fills, so it alone decides. */
static void request_burst(void *user, const struct session *session, const struct search_request *wanted,
                          struct trial_request *request)
{
	const struct bursts *bursts = user;
	double throughput_fps = bursts->before->throughput_fps;
	double burst_s = (double)wanted->point / rate_fps(session->max_rate);
	/* The slower of the known rates (NAN: unknown): throughput may hide an overload. */
	double service_fps = fmin(throughput_fps > 0 ? throughput_fps : NAN, burst_forwarding_fps(bursts->measured));
	double receive_s = service_fps > 0 ? (double)wanted->point / service_fps : burst_s * UNKNOWN_SLOWNESS;
	uint64_t burst_ns = (uint64_t)ceil(burst_s * (double)NS_PER_S);

	request->kind = TRIAL_BURST;
	request->burst_frames = wanted->point;
	if (receive_s > burst_s)
		request->drain_ot += session_octet_times(
		        session, (uint64_t)ceil(fmin(receive_s - burst_s, LONGEST_WAIT_S) * (double)NS_PER_S));
	if (burst_ns > LONG_BURST_S * NS_PER_S && burst_ns > session->test->settle_ns)
		request->settle_ot = session_octet_times(session, burst_ns);
}

/* Bins wider than an octet hold gaps far from the minimum; those count as longer. */
static void note_gap_counts(struct burst_measurements *measured, const struct histogram *histogram)
{
	uint64_t *const longer = &measured->gap_counts[GAP_COUNTS - 1];

	for (uint64_t i = 0; i < histogram->bins; i++) {
		const uint64_t octets = histogram->first + i;

		*(histogram->width == 1 && octets < GAP_COUNTS - 1 ? &measured->gap_counts[octets] : longer) +=
		        histogram->count[i];
	}
	*longer += histogram->beyond;
}

/* Notes what every burst tells, with or without loss. */
static void note_burst(void *user, const struct trial_result *trial)
{
	struct burst_measurements *measured = ((const struct bursts *)user)->measured;
	const struct gap_stats *gaps = &trial->tx_gap;
	uint64_t longest = 0;

	/* valid means: frames as requested, and gaps as requested where they were measured on the line */
	*(trial->gaps_unproven ? &measured->bursts_unproven : &measured->bursts_proven) += 1;
	if (gaps->gaps) {
		if (measured->gaps.gaps == 0 || gaps->min_octets < measured->gaps.min_octets)
			measured->gaps.min_octets = gaps->min_octets;
		if (gaps->max_octets > measured->gaps.max_octets)
			measured->gaps.max_octets = gaps->max_octets;
		measured->gaps.gaps += gaps->gaps;
		measured->gaps.sum_octets += gaps->sum_octets;
	}
	for (unsigned i = 0; i < trial->ports; i++) {
		note_gap_counts(measured, &trial->port[i].tx_gap_histogram);
		if (trial->port[i].received_frames > longest)
			longest = trial->port[i].received_frames;
	}
	if (trial->forwarding_rate_fps > 0) {
		measured->weighted_rate += trial->forwarding_rate_fps * (double)trial->received_frames;
		measured->weight += (double)trial->received_frames;
		if (longest > measured->rate_frames)
			measured->rate_frames = longest;
	}
}

/* The buffer of each receiving direction from the growth of latency, averaged. */
static void note_latency_growth(struct burst_measurements *measured, const struct trial_result *trial)
{
	double sum = 0;
	unsigned ports = 0;

	for (unsigned i = 0; i < trial->ports; i++) {
		const struct trial_port *port = &trial->port[i];

		if (port->latency.frames == 0)
			continue;
		sum += latency_buffer_frames(port->latency.max_ot - port->latency.min_ot, port->received_frames,
		                             port->rx_last_ot - port->rx_first_ot);
		ports++;
	}
	if (ports) {
		measured->latency_buffer_sum += sum / ports;
		measured->latency_buffer_count++;
	}
}

static void note_search(const struct session *session, struct burst_measurements *measured,
                        const struct findings *found)
{
	const struct search_result *bounds = &found->bounds;
	const struct trial_load *passed = &found->passed_load, *failed = &found->failed_load;
	uint64_t value = bounds->has_lower ? (uint64_t)passed->offered : 0;

	if (bounds->has_lower && bounds->has_upper && (passed->differs || failed->differs))
		measured->apart_frames = fmax(measured->apart_frames, fabs(failed->offered - passed->offered));
	measured->values[measured->count++] = value;
	measured->by_doubling |= bounds->bracket_by_doubling;
	measured->below_grid |= !bounds->has_lower;
	/* This cannot overflow: a burst is below 2^48. */
	measured->at_limit |= !bounds->has_upper || value * 100 >= measured->config.high * NEAR_LIMIT_PERCENT;
	if (bounds->has_lower) {
		counters_add(&measured->passed, found->passed);
		note_latency_growth(measured, found->passed);
	}
	if (bounds->has_upper)
		counters_add(&measured->failed, found->failed);
	*session->kept = bounds->has_lower ? *found->passed : *found->failed;
}

/* One independent search (RFC 9004 6.3). */
static int run_search(struct session *session, const struct prerequisite *before, struct burst_measurements *measured,
                      struct error *error)
{
	struct bursts bursts = {before, measured};
	const struct search_points points = {.request = request_burst, .note = note_burst, .user = &bursts};
	struct findings found;
	int status = search_loop(session, &measured->config, &points, &found, error);

	if (status == 0)
		note_search(session, measured, &found);
	findings_free(&found);
	return status;
}

static int run_searches(struct session *session, const struct prerequisite *before, struct burst_measurements *measured,
                        struct error *error)
{
	int status = 0;

	session->progress.repetitions = back_to_back_settings(session->test)->repetitions;
	while (measured->count < back_to_back_settings(session->test)->repetitions && status == 0) {
		session->progress.repetition = measured->count + 1;
		status = run_search(session, before, measured, error);
	}
	return status;
}

/* RFC 9004 6.1: a size whose throughput is the maximum rate cannot fill a buffer. */
static bool reaches_line_rate(const struct session *session, const struct prerequisite *before)
{
	return before->throughput_fps >= rate_fps(session->max_rate);
}

static int report_skipped(struct session *session, const struct prerequisite *before, json_t *result,
                          struct error *error)
{
	json_put(result, "skipped", json_true());
	result_number(result, "throughput_fps", before->throughput_fps);
	result_invalid(result, "not tested: throughput is the maximum theoretical frame rate, so no burst can fill a "
	                       "buffer (RFC 9004 section 6.1)");
	if (result_get(before->result, "queue_growth_fps") > before->resolution_fps)
		result_flag(result, "but latency grew in that throughput trial as if a buffer filled: repeat it with a "
		                    "longer trial_duration");
	return result_finish(session, result, error);
}

static void report_validity(const struct session *session, const struct prerequisite *before,
                            const struct burst_measurements *measured, int status, const struct error *error,
                            json_t *result)
{
	if (status == SESSION_INVALID)
		result_invalid(result, "%s", session->why_invalid);
	else if (status)
		result_invalid(result, "ended after %u of %u repetitions: %s", measured->count,
		               back_to_back_settings(session->test)->repetitions, error->text);
	if (reaches_line_rate(session, before))
		result_invalid(result, "throughput is the maximum theoretical frame rate: the burst may be endless "
		                       "(RFC 9004 section 6.1)");
	if (measured->below_grid)
		result_invalid(result, "frames were lost even in a burst of %llu frames, the shortest of the search",
		               (unsigned long long)measured->config.low);
	if (measured->at_limit)
		result_invalid(result,
		               "a burst of %u%% of max_burst (%llu frames) or more passed: raise max_burst and repeat "
		               "(RFC 9004 section 6.2)",
		               NEAR_LIMIT_PERCENT, (unsigned long long)measured->config.high);
}

static int run(struct session *session, struct error *error)
{
	struct prerequisite before = find_prerequisite(session);
	struct burst_measurements measured = {.config = burst_grid(session)};
	json_t *result = result_begin(session, session->benchmark->clause);
	int status, finished;

	json_put(result, "skipped", json_false());
	if (reaches_line_rate(session, &before) && !back_to_back_settings(session->test)->test_all_sizes) {
		json_put(result, "parameters", back_to_back_parameters(session, &measured.config));
		return report_skipped(session, &before, result, error);
	}
	measured.values = calloc(back_to_back_settings(session->test)->repetitions, sizeof(*measured.values));
	if (measured.values == NULL) {
		json_decref(result);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	status = run_searches(session, &before, &measured, error);
	if (isnan(before.throughput_fps))
		/* RFC 9004 6.4: stands in, labelled. Its time grid may put it slightly above line rate. */
		before.throughput_fps =
		        measured.weight > 0 ? fmin(burst_forwarding_fps(&measured), rate_fps(session->max_rate)) : NAN;
	report_validity(session, &before, &measured, status, error, result);
	back_to_back_report(session, &before, &measured, result);
	self_check(session, &before, &measured, result);
	free(measured.values);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

const struct benchmark BACK_TO_BACK = {
        .plan = {.keys = {.name = "back_to_back", .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION, &BACK_TO_BACK_KEYS)},
                 .settings_size = sizeof(struct back_to_back_settings),
                 .searches = BY_BINARY | BY_LOSS_VERIFICATION,
                 .why_searches = "(RFC 9004 section 6.2)",
                 .why_unmixed = "mixed sizes (IMIX) are not for back_to_back (RFC 9004 section 3)",
                 .refused_modifiers = UINT32_C(1) << TRAFFIC_BROADCAST | UINT32_C(1) << TRAFFIC_MANAGEMENT |
                                      UINT32_C(1) << TRAFFIC_ROUTING,
                 .why_refused = "the burst that a device holds is counted in test frames that are not lost (RFC 9004 "
                                "section 6.2), and frames of these modifiers would take room in it uncounted",
                 .prerequisite = PREREQUISITE,
                 .prerequisite_clause = "RFC 9004 section 5",
                 .finish = back_to_back_finish,
                 .results = (const struct result_description *const[]){&BACK_TO_BACK_RESULTS, NULL}},
        .title = "Back-to-back frames",
        .clause = "RFC 9004",
        .point_key = "burst_frames",
        .point_unit = "frames",
        .line_rate_only = true,
        .run = run,
        .extent = back_to_back_extent,
        .expected = back_to_back_expected,
        .longest_trial_s = back_to_back_longest_trial_s,
        .shorten = back_to_back_shorten,
};
