// SPDX-License-Identifier: Apache-2.0
/* Decides which pause frames count, and what they do. */
#include "sim/twin/play/hold.h"

int hold_init(struct hold *hold)
{
	*hold = (struct hold){.obeys = false};
	return ring_init(&hold->stretches, sizeof(struct hold_stretch)) != 0 ||
	                       ring_init(&hold->pending, sizeof(struct hold_pause)) != 0
	               ? -1
	               : 0;
}

void hold_release(struct hold *hold)
{
	ring_release(&hold->stretches);
	ring_release(&hold->pending);
}

static struct hold_pause *pause_at(const struct hold *hold, uint64_t number)
{
	return ring_at(&hold->pending, number, sizeof(struct hold_pause));
}

/* Makes the hold what the pause says, from this word on; it goes on where the one before it is cut off. */
static int obey(struct hold *hold, uint64_t from_word, uint32_t quanta, uint64_t floor_word)
{
	struct ring *stretches = &hold->stretches;
	struct hold_stretch *stretch;

	while (!ring_empty(stretches) && hold_stretch_at(hold, stretches->first)->until_word <= floor_word)
		stretches->first++;
	if (!ring_empty(stretches)) {
		stretch = hold_stretch_at(hold, stretches->end - 1);
		if (stretch->until_word >= from_word) {
			stretch->until_word = from_word + quanta;
			return 0;
		}
	}
	if (quanta == 0)
		return 0;
	stretch = ring_push(stretches, sizeof(*stretch));
	if (stretch == NULL)
		return -1;
	*stretch = (struct hold_stretch){from_word, from_word + quanta};
	return 0;
}

static void count(struct hold *hold, const struct hold_pause *pause)
{
	if (!hold->obeys)
		return;
	hold->frames++;
	hold->resume_frames += pause->quanta == 0;
}

void hold_count(struct hold *hold, uint64_t clock)
{
	while (!ring_empty(&hold->pending)) {
		const struct hold_pause *pause = pause_at(hold, hold->pending.first);

		if (pause->end_word + RX_PAUSE_LAG > clock)
			break;
		count(hold, pause);
		hold->pending.first++;
	}
}

int hold_pause(struct hold *hold, const struct hold_pause *pause, uint64_t floor_word, uint64_t clock)
{
	struct hold_pause *pending;

	if (hold->obeys && obey(hold, pause->end_word + TX_HOLD_LAG, pause->quanta, floor_word) != 0)
		return -1;
	hold_count(hold, clock);
	if (pause->end_word + RX_PAUSE_LAG <= clock) {
		count(hold, pause);
		return 0;
	}
	pending = ring_push(&hold->pending, sizeof(*pending));
	if (pending == NULL)
		return -1;
	*pending = *pause;
	return 0;
}

/* A frame that began before the receiver looks for pause frames is none. */
int hold_start(struct hold *hold, bool obeys, uint64_t clock)
{
	hold_count(hold, clock + 1);
	while (!hold->obeys && !ring_empty(&hold->pending) &&
	       pause_at(hold, hold->pending.first)->start_word + RX_PAUSE_ON_LAG <= clock)
		hold->pending.first++;
	hold->obeys = obeys;
	hold->stretches.first = hold->stretches.end;
	for (uint64_t i = hold->pending.first; obeys && i != hold->pending.end; i++)
		if (obey(hold, pause_at(hold, i)->end_word + TX_HOLD_LAG, pause_at(hold, i)->quanta, 0) != 0)
			return -1;
	return 0;
}

void hold_clear(struct hold *hold, uint64_t clock)
{
	hold_count(hold, clock + 1);
	hold->frames = hold->resume_frames = 0;
	hold->held_words = 0;
	hold->counted_word = clock + TX_LATENCY;
}

uint64_t hold_words(const struct hold *hold, uint64_t due_word, uint64_t start_word)
{
	const uint64_t from_word = due_word > hold->counted_word ? due_word : hold->counted_word;

	return start_word > from_word ? start_word - from_word : 0;
}

uint64_t hold_next_ot(const struct hold *hold, uint64_t start_ot)
{
	for (uint64_t i = hold->stretches.first; i != hold->stretches.end; i++)
		if (hold_stretch_at(hold, i)->from_word * WORD_OCTETS > start_ot)
			return hold_stretch_at(hold, i)->from_word * WORD_OCTETS;
	return UINT64_MAX;
}
