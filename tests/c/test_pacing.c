/* SPDX-License-Identifier: Apache-2.0 */
/* Gaps and frame counts against values worked out by hand and against brute force. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "host/base/uint128.h"
#include "host/trial/pacing/frames.h"
#include "host/trial/pacing/pacing.h"
#include "tests/c/traffic_walk.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);

static struct trial_request load_request(uint32_t frame_octets, uint64_t numerator, uint64_t denominator)
{
	return (struct trial_request){.kind = TRIAL_LOAD,
	                              .shape = traffic_shape_plain(frame_octets),
	                              .gap_octets = 12,
	                              .load = {numerator, denominator},
	                              .duration_ot = 84000};
}

static struct pacing paced(const struct trial_request *request)
{
	struct pacing pacing;
	struct error error = {0};

	cr_assert_eq(pacing_of_request(request, LINK_BPS, &pacing, &error), 0, "%s", error.text);
	return pacing;
}

Test(pacing, gaps_of_known_loads)
{
	static const struct {
		uint32_t frame_octets;
		uint64_t fps_n, fps_d;
		uint64_t gap;
		uint32_t numerator, denominator;
	} rows[] = {
	        {64, UINT64_C(3125000000), 21, 12, 0, 1},             /* line rate */
	        {64, UINT64_C(3125000000), 42, 96, 0, 1},             /* half: 168 octet times per frame */
	        {64, 100000000, 1, 53, 0, 1},                         /* 125 octet times */
	        {64, UINT64_C(3125000000) * 999, 21000, 12, 28, 333}, /* 99.9%: 84 + 84/999 */
	        {1518, 1000000, 3, 35974, 0, 1},                      /* 37500 - 1526 */
	        {9216, 7, 1, UINT64_C(1785705061), 5, 7},             /* 12.5e9 / 7 - 9224 */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct trial_request request = load_request(rows[i].frame_octets, rows[i].fps_n, rows[i].fps_d);
		struct pacing pacing = paced(&request);

		cr_expect(pacing.gap_octets == rows[i].gap && pacing.numerator == rows[i].numerator &&
		                  pacing.denominator == rows[i].denominator,
		          "row %zu: %lu + %u / %u", i, (unsigned long)pacing.gap_octets, pacing.numerator,
		          pacing.denominator);
	}
}

Test(pacing, a_load_above_line_rate_is_refused)
{
	struct trial_request request = load_request(64, UINT64_C(3125000000) + 1, 21);
	struct pacing pacing;
	struct error error = {0};

	cr_assert_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), ERROR_INTERNAL);
	request = load_request(64, UINT64_C(12500000000), 83);
	cr_assert_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), ERROR_INTERNAL);
	request.gap_octets = 11; /* RFC 2889 5.6.3.2 asks for it */
	cr_assert_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), 0);
	cr_assert_eq(pacing.gap_octets, 11);
}

Test(pacing, what_the_device_cannot_do_is_refused)
{
	struct pacing pacing;
	struct error error = {0};
	struct trial_request none = load_request(64, 0, 1), slow = load_request(64, 1, 100),
	                     empty = load_request(64, 1, 1);
	struct trial_request burst = {.kind = TRIAL_BURST, .shape = traffic_shape_plain(64), .gap_octets = 12};

	empty.duration_ot = 0;
	cr_assert_eq(pacing_of_request(&none, LINK_BPS, &pacing, &error), ERROR_INTERNAL);
	cr_assert_eq(pacing_of_request(&slow, LINK_BPS, &pacing, &error), ERROR_INTERNAL, "a gap beyond 40 bits");
	cr_assert_eq(pacing_of_request(&empty, LINK_BPS, &pacing, &error), ERROR_INTERNAL);
	cr_assert_eq(pacing_of_request(&burst, LINK_BPS, &pacing, &error), ERROR_INTERNAL);
	burst.burst_frames = UINT64_C(1) << 48;
	cr_assert_eq(pacing_of_request(&burst, LINK_BPS, &pacing, &error), ERROR_INTERNAL);
}

