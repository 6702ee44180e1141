/* SPDX-License-Identifier: Apache-2.0 */
/* What a rehearsal says of a plan; the tester that stands in for a program; when trials side by side would end; how
 * many there will be. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "host/bench/session.h"
#include "host/forecast/jobs_clock.h"
#include "host/forecast/queue_tester.h"
#include "host/forecast/rehearsal.h"

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

/* -- estimates ----------------------------------------------------------------------------------------------------- */

#define GAINS_NOTHING .gain = 1, .course_s = NAN

Test(rehearsal, parts_that_were_not_tried_are_off_the_model_as_those_of_their_test_were_or_as_all_were)
{
	struct rehearsal_part parts[] = {
	        {.test = 0, .size = 0, .modelled_s = 10, .wall_s = 5, .whole = true, GAINS_NOTHING},
	        {.test = 0, .size = 1, .modelled_s = 4, .wall_s = NAN, GAINS_NOTHING}, /* 2: half, as above */
	        {.test = 1, .size = 0, .modelled_s = 1, .wall_s = 30, GAINS_NOTHING},  /* cut short */
	        {.test = 2, .size = 0, .modelled_s = 2, .wall_s = NAN, GAINS_NOTHING}, /* x (0.5 + 30) / 2, as all */
	};
	struct rehearsal rehearsal = {.parts = parts, .count = 4, .tried = 2, .whole = 1, .before_s = 0.5};
	struct wall_time time = {.least_s = 1, .expected_s = 17, .most_s = 20};
	const double last_s = 2 * (0.5 + 30) / 2;

	cr_assert_float_eq(rehearsal_estimate(&rehearsal, &parts[1]), 2, NEAR);
	cr_assert_float_eq(rehearsal_estimate(&rehearsal, &parts[3]), last_s, NEAR);
	rehearsal_of_plan(&rehearsal, &time);
	cr_assert_float_eq(time.expected_s, 5 + 2 + 30 + last_s + 0.5, NEAR);
	cr_assert_float_eq(time.most_s, time.expected_s, NEAR, "the range has room for it");
	cr_assert_float_eq(time.least_s, 1, NEAR);

	time = (struct wall_time){.least_s = 8, .expected_s = 14, .most_s = INFINITY};
	rehearsal_of_test(&rehearsal, 0, &time);
	cr_assert_float_eq(time.expected_s, 7, NEAR);
	cr_assert_float_eq(time.least_s, 7, NEAR);
	cr_assert(isinf(time.most_s));
}

Test(rehearsal, without_any_part_that_was_tried_the_model_stands)
{
	struct rehearsal_part parts[] = {{.modelled_s = 10, .wall_s = NAN, GAINS_NOTHING}};
	const struct rehearsal rehearsal = {.parts = parts, .count = 1, .before_s = 3};
	struct wall_time time = {.least_s = 1, .expected_s = 17, .most_s = 20};

	rehearsal_of_plan(&rehearsal, &time);
	cr_assert_float_eq(time.expected_s, 17, NEAR);
}

Test(rehearsal, a_part_of_which_the_trials_are_known_costs_what_the_pace_says_times_what_it_was_off)
{
	struct rehearsal_part parts[] = {
	        {.test = 0, .wall_s = NAN, .course_s = 20, .gain = 1, .begun_priced_s = 2, .begun_s = 3},
	        {.test = 0, .size = 1, .wall_s = NAN, .course_s = 4, .gain = 0.5}, /* 4 x 1.5 / 2 */
	        {.test = 1, .wall_s = NAN, .course_s = 8, .gain = 1},              /* x 1.5, as all */
	};
	struct rehearsal rehearsal = {.parts = parts, .count = 3, .tried = 3};

	cr_expect_float_eq(rehearsal_estimate(&rehearsal, &parts[0]), 30, NEAR);
	cr_expect_float_eq(rehearsal_estimate(&rehearsal, &parts[1]), 3, NEAR);
	cr_expect_float_eq(rehearsal_estimate(&rehearsal, &parts[2]), 12, NEAR);
	cr_expect_float_eq(rehearsal_total_s(&rehearsal), 45, NEAR);
	parts[0].begun_priced_s = parts[0].begun_s = 0;
	cr_expect_float_eq(rehearsal_total_s(&rehearsal), 20 + 2 + 8, NEAR, "the pace alone");
}

