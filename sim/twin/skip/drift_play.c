// SPDX-License-Identifier: Apache-2.0
/* Decides when a direction goes on without playing every frame, and for how long. */
#include "sim/twin/skip/drift_play.h"

#include <stdlib.h>
#include <string.h>

#include "sim/twin/play/clocks.h"
#include "sim/twin/play/direction.h"
#include "sim/twin/skip/direction_skip.h"
#include "sim/twin/skip/drift_leap.h"

enum { FIRST_PATIENCE = 1 << 12, MOST_PATIENCE = 1 << 22 };

struct drift_room {
	struct drift_flows flows;
	struct drift_sums sums;
	uint64_t *latency;
	size_t latencies;
};

void drift_release(struct drift *drift)
{
	if (drift->room != NULL)
		free(drift->room->latency);
	free(drift->room);
	drift->room = NULL;
}

/* Room to count latencies of each flow. */
static bool make_room(struct drift_room *room, bool bursts)
{
	const int64_t span = bursts ? DRIFT_BURSTS_SPAN : DRIFT_SPAN;
	const size_t latencies = room->flows.flows * (size_t)span;

	if (latencies > room->latencies) {
		free(room->latency);
		room->latencies = 0;
		room->latency = malloc(latencies * sizeof(*room->latency));
		if (room->latency == NULL)
			return false;
		room->latencies = latencies;
	}
	room->sums.span = span;
	for (size_t i = 0; i < room->flows.flows; i++)
		room->sums.flow[i].latency = room->latency + i * (size_t)span;
	return true;
}

void drift_start(struct drift *drift, uint64_t id)
{
	drift->patience = FIRST_PATIENCE;
	drift->from_id = id + drift->patience;
	drift->short_clock = 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void clear_sums(const struct leap *leap)
{
	struct drift_sums *sums = leap->sums;

	memset(sums->between, 0, sizeof(sums->between));
	for (size_t i = 0; i < leap->flows->flows; i++) {
		sums->flow[i].gaps = 0;
		memset(sums->flow[i].latency, 0, (size_t)sums->span * sizeof(*sums->flow[i].latency));
	}
}

static enum drift_outcome go_on(const struct direction *direction, const struct leap_server *server, int64_t until_ot,
                                int64_t depart_ot, struct leap *leap)
{
	const struct sender *sender = &direction->sender;
	const uint64_t most = sender->frames == UINT64_MAX ? UINT64_MAX : sender->frames - sender->pacer.frame;
	enum drift_outcome outcome;

	clear_sums(leap);
	outcome = leap->is.burst_frames != 0 ? DRIFT_NOT
	                                     : drift_idle(&leap->is, until_ot, depart_ot, most, leap->sums, &leap->end);
	if (outcome != DRIFT_NOT ||
	    !server->is_straight(server->state, sender->settings.turns.frame_octets, leap->base_ot))
		return outcome;
	clear_sums(leap);
	outcome = drift_full(&leap->is, until_ot, depart_ot, most, leap->sums, &leap->end);
	if (outcome != DRIFT_NOT)
		return outcome;
	if (leap->is.burst_frames != 0)
		return DRIFT_NOT;
	clear_sums(leap);
	outcome = drift_even(&leap->is, until_ot, depart_ot, most, leap->sums, &leap->end);
	if (outcome != DRIFT_NOT)
		return outcome;
	clear_sums(leap);
	return drift_fill(&leap->is, until_ot, depart_ot, most, leap->sums, &leap->end);
}

/* Finds out what it would change. Up to a new longest silence it goes in steps that become shorter. */
static enum drift_outcome look_ahead(struct direction *direction, const struct leap_server *server, uint64_t until_ot,
                                     uint64_t clock, struct leap *leap)
{
	const uint64_t depart_ot = (clock - RX_COMMIT_LAG + 1) * WORD_OCTETS;
	enum drift_outcome outcome;
	bool silence;
	int64_t until, depart;

	leap->base_ot = sender_next_ot(&direction->sender);
	if (until_ot < leap->base_ot || depart_ot < leap->base_ot || !leap_describe(direction, server, leap))
		return DRIFT_NOT;
	until = (int64_t)smaller(until_ot - leap->base_ot, INT64_MAX / 4);
	depart = (int64_t)smaller(depart_ot - leap->base_ot, INT64_MAX / 4);
	outcome = go_on(direction, server, until, depart, leap);
	while (outcome == DRIFT_ON && !leap_agrees(direction, leap, &silence)) {
		until /= 2;
		if (!silence || go_on(direction, server, until, depart, leap) != DRIFT_ON)
			return DRIFT_NOT;
	}
	return outcome;
}

enum drift_outcome drift_try(struct direction *direction, const struct leap_server *server, uint64_t until_ot,
                             uint64_t clock)
{
	struct drift *drift = &direction->skip->drift;
	enum drift_outcome outcome;
	struct leap leap;

	if (clock < RX_COMMIT_LAG || !leap_is_plain(direction))
		return DRIFT_NOT;
	if (drift->room == NULL)
		drift->room = calloc(1, sizeof(*drift->room));
	if (drift->room == NULL || !leap_describe_flows(direction, server->gone, &drift->room->flows) ||
	    !make_room(drift->room, direction->sender.settings.pacer.burst_frames != 0))
		return DRIFT_NOT;
	leap = (struct leap){
	        .is = {.flows = &drift->room->flows}, .flows = &drift->room->flows, .sums = &drift->room->sums};
	outcome = look_ahead(direction, server, smaller(until_ot, leap_undisturbed_until(direction, clock)), clock,
	                     &leap);
	if (outcome != DRIFT_ON)
		return outcome;
	server->take(server->state, direction->sender.settings.turns.frame_octets, &leap);
	leap_take(direction, &leap);
	jump_forget(&direction->skip->jump);
	return DRIFT_ON;
}

/* Nobody looks into its frames. */
static enum drift_outcome try_fifo(struct direction *direction, uint64_t clock)
{
	struct fifo *fifo = dut_plain_fifo(direction->dut);
	struct leap_server server;

	if (fifo == NULL || direction->sender.flags != 0 || post_follows(direction->post, 0))
		return DRIFT_NOT;
	server = leap_server_of(fifo);
	return drift_try(direction, &server, UINT64_MAX, clock);
}

void drift_wait(struct drift *drift, uint64_t id)
{
	drift->from_id = id + drift->patience;
	drift->patience = smaller(2 * drift->patience, MOST_PATIENCE);
}

bool drift_ahead(struct direction *direction, uint64_t clock)
{
	struct drift *drift = &direction->skip->drift;
	enum drift_outcome outcome;

	if (!direction->skip->jump.enabled || direction->skip->jump.found ||
	    direction->sender.next_id < drift->from_id || clock <= drift->short_clock || !jump_is_moment(direction))
		return false;
	outcome = try_fifo(direction, clock);
	if (outcome == DRIFT_NOT) {
		drift_wait(drift, direction->sender.next_id);
		return false;
	}
	direction->skip->jump.drifts = true;
	if (outcome == DRIFT_SHORT)
		drift->short_clock = clock;
	if (outcome == DRIFT_ON)
		*drift = (struct drift){
		        .room = drift->room, .patience = FIRST_PATIENCE, .from_id = direction->sender.next_id};
	return outcome == DRIFT_ON;
}
