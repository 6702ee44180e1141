/* SPDX-License-Identifier: Apache-2.0 */
/* The device tester on a fake device: what it writes, what it makes of what it reads, and how it ends. */
#include <criterion/criterion.h>
#include <string.h>

#include "fake_device.h"
#include "host/trial/device/tester.h"
#include "host/trial/flow_registers.h"

static struct device device;
static struct tester *tester;
static struct trial_result result;
static struct error error;
static _Atomic int cancel;

/* Sets what others left behind, which must not show. */
static void leave_traces(void)
{
	for (unsigned port = 0; port < FAKE_PORTS; port++) {
		device.registers[FPGAUGE_PORT_TX_ORDER(port) / 4] = 2;
		device.registers[FPGAUGE_PORT_TX_PHASES(port) / 4] = 3;
		device.registers[FPGAUGE_PORT_TX_START_OFFSET(port) / 4] = 1000;
		device.registers[FPGAUGE_PORT_TX_START_OFFSET(port) / 4 + 1] = 1;
		device.registers[FPGAUGE_PORT_TX_FLOW_SIZE(port) / 4] = 1;
		device.registers[FPGAUGE_PORT_TX_FLOW_FLAGS(port) / 4] = 1;
		device.registers[FPGAUGE_PORT_TX_EVERY(port) / 4] = 2;
		device.registers[FPGAUGE_PORT_TX_RULES(port) / 4] = 4;
		device.registers[FPGAUGE_PORT_RX_MAIL_FILTER(port) / 4] = 31;
		for (unsigned word = 0; word < FAKE_PORTS * EXPECTED_WORDS; word++)
			device.registers[FPGAUGE_PORT_RX_EXPECTED(port) / 4 + word] = UINT32_C(0xaaaaaaaa);
	}
}

static void open_tester(void)
{
	fake_begin(&device);
	leave_traces();
	cancel = 0;
	device.cancel_flag = &cancel;
	device.cancel_at_ot = UINT64_MAX;
	cr_assert_eq(device_tester_open(&device, &cancel, &tester, &error), 0, "%s", error.text);
}

static void close_tester(void)
{
	tester_close(tester);
	tester = NULL;
}

TestSuite(device_tester, .init = open_tester, .fini = close_tester);

static struct trial_request burst_of(uint64_t frames)
{
	return (struct trial_request){.kind = TRIAL_BURST,
	                              .shape = traffic_shape_plain(64),
	                              .gap_octets = 12,
	                              .burst_frames = frames,
	                              .drain_ot = 1000000,
	                              .settle_ot = 5000};
}

static struct trial_request half_load(uint64_t duration_ot)
{
	struct trial_request request = burst_of(0);

	request.kind = TRIAL_LOAD;
	request.load = (struct rate){UINT64_C(3125000000), 42};
	request.duration_ot = duration_ot;
	return request;
}

static void run_ok(const struct trial_request *request)
{
	cr_assert_eq(tester_run(tester, request, &result, &error), 0, "%s", error.text);
}

static void run_invalid(const struct trial_request *request, const char *why)
{
	run_ok(request);
	cr_assert_not(result.valid, "expected: %s", why);
	cr_assert(strstr(result.why_invalid, why), "\"%s\" says nothing of \"%s\"", result.why_invalid, why);
}

Test(device_tester, a_burst_is_programmed_register_by_register)
{
	struct trial_request request = burst_of(1000);

	run_ok(&request);
	for (unsigned port = 0; port < FAKE_PORTS; port++) {
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_ENABLE(port)), 1);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_FRAME_OCTETS(port)), 64);
		cr_expect_eq(fake_register64(&device, FPGAUGE_PORT_TX_GAP_OCTETS(port)), 12);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_GAP_NUMERATOR(port)), 0);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_GAP_DENOMINATOR(port)), 1);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_BURST_FRAMES(port)), 0);
		cr_expect_eq(fake_register64(&device, FPGAUGE_PORT_TX_STOP_FRAMES(port)), 1000);
		cr_expect_eq(fake_register64(&device, FPGAUGE_PORT_TX_DURATION(port)), 0);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_FLOWS(port)), 1);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_FLOW_PAYLOAD(port)), 42);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_EVERY(port)), 0);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_RULES(port)), 0);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_FLOW_SIZE(port)), 0);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_FLOW_FLAGS(port)), 0);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_ORDER(port)), 0);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_PHASES(port)), 0);
		cr_expect_eq(fake_register64(&device, FPGAUGE_PORT_TX_START_OFFSET(port)), 0);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_BAD_FCS_EVERY(port)), 0);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(port)), 9216);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_RX_PAYLOAD_OFFSET(port)), 42);
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_RX_MAIL_FILTER(port)), 0);
		/* octets 12 to 15 of the frame, octet 12 in the low octet: 08 00 45 00 */
		cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_HEADER(port) + 12), 0x00450008u);
	}
	cr_expect_eq(device.starts, 1);
	cr_expect(result.valid, "%s", result.why_invalid);
}

