/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts of RFC 2889 5.5.5, with its cautions. Frames lost at the uncongested port are head-of-line blocking, unless
 * the same source loses them also where nothing is congested: then its load is what the device cannot take (5.5.5.2).
 *
 * Back pressure is any attempt of a device to keep sources from sending to a congested interface, as with pause frames
 * (RFC 2285 section 3.7.1). So pause frames to a source, which come with the congestion and not without, are back
 * pressure. Lost frames without any pause frame say that there is none. If nothing is lost and nothing was said, a
 * buffer held what was too much, and nothing is known.
 *
 * Both are judged where no source obeys. Sources that do are held for the uncongested port, too, and lose nothing where
 * the device holds them in time: then blocking would not be seen. What they offer and lose is reported beside. */
#include <math.h>

#include "host/base/json_write.h"
#include "host/base/ratio.h"
#include "host/bench/result.h"
#include "host/bench/rfc2889/congestion_control.h"

/* Sums and extremes over the groups. */
struct seen {
	uint64_t uncongested_lost, congested_lost;
	double uncongested_percent, congested_percent; /* the largest */
	double uncongested_fps, congested_fps;         /* the smallest */
	double held_percent;                           /* the largest */
};

/* Pause frames that the device sent on its own account. */
struct pauses {
	uint64_t all, to_sources;
	uint64_t unread; /* may be some, too */
};

static uint64_t lost_at(const struct trial_result *trial, unsigned to, uint64_t *expected)
{
	uint64_t lost = 0;

	*expected = 0;
	for (unsigned i = 0; i < trial->flows; i++)
		if (trial->flow[i].arrives == 1u << to) {
			lost += trial->flow[i].lost_frames;
			*expected += trial->flow[i].offered_frames;
		}
	return lost;
}

static double percent(uint64_t lost, uint64_t expected)
{
	return ratio_percent(lost, expected);
}

static unsigned groups_of(const struct trial_result *trial)
{
	return trial->ports / CONGESTION_GROUP;
}

/* Pause frames that held the port are counted by the hardware, others are only read. */
static uint64_t pauses_at(const struct trial_port *port)
{
	return port->obeyed_pause_frames > port->foreign[FOREIGN_PAUSE] ? port->obeyed_pause_frames
	                                                                : port->foreign[FOREIGN_PAUSE];
}

static double held_ns(const struct session *session, const struct trial_port *port)
{
	return session_ns(session, port->held_ot);
}

static json_t *group_row(const struct session *session, const struct trial_request *request,
                         const struct trial_result *trial, unsigned first, struct seen *seen)
{
	const struct trial_port *port = &trial->port[first];
	json_t *row = json_object();
	uint64_t uncongested, congested;
	const uint64_t lost = lost_at(trial, first + CONGESTION_UNCONGESTED, &uncongested);
	const uint64_t congested_lost = lost_at(trial, first + CONGESTION_CONGESTED, &congested);

	result_count(row, "first_port", first);
	result_count(row, "first_source_frames", port[CONGESTION_FIRST_SOURCE].offered_frames);
	result_count(row, "second_source_frames", port[CONGESTION_SECOND_SOURCE].offered_frames);
	result_number(row, "first_source_fps", rfc2889_port_offered_fps(session, request, port));
	result_number(row, "second_source_fps",
	              rfc2889_port_offered_fps(session, request, &port[CONGESTION_SECOND_SOURCE]));
	result_count(row, "first_source_pause_frames", pauses_at(&port[CONGESTION_FIRST_SOURCE]));
	result_count(row, "second_source_pause_frames", pauses_at(&port[CONGESTION_SECOND_SOURCE]));
	result_number(row, "first_source_held_ns", held_ns(session, &port[CONGESTION_FIRST_SOURCE]));
	result_number(row, "second_source_held_ns", held_ns(session, &port[CONGESTION_SECOND_SOURCE]));
	result_count(row, "uncongested_frames", uncongested - lost);
	result_count(row, "uncongested_lost_frames", lost);
	result_number(row, "uncongested_loss_percent", percent(lost, uncongested));
	result_number(row, "uncongested_fps", rfc2889_port_forwarding_fps(session, &port[CONGESTION_UNCONGESTED], 0));
	result_count(row, "congested_frames", congested - congested_lost);
	result_count(row, "congested_lost_frames", congested_lost);
	result_number(row, "congested_loss_percent", percent(congested_lost, congested));
	result_number(row, "congested_fps", rfc2889_port_forwarding_fps(session, &port[CONGESTION_CONGESTED], 0));
	seen->uncongested_lost += lost;
	seen->congested_lost += congested_lost;
	seen->uncongested_percent = fmax(seen->uncongested_percent, percent(lost, uncongested));
	seen->congested_percent = fmax(seen->congested_percent, percent(congested_lost, congested));
	seen->uncongested_fps = fmin(seen->uncongested_fps, result_get(row, "uncongested_fps"));
	seen->congested_fps = fmin(seen->congested_fps, result_get(row, "congested_fps"));
	for (unsigned source = CONGESTION_FIRST_SOURCE; source <= CONGESTION_SECOND_SOURCE; source++)
		seen->held_percent = fmax(seen->held_percent, percent(port[source].held_ot, request->duration_ot));
	return row;
}

