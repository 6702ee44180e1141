// SPDX-License-Identifier: Apache-2.0
/* Frames between the others: rules, tx_send, flows without a turn. */
#include <criterion/criterion.h>

#include "tests/sim/flows.h"

enum { PLACE_OCTETS = 88, WORD_OCTETS = 64 }; /* FLOWS_ONE_WAY: a frame, its preamble and its gap */

static uint32_t frame_of(uint32_t flow, uint32_t octets, uint32_t flags)
{
	return flags << 24 | octets << 8 | flow;
}

static void rule(struct device *device, uint32_t number, uint64_t time_ot, uint64_t period_ot, uint32_t frame)
{
	traffic_write32(device, FPGAUGE_PORT_TX_RULE_INDEX(0), number);
	traffic_write64(device, FPGAUGE_PORT_TX_RULE_TIME(0), time_ot);
	traffic_write64(device, FPGAUGE_PORT_TX_RULE_PERIOD(0), period_ot);
	traffic_write32(device, FPGAUGE_PORT_TX_RULE_FRAME(0), frame);
}

static void ask(struct device *device, uint32_t frame)
{
	traffic_write32(device, FPGAUGE_PORT_TX_SEND(0), frame);
}

static void finish(struct device *device)
{
	traffic_stop(device);
	traffic_wait(device, SETTLE_OT);
	traffic_snapshot(device);
}

/* -- rules --------------------------------------------------------------------------------------------------------- */

Test(twin_rules, a_rule_takes_the_place_of_a_frame_which_has_the_next_one)
{
	struct device *device = flows_open(&FLOWS_ONE_WAY);

	traffic_write32(device, FPGAUGE_PORT_TX_FLOWS(0), 3);
	traffic_write32(device, FPGAUGE_PORT_TX_RULES(0), 1);
	rule(device, 0, 10 * PLACE_OCTETS + 1, 0, frame_of(7, 128, 0));
	flows_send(device, 30);
	for (uint32_t frame = 0; frame < 30; frame++) {
		const uint32_t turn = frame < 11 ? frame : frame - 1;

		cr_expect_eq(flows_tagged_flow(device, frame), frame == 11 ? 7 : turn % 3, "frame %u", frame);
		cr_expect_eq(flows_tagged_start(device, frame), PLACE_OCTETS * frame + (frame > 11 ? 64 : 0));
	}
	cr_expect_eq(flows_sent(device, 7), 1);
	device_close(device);
}

/* Both rules are always due. The one that has sent less often has the earlier time; the lower number of equal ones. */
Test(twin_rules, the_rule_with_the_earliest_time_is_next_and_16_words_later_at_the_earliest)
{
	const uint32_t apart = (16 * WORD_OCTETS + PLACE_OCTETS - 1) / PLACE_OCTETS;
	struct device *device = flows_open(&FLOWS_ONE_WAY);
	uint64_t last_word = 0;
	uint32_t last = 1, seen = 0;

	traffic_write32(device, FPGAUGE_PORT_TX_RULES(0), 2);
	rule(device, 0, 0, 1, frame_of(5, 64, 0));
	rule(device, 1, 0, 1, frame_of(6, 64, 0));
	flows_send(device, 200);
	for (uint32_t frame = 0; frame < 200; frame++) {
		const uint32_t flow = flows_tagged_flow(device, frame);
		const uint64_t word = flows_tagged_start(device, frame) / WORD_OCTETS;
		const bool may = frame == 0 || word >= last_word + 16;

		cr_expect_eq(flow != 0, may, "frame %u", frame);
		if (flow == 0)
			continue;
		cr_expect_eq(flow - 5, 1 - last, "frame %u", frame);
		last = flow - 5;
		last_word = word;
		seen++;
	}
	cr_expect(seen > 200 / (apart + 1) - 1, "%u frames of rules", seen);
	device_close(device);
}