Test(rehearsal, parts_with_other_modifiers_say_less_of_one_than_those_with_the_same)
{
	struct rehearsal_part parts[] = {
	        {.run = 0, .modelled_s = 1, .wall_s = 2, GAINS_NOTHING},
	        {.run = 1, .modelled_s = 1, .wall_s = 8, GAINS_NOTHING},
	        {.run = 1, .size = 1, .modelled_s = 3, .wall_s = NAN, GAINS_NOTHING}, /* x 8 */
	        {.run = 2, .modelled_s = 3, .wall_s = NAN, GAINS_NOTHING},            /* x (2 + 8) / 2 */
	};
	const struct rehearsal rehearsal = {.parts = parts, .count = 4, .tried = 2};

	cr_expect_float_eq(rehearsal_estimate(&rehearsal, &parts[2]), 24, NEAR);
	cr_expect_float_eq(rehearsal_estimate(&rehearsal, &parts[3]), 15, NEAR);
}

Test(rehearsal, doubt_ends_when_all_has_been_tried_and_is_less_where_parts_of_a_test_are_alike)
{
	struct rehearsal_part parts[] = {
	        {.modelled_s = 1, .wall_s = NAN, GAINS_NOTHING},
	        {.size = 1, .modelled_s = 1, .wall_s = NAN, GAINS_NOTHING},
	        {.size = 2, .modelled_s = 1, .wall_s = NAN, GAINS_NOTHING},
	};
	const struct rehearsal rehearsal = {.parts = parts, .count = 3, .tried = 3};
	double before = rehearsal_doubt_s(&rehearsal);

	cr_expect_float_eq(before, 3, NEAR, "nothing is known");
	for (size_t i = 0; i < 3; i++) {
		parts[i].wall_s = 1 + 0.01 * (double)i;
		parts[i].whole = true;
		parts[i].trials = 5;
		cr_expect_lt(rehearsal_doubt_s(&rehearsal), before / 2);
		cr_expect_eq(rehearsal_trials(&rehearsal, 0), i == 2 ? 15 : -1);
		before = rehearsal_doubt_s(&rehearsal);
	}
	cr_expect_float_eq(before, 0, NEAR);
}

/* -- a queue in place of a program --------------------------------------------------------------------------------- */

static struct queue_truth truth_of(const void *user, const struct traffic_shape *shape)
{
	(void)shape;
	return *(const struct queue_truth *)user;
}

/* Frame by frame: what is waiting when each comes. */
static uint64_t passed(const struct queue_truth *truth, uint64_t frames, double fps)
{
	double waiting = 0;
	uint64_t count = 0;

	for (uint64_t i = 0; i < frames; i++) {
		waiting = fmax(waiting - truth->service_fps / fps, 0);
		if (waiting + 1 <= truth->held_frames) {
			waiting += 1;
			count++;
		}
	}
	return count;
}

Test(queue_tester, loses_what_a_queue_loses_that_is_played_frame_by_frame)
{
	struct error error = {0};

	seed();
	for (unsigned round = 0; round < 200; round++) {
		const struct queue_truth truth = {between(1e6, 2e6), floor(between(5, 500))};
		const double fps = floor(between(5e5, 4e6));
		struct trial_request request = {.kind = TRIAL_LOAD,
		                                .shape = traffic_shape_plain(64),
		                                .gap_octets = MIN_GAP_OCTETS,
		                                .load = {(uint64_t)fps, 1},
		                                .duration_ot = (uint64_t)between(1e7, 1e8)};
		const uint64_t link_bps = UINT64_C(10000000000);
		struct trial_result result;
		struct tester *tester;
		double expected;

		cr_assert_eq(queue_tester_open(link_bps, 1, truth_of, &truth, &tester, &error), 0);
		cr_assert_eq(tester_run(tester, &request, &result, &error), 0);
		cr_assert(result.valid, "%s", result.why_invalid);
		expected = (double)passed(&truth, result.offered_frames, fps);
		cr_expect_lt(fabs((double)result.received_frames - expected), 3,
		             "%g fps, service %g, held %g: %g, not %g", fps, truth.service_fps, truth.held_frames,
		             (double)result.received_frames, expected);
		tester_close(tester);
	}
}

/* -- side by side -------------------------------------------------------------------------------------------------- */

static struct trial_request burst_of(uint64_t frames)
{
	return (struct trial_request){.kind = TRIAL_BURST,
	                              .shape = traffic_shape_plain(64),
	                              .gap_octets = MIN_GAP_OCTETS,
	                              .burst_frames = frames};
}