static bool is_source(unsigned port)
{
	return port % CONGESTION_GROUP == CONGESTION_FIRST_SOURCE ||
	       port % CONGESTION_GROUP == CONGESTION_SECOND_SOURCE;
}

static struct pauses pauses_of(const struct trial_result *trial)
{
	struct pauses pauses = {0};

	for (unsigned i = 0; i < trial->ports; i++) {
		const struct trial_port *port = &trial->port[i];
		uint64_t read = pauses_at(port);

		for (unsigned kind = 0; kind < FOREIGN_KINDS; kind++)
			read += kind == FOREIGN_PAUSE ? 0 : port->foreign[kind];
		pauses.all += pauses_at(port);
		pauses.to_sources += is_source(i) && i / CONGESTION_GROUP < groups_of(trial) ? pauses_at(port) : 0;
		pauses.unread += port->foreign_frames - (read < port->foreign_frames ? read : port->foreign_frames);
	}
	return pauses;
}

uint64_t congestion_pauses(const struct trial_result *trial)
{
	return pauses_of(trial).to_sources;
}

static uint64_t uncongested_lost(const struct trial_result *trial)
{
	uint64_t lost = 0, ignored;

	for (unsigned group = 0; group < groups_of(trial); group++)
		lost += lost_at(trial, group * CONGESTION_GROUP + CONGESTION_UNCONGESTED, &ignored);
	return lost;
}

/* -1: not known. */
static void set_verdict(json_t *result, const char *key, int verdict)
{
	json_put(result, key, verdict < 0 ? json_null() : json_boolean(verdict));
}

static int judge_blocking(const struct seen *seen, const struct trial_result *relieved, json_t *result)
{
	if (seen->uncongested_lost == 0)
		return 0;
	if (uncongested_lost(relieved) == 0)
		return 1;
	result_flag(
	        result,
	        "the uncongested port loses frames also while nothing is congested: the device cannot take the load "
	        "of the first source, so nothing is known of head-of-line blocking (RFC 2889 section 5.5.5.2)");
	return -1;
}

/* Judges by the pause frames of the trial without congestion, and of the one with it. */
static int judge_back_pressure(const struct pauses *before, const struct pauses *then, uint64_t lost, json_t *result)
{
	const uint64_t without = before->all + before->unread;

	if (then->unread || before->unread)
		result_flag(result, "of %.0f frames that the device sent on its own account, the kind is not known",
		            (double)(then->unread + before->unread));
	if (then->to_sources && without == 0) {
		result_flag(result,
		            "Back pressure by pause frames (RFC 2285 section 3.7.1): the sources were sent %.0f. "
		            "Losses and rates are those of sources that do not obey them, unless it says `obeyed`",
		            (double)then->to_sources);
		return 1;
	}
	if (without || then->all || then->unread) {
		result_flag(
		        result,
		        "the device sent %.0f pause frames, but %.0f of them while nothing was congested: whether it "
		        "holds sources back because of congestion is not known",
		        (double)(before->all + then->all), (double)before->all);
		return -1;
	}
	if (lost)
		return 0;
	result_flag(
	        result,
	        "nothing was lost at the congested port, though the sources were not held back: the device had room "
	        "for all that was too much, and a longer trial shows what it does then (RFC 2889 section 5.5.5.2)");
	return -1;
}

