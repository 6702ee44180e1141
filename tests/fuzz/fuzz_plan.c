/* SPDX-License-Identifier: Apache-2.0 */
/* Plans and --set, up to the checked plan; then its benchmarks on a device whose truth is known, for the numbers that
 * only a search sees.
 *
 * Input: overrides, one per line; "%%"; the plan; "%%"; a file that it may include as "101". */
#include <stdlib.h>
#include <string.h>

#include "host/bench/bench.h"
#include "host/bench/benchmark.h"
#include "host/plan/plan.h"
#include "tests/c/fifo_tester.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_OVERRIDES = 8, MOST_TRIALS = 40 };

struct overrides {
	const char *text[MOST_OVERRIDES];
	size_t count;
};

static void take_overrides(char *lines, struct overrides *overrides)
{
	char *rest = lines;

	for (char *line; overrides->count < MOST_OVERRIDES && (line = strsep(&rest, "\n"));) {
		if (*line)
			overrides->text[overrides->count++] = line;
	}
}

static void check_shape(const struct traffic_shape *shape, size_t frame_size_count)
{
	const struct traffic_sizes *sizes = &shape->sizes;

	FUZZ_EXPECT(shape->pattern <= TRAFFIC_SNAKE && shape->frame <= TRAFFIC_ETHERNET, "%u, %u", shape->pattern,
	            shape->frame);
	FUZZ_EXPECT(shape->addresses >= 1 && shape->addresses <= 65536 && shape->seed >= 1, "%u, %u", shape->addresses,
	            shape->seed);
	FUZZ_EXPECT(shape->modifiers < 4, "modifiers %#x", shape->modifiers);
	FUZZ_EXPECT(shape->vlan <= 4094 || shape->vlan == TRAFFIC_NO_VLAN, "VLAN %u", shape->vlan);
	FUZZ_EXPECT(shape->pattern != TRAFFIC_MESH || shape->bidirectional, "a mesh one way");
	FUZZ_EXPECT(shape->pattern != TRAFFIC_UNIDIRECTIONAL_MESH || !shape->bidirectional, "both ways");
	FUZZ_EXPECT(shape->frame_octets == 0 && sizes->count <= TRAFFIC_MAX_SIZES, "%u sizes", sizes->count);
	FUZZ_EXPECT(!sizes->count || frame_size_count == 1, "%zu runs of a mix", frame_size_count);
	for (unsigned i = 0; i < sizes->count; i++)
		FUZZ_EXPECT(sizes->octets[i] >= 64 && sizes->octets[i] <= 9216, "%u octets", sizes->octets[i]);
}

/* No value that reaches the rest of the program can be out of range (plan.h). */
static void check_plan(const struct plan *plan)
{
	FUZZ_EXPECT(plan->file_count > 0 && plan->text == plan->files[0].text, "%zu files", plan->file_count);
	for (size_t i = 0; i < plan->device.option_count; i++)
		FUZZ_EXPECT(plan_option_place(plan, plan->device.options[i].name), "%s", plan->device.options[i].name);
	for (size_t i = 0; i < plan->test_count; i++) {
		const struct plan_test *test = &plan->tests[i];

		FUZZ_EXPECT(test->frame_size_count > 0, "test %zu", i);
		check_shape(&test->shape, test->frame_size_count);
		for (size_t j = 0; !test->shape.sizes.count && j < test->frame_size_count; j++)
			FUZZ_EXPECT(test->frame_sizes[j] >= 64 && test->frame_sizes[j] <= 9216, "test %zu: %u octets",
			            i, test->frame_sizes[j]);
		FUZZ_EXPECT(test->goal_count <= PLAN_MAX_GOALS, "test %zu: %zu goals", i, test->goal_count);
	}
}

/* The parts of a plan that a run file keeps give the same plan again. */
static void check_recorded(const struct plan *plan, const struct overrides *overrides)
{
	struct error error = {0};
	struct plan *again = NULL;

	FUZZ_EXPECT(plan_read_recorded(plan->files, plan->file_count, &BENCHMARK_KEYS, overrides->text,
	                               overrides->count, &again, &error) == 0,
	            "%s", error.text);
	FUZZ_EXPECT(again->test_count == plan->test_count && again->link_bps == plan->link_bps, "%zu tests, %zu before",
	            again->test_count, plan->test_count);
	for (size_t i = 0; i < plan->test_count; i++)
		FUZZ_EXPECT(traffic_shape_equal(&again->tests[i].shape, &plan->tests[i].shape), "traffic of test %zu",
		            i);
	plan_free(again);
}

static void run(const struct plan *plan)
{
	struct fifo_tester fifo;
	struct error error = {0};
	struct bench_context context = {.results = json_array()};
	int status;

	fifo_begin(&fifo, 500, 3, 4);
	fifo.cancel_after = MOST_TRIALS;
	context.tester = &fifo.tester;
	status = bench_check(plan, fifo.tester.info.link_bps, &error);
	if (!status)
		status = bench_run(&context, plan, &error);
	if (status)
		fuzz_expect_complaint(status, &error);
	json_decref(context.results);
}

static void read_device(const char *device, const struct overrides *overrides)
{
	struct error error = {0};
	struct plan *plan = NULL;
	int status = plan_of_device(device, overrides->text, overrides->count, &plan, &error);

	if (status)
		fuzz_expect_complaint(status, &error);
	plan_free(plan);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_silence();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_piece pieces[3];
	struct overrides overrides = {.count = 0};
	struct error error = {0};
	struct plan *plan = NULL;
	char *lines;
	int status;

	fuzz_split(data, size, pieces, 3);
	lines = fuzz_text(&pieces[0]);
	take_overrides(lines, &overrides);
	fuzz_file(1, pieces[2].octets, pieces[2].size);
	status = plan_read(fuzz_file(0, pieces[1].octets, pieces[1].size), &BENCHMARK_KEYS, overrides.text,
	                   overrides.count, &plan, &error);
	if (status) {
		FUZZ_EXPECT(!plan, "refused, and there");
		fuzz_expect_complaint(status, &error);
		FUZZ_EXPECT(status == ERROR_PLAN, "%s", error.text);
	} else {
		check_plan(plan);
		check_recorded(plan, &overrides);
		run(plan);
	}
	plan_free(plan);
	if (overrides.count)
		read_device(overrides.text[0], &overrides);
	free(lines);
	return 0;
}
