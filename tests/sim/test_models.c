// SPDX-License-Identifier: Apache-2.0
/* Every model and stack against a second, plain implementation, frame by frame, over random settings and frames;
 * however the frames are split into calls; and across jumps. A failure prints the settings. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "tests/sim/plain_dut.h"
#include "tests/sim/random_dut.h"

enum { MAX_OUT = 2 * PLAIN_MAX_OUT };

/* Frames that a DUT output, and what it promised about them. */
struct given {
	struct dut_frame frames[MAX_OUT];
	size_t count;
	uint64_t none_before_ot, none_below_id; /* limits for frames yet to come */
};

static void take(struct given *given, const struct dut_frame *out, size_t count, const struct random_dut *made)
{
	for (size_t i = 0; i < count; i++) {
		cr_assert(given->count < MAX_OUT);
		cr_assert(out[i].start_ot >= given->none_before_ot,
		          "%s: frame %" PRIu64 " at %" PRIu64 " after %" PRIu64, made->text, out[i].id, out[i].start_ot,
		          given->none_before_ot);
		cr_assert(out[i].id >= given->none_below_id, "%s: frame %" PRIu64, made->text, out[i].id);
		given->frames[given->count++] = out[i];
	}
}

/* Passes one block with a promise, in calls with little or much room. */
static void pass(struct dut *dut, const struct dut_frame *in, size_t count, uint64_t known_ot, size_t room,
                 struct given *given, const struct random_dut *made)
{
	struct dut_frame out[64];
	size_t got;

	do {
		size_t taken = count;

		got = dut_pass(dut, in, &taken, known_ot, out, room);
		cr_assert(got <= room && taken <= count);
		take(given, out, got, made);
		in += taken;
		count -= taken;
	} while (got == room);
	cr_assert(count == 0, "%s: %zu frames not taken", made->text, count);
}

static bool delays_line(const struct dut *dut)
{
	uint64_t delay_ot;

	return dut_delays_line(dut, &delay_ot);
}

/* Plays as a simulation of the line does: each frame when it is complete, with promises in between. */
static void play_one_by_one(struct dut *dut, uint64_t *seed, const struct dut_frame *in, size_t count,
                            struct given *given, const struct random_dut *made)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t end_ot = dut_frame_end_ot(&in[i]);
		const uint64_t next_ot = i + 1 < count ? dut_frame_end_ot(&in[i + 1]) : end_ot + 20000;
		uint64_t known_ot = end_ot;

		given->none_below_id = 0;
		pass(dut, &in[i], 1, end_ot, 1 + random_draw(seed, 64), given, made);
		for (;;) {
			const uint64_t quiet_ot = dut_quiet_until(dut);

			if (!delays_line(dut))
				given->none_before_ot = quiet_ot < next_ot && quiet_ot > known_ot ? quiet_ot : known_ot;
			given->none_below_id = dut_oldest_id(dut) > i + 1 ? i + 1 : dut_oldest_id(dut);
			if (known_ot == next_ot)
				break;
			known_ot += 1 + random_draw(seed, next_ot - known_ot);
			pass(dut, NULL, 0, known_ot, 1 + random_draw(seed, 64), given, made);
		}
	}
	given->none_below_id = 0;
	pass(dut, NULL, 0, UINT64_MAX, 64, given, made);
}

static void play_in_blocks(struct dut *dut, uint64_t *seed, const struct dut_frame *in, size_t count,
                           struct given *given, const struct random_dut *made)
{
	for (size_t i = 0; i < count;) {
		const size_t left = count - i;
		const size_t block = random_draw(seed, 3) == 0 ? left : random_draw(seed, left < 70 ? left + 1 : 70);
		uint64_t known_ot = i + block < count ? in[i + block].start_ot : UINT64_MAX;

		if (i + block < count && random_draw(seed, 2))
			known_ot = dut_frame_end_ot(&in[i + block]);
		pass(dut, in + i, block, known_ot, 1 + random_draw(seed, 64), given, made);
		i += block;
	}
	pass(dut, NULL, 0, UINT64_MAX, 64, given, made);
}

