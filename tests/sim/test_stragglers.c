/* SPDX-License-Identifier: Apache-2.0 */
/* Trials through a device that keeps frames for longer than the drain, by the device tester, on the twin: they are not
 * taken for lost, and the drain that the reason names would have done. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/trial/device/tester.h"
#include "tests/seed.h"

enum { PORTS = 2, OT_A_US = 12500, DEVICES = 60 };

static struct device *device;
static struct tester *tester;
static struct trial_result result;
static struct error error;

static void open_device(const char *model, const char *name, const char *value)
{
	const struct device_option options[] = {{"dut.model", model}, {name, value}};
	const struct device_config config = {
	        .backend = "sim", .library = TWIN_LIBRARY, .options = options, .option_count = 2};
	const char *bad_option;

	cr_assert_eq(device_open(&config, &device, &bad_option, &error), 0, "%s", error.text);
	cr_assert_eq(device_tester_open(device, NULL, &tester, &error), 0, "%s", error.text);
}

static void close_device(void)
{
	tester_close(tester);
	device_close(device);
}

static struct trial_request load_for_a_tenth_of_a_ms(void)
{
	return (struct trial_request){.kind = TRIAL_LOAD,
	                              .shape = traffic_shape_plain(64),
	                              .gap_octets = 12,
	                              .load = {50000000, 1},
	                              .duration_ot = 100 * OT_A_US,
	                              .drain_ot = OT_A_US,
	                              .settle_ot = 10000 * OT_A_US};
}

static void run(const struct trial_request *request)
{
	cr_assert_eq(tester_run(tester, request, &result, &error), 0, "%s", error.text);
}

/* The drain of "a drain of at least X would do". */
static uint64_t named_drain_ot(void)
{
	static const struct {
		const char *unit;
		double us;
	} UNITS[] = {{"ns", 1e-3}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}};
	const char *at = strstr(result.why_invalid, "at least ");
	char unit[8];
	double number;

	cr_assert(at && sscanf(at, "at least %lf %7s", &number, unit) == 2, "%s", result.why_invalid);
	for (size_t i = 0; i < sizeof(UNITS) / sizeof(UNITS[0]); i++)
		if (!strcmp(unit, UNITS[i].unit))
			return (uint64_t)(number * UNITS[i].us * OT_A_US + 0.5);
	cr_assert_fail("%s", result.why_invalid);
	return 0;
}

static void expect_frames_after_the_drain(const struct trial_request *request, const char *what)
{
	struct trial_request longer = *request;

	run(request);
	cr_assert_not(result.valid, "%s: %" PRIu64 " frames lost of a device that loses none", what,
	              result.lost_frames);
	cr_expect(strstr(result.why_invalid, " frames arrived in the settle time, after the drain of "), "%s",
	          result.why_invalid);
	longer.drain_ot = named_drain_ot();
	run(&longer);
	cr_assert(result.valid, "%s: %s", what, result.why_invalid);
	cr_expect_eq(result.lost_frames, 0, "%s: %" PRIu64, what, result.lost_frames);
}

TestSuite(stragglers, .fini = close_device);

Test(stragglers, of_any_latency_make_a_trial_invalid_and_the_drain_that_is_named_would_do)
{
	srand((unsigned)test_seed());
	for (unsigned i = 0; i < DEVICES; i++) {
		struct trial_request request = load_for_a_tenth_of_a_ms();
		char latency[16];

		request.drain_ot = (uint64_t)(1 + rand() % 50) * OT_A_US;
		request.shape.bidirectional = rand() % 2;
		if (rand() % 2) {
			request.kind = TRIAL_BURST;
			request.burst_frames = 1 + (uint64_t)(rand() % 500);
		}
		snprintf(latency, sizeof(latency), "%d", 51200 + rand() % 3000000); /* longer than these drains */
		if (i)
			close_device();
		open_device("wire", "dut.latency_ns", latency);
		expect_frames_after_the_drain(&request, latency);
	}
}

Test(stragglers, of_the_trial_before_a_trial_make_it_invalid)
{
	struct trial_request before = load_for_a_tenth_of_a_ms(), request = load_for_a_tenth_of_a_ms();
	struct traffic traffic;
	const struct traffic_limits limits = {256, 512, 54, 16383};

	open_device("wire", "dut.latency_ns", "400000");
	cr_assert_eq(traffic_build(&request.shape, PORTS, &limits, &traffic, &error), 0, "%s", error.text);
	request.traffic = before.traffic = &traffic;
	request.before = &before;
	request.drain_ot = 500 * OT_A_US;
	run(&request);
	cr_expect_not(result.valid);
	cr_expect(strstr(result.why_invalid, "would do (in the trial before it)"), "%s", result.why_invalid);
	traffic_free(&traffic);
}

Test(stragglers, that_do_not_come_are_lost)
{
	struct trial_request request = load_for_a_tenth_of_a_ms();

	open_device("faults", "dut.drop_every", "10");
	request.shape.bidirectional = false;
	run(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(result.lost_frames, 500);
}

/* Each frame is followed by its copy, so the copy of the last one comes when all frames have. */
Test(stragglers, that_are_second_copies_of_frames_that_came_say_nothing_about_loss)
{
	struct trial_request request = load_for_a_tenth_of_a_ms();

	open_device("faults", "dut.duplicate_every", "1");
	for (request.burst_frames = 1; request.burst_frames < 40; request.burst_frames++) {
		request.kind = TRIAL_BURST;
		run(&request);
		cr_assert(result.valid, "%s", result.why_invalid);
		cr_expect_eq(result.lost_frames, 0);
	}
}
