/* SPDX-License-Identifier: Apache-2.0 */
/* The search steppers against an obvious second implementation: every grid up to a certain size, every threshold. */
#include <criterion/criterion.h>

#include "host/search/mlrsearch.h"
#include "host/search/search.h"

static struct search *begun(struct search_config config)
{
	struct error error;
	struct search *search = search_create(&config, &error);

	cr_assert_not_null(search, "%s", error.text);
	return search;
}

static bool next_point(const struct search *search, uint64_t *point)
{
	struct search_request request = {.point = *point};
	bool wanted = search_next(search, &request);

	*point = request.point;
	return wanted;
}

/* A trial of a thousand frames. */
static void observe(struct search *search, uint64_t lost_frames)
{
	cr_assert_eq(search_observe(search,
	                            &(struct search_observation){.expected_frames = 1000, .lost_frames = lost_frames}),
	             0);
}

/* A device that loses nothing up to a threshold and always loses above it. */
static struct search_result search_threshold(struct search_config config, uint64_t threshold, unsigned *trials)
{
	struct search *search = begun(config);
	struct search_result result;
	uint64_t point = 0;

	*trials = 0;
	while (next_point(search, &point)) {
		cr_assert(point >= config.low && point <= config.high, "point %lu outside", (unsigned long)point);
		cr_assert_lt(*trials, 200u, "no end");
		observe(search, point > threshold ? point - threshold : 0);
		(*trials)++;
	}
	result = search_result(search);
	search_free(search);
	return result;
}

/* The answer, found by looking at every grid point in turn. */
static struct search_result linear_scan(struct search_config config, uint64_t threshold)
{
	struct search_result result = {0};

	for (uint64_t point = config.low;;
	     point = point + config.step < config.high ? point + config.step : config.high) {
		if (point <= threshold) {
			result.has_lower = true;
			result.lower = point;
		} else if (!result.has_upper) {
			result.has_upper = true;
			result.upper = point;
		}
		if (point == config.high)
			return result;
	}
}

static unsigned ceil_log2(uint64_t n)
{
	unsigned bits = 0;

	while (((uint64_t)1 << bits) < n)
		bits++;
	return bits;
}

static void check_all_thresholds(struct search_config config)
{
	uint64_t points = (config.high - config.low + config.step - 1) / config.step + 1;

	for (uint64_t threshold = 0; threshold <= config.high + 1; threshold++) {
		struct search_result want = linear_scan(config, threshold);
		unsigned trials;
		struct search_result got = search_threshold(config, threshold, &trials);

		cr_assert(got.has_lower == want.has_lower && got.has_upper == want.has_upper &&
		                  got.lower == want.lower && got.upper == want.upper,
		          "low %lu high %lu step %lu first %lu threshold %lu: %lu..%lu, want %lu..%lu",
		          (unsigned long)config.low, (unsigned long)config.high, (unsigned long)config.step,
		          (unsigned long)config.first, (unsigned long)threshold, (unsigned long)got.lower,
		          (unsigned long)got.upper, (unsigned long)want.lower, (unsigned long)want.upper);
		cr_assert_eq(got.trials, trials);
		if (!config.first) /* one trial at the top, then bisection of the points below it */
			cr_assert_leq(trials, 1 + ceil_log2(points), "%u trials for %lu points", trials,
			              (unsigned long)points);
	}
}

Test(search, finds_every_threshold_of_every_small_grid)
{
	for (uint64_t low = 0; low <= 3; low++)
		for (uint64_t high = low; high <= low + 40; high++)
			for (uint64_t step = 1; step <= 9; step++)
				check_all_thresholds((struct search_config){.low = low, .high = high, .step = step});
}

Test(search, finds_every_threshold_from_every_doubling_start)
{
	for (uint64_t step = 1; step <= 5; step++)
		for (uint64_t first = 1; first <= 60; first++)
			check_all_thresholds(
			        (struct search_config){.low = 1, .high = 60, .step = step, .first = first});
}

Test(search, begins_at_the_highest_point_as_tst_009_does)
{
	struct search *search = begun((struct search_config){.low = 1, .high = 1000, .step = 1});
	uint64_t point = 0;

	cr_assert(next_point(search, &point));
	cr_assert_eq(point, 1000);
	observe(search, 0);
	cr_assert_not(next_point(search, &point));
	cr_assert_not(search_result(search).has_upper, "a pass at the top has no upper bound");
	cr_assert_eq(search_result(search).trials, 1);
	search_free(search);
}

