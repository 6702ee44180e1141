/* SPDX-License-Identifier: Apache-2.0 */
/* Trials with all kinds of traffic, by the device tester, on the twin. The device under test is a wire between the
 * ports of a pair: it takes no notice of addresses. So of the frames that a port sends, those to its partner arrive,
 * and the others are misforwarded: it is known how many they are. The tester must call each of these trials valid. */
#include <criterion/criterion.h>

#include "host/traffic/modifier.h"
#include "host/trial/device/tester.h"
#include "host/trial/traffic.h"
#include "hw/regs/fpgauge_regs.h"

enum { PORTS = 4, DRAIN_OT = 100000000 };

static struct device *device;
static struct tester *tester;
static struct traffic traffic;
static struct trial_result result;
static struct error error;

static void open_twin(void)
{
	const struct device_option options[] = {{"device.ports", "4"}, {"dut.model", "wire"}};
	const struct device_config config = {
	        .backend = "sim", .library = TWIN_LIBRARY, .options = options, .option_count = 2};
	const char *bad_option;

	cr_assert_eq(device_open(&config, &device, &bad_option, &error), 0, "%s", error.text);
	cr_assert_eq(device_identity(device)->ports, PORTS);
	cr_assert_eq(device_tester_open(device, NULL, &tester, &error), 0, "%s", error.text);
}

static void close_twin(void)
{
	traffic_free(&traffic);
	tester_close(tester);
	device_close(device);
}

TestSuite(trial_traffic, .init = open_twin, .fini = close_twin);

static struct trial_request request_for(enum trial_kind kind)
{
	return (struct trial_request){.kind = kind,
	                              .traffic = &traffic,
	                              .gap_octets = 12,
	                              .load = {UINT64_C(1000000000), 333},
	                              .duration_ot = 3000001,
	                              .burst_frames = 1003,
	                              .drain_ot = DRAIN_OT,
	                              .settle_ot = 1000};
}

static void build(const struct traffic_shape *shape)
{
	const struct traffic_limits limits = trial_traffic_limits(device_identity(device));

	traffic_free(&traffic);
	cr_assert_eq(traffic_build(shape, PORTS, &limits, &traffic, &error), 0, "%s", error.text);
}

static void run(enum trial_kind kind, const char *what)
{
	const struct trial_request request = request_for(kind);

	cr_assert_eq(tester_run(tester, &request, &result, &error), 0, "%s: %s", what, error.text);
	cr_assert(result.valid, "%s: %s", what, result.why_invalid);
}

static uint64_t now_ot(void)
{
	uint64_t now;

	cr_assert_eq(device_now(device, &now, &error), 0);
	return now;
}

/* The device time that a trial takes. */
static uint64_t time_of(enum trial_kind kind, const char *what)
{
	const uint64_t begin = now_ot();

	run(kind, what);
	return now_ot() - begin;
}

/* Frames of a port that must arrive at another, one after the other. */
static uint64_t sent_to(unsigned from, unsigned to, uint64_t frames)
{
	const struct traffic_port *port = &traffic.port[from];
	uint64_t count = 0;

	for (uint64_t i = 0; i < frames && port->ordered; i++) {
		const bool other = port->every && (i + 1) % port->every == 0;
		const uint64_t turn = port->every ? i - (i + 1) / port->every : i;

		count += port->flow[other ? port->every_flow : turn % port->ordered].arrives >> to & 1;
	}
	return count;
}