/* Frames counted one by one: ideal start rounded down to a group of 8 octets, below the duration. */
static uint64_t count_frames(const struct trial_request *request, const struct pacing *pacing)
{
	uint128 period = (uint128)(request->shape.frame_octets + 8 + pacing->gap_octets) * pacing->denominator +
	                 pacing->numerator;
	uint64_t frames = 0;

	while ((uint64_t)(frames * period / pacing->denominator) / 8 * 8 < request->duration_ot)
		frames++;
	return frames;
}

Test(pacing, frames_of_a_load_are_those_that_a_count_finds)
{
	srand(2544);
	for (unsigned i = 0; i < 2000; i++) {
		struct trial_request request = load_request(64 + (uint32_t)rand() % 9153,
		                                            (uint64_t)rand() % 1300000 + 1, 1 + (uint64_t)rand() % 7);
		struct pacing pacing;

		request.duration_ot = 1 + (uint64_t)rand() % 3000000;
		pacing = paced(&request);
		cr_assert_eq(pacing.frames[0], count_frames(&request, &pacing), "%u octets, %lu / %lu fps, %lu ot",
		             request.shape.frame_octets, (unsigned long)request.load.numerator,
		             (unsigned long)request.load.denominator, (unsigned long)request.duration_ot);
	}
}

/* The x with a x = 1 (mod m), by the extended Euclidean algorithm. */
static int64_t inverse(int64_t a, int64_t m)
{
	int64_t r0 = m, r1 = a % m, x0 = 0, x1 = 1;

	while (r1) {
		int64_t q = r0 / r1, r2 = r0 - q * r1, x2 = x0 - q * x1;

		r0 = r1, r1 = r2, x0 = x1, x1 = x2;
	}
	return (x0 % m + m) % m;
}

/* c / d is the least fraction >= target with a denominator of 32 bits iff the target lies between it and its lower
 * neighbour e / f in the Farey sequence of that order: c f - e d = 1, f the largest that fits. */
static void check_nearest_above(uint128 rest, uint128 whole, uint64_t c, uint64_t d)
{
	uint64_t f = (uint64_t)inverse((int64_t)c, (int64_t)d), e;

	f += (UINT32_MAX - f) / d * d;
	e = (uint64_t)(((uint128)c * f - 1) / d);
	cr_assert_geq((uint128)c * whole, rest * d, "never faster than asked");
	cr_assert_lt((uint128)e * whole, rest * f, "%lu / %lu is nearer than %lu / %lu", (unsigned long)e,
	             (unsigned long)f, (unsigned long)c, (unsigned long)d);
}

Test(pacing, a_fraction_too_long_for_the_device_is_the_nearest_slower_one)
{
	unsigned checked = 0;

	srand(9004);
	for (unsigned i = 0; i < 5000; i++) {
		uint64_t denominator = (uint64_t)rand() % (UINT64_C(1) << 30) * 4 + 1;
		uint64_t fps = 1000 + (uint64_t)rand() % 100000000;
		struct trial_request request = load_request(64, denominator * fps + (uint64_t)rand(), denominator);
		struct pacing pacing = paced(&request);
		uint128 whole = (uint128)8 * request.load.numerator;
		uint128 rest = (uint128)LINK_BPS * request.load.denominator - whole * (72 + (uint128)pacing.gap_octets);

		cr_assert_lt(pacing.numerator, pacing.denominator);
		if (pacing.numerator == 0 || rest >= whole) /* a whole octet */
			continue;
		check_nearest_above(rest, whole, pacing.numerator, pacing.denominator);
		checked++;
	}
	cr_assert_gt(checked, 4900u);
}

Test(pacing, the_rate_that_is_programmed_is_told)
{
	struct trial_request request = load_request(64, UINT64_C(1234567890123457), 10000000);
	double asked = rate_fps(request.load), got = paced(&request).fps;

	cr_assert_leq(got, asked);
	cr_assert_float_eq(got / asked, 1, 1e-15);
}

