// SPDX-License-Identifier: Apache-2.0
/* Tests what pause frames make of the starts of a held sender, with one pause after another: sim/twin/play/hold.c by
 * itself. */
#include <criterion/criterion.h>

#include "sim/twin/play/hold.h"

/* A pause whose last word is this one, which is known before it matters. */
static void pause(struct hold *hold, uint64_t end_word, uint32_t quanta)
{
	const struct hold_pause frame = {.start_word = end_word - 1, .end_word = end_word, .quanta = quanta};

	cr_assert(hold_pause(hold, &frame, 0, 0) == 0);
}

static uint64_t start_word(const struct hold *hold, uint64_t due_word)
{
	return hold_start_ot(hold, due_word * WORD_OCTETS) / WORD_OCTETS;
}

static void begin(struct hold *hold, bool obeys)
{
	cr_assert(hold_init(hold) == 0);
	cr_assert(hold_start(hold, obeys, 0) == 0);
}

Test(twin_hold, a_frame_that_is_due_in_a_pause_starts_when_it_ends)
{
	struct hold hold;

	begin(&hold, true);
	pause(&hold, 100, 7);
	cr_expect(start_word(&hold, 100 + TX_HOLD_LAG - 1) == 100 + TX_HOLD_LAG - 1);
	for (uint64_t word = 0; word < 7; word++)
		cr_expect(start_word(&hold, 100 + TX_HOLD_LAG + word) == 100 + TX_HOLD_LAG + 7);
	cr_expect(start_word(&hold, 100 + TX_HOLD_LAG + 7) == 100 + TX_HOLD_LAG + 7);
	cr_expect(hold_next_ot(&hold, 0) == (100 + TX_HOLD_LAG) * WORD_OCTETS);
	cr_expect(hold_next_ot(&hold, (100 + TX_HOLD_LAG) * WORD_OCTETS) == UINT64_MAX);
	hold_release(&hold);
}

Test(twin_hold, the_last_pause_replaces_the_one_in_force_and_one_of_0_ends_it)
{
	struct hold hold;

	begin(&hold, true);
	pause(&hold, 100, 1000);
	pause(&hold, 150, 13);
	cr_expect(start_word(&hold, 100 + TX_HOLD_LAG) == 150 + TX_HOLD_LAG + 13);
	pause(&hold, 155, 0);
	cr_expect(start_word(&hold, 100 + TX_HOLD_LAG) == 155 + TX_HOLD_LAG);
	pause(&hold, 300, 0); /* none is in force */
	cr_expect(start_word(&hold, 300 + TX_HOLD_LAG) == 300 + TX_HOLD_LAG);
	pause(&hold, 400, 3);
	cr_expect(start_word(&hold, 400 + TX_HOLD_LAG + 1) == 400 + TX_HOLD_LAG + 3);
	hold_release(&hold);
}

Test(twin_hold, pauses_are_counted_when_the_receiver_has_seen_them_and_only_by_a_port_that_obeys)
{
	struct hold hold;

	begin(&hold, true);
	pause(&hold, 100, 5);
	pause(&hold, 103, 0);
	hold_count(&hold, 100 + RX_PAUSE_LAG - 1);
	cr_expect(hold.frames == 0);
	hold_count(&hold, 100 + RX_PAUSE_LAG);
	cr_expect(hold.frames == 1 && hold.resume_frames == 0);
	hold_count(&hold, 1000);
	cr_expect(hold.frames == 2 && hold.resume_frames == 1);
	hold_clear(&hold, 1000);
	cr_expect(hold.frames == 0 && hold.resume_frames == 0);
	hold_release(&hold);

	begin(&hold, false);
	pause(&hold, 100, 5);
	hold_count(&hold, 1000);
	cr_expect(hold.frames == 0);
	cr_expect(start_word(&hold, 100 + TX_HOLD_LAG) == 100 + TX_HOLD_LAG);
	hold_release(&hold);
}

Test(twin_hold, a_start_forgets_what_was_held_but_not_a_frame_that_is_still_to_come)
{
	struct hold hold;

	begin(&hold, true);
	pause(&hold, 100, 5000);
	cr_assert(hold_start(&hold, true, 2000) == 0);
	cr_expect(start_word(&hold, 3000) == 3000);
	pause(&hold, 4000, 9);
	cr_assert(hold_start(&hold, true, 2500) == 0);
	cr_expect(start_word(&hold, 4000 + TX_HOLD_LAG) == 4000 + TX_HOLD_LAG + 9);
	hold_release(&hold);

	/* One that began before the receiver looked for pauses is none. */
	begin(&hold, false);
	pause(&hold, 100, 5);
	cr_assert(hold_start(&hold, true, 99 + RX_PAUSE_ON_LAG) == 0);
	cr_expect(start_word(&hold, 100 + TX_HOLD_LAG) == 100 + TX_HOLD_LAG);
	hold_release(&hold);
}

Test(twin_hold, the_time_held_is_what_lies_between_due_and_start_and_after_the_last_clear)
{
	struct hold hold;

	begin(&hold, true);
	hold_clear(&hold, 1000);
	cr_expect(hold_words(&hold, 2000, 2013) == 13);
	cr_expect(hold_words(&hold, 2000, 2000) == 0);
	cr_expect(hold_words(&hold, 1000, 1000 + TX_LATENCY + 4) == 4);
	hold_release(&hold);
}