static void expect_a_wire(const char *what)
{
	uint64_t lost = 0, received = 0;

	for (unsigned port = 0; port < PORTS; port++) {
		const struct trial_port *p = &result.port[port];
		const uint64_t sent = result.port[port ^ 1].offered_frames, here = sent_to(port ^ 1, port, sent);

		cr_expect_eq(p->received_frames, here, "%s: port %u received %lu of %lu", what, port,
		             (unsigned long)p->received_frames, (unsigned long)here);
		cr_expect_eq(p->wrong_port_frames, sent - here, "%s: port %u", what, port);
		cr_expect_eq(p->bad_payload_frames + p->wrong_length_frames + p->foreign_frames + p->bad_frames, 0,
		             "%s", what);
		received += here;
		for (unsigned from = 0; from < PORTS; from++)
			if (from != (port ^ 1))
				lost += sent_to(from, port, result.port[from].offered_frames);
	}
	cr_expect_eq(result.received_frames, received, "%s", what);
	cr_expect_eq(result.lost_frames, lost, "%s: %lu lost", what, (unsigned long)result.lost_frames);
}

/* ---------------------------------------------------------------- patterns and frames */

Test(trial_traffic, every_pattern_is_sent_and_judged)
{
	for (unsigned pattern = 0; TRAFFIC_PATTERN_NAMES[pattern]; pattern++)
		for (unsigned bits = 0; bits < 4; bits++) {
			struct traffic_shape shape = traffic_shape_plain(128);

			shape.pattern = (enum traffic_pattern)pattern;
			shape.bidirectional = bits & 1;
			shape.addresses = bits & 2 ? 5 : 1;
			build(&shape);
			run(TRIAL_BURST, TRAFFIC_PATTERN_NAMES[pattern]);
			expect_a_wire(TRAFFIC_PATTERN_NAMES[pattern]);
			cr_expect_eq(result.offered_frames,
			             1003 * pattern_senders(shape.pattern, shape.bidirectional, PORTS));
			run(TRIAL_LOAD, TRAFFIC_PATTERN_NAMES[pattern]);
			expect_a_wire(TRAFFIC_PATTERN_NAMES[pattern]);
		}
}

Test(trial_traffic, every_frame_is_sent_and_judged)
{
	for (unsigned frame = 0; TRAFFIC_FRAME_NAMES[frame]; frame++)
		for (unsigned bits = 0; bits < 8; bits++) {
			struct traffic_shape shape = traffic_shape_plain(bits & 1 ? 1500 : 128);

			shape.pattern = TRAFFIC_MESH;
			shape.frame = (enum traffic_frame)frame;
			shape.vlan = bits & 2 ? 100 : TRAFFIC_NO_VLAN;
			shape.addresses = bits & 4 ? 512 : 3;
			build(&shape);
			run(TRIAL_BURST, TRAFFIC_FRAME_NAMES[frame]);
			expect_a_wire(TRAFFIC_FRAME_NAMES[frame]);
		}
}

/* ---------------------------------------------------------------- mixed lengths */

static const struct traffic_sizes MIX = {12, {64, 570, 64, 64, 570, 64, 1518, 64, 570, 64, 64, 570}};

static void build_mix(void)
{
	struct traffic_shape shape = traffic_shape_plain(0);

	shape.pattern = TRAFFIC_MESH;
	shape.sizes = MIX;
	build(&shape);
}

Test(trial_traffic, mixed_lengths_leave_at_the_rate_of_their_average)
{
	struct trial_request request = request_for(TRIAL_LOAD);
	const uint64_t link_bps = device_identity(device)->link_bps;

	build_mix();
	request.load = traffic_max_rate(&traffic, 0, link_bps);
	cr_assert_eq(tester_run(tester, &request, &result, &error), 0, "%s", error.text);
	cr_assert(result.valid, "%s", result.why_invalid);
	expect_a_wire("mix");
	cr_expect_float_eq(result.intended_fps, 12.5e9 * 12 / (4246 + 240), 1);
	/* 12 frames every 4486 octet times, and what of the last 12 fits; started on groups of 8 octets. */
	cr_expect_geq(result.offered_frames, PORTS * (3000001 / 4486 * 12));
	cr_expect_leq(result.offered_frames, PORTS * (3000001 / 4486 * 12 + 12));
	cr_expect_eq(result.offered_frames, result.intended_frames);
	cr_expect_eq(result.tx_gap.min_octets >= 5, true);
	request.load = rate_scale(request.load, 617, 1000);
	cr_assert_eq(tester_run(tester, &request, &result, &error), 0, "%s", error.text);
	cr_assert(result.valid, "%s", result.why_invalid);
	request.load = rate_scale(traffic_max_rate(&traffic, 0, link_bps), 1000001, 1000000);
	cr_assert_neq(tester_run(tester, &request, &result, &error), 0, "above the maximum");
}

