// SPDX-License-Identifier: Apache-2.0
/* Line words and frames: there and back at every size and alignment, and whatever else may be on a line. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sim/line/line_decoder.h"
#include "sim/line/line_delay.h"
#include "sim/line/line_dut.h"
#include "sim/line/line_encoder.h"

enum { MAX_SEEN = 4096 };

static uint64_t draw(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % below;
}

/* A sink that records what it gets. */
struct seen {
	uint8_t room[LINE_MAX_FRAME_OCTETS + LINE_OCTETS];
	struct line_frame frames[MAX_SEEN];
	uint64_t sums[MAX_SEEN]; /* sums over the octets */
	size_t count;
};

static uint64_t sum_of(const uint8_t *octets, uint32_t length)
{
	uint64_t sum = length;

	for (uint32_t i = 0; i < length; i++)
		sum = sum * 6364136223846793005u + octets[i] + 1;
	return sum;
}

static uint8_t *begin(void *context)
{
	return ((struct seen *)context)->room;
}

static void end(void *context, const struct line_frame *frame)
{
	struct seen *seen = context;

	cr_assert(seen->count < MAX_SEEN);
	seen->frames[seen->count] = *frame;
	seen->sums[seen->count++] = sum_of(frame->octets, frame->length);
}

static struct seen *watch(struct line_decoder *decoder)
{
	struct seen *seen = calloc(1, sizeof(*seen));
	const struct line_sink sink = {begin, end, seen};

	line_decoder_init(decoder, &sink);
	return seen;
}

static void fill(uint8_t *octets, uint32_t length, uint64_t *seed)
{
	for (uint32_t i = 0; i < length; i++)
		octets[i] = (uint8_t)draw(seed, 256);
}

Test(line, every_size_comes_back_as_it_went_at_every_alignment)
{
	struct frame_store store;
	struct line_encoder encoder;
	struct line_decoder decoder;
	struct seen *seen = watch(&decoder);
	uint64_t seed = 7, word = 0, departure_ot = 64;

	cr_assert(frame_store_init(&store) == 0);
	line_encoder_init(&encoder, &store);
	for (uint32_t length = 64; length <= 9216; length += 1) {
		for (unsigned k = 0; k < (length < 700 ? 8 : 1); k++) {
			uint8_t *octets = frame_store_reserve(&store);
			struct line_word line;
			uint64_t sum;

			fill(octets, length, &seed);
			sum = sum_of(octets, length);
			cr_assert(frame_store_put(&store, length, departure_ot) == 0);
			seen->count = 0;
			while (seen->count == 0) {
				if (!line_encode(&encoder, word, &line))
					line = LINE_IDLE_WORD;
				line_decode(&decoder, word++, &line);
				cr_assert(word * LINE_OCTETS < departure_ot + length + 200);
			}
			cr_assert(seen->frames[0].start_ot == departure_ot && !seen->frames[0].broken);
			cr_assert(seen->frames[0].length == length && seen->sums[0] == sum, "%u octets", length);
			departure_ot = word * LINE_OCTETS + 8 * draw(&seed, 20);
		}
	}
	frame_store_release(&store);
	free(seen);
}

Test(line, frames_at_the_smallest_distances_share_words_and_stay_apart)
{
	static uint64_t sums[MAX_SEEN], starts[MAX_SEEN];
	struct frame_store store;
	struct line_encoder encoder;
	struct line_decoder decoder;
	struct seen *seen = watch(&decoder);
	uint64_t seed = 99, departure_ot = 0;
	struct line_word line;

	cr_assert(frame_store_init(&store) == 0);
	line_encoder_init(&encoder, &store);
	for (unsigned i = 0; i < MAX_SEEN; i++) {
		uint32_t length = (uint32_t)(i % 7 == 0 ? 64 + draw(&seed, 9000) : 64 + draw(&seed, 16));
		uint8_t *octets = frame_store_reserve(&store);

		fill(octets, length, &seed);
		sums[i] = sum_of(octets, length);
		starts[i] = departure_ot;
		cr_assert(frame_store_put(&store, length, departure_ot) == 0);
		departure_ot = (departure_ot + 8 + length + 5 + 7) / 8 * 8;
	}
	for (uint64_t word = 0; word * LINE_OCTETS < departure_ot + 64; word++) {
		if (!line_encode(&encoder, word, &line))
			line = LINE_IDLE_WORD;
		line_decode(&decoder, word, &line);
	}
	cr_assert(seen->count == MAX_SEEN, "%zu", seen->count);
	for (unsigned i = 0; i < MAX_SEEN; i++)
		cr_assert(seen->sums[i] == sums[i] && seen->frames[i].start_ot == starts[i], "frame %u", i);
	frame_store_release(&store);
	free(seen);
}