/* Played in jumps from rule to rule. All places are alike, so that the number of frames is known. */
Test(twin_rules, a_minute_with_a_rule_every_millisecond_has_sixty_thousand_of_its_frames)
{
	const uint64_t millisecond_ot = 12500000, minute_ot = 60000 * millisecond_ot;
	const uint64_t frames = (minute_ot + PLACE_OCTETS - 1) / PLACE_OCTETS;
	const struct sent_traffic traffic = {
	        .frame_octets = FRAME_OCTETS, .gap_octets = 16, .duration_ot = minute_ot, .one_way = true};
	struct device *device = traffic_open(TWIN_LIBRARY, (const char *const[]){"dut.model=fifo", NULL});

	traffic_prepare(device, &traffic);
	traffic_write32(device, FPGAUGE_PORT_TX_RULES(0), 1);
	rule(device, 0, 0, millisecond_ot, frame_of(7, FRAME_OCTETS, UNSIGNED));
	traffic_start(device);
	traffic_wait(device, minute_ot + SETTLE_OT);
	traffic_snapshot(device);
	cr_expect_eq(flows_sent(device, 7), 60000);
	cr_expect_eq(flows_sent(device, 0), frames - 60000);
	cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_FRAMES), frames);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), frames - 60000);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_FOREIGN_FRAMES), 60000);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_LOST_FRAMES), 0);
	device_close(device);
}

/* -- tx_send ------------------------------------------------------------------------------------------------------- */

Test(twin_rules, without_flows_only_what_is_asked_for_is_sent)
{
	struct device *device = flows_open(&FLOWS_ONE_WAY);

	traffic_write32(device, FPGAUGE_PORT_TX_FLOWS(0), 0);
	ask(device, frame_of(1, 64, 0)); /* not sending yet */
	traffic_start(device);
	traffic_wait(device, SETTLE_OT);
	cr_expect(traffic_read32(device, FPGAUGE_GLOBAL_STATUS) & FPGAUGE_GLOBAL_STATUS_SENDING);
	ask(device, frame_of(2, 40, 0));
	traffic_wait(device, SETTLE_OT);
	ask(device, frame_of(3, 1000, BAD_FCS));
	traffic_wait(device, SETTLE_OT);
	finish(device);
	ask(device, frame_of(4, 64, 0)); /* no longer */
	traffic_snapshot(device);
	cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_FRAMES), 2);
	cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_OCTETS), 1054);
	cr_expect_eq(flows_counter(device, 0, FPGAUGE_COUNTER_TX_LATE_FRAMES), 0);
	cr_expect_eq(flows_sent(device, 2) + flows_sent(device, 3), 2);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_BAD_SHORT_FRAMES), 1);
	cr_expect_eq(flows_counter(device, 1, FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES), 1);
	device_close(device);
}

Test(twin_rules, the_first_place_is_for_the_first_frame_that_was_asked_for)
{
	struct device *device = flows_open(&FLOWS_ONE_WAY);

	traffic_write64(device, FPGAUGE_PORT_TX_START_OFFSET(0), 100000);
	traffic_start(device);
	for (uint32_t flow = 1; flow < 4; flow++)
		ask(device, frame_of(flow, 64, 0));
	traffic_wait(device, 200000);
	finish(device);
	cr_expect_eq(flows_tagged_flow(device, 0), 1);
	cr_expect_eq(flows_tagged_flow(device, 1), 0);
	cr_expect_eq(flows_tagged_start(device, 0), 100000);
	cr_expect_eq(flows_sent(device, 2) + flows_sent(device, 3), 0);
	device_close(device);
}

/* -- flows without a turn ------------------------------------------------------------------------------------------ */

Test(twin_rules, every_fourth_frame_is_of_another_flow_and_uses_up_no_turn)
{
	const uint64_t frames = UINT64_C(4000000000);
	struct device *device = flows_open(&FLOWS_ONE_WAY);

	traffic_write32(device, FPGAUGE_PORT_TX_FLOWS(0), 2);
	traffic_write32(device, FPGAUGE_PORT_TX_EVERY(0), 4);
	traffic_write32(device, FPGAUGE_PORT_TX_EVERY_FLOW(0), 9);
	traffic_write64(device, FPGAUGE_PORT_TX_TAG_INTERVAL(0), 1);
	flows_send(device, 400);
	for (uint32_t frame = 0; frame < 400; frame++)
		cr_expect_eq(flows_tagged_flow(device, frame), frame % 4 == 3 ? 9 : (frame - frame / 4) % 2);
	traffic_write32(device, FPGAUGE_PORT_TX_TAG_ENABLE(0), 0);
	traffic_write64(device, FPGAUGE_PORT_TX_STOP_FRAMES(0), frames);
	traffic_start(device);
	traffic_wait(device, frames * PLACE_OCTETS + SETTLE_OT);
	traffic_snapshot(device);
	cr_expect_eq(flows_sent(device, 9), 100 + frames / 4);
	cr_expect_eq(flows_sent(device, 0), 150 + frames / 8 * 3);
	cr_expect_eq(flows_sent(device, 1), 150 + frames / 8 * 3);
	device_close(device);
}
