/* SPDX-License-Identifier: Apache-2.0 */
/* Frames at given times in place of test frames: as registers, among the counters of a trial, and beside the frame that
 * is tagged. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/traffic/traffic_check.h"
#include "host/trial/flow_registers.h"
#include "host/trial/judging/rules.h"
#include "host/trial/judging/sum.h"
#include "tests/c/traffic_walk.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);

enum {
	RULE_OCTETS = 153,
	LOAD_OT = 84000,  /* 1000 frames of 64 octets at line rate */
	PERIOD_NS = 1000, /* 12500 octet times: frames of the rule are due at 0, 12500, ... 75000 */
	RULE_FRAMES = 7,
	TEST_FRAMES = 986, /* frames that begin before the end: (84000 - 7 x 173) / 84 = 985.6 */
};

static struct traffic traffic;

static void set_up(void)
{
	const struct traffic_shape shape = traffic_shape_plain(64);

	build(&traffic, &shape, 2);
}

static void tear_down(void)
{
	traffic_free(&traffic);
}

TestSuite(trial_rules, .init = set_up, .fini = tear_down);

static void add_rule(unsigned port, uint64_t first_ns, uint64_t period_ns)
{
	static const uint8_t MAC[6] = {2, 0, 0, 0, 0, 1};
	uint8_t octets[RULE_OCTETS - 14 - 4];
	const struct traffic_rule rule = {.frame_octets = RULE_OCTETS,
	                                  .first_ns = first_ns,
	                                  .period_ns = period_ns,
	                                  .modifier = TRAFFIC_MANAGEMENT};
	struct packet packet;
	struct error error = {0};

	for (unsigned i = 0; i < sizeof(octets); i++)
		octets[i] = (uint8_t)(0x80 + i);
	packet_begin(&packet, MAC, MAC, 0x0800);
	packet_add_octets(&packet, octets, sizeof(octets));
	cr_assert_not(packet.full);
	cr_assert_eq(traffic_add_rule(&traffic, port, &packet, &rule, &error), 0, "%s", error.text);
}

/* -- registers ----------------------------------------------------------------------------------------------------- */

Test(trial_rules, a_rule_is_six_words_and_its_frame_a_header_with_two_entries_of_body)
{
	static struct register_write writes[TABLE_MAX_WRITES];
	unsigned count;

	add_rule(1, 3000000000, 30000000000);
	add_rule(1, 0, 0);
	cr_assert_eq(rule_registers(&traffic, 1, LINK_BPS, 0, writes), 12);
	const struct register_write rules[] = {
	        {FPGAUGE_PORT_TX_RULE_INDEX(1), 0},
	        {FPGAUGE_PORT_TX_RULE_TIME(1), 0xbb2c9700}, /* 37500000000 */
	        {FPGAUGE_PORT_TX_RULE_TIME(1) + 4, 8},
	        {FPGAUGE_PORT_TX_RULE_PERIOD(1), 0x4fbde600}, /* 375000000000 */
	        {FPGAUGE_PORT_TX_RULE_PERIOD(1) + 4, 0x57},
	        {FPGAUGE_PORT_TX_RULE_FRAME(1), 1u << 24 | 153u << 8 | 1},
	        {FPGAUGE_PORT_TX_RULE_INDEX(1), 1},
	        {FPGAUGE_PORT_TX_RULE_TIME(1), 0},
	        {FPGAUGE_PORT_TX_RULE_TIME(1) + 4, 0},
	        {FPGAUGE_PORT_TX_RULE_PERIOD(1), 0},
	        {FPGAUGE_PORT_TX_RULE_PERIOD(1) + 4, 0},
	        {FPGAUGE_PORT_TX_RULE_FRAME(1), 1u << 24 | 153u << 8 | 2},
	};
	for (unsigned i = 0; i < 12; i++) {
		cr_expect_eq(writes[i].address, rules[i].address, "word %u", i);
		cr_expect_eq(writes[i].value, rules[i].value, "word %u: %#x", i, (unsigned)writes[i].value);
	}
	cr_expect_eq(rule_registers(&traffic, 0, LINK_BPS, 0, writes), 0);

	count = flow_registers(&traffic, 1, 2, writes);
	cr_assert_eq(count, 9 + 2 * 4 + 16 + 2 * 17);
	cr_expect_eq(writes[2].value, 1, "no signature");
	cr_expect_eq(writes[4].address, FPGAUGE_PORT_TX_FLOW_BODY(1));
	cr_expect_eq(writes[4].value, 2u << 16 | 4, "two entries from twice the flow on");
	for (unsigned body = 0; body < 2; body++) {
		const struct register_write *entry = &writes[9 + 2 * 4 + 16 + 17 * body];

		cr_expect_eq(entry->address, FPGAUGE_PORT_TX_BODY_INDEX(1));
		cr_expect_eq(entry->value, 4 + body);
		cr_expect_eq(entry[1].address, FPGAUGE_PORT_TX_BODY(1));
		cr_expect_eq(entry[1].value & 0xff, 0x80 + 64 * (body + 1) - 14);
	}
}

