// SPDX-License-Identifier: Apache-2.0
/* Remembers which frames were received in which returns: a ring of lists, for frames that are near each other. */
#include <stdlib.h>

#include "sim/twin/skip/drift_flows.h"

enum { SEEN_FRAMES = 1 << 14, FIRST_ROOM = 8 };

struct seen_frame {
	int64_t frame;
	size_t count, room;
	struct seen_returns {
		int64_t from, to;
	} * returns;
};

struct drift_seen {
	int64_t latest; /* latest of all frames added */
	struct seen_frame frame[SEEN_FRAMES];
};

struct drift_seen *drift_seen_make(void)
{
	struct drift_seen *seen = calloc(1, sizeof(*seen));

	if (seen != NULL)
		seen->latest = INT64_MIN / 2;
	return seen;
}

void drift_seen_free(struct drift_seen *seen)
{
	for (size_t i = 0; seen != NULL && i < SEEN_FRAMES; i++)
		free(seen->frame[i].returns);
	free(seen);
}

static size_t place_of(int64_t frame)
{
	return (uint64_t)frame % SEEN_FRAMES;
}

static bool grow(struct seen_frame *of)
{
	const size_t room = of->room != 0 ? 2 * of->room : FIRST_ROOM;
	struct seen_returns *returns = realloc(of->returns, room * sizeof(*returns));

	if (returns == NULL)
		return false;
	of->returns = returns;
	of->room = room;
	return true;
}

bool drift_seen_add(struct drift_seen *seen, int64_t frame, int64_t from, int64_t to)
{
	struct seen_frame *of = &seen->frame[place_of(frame)];

	if (seen->latest - frame >= SEEN_FRAMES)
		return false;
	seen->latest = frame > seen->latest ? frame : seen->latest;
	if (of->frame != frame)
		of->count = 0;
	of->frame = frame;
	if (of->count != 0 && of->returns[of->count - 1].to == from) {
		of->returns[of->count - 1].to = to;
		return true;
	}
	if (of->count == of->room && !grow(of))
		return false;
	of->returns[of->count++] = (struct seen_returns){.from = from, .to = to};
	return true;
}

int64_t drift_seen_count(const struct drift_seen *seen, int64_t frame, int64_t from, int64_t to)
{
	const struct seen_frame *of = &seen->frame[place_of(frame)];
	int64_t count = 0;

	if (seen->latest - frame >= SEEN_FRAMES)
		return -1;
	for (size_t i = 0; i < of->count && of->frame == frame; i++) {
		const int64_t first = of->returns[i].from > from ? of->returns[i].from : from;
		const int64_t end = of->returns[i].to < to ? of->returns[i].to : to;

		count += first < end ? end - first : 0;
	}
	return count;
}
