// SPDX-License-Identifier: Apache-2.0
/* Delays a line. */
#include "sim/line/line_delay.h"

#include <stdlib.h>

enum { FIRST_ENTRIES = 64 };

int line_delay_init(struct line_delay *delay, uint64_t delay_ot)
{
	*delay = (struct line_delay){.delay_words = delay_ot / LINE_OCTETS,
	                             .delay_groups = (unsigned)(delay_ot % LINE_OCTETS / LINE_GROUP_OCTETS),
	                             .mask = FIRST_ENTRIES - 1};
	delay->entries = malloc(FIRST_ENTRIES * sizeof(*delay->entries));
	return delay->entries != NULL ? 0 : -1;
}

void line_delay_release(struct line_delay *delay)
{
	free(delay->entries);
	delay->entries = NULL;
}

static int grow(struct line_delay *delay)
{
	size_t mask = delay->mask * 2 + 1;
	struct line_delay_entry *entries = malloc((mask + 1) * sizeof(*entries));

	if (entries == NULL)
		return -1;
	for (uint64_t i = delay->first; i != delay->end; i++)
		entries[i & mask] = delay->entries[i & delay->mask];
	free(delay->entries);
	delay->entries = entries;
	delay->mask = mask;
	return 0;
}

int line_delay_put(struct line_delay *delay, uint64_t word_number, const struct line_word *word)
{
	if (line_word_is_idle(word))
		return 0;
	if (delay->end - delay->first > delay->mask && grow(delay) != 0)
		return -1;
	delay->entries[delay->end++ & delay->mask] = (struct line_delay_entry){.number = word_number, .word = *word};
	return 0;
}

/* Copies groups of one word into another, idle word; shift is the distance in groups, in either direction. */
static void copy_groups(struct line_word *to, const struct line_word *from, int shift)
{
	for (int g = 0; g < LINE_GROUPS; g++) {
		int source = g - shift;

		if (source < 0 || source >= LINE_GROUPS)
			continue;
		to->group[g] = from->group[source];
		to->ctrl &= ~(UINT64_C(0xff) << (8 * g));
		to->ctrl |= (from->ctrl >> (8 * source) & 0xff) << (8 * g);
	}
}

void line_delay_take(struct line_delay *delay, uint64_t word_number, struct line_word *word)
{
	uint64_t due = word_number - delay->delay_words; /* the groups of this word start delay_groups later */
	int shift = (int)delay->delay_groups;
	struct line_delay_entry *entry;

	*word = LINE_IDLE_WORD;
	entry = &delay->entries[delay->first & delay->mask];
	if (shift != 0 && entry->number + 1 == due) {
		copy_groups(word, &entry->word, shift - LINE_GROUPS);
		delay->first++;
		entry = &delay->entries[delay->first & delay->mask];
	}
	if (delay->first != delay->end && entry->number == due) {
		copy_groups(word, &entry->word, shift);
		if (shift == 0)
			delay->first++;
	}
}