static void compare(const struct random_dut *made, const struct dut_frame *expected, size_t count,
                    const struct given *given)
{
	for (size_t i = 0; i < count && i < given->count; i++) {
		const struct dut_frame *a = &expected[i], *b = &given->frames[i];

		cr_assert(a->start_ot == b->start_ot && a->id == b->id && a->octets == b->octets &&
		                  a->flags == b->flags,
		          "%s: output %zu: frame %" PRIu64 " at %" PRIu64 " flags %u, not frame %" PRIu64 " at %" PRIu64
		          " flags %u",
		          made->text, i, b->id, b->start_ot, b->flags, a->id, a->start_ot, a->flags);
	}
	cr_assert(count == given->count, "%s: %zu frames, not %zu", made->text, given->count, count);
}

Test(models, give_what_the_plain_models_give_however_the_frames_are_cut_into_calls)
{
	static struct dut_frame in[PLAIN_MAX_FRAMES], expected[PLAIN_MAX_OUT];
	static struct given given;
	uint64_t seed = 88172645463325252u;
	uint64_t lost = 0, copies = 0, corrupt = 0, altered = 0, overtaken = 0;

	for (unsigned round = 0; round < 4000; round++) {
		struct random_dut made;
		size_t frames, count;
		struct dut *dut;

		random_dut_make(&seed, false, &made);
		frames = random_frames(&seed, in);
		count = random_dut_plain(&made, in, frames, expected);
		for (unsigned way = 0; way < 2; way++) {
			dut = random_dut_open(&made);
			cr_assert(dut != NULL);
			given = (struct given){.count = 0};
			(way == 0 ? play_one_by_one : play_in_blocks)(dut, &seed, in, frames, &given, &made);
			compare(&made, expected, count, &given);
			dut_destroy(dut);
		}
		lost += frames > count ? frames - count : 0;
		copies += count > frames ? count - frames : 0;
		for (size_t i = 0; i < count; i++) {
			corrupt += (expected[i].flags & DUT_FRAME_CORRUPT) != 0;
			altered += (expected[i].flags & DUT_FRAME_ALTERED) != 0;
			overtaken += i > 0 && expected[i].id < expected[i - 1].id;
		}
	}
	cr_assert(lost > 50000 && copies > 10000 && corrupt > 10000 && altered > 10000 && overtaken > 10000,
	          "%" PRIu64 " lost, %" PRIu64 " more, %" PRIu64 " corrupt, %" PRIu64 " altered, %" PRIu64
	          " overtaken: this proves little",
	          lost, copies, corrupt, altered, overtaken);
}

/* The same DUT without the time of its reset in the settings. */
static struct dut *open_without_time(const struct random_dut *made)
{
	struct random_dut other = *made;

	other.option_count = 0;
	for (size_t i = 0; i < made->option_count; i++)
		if (strcmp(made->options[i].name, "dut.dark_at_ns") != 0)
			other.options[other.option_count++] = made->options[i];
	return random_dut_open(&other);
}

/* Plays frames up to the command, and takes those that still come out despite it. Returns how many went in. */
static size_t play_until_reset(struct dut *dut, uint64_t *seed, const struct dut_frame *in, size_t count,
                               struct given *given, const struct random_dut *made)
{
	const uint64_t from_ot = made->dark_from_ot;
	const uint64_t now_ot = from_ot > DUT_RESET_LEAD_OT ? from_ot - DUT_RESET_LEAD_OT : 0;
	const uint64_t known_ot = now_ot + random_draw(seed, from_ot - now_ot + 1);
	size_t known = 0;

