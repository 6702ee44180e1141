/* SPDX-License-Identifier: Apache-2.0 */
#include "host/cli/rehearsal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/clock.h"
#include "host/base/fork.h"
#include "host/bench/bench.h"
#include "host/trial/device_tester.h"

static const double BUDGET_S = 2;       /* for all parts, as passed_s() counts */
static const double LEAST_PART = 0.1;   /* of wall time that counts at least, as in pace_measure.c */
static const double MOST_OF_BUDGET = 4; /* a trial may take this part of what is left */
static const double LATE = 2;           /* budgets of processor time, and it is ended */
enum { LOOK_MS = 50 };

/* -- the clock of a part ------------------------------------------------------------------------------------------ */

struct since {
	double wall_s, processor_s;
};

static struct since begin(void)
{
	return (struct since){clock_s(), clock_processor_s()};
}

/* Other programs may have most of the machine meanwhile, and the run may have it for itself: see pace_measure.c. */
static double passed_s(struct since since)
{
	const double wall_s = clock_s() - since.wall_s;

	return fmin(wall_s, fmax(clock_processor_s() - since.processor_s, wall_s * LEAST_PART));
}

/* A tester that ends a part when its time is up. */
struct meter {
	struct tester tester; /* first */
	struct tester *inner;
	struct since began; /* of the part */
	double most_s;
};

static int run_trial(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                     struct error *error)
{
	struct meter *meter = (struct meter *)tester;

	if (passed_s(meter->began) > meter->most_s)
		return error_set(error, ERROR_CANCELLED, "the time of this part is up");
	return tester_run(meter->inner, request, result, error);
}

static bool tell_truth(struct tester *tester, uint32_t frame_octets, struct dut_truth *truth)
{
	struct tester *inner = ((struct meter *)tester)->inner;

	return inner->ops->truth && inner->ops->truth(inner, frame_octets, truth);
}

static void close_nothing(struct tester *tester)
{
	(void)tester;
}

static const struct tester_ops METER_OPS = {.run = run_trial, .truth = tell_truth, .close = close_nothing};

struct stage {
	const struct setup *setup;
	struct meter meter;
	json_t *results;
	double began_s,
	        left_s; /* of the part: when it began, and what is left of it by its own estimate; < 0: unknown */
};

static void note_progress(void *user, const struct bench_progress *progress)
{
	((struct stage *)user)->left_s = progress->seconds_left;
}

static double now_s(void *user)
{
	(void)user;
	return clock_processor_s();
}

/* -- parts -------------------------------------------------------------------------------------------------------- */

static const struct plan_test *test_of(const struct stage *stage, const struct rehearsal_part *part)
{
	return &stage->setup->plan->tests[part->test];
}

/* Programs of the plan set up the real device: they are for the run alone. */
static bool starts_programs(const struct plan_test *test)
{
	return test->filters_command || (test->benchmark->command && test->benchmark->command(test));
}

static bool is_too_long(const struct stage *stage, const struct pace *pace, const struct rehearsal_part *part,
                        double budget_s)
{
	const struct plan_test *test = test_of(stage, part);
	const uint32_t octets = test->frame_sizes[part->size];
	const double longest_s = benchmark_of(test)->longest_trial_s(test, octets, stage->meter.tester.info.link_bps);
	const struct effort one = {.trials = 1,
	                           .sending_s = fmin(longest_s, 1e9),
	                           .waiting_s = extent_seconds(test->settle_ns) + extent_seconds(test->drain_ns)};

	return !(pace_wall_s(pace, test, octets, &one) <= budget_s / MOST_OF_BUDGET) &&
	       !benchmark_of(test)->line_rate_only; /* of a search of bursts, the longest one is hardly ever sent */
}

/* Of the same results, those of earlier parts. */
static void run_part(struct stage *stage, struct rehearsal_part *part, double most_s)
{
	struct plan plan = *stage->setup->plan;
	struct plan_test test = *test_of(stage, part);
	uint32_t octets = test.frame_sizes[part->size];
	struct bench_context context = {.tester = &stage->meter.tester,
	                                .progress = note_progress,
	                                .now_s = now_s,
	                                .user = stage,
	                                .results = stage->results};
	struct error error = {0};
	double took_s;
	int status;

	test.shape.modifiers = plan_modifiers(test_of(stage, part), part->run);
	test.each_alone = false;
	test.frame_sizes = &octets;
	test.frame_size_count = 1;
	plan.tests = &test;
	plan.test_count = 1;
	stage->left_s = -1;
	stage->meter.most_s = most_s;
	stage->meter.began = begin();
	status = bench_run(&context, &plan, &error);
	took_s = passed_s(stage->meter.began);
	part->whole = status == 0;
	if (status == 0)
		part->wall_s = took_s;
	else if (status == ERROR_CANCELLED && stage->left_s > 0)
		part->wall_s = took_s + stage->left_s;
}

