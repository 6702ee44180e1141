/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of gaps between bursts, against a FIFO that is played frame by frame, and against counting. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/bench/rfc2544/burst_gaps.h"
#include "tests/seed.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);

enum { FRAME_OCTETS = 64, LINE_OT = 84, MOST_BUFFER = 64 };

static struct burst_gaps gaps_for(uint32_t burst_frames, struct quantity max_gap, struct quantity resolution)
{
	const struct bursty_traffic_settings settings = {.max_gap = max_gap, .resolution = resolution};

	return burst_gaps(&settings, burst_frames, rate_max_theoretical(LINK_BPS, FRAME_OCTETS), LINK_BPS);
}

static const struct quantity DEFAULT_GAP = {QUANTITY_PLAIN, 0, 1}, ONE_OCTET = {QUANTITY_PLAIN, 1, 1},
                             TENTH_OF_A_PERCENT = {QUANTITY_PERCENT, 1, 1000};

Test(burst_gaps, the_longest_is_by_default_that_of_an_average_load_of_one_percent)
{
	const struct burst_gaps gaps = gaps_for(1024, DEFAULT_GAP, TENTH_OF_A_PERCENT);

	cr_expect_eq(gaps.burst_octets, 1024 * LINE_OT);
	cr_expect_eq(gaps.step, 1024 * LINE_OT / 1000);
	cr_expect_leq(gaps.most, 12 + 99 * gaps.burst_octets);
	cr_expect_gt(gaps.most + gaps.step, 12 + 99 * gaps.burst_octets);
	cr_expect_float_eq(rate_fps(burst_load(&gaps, 12 + 99 * gaps.burst_octets)), 0.01, 1e-12);
	cr_expect_float_eq(rate_fps(burst_load(&gaps, 12)), 1, 0);
}

Test(burst_gaps, the_longest_may_be_a_time_or_octets_and_is_a_whole_number_of_steps_above_the_minimum)
{
	cr_expect_eq(gaps_for(16, (struct quantity){QUANTITY_TIME, 1, 1000000}, ONE_OCTET).most, 12500);
	cr_expect_eq(gaps_for(16, (struct quantity){QUANTITY_PLAIN, 1000, 1}, (struct quantity){QUANTITY_PLAIN, 100, 1})
	                     .most,
	             912);
	cr_expect_eq(
	        gaps_for(16, (struct quantity){QUANTITY_PLAIN, 50, 1}, (struct quantity){QUANTITY_PLAIN, 100, 1}).most,
	        50, "one step, and a shorter one");
	cr_expect_eq(gaps_for(16, (struct quantity){QUANTITY_PLAIN, 12, 1}, ONE_OCTET).most, 12);
	cr_expect_eq(gaps_for(16, (struct quantity){QUANTITY_TIME, 1, 100000000}, ONE_OCTET).most, 125);
	cr_expect_eq(gaps_for(1, DEFAULT_GAP, TENTH_OF_A_PERCENT).step, 1, "never less than an octet");
}

/* Runs a search over gaps against a device that needs at least `needs`; the number of trials. */
static unsigned searched(const struct burst_gaps *gaps, uint64_t needs, struct search_result *found, uint64_t tried[2])
{
	const struct search_config config = burst_gaps_search(gaps);
	struct search_request wanted;
	struct error error = {0};
	struct search *search = search_create(&config, &error);
	unsigned trials = 0;

	cr_assert_not_null(search, "%s", error.text);
	while (search_next(search, &wanted)) {
		const uint64_t gap = burst_gap_at(gaps, wanted.point);
		const struct search_observation observed = {.expected_frames = 100, .lost_frames = gap < needs};

		cr_assert(gap >= gaps->least && gap <= gaps->most);
		if (trials < 2)
			tried[trials] = gap;
		cr_assert_lt(++trials, 70);
		cr_assert_eq(search_observe(search, &observed), 0);
	}
	*found = search_result(search);
	search_free(search);
	return trials;
}

