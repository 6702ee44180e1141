/* SPDX-License-Identifier: Apache-2.0 */
/* Management queries and routing updates as rules of traffic, octet by octet those of host/traffic/protocols; and what
 * is said to the queries, which the agent of the simulated router answers. The agent shares no code with the library
 * that reads it.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "host/traffic/modifiers.h"
#include "host/traffic/protocols/rip.h"
#include "host/trial/device/management_watch.h"
#include "host/trial/judging/routing.h"
#include "host/trial/protocols.h"
#include "host/trial/traffic.h"
#include "sim/dut/router_agent.h"
#include "tests/c/traffic_walk.h"

static const struct device_identity DEVICE = {
        .name = "four", .ports = 4, .destinations = 256, .link_bps = UINT64_C(100000000000)};

static struct traffic traffic;
static struct traffic_shape shape;

static void set_up(void)
{
	shape = traffic_shape_plain(68);
	shape.routed = true;
}

static void tear_down(void)
{
	traffic_free(&traffic);
}

TestSuite(trial_protocols, .init = set_up, .fini = tear_down);

static void build_with(uint32_t modifiers)
{
	struct error error = {0};

	shape.modifiers = modifiers;
	cr_assert_eq(trial_traffic_of_shape(&shape, &DEVICE, &traffic, &error), 0, "%s", error.text);
	cr_assert_eq(trial_traffic_check(&traffic, &DEVICE, &error), 0, "%s", error.text);
}

static void expect_update(const struct traffic_port *port, unsigned number, enum rip_state state, uint64_t first_ns)
{
	const struct rip_sender sender = {.host = test_host(number, 0), .tci = NEIGHBOUR_NO_TAG};
	const struct traffic_rule *rule = &port->rule[state];
	const struct packet *packet = &port->flow[rule->flow].packet;
	struct rip_route routes[RIP_STATE_ROUTES];
	struct datagram_frame frame;

	rip_state_routes(number, state, routes);
	cr_assert(rip_update(&sender, routes, RIP_STATE_ROUTES, &frame));
	cr_expect_eq(rule->first_ns, first_ns);
	cr_expect_eq(rule->period_ns, 2 * shape.routing_interval_ns);
	cr_expect_eq(rule->frame_octets, frame.count + 4);
	cr_expect_eq(packet->header_octets, frame.count);
	cr_expect_arr_eq(packet->octets, frame.octets, frame.count);
}

Test(trial_protocols, updates_a_and_b_are_sent_in_turn_by_every_sending_port)
{
	shape.bidirectional = false;
	build_with(traffic_modifier_bit(TRAFFIC_ROUTING));
	for (unsigned number = 0; number < 4; number++) {
		const struct traffic_port *port = &traffic.port[number];

		cr_assert_eq(port->rules, number % 2 ? 0 : 2);
		if (!port->rules)
			continue;
		cr_expect_eq(shape.routing_interval_ns, UINT64_C(30000000000), "RFC 2544 C.2.3");
		expect_update(port, number, RIP_STATE_A, 0);
		expect_update(port, number, RIP_STATE_B, shape.routing_interval_ns);
	}
}

Test(trial_protocols, the_first_sending_port_asks_every_second_with_all_but_the_id_in_its_header)
{
	for (unsigned vlan = 0; vlan < 2; vlan++)
		for (unsigned longest = 0; longest < 2; longest++) {
			struct management_query query;
			const struct traffic_flow *flow;
			struct datagram_frame frame;
			unsigned id_at, port;

			shape.vlan = vlan ? 7 : TRAFFIC_NO_VLAN;
			shape.community = longest ? "12345678901234567890123456789012" : "public";
			build_with(traffic_modifier_bit(TRAFFIC_MANAGEMENT) | traffic_modifier_bit(TRAFFIC_ROUTING));
			cr_assert_eq(traffic.port[0].rules, 3, "updates go before the query");
			cr_expect_eq(traffic.port[0].rule[2].first_ns, 0);
			cr_expect_eq(traffic.port[0].rule[2].period_ns, 1000000000);
			cr_expect_eq(traffic.port[1].rules, 2);
			cr_assert(trial_protocols_query(&traffic, &shape, &port, &query));
			cr_expect_eq(port, 0);
			flow = &traffic.port[0].flow[traffic.port[0].rule[2].flow];
			cr_assert(management_query_frame(&query, &frame, &id_at));
			cr_expect_eq(flow->field[0].octet, id_at);
			cr_expect_eq(flow->field[0].start, query.request_id);
			cr_expect_eq(flow->field[0].step, 1);
			memset(frame.octets + id_at, 0, 4);
			cr_expect_eq(traffic.port[0].rule[2].frame_octets, frame.count + 4);
			cr_expect_eq(flow->packet.header_octets, frame.count);
			cr_expect_arr_eq(flow->packet.octets, frame.octets, frame.count);
			traffic_free(&traffic);
		}
}

Test(trial_protocols, without_modifiers_nothing_is_added)
{
	struct management_query query;
	unsigned port;

	build_with(0);
	for (unsigned i = 0; i < 4; i++)
		cr_expect(traffic.port[i].rules == 0 && traffic.port[i].flows == 1);
	cr_expect_not(trial_protocols_query(&traffic, &shape, &port, &query));
}

Test(trial_protocols, another_trial_has_other_request_ids)
{
	struct management_query one, other;
	unsigned port;

	build_with(traffic_modifier_bit(TRAFFIC_MANAGEMENT));
	trial_protocols_number(&traffic, 255);
	cr_assert(trial_protocols_query(&traffic, &shape, &port, &one));
	trial_protocols_number(&traffic, 254);
	cr_assert(trial_protocols_query(&traffic, &shape, &port, &other));
	cr_expect_eq(one.request_id - other.request_id, 1 << 16);
	cr_expect_leq(one.request_id + (1 << 24), MANAGEMENT_LAST_ID);
}

/* -- learned networks ---------------------------------------------------------------------------------------------- */

