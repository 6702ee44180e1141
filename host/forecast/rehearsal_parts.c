/* SPDX-License-Identifier: Apache-2.0 */
/* On the plan's own tester, those parts that the estimate needs most (rehearsal_choice.h), until what is not known can
 * no longer move the whole by much. Else of each test, with each of its modifiers, the first size, then the last ones,
 * then the others: sizes at both ends say most about those between. */
#include "host/forecast/rehearsal_parts.h"

#include <math.h>
#include <string.h>

#include "host/bench/bench.h"
#include "host/forecast/rehearsal_choice.h"
#include "host/forecast/rehearsal_likeness.h"

/* On a tester that stands in; to begin parts on the plan's own, a share of the plan within limits. As passed_s()
 * counts. */
static const double COURSES_S = 2;
static const double BEGIN_SHARE = 0.25, BEGIN_LEAST_S = 0.4, BEGIN_MOST_S = 3;
static const double MOST_OF_BUDGET = 1.5; /* a trial may take this part of what is left */
static const double AGAIN = 2;            /* times as long, and it is worth to try a part again */
/* Of the whole, or of what nobody waits for: when doubt is less, and each test has been tried, it ends. */
static const double DOUBT_SHARE = 0.1, DOUBT_S = 0.05;

static void note_progress(void *user, const struct bench_progress *progress)
{
	struct stage *stage = user;

	stage->steps = progress->steps_estimate;
}

/* -- one part ------------------------------------------------------------------------------------------------------ */

static const struct plan_test *test_of(const struct stage *stage, const struct rehearsal_part *part)
{
	return &stage->setup->plan->tests[part->test];
}

/* Programs of the plan set up the real device: they are for the run alone. */
static bool starts_programs(const struct plan_test *test)
{
	return test->filters_command || (test->benchmark->command && test->benchmark->command(test));
}

static bool is_too_long(const struct stage *stage, const struct rehearsal_part *part, double budget_s)
{
	const struct plan_test *test = test_of(stage, part);
	const uint32_t octets = test->frame_sizes[part->size];
	const double longest_s = benchmark_of(test)->longest_trial_s(test, octets, stage->meter.tester.info.link_bps);
	/* The pace is of short trials, which may not have got to where a twin jumps. */
	const double off = fmin(likeness_off(stage->rehearsal, part), 1);
	const struct effort one = {.trials = 1,
	                           .sending_s = fmin(longest_s, 1e9),
	                           .waiting_s = extent_seconds(test->settle_ns) + extent_seconds(test->drain_ns)};

	return !(pace_wall_s(stage->pace, test, octets, &one) * off <= budget_s / MOST_OF_BUDGET) &&
	       !benchmark_of(test)->line_rate_only; /* of a search of bursts, the longest one is hardly ever sent */
}

static int run_on_tester(struct stage *stage, const struct rehearsal_part *part, double most_s)
{
	const struct rehearsal_options *options = stage->options;
	struct plan plan = *stage->setup->plan;
	struct plan_test test = *test_of(stage, part);
	uint32_t octets = test.frame_sizes[part->size];
	struct bench_context context = {
	        .tester = &stage->meter.tester, .progress = note_progress, .user = stage, .results = stage->results};
	struct error ignored = {0};

	test.shape.modifiers = plan_modifiers(test_of(stage, part), part->run);
	test.each_alone = false;
	test.frame_sizes = &octets;
	test.frame_size_count = 1;
	plan.tests = &test;
	plan.test_count = 1;
	stage->steps = 0;
	meter_begin_part(&stage->meter, test_of(stage, part), octets, most_s, options->jobs, options->also_short);
	return bench_run(&context, &plan, &ignored);
}

static double gain_of(const struct jobs_clock *clock)
{
	return clock->alone_s > 0 ? clock->now_s / clock->alone_s : 1;
}

/* Of a part that was cut short. Its first trial, for which tables are written, is not like those to come. */
static double left_s(const struct stage *stage, double took_s)
{
	const struct meter *meter = &stage->meter;
	const double left = stage->steps > meter->trials ? stage->steps - meter->trials : 0;

	if (meter->trials == 1)
		return left * meter->first_s;
	return left * (took_s - meter->first_s) / (meter->trials - 1);
}