/* -- what is allowed ------------------------------------------------------------------------------------------------
 */

static void is_refused(const char *why)
{
	struct error error = {0};

	cr_assert_eq(traffic_check(&traffic, &LIMITS, &error), ERROR_PLAN, "%s", why);
	cr_expect_str_eq(error.text, why);
}

Test(trial_rules, limits_of_rules_are_checked)
{
	struct error error = {0};
	struct traffic_port *port = &traffic.port[0];

	for (unsigned i = 0; i < TRAFFIC_RULES; i++)
		add_rule(0, i, 1000);
	cr_expect_eq(traffic_check(&traffic, &LIMITS, &error), 0, "%s", error.text);
	cr_expect_eq(traffic_add_rule(&traffic, 0, &port->flow[1].packet, &port->rule[0], &error), ERROR_PLAN);
	cr_expect_str_eq(error.text, "port 0: more than 4 rules");
	port->rule[1].flow = 0;
	is_refused("port 0 rule 1: flow 0 of 5 must belong to this rule alone");
	port->rule[1].flow = 1;
	is_refused("port 0 rule 1: flow 1 of 5 must belong to this rule alone");
	port->rule[1].flow = 2;
	port->flow[4].apart = false;
	is_refused("port 0 rule 3: flow 4 must be counted apart, without a signature and of one length");
	port->flow[4].apart = true;
	port->rule[2].frame_octets = 53;
	is_refused("port 0 flow 3: frames of 53 octets: must be 54 to 16383");
}

Test(trial_rules, all_of_a_rule_is_in_the_hash)
{
	uint64_t hash[6];
	struct traffic_rule *rule = &traffic.port[0].rule[0];

	hash[0] = traffic_hash(&traffic);
	add_rule(0, 0, 1000);
	hash[1] = traffic_hash(&traffic);
	rule->first_ns = 1;
	hash[2] = traffic_hash(&traffic);
	rule->period_ns = 1001;
	hash[3] = traffic_hash(&traffic);
	rule->frame_octets++;
	hash[4] = traffic_hash(&traffic);
	traffic.port[0].flow[1].packet.octets[130] ^= 1;
	hash[5] = traffic_hash(&traffic);
	for (unsigned i = 0; i < 6; i++)
		for (unsigned j = 0; j < i; j++)
			cr_expect_neq(hash[i], hash[j], "%u and %u", i, j);
}

/* -- counters ------------------------------------------------------------------------------------------------------ */

/* A wire at line rate; port 0 sent so many frames of a rule, and this last. */
static struct trial_counters with_rule_frames(uint64_t frames, bool rule_last)
{
	struct trial_counters counters = {.ports = 2, .stream_count = 2};

	for (unsigned i = 0; i < 2; i++) {
		struct port_counters *tx = &counters.port[i], *rx = &counters.port[1 - i];
		const uint64_t own = i == 0 ? TEST_FRAMES : 1000, rules = i == 0 ? frames : 0;

		tx->tx_frames = own + rules;
		tx->tx_octets = 64 * own + RULE_OCTETS * rules;
		tx->tx_gaps = tx->tx_frames - 1;
		tx->tx_gap_sum_octets = 12 * tx->tx_gaps;
		tx->tx_gap_min_octets = 8;
		tx->tx_gap_max_octets = 16;
		tx->tx_first_time = 800;
		tx->tx_last_time = 800 + (own - 1) * 84 + rules * 173 - (i == 0 && rule_last ? RULE_OCTETS - 64 : 0);
		rx->rx_frames = own + rules;
		rx->rx_foreign_frames = rules;
		rx->rx_received_frames = rx->rx_latency_frames = own;
		rx->rx_latency_min = rx->rx_latency_max = 8;
		rx->rx_latency_sum = 8 * own;
		rx->rx_first_time = 808;
		rx->rx_last_time = 90000;
		counters.stream[i] = (struct stream_counters){
		        .source_port = i, .receiver_port = 1 - i, .sent = own, .received = own, .next = own};
	}
	counters.rule_frames[0][0] = frames;
	return counters;
}

