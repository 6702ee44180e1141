// SPDX-License-Identifier: Apache-2.0
/* Tests when the frames of the twin start, what is special about them, and what it refuses. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/sim/flows.h"

/* -- times --------------------------------------------------------------------------------------------------------- */

/* 64 octets with a gap of 16 take 88: frame 30 starts at 2640. From there on the average is 104 2/3, and the first gap
 * has none of the third, the second and the third make one octet; at frame 60 (5780) it is 128. */
Test(twin_phases, a_phase_begins_in_the_very_frame)
{
	struct device *device = flows_open(&FLOWS_ONE_WAY);

	traffic_write32(device, FPGAUGE_PORT_TX_PHASES(0), 2);
	flows_phase(device, 1, 2640, 32, 2, 3);
	flows_phase(device, 2, 5773, 56, 0, 1);
	flows_send(device, 100);
	for (uint32_t frame = 0; frame < 100; frame++) {
		const uint64_t ideal = frame <= 30   ? 88 * frame
		                       : frame <= 60 ? 2640 + 104 * (frame - 30) + 2 * (frame - 30) / 3
		                                     : 5780 + 128 * (frame - 60);

		cr_expect_eq(flows_tagged_start(device, frame), ideal / 8 * 8, "frame %u", frame);
	}
	device_close(device);
}

/* A time is met by the actual start, which is up to 7 octets before the ideal one: frame 2 is due at 182 and starts at
 * 176. */
Test(twin_phases, a_phase_waits_for_a_frame_that_starts_too_early_by_rounding)
{
	const struct sent_traffic traffic = {.frame_octets = FRAME_OCTETS, .gap_octets = 19, .one_way = true};

	for (uint64_t late = 0; late < 2; late++) {
		struct device *device = flows_open(&traffic);

		traffic_write32(device, FPGAUGE_PORT_TX_PHASES(0), 1);
		flows_phase(device, 1, 176 + late, 1000, 0, 1);
		flows_send(device, 5);
		cr_expect_eq(flows_tagged_start(device, 2), 176);
		cr_expect_eq(flows_tagged_start(device, 3), late ? 272 : 1248);
		device_close(device);
	}
}

Test(twin_phases, a_minute_in_two_phases_has_the_frames_of_both)
{
	const uint64_t half_ot = UINT64_C(30000) * 12500000;
	const struct sent_traffic traffic = {
	        .frame_octets = FRAME_OCTETS, .gap_octets = 16, .duration_ot = 2 * half_ot, .one_way = true};
	struct device *device = traffic_open(TWIN_LIBRARY, (const char *const[]){"dut.model=fifo", NULL});
	const uint64_t first = (half_ot + 87) / 88; /* starts before the phase */

	traffic_prepare(device, &traffic);
	traffic_write32(device, FPGAUGE_PORT_TX_PHASES(0), 1);
	flows_phase(device, 1, half_ot, 104, 0, 1);
	traffic_start(device);
	traffic_wait(device, 2 * half_ot + SETTLE_OT);
	traffic_snapshot(device);
	cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_FRAMES),
	             first + (2 * half_ot - first * 88 + 175) / 176);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_LOST_FRAMES), 0);
	device_close(device);
}

Test(twin_phases, a_start_offset_delays_the_frames_and_not_the_end)
{
	struct sent_traffic traffic = FLOWS_ONE_WAY;
	struct device *device;

	traffic.duration_ot = 1000;
	device = flows_open(&traffic);
	traffic_write64(device, FPGAUGE_PORT_TX_START_OFFSET(0), 645);
	flows_send(device, 0);
	for (uint32_t frame = 0; frame < 5; frame++)
		cr_expect_eq(flows_tagged_start(device, frame), (645 + 88 * frame) / 8 * 8);
	cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_FRAMES), 5);
	device_close(device);
}

/* -- flags --------------------------------------------------------------------------------------------------------- */

Test(twin_phases, flags_are_those_of_the_flow)
{
	static const uint8_t turns[] = {0, 1, 0, 2, 0, 3};
	enum { ROUNDS = 50 };
	struct device *device = flows_open(&FLOWS_ONE_WAY);

	flows_flags(device, 1, UNSIGNED);
	flows_flags(device, 2, BAD_FCS);
	flows_flags(device, 3, CODE_ERROR);
	flows_send_turns(device, turns, 6, 6 * ROUNDS);
	for (uint32_t flow = 1; flow < 4; flow++)
		cr_expect_eq(flows_sent(device, flow), ROUNDS);
	cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_FRAMES), 5 * ROUNDS,
	             "an error character ends no frame");
	cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_OCTETS), 5 * ROUNDS * FRAME_OCTETS);
	cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_GAPS), 6 * ROUNDS - 1);
	cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_BAD_FCS_FRAMES), ROUNDS);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), 3 * ROUNDS);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_FOREIGN_FRAMES), ROUNDS);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES), ROUNDS);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_BAD_CODE_FRAMES), ROUNDS);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_BAD_FRAMES), 2 * ROUNDS);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_GAPS), 6 * ROUNDS - 1);
	device_close(device);
}