static void set(struct line_word *word, unsigned octet, uint8_t value, bool control)
{
	word->group[octet / 8] &= ~(UINT64_C(0xff) << 8 * (octet % 8));
	word->group[octet / 8] |= (uint64_t)value << 8 * (octet % 8);
	word->ctrl &= ~(UINT64_C(1) << octet);
	word->ctrl |= (uint64_t)control << octet;
}

Test(line, what_does_not_end_with_terminate_is_broken)
{
	struct line_decoder decoder;
	struct seen *seen = watch(&decoder);
	struct line_word word = LINE_IDLE_WORD;

	/* A start in group 0, and one inside that frame in group 4, which an error character ends in the next word. */
	word.group[0] = word.group[4] = LINE_PREAMBLE;
	word.ctrl = UINT64_C(0x0000000100000001);
	line_decode(&decoder, 10, &word);
	cr_assert(seen->count == 1 && seen->frames[0].broken && seen->frames[0].length == 24);
	word = LINE_IDLE_WORD;
	word.ctrl = 0;
	set(&word, 13, LINE_ERROR, true);
	set(&word, 14, LINE_TERMINATE, true);
	line_decode(&decoder, 11, &word);
	cr_assert(seen->count == 2 && seen->frames[1].broken && seen->frames[1].start_ot == 10 * LINE_OCTETS + 32);
	cr_assert(seen->frames[1].length == 24 + 13);
	cr_assert(line_decoder_idle(&decoder));
	free(seen);
}

Test(line, noise_never_reads_or_writes_outside_and_a_whole_frame_after_it_is_whole)
{
	static const uint8_t controls[] = {LINE_IDLE, LINE_START, LINE_TERMINATE, LINE_ERROR, LINE_START, 0x9c};
	struct line_decoder decoder;
	struct seen *seen = watch(&decoder);
	uint64_t seed = 5, word_number = 0;

	for (unsigned round = 0; round < 20000; round++) {
		struct line_word word;

		for (unsigned octet = 0; octet < LINE_OCTETS; octet++) {
			bool control = draw(&seed, round % 64 + 1) == 0;

			set(&word, octet, control ? controls[draw(&seed, 6)] : (uint8_t)draw(&seed, 256), control);
		}
		seen->count = 0;
		line_decode(&decoder, word_number++, &word);
		for (size_t i = 0; i < seen->count; i++)
			cr_assert(seen->frames[i].broken || seen->frames[i].length <= LINE_MAX_FRAME_OCTETS);
	}
	line_decode(&decoder, word_number++, &LINE_IDLE_WORD);
	seen->count = 0;
	for (unsigned i = 0; i < 3; i++) {
		struct line_word word = LINE_IDLE_WORD;

		if (i == 0)
			word.group[7] = LINE_PREAMBLE, word.ctrl &= ~(UINT64_C(0xfe) << 56);
		else if (i == 1)
			word.ctrl = 0;
		else
			set(&word, 0, LINE_TERMINATE, true);
		line_decode(&decoder, word_number++, &word);
	}
	cr_assert(seen->count == 1 && !seen->frames[0].broken && seen->frames[0].length == 64);
	free(seen);
}

Test(line, a_frame_that_never_ends_is_broken_and_bounded)
{
	struct line_decoder decoder;
	struct seen *seen = watch(&decoder);
	struct line_word word = LINE_IDLE_WORD;

	word.group[0] = LINE_PREAMBLE;
	word.ctrl = 1;
	line_decode(&decoder, 0, &word);
	word.ctrl = 0;
	for (uint64_t i = 1; i < 100000; i++)
		line_decode(&decoder, i, &word);
	line_decode(&decoder, 100000, &LINE_IDLE_WORD);
	cr_assert(seen->count == 1 && seen->frames[0].broken);
	free(seen);
}

