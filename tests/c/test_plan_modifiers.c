/* SPDX-License-Identifier: Apache-2.0 */
/* The keys `modifiers` and `each_alone` of a test. */
#include <string.h>

#include "host/bench/benchmark.h"
#include "tests/c/plan_files.h"

TestSuite(plan_modifiers, .init = enter_plan_directory, .fini = leave_plan_directory);

static const uint32_t BROADCAST = UINT32_C(1) << TRAFFIC_BROADCAST, RANDOM = UINT32_C(1) << TRAFFIC_RANDOM_DESTINATIONS;

#define D "device = { backend = \"sim\"; };\n"
#define T(settings) D "run = ({ test = \"throughput\";\n" settings " });"
#define CHOICES                                                                                                        \
	"\"broadcast\" or \"random_destinations\" or \"management\" or \"routing\" or \"filters_1\" or \"filters_25\""
#define BOTH "modifiers = [\"random_destinations\", \"broadcast\"];"

static struct plan *read_text(const char *text)
{
	struct plan *plan = NULL;
	struct error error = {0};

	write_octets("lab.cfg", text, strlen(text));
	cr_assert_eq(plan_read("lab.cfg", &BENCHMARK_KEYS, NULL, 0, &plan, &error), 0, "%s", error.text);
	return plan;
}

Test(plan_modifiers, all_of_a_list_are_together_in_one_run)
{
	struct plan *plan = read_text(T(BOTH));

	cr_expect_eq(plan_runs(&plan->tests[0]), 1);
	cr_expect_eq(plan_modifiers(&plan->tests[0], 0), BROADCAST | RANDOM);
	plan_free(plan);
	plan = read_text(T("modifiers = [\"broadcast\"];"));
	cr_expect_eq(plan_modifiers(&plan->tests[0], 0), BROADCAST);
	plan_free(plan);
	plan = read_text(T(""));
	cr_expect_eq(plan_runs(&plan->tests[0]), 1);
	cr_expect_eq(plan_modifiers(&plan->tests[0], 0), 0);
	plan_free(plan);
}

/* RFC 2544 section 11: "first run without any modifying conditions and then repeated under each". */
Test(plan_modifiers, each_alone_is_first_without_and_then_each)
{
	struct plan *plan = read_text(T(BOTH " each_alone = true;"));

	cr_assert_eq(plan_runs(&plan->tests[0]), 3);
	cr_expect_eq(plan_modifiers(&plan->tests[0], 0), 0);
	cr_expect_eq(plan_modifiers(&plan->tests[0], 1), BROADCAST);
	cr_expect_eq(plan_modifiers(&plan->tests[0], 2), RANDOM);
	plan_free(plan);
}

