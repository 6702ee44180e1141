// SPDX-License-Identifier: Apache-2.0
/* Device time as `check` states it, against what the device's clock says after all tests of a plan: no lower bound is
 * above it, no upper bound below, whatever the device under test is. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "host/bench/bench.h"
#include "host/bench/benchmark.h"
#include "host/forecast/device_time.h"
#include "host/trial/device/tester.h"
#include "tests/c/plan_files.h"

/* The time that registers take to set up and read a trial and its learning frames. */
static const double SETUP_S = 100e-6;

static const char *const DEVICES[] = {
        "model = \"wire\";",
        "model = \"fifo\"; buffer_frames = 40; service_fps = \"60M\"; latency_ns = 300;",
        "model = \"faults\"; drop_probability = \"100%\";",
        "model = \"faults, fifo\"; drop_probability = \"0.1%\"; buffer_frames = 500; service_fps = \"100M\";",
        "model = \"wire\"; latency_ns = 50000;",
        "model = \"switch\"; buffer_frames = 60;",
        "model = \"switch\"; buffer_frames = 60; ageing = \"30s\";",
        "model = \"switch\"; buffer_frames = 1;",
};

static const struct {
	const char *tests;
	unsigned ports;
} PLANS[] = {
        {"{ test = \"throughput\"; TRIAL }, { test = \"latency\"; repetitions = 3; TRIAL }", 2},
        {"{ test = \"throughput\"; TRIAL }, { test = \"back_to_back\"; repetitions = 2; first_burst = \"8 frames\"; "
         "max_burst = \"20us\"; WAITS }",
         2},
        {"{ test = \"throughput\"; search = \"binary\"; search_trial_duration = \"20us\"; TRIAL }", 2},
        {"{ test = \"throughput\"; TRIAL }, { test = \"system_recovery\"; repetitions = 2; overload_duration = "
         "\"100us\"; recovery_duration = \"100us\"; WAITS }",
         2},
        {"{ test = \"latency\"; load = \"50%\"; repetitions = 3; TRIAL }", 2},
        {"{ test = \"frame_loss_rate\"; TRIAL }", 2},
        {"{ test = \"bursty_traffic\"; TRIAL }", 2},
        {"{ test = \"rfc2889.full_mesh\"; TRIAL }", 4},
        {"{ test = \"rfc2889.one_to_many\"; TRIAL }", 4},
        {"{ test = \"rfc2889.many_to_one\"; TRIAL }", 4},
        {"{ test = \"rfc2889.unidirectional_mesh\"; TRIAL }", 4},
        {"{ test = \"rfc2889.congestion_control\"; TRIAL }", 4},
        {"{ test = \"rfc2889.broadcast_latency\"; WAITS }", 4},
        {"{ test = \"rfc2889.maximum_forwarding_rate\"; TRIAL }", 2},
        {"{ test = \"rfc2889.errored_frames\"; TRIAL }", 2},
        {"{ test = \"rfc2889.forward_pressure\"; TRIAL }", 2},
        {"{ test = \"rfc2889.address_caching\"; initial_addresses = 64; max_addresses = 256; ageing = \"100s\"; WAITS "
         "}",
         4},
        {"{ test = \"rfc2889.learning_rate\"; addresses = 64; ageing = \"100s\"; WAITS }", 4},
        {"{ test = \"rfc2889.address_caching\"; initial_addresses = 64; max_addresses = 256; ageing = \"100s\"; "
         "measure_ageing = false; WAITS }",
         4},
        {"{ test = \"rfc8239.line_rate\"; repetitions = 3; TRIAL }", 4},
        {"{ test = \"rfc8239.port_buffer\"; repetitions = 2; max_frames = 200; WAITS }", 4},
        {"{ test = \"rfc8239.microburst\"; repetitions = 2; max_burst = \"20us\"; WAITS }", 4},
};

enum { PLAN_COUNT = sizeof(PLANS) / sizeof(PLANS[0]), DEVICE_COUNT = sizeof(DEVICES) / sizeof(DEVICES[0]) };

struct counting {
	struct tester tester; /* first */
	struct tester *inner;
	unsigned trials;
	bool all_valid;
};

static int run_counted(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                       struct error *error)
{
	struct counting *counting = (struct counting *)tester;
	const int status = tester_run(counting->inner, request, result, error);

	counting->trials++;
	counting->all_valid &= status == 0 && result->valid;
	return status;
}

static const struct tester_ops COUNTING = {.run = run_counted};

