/* SPDX-License-Identifier: Apache-2.0 */
/* A trial at little load, in which frames of the stream and each kind of frame that must be blocked interleave. */
#include "host/bench/filter_check.h"

#include <inttypes.h>
#include <stdlib.h>

#include "host/base/json_write.h"
#include "host/bench/repeat.h"
#include "host/bench/result.h"
#include "host/trial/filters.h"

enum {
	LOAD_PART = 100, /* part of the maximum rate, so low that no frame is lost for want of time */
	FRAMES = 520,    /* a port: 20 rounds of 24 that are blocked, one for all else, and one of the stream */
};

struct check {
	const struct session *session;
	struct filter_evidence *evidence;
};

static void request_check(void *user, const struct session *session, const struct search_request *wanted,
                          struct trial_request *request)
{
	const double fps = rate_fps(session->max_rate) / LOAD_PART;

	(void)user;
	(void)wanted;
	request->kind = TRIAL_LOAD;
	request->traffic = NULL; /* the traffic is that of the shape */
	request->shape.modifiers = traffic_filters(&session->shape) | traffic_modifier_bit(TRAFFIC_FILTER_CHECK);
	request->load = (struct rate){session->max_rate.numerator, session->max_rate.denominator * LOAD_PART};
	request->duration_ot = session_octet_times(session, (uint64_t)(FRAMES / fps * (double)NS_PER_S));
}

static uint64_t load_fps(const void *user, uint64_t point)
{
	const struct check *check = user;

	(void)point;
	return (uint64_t)(rate_fps(check->session->max_rate) / LOAD_PART);
}

/* Frames that must be blocked are expected at no port, and unexpected where they arrive. */
static void note(void *user, const struct trial_result *trial)
{
	struct filter_evidence *evidence = ((struct check *)user)->evidence;
	const uint64_t stream = trial->received_frames + trial->lost_frames;

	evidence->stream_sent_frames += stream;
	evidence->stream_lost_frames += trial->lost_frames;
	evidence->sent_frames += trial->offered_frames - stream;
	for (unsigned i = 0; i < trial->ports; i++)
		evidence->arrived_frames += trial->port[i].wrong_port_frames;
}

int filter_check(const struct session *session, struct filter_evidence *evidence, struct error *error)
{
	struct session own = *session; /* a copy, so that these trials do not count in the session of the test */
	struct check check = {&own, evidence};
	const struct search_points points = {
	        .request = request_check, .in_unit = load_fps, .note = note, .user = &check};
	int status;

	if (!traffic_filters(&session->shape))
		return 0;
	status = repeat_trial(&own, 1, &points, error);
	if (status == SESSION_INVALID) {
		evidence->missing = true;
		snprintf(evidence->why_missing, sizeof(evidence->why_missing), "%s", own.why_invalid);
	}
	return status < 0 ? status : 0;
}

static void judge(const struct filter_evidence *evidence, json_t *result)
{
	if (evidence->missing)
		result_invalid(result, "whether the filters are in force is not known: %s", evidence->why_missing);
	else if (evidence->arrived_frames)
		result_invalid(result,
		               "filters not in force: %" PRIu64 " frames arrived when %" PRIu64
		               " were sent that the filters must block (RFC 2544 section 11.4)",
		               evidence->arrived_frames, evidence->sent_frames);
	if (evidence->stream_lost_frames)
		result_flag(result,
		            "at 1%% of the maximum rate, %" PRIu64 " of %" PRIu64
		            " frames of the stream were lost while filters were verified, which permit it",
		            evidence->stream_lost_frames, evidence->stream_sent_frames);
}

/* "The exact filters configuration command lines used SHOULD be included with the report": as the command got them. */
static json_t *set_text(const struct session *session)
{
	const struct tester_info *info = &session->context->tester->info;
	const unsigned ports = info->device ? info->device->ports : 2;
	char *text = malloc(TRIAL_FILTERS_TEXT_SIZE);
	json_t *set;

	if (!text)
		return json_null();
	if (session->filters.nft)
		trial_filters_nft(&session->shape, ports, session->filters.interfaces, text, TRIAL_FILTERS_TEXT_SIZE);
	else
		trial_filters_text(&session->shape, ports, text, TRIAL_FILTERS_TEXT_SIZE);
	set = json_string(text);
	free(text);
	return set;
}

static json_t *command_words(const char *const *command)
{
	json_t *words = command ? json_array() : json_null();

	for (size_t i = 0; command && command[i]; i++)
		json_add(words, json_string(command[i]));
	return words;
}

void filter_check_report(const struct session *session, const struct filter_evidence *evidence, json_t *result)
{
	json_t *filters;

	if (!traffic_filters(&session->shape))
		return;
	filters = json_object();
	json_put(filters, "set", set_text(session));
	json_put(filters, "command", command_words(session->filters.command));
	result_count(filters, "blocked_sent_frames", evidence->sent_frames);
	result_count(filters, "blocked_arrived_frames", evidence->arrived_frames);
	json_put(result, "filters", filters);
	judge(evidence, result);
}
