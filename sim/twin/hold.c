// SPDX-License-Identifier: Apache-2.0
/* Which pause frames count, and what they do. */
#include "sim/twin/hold.h"

#include <string.h>

static void drop_stretches(struct hold *hold, unsigned count)
{
	hold->stretches -= count;
	memmove(hold->stretch, hold->stretch + count, hold->stretches * sizeof(*hold->stretch));
}

/* From this word on the hold is what the pause says; it goes on where the one before it is cut off. */
static void obey(struct hold *hold, uint64_t from_word, uint32_t quanta, uint64_t floor_word)
{
	struct hold_stretch *last;
	unsigned over = 0;

	while (over < hold->stretches && hold->stretch[over].until_word <= floor_word)
		over++;
	if (over == 0 && hold->stretches == HOLD_STRETCHES) /* many only where no frame starts: the oldest are past */
		over = 1;
	drop_stretches(hold, over);
	last = &hold->stretch[hold->stretches - 1];
	if (hold->stretches != 0 && last->until_word >= from_word)
		last->until_word = from_word + quanta;
	else if (quanta != 0)
		hold->stretch[hold->stretches++] = (struct hold_stretch){from_word, from_word + quanta};
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
	unsigned done = 0;

	while (done < hold->pendings && hold->pending[done].end_word + RX_PAUSE_LAG <= clock)
		count(hold, &hold->pending[done++]);
	hold->pendings -= done;
	memmove(hold->pending, hold->pending + done, hold->pendings * sizeof(*hold->pending));
}

void hold_pause(struct hold *hold, const struct hold_pause *pause, uint64_t floor_word, uint64_t clock)
{
	if (hold->obeys)
		obey(hold, pause->end_word + TX_HOLD_LAG, pause->quanta, floor_word);
	hold_count(hold, clock);
	if (pause->end_word + RX_PAUSE_LAG <= clock)
		count(hold, pause);
	else if (hold->pendings < HOLD_PENDING) /* fewer have room in the words that the line is ahead */
		hold->pending[hold->pendings++] = *pause;
}

/* The frame before which the receiver began to look is none. */
void hold_start(struct hold *hold, bool obeys, uint64_t clock)
{
	unsigned kept = 0;

	hold_count(hold, clock + 1);
	for (unsigned i = 0; i < hold->pendings; i++)
		if (hold->obeys || hold->pending[i].start_word + RX_PAUSE_ON_LAG > clock)
			hold->pending[kept++] = hold->pending[i];
	hold->pendings = kept;
	hold->obeys = obeys;
	hold->stretches = 0;
	for (unsigned i = 0; obeys && i < kept; i++)
		obey(hold, hold->pending[i].end_word + TX_HOLD_LAG, hold->pending[i].quanta, 0);
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
	for (unsigned i = 0; i < hold->stretches; i++)
		if (hold->stretch[i].from_word * WORD_OCTETS > start_ot)
			return hold->stretch[i].from_word * WORD_OCTETS;
	return UINT64_MAX;
}
