/* SPDX-License-Identifier: Apache-2.0 */
/* In a process of its own, which can be ended in the middle of a trial. */
#include "host/forecast/rehearsal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/clock.h"
#include "host/base/fork.h"
#include "host/bench/bench.h"
#include "host/forecast/passed_time.h"
#include "host/forecast/queue_tester.h"
#include "host/forecast/rehearsal_parts.h"
#include "host/trial/device_tester.h"

static const double LATE_S = 5; /* of passed_s(), after its budget, and it is ended */
enum { LOOK_MS = 50 };

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
			        .octets = test->frame_sizes[size],
			        .modifiers = plan_modifiers(test, (unsigned)(j / test->frame_size_count)),
			        .modelled_s = modelled_s(setup, pace, test, test->frame_sizes[size]),
			        .wall_s = NAN,
			        .course_s = NAN,
			        .gain = 1};
		}
	}
	return rehearsal->parts != NULL;
}

/* -- who answers --------------------------------------------------------------------------------------------------- */

/* The same device, frame by frame in place of clock by clock, and with the same answers (docs/twin.md). */
static int open_twin(const struct plan *plan, struct device **device, struct error *error)
{
	struct plan with_twin = *plan;

	with_twin.device.library = "twin";
	return pace_open(&with_twin, device, error);
}

static bool has_twin_of(const struct plan *plan)
{
	return plan->device.library && !strcmp(plan->device.library, "rtl");
}

static struct queue_truth seen_of_program(const void *user, const struct traffic_shape *shape)
{
	return pace_find(user, shape->bidirectional, shape->frame_octets)->seen;
}

/* -- a process of its own ----------------------------------------------------------------------------------------- */

struct task {
	const struct setup *setup;
	const struct pace *pace;
	const struct rehearsal_options *options;
	struct rehearsal *rehearsal; /* its parts are shared */
};

/* device: of the tester, NULL for none; results: of earlier parts, NULL for none yet. Takes over the tester. */
static void act(const struct task *task, struct tester *tester, struct device *device, bool stands_in, json_t *results,
                void (*play)(struct stage *stage))
{
	struct stage stage = {.setup = task->setup,
	                      .pace = task->pace,
	                      .options = task->options,
	                      .rehearsal = task->rehearsal,
	                      .results = results};

	meter_open(&stage.meter, tester);
	stage.meter.device = device;
	stage.meter.pace = task->pace;
	stage.meter.stands_in = stands_in;
	stage.meter.waits = task->setup->device == NULL;
	if (results)
		play(&stage);
}

static void act_for_program(const struct task *task)
{
	const struct tester_info *info = &task->setup->tester->info;
	struct error ignored = {0};
	struct tester *tester;
	json_t *results = json_array();

	if (queue_tester_open(info->link_bps, info->senders, seen_of_program, task->pace, &tester, &ignored) == 0)
		act(task, tester, NULL, true, results, stage_run_courses);
	tester_close(tester);
	json_decref(results);
}

/* False: there is no twin of it. */
static bool act_on_twin(const struct task *task, json_t *results)
{
	struct device *twin = NULL;
	struct tester *tester = NULL;
	struct error ignored = {0};
	const bool opened = open_twin(task->setup->plan, &twin, &ignored) == 0 &&
	                    device_tester_open(twin, NULL, &tester, &ignored) == 0;

	if (opened)
		act(task, tester, twin, true, results, stage_run_courses);
	tester_close(tester);
	device_close(twin);
	return opened;
}

static void act_on_simulation(const struct task *task)
{
	json_t *results = json_array();
	const bool has_twin = has_twin_of(task->setup->plan) && act_on_twin(task, results);
	struct device *device = NULL;
	struct tester *tester = NULL;
	struct error ignored = {0};

	if (pace_open(task->setup->plan, &device, &ignored) == 0 &&
	    device_tester_open(device, NULL, &tester, &ignored) == 0)
		act(task, tester, device, false, results, has_twin ? stage_begin_parts : stage_run_parts);
	tester_close(tester);
	device_close(device);
	json_decref(results);
}

static void run_task(void *user)
{
	const struct task *task = user;

	if (task->setup->device)
		act_on_simulation(task);
	else
		act_for_program(task);
	fork_tell_lines();
}

/* A trial is not ended in the middle. One that takes far longer than it was thought to is ended with the process. */
static void run_apart(struct task *task)
{
	const double began_s = clock_s();
	double late_s;
	struct fork_child child = {0}, *const children[] = {&child};

	if (fork_start(&child, run_task, task) != 0)
		return;
	do {
		fork_await(children, 1, LOOK_MS);
		late_s = rehearsal_budget_s(task->rehearsal) + LATE_S;
	} while (child.state == FORK_RUNS && passed_s_of(child.pid, began_s) < late_s);
	fork_end(&child);
}

void rehearse(const struct setup *setup, const struct pace *pace, const struct rehearsal_options *options,
              struct rehearsal *rehearsal)
{
	struct task task = {.setup = setup, .pace = pace, .options = options, .rehearsal = rehearsal};

	*rehearsal = (struct rehearsal){.before_s = pace->before_s};
	if (pace->kind != PACE_MEASURED || !list_parts(setup, pace, rehearsal))
		return;
	run_apart(&task);
	for (size_t i = 0; i < rehearsal->count; i++) {
		const struct rehearsal_part *part = &rehearsal->parts[i];

		rehearsal->tried += isfinite(part->wall_s) || isfinite(part->course_s);
		rehearsal->whole += part->whole;
		rehearsal->stood_in |= isfinite(part->course_s);
	}
}

void rehearsal_free(struct rehearsal *rehearsal)
{
	fork_unshare(rehearsal->parts, rehearsal->count * sizeof(*rehearsal->parts));
	*rehearsal = (struct rehearsal){0};
}