Test(search, doubles_from_the_first_point_until_one_fails)
{
	const uint64_t want[] = {100, 200, 400, 800, 600, 500, 450};
	struct search *search = begun((struct search_config){.low = 50, .high = 100000, .step = 50, .first = 100});
	uint64_t point = 0;

	for (unsigned i = 0; i < sizeof(want) / sizeof(*want); i++) {
		cr_assert(next_point(search, &point));
		cr_assert_eq(point, want[i], "trial %u at %lu, want %lu", i, (unsigned long)point,
		             (unsigned long)want[i]);
		observe(search, point > 470);
	}
	cr_assert_not(next_point(search, &point));
	cr_assert_eq(search_result(search).lower, 450);
	cr_assert_eq(search_result(search).upper, 500);
	cr_assert(search_result(search).bracket_by_doubling);
	search_free(search);
}

Test(search, doubling_stays_logarithmic_over_a_huge_grid)
{
	struct search_config config = {.low = 1, .high = UINT64_C(4464285714), .step = 1, .first = 1};

	for (uint64_t threshold = 1; threshold < config.high; threshold = threshold * 3 + 1) {
		unsigned trials;
		struct search_result result = search_threshold(config, threshold, &trials);

		cr_assert_eq(result.lower, threshold);
		cr_assert_leq(trials, 2 * ceil_log2(threshold + 1) + 2);
	}
}

Test(search, loss_verification_repeats_a_lossy_point)
{
	struct search *search = begun((struct search_config){
	        .low = 0, .high = 1, .step = 1, .kind = SEARCH_LOSS_VERIFICATION, .max_repeat = 3, .z = SEARCH_NO_Z});
	uint64_t point = 0;

	for (unsigned i = 0; i < 2; i++) {
		cr_assert(next_point(search, &point));
		cr_assert_eq(point, 1, "trial %u", i);
		observe(search, 5);
	}
	next_point(search, &point);
	cr_assert_eq(point, 1, "max_trials = 3 is three trials, not a trial and three repeats");
	observe(search, 0);
	cr_assert_not(next_point(search, &point));
	cr_assert_eq(search_result(search).lower, 1, "one trial without loss is a pass");
	cr_assert_eq(search_result(search).trials, 3);
	search_free(search);
}

Test(search, loss_verification_gives_up_after_max_trials)
{
	struct search *search = begun((struct search_config){
	        .low = 0, .high = 8, .step = 8, .kind = SEARCH_LOSS_VERIFICATION, .max_repeat = 2, .z = SEARCH_NO_Z});
	uint64_t point = 0;

	observe(search, 1);
	observe(search, 1);
	cr_assert(next_point(search, &point));
	cr_assert_eq(point, 0, "after two lossy trials the point has failed");
	observe(search, 1);
	cr_assert(next_point(search, &point));
	cr_assert_eq(point, 0, "the count of trials begins anew at every point");
	observe(search, 1);
	cr_assert_not(next_point(search, &point));
	cr_assert_not(search_result(search).has_lower);
	cr_assert_eq(search_result(search).upper, 0);
	search_free(search);
}

Test(search, a_loss_of_z_needs_no_second_look)
{
	struct search *search = begun((struct search_config){
	        .low = 0, .high = 9, .step = 1, .kind = SEARCH_LOSS_VERIFICATION, .max_repeat = 5, .z = {100, 0}});
	uint64_t point = 0;

	observe(search, 99);
	next_point(search, &point);
	cr_assert_eq(point, 9, "99 is below z: look again");
	observe(search, 100);
	next_point(search, &point);
	cr_assert_neq(point, 9, "100 is z: no second look");
	search_free(search);
}

Test(search, z_may_be_a_ratio_of_the_frames_expected)
{
	struct search *search = begun((struct search_config){
	        .low = 0, .high = 9, .step = 1, .kind = SEARCH_LOSS_VERIFICATION, .max_repeat = 5, .z = {1, 20}});
	uint64_t point = 0;

	observe(search, 49);
	next_point(search, &point);
	cr_assert_eq(point, 9, "49 of 1000 is below 5%%: look again");
	observe(search, 50);
	next_point(search, &point);
	cr_assert_neq(point, 9, "50 of 1000 is 5%%: no second look");
	search_free(search);
}