Test(pacing, a_burst_is_exactly_its_frames_at_the_minimum_gap)
{
	struct trial_request request = {
	        .kind = TRIAL_BURST, .shape = traffic_shape_plain(65), .gap_octets = 12, .burst_frames = 26000};
	struct pacing pacing = paced(&request);

	cr_assert(pacing.gap_octets == 12 && pacing.numerator == 0 && pacing.denominator == 1);
	cr_assert(pacing.frames[0] == 26000 && pacing.frames[15] == 26000 && pacing.stop_frames == 26000 &&
	          pacing.duration_ot == 0);
	cr_assert_float_eq(pacing.fps, 1e11 / 8 / 85, 1e-3);
}

static struct trial_request bursts_of(uint64_t frames, uint64_t bursts, uint64_t gap_octets)
{
	return (struct trial_request){.kind = TRIAL_BURST,
	                              .shape = traffic_shape_plain(65),
	                              .gap_octets = 12,
	                              .burst_frames = frames,
	                              .bursts = bursts,
	                              .burst_gap_octets = gap_octets};
}

Test(pacing, several_bursts_are_whole_and_as_far_apart_as_asked)
{
	srand(21);
	for (unsigned i = 0; i < 1000; i++) {
		const uint64_t frames = 1 + (uint64_t)rand() % 50, bursts = 2 + (uint64_t)rand() % 50;
		const uint64_t gap = 13 + (uint64_t)rand() % 5000;
		const struct trial_request request = bursts_of(frames, bursts, gap);
		const struct pacing pacing = paced(&request);
		uint64_t end_ot = 0;

		for (uint64_t burst = 0; burst < bursts; burst++)
			end_ot += (burst ? gap - 12 : 0) + frames * 85;
		cr_assert(pacing.burst_frames == frames && pacing.burst_gap_octets == gap && pacing.gap_octets == 12);
		cr_assert_eq(pacing.stop_frames, frames * bursts);
		cr_assert_eq(pacing.frames[1], frames * bursts);
		cr_assert_eq(pacing.sending_ot, end_ot + 1, "%lu, not %lu", (unsigned long)pacing.sending_ot,
		             (unsigned long)end_ot + 1);
		cr_assert_float_eq(pacing.fps, 1e11 / 8 * (double)frames / (double)(frames * 85 + gap - 12), 1e-3);
	}
}

Test(pacing, one_burst_has_no_gap_to_the_next)
{
	for (uint64_t bursts = 0; bursts <= 1; bursts++) {
		const struct trial_request request = bursts_of(100, bursts, 7);
		const struct pacing pacing = paced(&request);

		cr_expect(pacing.burst_frames == 0 && pacing.stop_frames == 100);
		cr_expect_float_eq(pacing.fps, 1e11 / 8 / 85, 1e-3);
	}
}

Test(pacing, several_bursts_at_the_minimum_gap_are_one)
{
	const struct trial_request request = bursts_of(16, 100, 12);
	const struct pacing pacing = paced(&request);

	cr_expect(pacing.burst_frames == 0 && pacing.stop_frames == 1600 && pacing.frames[0] == 1600);
	cr_expect_eq(pacing.sending_ot, 1600 * 85 + 1);
	cr_expect_float_eq(pacing.fps, 1e11 / 8 / 85, 1e-3);
}

Test(pacing, several_bursts_that_the_device_cannot_send_are_refused)
{
	const struct trial_request wrong[] = {bursts_of(0, 2, 12), bursts_of(16, 2, 11),
	                                      bursts_of(16, 2, UINT64_C(1) << 40), bursts_of(UINT64_C(1) << 32, 2, 12),
	                                      bursts_of(1 << 20, UINT64_C(1) << 28, 12)};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct pacing pacing;
		struct error error = {0};

		cr_expect_eq(pacing_of_request(&wrong[i], LINK_BPS, &pacing, &error), ERROR_INTERNAL, "%zu", i);
	}
}