Test(trial_traffic, a_burst_of_mixed_lengths_has_minimum_gaps)
{
	build_mix();
	run(TRIAL_BURST, "mix");
	expect_a_wire("mix");
	cr_expect_float_eq((double)result.tx_gap.sum_octets / (double)result.tx_gap.gaps, 12, 0.01);
}

/* ---------------------------------------------------------------- modifiers, and one traffic after another */

Test(trial_traffic, broadcast_must_arrive_at_all_others)
{
	const struct traffic_shape shape = traffic_shape_plain(128);

	build(&shape);
	cr_assert_eq(traffic_broadcast_every(&traffic, 100, &error), 0);
	run(TRIAL_BURST, "broadcast");
	expect_a_wire("broadcast");
	cr_expect_eq(result.port[2].received_frames, 1003, "all of its partner's");
	cr_expect_eq(result.lost_frames, 4 * 10 * 2, "ten of each port, at two others");
}

Test(trial_traffic, broadcasts_of_a_modifier_are_in_no_count_of_the_test_frames)
{
	struct traffic_shape shape = traffic_shape_plain(128);

	shape.modifiers = traffic_modifier_bit(TRAFFIC_BROADCAST);
	build(&shape);
	run(TRIAL_BURST, "modifier");
	cr_expect_eq(result.intended_frames, 4 * (1003 - 10));
	cr_expect_eq(result.offered_frames, 4 * (1003 - 10));
	cr_expect_eq(result.received_frames, 4 * (1003 - 10));
	cr_expect_eq(result.lost_frames, 0);
	for (unsigned port = 0; port < PORTS; port++) {
		cr_expect_eq(result.port[port].offered_frames, 993);
		cr_expect_eq(result.port[port].received_frames, 993);
		cr_expect_eq(result.port[port].broadcast_offered_frames, 10);
		cr_expect_eq(result.port[port].broadcast_expected_frames, 30, "of three others");
		cr_expect_eq(result.port[port].broadcast_received_frames, 10, "a wire floods nothing");
	}
}

Test(trial_traffic, frames_with_a_wrong_fcs_are_expected_nowhere_and_offered_all_the_same)
{
	const struct traffic_shape shape = traffic_shape_plain(128);

	build(&shape);
	traffic_make_wrong(&traffic, TRAFFIC_WRONG_FCS);
	cr_expect_geq(time_of(TRIAL_BURST, "wrong FCS"), DRAIN_OT, "all of drain: they might come later");
	cr_expect_eq(result.offered_frames, 4 * 1003);
	cr_expect_eq(result.lost_frames, 0);
	cr_expect_eq(result.received_frames, 0);
	for (unsigned port = 0; port < PORTS; port++)
		cr_expect_eq(result.port[port].bad_fcs_frames, 1003);
}

Test(trial_traffic, a_trial_ends_when_every_frame_has_arrived_where_it_must)
{
	struct traffic_shape shape = traffic_shape_plain(128);

	build(&shape);
	run(TRIAL_BURST, "pairs, with learning");
	cr_expect_lt(time_of(TRIAL_BURST, "pairs"), DRAIN_OT / 2);
	shape.pattern = TRAFFIC_MESH; /* a third of it does */
	build(&shape);
	cr_expect_geq(time_of(TRIAL_BURST, "mesh"), DRAIN_OT);
}