Test(plan_modifiers, wrong_ones_are_refused_with_what_there_is)
{
	static const struct {
		const char *text, *complaint;
	} WRONG[] = {
	        {T("modifiers = [\"broadcast\", \"filters\"];"),
	         "lab.cfg:3: modifiers[1] = \"filters\": must be " CHOICES},
	        {T("modifiers = [\"management\"];"),
	         "lab.cfg:3: modifiers = [...]: modifier management: traffic.routed must be true: the device under "
	         "test is addressed at x.x.x.1 in the network of its port (RFC 2544 C.2.2.1)"},
	        {T("modifiers = [\"routing\"]; traffic = { routed = true; frame = \"ipv6_udp\"; };"),
	         "lab.cfg:3: modifiers = [...]: modifier routing: traffic.frame must be \"ipv4_udp\": the frames of "
	         "RFC "
	         "2544 appendix C are of IPv4, not \"ipv6_udp\""},
	        {T("modifiers = [\"management\"]; traffic = { routed = true; community = "
	           "\"123456789012345678901234567890123\"; };"),
	         "lab.cfg:3: modifiers = [...]: traffic.community of 33 octets: must be 1 to 32"},
	        {T("modifiers = [\"broadcast\", \"broadcast\"];"),
	         "lab.cfg:3: modifiers[1] = \"broadcast\": must appear only once"},
	        {T("modifiers = [1];"), "lab.cfg:3: modifiers[0] = 1: must be " CHOICES},
	        {T("modifiers = \"broadcast\";"), "lab.cfg:3: modifiers = \"broadcast\": must be a list of " CHOICES},
	        {T("each_alone = true;"), "lab.cfg:3: each_alone = true: needs modifiers, which it takes one by one"},
	        {T("modifiers = [\"random_destinations\"]; traffic = { addresses = 2; };"),
	         "lab.cfg:3: modifiers = [...]: random_destinations needs traffic.addresses = 1, not 2: it draws from "
	         "256 destinations (RFC 2544 section 12)"},
	        {D "run = ({ test = \"back_to_back\";\n modifiers = [\"broadcast\"]; });",
	         "lab.cfg:3: modifiers = [...]: broadcast cannot be used with test = \"back_to_back\": the burst that "
	         "a device holds is counted in test frames that are not lost (RFC 9004 section 6.2), and frames of "
	         "these modifiers would take room in it uncounted"},
	        {D "run = ({ test = \"system_recovery\";\n modifiers = [\"random_destinations\", \"broadcast\"]; });",
	         "lab.cfg:3: modifiers = [...]: broadcast cannot be used with test = \"system_recovery\": the loss of "
	         "a broadcast shows only when the next one comes, 100 frames later, which may be taken for the last "
	         "loss (RFC 2544 section 26.5); management queries and routing updates would shift the frame at which "
	         "the load changes"},
	        {D "run = ({ test = \"reset\";\n modifiers = [\"routing\"]; traffic = { routed = true; }; });",
	         "lab.cfg:3: modifiers = [...]: routing cannot be used with test = \"reset\": a device that resets "
	         "answers no query and forgets its routes, and the time without frames is to be that of the test "
	         "frames (RFC 2544 section 26.6)"},
	        {"device = { backend = \"exec\"; command = [\"x\"]; }; link = { speed = \"1G\"; };\n"
	         "run = ({ test = \"throughput\"; modifiers = [\"random_destinations\"]; });",
	         "lab.cfg:2: modifiers = [...]: cannot be used with backend = \"exec\": an external program is not "
	         "asked for them, and cannot say what became of their frames"},
	        {D "run = ({ test = \"throughput\"; },\n{ test = \"latency\";\n modifiers = [\"broadcast\"]; });",
	         "lab.cfg:4: modifiers: must have an earlier throughput test with the same modifiers (broadcast); that "
	         "of line 2 has others (RFC 2544 section 26.2)"},
	        {D "run = ({ test = \"throughput\"; modifiers = [\"broadcast\"]; },\n{ test = \"latency\"; });",
	         "lab.cfg:3: modifiers: must have an earlier throughput test with the same modifiers (none); that of "
	         "line 2 has others (RFC 2544 section 26.2)"},
	};

	for (size_t i = 0; i < sizeof(WRONG) / sizeof(WRONG[0]); i++) {
		struct plan *plan = NULL;
		struct error error = {0};

		write_octets("lab.cfg", WRONG[i].text, strlen(WRONG[i].text));
		cr_expect_eq(plan_read("lab.cfg", &BENCHMARK_KEYS, NULL, 0, &plan, &error), ERROR_PLAN);
		cr_expect_str_eq(error.text, WRONG[i].complaint, "\n  got:      %s\n  expected: %s", error.text,
		                 WRONG[i].complaint);
	}
}

Test(plan_modifiers, a_test_may_depend_on_several_that_have_its_modifiers_together)
{
	plan_free(read_text(
	        D "run = ({ test = \"throughput\"; }, { test = \"throughput\"; modifiers = [\"broadcast\"]; },\n"
	          "{ test = \"latency\"; modifiers = [\"broadcast\"]; each_alone = true; });"));
	plan_free(read_text(
	        D "run = ({ test = \"throughput\"; " BOTH " each_alone = true; },\n"
	          "{ test = \"latency\"; modifiers = [\"random_destinations\"]; },\n"
	          "{ test = \"back_to_back\"; modifiers = [\"random_destinations\"]; each_alone = true; });"));
}