/* Starts of the frames of a port, one after the other, in octet times times the denominator. */
static uint64_t starts_before(const struct traffic *traffic, unsigned port, const struct pacing *pacing,
                              uint64_t duration_ot)
{
	struct walk walk = {.port = &traffic->port[port]};
	uint128 start = 0;
	uint64_t frames = 0;

	while ((uint64_t)(start / pacing->denominator) / 8 * 8 < duration_ot) {
		start += (uint128)(walk_next(&walk).octets + 8 + pacing->gap_octets) * pacing->denominator +
		         pacing->numerator;
		frames++;
	}
	return frames;
}

Test(pacing, mixed_lengths_are_paced_by_their_average_and_counted_one_by_one)
{
	unsigned differ = 0;

	srand(1);
	for (unsigned round = 0; round < 300; round++) {
		struct trial_request request = load_request(0, 1, 1);
		struct traffic traffic;
		struct pacing pacing;
		struct error error = {0};
		struct rate most;
		double asked;
		uint64_t octets = 0;

		request.shape.pattern = round % 2 ? TRAFFIC_MESH : TRAFFIC_ONE_TO_MANY;
		request.shape.sizes.count = 1 + (unsigned)rand() % 64;
		for (unsigned i = 0; i < request.shape.sizes.count; i++) {
			request.shape.sizes.octets[i] = (uint16_t)(64 + rand() % 1455);
			octets += request.shape.sizes.octets[i];
		}
		cr_assert_eq(traffic_build(&request.shape, 4, &LIMITS, &traffic, &error), 0, "%s", error.text);
		request.traffic = &traffic;
		request.duration_ot = 1 + (uint64_t)rand() % 3000000;
		most = traffic_max_rate(&traffic, 0, LINK_BPS);
		request.load = rate_scale(most, 1 + (uint64_t)rand() % 1000, 1000);
		pacing = paced(&request);
		asked = rate_fps(request.load);
		cr_expect_leq(pacing.fps, asked * (1 + 1e-12));
		cr_expect_geq(pacing.fps, asked * (1 - 1e-9));
		cr_expect_float_eq(12.5e9 / ((double)octets / request.shape.sizes.count + 8 +
		                             (double)pacing.gap_octets + (double)pacing.numerator / pacing.denominator),
		                   asked, asked * 1e-9);
		for (unsigned port = 0; port < 4; port++) {
			const uint64_t frames = starts_before(&traffic, port, &pacing, request.duration_ot);

			cr_assert_eq(pacing.frames[port], frames);
			differ += frames != pacing.frames[0];
		}
		request.load = most;
		pacing = paced(&request);
		cr_expect(pacing.gap_octets == 12 && pacing.numerator == 0);
		request.load = rate_scale(most, 1000001, 1000000);
		cr_expect_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), ERROR_INTERNAL);
		traffic_free(&traffic);
	}
	cr_expect_gt(differ, 100, "ports with another number of flows have another number of frames");
}

/* The same, with others before the first of them. */
static uint64_t count_beside(const struct trial_request *request, const struct pacing *pacing, uint64_t others,
                             uint32_t octets)
{
	const uint128 rest = (uint128)(8 + pacing->gap_octets) * pacing->denominator + pacing->numerator;
	uint128 at = 0;
	uint64_t frames = 0;

	for (uint64_t i = 0; i < others; i++)
		at += rest + (uint128)octets * pacing->denominator;
	for (; (uint64_t)(at / pacing->denominator) / 8 * 8 < request->duration_ot; frames++)
		at += rest + (uint128)request->shape.frame_octets * pacing->denominator;
	return frames;
}

