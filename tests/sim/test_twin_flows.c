// SPDX-License-Identifier: Apache-2.0
/* Tests what the twin sends: whose turn it is, and how long the frame is. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/sim/flows.h"

/* -- order --------------------------------------------------------------------------------------------------------- */

Test(twin_flows, a_table_of_two_turns_shares_by_halves)
{
	struct device *device = flows_open(&FLOWS_ONE_WAY);

	flows_send_turns(device, (const uint8_t[]){7, 3}, 2, 100001);
	cr_expect_eq(flows_sent(device, 7), 50001);
	cr_expect_eq(flows_sent(device, 3), 50000);
	cr_expect_eq(flows_tagged_flow(device, 0), 7);
	cr_expect_eq(flows_tagged_flow(device, 511), 3);
	device_close(device);
}

Test(twin_flows, every_hundredth_turn_is_of_the_other_flow)
{
	struct device *device = flows_open(&FLOWS_ONE_WAY);
	uint8_t turns[100] = {0};

	turns[99] = 255;
	flows_send_turns(device, turns, 100, 99999);
	cr_expect_eq(flows_sent(device, 0), 99000);
	cr_expect_eq(flows_sent(device, 255), 999);
	for (uint32_t frame = 0; frame < TAGS; frame++)
		cr_expect_eq(flows_tagged_flow(device, frame), frame % 100 == 99 ? 255 : 0, "frame %u", frame);
	device_close(device);
}

/* Flow f has f + 1 of the first turns, and flow 255 the rest. */
Test(twin_flows, a_table_of_4096_turns_is_played_to_its_last)
{
	enum { ROUNDS = 3, SHARED = 90 };
	static uint8_t turns[TURNS_MOST];
	struct device *device = flows_open(&FLOWS_ONE_WAY);
	uint32_t turn = 0;

	for (uint32_t flow = 0; flow < SHARED; flow++)
		for (uint32_t i = 0; i <= flow; i++)
			turns[turn++] = (uint8_t)flow;
	cr_assert_lt(turn, TURNS_MOST);
	memset(turns + turn, 255, TURNS_MOST - turn);
	flows_send_turns(device, turns, TURNS_MOST, (uint64_t)ROUNDS * TURNS_MOST);
	for (uint32_t flow = 0; flow < SHARED; flow++)
		cr_expect_eq(flows_sent(device, flow), ROUNDS * (flow + 1), "flow %u", flow);
	cr_expect_eq(flows_sent(device, 255), ROUNDS * (TURNS_MOST - turn));
	for (uint32_t frame = 0; frame < TAGS; frame++)
		cr_expect_eq(flows_tagged_flow(device, frame), turns[frame]);
	device_close(device);
}

/* -- draws, by a generator of its own: three multiplications in GF(2)[x], bit by bit ---------------------------------
 */

static uint32_t shifted_into(uint32_t x, int left)
{
	uint32_t sum = 0;

	for (int bit = 0; bit < 32; bit++) {
		const int from = bit - left;
		const uint32_t other = from >= 0 && from < 32 ? x >> from & 1 : 0;

		sum |= ((x >> bit & 1) ^ other) << bit;
	}
	return sum;
}

/* The next draw of 0 to count - 1 (Marsaglia 2003; docs/registers.md). */
static uint32_t draw(uint32_t *state, uint32_t count)
{
	*state = shifted_into(shifted_into(shifted_into(*state, 13), -17), 5);
	return (uint32_t)((uint64_t)(*state / 65536) * count / 65536);
}

Test(twin_flows, flows_are_drawn_as_the_map_says)
{
	struct device *device = flows_open(&FLOWS_ONE_WAY);
	uint32_t state = 1;

	traffic_write32(device, FPGAUGE_PORT_TX_FLOWS(0), 100);
	traffic_write32(device, FPGAUGE_PORT_TX_ORDER(0), DRAWN);
	traffic_write32(device, FPGAUGE_PORT_TX_SEED(0), 0); /* acts as 1 */
	flows_send(device, TAGS);
	for (uint32_t frame = 0; frame < TAGS; frame++)
		cr_expect_eq(flows_tagged_flow(device, frame), draw(&state, 100), "frame %u", frame);
	device_close(device);
}

/* Expects frames to start where the lengths before them say, with whole gaps. */
static void expect_lengths(struct device *device, const uint32_t *octets, uint64_t gap_octets)
{
	uint64_t ideal = 0;

	for (uint32_t frame = 0; frame < TAGS; frame++) {
		cr_expect_eq(flows_tagged_start(device, frame), ideal / 8 * 8, "frame %u", frame);
		ideal += PREAMBLE_OCTETS + octets[frame] + gap_octets;
	}
}