/* The part of its prerequisite must have come to its end; without it, a part ends at once and says nothing. */
static bool lacks_prerequisite(const struct stage *stage, const struct rehearsal *rehearsal,
                               const struct rehearsal_part *part)
{
	const struct plan_test *test = test_of(stage, part);
	const char *wanted = test->benchmark->prerequisite;
	bool is_there = false, came = false;

	for (size_t i = 0; wanted && i < rehearsal->count; i++) {
		const struct rehearsal_part *other = &rehearsal->parts[i];
		const struct plan_test *before = test_of(stage, other);

		if (other->test >= part->test || strcmp(plan_test_name(before), wanted) != 0 ||
		    before->frame_sizes[other->size] != test->frame_sizes[part->size] ||
		    plan_modifiers(before, other->run) != plan_modifiers(test, part->run))
			continue;
		is_there = true;
		came |= other->whole;
	}
	return is_there && !came;
}

/* All first parts of the tests, then all second ones: each has a share of the time that is left. */
static void run_parts(struct stage *stage, const struct pace *pace, struct rehearsal *rehearsal)
{
	const struct since began = begin();
	size_t rank = 0;

	for (bool any = true; any; rank++) {
		any = false;
		for (size_t i = 0, of_test = 0; i < rehearsal->count; i++) {
			struct rehearsal_part *part = &rehearsal->parts[i];
			const double left_s = BUDGET_S - passed_s(began);
			const size_t tests = stage->setup->plan->test_count - part->test;

			of_test = i && rehearsal->parts[i - 1].test == part->test ? of_test + 1 : 0;
			if (of_test != rank)
				continue;
			any = true;
			if (left_s <= 0)
				return;
			if (starts_programs(test_of(stage, part)) || lacks_prerequisite(stage, rehearsal, part) ||
			    is_too_long(stage, pace, part, left_s))
				continue;
			run_part(stage, part, left_s / (double)tests);
		}
	}
}

static double modelled_s(const struct setup *setup, const struct pace *pace, const struct plan_test *test,
                         uint32_t octets)
{
	const struct glimpse glimpse = pace_glimpse(pace, test, octets);
	const struct effort expected = benchmark_expected(test, octets, setup->tester->info.link_bps, &glimpse);

	return pace_wall_s(pace, test, octets, &expected);
}

static bool list_parts(const struct setup *setup, const struct pace *pace, struct rehearsal *rehearsal)
{
	const struct plan *plan = setup->plan;
	size_t count = 0;

	for (size_t i = 0; i < plan->test_count; i++)
		count += plan_runs(&plan->tests[i]) * plan->tests[i].frame_size_count;
	rehearsal->parts = fork_share(count * sizeof(*rehearsal->parts));
	for (size_t i = 0; rehearsal->parts && i < plan->test_count; i++) {
		const struct plan_test *test = &plan->tests[i];

		for (size_t j = 0; j < plan_runs(test) * test->frame_size_count; j++) {
			const size_t size = j % test->frame_size_count;

			rehearsal->parts[rehearsal->count++] = (struct rehearsal_part){
			        .test = i,
			        .run = (unsigned)(j / test->frame_size_count),
			        .size = size,
			        .modelled_s = modelled_s(setup, pace, test, test->frame_sizes[size]),
			        .wall_s = NAN};
		}
	}
	return rehearsal->parts != NULL;
}

/* -- a process of its own ----------------------------------------------------------------------------------------- */

struct task {
	const struct setup *setup;
	const struct pace *pace;
	struct rehearsal *rehearsal; /* its parts are shared */
};

static void run_task(void *user)
{
	const struct task *task = user;
	struct stage stage = {.setup = task->setup};
	struct device *device = NULL;
	struct error ignored = {0};

	if (pace_open(task->setup->plan, &device, &ignored) == 0 &&
	    device_tester_open(device, NULL, &stage.meter.inner, &ignored) == 0) {
		stage.meter.tester = (struct tester){.ops = &METER_OPS, .info = stage.meter.inner->info};
		stage.results = json_array();
		run_parts(&stage, task->pace, task->rehearsal);
		json_decref(stage.results);
	}
	tester_close(stage.meter.inner);
	device_close(device);
	fork_tell_lines();
}

/* A trial is not ended in the middle. One that takes far longer than it was thought to is ended with the process. */
static void run_apart(struct task *task)
{
	const double began_s = clock_s();
	struct fork_child child = {0}, *const children[] = {&child};

	if (fork_start(&child, run_task, task) != 0)
		return;
	do
		fork_await(children, 1, LOOK_MS);
	while (child.state == FORK_RUNS && clock_processor_s_of(child.pid) < LATE * BUDGET_S &&
	       clock_s() - began_s < BUDGET_S / LEAST_PART);
	fork_end(&child);
}

void rehearse(const struct setup *setup, const struct pace *pace, struct rehearsal *rehearsal)
{
	struct task task = {.setup = setup, .pace = pace, .rehearsal = rehearsal};

	*rehearsal = (struct rehearsal){0};
	rehearsal->pace_s = pace->took_s;
	if (pace->kind != PACE_MEASURED || !list_parts(setup, pace, rehearsal))
		return;
	run_apart(&task);
	for (size_t i = 0; i < rehearsal->count; i++) {
		rehearsal->tried += isfinite(rehearsal->parts[i].wall_s);
		rehearsal->whole += rehearsal->parts[i].whole;
	}
}

void rehearsal_free(struct rehearsal *rehearsal)
{
	fork_unshare(rehearsal->parts, rehearsal->count * sizeof(*rehearsal->parts));
	*rehearsal = (struct rehearsal){0};
}