static void run_part(struct stage *stage, struct rehearsal_part *part, double most_s)
{
	const int status = run_on_tester(stage, part, most_s);
	const double took_s = meter_part_s(&stage->meter);

	part->whole = status == 0;
	part->trials = stage->meter.trials;
	part->gain = gain_of(&stage->meter.jobs);
	part->ran_s = took_s;
	part->given_s = most_s;
	if (status == 0)
		part->wall_s = took_s;
	else if (status == ERROR_CANCELLED && stage->meter.long_trial_s > 0)
		part->wall_s = stage->meter.long_trial_s * stage->steps;
	else if (status == ERROR_CANCELLED && stage->meter.trials > 0)
		part->wall_s = took_s + left_s(stage, took_s);
}

static void run_course(struct stage *stage, struct rehearsal_part *part, double most_s)
{
	const int status = run_on_tester(stage, part, most_s);

	part->whole = status == 0;
	part->trials = stage->meter.trials;
	if (status == 0) {
		part->course_s = meter_part_s(&stage->meter);
		part->gain = gain_of(&stage->meter.jobs);
	}
}

static void begin_part(struct stage *stage, struct rehearsal_part *part, double most_s)
{
	const struct meter *meter = &stage->meter;
	const int status = run_on_tester(stage, part, most_s);

	if (status == 0 || status == ERROR_CANCELLED) {
		part->first_s = meter->first_s;
		part->first_priced_s = meter->first_priced_s;
		part->begun_s = meter->trials ? meter_part_s(meter) - meter->first_s : 0;
		part->begun_priced_s = meter->priced_s - meter->first_priced_s;
	}
}

/* A part whose result another one starts from: without it, that ends at once and says nothing. */
struct before {
	bool any, came;              /* there is one; one has come to its end */
	struct rehearsal_part *open; /* one that has not been attempted; NULL: none */
};

static struct before before_of(const struct stage *stage, const struct rehearsal_part *part)
{
	struct rehearsal *rehearsal = stage->rehearsal;
	const char *wanted = test_of(stage, part)->benchmark->prerequisite;
	struct before before = {false, false, NULL};

	for (size_t i = 0; wanted && i < rehearsal->count; i++) {
		struct rehearsal_part *other = &rehearsal->parts[i];

		if (other->test >= part->test || strcmp(plan_test_name(test_of(stage, other)), wanted) != 0 ||
		    other->octets != part->octets || other->modifiers != part->modifiers)
			continue;
		before.any = true;
		before.came |= other->whole;
		if (!other->attempted && !before.open)
			before.open = other;
	}
	return before;
}

static bool lacks_prerequisite(const struct stage *stage, const struct rehearsal_part *part)
{
	const struct before before = before_of(stage, part);

	return before.any && !before.came;
}

/* -- all of them --------------------------------------------------------------------------------------------------- */

typedef void (*run_one)(struct stage *stage, struct rehearsal_part *part, double most_s);

static bool may_run(const struct stage *stage, const struct rehearsal_part *part, double left_s)
{
	return !starts_programs(test_of(stage, part)) && !lacks_prerequisite(stage, part) &&
	       (stage->meter.stands_in || !is_too_long(stage, part, left_s));
}

/* A test with the same modifiers, at another size. */
static bool is_alike(const struct rehearsal_part *a, const struct rehearsal_part *b)
{
	return a->test == b->test && a->run == b->run;
}

/* Of the parts of a test with the same modifiers, the one of that rank: first, last, second, third ... SIZE_MAX: it has
 * no more. */
static size_t by_rank(const struct rehearsal *rehearsal, size_t first, size_t rank)
{
	size_t count = 0;

	while (first + count < rehearsal->count && is_alike(&rehearsal->parts[first + count], &rehearsal->parts[first]))
		count++;
	if (rank >= count)
		return SIZE_MAX;
	return first + (rank == 0 ? 0 : rank == 1 ? count - 1 : rank - 1);
}

static bool is_first_alike(const struct rehearsal *rehearsal, size_t i)
{
	return i == 0 || !is_alike(&rehearsal->parts[i - 1], &rehearsal->parts[i]);
}

static bool is_clear(const struct stage *stage)
{
	return !stage->meter.stands_in &&
	       rehearsal_doubt_s(stage->rehearsal) <= fmax(DOUBT_SHARE * rehearsal_total_s(stage->rehearsal), DOUBT_S);
}

