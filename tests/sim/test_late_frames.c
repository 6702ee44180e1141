/* SPDX-License-Identifier: Apache-2.0 */
/* Trials through devices that let frames be overtaken, by the device tester, on the twin. It is known what such a
 * device really loses: every Nth frame that comes in, or none. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/traffic/modifier.h"
#include "host/trial/device/tester.h"
#include "host/trial/judging/sum.h"
#include "host/trial/traffic.h"
#include "tests/seed.h"

enum { WINDOW = 64 /* width of a receiver's sequence check */, LINE_LOAD_FPS = 148809523 };

/* Every Nth frame; 0: none. */
struct faulty {
	uint64_t drop, duplicate, reorder, overtaking;
	unsigned addresses; /* flows of the port that sends */
	bool broadcasts;    /* each 100th frame is one, in a flow of its own */
};

static struct trial_result result;
static unsigned long seed;

static uint64_t drawn(uint64_t from, uint64_t to)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return from + (seed >> 33) % (to - from + 1);
}

static void add_option(struct device_config *config, struct device_option *options, char (*values)[24],
                       const char *name, uint64_t value)
{
	if (value == 0)
		return;
	snprintf(values[config->option_count], sizeof(*values), "%" PRIu64, value);
	options[config->option_count] = (struct device_option){name, values[config->option_count]};
	config->option_count++;
}

static struct device *device_of(const struct faulty *faulty)
{
	struct device_option options[8] = {{"dut.model", "faults"}};
	struct device_config config = {
	        .backend = "sim", .library = TWIN_LIBRARY, .options = options, .option_count = 1};
	char values[8][24];
	const char *bad_option;
	struct device *device;
	struct error error = {0};

	add_option(&config, options, values, "dut.drop_every", faulty->drop);
	add_option(&config, options, values, "dut.duplicate_every", faulty->duplicate);
	add_option(&config, options, values, "dut.reorder_every", faulty->reorder);
	add_option(&config, options, values, "dut.reorder_frames", faulty->overtaking);
	add_option(&config, options, values, "dut.reorder_wait_ns", faulty->overtaking ? 200000 : 0);
	cr_assert_eq(device_open(&config, &device, &bad_option, &error), 0, "%s", error.text);
	return device;
}

/* A trial from port 0 to port 1; *result is of it. */
static void run(const struct faulty *faulty, uint64_t load_fps)
{
	struct traffic_shape shape = traffic_shape_plain(64);
	struct trial_request request = {.kind = TRIAL_LOAD,
	                                .gap_octets = 12,
	                                .load = {load_fps, 1},
	                                .duration_ot = 12500000,
	                                .drain_ot = 50000000,
	                                .settle_ot = 1000};
	struct device *device = device_of(faulty);
	struct tester *tester;
	struct error error = {0};

	shape.bidirectional = false;
	shape.addresses = faulty->addresses;
	if (faulty->broadcasts)
		shape.modifiers = traffic_modifier_bit(TRAFFIC_BROADCAST);
	request.shape = shape;
	cr_assert_eq(device_tester_open(device, NULL, &tester, &error), 0, "%s", error.text);
	cr_assert_eq(tester_run(tester, &request, &result, &error), 0, "%s", error.text);
	cr_assert(result.valid, "%s", result.why_invalid);
	tester_close(tester);
	device_close(device);
}

static void expect_sums_to_agree(void)
{
	const struct trial_port *port = &result.port[1];
	uint64_t received = 0, lost = 0, late = 0;

	for (unsigned i = 0; i < result.flows; i++) {
		received += result.flow[i].received_frames;
		lost += result.flow[i].lost_frames;
		late += result.flow[i].late_frames;
	}
	cr_expect_eq(result.lost_frames + result.received_frames, result.offered_frames);
	cr_expect(received == result.received_frames && lost == result.lost_frames && late == result.late_frames);
	cr_expect_eq(trial_distinct_received(port->received_frames, port->duplicated_frames, port->late_frames),
	             result.received_frames);
}

Test(late_frames, that_any_number_has_overtaken_are_reordered_and_not_lost)
{
	static const uint64_t OVERTAKING[] = {1, WINDOW - 1, WINDOW, WINDOW + 1, 100, 4096};

	for (size_t i = 0; i < sizeof(OVERTAKING) / sizeof(OVERTAKING[0]); i++) {
		const struct faulty faulty = {.reorder = 10000, .overtaking = OVERTAKING[i], .addresses = 1};
		uint64_t held;

		run(&faulty, LINE_LOAD_FPS);
		held = result.offered_frames / faulty.reorder;
		expect_sums_to_agree();
		cr_expect_eq(result.lost_frames, 0, "overtaken by %" PRIu64 ": %" PRIu64 " lost", OVERTAKING[i],
		             result.lost_frames);
		cr_expect_eq(result.late_frames, 0);
		cr_expect_eq(result.reordered_frames, held);
		cr_expect_eq(result.far_reordered_frames, OVERTAKING[i] < WINDOW ? 0 : held);
		cr_expect_eq(result.port[1].reordered_frames, held);
		cr_expect_eq(result.flow[0].reordered_frames, held);
	}
}