static const uint8_t *destination(unsigned port, unsigned flow)
{
	return traffic.port[port].flow[flow].packet.octets + 30;
}

Test(trial_protocols, with_routing_the_stream_goes_to_the_network_that_the_receiving_port_tells_of)
{
	shape.addresses = 3;
	build_with(traffic_modifier_bit(TRAFFIC_ROUTING));
	for (unsigned port = 0; port < 4; port++)
		for (unsigned flow = 0; flow < 3; flow++) {
			const uint8_t wanted[] = {198, port % 2 ? 18 : 19, (uint8_t)(65 + port / 2),
			                          (uint8_t)(2 + flow)};

			cr_expect_arr_eq(destination(port, flow), wanted, 4, "port %u", port);
		}
	traffic_free(&traffic);
	shape.addresses = 1;
	build_with(traffic_modifier_bit(TRAFFIC_ROUTING) | traffic_modifier_bit(TRAFFIC_FILTERS_1));
	cr_expect_eq(destination(0, 0)[2], 1, "which the filter permits");
}

Test(trial_protocols, a_trial_is_invalid_if_and_only_if_no_frame_arrived_at_a_port_where_some_must)
{
	const uint64_t expected[TRIAL_MAX_PORTS] = {0, 100, 0, 7};
	struct trial_request request = {.shape = shape};
	static struct trial_result judged;

	build_with(0);
	for (unsigned arrived = 0; arrived < 4; arrived++) {
		request.shape.modifiers = traffic_modifier_bit(TRAFFIC_ROUTING);
		judged = (struct trial_result){.valid = true, .ports = 4};
		judged.port[1].received_frames = arrived & 1;
		judged.port[3].received_frames = arrived >> 1;
		trial_judge_routing(&request, expected, &judged);
		cr_expect_eq(judged.valid, arrived == 3);
		cr_expect(arrived != 1 || strstr(judged.why_invalid,
		                                 "none of 7 frames arrived at port 3 that go to 198.19.66.0"),
		          "%s", judged.why_invalid);
		request.shape.modifiers = 0;
		judged.valid = true;
		trial_judge_routing(&request, expected, &judged);
		cr_expect(judged.valid, "loss like any other");
	}
}

/* -- answers ------------------------------------------------------------------------------------------------------- */

static struct management_watch watch;
static struct trial_result result;
static uint32_t first_id;

static void watch_begins(uint64_t queries)
{
	struct management_query query;
	unsigned port;

	build_with(traffic_modifier_bit(TRAFFIC_MANAGEMENT));
	trial_protocols_number(&traffic, 17);
	cr_assert(trial_protocols_query(&traffic, &shape, &port, &query));
	first_id = query.request_id;
	management_watch_begin(&watch, &traffic, &shape);
	cr_assert(watch.active);
	result = (struct trial_result){.valid = true, .ports = 4};
	result.port[0].management_queries = queries;
}

static const struct agent_counters *counters_of(const void *user, uint32_t interface)
{
	(void)user;
	static const struct agent_counters COUNTERS = {0xffffffff, 0x80000000, 127, 0};

	return interface <= 4 ? &COUNTERS : NULL;
}

/* The agent's answer to query `number`, with the community that it has. False: it gives none. */
static bool answer_to(uint32_t number, const char *community, struct datagram_frame *answer)
{
	static const struct agent_values VALUES = {.up_time = 0x7fff, .counters = counters_of};
	struct management_query query = watch.query;
	struct datagram_frame frame;
	uint8_t message[AGENT_MESSAGE_OCTETS];
	struct datagram datagram = {.from = {.port = MANAGEMENT_PORT, .address = query.to},
	                            .to = {.port = MANAGEMENT_OWN_PORT},
	                            .tci = query.tci,
	                            .hops = 64};
	unsigned id_at;
	uint32_t count;

	memcpy(datagram.to.mac, query.from.mac, 6);
	memcpy(datagram.to.address.ipv4, query.from.ipv4, 4);
	query.request_id = first_id + number;
	cr_assert(management_query_frame(&query, &frame, &id_at));
	count = agent_answer(frame.octets + frame.payload, frame.count - frame.payload, community, &VALUES, message);
	return count != 0 && datagram_build(&datagram, message, count, answer);
}