/* What the plan seems to take becomes clearer as it goes. */
static double budget_by_rank_s(const struct stage *stage)
{
	if (stage->meter.stands_in)
		return COURSES_S;
	return fmin(fmax(BEGIN_SHARE * rehearsal_total_s(stage->rehearsal), BEGIN_LEAST_S), BEGIN_MOST_S);
}

static void run_all(struct stage *stage, run_one run, size_t ranks)
{
	struct rehearsal *rehearsal = stage->rehearsal;
	const struct passed_since began = passed_begin();
	bool any = true;

	for (size_t rank = 0; rank < ranks && any; rank++) {
		any = false;
		for (size_t i = 0; i < rehearsal->count; i++) {
			const size_t at = is_first_alike(rehearsal, i) ? by_rank(rehearsal, i, rank) : SIZE_MAX;
			struct rehearsal_part *part = &rehearsal->parts[at == SIZE_MAX ? 0 : at];
			const double left_s = budget_by_rank_s(stage) - passed_s(began);

			if (at == SIZE_MAX)
				continue;
			any = true;
			if (left_s <= 0 || (rank > 0 && is_clear(stage)))
				return;
			if (may_run(stage, part, left_s))
				run(stage, part, left_s / (double)(stage->setup->plan->test_count - part->test));
		}
	}
}

/* -- those that are needed most ------------------------------------------------------------------------------------ */

static bool is_possible(const struct stage *stage, const struct rehearsal_part *part, double left_s)
{
	return !starts_programs(test_of(stage, part)) && !is_too_long(stage, part, left_s);
}

struct looking {
	const struct stage *stage;
	double left_s, most_s; /* of all, and of the part that is chosen */
};

/* With what it starts from. One that was cut short may be tried again, if it gets much more time. */
static double cost_s(const void *user, const struct rehearsal_part *part)
{
	const struct looking *looking = user;
	const struct before before = before_of(looking->stage, part);
	const double estimate_s = rehearsal_estimate(looking->stage->rehearsal, part);
	const double own_s = isfinite(estimate_s) ? estimate_s : looking->left_s;

	if (part->attempted && !(isfinite(part->wall_s) && !part->whole && looking->most_s > AGAIN * part->given_s))
		return INFINITY;
	if (!is_possible(looking->stage, part, looking->left_s))
		return INFINITY;
	if (!before.any || before.came)
		return own_s;
	return before.open ? own_s + cost_s(user, before.open) : INFINITY;
}

/* How many parts share what is left, this one among them: each test that is new has a claim, and what comes after. */
static double shares(const struct rehearsal *rehearsal)
{
	size_t new_tests = 0, parts = 0;

	for (size_t i = 0; i < rehearsal->count;) {
		const size_t test = rehearsal->parts[i].test;
		bool is_new = true;

		for (; i < rehearsal->count && rehearsal->parts[i].test == test; i++) {
			is_new &= !rehearsal->parts[i].attempted;
			parts += !rehearsal->parts[i].attempted;
		}
		new_tests += is_new;
	}
	return (double)new_tests + (parts > new_tests ? 1 : 0) + (new_tests == 0 && parts > 1 ? 1 : 0);
}

void stage_run_parts(struct stage *stage)
{
	struct rehearsal *rehearsal = stage->rehearsal;
	const struct passed_since began = passed_begin();

	for (;;) {
		const double left_s = rehearsal_budget_s(rehearsal) - passed_s(began);
		const struct looking looking = {stage, left_s, left_s / fmax(shares(rehearsal), 1)};
		struct rehearsal_part *part;
		struct choice choice;

		if (left_s <= 0)
			return;
		choice = rehearsal_choose(rehearsal, cost_s, &looking);
		if (choice.part == SIZE_MAX || (!choice.of_a_new_test && is_clear(stage)))
			return;
		part = &rehearsal->parts[choice.part];
		while (lacks_prerequisite(stage, part))
			part = before_of(stage, part).open;
		part->attempted = true;
		run_part(stage, part, looking.most_s);
	}
}

void stage_run_courses(struct stage *stage)
{
	run_all(stage, run_course, SIZE_MAX);
}

void stage_begin_parts(struct stage *stage)
{
	run_all(stage, begin_part, 2);
}