Test(device_tester, a_load_is_programmed_as_an_exact_fraction)
{
	struct trial_request request = half_load(168000);

	request.load = (struct rate){UINT64_C(3125000000) * 999, 21000};
	run_ok(&request);
	cr_assert_eq(fake_register64(&device, FPGAUGE_PORT_TX_GAP_OCTETS(0)), 12);
	cr_assert_eq(fake_register(&device, FPGAUGE_PORT_TX_GAP_NUMERATOR(0)), 28);
	cr_assert_eq(fake_register(&device, FPGAUGE_PORT_TX_GAP_DENOMINATOR(0)), 333);
	cr_assert_eq(fake_register64(&device, FPGAUGE_PORT_TX_STOP_FRAMES(0)), 0);
	cr_assert_eq(fake_register64(&device, FPGAUGE_PORT_TX_DURATION(0)), 168000);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.offered_frames, 2 * 1998);
	cr_assert_float_eq(result.intended_fps, 1e11 / 8 / 84 * 0.999, 1);
}

Test(device_tester, a_wire_loses_nothing_and_everything_is_measured)
{
	struct trial_request request = burst_of(1000);

	run_ok(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.intended_frames, 2000);
	cr_assert_eq(result.offered_frames, 2000);
	cr_assert_eq(result.received_frames, 2000);
	cr_assert_eq(result.lost_frames, 0);
	cr_assert_eq(result.tx_gap.gaps, 1998);
	cr_assert_eq(result.tx_gap.min_octets, 8);
	cr_assert_eq(result.tx_gap.max_octets, 16);
	cr_assert_float_eq((double)result.tx_gap.sum_octets / (double)result.tx_gap.gaps, 12, 8.0 / 999);
	cr_assert_eq(result.latency.frames, 2000);
	cr_assert_eq(result.latency.min_ot, FAKE_LATENCY_OT);
	cr_assert_eq(result.latency.max_ot, FAKE_LATENCY_OT);
	cr_assert_float_eq(result.latency.mean_ot, FAKE_LATENCY_OT, 1e-9);
	cr_assert_float_eq(result.forwarding_rate_fps, 1e11 / 8 / 84, 1e11 / 8 / 84 / 5000);
	cr_assert_float_eq(result.duration_s, 1000 * 84 * 8e-11, 84 * 8e-11);
	cr_assert_eq(result.truncated_ot, FAKE_LATENCY_OT);
}

/* Accesses from the end of the previous trial, or from opening, to the start itself. */
static uint64_t accesses_of_start(const struct trial_request *request)
{
	uint64_t before = device.reads + device.writes;

	run_ok(request);
	return device.accesses_at_start - before;
}

/* Each read is a round trip over the bus of a card. */
Test(device_tester, a_start_takes_at_most_72_accesses_a_port_besides_the_table_of_streams)
{
	struct trial_request request = burst_of(10);
	uint64_t first = accesses_of_start(&request), next = accesses_of_start(&request);

	cr_expect_leq(first, 72 * FAKE_PORTS + EXPECTED_WORDS * FAKE_PORTS * FAKE_PORTS, "with tables: %lu accesses",
	              (unsigned long)first);
	cr_expect_leq(next, 36 * FAKE_PORTS, "%lu accesses", (unsigned long)next);
	cr_expect_geq(next, 19 * FAKE_PORTS, "%lu accesses: fewer than there are settings", (unsigned long)next);
}

Test(device_tester, headers_of_many_destinations_are_written_once)
{
	struct trial_request request = burst_of(10);

	request.shape.addresses = 256;
	run_ok(&request);
	cr_assert_eq(device.header_writes, 2 * 256 * 16);
	cr_expect_leq(accesses_of_start(&request), 72 * FAKE_PORTS);
	cr_assert_eq(device.header_writes, 2 * 256 * 16, "headers of the same size are not written again");
}