Test(search, max_r_counts_trials_or_repeats_as_asked)
{
	for (unsigned max_repeat = 0; max_repeat <= 3; max_repeat++)
		for (enum search_repeat_unit unit = SEARCH_MAX_TRIALS; unit <= SEARCH_MAX_REPEATS; unit++) {
			struct search_config config = {.low = 1,
			                               .high = 1,
			                               .step = 1,
			                               .kind = SEARCH_LOSS_VERIFICATION,
			                               .max_repeat = max_repeat,
			                               .repeat_unit = unit,
			                               .z = SEARCH_NO_Z};
			struct search *search;
			uint64_t point = 0;

			if (max_repeat == 0 && unit == SEARCH_MAX_TRIALS)
				continue; /* refused */
			search = begun(config);
			while (next_point(search, &point))
				observe(search, 1);
			cr_assert_eq(search_result(search).trials,
			             unit == SEARCH_MAX_TRIALS ? max_repeat : max_repeat + 1);
			search_free(search);
		}
}

Test(search, limits_on_trials_and_traffic_end_a_search_with_the_bounds_so_far)
{
	struct search *search = begun((struct search_config){
	        .low = 1, .high = 1024, .step = 1, .duration_ns = 100, .trials_limit = 3, .traffic_limit_ns = 1000});
	uint64_t point = 0;

	while (next_point(search, &point))
		observe(search, point > 600);
	cr_assert_eq(search_result(search).end, SEARCH_TRIALS_LIMIT);
	cr_assert_eq(search_result(search).trials, 3);
	cr_assert_eq(search_result(search).lower, 512);
	cr_assert_eq(search_result(search).upper, 768);
	search_free(search);

	search = begun((struct search_config){
	        .low = 1, .high = 1024, .step = 1, .duration_ns = 300, .trials_limit = 9, .traffic_limit_ns = 1000});
	while (next_point(search, &point))
		observe(search, point > 600);
	cr_assert_eq(search_result(search).end, SEARCH_TRAFFIC_LIMIT);
	cr_assert_eq(search_result(search).trials, 3, "a fourth trial of 300 would pass 1000");
	cr_assert_eq(search_result(search).traffic_ns, 900);
	search_free(search);
}

Test(search, loss_up_to_the_goal_passes)
{
	struct search *search = begun((struct search_config){.low = 0,
	                                                     .high = 9,
	                                                     .step = 1,
	                                                     .kind = SEARCH_LOSS_VERIFICATION,
	                                                     .max_repeat = 2,
	                                                     .goal_frames = 3,
	                                                     .z = {1, 0}});

	observe(search, 3);
	cr_assert_eq(search_result(search).lower, 9, "the goal comes before z");
	search_free(search);
}

Test(search, refuses_what_makes_no_grid)
{
	const struct search_config bad[] = {
	        {.low = 0, .high = 9, .step = 0},
	        {.low = 9, .high = 8, .step = 1},
	        {.low = 0, .high = 9, .step = 1, .kind = SEARCH_LOSS_VERIFICATION, .max_repeat = 0},
	        {.low = 5, .high = 9, .step = 1, .first = 4},
	        {.low = 5, .high = 9, .step = 1, .first = 10},
	        {.low = 0, .high = UINT64_MAX, .step = 1},
	};

	for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct error error = {0};

		cr_assert_null(search_create(&bad[i], &error), "configuration %u", i);
		cr_assert_eq(error.code, ERROR_PLAN);
		cr_assert_neq(error.text[0], 0);
	}
}

Test(search, ends_of_the_number_range_do_no_harm)
{
	unsigned trials;
	struct search_config config = {.low = UINT64_MAX - 10, .high = UINT64_MAX, .step = 3, .first = UINT64_MAX - 9};
	struct search_result result = search_threshold(config, UINT64_MAX - 2, &trials);

	cr_assert_eq(result.lower, UINT64_MAX - 4);
	cr_assert_eq(result.upper, UINT64_MAX - 1);
}

Test(search, observing_after_the_end_changes_nothing)
{
	struct search *search = begun((struct search_config){.low = 1, .high = 1, .step = 1});

	observe(search, 0);
	observe(search, 7);
	cr_assert_eq(search_result(search).trials, 1);
	cr_assert_eq(search_result(search).lower, 1);
	cr_assert_not(search_result(search).has_upper);
	search_free(search);
}