static void hear_answer(uint32_t number, const char *community)
{
	struct datagram_frame answer;

	if (!answer_to(number, community, &answer))
		return;
	management_watch_hear(&watch, 0, answer.octets, answer.count);
	management_watch_hear(&watch, 1, answer.octets, answer.count); /* nobody asked there */
}

static void expect_counts(uint64_t answers, uint64_t wrong, enum management_verdict why)
{
	management_watch_report(&watch, &result);
	cr_expect_eq(result.port[0].management_answers, answers);
	cr_expect_eq(result.port[0].management_wrong_frames, wrong);
	if (wrong)
		cr_expect_eq(result.port[0].management_verdict, why, "%s",
		             MANAGEMENT_VERDICT_TEXTS[result.port[0].management_verdict]);
}

Test(trial_protocols, answers_count_in_any_order_and_once)
{
	static const uint32_t ORDER[] = {0, 2, 1, 5, 4, 3, 70, 8, 7};

	for (unsigned version = 0; version < 2; version++) {
		shape.snmp_version = version;
		watch_begins(71);
		for (unsigned i = 0; i < sizeof(ORDER) / sizeof(ORDER[0]); i++)
			hear_answer(ORDER[i], "public");
		/* 70 - 64 = 6: that of 7 and 8 is known to be the first; from 6 back nobody knows. */
		expect_counts(9, 0, MANAGEMENT_ANSWERED);
		hear_answer(8, "public");
		hear_answer(6, "public");
		expect_counts(9, 2, MANAGEMENT_OTHER_REQUEST);
		cr_expect(result.valid);
		traffic_free(&traffic);
	}
}

/* Also those that need an octet more so as not to be negative. */
Test(trial_protocols, values_are_those_of_the_agent)
{
	static const uint32_t WANT[MANAGEMENT_VARIABLES] = {0x7fff, 0xffffffff, 0x80000000, 127, 0};
	static const uint8_t HIGHEST[] = {0x41, 5, 0, 0xff, 0xff, 0xff, 0xff}, LOWEST[] = {0x41, 1, 0};
	struct management_answer answer;
	struct datagram_frame frame;

	watch_begins(1);
	cr_assert(answer_to(0, "public", &frame));
	cr_assert_eq(management_read(&watch.query, 1, frame.octets, frame.count, &answer), MANAGEMENT_ANSWERED);
	for (unsigned i = 0; i < MANAGEMENT_VARIABLES; i++)
		cr_expect_eq(answer.values[i], WANT[i], "%s", MANAGEMENT_VARIABLE_NAMES[i]);
	cr_expect_not_null(memmem(frame.octets, frame.count, HIGHEST, sizeof(HIGHEST)), "X.690 section 8.3");
	cr_expect_not_null(memmem(frame.octets, frame.count, LOWEST, sizeof(LOWEST)));
}

Test(trial_protocols, what_the_agent_does_not_have_is_no_answer)
{
	shape.interface = 5;
	watch_begins(3);
	hear_answer(0, "public");
	expect_counts(0, 1, MANAGEMENT_NO_VALUE);
	traffic_free(&traffic);
	shape.snmp_version = TRAFFIC_SNMP_V1;
	watch_begins(3);
	hear_answer(0, "public");
	expect_counts(0, 1, MANAGEMENT_ERROR_STATUS);
}

Test(trial_protocols, another_community_gets_no_answer)
{
	watch_begins(3);
	hear_answer(0, "private");
	hear_answer(1, "publi");
	expect_counts(0, 0, MANAGEMENT_ANSWERED);
}

Test(trial_protocols, an_answer_to_an_earlier_trial_or_to_no_query_is_wrong)
{
	watch_begins(3);
	first_id -= 1 << 16;
	hear_answer(0, "public");
	expect_counts(0, 1, MANAGEMENT_OTHER_REQUEST);
	traffic_free(&traffic);
	watch_begins(3);
	hear_answer(0, "public");
	hear_answer(3, "public");
	expect_counts(1, 1, MANAGEMENT_OTHER_REQUEST);
}

Test(trial_protocols, answers_that_may_be_among_frames_without_room_make_a_trial_invalid)
{
	watch_begins(2);
	hear_answer(0, "public");
	result.port[0].foreign_unread_frames = 1;
	expect_counts(1, 0, MANAGEMENT_ANSWERED);
	cr_expect_not(result.valid);
	cr_expect_not_null(strstr(result.why_invalid, "whether 1 of 2 management queries were answered"), "%s",
	                   result.why_invalid);
	result.valid = true;
	hear_answer(1, "public");
	expect_counts(2, 0, MANAGEMENT_ANSWERED);
	cr_expect(result.valid);
}
