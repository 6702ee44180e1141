/* SPDX-License-Identifier: Apache-2.0 */
/* Which parts of a plan are tried, and what they say of the others. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "host/forecast/rehearsal_choice.h"
#include "host/forecast/rehearsal_likeness.h"

static const double NEAR = 1e-9;

static void seed(void)
{
	const char *given = getenv("FPGAUGE_TEST_SEED");
	const unsigned long chosen = given ? strtoul(given, NULL, 10) : (unsigned long)time(NULL);

	printf("seed %lu (FPGAUGE_TEST_SEED)\n", chosen);
	srand48((long)chosen);
}

static double between(double low, double high)
{
	return low + (high - low) * drand48();
}

/* Each part costs the same, once. */
static double once(const void *user, const struct rehearsal_part *part)
{
	(void)user;
	return part->attempted ? INFINITY : 1;
}

/* -- what they say of one another ---------------------------------------------------------------------------------- */

#define TRIED(took) .wall_s = (took), .whole = true, .attempted = true, .gain = 1, .course_s = NAN
#define UNTRIED .wall_s = NAN, .gain = 1, .course_s = NAN

Test(rehearsal_choice, of_two_sizes_that_were_tried_the_nearer_one_says_more_of_one_between)
{
	struct rehearsal_part parts[] = {
	        {.size = 0, .modelled_s = 1, TRIED(2)}, {.size = 1, .modelled_s = 10, UNTRIED},
	        {.size = 2, .modelled_s = 10, UNTRIED}, {.size = 3, .modelled_s = 2, TRIED(10)},
	        {.size = 4, .modelled_s = 10, UNTRIED},
	};
	const struct rehearsal rehearsal = {.parts = parts, .count = 5};

	cr_expect_float_eq(rehearsal_estimate(&rehearsal, &parts[1]), 30, NEAR);
	cr_expect_float_eq(rehearsal_estimate(&rehearsal, &parts[2]), 40, NEAR);
	cr_expect_float_eq(rehearsal_estimate(&rehearsal, &parts[4]), 50, NEAR);
	cr_expect_lt(likeness_doubt(&rehearsal, &parts[0]), NEAR);
	cr_expect_gt(likeness_doubt(&rehearsal, &parts[1]), 0.9, "twice and five times are far apart");
}

Test(rehearsal_choice, modifiers_cost_what_they_cost_in_another_test_at_that_size_or_else_at_any)
{
	struct rehearsal_part parts[] = {
	        {.test = 0, .run = 0, .size = 0, .octets = 64, .modelled_s = 1, TRIED(1)},
	        {.test = 0, .run = 0, .size = 1, .octets = 512, .modelled_s = 1, TRIED(1)},
	        {.test = 0, .run = 1, .size = 0, .octets = 64, .modifiers = 4, .modelled_s = 1, TRIED(10)},
	        {.test = 0, .run = 1, .size = 1, .octets = 512, .modifiers = 4, .modelled_s = 1, TRIED(2)},
	        {.test = 1, .run = 0, .size = 0, .octets = 64, .modelled_s = 1, TRIED(3)},
	        {.test = 1, .run = 0, .size = 1, .octets = 1518, .modelled_s = 1, UNTRIED},
	        {.test = 1, .run = 1, .size = 0, .octets = 64, .modifiers = 4, .modelled_s = 1, UNTRIED},
	        {.test = 1, .run = 1, .size = 1, .octets = 1518, .modifiers = 4, .modelled_s = 1, UNTRIED},
	        {.test = 1, .run = 2, .size = 0, .octets = 64, .modifiers = 8, .modelled_s = 1, UNTRIED},
	};
	const struct rehearsal rehearsal = {.parts = parts, .count = 9};

	cr_expect_float_eq(rehearsal_estimate(&rehearsal, &parts[6]), 3 * 10, NEAR);
	cr_expect_float_eq(rehearsal_estimate(&rehearsal, &parts[7]), 3 * 12.0 / 2, NEAR);
	cr_expect_float_eq(rehearsal_estimate(&rehearsal, &parts[8]), 3, NEAR, "of other modifiers nothing is known");
}

/* -- which is next ------------------------------------------------------------------------------------------------- */

Test(rehearsal_choice, new_tests_come_first_then_the_ends_of_the_costliest_sizes_then_their_middle)
{
	static const size_t EXPECTED[] = {1, 0, 5, 3, 2};
	struct rehearsal_part parts[] = {
	        {.test = 0, .modelled_s = 1, UNTRIED},
	        {.test = 1, .size = 0, .modelled_s = 2, UNTRIED},
	        {.test = 1, .size = 1, .modelled_s = 2, UNTRIED},
	        {.test = 1, .size = 2, .modelled_s = 2, UNTRIED},
	        {.test = 1, .size = 3, .modelled_s = 2, UNTRIED},
	        {.test = 1, .size = 4, .modelled_s = 2, UNTRIED},
	};
	const struct rehearsal rehearsal = {.parts = parts, .count = 6};

	for (size_t i = 0; i < 5; i++) {
		const struct choice choice = rehearsal_choose(&rehearsal, once, NULL);

		cr_assert_eq(choice.part, EXPECTED[i], "choice %zu is %zu", i, choice.part);
		cr_assert_eq(choice.of_a_new_test, i < 2);
		/* From the middle size on, it costs less. */
		parts[choice.part] = (struct rehearsal_part){.test = parts[choice.part].test,
		                                             .size = parts[choice.part].size,
		                                             .modelled_s = parts[choice.part].modelled_s,
		                                             TRIED(choice.part < 3 ? 20 : 1)};
	}
}