	while (known < count && dut_frame_end_ot(&in[known]) < known_ot)
		known++;
	pass(dut, in, known, known_ot, 1 + random_draw(seed, 64), given, made);
	cr_assert(dut_reset(dut, from_ot));
	while (given->count > 0 && given->frames[given->count - 1].start_ot >= from_ot)
		given->count--;
	return known;
}

Test(models, give_after_a_reset_on_command_what_one_by_setting_gives)
{
	static struct dut_frame in[PLAIN_MAX_FRAMES], expected[PLAIN_MAX_OUT];
	static struct given given;
	uint64_t seed = 2463534242u, taken_back = 0;
	unsigned resets = 0;

	for (unsigned round = 0; round < 4000; round++) {
		struct random_dut made;
		size_t frames, count, known;
		struct dut *dut;

		random_dut_make(&seed, false, &made);
		frames = random_frames(&seed, in);
		if (made.dark_from_ot == UINT64_MAX)
			continue;
		count = random_dut_plain(&made, in, frames, expected);
		dut = open_without_time(&made);
		cr_assert(dut != NULL);
		given = (struct given){.count = 0};
		known = play_until_reset(dut, &seed, in, frames, &given, &made);
		taken_back += known > given.count;
		play_in_blocks(dut, &seed, in + known, frames - known, &given, &made);
		compare(&made, expected, count, &given);
		dut_destroy(dut);
		resets++;
	}
	cr_assert(resets > 500 && taken_back > 100, "%u resets: this proves little", resets);
}

Test(models, leave_legal_gaps)
{
	static struct dut_frame in[PLAIN_MAX_FRAMES];
	static struct given given;
	uint64_t seed = 4711;

	for (unsigned round = 0; round < 1000; round++) {
		struct random_dut made;
		uint64_t ideal_ot = 0;
		struct dut *dut;
		size_t frames;

		random_dut_make(&seed, false, &made);
		frames = random_frames(&seed, in);
		dut = random_dut_open(&made);
		given = (struct given){.count = 0};
		play_in_blocks(dut, &seed, in, frames, &given, &made);
		for (size_t i = 0; i < given.count; i++) {
			const struct dut_frame *frame = &given.frames[i];

			cr_assert(frame->start_ot % 8 == 0 && frame->start_ot + 7 >= ideal_ot, "%s", made.text);
			ideal_ot = (frame->start_ot > ideal_ot ? frame->start_ot : ideal_ot) + frame->octets + 20;
		}
		dut_destroy(dut);
	}
}

/* -- jumps --------------------------------------------------------------------------------------------------------- */

enum { PERIOD_FRAMES = 24, MAX_PERIODS = 60, JUMP = 5, MAX_STATE = 1 << 16 };

/* A repeating pattern: the offset of its frames from its start, and of the start of the next one. */
static uint64_t make_period(uint64_t *seed, struct dut_frame *period)
{
	uint64_t start_ot = 0;
	uint32_t octets = 64;

	for (size_t i = 0; i < PERIOD_FRAMES; i++) {
		octets = random_draw(seed, 2) ? octets : (uint32_t)(64 + random_draw(seed, 300));
		period[i] = (struct dut_frame){.start_ot = start_ot, .id = i, .octets = octets};
		start_ot += dut_group_up(octets + 13) + 8 * random_draw(seed, 12);
	}
	return start_ot;
}

static void play_period(struct dut *dut, const struct dut_frame *period, uint64_t at_ot, uint64_t length_ot,
                        uint64_t number, struct given *given, const struct random_dut *made)
{
	struct dut_frame in[PERIOD_FRAMES];

	for (size_t i = 0; i < PERIOD_FRAMES; i++) {
		in[i] = period[i];
		in[i].start_ot += at_ot + number * length_ot;
		in[i].id += number * PERIOD_FRAMES;
	}
	given->count = 0;
	given->none_before_ot = given->none_below_id = 0;
	pass(dut, in, PERIOD_FRAMES, at_ot + (number + 1) * length_ot, 64, given, made);
}

