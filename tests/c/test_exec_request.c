/* SPDX-License-Identifier: Apache-2.0 */
/* The line that asks an external program for a trial. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "host/trial/exec/tester.h"
#include "tests/c/plan_files.h"

TestSuite(exec_request, .init = enter_plan_directory, .fini = leave_plan_directory);

/* The program keeps the line it gets, and ends without an answer. */
static void expect_line(const struct trial_request *request, const char *expected)
{
	static const char *const COMMAND[] = {"sh", "-c", "head -n 1 > request", NULL};
	const struct exec_tester_config config = {.command = COMMAND, .link_bps = 100000000000, .senders = 2};
	static struct trial_result result;
	struct error error = {0};
	struct tester *tester = NULL;
	char line[1000] = "";
	FILE *file;

	signal(SIGPIPE, SIG_IGN);
	cr_assert_eq(exec_tester_open(&config, NULL, &tester, &error), 0, "%s", error.text);
	cr_expect_eq(tester_run(tester, request, &result, &error), ERROR_DEVICE);
	tester_close(tester);
	file = fopen("request", "r");
	cr_assert_not_null(file);
	cr_expect_not_null(fgets(line, sizeof(line), file));
	fclose(file);
	cr_expect_str_eq(line, expected, "\n  got:      %s  expected: %s", line, expected);
}

#define REST "\"gap_octets\":12,\"link_bps\":100000000000,\"drain_s\":0.5,\"settle_s\":0.25}\n"

static struct trial_request burst(const struct traffic_shape *shape)
{
	return (struct trial_request){.kind = TRIAL_BURST,
	                              .shape = *shape,
	                              .gap_octets = 12,
	                              .burst_frames = 5,
	                              .drain_ot = 6250000000,
	                              .settle_ot = 3125000000};
}

Test(exec_request, plain_traffic_has_the_keys_that_it_always_had)
{
	const struct traffic_shape shape = traffic_shape_plain(64);
	struct trial_request request = burst(&shape);

	request.shape.addresses = 7;
	expect_line(&request,
	            "{\"trial\":1,\"frame_octets\":64,\"burst_frames\":5,\"direction\":\"bidirectional\",\"senders\":2,"
	            "\"destinations\":7," REST);
}

Test(exec_request, traffic_that_is_not_plain_has_a_key_for_whatever_is_not)
{
	struct traffic_shape shape = {.pattern = TRAFFIC_ONE_TO_MANY,
	                              .frame = TRAFFIC_IPV6_UDP,
	                              .routed = true,
	                              .vlan = 0,
	                              .addresses = 1,
	                              .sizes = {3, {64, 570, 64}},
	                              .seed = 4294967295};
	struct trial_request request = burst(&shape);

	expect_line(&request, "{\"trial\":1,\"frame_octets\":null,\"burst_frames\":5,\"direction\":\"unidirectional\","
	                      "\"senders\":2,\"destinations\":1,\"pattern\":\"one_to_many\",\"frame\":\"ipv6_udp\","
	                      "\"routed\":true,\"vlan\":0,"
	                      "\"seed\":4294967295,\"sizes\":[64,570,64]," REST);
	shape = traffic_shape_plain(128);
	shape.vlan = 4094;
	request = burst(&shape);
	expect_line(
	        &request,
	        "{\"trial\":1,\"frame_octets\":128,\"burst_frames\":5,\"direction\":\"bidirectional\",\"senders\":2,"
	        "\"destinations\":1,\"vlan\":4094," REST);
}

Test(exec_request, several_bursts_have_their_number_and_the_gap_between_them)
{
	const struct traffic_shape shape = traffic_shape_plain(64);
	struct trial_request request = burst(&shape);

	request.bursts = 3;
	request.burst_gap_octets = 8412;
	expect_line(&request,
	            "{\"trial\":1,\"frame_octets\":64,\"burst_frames\":5,\"bursts\":3,\"burst_gap_octets\":8412,"
	            "\"direction\":\"bidirectional\",\"senders\":2,\"destinations\":1," REST);
}
