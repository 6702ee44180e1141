// SPDX-License-Identifier: Apache-2.0
/* A full fifo with bursts.
 *
 * After a *round* of some bursts, everything is at the same place of a group and of the turns, but for the services. So
 * the rounds differ only in how far after its begin the first service ends: the *phase*, from 0 to less than a service,
 * which goes on by the same amount from round to round. In place of returns that follow each other, rounds are in the
 * order of their phases: a step of a round is gone through for all phases, in stretches that count the same, and how
 * many rounds have a phase in a stretch is a sum of rounded numbers, which takes as long as a division of integers by
 * Euclid's algorithm. */
#include "sim/twin/skip/drift_rounds.h"

#include <stdlib.h>

#include "host/base/uint128.h"

enum {
	STRETCH_FRAMES = 32, /* frames that could be played in the time that a stretch takes */
	MOST_ROUNDS = 1 << 28,
};

static const int64_t MOST_ROUND = INT64_C(1) << 60;

struct round {
	const struct full *full;
	int64_t bursts;
	int64_t parts; /* length in parts of the service */
	int64_t begin; /* end of the first service of the first round, after the begin of its group, */
	int64_t group; /* number of that group */
	int64_t back;  /* a phase from one round to the next, the other way round */
	int64_t rounds;
	struct drift_seen *seen;
};

/* The frame that takes the room, from this phase on. */
struct stretch {
	int64_t from, frame;
};

struct stretches {
	size_t count;
	struct stretch stretch[DRIFT_MOST_STRETCHES + 1];
};

/* The sum of floor((a i + b) / m) for i = 0 to n - 1, with all numbers not negative. */
static uint64_t sum_of_floors(uint64_t n, uint64_t m, uint64_t a, uint64_t b)
{
	uint64_t sum = 0;

	while (n != 0) {
		uint128 most;

		sum += (n - 1) * n / 2 * (a / m) + n * (b / m);
		a %= m;
		b %= m;
		most = (uint128)a * n + b;
		if (most < m)
			break;
		if (most >> 64 == 0) {
			n = (uint64_t)most / m;
			b = (uint64_t)most % m;
		} else {
			n = (uint64_t)(most / m);
			b = (uint64_t)(most % m);
		}
		most = m;
		m = a;
		a = (uint64_t)most;
	}
	return sum;
}

/* Number of rounds with a phase below this one: i x (service - back) modulo service. */
static int64_t rounds_below(const struct round *round, int64_t phase)
{
	const uint64_t n = (uint64_t)round->rounds, service = (uint64_t)round->full->fifo->service;
	const uint64_t step = service - (uint64_t)round->back;

	return (int64_t)(sum_of_floors(n, service, step, service) -
	                 sum_of_floors(n, service, step, service - (uint64_t)phase));
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* A step for phases below `most`, so much after the phase; before: the step before, or NULL. */
static bool go_through(const struct round *round, int64_t after, int64_t most, const struct stretches *before,
                       bool counts, struct stretches *stretches)
{
	const struct full *full = round->full;
	struct drift_sums *sums = full->sums;
	const bool several = full->flows->flows > 1;
	int64_t previous = INT64_MIN, until = 0, group_until = 0, leaves_until = 0, group = 0, leaves = 0, frame = 0;
	int64_t below = 0;
	size_t at = 0;

	stretches->count = 0;
	for (int64_t now = 0; now < most;) {
		const int64_t end = round->begin + after + now;
		int64_t to, takes, start, rounds;

		if (now == group_until) {
			group = (int64_t)drift_ceil(end, full->parts);
			group_until = now + group * full->parts - end + 1;
			frame = drift_frame_from(full->fifo, round->group + group);
		}
		if (now == leaves_until) {
			leaves = (int64_t)drift_ceil(end + full->leaves_rest, full->parts);
			leaves_until = now + leaves * full->parts - end - full->leaves_rest + 1;
		}
		if (before != NULL && now == until) {
			previous = before->stretch[at++].frame + 1;
			until = at < before->count ? before->stretch[at].from : INT64_MAX;
		}
		takes = frame > previous ? frame : previous;
		if (stretches->count == 0 || stretches->stretch[stretches->count - 1].frame != takes) {
			if (stretches->count == DRIFT_MOST_STRETCHES)
				return false;
			stretches->stretch[stretches->count++] = (struct stretch){.from = now, .frame = takes};
		}
		to = smaller(smaller(group_until, leaves_until), most);
		to = before != NULL ? smaller(to, until) : to;
		now = to;
		if (!counts && !several)
			continue;
		rounds = rounds_below(round, to);
		start = drift_start_of(full->fifo, takes) - round->group;
		if (!steps_count_gaps(full, round->seen, takes, below, rounds, takes <= previous, counts))
			return false;
		if (counts && !drift_count(sums->flow[drift_turn(full->flows, takes)->flow].latency, sums->span,
		                           leaves - start + sums->span - 8, rounds - below))
			return false;
		below = rounds;
	}
	return true;
}

/* Bursts after which turns and groups are at the same place; 0: too many. */
static int64_t bursts_of(const struct full *full)
{
	const struct drift_fifo *fifo = full->fifo;

	for (int64_t bursts = 1; bursts <= 8 * full->flows->period; bursts++)
		if (bursts * fifo->burst_ot % 8 == 0 && bursts * fifo->burst_frames % full->flows->period == 0)
			return bursts;
	return 0;
}

int64_t rounds_choose(const struct full *full, int64_t steps)
{
	const struct drift_fifo *fifo = full->fifo;
	const int64_t bursts = bursts_of(full);
	const int128 parts = (int128)bursts * fifo->burst_ot * fifo->service_parts;
	int128 rounds, stretches;

	if (bursts == 0 || parts > MOST_ROUND || fifo->service > parts)
		return 0;
	/* The first phase is 0, so that no round takes more steps than this. */
	rounds = steps / (parts / fifo->service + 1);
	rounds = rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS;
	stretches = (parts / fifo->service + full->memory) * (3 * (fifo->service / full->parts) + 3);
	return stretches * STRETCH_FRAMES < rounds * bursts * fifo->burst_frames ? (int64_t)rounds : 0;
}

int64_t rounds_go_through(const struct full *full, int64_t from, int64_t rounds)
{
	const struct step first = step_at(full, from);
	const int64_t bursts = bursts_of(full), service = full->fifo->service;
	struct round round = {.full = full, .bursts = bursts, .group = first.group - 1, .rounds = rounds};
	struct stretches *stretches = malloc(2 * sizeof(*stretches)), *before = NULL;
	int64_t steps = 0;
	bool done;

	round.parts = bursts * full->fifo->burst_ot * full->fifo->service_parts;
	round.begin = full->parts - first.before;
	round.back = round.parts % service;
	round.seen = full->flows->most_back > 1 ? drift_seen_make() : NULL;
	done = stretches != NULL && (round.seen != NULL || full->flows->most_back == 1);
	for (int64_t j = -full->memory; j * service < round.parts && done; j++) {
		struct stretches *now = before == stretches ? stretches + 1 : stretches;
		const int64_t most = smaller(service, round.parts - j * service);

		done = go_through(&round, j * service, most, before, j >= 0, now);
		steps += j >= 0 ? rounds_below(&round, most) : 0;
		before = now;
	}
	drift_seen_free(round.seen);
	free(stretches);
	return done ? steps : 0;
}
