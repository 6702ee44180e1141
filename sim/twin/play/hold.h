/* SPDX-License-Identifier: Apache-2.0 */
/* Pause frames that hold a sender: hw/rtl/rx/rx_pause.v and hw/rtl/tx/tx_hold.v, as stretches of words of the line in
 * which no frame starts. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_HOLD_H
#define FPGAUGE_SIM_TWIN_PLAY_HOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/ring.h"
#include "sim/twin/play/clocks.h"

struct hold_stretch {
	uint64_t from_word, until_word;
};

/* A pause frame that has not been counted yet. */
struct hold_pause {
	uint64_t start_word, end_word; /* its place on the line */
	uint32_t quanta;               /* time to hold, a word each */
};

struct hold {
	bool obeys; /* latched by the last start */
	/* One after another, with words between them in which a frame may start: as many as the device has told of,
	 * however far ahead, but for those that are past. */
	struct ring stretches;
	struct ring pending;
	uint64_t frames, resume_frames;
	uint64_t held_words; /* words in which a due frame was held: of frames that have begun, and of trials before */
	uint64_t counted_word; /* the first word that still counts */
};

int hold_init(struct hold *hold); /* 0, or -1: out of memory */
void hold_release(struct hold *hold);

/* A pause frame comes to the port, in the order of time. clock: up to which the twin plays. floor_word: no frame starts
 * before this word any more. 0, or -1: out of memory. */
int hold_pause(struct hold *hold, const struct hold_pause *pause, uint64_t floor_word, uint64_t clock);

/* Counts those that a snapshot in this clock sees. */
void hold_count(struct hold *hold, uint64_t clock);

/* The strobes. */
int hold_start(struct hold *hold, bool obeys, uint64_t clock); /* 0, or -1: out of memory */
void hold_clear(struct hold *hold, uint64_t clock);

/* Words in which a frame that is due in word due is held, if it does not start before word start. */
uint64_t hold_words(const struct hold *hold, uint64_t due_word, uint64_t start_word);

/* The next stretch that begins after a time; UINT64_MAX: none is known. */
uint64_t hold_next_ot(const struct hold *hold, uint64_t start_ot);

static inline struct hold_stretch *hold_stretch_at(const struct hold *hold, uint64_t number)
{
	return ring_at(&hold->stretches, number, sizeof(struct hold_stretch));
}

/* Start of a frame that is due at this time, in words one after another. */
static inline uint64_t hold_start_ot(const struct hold *hold, uint64_t due_ot)
{
	for (uint64_t i = hold->stretches.first; i != hold->stretches.end; i++) {
		const struct hold_stretch *stretch = hold_stretch_at(hold, i);
		const uint64_t word = due_ot / WORD_OCTETS;

		if (word < stretch->from_word)
			break;
		if (word < stretch->until_word)
			due_ot += (stretch->until_word - word) * WORD_OCTETS;
	}
	return due_ot;
}

#endif
