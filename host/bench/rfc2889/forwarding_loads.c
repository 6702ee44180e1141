/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of a test of forwarding: how each is offered, and what is kept of its trial. */
#include <math.h>
#include <stdlib.h>

#include "host/base/array.h"
#include "host/bench/offered_load.h"
#include "host/bench/repeat.h"
#include "host/bench/result.h"
#include "host/bench/rfc2889/forwarding.h"

void forwarding_begin(struct session *session, struct forwarding *forwarding)
{
	const struct forwarding_settings *settings = forwarding_settings(session->test);

	*forwarding = (struct forwarding){.session = session,
	                                  .shares = rfc2889_shares(session->traffic),
	                                  .grid = load_grid_of_steps(session->max_rate, &settings->resolution),
	                                  .parts = load_grid_of_parts(session->max_rate)};
	load_range_of(session->test, &forwarding->grid, &forwarding->range); /* forwarding_check(): loads are in it */
	forwarding->most_parts = forwarding_parts_of_point(forwarding, forwarding->range.high);
	if (forwarding->shares.copied) /* rates are those of a receiving port */
		forwarding->shares.receivable = 1;
}

void forwarding_end(struct forwarding *forwarding)
{
	findings_free(&forwarding->found);
	free(forwarding->loads);
	forwarding->loads = NULL;
}

uint64_t forwarding_parts(const struct quantity *load, struct rate line)
{
	return (uint64_t)llround(rate_fps(plan_load(load, line)) / rate_fps(line) * FORWARDING_PARTS);
}

uint64_t forwarding_parts_of_point(const struct forwarding *forwarding, uint64_t point)
{
	return (uint64_t)llround(rate_fps(load_at(&forwarding->grid, point)) / rate_fps(forwarding->grid.line) *
	                         FORWARDING_PARTS);
}

static void request_load(const struct session *session, struct rate load, uint64_t duration_ns,
                         struct trial_request *request)
{
	const struct forwarding_settings *settings = forwarding_settings(session->test);
	const uint64_t link_bps = session->context->tester->info.link_bps;
	const uint64_t duration_ot = session_octet_times(session, duration_ns);

	if (settings->burst_frames > 1) {
		const struct burst_load bursts =
		        burst_load_of(settings->burst_frames, session->max_rate, load, link_bps);

		request->kind = TRIAL_BURST;
		request->burst_frames = bursts.burst_frames;
		request->burst_gap_octets = bursts.gap_octets;
		request->bursts = bursts_of_duration(&bursts, duration_ot);
		return;
	}
	request->kind = TRIAL_LOAD;
	request->load = load;
	request->duration_ot = !settings->frame_based
	                               ? duration_ot
	                               : duration_of_frames(frames_of_duration(load, duration_ns), load, link_bps);
}

static void request_point(void *user, const struct session *session, const struct search_request *wanted,
                          struct trial_request *request)
{
	const struct forwarding *forwarding = user;

	request_load(session, load_at(&forwarding->grid, wanted->point), wanted->duration_ns, request);
}

static void request_parts(void *user, const struct session *session, const struct search_request *wanted,
                          struct trial_request *request)
{
	const struct forwarding *forwarding = user;

	(void)wanted;
	request_load(session, load_at(&forwarding->parts, forwarding->asked_parts),
	             forwarding_settings(session->test)->common.trial_duration_ns, request);
}

static uint64_t point_fps(const void *user, uint64_t point)
{
	const struct forwarding *forwarding = user;

	return (uint64_t)(rate_fps(load_at(&forwarding->grid, point)) + 0.5);
}

static uint64_t parts_fps(const void *user, uint64_t point)
{
	const struct forwarding *forwarding = user;

	(void)point; /* there is one */
	return (uint64_t)(rate_fps(load_at(&forwarding->parts, forwarding->asked_parts)) + 0.5);
}

/* The place of a load among those that were tried: of itself, or of the next one above. */
static size_t place_of(const struct forwarding *forwarding, uint64_t parts)
{
	size_t i = 0;

	while (i < forwarding->load_count && forwarding->loads[i].parts < parts)
		i++;
	return i;
}

const struct forwarding_load *forwarding_find(const struct forwarding *forwarding, uint64_t parts)
{
	const size_t i = place_of(forwarding, parts);

	return i < forwarding->load_count && forwarding->loads[i].parts == parts ? &forwarding->loads[i] : NULL;
}

/* The last trial at a load counts, as in search_loop(). */
static void keep(struct forwarding *forwarding, const struct forwarding_load *load)
{
	const size_t at = place_of(forwarding, load->parts);

	if (!forwarding_find(forwarding, load->parts)) {
		if (!array_add(&forwarding->loads, forwarding->load_count, sizeof(*forwarding->loads))) {
			forwarding->out_of_memory = true;
			return;
		}
		for (size_t i = forwarding->load_count++; i > at; i--)
			forwarding->loads[i] = forwarding->loads[i - 1];
	}
	forwarding->loads[at] = *load;
}

/* Called after every valid trial of full length. */
static void note_load(struct forwarding *forwarding, uint64_t parts, const struct trial_result *trial)
{
	const struct session *session = forwarding->session;
	const struct forwarding_load load = {
	        .parts = parts,
	        .offered_fps = rfc2889_offered_fps(session, &session->asked, trial),
	        .forwarding_fps = forwarding->shares.copied
	                                  ? rfc2889_lowest_forwarding_fps(session, &session->asked, trial)
	                                  : rfc2889_forwarding_fps(session, &session->asked, trial),
	        .duration_s = trial->duration_s,
	        .offered_frames = trial->offered_frames,
	        .received_frames = trial->received_frames,
	        .lost_frames = trial->lost_frames,
	        .flood_frames = rfc2889_flood_frames(trial),
	        .loss_percent = rfc2889_loss_percent(trial),
	};

	keep(forwarding, &load);
	if (load.parts == forwarding->most_parts) {
		*session->kept = *trial;
		forwarding->mol = session->kept;
	}
}

/* Only trials of full length count: a device must keep what it forwards. */
static void note_point(void *user, const struct trial_result *trial)
{
	struct forwarding *forwarding = user;
	const struct session *session = forwarding->session;

	if (session->wanted.duration_ns == forwarding_settings(session->test)->common.trial_duration_ns)
		note_load(forwarding, forwarding_parts_of_point(forwarding, session->wanted.point), trial);
}

static void note_parts(void *user, const struct trial_result *trial)
{
	struct forwarding *forwarding = user;

	note_load(forwarding, forwarding->asked_parts, trial);
}

struct search_points forwarding_search_points(struct forwarding *forwarding)
{
	return (struct search_points){
	        .request = request_point, .in_unit = point_fps, .note = note_point, .user = forwarding};
}

int forwarding_try(struct forwarding *forwarding, uint64_t parts, struct error *error)
{
	const struct search_points points = {
	        .request = request_parts, .in_unit = parts_fps, .note = note_parts, .user = forwarding};
	int status;

	if (forwarding_find(forwarding, parts))
		return 0;
	forwarding->asked_parts = parts;
	status = repeat_trial(forwarding->session, 1, &points, error);
	if (status == 0 && forwarding->out_of_memory)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	return status;
}