static struct trial_request line_rate(void)
{
	return (struct trial_request){.kind = TRIAL_LOAD,
	                              .shape = traffic_shape_plain(64),
	                              .gap_octets = 12,
	                              .load = {UINT64_C(12500000000), 84},
	                              .duration_ot = LOAD_OT,
	                              .traffic = &traffic};
}

static struct trial_result judged(const struct trial_request *request, const struct trial_counters *counters)
{
	struct pacing pacing;
	struct trial_result result;
	struct error error = {0};

	cr_assert_eq(pacing_of_request(request, LINK_BPS, &pacing, &error), 0, "%s", error.text);
	trial_judge(request, &pacing, LINK_BPS, counters, &result);
	return result;
}

Test(trial_rules, frames_of_rules_are_no_test_frames_and_cost_the_time_that_they_take)
{
	const struct trial_request request = line_rate();
	struct trial_counters counters = with_rule_frames(RULE_FRAMES, false);
	struct trial_result result;

	add_rule(0, 0, PERIOD_NS);
	result = judged(&request, &counters);
	cr_assert(result.valid, "%s", result.why_invalid);
	cr_expect_eq(result.offered_frames, TEST_FRAMES + 1000);
	cr_expect_eq(result.intended_frames, TEST_FRAMES + 1000);
	cr_expect_eq(result.lost_frames, 0);
	cr_expect_eq(result.port[0].management_queries, RULE_FRAMES);
	cr_expect_eq(result.port[1].management_queries, 0);
	/* The last one on the line may be one of them. */
	counters = with_rule_frames(RULE_FRAMES, true);
	cr_expect(judged(&request, &counters).valid, "%s", judged(&request, &counters).why_invalid);
	counters.port[0].tx_last_time--;
	cr_expect_not(judged(&request, &counters).valid);
}

Test(trial_rules, one_frame_of_a_rule_too_few_or_too_many_is_a_fault_of_the_tester)
{
	const struct trial_request request = line_rate();

	add_rule(0, 0, PERIOD_NS);
	for (uint64_t frames = 0; frames < 12; frames++) {
		const struct trial_counters counters = with_rule_frames(frames, false);
		struct trial_result result = judged(&request, &counters);

		cr_expect_eq(result.valid, frames == RULE_FRAMES, "%u: %s", (unsigned)frames, result.why_invalid);
		if (frames == RULE_FRAMES - 1 || frames == RULE_FRAMES + 1)
			cr_expect_not_null(strstr(result.why_invalid, "port 0: rule 0 sent "), "%s",
			                   result.why_invalid);
	}
}

Test(trial_rules, a_frame_of_a_rule_that_the_line_did_not_see_is_noticed)
{
	const struct trial_request request = line_rate();
	struct trial_counters counters = with_rule_frames(RULE_FRAMES - 1, false);

	add_rule(0, 0, PERIOD_NS);
	counters.rule_frames[0][0] = RULE_FRAMES;
	cr_expect_not(judged(&request, &counters).valid);
}

/* -- tags ---------------------------------------------------------------------------------------------------------- */

/* Place by place: the pacer tags the first place at the time or later, and it must be a test frame. */
static bool tags_a_test_frame(const struct trial_request *request, const struct pacing *pacing)
{
	const struct traffic_rule *rule = &traffic.port[0].rule[0];
	const uint64_t period_ot = rule->period_ns * 25 / 2;
	uint64_t start_ot = 0, due_ot = rule->first_ns * 25 / 2;

	while (start_ot < request->duration_ot) {
		const bool is_rule = start_ot >= due_ot;

		if (start_ot >= pacing->tag_after_ot)
			return !is_rule;
		due_ot += is_rule ? period_ot : 0;
		start_ot += (is_rule ? (uint64_t)RULE_OCTETS : 64) + 8 + pacing->gap_octets;
	}
	return false;
}

Test(trial_rules, whatever_the_time_of_the_tag_a_test_frame_is_tagged)
{
	unsigned moved = 0;

	add_rule(0, 0, 4000);
	for (uint64_t after_ot = 1; after_ot < 200000; after_ot += 8) {
		struct trial_request request = line_rate();
		struct pacing pacing;
		struct error error = {0};

		request.duration_ot = 300000;
		request.tag_after_ot = after_ot;
		cr_assert_eq(pacing_of_request(&request, LINK_BPS, &pacing, &error), 0);
		cr_assert(tags_a_test_frame(&request, &pacing), "%lu, %lu", (unsigned long)after_ot,
		          (unsigned long)pacing.tag_after_ot);
		cr_assert_geq(pacing.tag_after_ot, after_ot);
		cr_assert_leq(pacing.tag_after_ot, after_ot + 4000);
		moved += pacing.tag_after_ot != after_ot;
	}
	cr_expect_gt(moved, 0);
}