Test(pacing, frames_beside_others_are_those_that_a_count_finds)
{
	srand(826);
	for (unsigned i = 0; i < 2000; i++) {
		struct trial_request request = load_request(64 + (uint32_t)rand() % 1455,
		                                            (uint64_t)rand() % 1300000 + 1, 1 + (uint64_t)rand() % 7);
		const unsigned port = (unsigned)rand() % TRIAL_MAX_PORTS; /* all alike: they send one length */
		const uint64_t others = (uint64_t)rand() % 50;
		const uint32_t octets = 64 + (uint32_t)rand() % 100;
		struct pacing pacing;

		request.duration_ot = 1 + (uint64_t)rand() % 3000000;
		pacing = paced(&request);
		cr_assert_eq(pacing_frames_beside(&request, &pacing, port, others, others * octets),
		             count_beside(&request, &pacing, others, octets), "%u octets, %lu ot, %lu others of %u",
		             request.shape.frame_octets, (unsigned long)request.duration_ot, (unsigned long)others,
		             octets);
	}
}

/* -- a load that changes ------------------------------------------------------------------------------------------- */

/* Counts as the pacer does (hw/rtl/tx/tx_pacer.v): a whole number of octets and a fraction, which is dropped when the
 * gap changes, before the first frame that starts at that time or later. */
static void count_changing(const struct trial_request *request, const struct pacing *pacing, uint64_t *before,
                           uint64_t *change_ot, uint64_t *frames)
{
	struct pacing_gap gap = {pacing->gap_octets, pacing->numerator, pacing->denominator};
	uint64_t ideal = 0, fraction = 0;
	bool changed = false;

	for (*frames = 0; ideal / 8 * 8 < request->duration_ot; ++*frames) {
		if (!changed && ideal / 8 * 8 >= request->next_load_ot) {
			changed = true;
			gap = pacing->next;
			fraction = 0;
			*before = *frames;
			*change_ot = ideal;
		}
		fraction += gap.numerator;
		ideal += 8 + request->shape.frame_octets + gap.gap_octets + fraction / gap.denominator;
		fraction %= gap.denominator;
	}
}

Test(pacing, frames_of_a_load_that_changes_are_those_that_a_count_finds)
{
	srand(2656);
	for (unsigned i = 0; i < 500; i++) {
		struct trial_request request = load_request(
		        64 + (uint32_t)rand() % 1455, (uint64_t)rand() % 3000000 + 100000, 1 + (uint64_t)rand() % 7);
		const unsigned port = (unsigned)rand() % TRIAL_MAX_PORTS;
		uint64_t before = 0, change_ot = 0, frames;
		struct pacing pacing;

		request.duration_ot = 200000 + (uint64_t)rand() % 1000000;
		request.next_load_ot = 1 + (uint64_t)rand() % 100000;
		request.next_load = rate_scale(request.load, 1 + (uint64_t)rand() % 200, 100);
		pacing = paced(&request);
		count_changing(&request, &pacing, &before, &change_ot, &frames);
		if (change_ot == 0) /* a gap longer than the trial */
			continue;
		cr_assert(pacing.before[port] == before && pacing.next_start_ot[port] == change_ot &&
		                  pacing.frames[port] == frames,
		          "case %u: %lu before %lu, %lu in all; not %lu before %lu, %lu in all", i,
		          (unsigned long)pacing.before[port], (unsigned long)pacing.next_start_ot[port],
		          (unsigned long)pacing.frames[port], (unsigned long)before, (unsigned long)change_ot,
		          (unsigned long)frames);
	}
}

Test(pacing, a_load_must_change_within_the_trial_and_to_one_that_the_link_has)
{
	struct trial_request request = load_request(64, 1000000, 1);
	struct pacing pacing;
	struct error error = {0};

	request.next_load = (struct rate){500000, 1};
	request.next_load_ot = request.duration_ot;
	cr_expect_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), ERROR_INTERNAL);
	request.next_load_ot = request.duration_ot / 2;
	cr_expect_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), 0, "%s", error.text);
	request.next_load = (struct rate){UINT64_C(3125000000) + 1, 21};
	cr_expect_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), ERROR_INTERNAL);
}

