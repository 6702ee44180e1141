/* SPDX-License-Identifier: Apache-2.0 */
/* Delays a line by a number of groups, whatever is on it. Only words that are not idle are stored. */
#ifndef FPGAUGE_SIM_LINE_LINE_DELAY_H
#define FPGAUGE_SIM_LINE_LINE_DELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/line/line.h"

#ifdef __cplusplus
extern "C" {
#endif

struct line_delay_entry {
	uint64_t number; /* number of the word at the input */
	struct line_word word;
};

struct line_delay {
	uint64_t delay_words;
	unsigned delay_groups;            /* less than LINE_GROUPS */
	struct line_delay_entry *entries; /* ring */
	size_t mask;
	uint64_t first, end; /* total entries taken out, total put in */
};

int line_delay_init(struct line_delay *delay, uint64_t delay_ot); /* 0, or -1: out of memory */
void line_delay_release(struct line_delay *delay);

/* Puts a word in; idle words may be left out. 0, or -1: out of memory. */
int line_delay_put(struct line_delay *delay, uint64_t word_number, const struct line_word *word);

/* Does what line_delay_get() does once it knows that a word is due. */
void line_delay_take(struct line_delay *delay, uint64_t word_number, struct line_word *word);

/* Number of the next word that may not be idle; UINT64_MAX if there is none yet. */
static inline uint64_t line_delay_next(const struct line_delay *delay)
{
	if (delay->first == delay->end)
		return UINT64_MAX;
	return delay->entries[delay->first & delay->mask].number + delay->delay_words;
}

/* Gets the word that comes out; the word with the same number must have been put in before. False: it is idle. */
static inline bool line_delay_get(struct line_delay *delay, uint64_t word_number, struct line_word *word)
{
	if (line_delay_next(delay) > word_number)
		return false;
	line_delay_take(delay, word_number, word);
	return true;
}

#ifdef __cplusplus
}
#endif

#endif