Test(search, the_bound_on_trials_is_never_passed)
{
	for (uint64_t first = 0; first <= 64; first++)
		for (unsigned max_trials = 1; max_trials <= 3; max_trials++)
			for (uint64_t threshold = 0; threshold <= 64; threshold++) {
				struct search *search = begun((struct search_config){.low = 1,
				                                                     .high = 64,
				                                                     .step = 1,
				                                                     .kind = SEARCH_LOSS_VERIFICATION,
				                                                     .max_repeat = max_trials,
				                                                     .z = SEARCH_NO_Z,
				                                                     .first = first});
				unsigned bound = search_trials_estimate(search);
				uint64_t point = 0;

				while (next_point(search, &point)) {
					cr_assert_leq(search_result(search).trials, search_trials_estimate(search));
					observe(search, point > threshold);
				}
				cr_assert_leq(search_result(search).trials, bound);
				search_free(search);
			}
}

/* Worked out by hand: points 100, 200 ... 1600 (n = 15); the device passes up to 1000. At 1200 it loses frames in the
 * first trial only, at 1100 in the first two.
 *
 *     Binary Search (12.3.2)            1600 f, m = 7: 800 p, m = 11: 1200 f, m = 9: 1000 p, m = 10: 1100 f
 *     max(r) = 2 trials (12.3.3)        1600 ff, 800 p, 1200 fp, m = 13: 1400 ff, m = 12: 1300 ff
 *     the same, z = 8 frames            1600 f(10 lost), 800 p, 1200 f(8 lost), 1000 p, 1100 ff
 *     max(r) = 2 repeats                1600 fff, 800 p, 1200 fp, 1400 fff, 1300 fff */
struct tst009_case {
	struct search_config config;
	uint64_t points[16]; /* 0 ends */
	uint64_t lower, upper;
};

static uint64_t tst009_lost(uint64_t point, unsigned trials_before)
{
	if (point <= 1000 || (point == 1200 && trials_before >= 1) || (point == 1100 && trials_before >= 2))
		return 0;
	return point == 1200 ? 8 : point == 1600 ? 10 : 5;
}

Test(search, makes_the_trials_of_a_tst_009_example_done_by_hand)
{
	static const struct tst009_case cases[] = {
	        {{.kind = SEARCH_BINARY}, {1600, 800, 1200, 1000, 1100}, 1000, 1100},
	        {{.kind = SEARCH_LOSS_VERIFICATION, .max_repeat = 2, .z = {UINT64_MAX, 0}},
	         {1600, 1600, 800, 1200, 1200, 1400, 1400, 1300, 1300},
	         1200,
	         1300},
	        {{.kind = SEARCH_LOSS_VERIFICATION, .max_repeat = 2, .z = {8, 0}},
	         {1600, 800, 1200, 1000, 1100, 1100},
	         1000,
	         1100},
	        {{.kind = SEARCH_LOSS_VERIFICATION,
	          .max_repeat = 2,
	          .repeat_unit = SEARCH_MAX_REPEATS,
	          .z = {UINT64_MAX, 0}},
	         {1600, 1600, 1600, 800, 1200, 1200, 1400, 1400, 1400, 1300, 1300, 1300},
	         1200,
	         1300},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct search_config config = cases[i].config;
		unsigned trials_at[17] = {0}, trials = 0;
		struct search *search;
		uint64_t point = 0;

		config.low = config.step = 100;
		config.high = 1600;
		search = begun(config);
		for (; next_point(search, &point); trials++) {
			cr_assert_eq(point, cases[i].points[trials], "case %zu trial %u: %lu", i, trials,
			             (unsigned long)point);
			observe(search, tst009_lost(point, trials_at[point / 100]++));
		}
		cr_assert_eq(cases[i].points[trials], 0, "case %zu: %u trials", i, trials);
		cr_assert_eq(search_result(search).end, SEARCH_FOUND);
		cr_assert_eq(search_result(search).lower, cases[i].lower, "case %zu", i);
		cr_assert_eq(search_result(search).upper, cases[i].upper, "case %zu", i);
		search_free(search);
	}
}

/* -- descent ------------------------------------------------------------------------------------------------------ */

/* Every way in which up to ten points pass and fail, against what RFC 2544 section 26.3 says: from the top down, until
 * two successive ones pass. */