/* Each 20,000th frame is a broadcast, and 100 of those overtake it. */
Test(late_frames, that_are_counted_apart_are_not_lost_there)
{
	const struct faulty faulty = {.reorder = 20000, .overtaking = 10000, .addresses = 1, .broadcasts = true};
	const struct trial_port *port = &result.port[1];

	run(&faulty, LINE_LOAD_FPS);
	cr_expect_eq(result.lost_frames, 0);
	cr_expect_eq(result.far_reordered_frames, 7, "of 148,810 frames");
	cr_expect_eq(port->reordered_frames, 7);
	cr_expect_eq(port->broadcast_expected_frames, 1488);
	cr_expect_eq(port->broadcast_received_frames, 1488);
}

/* Second copies that come right behind the first show that the device duplicates. It is then not known whether late
 * frames of the flow are second copies, so they cannot excuse a loss. */
Test(late_frames, of_a_flow_with_duplicates_stay_lost)
{
	const struct faulty faulty = {
	        .drop = 1000, .duplicate = 7, .reorder = 10000, .overtaking = 100, .addresses = 1};

	run(&faulty, LINE_LOAD_FPS / 2);
	expect_sums_to_agree();
	cr_expect_eq(result.late_frames, 0, "each frame that is held back is a 1000th, and dropped");
	cr_expect_eq(result.lost_frames, result.offered_frames / 1000);

	run(&(struct faulty){.drop = 1000, .duplicate = 70001, .reorder = 9999, .overtaking = 100, .addresses = 1},
	    LINE_LOAD_FPS / 2);
	expect_sums_to_agree();
	cr_expect_eq(result.late_frames, result.offered_frames / 9999);
	cr_expect_eq(result.far_reordered_frames, 0);
	cr_expect_eq(result.lost_frames, result.offered_frames / 1000 + result.late_frames);
}

/* Every frame that is held back has a copy, and no other. */
Test(late_frames, beyond_those_that_were_skipped_are_duplicates)
{
	run(&(struct faulty){.duplicate = 1000, .reorder = 1000, .overtaking = 100, .addresses = 1}, LINE_LOAD_FPS / 2);
	expect_sums_to_agree();
	cr_expect_eq(result.duplicated_frames, result.offered_frames / 1000);
	cr_expect_eq(result.late_frames, result.offered_frames / 1000, "which of the two is the copy is not known");
	cr_expect_eq(result.lost_frames, result.late_frames);
}

/* True if every flow with a late copy also has one right behind its frame, by which it is known. */
static bool copies_are_known(const struct faulty *faulty, uint64_t frames)
{
	bool late[256] = {0}, known[256] = {0};

	if (faulty->duplicate == 0 || faulty->overtaking < WINDOW)
		return true;
	for (uint64_t n = faulty->duplicate; n <= frames; n += faulty->duplicate) {
		if (faulty->drop && n % faulty->drop == 0)
			continue;
		(n % faulty->reorder == 0 ? late : known)[(n - 1) % faulty->addresses] = true;
	}
	for (unsigned flow = 0; flow < faulty->addresses; flow++)
		if (late[flow] && !known[flow])
			return false;
	return true;
}

Test(late_frames, through_random_devices_leave_the_true_loss_or_a_bound_of_it)
{
	const unsigned devices = getenv("FPGAUGE_LONG") ? 5000 : 200;
	unsigned exact = 0, bounds = 0;

	seed = test_seed();
	for (unsigned i = 0; i < devices; i++) {
		const struct faulty faulty = {.drop = drawn(0, 1) ? drawn(2, 5000) : 0,
		                              .duplicate = drawn(0, 2) ? 0 : drawn(2, 5000),
		                              .reorder = drawn(2, 5000),
		                              .overtaking = drawn(1, drawn(0, 1) ? 200 : 5000),
		                              .addresses = (unsigned)drawn(1, 5)};
		uint64_t lost;

		run(&faulty, drawn(LINE_LOAD_FPS / 10, LINE_LOAD_FPS / 2));
		lost = faulty.drop ? result.offered_frames / faulty.drop : 0;
		if (!copies_are_known(&faulty, result.offered_frames))
			continue;
		expect_sums_to_agree();
		if (result.late_frames == 0)
			cr_expect_eq(result.lost_frames, lost, "device %u: %" PRIu64 " lost, in truth %" PRIu64, i,
			             result.lost_frames, lost);
		cr_expect(result.lost_frames >= lost && result.lost_frames - result.late_frames <= lost,
		          "device %u: %" PRIu64 " lost, of them late %" PRIu64 ", in truth %" PRIu64 "; drop %" PRIu64
		          ", duplicate %" PRIu64 ", reorder %" PRIu64 " by %" PRIu64,
		          i, result.lost_frames, result.late_frames, lost, faulty.drop, faulty.duplicate,
		          faulty.reorder, faulty.overtaking);
		exact += result.late_frames == 0;
		bounds += result.late_frames != 0;
	}
	printf("%u devices: %u exact, %u with a bound\n", devices, exact, bounds);
	cr_expect(exact > bounds, "%u exact, %u with a bound", exact, bounds);
}
