/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what a result says of each port, against frames counted by hand. */
#include <criterion/criterion.h>
#include <math.h>

#include "host/bench/result.h"

/* An octet time is a nanosecond at 8 Gb/s. */
static struct tester tester = {.info = {.link_bps = UINT64_C(8000000000)}};
static struct bench_context context = {.tester = &tester};
static struct plan_test test;
static const struct session SESSION = {.context = &context, .test = &test, .frame_octets = 64};

/* A session with the traffic of the test. */
static struct session session_of_test(uint32_t frame_octets)
{
	struct session session = SESSION;

	session.shape = test.shape;
	session.frame_octets = session.shape.frame_octets = frame_octets;
	return session;
}

static json_t *ports_of(const struct trial_result *trial)
{
	const struct session session = session_of_test(64);
	static json_t *result;

	json_decref(result);
	result = json_object();
	result_ports(result, &session, trial);
	return json_object_get(result, "ports");
}

static double number(const json_t *ports, size_t port, const char *key)
{
	const json_t *value = json_object_get(json_array_get(ports, port), key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* Three frames of port 0 go to 1, 2 and 3, the fourth to 1 again; the others send three each. */
static struct trial_result mesh_of_four(void)
{
	struct trial_result trial = {.ports = 4};

	for (unsigned i = 0; i < 4; i++)
		trial.port[i] = (struct trial_port){.sent = true, .offered_frames = 3, .received_frames = 3};
	trial.port[0].offered_frames = 4;
	trial.port[1].received_frames = 5; /* one of them twice, one too late */
	trial.port[1].duplicated_frames = trial.port[1].late_frames = 1;
	trial.port[2].received_frames = 1;
	trial.port[2].wrong_port_frames = 2;
	trial.port[3].latency = (struct latency_stats){.frames = 3, .min_ot = 10, .max_ot = 20, .mean_ot = 14.5};
	test.shape = traffic_shape_plain(0);
	test.shape.pattern = TRAFFIC_MESH;
	return trial;
}

Test(result_ports, lost_is_what_had_to_arrive_at_the_port_and_did_not)
{
	static const double EXPECTED[4][4] = {{4, 3, 0, 0}, {3, 3, 1, 0}, {3, 1, 2, 2}, {3, 3, 0, 0}};
	static const char *const KEYS[] = {"offered_frames", "received_frames", "lost_frames", "wrong_port_frames"};
	struct trial_result trial = mesh_of_four();
	const json_t *ports = ports_of(&trial);

	cr_assert_eq(json_array_size(ports), 4);
	for (size_t port = 0; port < 4; port++) {
		cr_expect_eq(number(ports, port, "port"), (double)port);
		for (size_t i = 0; i < 4; i++)
			cr_expect_eq(number(ports, port, KEYS[i]), EXPECTED[port][i], "port %zu: %s is %g", port,
			             KEYS[i], number(ports, port, KEYS[i]));
	}
}

Test(result_ports, latency_is_that_of_the_port_or_not_known)
{
	struct trial_result trial = mesh_of_four();
	const json_t *ports = ports_of(&trial);

	cr_expect_float_eq(number(ports, 3, "latency_min_ns"), 10, 1e-9);
	cr_expect_float_eq(number(ports, 3, "latency_mean_ns"), 14.5, 1e-9);
	cr_expect_float_eq(number(ports, 3, "latency_max_ns"), 20, 1e-9);
	cr_expect(json_is_null(json_object_get(json_array_get(ports, 0), "latency_mean_ns")));
}

Test(result_ports, what_is_not_known_is_null_and_a_program_has_no_ports)
{
	struct trial_result trial = mesh_of_four();

	trial.port[0].wrong_port_frames = COUNT_UNKNOWN;
	test.shape.pattern = TRAFFIC_UNIDIRECTIONAL_MESH;
	test.shape.bidirectional = false;
	trial.ports = 3; /* it cannot be had with three */
	cr_expect(json_is_null(json_object_get(json_array_get(ports_of(&trial), 0), "lost_frames")));
	cr_expect(json_is_null(json_object_get(json_array_get(ports_of(&trial), 0), "wrong_port_frames")));
	trial.ports = 1;
	cr_expect(json_is_array(ports_of(&trial)));
	cr_expect_eq(json_array_size(ports_of(&trial)), 0);
	cr_expect_eq(json_array_size(ports_of(NULL)), 0);
}

/* A mix has as many hosts as only fields that vary can be: what arrives where is the same. */
Test(result_ports, any_traffic_that_was_sent_is_counted)
{
	struct trial_result trial = mesh_of_four();
	struct session session;
	json_t *result = json_object();

	test.shape.addresses = 1024;
	test.shape.frame = TRAFFIC_IPV6_UDP;
	test.shape.vlan = 5;
	test.shape.sizes = (struct traffic_sizes){2, {100, 570}};
	session = session_of_test(0);
	result_ports(result, &session, &trial);
	cr_expect_eq(number(json_object_get(result, "ports"), 1, "lost_frames"), 1);
	cr_expect_eq(number(json_object_get(result, "ports"), 2, "lost_frames"), 2);
	json_decref(result);
}

/* A port sends 300 frames, 3 of which are broadcasts, which go to three ports. */
Test(result_ports, broadcasts_of_a_modifier_are_counted_apart)
{
	struct trial_result trial = {.ports = 4};
	struct session session;
	json_t *result = json_object(), *ports;
	struct counter_sums sums = {0};

	for (unsigned i = 0; i < 4; i++)
		trial.port[i] = (struct trial_port){.sent = true,
		                                    .offered_frames = 297,
		                                    .received_frames = 297 - i,
		                                    .broadcast_offered_frames = 3,
		                                    .broadcast_expected_frames = 9,
		                                    .broadcast_received_frames = 9 - 2 * i};
	test.shape = traffic_shape_plain(0);
	test.shape.pattern = TRAFFIC_MESH;
	test.shape.modifiers = traffic_modifier_bit(TRAFFIC_BROADCAST);
	session = session_of_test(64);
	result_ports(result, &session, &trial);
	ports = json_object_get(result, "ports");
	for (size_t i = 0; i < 4; i++) {
		cr_expect_eq(number(ports, i, "offered_frames"), 297);
		cr_expect_eq(number(ports, i, "lost_frames"), (double)i);
	}
	counters_add(&sums, &trial);
	result_counters(result, "counters", &sums);
	ports = json_object_get(result, "counters");
	cr_expect_eq(json_integer_value(json_object_get(ports, "broadcast_offered_frames")), 12);
	cr_expect_eq(json_integer_value(json_object_get(ports, "broadcast_expected_frames")), 36);
	cr_expect_eq(json_integer_value(json_object_get(ports, "broadcast_received_frames")), 36 - 12);
	cr_expect_eq(json_integer_value(json_object_get(ports, "broadcast_lost_frames")), 12);
	json_decref(result);
}

static const json_t *flow_of(const json_t *result, const char *list, size_t number)
{
	return json_array_get(json_object_get(result, list), number);
}

static struct trial_result one_flow(void)
{
	struct trial_result trial = mesh_of_four();

	trial.flow_count = trial.flows = 1;
	trial.flow[0] = (struct trial_flow){.port = 3,
	                                    .flow = 7,
	                                    .arrives = 1 << 0 | 1 << 2,
	                                    .offered_frames = 10,
	                                    .received_frames = 11,
	                                    .lost_frames = 9,
	                                    .duplicated_frames = 4,
	                                    .reordered_frames = 5,
	                                    .late_frames = 6,
	                                    .wrong_port_frames = 8,
	                                    .latency = {.frames = 11, .min_ot = 10, .max_ot = 20, .mean_ot = 14.5}};
	return trial;
}

Test(result_ports, a_flow_says_where_from_where_to_and_what_became_of_it)
{
	struct trial_result trial = one_flow();
	json_t *result = json_object(), *want;

	want = json_pack("{s:i,s:i,s:[i,i],s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:f,s:f,s:f}", "source_port", 3, "flow", 7,
	                 "destination_ports", 0, 2, "offered_frames", 10, "received_frames", 11, "lost_frames", 9,
	                 "duplicated_frames", 4, "reordered_frames", 5, "late_frames", 6, "wrong_port_frames", 8,
	                 "latency_min_ns", 10.0, "latency_mean_ns", 14.5, "latency_max_ns", 20.0);
	result_ports(result, &SESSION, &trial);
	result_upper_ports(result, &SESSION, &trial);
	cr_expect_eq(json_integer_value(json_object_get(result, "flow_count")), 1);
	for (const char *const *key =
	             (const char *const[]){"source_port", "flow", "destination_ports", "offered_frames",
	                                   "received_frames", "lost_frames", "duplicated_frames", "reordered_frames",
	                                   "late_frames", "wrong_port_frames", NULL};
	     *key; key++)
		cr_expect(json_equal(json_object_get(flow_of(result, "flows", 0), *key), json_object_get(want, *key)),
		          "%s", *key);
	cr_expect_eq(json_object_size(flow_of(result, "flows", 0)), json_object_size(want));
	cr_expect_float_eq(result_get(flow_of(result, "flows", 0), "latency_mean_ns"), 14.5, 1e-9);
	cr_expect(json_equal(flow_of(result, "upper_flows", 0), flow_of(result, "flows", 0)));
	cr_expect_eq(json_array_size(json_object_get(result, "upper_ports")), 4);
	json_decref(want);
	json_decref(result);
}

Test(result_ports, that_there_are_more_flows_than_rows_is_said)
{
	struct trial_result trial = one_flow();
	json_t *result = json_pack("{s:[]}", "flags");

	result_ports(result, &SESSION, &trial);
	cr_expect_eq(json_array_size(json_object_get(result, "flags")), 0);
	trial.flow_count = 300;
	result_ports(result, &SESSION, &trial);
	cr_expect_str_eq(json_string_value(json_array_get(json_object_get(result, "flags"), 0)),
	                 "of 300 flows, the 1 that lost most are listed");
	cr_expect_eq(json_integer_value(json_object_get(result, "flow_count")), 300);
	json_decref(result);
}

Test(result_ports, a_program_has_no_flows)
{
	struct trial_result trial = {.ports = 1, .flow_count = COUNT_UNKNOWN};
	json_t *result = json_object();

	result_ports(result, &SESSION, &trial);
	cr_expect(json_is_null(json_object_get(result, "flow_count")));
	cr_expect(json_is_array(json_object_get(result, "flows")));
	cr_expect_eq(json_array_size(json_object_get(result, "flows")), 0);
	json_decref(result);
}