Test(twin_phases, a_frame_that_ends_in_an_error_never_arrives_at_a_device_that_stores_it)
{
	struct device *device = traffic_open(TWIN_LIBRARY, (const char *const[]){"dut.model=fifo", NULL});
	struct sent_traffic traffic = FLOWS_ONE_WAY;

	traffic.destinations = 2;
	traffic_prepare(device, &traffic);
	flows_flags(device, 1, CODE_ERROR);
	flows_send(device, 1000);
	cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_FRAMES), 500);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), 500);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_GAPS), 499);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_BAD_FRAMES), 0);
	device_close(device);
}

/* -- refusals ------------------------------------------------------------------------------------------------------ */

static void expect_write_fails(struct device *device, uint32_t address, uint32_t value, const char *part)
{
	struct error error;

	cr_assert_neq(device_write32(device, address, value, &error), 0, "%s", part);
	cr_expect(strstr(error.text, part) != NULL, "%s", error.text);
}

Test(twin_phases, phases_that_are_no_legal_line_are_refused_at_the_start)
{
	struct device *device = flows_open(&FLOWS_ONE_WAY);

	traffic_write32(device, FPGAUGE_PORT_TX_PHASES(0), 2);
	flows_phase(device, 1, 0, 11, 0, 1);
	flows_phase(device, 2, 0, 10, 0, 1);
	expect_write_fails(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START,
	                   "port 0: tx_phase_gap_octets is below 11");
	flows_phase(device, 2, 0, 11, 3, 3);
	expect_write_fails(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START,
	                   "tx_phase_gap_numerator is not below tx_phase_gap_denominator");
	traffic_write32(device, FPGAUGE_PORT_TX_PHASES(0), 8);
	expect_write_fails(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START, "tx_phases is above 7");
	traffic_write32(device, FPGAUGE_PORT_TX_PHASES(0), 1);
	traffic_start(device);
	device_close(device);
}

Test(twin_phases, tables_stand_still_while_a_port_sends)
{
	struct device *device = flows_open(&FLOWS_ONE_WAY);
	const uint32_t tables[] = {
	        FPGAUGE_PORT_TX_FLOW_SIZE(0),           FPGAUGE_PORT_TX_FLOW_FLAGS(0),
	        FPGAUGE_PORT_TX_SIZE_OCTETS(0),         FPGAUGE_PORT_TX_TURN_FLOW(0),
	        FPGAUGE_PORT_TX_PHASE_TIME(0),          FPGAUGE_PORT_TX_PHASE_GAP_OCTETS(0),
	        FPGAUGE_PORT_TX_PHASE_GAP_NUMERATOR(0), FPGAUGE_PORT_TX_PHASE_GAP_DENOMINATOR(0),
	        FPGAUGE_PORT_TX_RULE_TIME(0),           FPGAUGE_PORT_TX_RULE_PERIOD(0),
	        FPGAUGE_PORT_TX_RULE_FRAME(0),
	};

	traffic_start(device);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		expect_write_fails(device, tables[i], 0, "port 0: tables of flows, lengths, turns, phases and rules");
		traffic_write32(device, tables[i] + FPGAUGE_PORT_STRIDE, 0); /* the other port is at rest */
	}
	traffic_stop(device);
	traffic_wait(device, SETTLE_OT);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		traffic_write32(device, tables[i], 0);
	device_close(device);
}

/* A flow with a length of its own does not need tx_frame_octets. */
Test(twin_phases, a_length_that_no_flow_uses_is_not_refused)
{
	struct device *device = flows_open(&FLOWS_ONE_WAY);

	traffic_write32(device, FPGAUGE_PORT_TX_FRAME_OCTETS(0), 0);
	expect_write_fails(device, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START, "tx_frame_octets is below 54");
	flows_size(device, 0, DRAWN_LENGTH, 128, 1);
	flows_send(device, 10);
	cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_OCTETS), 1280);
	device_close(device);
}