Test(descent, ends_with_the_second_of_two_successive_points_that_pass_and_never_tries_a_point_twice)
{
	for (uint64_t points = 1; points <= 10; points++) {
		for (unsigned losses = 0; losses < 1u << points; losses++) {
			struct search *search =
			        begun((struct search_config){.kind = SEARCH_DESCENT, .high = points - 1, .step = 1});
			uint64_t point = 0, expected = points - 1, upper = 0;
			unsigned passed = 0, failed = 0;
			struct search_result result;

			cr_assert_eq(search_trials_estimate(search), points);
			while (next_point(search, &point)) {
				bool loses = losses >> point & 1;

				cr_assert_eq(point, expected--);
				cr_assert_lt(passed, 2);
				passed = loses ? 0 : passed + 1;
				failed += loses;
				upper = loses ? point : upper;
				observe(search, loses ? 1 + point : 0);
				cr_assert_leq(search_trials_estimate(search), points);
			}
			cr_assert(passed == 2 || point == 0, "ended early");
			result = search_result(search);
			cr_assert_eq(result.has_lower, passed == 2);
			cr_assert_eq(result.has_upper, failed > 0);
			cr_assert(passed < 2 || result.lower == point + 1);
			cr_assert(!failed || result.upper == upper);
			cr_assert_eq(result.end, passed < 2 ? SEARCH_NO_LOWER
			                         : failed   ? SEARCH_FOUND
			                                    : SEARCH_NO_UPPER);
			search_free(search);
		}
	}
}

/* Asks both for the same, trial by trial, to the end. */
static void expect_same_course(struct search *one, struct search *other, uint64_t threshold)
{
	uint64_t a = 0, b = 0;
	bool more = true;

	while (more) {
		more = next_point(one, &a);
		cr_assert_eq(next_point(other, &b), more);
		cr_assert_eq(a, b);
		if (!more)
			break;
		observe(one, a > threshold ? a - threshold : 0);
		observe(other, b > threshold ? b - threshold : 0);
	}
	cr_expect_eq(search_result(one).lower, search_result(other).lower);
	cr_expect_eq(search_result(one).trials, search_result(other).trials);
}

Test(search, a_copy_goes_on_by_itself_as_the_search_would)
{
	static const struct mlrsearch_goal GOAL = {.exceed_ppm = 500000,
	                                           .width_ppm = 5000,
	                                           .final_ns = 1000000000,
	                                           .sum_ns = 3000000000,
	                                           .initial_ns = 100000000};
	const struct mlrsearch_config goals = {.goals = &GOAL, .goal_count = 1};
	static const enum search_kind KINDS[] = {SEARCH_BINARY, SEARCH_LOSS_VERIFICATION, SEARCH_MLRSEARCH,
	                                         SEARCH_DESCENT};

	for (size_t kind = 0; kind < sizeof(KINDS) / sizeof(KINDS[0]); kind++)
		for (uint64_t threshold = 300; threshold < 900; threshold += 97)
			for (unsigned before = 0; before < 8; before++) {
				const struct search_config config = {.kind = KINDS[kind],
				                                     .low = 1,
				                                     .high = 1000,
				                                     .step = KINDS[kind] == SEARCH_DESCENT ? 50 : 1,
				                                     .duration_ns = 1000,
				                                     .max_repeat = 2,
				                                     .z = SEARCH_NO_Z,
				                                     .mlrsearch = &goals};
				struct search *search = begun(config), *same = begun(config), *copy, *other;
				uint64_t point = 0;

				for (unsigned i = 0; i < before && next_point(search, &point); i++) {
					observe(search, point > threshold ? point - threshold : 0);
					observe(same, point > threshold ? point - threshold : 0);
				}
				copy = search_copy(search);
				other = search_copy(search);
				cr_assert(copy && other);
				while (next_point(other, &point)) /* another copy's outcomes change nothing here */
					observe(other, point > 13 ? 500 : 0);
				search_free(other);
				expect_same_course(copy, same, threshold);
				search_free(same);
				same = begun(config);
				for (unsigned i = 0; i < before && next_point(same, &point); i++)
					observe(same, point > threshold ? point - threshold : 0);
				expect_same_course(search, same, threshold);
				search_free(search);
				search_free(same);
				search_free(copy);
			}
}