static double again(const void *user, const struct rehearsal_part *part)
{
	(void)user;
	(void)part;
	return 1;
}

static double less_if_large(const void *user, const struct rehearsal_part *part)
{
	(void)user;
	return part->attempted ? INFINITY : 10 - (double)part->size;
}

Test(rehearsal_choice, of_the_ends_the_cheaper_one_comes_first)
{
	struct rehearsal_part parts[] = {
	        {.size = 0, .modelled_s = 1, UNTRIED},
	        {.size = 1, .modelled_s = 1, UNTRIED},
	        {.size = 2, .modelled_s = 1, UNTRIED},
	};
	const struct rehearsal rehearsal = {.parts = parts, .count = 3};

	cr_expect_eq(rehearsal_choose(&rehearsal, less_if_large, NULL).part, 2);
	parts[2] = (struct rehearsal_part){.size = 2, .modelled_s = 1, TRIED(1)};
	cr_expect_eq(rehearsal_choose(&rehearsal, less_if_large, NULL).part, 0);
}

Test(rehearsal_choice, a_part_that_was_cut_short_is_tried_again_if_more_of_it_is_in_doubt_than_of_others)
{
	struct rehearsal_part parts[] = {
	        {.test = 0, .modelled_s = 1, TRIED(100)},
	        {.test = 1, .size = 0, .modelled_s = 1, TRIED(10)},
	        {.test = 1, .size = 1, .modelled_s = 1, UNTRIED},
	};
	const struct rehearsal rehearsal = {.parts = parts, .count = 3};

	parts[0].whole = false;
	parts[0].ran_s = 99;
	cr_expect_eq(rehearsal_choose(&rehearsal, again, NULL).part, 2);
	parts[0].ran_s = 10;
	cr_expect_eq(rehearsal_choose(&rehearsal, again, NULL).part, 0);
	cr_expect_eq(rehearsal_choose(&rehearsal, once, NULL).part, 2, "it may not");
	parts[0].whole = parts[2].whole = true;
	parts[2].wall_s = 1;
	cr_expect_eq(rehearsal_choose(&rehearsal, again, NULL).part, SIZE_MAX);
}

/* -- together ------------------------------------------------------------------------------------------------------ */

enum { TESTS = 5, RUNS = 4, SIZES = 7 };

/* A plan whose model is off by test, by modifiers and up to some size, by much; truth[] is what its parts take. */
static size_t draw(struct rehearsal_part *parts, double *truth)
{
	const unsigned tests = 1 + (unsigned)(lrand48() % TESTS), runs = 1 + (unsigned)(lrand48() % RUNS);
	const unsigned sizes = 1 + (unsigned)(lrand48() % SIZES), keeps_up = (unsigned)lrand48() % (sizes + 1);
	double times[RUNS];
	size_t count = 0;

	for (unsigned run = 0; run < runs; run++)
		times[run] = run ? exp(between(0, 3)) : 1;
	for (unsigned test = 0; test < tests; test++) {
		const double off = exp(between(-4, 3)), slower = exp(between(0, 3)), modelled_s = between(0.1, 2);

		for (unsigned i = 0; i < runs * sizes; i++, count++) {
			parts[count] = (struct rehearsal_part){.test = test,
			                                       .run = i / sizes,
			                                       .modifiers = i / sizes,
			                                       .size = i % sizes,
			                                       .octets = 64 + i % sizes,
			                                       .modelled_s = modelled_s,
			                                       UNTRIED};
			truth[count] = modelled_s * off * times[i / sizes] * (i % sizes < keeps_up ? slower : 1) *
			               between(0.9, 1.1);
		}
	}
	return count;
}

static double sum(const double *values, size_t count)
{
	double all = 0;

	for (size_t i = 0; i < count; i++)
		all += values[i];
	return all;
}

Test(rehearsal_choice, what_is_no_longer_in_doubt_is_right)
{
	enum { PLANS = 300 };
	double tried = 0, all = 0, worst = 1;

	seed();
	for (unsigned plan = 0; plan < PLANS; plan++) {
		static struct rehearsal_part parts[TESTS * RUNS * SIZES];
		static double truth[TESTS * RUNS * SIZES];
		struct rehearsal rehearsal = {.parts = parts, .count = draw(parts, truth)};
		struct choice choice = rehearsal_choose(&rehearsal, once, NULL);
		double ratio;

		while (choice.part != SIZE_MAX &&
		       (choice.of_a_new_test || rehearsal_doubt_s(&rehearsal) > 0.1 * rehearsal_total_s(&rehearsal))) {
			struct rehearsal_part *part = &parts[choice.part];

			cr_assert(!part->attempted);
			part->wall_s = truth[choice.part];
			part->whole = part->attempted = true;
			tried++;
			choice = rehearsal_choose(&rehearsal, once, NULL);
		}
		all += (double)rehearsal.count;
		ratio = rehearsal_total_s(&rehearsal) / sum(truth, rehearsal.count);
		worst = fmax(worst, fmax(ratio, 1 / ratio));
	}
	printf("%.0f of %.0f parts were tried; the worst estimate is off by %.2f\n", tried, all, worst);
	cr_expect_lt(worst, 1.5);
	cr_expect_lt(tried, 0.7 * all);
}