/* Trials one after the other, each of which is foreseen with that probability, and of such lengths. */
static void play(struct jobs_clock *clock, unsigned trials, double foreseen, double least_s, double most_s,
                 bool at_rest)
{
	for (unsigned i = 0; i < trials; i++) {
		const unsigned ahead = jobs_clock_looks_ahead(clock);
		struct trial_request requests[JOBS_CLOCK_MOST];

		for (unsigned j = 0; j < ahead; j++)
			requests[j] = burst_of(drand48() < foreseen || j == 0 ? i + j + 1 : 1000000 + i);
		if (ahead)
			jobs_clock_expect(clock, requests, ahead);
		requests[0] = burst_of(i + 1);
		jobs_clock_run(clock, &requests[0], between(least_s, most_s), at_rest);
	}
}

Test(jobs_clock, equal_trials_that_are_all_foreseen_take_their_share_after_the_first)
{
	for (unsigned jobs = 1; jobs <= 8; jobs++) {
		struct jobs_clock clock;

		jobs_clock_begin(&clock, jobs, false);
		play(&clock, 1 + 5 * jobs, 1, 1, 1, true);
		cr_expect_float_eq(clock.now_s, jobs == 1 ? 6 : 1 + 5, NEAR, "%u jobs: %g s", jobs, clock.now_s);
		cr_expect_float_eq(clock.alone_s, 1 + 5 * jobs, NEAR);
	}
}

Test(jobs_clock, nothing_is_gained_where_no_trial_is_foreseen_or_the_device_is_not_at_rest_or_trials_are_short)
{
	struct jobs_clock clock;

	seed();
	jobs_clock_begin(&clock, 4, false);
	play(&clock, 100, 0, 1, 3, true);
	cr_expect_float_eq(clock.now_s, clock.alone_s, NEAR);
	jobs_clock_begin(&clock, 4, false);
	play(&clock, 100, 1, 1, 3, false);
	cr_expect_float_eq(clock.now_s, clock.alone_s, NEAR);
	jobs_clock_begin(&clock, 4, false);
	play(&clock, 100, 1, 0.001, 0.019, true);
	cr_expect_float_eq(clock.now_s, clock.alone_s, NEAR);
	jobs_clock_begin(&clock, 4, true);
	play(&clock, 100, 1, 0.001, 0.019, true);
	cr_expect_lt(clock.now_s, clock.alone_s / 2, "--jobs takes short ones too");
}

Test(jobs_clock, what_is_gained_is_never_more_than_there_are_jobs)
{
	seed();
	for (unsigned round = 0; round < 300; round++) {
		const unsigned jobs = 1 + (unsigned)(drand48() * 8);
		struct jobs_clock clock;

		jobs_clock_begin(&clock, jobs, true);
		play(&clock, 60, drand48(), 0.1, 2, true);
		cr_expect_leq(clock.now_s, clock.alone_s + NEAR);
		cr_expect_geq(clock.now_s, clock.alone_s / jobs - NEAR, "%u jobs: %g of %g s", jobs, clock.now_s,
		              clock.alone_s);
	}
}

/* -- how many trials there will be --------------------------------------------------------------------------------- */

static void note_steps(void *user, const struct bench_progress *progress)
{
	*(unsigned *)user = progress->steps_estimate;
}

static unsigned steps(struct session *session, const struct search_config *config)
{
	struct trial_request request = {.kind = TRIAL_LOAD};
	struct error error = {0};
	struct search *search = search_create(config, &error);
	unsigned seen = 0;

	cr_assert_not_null(search, "%s", error.text);
	session->context->user = &seen;
	session_tell_progress(session, config, search, &request);
	search_free(search);
	return seen;
}

Test(session_progress, choices_of_ports_to_come_are_as_long_as_this_one_or_as_those_before_it)
{
	const struct search_config config = {.low = 1, .high = 1, .step = 1, .max_repeat = 1};
	struct tester tester = {.info = {.link_bps = UINT64_C(100000000000)}};
	struct bench_context context = {.tester = &tester, .progress = note_steps};
	struct session session = {.context = &context, .progress = {.repetitions = 2, .repetition = 1}};
	const unsigned one = steps(&session, &config) / 2; /* a search of one point, as long as it may get */

	cr_expect_geq(one, 1);
	cr_expect_eq(steps(&session, &config), 2 * one, "a benchmark without choices: two repetitions");
	session_next_case(&session, 5);
	cr_expect_eq(steps(&session, &config), 5 * 2 * one);
	session.trials = 3;
	session_next_case(&session, 5);
	cr_expect_eq(steps(&session, &config), 3 + 2 * one + 3 * 3);
	session.trials += 1;
	session.progress.repetition = 2;
	cr_expect_eq(steps(&session, &config), 3 + 1 + one + 3 * 3, "in the middle of a choice");
}