Test(trial_traffic, nothing_is_left_of_the_traffic_before)
{
	struct traffic_shape plain = traffic_shape_plain(64), other = traffic_shape_plain(0);

	plain.bidirectional = false;
	other.pattern = TRAFFIC_MESH;
	other.frame = TRAFFIC_IPV6_UDP;
	other.vlan = 7;
	other.sizes = (struct traffic_sizes){3, {100, 1000, 9000}};
	other.addresses = 1024;
	for (unsigned round = 0; round < 3; round++) {
		build(&plain);
		run(TRIAL_BURST, "plain");
		expect_a_wire("plain");
		cr_expect_eq(result.lost_frames, 0);
		cr_expect_eq(result.offered_frames, 2 * 1003);
		build(&other);
		cr_assert_eq(traffic_broadcast_every(&traffic, 7, &error), 0);
		run(TRIAL_BURST, "other");
		expect_a_wire("other");
	}
}

Test(trial_traffic, what_cannot_be_judged_is_refused)
{
	const struct traffic_shape shape = traffic_shape_plain(128);
	struct traffic_shape mixed = traffic_shape_plain(0);
	const struct trial_request request = request_for(TRIAL_BURST);

	mixed.sizes = (struct traffic_sizes){2, {100, 1000}};
	build(&shape);
	traffic.port[2].frame_octets = 256;
	traffic_fix(&traffic);
	cr_assert_eq(tester_run(tester, &request, &result, &error), ERROR_INTERNAL);
	cr_expect_str_eq(error.text, "ports 0 and 2 send frames of different average length");
	build(&mixed);
	traffic_make_wrong(&traffic, TRAFFIC_WRONG_CODE);
	cr_assert_eq(tester_run(tester, &request, &result, &error), ERROR_INTERNAL);
	cr_expect_str_eq(error.text,
	                 "port 0 flow 0: frames with a wrong code, which the line does not count, of several lengths");
	build(&shape);
	traffic_free(&traffic);
	cr_assert_eq(traffic_build(&shape, 2, &(struct traffic_limits){256, 512, 54, 16383}, &traffic, &error), 0);
	cr_assert_eq(tester_run(tester, &request, &result, &error), ERROR_INTERNAL);
	cr_expect_str_eq(error.text, "sim twin: has 4 ports; traffic for 2");
}

/* ---------------------------------------------------------------- learning frames */

/* Counts how often the device was programmed for a trial: each time has a run id. */
static unsigned programmed_by(const char *what)
{
	uint32_t before, after;

	cr_assert_eq(device_read32(device, FPGAUGE_GLOBAL_RUN_ID, &before, &error), 0);
	run(TRIAL_BURST, what);
	cr_assert_eq(device_read32(device, FPGAUGE_GLOBAL_RUN_ID, &after, &error), 0);
	return (uint8_t)(after - before);
}

/* Addresses are learned before the first trial only, where all of them send in the trial itself. */
Test(trial_traffic, what_a_trial_keeps_learned_is_learned_once)
{
	struct traffic_shape shape = traffic_shape_plain(128);

	build(&shape);
	cr_expect_eq(programmed_by("pairs"), 2);
	cr_expect_eq(programmed_by("pairs again"), 1);
	shape.pattern = TRAFFIC_SNAKE;
	build(&shape);
	cr_expect_eq(programmed_by("snake: two ports"), 1);
	shape.pattern = TRAFFIC_MESH;
	build(&shape);
	cr_expect_eq(programmed_by("mesh"), 2);
	cr_expect_eq(programmed_by("mesh again"), 1);
	shape.addresses = 2;
	build(&shape);
	cr_expect_eq(programmed_by("another mesh"), 2);
	shape.pattern = TRAFFIC_UNIDIRECTIONAL_MESH;
	build(&shape);
	cr_expect_eq(programmed_by("half of a mesh"), 2);
	cr_expect_eq(programmed_by("half of a mesh again"), 2, "ports that only receive are forgotten");
}