static uint32_t expected_word(unsigned port, unsigned word)
{
	return fake_register(&device, FPGAUGE_PORT_RX_EXPECTED(port) + 4 * word);
}

Test(device_tester, each_port_expects_what_its_partner_sends_and_nothing_else)
{
	struct trial_request request = burst_of(10);

	request.shape.addresses = 70;
	request.shape.bidirectional = false;
	run_ok(&request);
	for (unsigned word = 0; word < FAKE_PORTS * EXPECTED_WORDS; word++) {
		cr_expect_eq(expected_word(0, word), 0, "port 1 does not send; word %u", word);
		cr_expect_eq(expected_word(1, word), word < 2 ? UINT32_MAX : word == 2 ? 0x3f : 0, "word %u", word);
	}
	request.shape.bidirectional = true;
	run_ok(&request);
	cr_expect_eq(expected_word(0, EXPECTED_WORDS + 2), 0x3f);
	request.shape.addresses = 32;
	run_ok(&request);
	cr_expect_eq(expected_word(0, EXPECTED_WORDS), UINT32_MAX);
	cr_expect_eq(expected_word(0, EXPECTED_WORDS + 1), 0);
}

Test(device_tester, only_headers_that_change_are_written_again)
{
	struct trial_request request = burst_of(10);

	run_ok(&request);
	cr_assert_eq(device.header_writes, 2 * 16);
	request.shape.frame_octets = 128;
	run_ok(&request);
	cr_assert_eq(device.header_writes, 4 * 16);
	request.shape.addresses = 3;
	run_ok(&request);
	cr_assert_eq(device.header_writes, 8 * 16);
	request.shape.bidirectional = false;
	run_ok(&request);
	cr_assert_eq(device.header_writes, 11 * 16, "those of three learning frames");
	cr_assert_eq(expected_word(0, EXPECTED_WORDS), 0, "what changes with it is written");
	request.shape.frame_octets = 64;
	run_ok(&request);
	cr_assert_eq(device.header_writes, 14 * 16, "learning frames are the same");
}

/* RFC 2544 section 23 b, before each trial: nothing else tells the device under test what is behind port 1. */
Test(device_tester, learning_frames_go_before_each_trial_in_one_direction_only)
{
	struct trial_request request = burst_of(10);

	run_ok(&request);
	run_ok(&request);
	cr_expect_eq(device.starts, 2, "both ports send, so there is nothing to learn");
	request.shape.bidirectional = false;
	request.shape.addresses = 20;
	for (unsigned trial = 1; trial <= 3; trial++) {
		run_ok(&request);
		cr_expect(result.valid, "%s", result.why_invalid);
		cr_expect_eq(device.starts, 2 + 2 * trial);
		cr_expect_eq(result.offered_frames, 10, "learning frames are counted nowhere");
	}
}

/* Device time of a trial, without what the accesses take: 64 octet times each. */
static uint64_t time_of(const struct trial_request *request)
{
	const uint64_t begin = device.now_ot - 64 * (device.reads + device.writes);

	run_ok(request);
	return device.now_ot - 64 * (device.reads + device.writes) - begin;
}

/* A device gets as long for it as for its last frames, and then as long again. */
Test(device_tester, learning_is_spread_over_the_time_of_the_drain)
{
	struct trial_request request = burst_of(10);
	const uint64_t trial_ot = 10 * 84 + 4096 + request.settle_ot; /* at most */
	uint64_t took;

	request.shape.addresses = 20;
	request.shape.bidirectional = false;
	took = time_of(&request);
	cr_expect_geq(took, 2 * request.drain_ot);
	cr_expect_leq(took, 2 * request.drain_ot + trial_ot);
	request.shape.addresses = 256;
	request.drain_ot = 2000;
	took = time_of(&request);
	cr_expect_geq(took, 256 * 840 + 2000, "more than a tenth of the line");
	cr_expect_leq(took, 256 * 840 + 2000 + trial_ot);
}

