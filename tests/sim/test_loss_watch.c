// SPDX-License-Identifier: Apache-2.0
/* Frames on the line, with signatures: the watch sees a frame that is missing when the next of its stream comes, and
 * takes nothing else for a loss. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sim/line/fcs.h"
#include "sim/line/frame_store.h"
#include "sim/line/line_encoder.h"
#include "sim/verilog/loss_watch.h"

enum { OCTETS = 64, SIGNATURE_AT = OCTETS - 4 - 18, SPACING_OT = 88 };

static struct loss_watch *watch;
static struct frame_store store;
static struct line_encoder encoder;
static uint64_t next_ot, next_word;

static void begin(void)
{
	watch = malloc(sizeof(*watch));
	cr_assert_not_null(watch);
	loss_watch_init(watch);
	cr_assert_eq(frame_store_init(&store), 0);
	line_encoder_init(&encoder, &store);
	next_ot = next_word = 0;
}

static void end(void)
{
	frame_store_release(&store);
	free(watch);
}

TestSuite(loss_watch, .init = begin, .fini = end);

struct seen {
	uint8_t run, source, flow;
	uint64_t sequence;
	bool foreign, bad_fcs;
};

static void write_frame(uint8_t *octets, const struct seen *frame)
{
	uint8_t *signature = octets + SIGNATURE_AT;

	memset(octets, 0, OCTETS);
	if (!frame->foreign)
		memcpy(signature, (const uint8_t[]){0xf9, 0xa6, frame->run, (uint8_t)(frame->source << 4), frame->flow},
		       5);
	for (unsigned i = 0; i < 6; i++)
		signature[5 + i] = (uint8_t)(frame->sequence >> (40 - 8 * i));
	line_put_fcs(octets, OCTETS - FCS_OCTETS);
	octets[20] ^= frame->bad_fcs;
}

/* Returns whether a frame has been lost, once this one and some idle words have gone by. */
static bool after(struct seen frame)
{
	struct line_word word;
	bool lost = false;

	write_frame(frame_store_reserve(&store), &frame);
	cr_assert_eq(frame_store_put(&store, OCTETS, next_ot), 0);
	next_ot += SPACING_OT;
	for (; next_word < next_ot / LINE_OCTETS + 2; next_word++)
		lost = loss_watch_word(watch, next_word, line_encode(&encoder, next_word, &word) ? &word : NULL);
	next_ot = next_word * LINE_OCTETS;
	return lost;
}

Test(loss_watch, a_number_that_is_left_out_is_a_loss_when_the_next_one_comes)
{
	for (uint64_t i = 0; i < 20; i++)
		cr_expect_not(after((struct seen){.source = 3, .flow = 7, .sequence = i}));
	cr_expect(after((struct seen){.source = 3, .flow = 7, .sequence = 21}));
	cr_expect(after((struct seen){.source = 3, .flow = 7, .sequence = 22}), "it has been lost for good");
}

Test(loss_watch, a_frame_with_a_wrong_fcs_is_missing)
{
	cr_expect_not(after((struct seen){.sequence = 0}));
	cr_expect_not(after((struct seen){.sequence = 1, .bad_fcs = true}));
	cr_expect(after((struct seen){.sequence = 2}));
}

Test(loss_watch, streams_have_numbers_of_their_own_and_the_first_of_one_says_nothing)
{
	cr_expect_not(after((struct seen){.source = 1, .flow = 2, .sequence = 5}));
	cr_expect_not(after((struct seen){.source = 1, .flow = 3, .sequence = 900}));
	cr_expect_not(after((struct seen){.source = 2, .flow = 2, .sequence = UINT64_C(0x123456789abc)}));
	cr_expect_not(after((struct seen){.source = 1, .flow = 2, .sequence = 6}));
	cr_expect_not(after((struct seen){.source = 2, .flow = 2, .sequence = UINT64_C(0x123456789abd)}));
	cr_expect(after((struct seen){.source = 1, .flow = 3, .sequence = 902}));
}

Test(loss_watch, late_and_repeated_frames_and_those_of_others_are_no_loss)
{
	cr_expect_not(after((struct seen){.sequence = 10}));
	cr_expect_not(after((struct seen){.sequence = 10}));
	cr_expect_not(after((struct seen){.sequence = 4}));
	cr_expect_not(after((struct seen){.sequence = 70, .foreign = true}));
	cr_expect_not(after((struct seen){.sequence = 11}));
}

Test(loss_watch, another_run_begins_anew)
{
	cr_expect_not(after((struct seen){.run = 1, .sequence = 1000}));
	cr_expect_not(after((struct seen){.run = 2, .sequence = 0}));
	cr_expect_not(after((struct seen){.run = 2, .sequence = 1}));
	cr_expect(after((struct seen){.run = 2, .sequence = 3}));
}