/* Adds the caution of 5.5.5.2: a pause keeps from the uncongested port what it would have been sent, too. */
static void flag_obeyed(const struct seen *all, const struct seen *obeyed, json_t *result)
{
	result_flag(
	        result,
	        "Sources that obey are held for up to %.4g%% of the trial, and lose %.4g%% at the congested port; the "
	        "uncongested port gets %.1f frames/s instead of %.1f (RFC 2889 section 5.5.5.2)",
	        obeyed->held_percent, obeyed->congested_percent, obeyed->uncongested_fps, all->uncongested_fps);
}

/* Sets what the trial whose sources obey showed; NULL: it was not made. */
static void set_obeyed(const struct session *session, const struct trial_request *request,
                       const struct trial_result *trial, const struct seen *seen, json_t *result)
{
	result_number(result, "obeyed_offered_load_fps",
	              trial ? rfc2889_offered_fps(session, request, trial) : (double)NAN);
	result_number(result, "obeyed_uncongested_loss_percent", trial ? seen->uncongested_percent : (double)NAN);
	result_number(result, "obeyed_congested_loss_percent", trial ? seen->congested_percent : (double)NAN);
	result_number(result, "obeyed_forwarding_rate_fps", trial ? seen->uncongested_fps : (double)NAN);
	result_number(result, "obeyed_congested_forwarding_rate_fps", trial ? seen->congested_fps : (double)NAN);
	result_number(result, "held_percent", trial ? seen->held_percent : (double)NAN);
	result_count(result, "obeyed_pause_frames", trial ? pauses_of(trial).all : COUNT_UNKNOWN);
}

static void set_numbers(const struct session *session, const struct trial_request *request,
                        const struct trial_result *trial, const struct seen *seen, json_t *result)
{
	result_number(result, "uncongested_loss_percent", seen ? seen->uncongested_percent : (double)NAN);
	result_number(result, "congested_loss_percent", seen ? seen->congested_percent : (double)NAN);
	result_number(result, "forwarding_rate_fps", seen ? seen->uncongested_fps : (double)NAN);
	result_number(result, "congested_forwarding_rate_fps", seen ? seen->congested_fps : (double)NAN);
	result_number(result, "offered_load_fps", seen ? rfc2889_offered_fps(session, request, trial) : (double)NAN);
	if (!seen) {
		result_number(result, "flood_frames", NAN);
		result_number(result, "pause_frames", NAN);
		result_number(result, "relieved_lost_frames", NAN);
		return;
	}
	result_count(result, "flood_frames", rfc2889_flood_frames(trial));
	result_count(result, "pause_frames", pauses_of(trial).all);
}

/* Sets the rows of all groups; without a trial, none. */
static void set_groups(const struct session *session, const struct trial_request *request,
                       const struct trial_result *trial, const char *key, struct seen *seen, json_t *result)
{
	json_t *rows = json_array();

	*seen = (struct seen){.uncongested_fps = INFINITY, .congested_fps = INFINITY};
	for (unsigned group = 0; trial && group < groups_of(trial); group++)
		json_add(rows, group_row(session, request, trial, group * CONGESTION_GROUP, seen));
	json_put(result, key, rows);
}

void congestion_report(const struct session *session, const struct trial_request *request,
                       const struct congestion_trials *trials, json_t *result)
{
	const struct trial_result *relieved = trials->relieved, *all = relieved ? trials->all : NULL;
	const struct trial_result *obeyed = trials->obeyed;
	struct pauses before, then;
	struct seen seen, held;

	set_groups(session, request, all, "groups", &seen, result);
	set_groups(session, request, obeyed, "obeyed_groups", &held, result);
	set_obeyed(session, request, obeyed, &held, result);
	if (!all) {
		set_verdict(result, "head_of_line_blocking", -1);
		set_verdict(result, "back_pressure", -1);
		set_numbers(session, request, all, NULL, result);
		return;
	}
	before = pauses_of(relieved);
	then = pauses_of(all);
	set_verdict(result, "head_of_line_blocking", judge_blocking(&seen, relieved, result));
	set_verdict(result, "back_pressure", judge_back_pressure(&before, &then, seen.congested_lost, result));
	if (obeyed)
		flag_obeyed(&seen, &held, result);
	result_count(result, "relieved_lost_frames", uncongested_lost(relieved));
	set_numbers(session, request, all, &seen, result);
}