Test(device_tester, after_an_error_nothing_is_known_of_the_tables)
{
	struct trial_request request = burst_of(10);

	run_ok(&request);
	device.fail_after_accesses = device.reads + device.writes + 40;
	cr_assert_eq(tester_run(tester, &request, &result, &error), ERROR_DEVICE);
	device.fail_after_accesses = 0;
	device.header_writes = 0;
	run_ok(&request);
	cr_assert_eq(device.header_writes, 2 * 16);
	cr_assert(result.valid, "%s", result.why_invalid);
}

Test(device_tester, every_trial_has_a_run_id_of_its_own)
{
	struct trial_request request = burst_of(2);
	uint32_t last;

	run_ok(&request);
	last = fake_register(&device, FPGAUGE_GLOBAL_RUN_ID);
	for (unsigned i = 0; i < 300; i++) {
		run_ok(&request);
		cr_assert_neq(fake_register(&device, FPGAUGE_GLOBAL_RUN_ID), last);
		last = fake_register(&device, FPGAUGE_GLOBAL_RUN_ID);
		cr_assert_leq(last, FPGAUGE_GLOBAL_RUN_ID_MAX);
	}
}

Test(device_tester, in_one_direction_only_even_ports_send)
{
	struct trial_request request = burst_of(100);

	request.shape.bidirectional = false;
	run_ok(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(fake_register(&device, FPGAUGE_PORT_TX_ENABLE(0)), 1);
	cr_assert_eq(fake_register(&device, FPGAUGE_PORT_TX_ENABLE(1)), 0);
	cr_assert_eq(result.offered_frames, 100);
	cr_assert(result.port[0].sent && !result.port[1].sent);
}

static enum fake_fate drop_tail(unsigned port, uint64_t frame)
{
	return port == 0 && frame >= 95 ? FAKE_DROP : FAKE_FORWARD;
}

static enum fake_fate drop_and_duplicate(unsigned port, uint64_t frame)
{
	if (frame % 10 == 3)
		return FAKE_DROP;
	return port == 1 && frame % 10 == 7 ? FAKE_DUPLICATE : FAKE_FORWARD;
}

static enum fake_fate drop_all(unsigned port, uint64_t frame)
{
	(void)port;
	(void)frame;
	return FAKE_DROP;
}

Test(device_tester, frames_lost_at_the_end_are_lost)
{
	struct trial_request request = burst_of(100);

	device.fate = drop_tail;
	run_ok(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.lost_frames, 5);
	cr_assert_eq(result.port[1].sequence_gaps, 0, "no sequence number shows it");
}

Test(device_tester, duplicates_do_not_hide_losses)
{
	struct trial_request request = burst_of(100);

	device.fate = drop_and_duplicate;
	request.shape.addresses = 7;
	run_ok(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.duplicated_frames, 10);
	cr_assert_eq(result.received_frames, 180);
	cr_assert_eq(result.lost_frames, 20);
}

Test(device_tester, a_dut_that_forwards_nothing_is_a_valid_total_loss)
{
	struct trial_request request = burst_of(100);

	device.fate = drop_all;
	run_ok(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.lost_frames, 200);
	cr_assert_eq(result.latency.frames, 0);
	cr_assert_float_eq(result.forwarding_rate_fps, 0, 0);
}

Test(device_tester, a_drain_ends_early_only_when_every_frame_came_back)
{
	struct trial_request request = burst_of(100);
	uint64_t begin = device.now_ot, took;

	request.drain_ot = UINT64_C(25000000000); /* 2 s */
	run_ok(&request);
	took = device.now_ot - begin;
	cr_assert_lt(took, 200000, "took %lu octet times", (unsigned long)took);
	begin = device.now_ot;
	device.fate = drop_tail;
	run_ok(&request);
	took = device.now_ot - begin;
	cr_assert_geq(took, request.drain_ot, "a slow frame and a lost one look the same for %lu octet times",
	              (unsigned long)request.drain_ot);
}

static enum fake_fate slow_last(unsigned port, uint64_t frame)
{
	return port == 1 && frame == 99 ? FAKE_SLOW : FAKE_FORWARD;
}

Test(device_tester, one_slow_frame_is_waited_for)
{
	struct trial_request request = burst_of(100);

	device.fate = slow_last;
	run_ok(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.lost_frames, 0);
	cr_assert_eq(result.latency.max_ot, FAKE_LATENCY_OT + FAKE_SLOW_OT);
	request.drain_ot = FAKE_SLOW_OT / 2; /* and no longer than requested: then it is lost */
	run_ok(&request);
	cr_assert_eq(result.lost_frames, 1);
}

static uint64_t writes_of(bool has_observers, const struct trial_request *request)
{
	close_tester();
	open_tester();
	device.has_observers = has_observers;
	run_ok(request);
	cr_assert(result.valid, "%s", result.why_invalid);
	return device.writes;
}

/* A little more device time, for the access itself, and no other change. */
Test(device_tester, who_looks_on_is_shown_a_trial_while_it_sends_and_changes_nothing_of_it)
{
	struct trial_request request = half_load(168000);
	uint64_t alone = writes_of(false, &request);
	struct trial_result expected = result;

	cr_expect_eq(writes_of(true, &request), alone + 1, "a snapshot, the first of half a second");
	cr_expect_eq(result.offered_frames, expected.offered_frames);
	cr_expect_eq(result.received_frames, expected.received_frames);
	cr_expect_eq(result.lost_frames, expected.lost_frames);
	cr_expect_eq(result.latency.min_ot, expected.latency.min_ot);
	cr_expect_eq(result.latency.max_ot, expected.latency.max_ot);
}

Test(device_tester, settling_comes_after_the_last_frame)
{
	struct trial_request request = burst_of(100);

	request.settle_ot = UINT64_C(25000000000);
	run_ok(&request);
	cr_assert_geq(device.now_ot - result.port[0].rx_last_ot, request.settle_ot);
}

/* Slices of a wait follow wall time: a slow machine has more of them. */
Test(device_tester, device_time_passes_alike_on_fast_machines_and_on_slow_ones)
{
	struct trial_request request = burst_of(10);
	uint64_t took_ot[2];

	device.identity.link_bps = 10000000;
	device.word_octets = 64;
	request.settle_ot = 100001;
	run_ok(&request); /* writes the tables */
	for (unsigned slow = 0; slow < 2; slow++) {
		const uint64_t before_ot = device.now_ot;

		device.wait_ms = slow ? 51 : 0;
		run_ok(&request);
		took_ot[slow] = device.now_ot - before_ot;
	}
	cr_expect_eq(took_ot[0], took_ot[1], "%llu, %llu", (unsigned long long)took_ot[0],
	             (unsigned long long)took_ot[1]);
}

Test(device_tester, a_tester_that_sends_too_few_is_invalid_and_not_a_lossy_dut)
{
	struct trial_request request = burst_of(100);

	device.stop_short = 1;
	run_invalid(&request, "port 0: offered 99 frames, intended 100");
	cr_assert_eq(result.lost_frames, 0);
}

Test(device_tester, a_load_may_be_one_frame_off_but_not_two)
{
	struct trial_request request = half_load(168000);

	device.stop_short = 1;
	run_ok(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	device.stop_short = 2;
	run_invalid(&request, "offered 998 frames, intended 1000");
}

static enum fake_fate every_third_is_lost(unsigned port, uint64_t frame)
{
	(void)port;
	return frame % 3 == 2 ? FAKE_DROP : FAKE_FORWARD;
}

Test(device_tester, what_is_lost_while_a_simulation_in_real_time_is_disturbed_is_not_lost_by_the_dut)
{
	struct trial_request request = burst_of(100);

	device.fate = every_third_is_lost;
	device.disturbed_at_ot = 0; /* it was disturbed before anything began: forgotten */
	device.now_ot = 1;
	run_ok(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.lost_frames, 2 * 33);
	device.disturbed_at_ot = device.now_ot + 8400; /* it is disturbed in the midst of the trial */
	run_invalid(&request, "port 1: late by an hour");
	run_ok(&request);
	cr_assert(result.valid, "the next trial: %s", result.why_invalid);
}

Test(device_tester, a_burst_with_a_wrong_gap_is_no_result)
{
	struct trial_request request = burst_of(100);

	device.stretch_ot = 16;
	run_invalid(&request, "port 0: average gap 12.121212 octets, requested 12.000000");
}

Test(device_tester, a_single_gap_below_the_minimum_is_no_result)
{
	struct trial_request request = burst_of(100);

	fake_override(&device, 1, FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS, 4);
	run_invalid(&request, "port 1: smallest gap 4 octets");
}

Test(device_tester, counters_that_cannot_be_are_named)
{
	static const struct {
		enum fpgauge_counter counter;
		uint64_t value;
		const char *why;
	} rows[] = {
	        {FPGAUGE_COUNTER_TX_FRAMES, UINT64_C(1) << 62, "tx_frames = 4611686018427387904: impossible"},
	        {FPGAUGE_COUNTER_TX_LATE_FRAMES, 3, "the tester was late: 3 frames were not ready when they were due"},
	        {FPGAUGE_COUNTER_TX_OCTETS, 1, "1 octets in 100 frames"},
	        {FPGAUGE_COUNTER_TX_BAD_FCS_FRAMES, 1, "wrong FCS"},
	        {FPGAUGE_COUNTER_TX_GAPS, 98, "98 gaps measured between 100 frames"},
	        {FPGAUGE_COUNTER_TX_LAST_TIME, 3, "do not agree"},
	        {FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS, UINT64_MAX, "possible"},
	        {FPGAUGE_COUNTER_TX_GAP_MAX_OCTETS, 20, "largest gap 20"},
	        {FPGAUGE_COUNTER_RX_FRAMES, 101, "classes add up to 100"},
	        {FPGAUGE_COUNTER_RX_BAD_PAYLOAD_FRAMES, 1, "classes add up to 101"},
	        {FPGAUGE_COUNTER_RX_BAD_FRAMES, 1, "rx_bad_frames = 1"},
	        {FPGAUGE_COUNTER_RX_LATENCY_FRAMES, 99, "latency of 99 frames, but 100 were received"},
	        {FPGAUGE_COUNTER_RX_LATENCY_MIN, UINT64_MAX, "do not agree"},
	        {FPGAUGE_COUNTER_RX_LATENCY_SUM, UINT64_MAX, "do not agree"},
	        {FPGAUGE_COUNTER_RX_LATENCY_SUM_HIGH, 1, "do not agree"},
	        {FPGAUGE_COUNTER_RX_LOST_FRAMES, 1, "lost 1 of 100"},
	        {FPGAUGE_COUNTER_RX_LATE_FRAMES, 101, "late among 100 received"},
	        {FPGAUGE_COUNTER_RX_FIRST_TIME, UINT64_C(1) << 50, "before the first"},
	};
	struct trial_request request = burst_of(100);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		device.override_count = 0;
		fake_override(&device, 1, rows[i].counter, rows[i].value);
		request.drain_ot = 1000;
		run_invalid(&request, rows[i].why);
	}
	device.override_count = 0;
	run_ok(&request);
	cr_assert(result.valid, "and without them all is well: %s", result.why_invalid);
}

Test(device_tester, more_frames_than_were_offered_are_an_impossible_answer)
{
	struct trial_request request = burst_of(100);

	fake_override(&device, 1, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES, 101);
	fake_override(&device, 1, FPGAUGE_COUNTER_RX_FRAMES, 101);
	fake_override(&device, 1, FPGAUGE_COUNTER_RX_LATENCY_FRAMES, 101);
	fake_override(&device, 1, FPGAUGE_COUNTER_RX_LATENCY_SUM, 101 * FAKE_LATENCY_OT);
	run_invalid(&request, "received 101 frames without duplicates, but 100 were offered");
}

Test(device_tester, tables_that_differ_from_the_totals_are_named)
{
	struct trial_request request = burst_of(100);

	device.fate = drop_and_duplicate;
	fake_override(&device, 0, FPGAUGE_COUNTER_RX_LOST_FRAMES, 9);
	run_invalid(&request, "the totals are");
}

Test(device_tester, frames_of_an_earlier_trial_make_this_one_invalid)
{
	struct trial_request request = burst_of(100);

	fake_override(&device, 0, FPGAUGE_COUNTER_RX_FRAMES, 107);
	fake_override(&device, 0, FPGAUGE_COUNTER_RX_OTHER_RUN_FRAMES, 7);
	run_invalid(&request, "7 frames of an earlier trial");
	cr_assert_eq(result.port[0].other_run_frames, 7);
}

Test(device_tester, foreign_frames_are_reported_and_do_no_harm)
{
	struct trial_request request = burst_of(100);

	fake_override(&device, 0, FPGAUGE_COUNTER_RX_FRAMES, 103);
	fake_override(&device, 0, FPGAUGE_COUNTER_RX_FOREIGN_FRAMES, 3);
	run_ok(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_assert_eq(result.port[0].foreign_frames, 3);
	cr_assert_eq(result.lost_frames, 0);
}

Test(device_tester, more_frames_kept_for_the_host_than_came_are_invalid)
{
	struct trial_request request = burst_of(100);

	fake_override(&device, 0, FPGAUGE_COUNTER_RX_FRAMES, 103);
	fake_override(&device, 0, FPGAUGE_COUNTER_RX_FOREIGN_FRAMES, 3);
	fake_override(&device, 0, FPGAUGE_COUNTER_RX_MAIL_FRAMES, 3);
	run_ok(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	fake_override(&device, 0, FPGAUGE_COUNTER_RX_MAIL_OVERFLOW_FRAMES, 1);
	run_invalid(&request, "3 frames kept for the host and 1 without room among 3 foreign ones");
}

Test(device_tester, a_card_that_is_gone_is_an_error_whenever_it_goes)
{
	struct trial_request request = burst_of(100);
	uint64_t accesses;

	run_ok(&request);
	accesses = device.reads + device.writes;
	for (uint64_t after = accesses; after < 2 * accesses - 40; after += 3) {
		device.gone_after_accesses = after;
		device.reads = after;
		device.writes = 0;
		error.text[0] = 0;
		cr_assert_eq(tester_run(tester, &request, &result, &error), ERROR_DEVICE, "gone after %lu",
		             (unsigned long)(after - accesses));
		cr_assert(strstr(error.text, "gone"), "%s", error.text);
		device.gone_after_accesses = 0;
	}
}

Test(device_tester, a_card_that_goes_between_two_accesses_never_gives_a_result)
{
	struct trial_request request = burst_of(20);
	uint64_t accesses;

	run_ok(&request);
	accesses = device.reads + device.writes;
	for (uint64_t after = 1; after < accesses; after++) {
		int status;

		close_tester();
		open_tester();
		run_ok(&request); /* headers are cached: the next takes fewer accesses than the first */
		device.reads = device.writes = 0;
		device.gone_after_accesses = after;
		status = tester_run(tester, &request, &result, &error);
		if (device.reads + device.writes > after) /* it did disappear during the trial */
			cr_assert(status == ERROR_DEVICE || (status == 0 && !result.valid), "gone after %lu: status %d",
			          (unsigned long)after, status);
	}
}

Test(device_tester, an_error_of_the_driver_ends_the_trial_and_is_kept)
{
	struct trial_request request = burst_of(100);

	device.fail_after_accesses = 40;
	cr_assert_eq(tester_run(tester, &request, &result, &error), ERROR_DEVICE);
	cr_assert_str_eq(error.text, "fake: bus error");
}

Test(device_tester, a_clearing_bit_that_sticks_is_an_error_and_no_hang)
{
	struct trial_request request = burst_of(100);

	device.clearing_stuck = true;
	cr_assert_eq(tester_run(tester, &request, &result, &error), ERROR_DEVICE);
	cr_assert(strstr(error.text, "status.clearing is still set"), "%s", error.text);
	cr_assert_eq(device.starts, 0);
}

Test(device_tester, a_sending_bit_that_sticks_is_an_error_and_no_hang)
{
	struct trial_request request = burst_of(100);

	device.sending_stuck = true;
	cr_assert_eq(tester_run(tester, &request, &result, &error), ERROR_DEVICE);
	cr_assert(strstr(error.text, "status.sending is still set"), "%s", error.text);
	cr_assert_gt(device.stops, 0);
}

Test(device_tester, cancel_is_seen_in_every_phase_and_stops_the_sending)
{
	struct trial_request request = half_load(600000);
	/* while sending; while draining a lossy DUT; while settling */
	const uint64_t at[] = {300000, UINT64_C(5000000000), UINT64_C(28000000000)};

	request.drain_ot = UINT64_C(25000000000);
	request.settle_ot = UINT64_C(25000000000);
	device.fate = drop_tail;
	for (unsigned i = 0; i < 3; i++) {
		uint64_t stops, begin = device.now_ot;

		cancel = 0;
		device.cancel_at_ot = begin + at[i];
		stops = device.stops;
		cr_assert_eq(tester_run(tester, &request, &result, &error), ERROR_CANCELLED, "phase %u", i);
		cr_assert_eq(device.stops, stops + 2, "one before the trial, one after");
	}
	cr_assert_eq(tester_run(tester, &request, &result, &error), ERROR_CANCELLED, "and before a trial");
}

Test(device_tester, requests_out_of_range_are_refused)
{
	struct trial_request small = burst_of(1), wide = burst_of(1), fast = half_load(1000), none = burst_of(1);

	small.shape.frame_octets = 63;
	wide.shape.addresses = 257;
	fast.load = (struct rate){150000000, 1};
	none.shape.addresses = 0;
	cr_assert_eq(tester_run(tester, &small, &result, &error), ERROR_PLAN);
	cr_assert_eq(tester_run(tester, &wide, &result, &error), ERROR_PLAN);
	cr_assert_eq(tester_run(tester, &fast, &result, &error), ERROR_INTERNAL);
	cr_assert_eq(tester_run(tester, &none, &result, &error), ERROR_PLAN);
	cr_assert_eq(device.writes, 0, "nothing was written");
}

/* -- unexpected frames --------------------------------------------------------------------------------------------- */

static const uint8_t LLDP[60] = {0x01, 0x80, 0xC2, 0, 0, 0x0E, 2, 0, 0, 0, 0, 9, 0x88, 0xCC};
/* A question for 198.19.1.2, host 0 of port 1, from 198.19.1.1. */
static const uint8_t QUESTION[60] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 0,   9,  8, 6,
                                     0,    1,    8,    0,    6,    4,    0, 1, 2, 0, 0,   0,  0, 9,
                                     198,  19,   1,    1,    0,    0,    0, 0, 0, 0, 198, 19, 1, 2};

static void hear(uint64_t foreign, uint64_t kept, uint64_t test_frames)
{
	device.override_count = 0;
	fake_override(&device, 1, FPGAUGE_COUNTER_RX_FOREIGN_FRAMES, foreign);
	fake_override(&device, 1, FPGAUGE_COUNTER_RX_MAIL_FRAMES, kept);
	fake_override(&device, 1, FPGAUGE_COUNTER_RX_FRAMES, test_frames + foreign);
}

Test(device_tester, a_device_that_says_something_is_listened_to_from_then_on)
{
	struct trial_request request = half_load(168000);
	const struct trial_port *port = &result.port[1];

	hear(3, 0, 1000);
	run_ok(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(device.box_reads, 0);
	cr_expect_eq(port->foreign_unread_frames, 3, "what was not read is not silent");
	hear(4, 3, 1000); /* one had no room */
	for (unsigned i = 0; i < 3; i++) {
		device.mail[i] = i == 1 ? QUESTION : LLDP;
		device.mail_octets[i] = sizeof(LLDP) + 4;
	}
	device.mail_count = 3;
	run_ok(&request);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(port->foreign[FOREIGN_LLDP], 2);
	cr_expect_eq(port->foreign[FOREIGN_ARP], 1);
	cr_expect_eq(port->foreign_unread_frames, 1);
	cr_expect_eq(device.mail_next, 3);
	/* The answer: 94 octets of the last flow, unsigned, to 02:00:00:00:00:09 from 02:46:47:01:00:00. */
	cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_SEND(1)), 1 << 24 | 94 << 8 | 255);
	cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_HEADER(1)), 0x00000002u);
	cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_HEADER(1) + 4), 0x46020900u);
	cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_HEADER(1) + 8), 0x00000147u);
	cr_expect_eq(fake_register(&device, FPGAUGE_PORT_TX_SEND(0)), 0, "nobody asked there");
}

/* A poll is one access for a port; they become rarer, so a trial has few. */
Test(device_tester, listening_to_nobody_takes_an_access_a_port_and_poll)
{
	struct trial_request request = half_load(672000);
	uint64_t waits, accesses;

	hear(1, 0, 4000);
	run_ok(&request);
	hear(0, 0, 4000);
	run_ok(&request); /* the flow of the host is written */
	accesses = device.reads + device.writes;
	waits = device.waits;
	device.box_reads = 0;
	run_ok(&request);
	accesses = device.reads + device.writes - accesses;
	waits = device.waits - waits;
	cr_expect_geq(device.box_reads, FAKE_PORTS);
	cr_expect_leq(device.box_reads, waits * FAKE_PORTS);
	cr_expect_leq(device.box_reads, 4 * FAKE_PORTS, "%lu of %lu accesses", (unsigned long)device.box_reads,
	              (unsigned long)accesses);
}