static uint64_t start_of(const struct pacing *pacing, uint32_t frame_octets, uint64_t before)
{
	return (before * (frame_octets + 8 + pacing->gap_octets) + before * pacing->numerator / pacing->denominator) /
	       8 * 8;
}

/* The frames counted one by one: the first that begins at the time or later; if that is a broadcast, the next one. */
Test(pacing, the_tagged_frame_is_no_broadcast)
{
	unsigned moved = 0;

	for (unsigned round = 0; round < 3000; round++) {
		const uint32_t octets = 64 + (unsigned)rand() % 200;
		struct trial_request request = load_request(octets, 10000000 + (unsigned)rand() % 20000000, 1);
		struct traffic traffic;
		struct pacing pacing;
		uint64_t before = 0;

		request.duration_ot = 1000000;
		request.tag_after_ot = 1 + (unsigned)rand() % 900000;
		request.shape.modifiers = traffic_modifier_bit(TRAFFIC_BROADCAST);
		build(&traffic, &request.shape, 2);
		request.traffic = &traffic;
		pacing = paced(&request);
		while (start_of(&pacing, octets, before) < request.tag_after_ot)
			before++;
		if ((before + 1) % 100) {
			cr_assert_eq(pacing.tag_after_ot, request.tag_after_ot, "frame %lu", (unsigned long)before + 1);
		} else {
			cr_assert_eq(pacing.tag_after_ot, start_of(&pacing, octets, before + 1));
			moved++;
		}
		traffic_free(&traffic);
	}
	cr_expect(moved > 5, "%u moved: 30 are to be expected", moved);
}

/* One frame of a tenth of line rate begins every 840 octet times: the gap is 840 - 72. */
Test(pacing, a_port_with_a_share_of_the_load_has_a_pace_of_its_own)
{
	struct trial_request request = load_request(64, UINT64_C(3125000000), 21);
	struct traffic traffic;
	struct error error = {0};
	struct pacing pacing;

	request.shape.pattern = TRAFFIC_MANY_TO_ONE;
	request.shape.bidirectional = false;
	cr_assert_eq(traffic_build(&request.shape, 3, &LIMITS, &traffic, &error), 0, "%s", error.text);
	traffic.port[2].share = 1;
	traffic.port[2].share_of = 10;
	request.traffic = &traffic;
	request.duration_ot = 8400;
	pacing = paced(&request);
	cr_expect_eq(pacing.frames[0], 0);
	cr_expect_eq(pacing.frames[1], 100);
	cr_expect_eq(pacing.frames[2], 10);
	cr_expect_eq(pacing_gap_of(&pacing, 1).gap_octets, 12);
	cr_expect_eq(pacing_gap_of(&pacing, 2).gap_octets, 768);
	request.duration_ot = 8401; /* the next frame of each begins at 8400 */
	pacing = paced(&request);
	cr_expect_eq(pacing.frames[1], 101);
	cr_expect_eq(pacing.frames[2], 11);
	traffic_free(&traffic);
}

Test(pacing, a_share_of_a_burst_or_of_a_load_that_changes_is_refused)
{
	struct trial_request request = load_request(64, UINT64_C(3125000000), 42);
	struct traffic traffic;
	struct error error = {0};
	struct pacing pacing;

	cr_assert_eq(traffic_build(&request.shape, 2, &LIMITS, &traffic, &error), 0, "%s", error.text);
	traffic.port[1].share = 1;
	traffic.port[1].share_of = 2;
	request.traffic = &traffic;
	cr_expect_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), 0);
	request.next_load = request.load;
	request.next_load_ot = 840;
	cr_expect_neq(pacing_of_request(&request, LINK_BPS, &pacing, &error), 0);
	request = (struct trial_request){
	        .kind = TRIAL_BURST, .shape = request.shape, .gap_octets = 12, .burst_frames = 9, .traffic = &traffic};
	cr_expect_neq(pacing_of_request(&request, LINK_BPS, &pacing, &error), 0);
	traffic_free(&traffic);
}
