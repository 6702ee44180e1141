/* SPDX-License-Identifier: Apache-2.0 */
/* The rule that sends the tagged frame to a new network: its networks, its time, and what is made of its frame. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/traffic/test_host.h"
#include "host/traffic/traffic_check.h"
#include "host/trial/flow_registers.h"
#include "host/trial/judging/check.h"
#include "host/trial/new_network.h"
#include "host/trial/pacing/pacing.h"
#include "tests/c/traffic_walk.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);

enum { PORTS = 4, DESTINATION = 30 /* octet of a frame of IPv4 without a tag */ };

static struct traffic traffic;

static void begin(enum traffic_pattern pattern)
{
	struct traffic_shape shape = traffic_shape_plain(131);
	struct error error = {0};

	shape.pattern = pattern;
	shape.routed = true;
	shape.modifiers = traffic_modifier_bit(TRAFFIC_NEW_NETWORK);
	build(&traffic, &shape, PORTS);
	cr_assert_eq(trial_new_network_add(&traffic, &shape, &error), 0, "%s", error.text);
	cr_assert_eq(traffic_check(&traffic, &LIMITS, &error), 0, "%s", error.text);
}

static const uint8_t *destination(unsigned port)
{
	const struct traffic_rule *rule = trial_rule_at_tag(&traffic, port);

	cr_assert_not_null(rule);
	return traffic.port[port].flow[rule->flow].packet.octets + DESTINATION;
}

/* 198.(18 + p mod 2).(128 + 16 (p / 2) + n / 16).(16 (n mod 16) + 2) of the port p where it must arrive. */
static unsigned network(unsigned port)
{
	const struct traffic_flow *flow = &traffic.port[port].flow[trial_rule_at_tag(&traffic, port)->flow];
	const unsigned to = (unsigned)__builtin_ctz(flow->arrives);
	const uint8_t *at = destination(port);

	cr_assert_eq(flow->arrives, 1u << to);
	cr_assert_eq(flow->arrives, traffic.port[port].flow[0].arrives);
	cr_assert_eq(at[0], 198);
	cr_assert_eq(at[1], 18 + to % 2);
	cr_assert_eq(at[2] >> 4, 8 + to / 2);
	cr_assert_eq(at[3] & 15, 2);
	return to << 8 | (at[2] & 15u) << 4 | at[3] >> 4;
}

static void expect_all_networks(enum traffic_pattern pattern, unsigned senders, unsigned numbers)
{
	bool seen[PORTS << 8] = {false};

	begin(pattern);
	for (unsigned number = 0; number < numbers; number++) {
		unsigned sent = 0;

		trial_new_network_number(&traffic, number);
		for (unsigned port = 0; port < PORTS; port++)
			if (traffic_sends(&traffic, port)) {
				cr_expect_not(seen[network(port)], "number %u, port %u", number, port);
				seen[network(port)] = true;
				sent++;
			}
		cr_assert_eq(sent, senders);
	}
	traffic_free(&traffic);
}

Test(new_network, no_two_frames_go_to_the_same_network_until_all_256_of_a_port_were_used)
{
	expect_all_networks(TRAFFIC_PAIRS, 4, 256);
	expect_all_networks(TRAFFIC_MESH, 4, 256);
	expect_all_networks(TRAFFIC_MANY_TO_ONE, 4, 85); /* three ports send to port 0 */
}

Test(new_network, the_rule_is_due_when_the_tag_is_and_other_rules_move_both)
{
	static struct register_write writes[TABLE_MAX_WRITES];
	struct trial_request request = {.kind = TRIAL_LOAD,
	                                .shape = traffic_shape_plain(131),
	                                .gap_octets = 12,
	                                .load = {10000000, 1},
	                                .duration_ot = 1250000,
	                                .tag_after_ot = 625003};
	const struct traffic_rule other = {.modifier = TRAFFIC_MANAGEMENT, .frame_octets = 131, .first_ns = 50000};
	struct pacing pacing;
	struct error error = {0};

	begin(TRAFFIC_PAIRS);
	request.traffic = &traffic;
	cr_assert_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), 0, "%s", error.text);
	cr_expect_eq(pacing.tag_after_ot, 625003, "its own rule does not move the tag");
	cr_assert_eq(rule_registers(&traffic, 1, LINK_BPS, pacing.tag_after_ot, writes), 6);
	cr_expect_eq(writes[1].address, FPGAUGE_PORT_TX_RULE_TIME(1));
	cr_expect_eq(writes[1].value, 625003);
	cr_expect_eq(writes[3].value | writes[4].value, 0, "once");
	cr_expect_eq(writes[5].value, 131u << 8 | 1, "with a signature");

	request.tag_after_ot = 9;
	cr_assert_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), 0, "%s", error.text);
	cr_expect_eq(pacing.tag_after_ot, 9, "nor one at the start");
	request.tag_after_ot = 625003;

	cr_assert_eq(traffic_add_rule(&traffic, 1, &traffic.port[1].flow[0].packet, &other, &error), 0);
	cr_assert_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), 0, "%s", error.text);
	cr_expect_gt(pacing.tag_after_ot, 625003 + 131 + 20, "behind the frame of the other one, due at 625000");
	cr_assert_eq(rule_registers(&traffic, 1, LINK_BPS, pacing.tag_after_ot, writes), 12);
	cr_expect_eq(writes[1].value, pacing.tag_after_ot);
	traffic_free(&traffic);
}

Test(new_network, a_tag_on_another_frame_makes_the_trial_invalid_and_a_lost_frame_does_not)
{
	struct trial_request request = {.traffic = &traffic, .tag_after_ot = 1000};
	static struct trial_result result;

	begin(TRAFFIC_PAIRS);
	result = (struct trial_result){.valid = true, .ports = PORTS};
	trial_check_tag_flow(&traffic, 1, trial_rule_at_tag(&traffic, 1)->flow, &result);
	cr_expect(result.valid);
	trial_check_tag_flow(&traffic, 1, 0, &result);
	cr_expect_not(result.valid);
	cr_expect(strstr(result.why_invalid, "port 1: the tag was on another frame"), "%s", result.why_invalid);

	result = (struct trial_result){.valid = true, .ports = PORTS};
	result.port[1].sent = true;
	result.port[1].new_network_offered_frames = 1;
	trial_judge_tags(&request, &result);
	cr_expect(result.valid, "the device lost it");
	result.port[1].new_network_received_frames = 1;
	trial_judge_tags(&request, &result);
	cr_expect_not(result.valid, "it came, but not its tag");
	traffic_free(&traffic);
}