Test(line, a_delayed_line_is_the_same_line_later)
{
	enum { WORDS = 600 };
	static struct line_word in[WORDS];
	uint64_t seed = 3;

	for (unsigned i = 0; i < WORDS; i++) {
		in[i] = LINE_IDLE_WORD;
		for (unsigned g = 0; draw(&seed, 3) != 0 && g < LINE_GROUPS; g++) {
			in[i].group[g] = draw(&seed, UINT64_MAX);
			in[i].ctrl ^= draw(&seed, 256) << 8 * g;
		}
	}
	for (uint64_t delay_ot = 0; delay_ot < 40 * 64; delay_ot += 8) {
		struct line_delay delay;

		cr_assert(line_delay_init(&delay, delay_ot) == 0);
		for (uint64_t w = 0; w < WORDS; w++) {
			struct line_word out;
			bool due = line_delay_next(&delay) <= w;

			cr_assert(line_delay_put(&delay, w, &in[w]) == 0);
			if (!line_delay_get(&delay, w, &out)) {
				cr_assert(!due);
				out = LINE_IDLE_WORD;
			}
			for (uint64_t g = 0; g < LINE_GROUPS; g++) {
				uint64_t out_group = w * LINE_GROUPS + g;
				uint64_t in_group = out_group - delay_ot / 8;
				const struct line_word *from =
				        out_group < delay_ot / 8 ? &LINE_IDLE_WORD : &in[in_group / LINE_GROUPS];
				unsigned fg = (unsigned)(in_group % LINE_GROUPS);

				cr_assert(out.group[g] == from->group[fg] &&
				                  (out.ctrl >> 8 * g & 0xff) == (from->ctrl >> 8 * fg & 0xff),
				          "delay %u word %u group %u", (unsigned)delay_ot, (unsigned)w, (unsigned)g);
			}
		}
		line_delay_release(&delay);
	}
}

/* A DUT between lines must do what its model says, frame by frame, with and without idle words. */
static void compare_with_model(const char *model, const char *latency_ns, bool leave_out)
{
	const struct fpgauge_sim_option given[] = {{"dut.model", model}, {"dut.latency_ns", latency_ns}};
	const char *bad_option;
	char error[256];
	const struct sim_options options = {given, 2, &bad_option, error, sizeof(error)};
	static uint64_t sums[MAX_SEEN], departures[MAX_SEEN];
	struct dut_device *device = NULL;
	struct dut *alone;
	struct line_dut line;
	struct frame_store source;
	struct line_encoder encoder;
	struct line_decoder decoder;
	struct seen *seen = watch(&decoder);
	uint64_t seed = 11, start_ot = 0, last_ot = 0;
	struct line_word in, out;

	cr_assert(dut_create(&options, NULL, 0, UINT64_C(100000000000), &alone, 1) == 0, "%s", error);
	cr_assert(dut_device_create(&options, NULL, 0, UINT64_C(100000000000), 2, &device) == 0, "%s", error);
	cr_assert(line_dut_init(&line, device) == 0 && frame_store_init(&source) == 0);
	line_encoder_init(&encoder, &source);
	for (unsigned i = 0; i < 500; i++) {
		struct dut_frame frame = {.start_ot = start_ot, .octets = (uint32_t)(64 + draw(&seed, 200))};
		uint8_t *octets = frame_store_reserve(&source);
		struct dut_frame leaves;
		size_t count = 1;

		fill(octets, frame.octets, &seed);
		sums[i] = sum_of(octets, frame.octets);
		cr_assert(frame_store_put(&source, frame.octets, start_ot) == 0);
		cr_assert(dut_pass(alone, &frame, &count, start_ot, &leaves, 1) == 1 && count == 1);
		departures[i] = leaves.start_ot;
		start_ot = dut_group_up(start_ot + frame.octets + 20) + 8 * draw(&seed, 40);
		last_ot = departures[i] + frame.octets;
	}
	for (uint64_t word = 0; word * LINE_OCTETS < last_ot + 200; word++) {
		uint64_t next = line_dut_next(&line);

		if (leave_out && line_encoder_next(&encoder) > word && next > word)
			continue;
		if (!line_encode(&encoder, word, &in))
			in = LINE_IDLE_WORD;
		line_dut_put(&line, 0, word, &in);
		line_dut_put_idle(&line, 1, word);
		line_dut_pass(&line, word);
		if (!line_dut_take(&line, 1, word, &out))
			out = LINE_IDLE_WORD;
		line_decode(&decoder, word, &out);
	}
	cr_assert(seen->count == 500, "%zu", seen->count);
	for (unsigned i = 0; i < 500; i++)
		cr_assert(seen->frames[i].start_ot == departures[i] && seen->sums[i] == sums[i], "frame %u", i);
	line_dut_release(&line);
	frame_store_release(&source);
	dut_device_destroy(device);
	dut_destroy(alone);
	free(seen);
}

Test(line, a_dut_between_lines_does_what_its_model_says)
{
	compare_with_model("wire", "0", false);
	compare_with_model("wire", "123", false);
	compare_with_model("fifo", "0", false);
	compare_with_model("fifo", "321", false);
}

Test(line, idle_words_may_be_left_out)
{
	compare_with_model("wire", "0", true);
	compare_with_model("wire", "777.5", true);
	compare_with_model("fifo", "0", true);
	compare_with_model("fifo", "4321", true);
}