Test(burst_gaps, a_search_finds_the_smallest_gap_and_tries_both_ends_first)
{
	srand(21);
	for (unsigned i = 0; i < 5000; i++) {
		const struct quantity most = {QUANTITY_PLAIN, 12 + (uint64_t)rand() % 100000, 1};
		const struct burst_gaps gaps =
		        gaps_for(1 + (uint32_t)rand() % 100, most,
		                 (struct quantity){QUANTITY_PLAIN, 1 + (uint64_t)rand() % 300, 1});
		const uint64_t needs = 12 + (uint64_t)rand() % (gaps.most + 20);
		struct search_result found;
		uint64_t tried[2] = {0, 0};
		const unsigned trials = searched(&gaps, needs, &found, tried);

		cr_expect_eq(tried[0], gaps.most);
		cr_expect(trials < 2 || tried[1] == gaps.least);
		cr_expect_eq(found.has_lower, gaps.most >= needs);
		cr_expect(gaps.most >= needs || trials == 1, "no gap is enough: %u trials", trials);
		if (!found.has_lower)
			continue;
		cr_expect_geq(burst_gap_at(&gaps, found.lower), needs);
		cr_expect_eq(found.has_upper, needs > 12);
		if (found.has_upper)
			cr_expect(burst_gap_at(&gaps, found.upper) < needs &&
			          burst_gap_at(&gaps, found.lower) - burst_gap_at(&gaps, found.upper) == gaps.step);
		else
			cr_expect_leq(trials, 2, "line rate: %u trials", trials);
	}
}

Test(burst_gaps, a_trial_has_whole_bursts_at_least_two)
{
	const struct burst_gaps gaps = gaps_for(10, DEFAULT_GAP, ONE_OCTET);

	/* 840 octet times for a burst, 160 more between them */
	cr_expect_eq(bursts_within(&gaps, 172, 10000), 10);
	cr_expect_eq(bursts_within(&gaps, 172, 10001), 11);
	cr_expect_eq(bursts_within(&gaps, 172, 1), 2);
	cr_expect_eq(bursts_within(&gaps, 12, 8400), 10);
}

/* Frames that a FIFO of B frames loses that takes service octet times for each; starts are not rounded. */
static uint64_t lost(uint64_t buffer, uint64_t service_ot, uint64_t burst, uint64_t gap, uint64_t bursts)
{
	uint64_t ends[MOST_BUFFER] = {0}, held = 0, next = 0, end = 0, count = 0;

	for (uint64_t k = 0; k < bursts; k++)
		for (uint64_t n = 0; n < burst; n++) {
			const uint64_t now = k * (burst * LINE_OT + gap - 12) + n * LINE_OT;

			while (held && ends[next % buffer] <= now) {
				next++;
				held--;
			}
			if (held == buffer) {
				count++;
				continue;
			}
			end = (end > now ? end : now) + service_ot;
			ends[(next + held++) % buffer] = end;
		}
	return count;
}

/* The longest burst from idle, by trying. */
static uint64_t longest_burst(uint64_t buffer, uint64_t service_ot)
{
	uint64_t burst = 1;

	if (service_ot <= LINE_OT)
		return UINT64_MAX;
	while (lost(buffer, service_ot, burst + 1, 12, 1) == 0)
		burst++;
	return burst;
}

Test(burst_gaps, the_smallest_gap_of_a_fifo_is_that_below_which_the_fifo_loses)
{
	unsigned none = 0, line_rate = 0;

	srand((unsigned)test_seed());
	for (unsigned i = 0; i < 300; i++) {
		const uint64_t buffer = 1 + (uint64_t)rand() % MOST_BUFFER, service_ot = 70 + (uint64_t)rand() % 400;
		const uint32_t burst = 1 + (uint32_t)rand() % 80;
		const struct burst_gaps gaps = gaps_for(burst, DEFAULT_GAP, ONE_OCTET);
		const uint64_t gap =
		        burst_least_gap(&gaps, (double)LINE_OT / (double)service_ot, longest_burst(buffer, service_ot));
		/* A gap that is one octet too short leaves an octet time of work with each burst: this many fill it. */
		const uint64_t enough = (buffer + 2) * service_ot;

		none += gap == 0;
		line_rate += gap == 12;
		if (gap == 0) {
			cr_assert_gt(lost(buffer, service_ot, burst, gaps.most, 3), 0);
			continue;
		}
		cr_assert_eq(lost(buffer, service_ot, burst, gap, enough), 0, "%lu frames, %lu, burst of %u: gap %lu",
		             (unsigned long)buffer, (unsigned long)service_ot, burst, (unsigned long)gap);
		if (gap > 12)
			cr_assert_gt(lost(buffer, service_ot, burst, gap - 1, enough), 0,
			             "%lu frames, %lu, burst of %u: gap %lu is not the smallest", (unsigned long)buffer,
			             (unsigned long)service_ot, burst, (unsigned long)gap);
	}
	cr_expect(none > 10 && line_rate > 3, "%u without a gap, %u at line rate", none, line_rate);
}