Test(twin_flows, lengths_are_drawn_only_for_frames_whose_length_is_drawn)
{
	enum { SEED = 12345, ENTRIES = 300, FIRST = 900, LEAST = 70, LENGTHS = 1000 };
	struct device *device = flows_open(&FLOWS_ONE_WAY);
	uint32_t octets[TAGS], state = SEED;

	traffic_write32(device, FPGAUGE_PORT_TX_FLOWS(0), 3);
	traffic_write32(device, FPGAUGE_PORT_TX_SIZE_SEED(0), SEED);
	flows_size(device, 0, DRAWN_ENTRY, FIRST, ENTRIES); /* goes on at entry 0 */
	flows_size(device, 2, DRAWN_LENGTH, LEAST, LENGTHS);
	for (uint32_t i = 0; i < ENTRIES; i++)
		flows_length(device, (FIRST + i) % 1024, 64 + 3 * i);
	for (uint32_t frame = 0; frame < TAGS; frame++)
		octets[frame] = frame % 3 == 0   ? 64 + 3 * draw(&state, ENTRIES)
		                : frame % 3 == 1 ? FRAME_OCTETS
		                                 : LEAST + draw(&state, LENGTHS);
	flows_send(device, TAGS);
	expect_lengths(device, octets, FLOWS_ONE_WAY.gap_octets);
	device_close(device);
}

/* -- lengths in turn ----------------------------------------------------------------------------------------------- */

/* Two flows share a list, and each goes through it at its own pace; flow 2 has all lengths of another. */
Test(twin_flows, each_flow_goes_through_its_list_by_itself)
{
	static const uint32_t list[] = {64, 570, 1518, 100, 9216};
	static const uint8_t turns[] = {0, 0, 1, 2, 0, 1};
	struct device *device = flows_open(&FLOWS_ONE_WAY);
	uint32_t octets[TAGS], position[3] = {0};

	for (uint32_t i = 0; i < 5; i++)
		flows_length(device, 10 + i, list[i]);
	flows_size(device, 0, LIST_IN_TURN, 10, 3);
	flows_size(device, 1, LIST_IN_TURN, 10, 3);
	flows_size(device, 2, LIST_IN_TURN, 13, 2);
	for (uint32_t frame = 0; frame < TAGS; frame++) {
		const uint8_t flow = turns[frame % 6];

		octets[frame] = flow == 2 ? list[3 + position[2]++ % 2] : list[position[flow]++ % 3];
	}
	flows_send_turns(device, turns, 6, TAGS);
	expect_lengths(device, octets, FLOWS_ONE_WAY.gap_octets);
	device_close(device);
}

Test(twin_flows, lists_begin_anew_with_a_trial_and_a_length_below_54_acts_as_54)
{
	struct device *device = flows_open(&FLOWS_ONE_WAY);
	const uint32_t sum = 54 + 200 + 300 + 54;

	flows_length(device, 0, 1);
	flows_length(device, 1, 200);
	flows_length(device, 2, 300);
	flows_size(device, 0, LIST_IN_TURN, 0, 3);
	for (uint32_t trial = 1; trial <= 3; trial++) {
		flows_send(device, 4);
		cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_OCTETS), trial * sum);
	}
	device_close(device);
}

/* The mix 7:4:1 at the minimum gap, both ways. */
Test(twin_flows, a_minute_of_a_mix_comes_whole)
{
	enum { ROUND = 12, ROUND_OCTETS = 7 * 84 + 4 * (570 + 20) + 1538 };
	const uint64_t duration_ot = UINT64_C(60000) * 12500000;
	const uint64_t rounds = duration_ot / ROUND_OCTETS / 4 * 4; /* rounds whose starts are multiples of 8 */
	const struct sent_traffic traffic = {.frame_octets = FRAME_OCTETS, .duration_ot = rounds * ROUND_OCTETS};
	struct device *device = traffic_open(TWIN_LIBRARY, (const char *const[]){"dut.model=fifo", NULL});

	traffic_prepare(device, &traffic);
	for (unsigned port = 0; port < 2; port++) {
		traffic_write32(device, FPGAUGE_PORT_TX_FLOW_SIZE(port), ROUND << 16 | LIST_IN_TURN);
		for (uint32_t i = 0; i < ROUND; i++) {
			traffic_write32(device, FPGAUGE_PORT_TX_SIZE_INDEX(port), i);
			traffic_write32(device, FPGAUGE_PORT_TX_SIZE_OCTETS(port), i < 7 ? 64 : i < 11 ? 570 : 1518);
		}
	}
	traffic_start(device);
	traffic_wait(device, duration_ot + SETTLE_OT);
	traffic_snapshot(device);
	for (unsigned port = 0; port < 2; port++) {
		cr_expect_eq(flows_counter(device, port, FPGAUGE_COUNTER_TX_FRAMES), rounds * ROUND);
		cr_expect_eq(flows_counter(device, port, FPGAUGE_COUNTER_TX_OCTETS),
		             rounds * (ROUND_OCTETS - 20 * ROUND));
		cr_expect_eq(flows_counter(device, port, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), rounds * ROUND);
		cr_expect_eq(flows_counter(device, port, FPGAUGE_COUNTER_TX_LATE_FRAMES), 0);
	}
	device_close(device);
}

/* The frames that would have followed are not looked for. */
Test(twin_flows, an_hour_after_the_last_frame_its_count_is_read_at_once)
{
	struct device *device = flows_open(&FLOWS_ONE_WAY);

	flows_send(device, 10);
	traffic_wait(device, UINT64_C(3600000) * 12500000);
	cr_expect_eq(traffic_read32(device, FPGAUGE_GLOBAL_STATUS), 0);
	cr_expect_eq(flows_sent(device, 0), 10);
	device_close(device);
}
