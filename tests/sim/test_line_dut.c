// SPDX-License-Identifier: Apache-2.0
/* Devices between lines: what comes out word by word is what the plain models say, octet by octet, with and without
 * idle words. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/octets.h"
#include "sim/line/line_dut.h"
#include "tests/sim/fcs.h"
#include "tests/sim/plain_dut.h"
#include "tests/sim/random_dut.h"

/* Octets of a frame: a different pattern for each id. */
static uint8_t octet_of(uint64_t id, uint32_t i)
{
	return (uint8_t)((id + 1) * 167 + i * 13 + (i >> 8));
}

/* Makes the octets that a device makes of a frame: docs/dut-models.md, alter and corrupt. */
static void make_expected(const struct dut_frame *frame, uint8_t *octets)
{
	for (uint32_t i = 0; i < frame->octets; i++)
		octets[i] = octet_of(frame->id, i);
	if (frame->flags & DUT_FRAME_ALTERED && frame->octets >= 64) {
		uint32_t fcs;

		octets[frame->octets - 23] ^= 0xff;
		fcs = fcs_of(octets, frame->octets - 4);
		put_le(octets + frame->octets - 4, fcs, 4);
	}
	if (frame->flags & DUT_FRAME_CORRUPT)
		octets[frame->octets - 1] ^= 0xff;
}

struct expected {
	const struct dut_frame *frames;
	size_t count, seen;
	const char *settings;
	uint8_t room[LINE_MAX_FRAME_OCTETS + LINE_OCTETS];
};

static uint8_t *begin(void *context)
{
	return ((struct expected *)context)->room;
}

static void end(void *context, const struct line_frame *seen)
{
	struct expected *expected = context;
	const struct dut_frame *frame = &expected->frames[expected->seen];
	static uint8_t octets[LINE_MAX_FRAME_OCTETS];

	cr_assert(expected->seen < expected->count, "%s: a frame too many at %" PRIu64, expected->settings,
	          seen->start_ot);
	cr_assert(!seen->broken && seen->start_ot == frame->start_ot && seen->length == frame->octets,
	          "%s: output %zu at %" PRIu64 ", not %" PRIu64, expected->settings, expected->seen, seen->start_ot,
	          frame->start_ot);
	make_expected(frame, octets);
	for (uint32_t i = 0; i < frame->octets; i++)
		cr_assert(seen->octets[i] == octets[i], "%s: output %zu octet %u", expected->settings, expected->seen,
		          i);
	expected->seen++;
}

static void fill(struct frame_store *source, const struct dut_frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint8_t *octets = frame_store_reserve(source);

		for (uint32_t k = 0; k < frames[i].octets; k++)
			octets[k] = octet_of(frames[i].id, k);
		cr_assert(frame_store_put(source, frames[i].octets, frames[i].start_ot) == 0);
	}
}

/* Ways to treat idle words: they go in like others, by line_dut_put_idle(), or not at all where they may be left
 * out. */
enum idle_words { PUT_IN, STEP_IDLE, LEAVE_OUT, WAYS };

/* Returns the number of words stepped through. */
static uint64_t play(struct dut_device *device, struct frame_store *source, struct expected *expected,
                     enum idle_words way)
{
	const struct line_sink sink = {begin, end, expected};
	const struct dut_frame *last = expected->count > 0 ? &expected->frames[expected->count - 1] : NULL;
	const uint64_t words = (last != NULL ? dut_frame_end_ot(last) : 0) / LINE_OCTETS + 20000;
	struct line_encoder encoder;
	struct line_decoder decoder;
	static struct line_dut line;
	uint64_t stepped = 0;

	cr_assert(line_dut_init(&line, device) == 0);
	line_encoder_init(&encoder, source);
	line_decoder_init(&decoder, &sink);
	for (uint64_t word = 0; word < words; word++) {
		struct line_word in, out;
		bool sends;

		if (way == LEAVE_OUT && line_encoder_next(&encoder) > word && line_dut_next(&line) > word)
			continue;
		stepped++;
		sends = line_encode(&encoder, word, &in);
		if (!sends)
			in = LINE_IDLE_WORD;
		if (sends || way == PUT_IN)
			line_dut_put(&line, 0, word, &in);
		else
			line_dut_put_idle(&line, 0, word);
		line_dut_put_idle(&line, 1, word);
		line_dut_pass(&line, word);
		if (!line_dut_take(&line, 1, word, &out))
			out = LINE_IDLE_WORD;
		line_decode(&decoder, word, &out);
	}
	cr_assert(expected->seen == expected->count, "%s: %zu frames, not %zu", expected->settings, expected->seen,
	          expected->count);
	cr_assert(!line.failed);
	cr_assert(line.port[0].store.first == line.port[0].store.end, "%s: octets are kept for nobody",
	          expected->settings);
	line_dut_release(&line);
	return stepped;
}

Test(line_dut, gives_word_by_word_what_the_plain_models_give)
{
	static struct dut_frame in[PLAIN_MAX_FRAMES], out[PLAIN_MAX_OUT];
	static struct expected expected;
	uint64_t seed = 5150, stepped[WAYS] = {0};

	for (unsigned round = 0; round < 400; round++) {
		struct random_dut made;
		size_t frames;

		random_dut_make(&seed, false, &made);
		frames = random_frames(&seed, in);
		for (unsigned way = 0; way < WAYS; way++) {
			struct dut_device *device = random_dut_open_device(&made);
			struct frame_store source;

			cr_assert(device != NULL && frame_store_init(&source) == 0);
			fill(&source, in, frames);
			expected = (struct expected){.frames = out, .settings = made.text};
			expected.count = random_dut_plain(&made, in, frames, out);
			stepped[way] += play(device, &source, &expected, (enum idle_words)way);
			frame_store_release(&source);
			dut_device_destroy(device);
		}
	}
	cr_assert(stepped[LEAVE_OUT] < stepped[PUT_IN] / 2, "%" PRIu64 " of %" PRIu64 " words: hardly one is left out",
	          stepped[LEAVE_OUT], stepped[PUT_IN]);
}

Test(line_dut, keeps_the_octets_of_a_frame_that_is_put_aside_however_many_pass_it)
{
	enum { FRAMES = 120, JUMBO = 9216 };
	static struct dut_frame in[FRAMES], out[FRAMES];
	static struct expected expected;
	struct random_dut made = {
	        .options = {{"dut.model", "faults"},
	                    {"dut.reorder_every", "50"},
	                    {"dut.reorder_frames", "45"},
	                    {"dut.reorder_wait_ns", "1000000"}},
	        .option_count = 4,
	        .text = "reorder",
	        .stages = {STAGE_FAULTS},
	        .stage_count = 1,
	        .faults = {.every = {[2] = 50}, .reorder_frames = 45, .wait_ot = 12500000},
	        .dark_from_ot = UINT64_MAX,
	        .dark_until_ot = UINT64_MAX,
	};
	struct dut_device *device = random_dut_open_device(&made);
	struct frame_store source;

	for (unsigned i = 0; i < FRAMES; i++)
		in[i] = (struct dut_frame){.start_ot = i * UINT64_C(9240), .id = i, .octets = JUMBO};
	cr_assert(device != NULL && frame_store_init(&source) == 0);
	fill(&source, in, FRAMES);
	expected = (struct expected){.frames = out, .settings = made.text};
	expected.count = random_dut_plain(&made, in, FRAMES, out);
	cr_assert(expected.count == FRAMES && out[94].id == 49, "%" PRIu64, out[94].id);
	play(device, &source, &expected, PUT_IN);
	frame_store_release(&source);
	dut_device_destroy(device);
}