/* Plays until a period ends as it began. Returns its number; 0: none does. */
static uint64_t settle(struct dut *dut, const struct dut_frame *period, uint64_t at_ot, uint64_t length_ot,
                       struct given *given, const struct random_dut *made)
{
	static uint8_t states[2][MAX_STATE];
	size_t sizes[2] = {0, 0};

	for (uint64_t i = 0; i < MAX_PERIODS; i++) {
		play_period(dut, period, at_ot, length_ot, i, given, made);
		sizes[i & 1] =
		        dut_state(dut, at_ot + (i + 1) * length_ot, (i + 1) * PERIOD_FRAMES, states[i & 1], MAX_STATE);
		cr_assert(sizes[i & 1] <= MAX_STATE);
		if (sizes[i & 1] == 0)
			return 0;
		if (sizes[0] == sizes[1] && memcmp(states[0], states[1], sizes[0]) == 0)
			return i;
	}
	return 0;
}

static void same_later(const struct given *a, const struct given *b, uint64_t ot, uint64_t ids,
                       const struct random_dut *made)
{
	cr_assert(a->count == b->count, "%s: %zu and %zu frames", made->text, a->count, b->count);
	for (size_t i = 0; i < a->count; i++)
		cr_assert(a->frames[i].start_ot + ot == b->frames[i].start_ot &&
		                  a->frames[i].id + ids == b->frames[i].id && a->frames[i].flags == b->frames[i].flags,
		          "%s: output %zu", made->text, i);
}

/* True when the DUT ended up repeating itself and could be jumped. */
static bool jump_once(uint64_t *seed)
{
	static struct given given, at_rest, later;
	struct dut_frame period[PERIOD_FRAMES], tail[PERIOD_FRAMES];
	struct random_dut made;
	uint64_t at_ot, length_ot, tail_length_ot, settled, steady_ot, last_ot = 0;
	struct dut *played, *jumped;

	random_dut_make(seed, true, &made);
	length_ot = make_period(seed, period);
	tail_length_ot = make_period(seed, tail);
	at_ot = made.dark_until_ot == UINT64_MAX ? 80 : dut_group_up(made.dark_until_ot);
	played = random_dut_open(&made);
	jumped = random_dut_open(&made);
	settled = settle(played, period, at_ot, length_ot, &given, &made);
	cr_assert(settle(jumped, period, at_ot, length_ot, &at_rest, &made) == settled);
	steady_ot = dut_steady_until(played);
	for (uint64_t i = 1; settled != 0 && i <= JUMP; i++) {
		play_period(played, period, at_ot, length_ot, settled + i, &given, &made);
		last_ot = given.count > 0 ? dut_frame_end_ot(&given.frames[given.count - 1]) : last_ot;
		if (last_ot >= steady_ot || at_ot + (settled + i + 1) * length_ot >= steady_ot)
			settled = 0;
		else
			same_later(&at_rest, &given, i * length_ot, i * PERIOD_FRAMES, &made);
	}
	if (settled != 0) {
		const uint64_t first = settled + JUMP + 1;
		const uint64_t tail_ot = at_ot + first * length_ot - first * tail_length_ot;

		dut_shift(jumped, JUMP * length_ot, JUMP * PERIOD_FRAMES);
		for (uint64_t i = first; i < first + 4; i++) {
			play_period(played, tail, tail_ot, tail_length_ot, i, &given, &made);
			play_period(jumped, tail, tail_ot, tail_length_ot, i, &later, &made);
			same_later(&given, &later, 0, 0, &made);
		}
	}
	dut_destroy(played);
	dut_destroy(jumped);
	return settled != 0;
}

Test(models, go_on_after_a_jump_as_if_they_had_played)
{
	uint64_t seed = 1234567;
	unsigned jumps = 0;

	for (unsigned round = 0; round < 2000; round++)
		jumps += jump_once(&seed);
	cr_assert(jumps > 600, "%u jumps: this proves little", jumps);
}
