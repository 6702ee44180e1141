// SPDX-License-Identifier: Apache-2.0
// Words that a port sends, or gets, in a window of time: its words that are not idle.
#ifndef FPGAUGE_SIM_RTL_WORD_LIST_H
#define FPGAUGE_SIM_RTL_WORD_LIST_H

#include <cstdint>

#include "sim/line/line.h"

struct WordList {
	static constexpr unsigned ROOM = 256;

	struct Entry {
		uint64_t number; // number of the word: its time
		struct line_word word;
	};

	void clear(bool loops)
	{
		count = 0;
		loops_first = loops;
		loop_change = UINT64_MAX;
	}

	unsigned count = 0;
	Entry entries[ROOM];

	// Returns whether the port that sends this loops its line back: it gets what it sends, and the line is idle.
	bool loops_at(uint64_t number) const
	{
		return number < loop_change ? loops_first : !loops_first;
	}
	bool loops_first = false;
	uint64_t loop_change = UINT64_MAX;

	struct line_word *add(uint64_t number)
	{
		entries[count].number = number;
		return &entries[count++].word;
	}
	// The word of a time, given the number of entries before it. Null: it is idle.
	const struct line_word *at(unsigned index, uint64_t number) const
	{
		return index < count && entries[index].number == number ? &entries[index].word : nullptr;
	}
};

#endif