static void write_plan(unsigned plan, unsigned dut)
{
	static const char *const WORDS[][2] = {
	        {"TRIAL", "trial_duration = \"200us\"; drain = \"100us\"; settle = \"10us\"; "
	                  "frame_sizes = [64, 512];"},
	        {"WAITS", "drain = \"100us\"; settle = \"10us\"; frame_sizes = [64, 512];"}};
	char text[4000], *at = text;

	for (const char *from = PLANS[plan].tests; *from;) {
		size_t i = 0;

		while (i < 2 && strncmp(from, WORDS[i][0], strlen(WORDS[i][0])) != 0)
			i++;
		at += sprintf(at, i < 2 ? "%s" : "%.1s", i < 2 ? WORDS[i][1] : from);
		from += i < 2 ? strlen(WORDS[i][0]) : 1;
	}
	FILE *file = fopen("plan.cfg", "w");
	fprintf(file,
	        "device = { backend = \"sim\"; library = \"%s\"; ports = %u; };\nlink = { speed = \"100G\"; };\n"
	        "dut = { %s };\nrun = ( %s );\n",
	        TWIN_LIBRARY, PLANS[plan].ports, DEVICES[dut], text);
	fclose(file);
}

static double now_s(struct device *device, uint64_t link_bps)
{
	struct error error = {0};
	uint64_t octet_times;

	cr_assert_eq(device_now(device, &octet_times, &error), 0, "%s", error.text);
	return seconds_from_octet_times(octet_times, link_bps);
}

static void expect_within(const struct plan *plan, const struct counting *counting, double took_s, const char *name)
{
	const uint64_t link_bps = counting->inner->info.link_bps;
	struct extent sum = {0};

	for (size_t i = 0; i < plan->test_count; i++) {
		const struct extent one = device_time_of_test(&plan->tests[i], link_bps);

		effort_add(&sum.least, &one.least);
		effort_add(&sum.most, &one.most);
	}
	cr_expect_leq(effort_device_s(&sum.least), took_s, "%s: at least %g s, took %g s", name,
	              effort_device_s(&sum.least), took_s);
	cr_expect_leq(took_s - counting->trials * SETUP_S, effort_device_s(&sum.most),
	              "%s: at most %g s, took %g s in %u trials", name, effort_device_s(&sum.most), took_s,
	              counting->trials);
	cr_expect_leq((double)counting->trials, sum.most.trials, "%s: at most %g trials, had %u", name, sum.most.trials,
	              counting->trials);
}

/* True if it could be run, with all trials valid. */
static bool try_plan(unsigned number, unsigned dut)
{
	struct error error = {0};
	struct plan *plan = NULL;
	struct device *device = NULL;
	struct counting counting = {.all_valid = true};
	struct bench_context context = {.tester = &counting.tester, .results = json_array()};
	const char *bad_option;
	double began_s;
	char name[400];

	write_plan(number, dut);
	snprintf(name, sizeof(name), "%.150s on %.150s", PLANS[number].tests, DEVICES[dut]);
	cr_assert_eq(plan_read("plan.cfg", &BENCHMARK_KEYS, NULL, 0, &plan, &error), 0, "%s: %s", name, error.text);
	cr_assert_eq(device_open(&plan->device, &device, &bad_option, &error), 0, "%s: %s", name, error.text);
	cr_assert_eq(device_tester_open(device, NULL, &counting.inner, &error), 0, "%s", error.text);
	counting.tester = (struct tester){.ops = &COUNTING, .info = counting.inner->info};
	began_s = now_s(device, counting.inner->info.link_bps);
	cr_assert_eq(bench_run(&context, plan, &error), 0, "%s: %s", name, error.text);
	if (counting.all_valid)
		expect_within(plan, &counting, now_s(device, counting.inner->info.link_bps) - began_s, name);
	json_decref(context.results);
	tester_close(counting.inner);
	device_close(device);
	plan_free(plan);
	return counting.all_valid;
}

TestSuite(device_time, .init = enter_plan_directory, .fini = leave_plan_directory);

Test(device_time, lies_between_its_bounds_whatever_the_device_under_test_is)
{
	unsigned valid = 0;

	for (unsigned plan = 0; plan < PLAN_COUNT; plan++)
		for (unsigned dut = 0; dut < DEVICE_COUNT; dut++)
			if (PLANS[plan].ports == 2 || strstr(DEVICES[dut], "switch"))
				valid += try_plan(plan, dut);
	cr_expect_geq(valid, 20, "%u plans", valid);
}
