/* SPDX-License-Identifier: Apache-2.0 */
/* The traffic that a plan gives its tests: at the top, in a test, both merged key by key. */
#include <string.h>

#include "host/bench/bench.h"
#include "host/bench/benchmark.h"
#include "host/traffic/sizes.h"
#include "tests/c/plan_files.h"

TestSuite(plan_traffic, .init = enter_plan_directory, .fini = leave_plan_directory);

#define SIM "device = { backend = \"sim\"; };\n"
#define EXEC "device = { backend = \"exec\"; command = [\"x\"]; };\nlink = { speed = \"100G\"; };\n"

static struct plan *read_text(const char *text)
{
	struct plan *plan = NULL;
	struct error error = {0};

	write_octets("lab.cfg", text, strlen(text));
	cr_assert_eq(plan_read("lab.cfg", &BENCHMARK_KEYS, NULL, 0, &plan, &error), 0, "%s\n%s", text, error.text);
	return plan;
}

static void expect_shape(const struct plan_test *test, const struct traffic_shape *expected, const char *what)
{
	cr_expect(traffic_shape_equal(&test->shape, expected), "%s", what);
}

Test(plan_traffic, a_plan_that_says_nothing_has_plain_traffic_and_its_frame_sizes)
{
	struct plan *plan = read_text(SIM "run = ({ test = \"throughput\"; }, { test = \"back_to_back\"; }, "
	                                  "{ test = \"mlrsearch\"; });");
	const struct traffic_shape plain = traffic_shape_plain(0);

	for (size_t i = 0; i < 3; i++) {
		expect_shape(&plan->tests[i], &plain, plan_test_name(&plan->tests[i]));
		cr_expect_eq(plan->tests[i].frame_size_count, 7);
	}
	plan_free(plan);
}

Test(plan_traffic, every_key_is_taken_from_the_top_and_from_a_test)
{
	static const char KEYS[] =
	        "traffic = { pattern = \"one_to_many\"; routed = true; addresses = 0x100; frame = \"ipv6_udp\"; vlan = "
	        "0; seed = 2147483647; sizes = [64, 570, 64]; };";
	struct traffic_shape expected = {.pattern = TRAFFIC_ONE_TO_MANY,
	                                 .bidirectional = true,
	                                 .routed = true,
	                                 .frame = TRAFFIC_IPV6_UDP,
	                                 .vlan = 0,
	                                 .addresses = 256,
	                                 .sizes = {3, {64, 570, 64}},
	                                 .seed = 2147483647};

	for (unsigned in_test = 0; in_test < 2; in_test++) {
		char text[600];
		struct plan *plan;

		snprintf(text, sizeof(text),
		         SIM "%s run = ({ test = \"throughput\"; %s }, { test = \"mlrsearch\"; %s });",
		         in_test ? "" : KEYS, in_test ? KEYS : "", in_test ? KEYS : "");
		plan = read_text(text);
		for (size_t i = 0; i < 2; i++) {
			expect_shape(&plan->tests[i], &expected, text);
			cr_expect_eq(plan->tests[i].frame_size_count, 1, "a mix is one run");
			cr_expect_eq(plan->tests[i].frame_sizes[0], 0, "of no single length");
		}
		plan_free(plan);
	}
}

Test(plan_traffic, every_pattern_and_frame_has_its_name)
{
	for (unsigned i = 0; TRAFFIC_PATTERN_NAMES[i]; i++) {
		char text[300];
		struct plan *plan;

		snprintf(text, sizeof(text),
		         SIM "run = ({ test = \"throughput\"; traffic = { pattern = \"%s\"; frame = \"%s\"; }; });",
		         TRAFFIC_PATTERN_NAMES[i], TRAFFIC_FRAME_NAMES[i + 3]);
		plan = read_text(text);
		cr_expect_eq(plan->tests[0].shape.pattern, i);
		cr_expect_eq(plan->tests[0].shape.frame, i + 3);
		cr_expect_eq(plan->tests[0].shape.bidirectional, i != TRAFFIC_UNIDIRECTIONAL_MESH, "%s", text);
		plan_free(plan);
	}
}

Test(plan_traffic, the_keys_of_a_test_replace_those_at_the_top_one_by_one)
{
	struct plan *plan =
	        read_text(SIM "traffic = { pattern = \"mesh\"; addresses = 4; vlan = 100; seed = 5; };\n"
	                      "run = ({ test = \"throughput\"; },\n"
	                      " { test = \"throughput\"; traffic = { addresses = 8; vlan = 200; }; },\n"
	                      " { test = \"throughput\"; traffic = { pattern = \"snake\"; sizes = \"imix\"; }; },\n"
	                      " { test = \"throughput\"; traffic = { }; });");
	struct traffic_shape top = {.pattern = TRAFFIC_MESH,
	                            .bidirectional = true,
	                            .vlan = 100,
	                            .addresses = 4,
	                            .seed = 5},
	                     expected = top;

	expect_shape(&plan->tests[0], &top, "the top");
	expect_shape(&plan->tests[3], &top, "an empty group");
	expected.addresses = 8;
	expected.vlan = 200;
	expect_shape(&plan->tests[1], &expected, "two keys");
	expected = top;
	expected.pattern = TRAFFIC_SNAKE;
	cr_assert_eq(plan->tests[2].shape.sizes.count, 12);
	expected.sizes = plan->tests[2].shape.sizes;
	expect_shape(&plan->tests[2], &expected, "two others");
	plan_free(plan);
}

Test(plan_traffic, a_mix_at_the_top_is_replaced_as_a_whole)
{
	struct plan *plan =
	        read_text(SIM "traffic = { sizes = \"imix\"; };\nrun = ({ test = \"throughput\"; traffic = { "
	                      "sizes = \"genome:aabbz\"; }; }, { test = \"throughput\"; });");
	char text[TRAFFIC_SIZES_TEXT];

	cr_expect_str_eq(traffic_sizes_text(&plan->tests[0].shape.sizes, text, sizeof(text)), "genome:aabbg");
	cr_expect_str_eq(traffic_sizes_text(&plan->tests[1].shape.sizes, text, sizeof(text)), "imix");
	plan_free(plan);
}

Test(plan_traffic, a_test_says_its_direction_beside_its_traffic)
{
	struct plan *plan =
	        read_text(SIM "traffic = { vlan = 7; };\nrun = ({ test = \"throughput\"; traffic = { addresses = 256; "
	                      "}; direction = \"unidirectional\"; });");

	cr_expect_eq(plan->tests[0].shape.addresses, 256);
	cr_expect_not(plan->tests[0].shape.bidirectional);
	cr_expect_eq(plan->tests[0].shape.vlan, 7);
	plan_free(plan);
}

Test(plan_traffic, settings_are_changed_from_outside)
{
	static const char *const OVERRIDES[] = {"run[0].traffic.sizes=[64, 65]", "run[0].traffic.vlan=5",
	                                        "run[0].traffic.pattern=mesh"};
	const char *text = SIM "run = ({ test = \"throughput\"; traffic = { vlan = 4; }; });";
	struct plan *plan = NULL;
	struct error error = {0};

	write_octets("lab.cfg", text, strlen(text));
	cr_assert_eq(plan_read("lab.cfg", &BENCHMARK_KEYS, OVERRIDES, 3, &plan, &error), 0, "%s", error.text);
	cr_expect_eq(plan->tests[0].shape.vlan, 5);
	cr_expect_eq(plan->tests[0].shape.pattern, TRAFFIC_MESH);
	cr_expect_eq(plan->tests[0].shape.sizes.count, 2);
	cr_expect_eq(plan->tests[0].shape.sizes.octets[1], 65);
	plan_free(plan);
}

Test(plan_traffic, one_sender_sends_one_way_unless_the_plan_says_otherwise)
{
	static const char *const PATTERNS[] = {"pairs", "one_to_many", "unidirectional_mesh", "snake"};

	for (size_t i = 0; i < 4; i++) {
		char text[300];
		struct plan *plan;

		snprintf(text, sizeof(text),
		         EXEC "run = ({ test = \"throughput\"; traffic = { pattern = \"%s\"; }; });", PATTERNS[i]);
		plan = read_text(text);
		cr_expect_not(plan->tests[0].shape.bidirectional, "%s", PATTERNS[i]);
		plan_free(plan);
	}
}

#define LONGEST "64,64,64,64,64,64,64,64,64,64,64,64,64,64,64,64"
#define IN(settings) SIM "run = ({ test = \"throughput\";\ntraffic = { " settings " }; });"
#define OF(settings) SIM "run = ({ test = \"throughput\"; " settings " });"
#define FORMS "must be \"imix\", \"genome:\" and 1 to 64 letters (RFC 6985 section 4), or a list of 1 to 64 lengths"
#define LENGTH ": must be 64 to 9216 (octets, FCS included)"
#define PATTERNS                                                                                                       \
	"must be \"pairs\" or \"one_to_many\" or \"many_to_one\" or \"mesh\" or \"unidirectional_mesh\" or \"snake\""

struct wrong {
	const char *text, *complaint;
};

static const struct wrong VALUES[] = {
        {SIM "traffic = 5;\nrun = ({ test = \"throughput\"; });", "lab.cfg:2: traffic = 5: must be a group, { ... }"},
        {OF("traffic = \"imix\";"), "lab.cfg:2: traffic = \"imix\": must be a group, { ... }"},
        {SIM "traffic = { vlan = 4095; };\nrun = ({ test = \"throughput\"; });",
         "lab.cfg:2: traffic.vlan = 4095: must be a whole number, 0 to 4094"},
        {IN("vlan = -1;"), "lab.cfg:3: traffic.vlan = -1: must be a whole number, 0 to 4094"},
        {IN("vlan = \"5\";"), "lab.cfg:3: traffic.vlan = \"5\": must be a whole number, 0 to 4094"},
        {IN("addresses = 0;"), "lab.cfg:3: traffic.addresses = 0: must be a whole number, 1 to 65536 addresses"},
        {IN("addresses = 65537;"),
         "lab.cfg:3: traffic.addresses = 65537: must be a whole number, 1 to 65536 addresses"},
        {IN("addresses = 1.5;"), "lab.cfg:3: traffic.addresses = 1.5: must be a whole number, 1 to 65536 addresses"},
        {IN("seed = 0;"), "lab.cfg:3: traffic.seed = 0: must be a whole number, 1 to 2147483647"},
        {IN("pattern = \"ring\";"), "lab.cfg:3: traffic.pattern = \"ring\": " PATTERNS},
        {IN("pattern = 1;"), "lab.cfg:3: traffic.pattern = 1: " PATTERNS},
        {IN("frame = \"ipv4\";"),
         "lab.cfg:3: traffic.frame = \"ipv4\": must be \"ipv4_udp\" or \"ipv6_udp\" or \"ethernet\" or "
         "\"ipv6_hop_by_hop\" or \"ipv6_destination_options\" or \"ipv6_routing\" or \"ipv6_fragment\" or "
         "\"ipv6_authentication\" or \"ipv6_chain\""},
        {IN("patern = \"mesh\";"), "lab.cfg:3: traffic.patern = \"mesh\": unknown key; did you mean \"pattern\"?"},
        {IN("direction = \"bidirectional\";"),
         "lab.cfg:3: traffic.direction = \"bidirectional\": unknown key; `fpgauge help plan` lists all"},
        {IN("sizes = 64;"), "lab.cfg:3: traffic.sizes = 64: " FORMS},
        {IN("sizes = { };"), "lab.cfg:3: traffic.sizes = {...}: " FORMS},
        {IN("sizes = [];"), "lab.cfg:3: traffic.sizes = []: " FORMS},
        {IN("sizes = \"Imix\";"), "lab.cfg:3: traffic.sizes = \"Imix\": " FORMS},
        {IN("sizes = \"genome:aB\";"),
         "lab.cfg:3: traffic.sizes = \"genome:aB\": letter 2, B: must be a to i or z; write a "
         "custom IMIX (RFC 6985 section 5) as a list of lengths"},
        {IN("sizes = \"genome:j\";"), "lab.cfg:3: traffic.sizes = \"genome:j\": letter 1, j for 16000 octets" LENGTH},
        {IN("sizes = [64,\n63];"), "lab.cfg:4: traffic.sizes[1] = 63" LENGTH},
        {IN("sizes = [9217];"), "lab.cfg:3: traffic.sizes[0] = 9217" LENGTH},
        {IN("sizes = [-64];"), "lab.cfg:3: traffic.sizes[0] = -64" LENGTH},
        {IN("sizes = [64.5];"), "lab.cfg:3: traffic.sizes[0] = 64.5" LENGTH},
        {IN("sizes = [\"64\"];"), "lab.cfg:3: traffic.sizes[0] = \"64\"" LENGTH},
        {IN("sizes = ([64, 65]);"), "lab.cfg:3: traffic.sizes[0] = [...]" LENGTH},
        {IN("sizes = [" LONGEST "," LONGEST "," LONGEST "," LONGEST ",\n64];"),
         "lab.cfg:4: traffic.sizes[64] = 64: must have at most 64 entries"},
};

static const struct wrong TOGETHER[] = {
        {OF("frame_sizes = [64];\ntraffic = { sizes = \"imix\"; };"),
         "lab.cfg:2: frame_sizes = [...]: cannot be combined with traffic.sizes (lab.cfg:3), which mixes sizes within "
         "a trial: remove one of them"},
        {SIM "traffic = { sizes = \"imix\"; };\nrun = ({ test = \"throughput\"; frame_sizes = [64]; });",
         "lab.cfg:3: frame_sizes = [...]: cannot be combined with traffic.sizes (lab.cfg:2), which mixes sizes within "
         "a trial: remove one of them, or write traffic.sizes into the tests that take it"},
        {SIM "run = ({ test = \"back_to_back\"; traffic = { sizes = [64]; }; });",
         "lab.cfg:2: traffic.sizes = [...]: cannot be used with test = \"back_to_back\": mixed sizes (IMIX) are not "
         "for back_to_back (RFC 9004 section 3)"},
        {SIM "traffic = { sizes = \"imix\"; };\nrun = ({ test = \"throughput\"; },\n{ test = \"back_to_back\"; });",
         "lab.cfg:2: traffic.sizes = \"imix\": cannot be used with test = \"back_to_back\": mixed sizes (IMIX) are not "
         "for back_to_back (RFC 9004 section 3); write it into the tests that take it"},
        {OF("direction = \"unidirectional\"; traffic = { pattern = \"mesh\"; };"),
         "lab.cfg:2: direction = \"unidirectional\": must be \"bidirectional\" with traffic.pattern = \"mesh\", where "
         "every "
         "port sends (RFC 2889 section 5.1)"},
        {OF("direction = \"bidirectional\"; traffic = { pattern = \"unidirectional_mesh\"; };"),
         "lab.cfg:2: direction = \"bidirectional\": must be \"unidirectional\" with traffic.pattern = "
         "\"unidirectional_mesh\" (RFC 2889 section 5.4)"},
        {EXEC "run = ({ test = \"throughput\"; traffic = { pattern = \"mesh\"; }; });",
         "lab.cfg:3: traffic.pattern = \"mesh\": must have more than one sender; see device.senders"},
        {EXEC "traffic = { pattern = \"mesh\"; };\nrun = ({ test = \"throughput\"; });",
         "lab.cfg:3: traffic.pattern = \"mesh\": must have more than one sender; see device.senders"},
        {EXEC "run = ({ test = \"throughput\"; direction = \"bidirectional\"; });",
         "lab.cfg:3: direction = \"bidirectional\": must be \"unidirectional\" with one sender; see device.senders"},
        {SIM "run = ({ test = \"throughput\"; traffic = { sizes = \"imix\"; };\nrequire = { frame_sizes = [64]; "
             "throughput_fps = 1; }; });",
         "lab.cfg:3: require.frame_sizes = 64: must be a size of the test"},
        {SIM "link = { speed = \"100G\"; };\nrun = ({ test = \"mlrsearch\"; traffic = { sizes = \"imix\"; };\nmax_load "
             "= 33436000; });", /* 12 frames of 4486 octets on the line in all: 33437360.7 a second */
         NULL},
        {SIM "link = { speed = \"100G\"; };\nrun = ({ test = \"mlrsearch\"; traffic = { sizes = \"imix\"; };\nmax_load "
             "= 33438000; });",
         "lab.cfg:4: max_load = 33438000: must be at most the line rate, 33437360.7 frames a second of imix"},
        {SIM "link = { speed = \"100G\"; };\nrun = ({ test = \"mlrsearch\"; traffic = { sizes = [64, 65]; };\nmin_load "
             "= \"50%\"; max_load = \"10%\"; });",
         "lab.cfg:4: min_load = \"50%\": must be below max_load: they are 73964497.0 and 14792899.4 frames a second of "
         "[64, 65]"},
        {SIM "run = ({ test = \"throughput\"; },\n{ test = \"back_to_back\"; traffic = { vlan = 5; }; });",
         "lab.cfg:3: traffic.vlan = 5: must be that of the throughput test of line 2, none (RFC 9004 section 5)"},
        {SIM "run = ({ test = \"throughput\"; traffic = { pattern = \"mesh\"; }; },\n{ test = \"back_to_back\"; });",
         "lab.cfg:3: traffic.pattern = \"pairs\": must be that of the throughput test of line 2, \"mesh\" (RFC 9004 "
         "section 5)"},
        {SIM "traffic = { frame = \"ethernet\"; };\nrun = ({ test = \"throughput\"; },\n{ test = \"back_to_back\"; "
             "traffic = { frame = \"ipv6_udp\"; }; });",
         "lab.cfg:4: traffic.frame = \"ipv6_udp\": must be that of the throughput test of line 3, \"ethernet\" (RFC "
         "9004 "
         "section 5)"},
        {SIM "run = ({ test = \"throughput\"; traffic = { addresses = 3; }; },\n{ test = \"back_to_back\"; traffic = { "
             "addresses = 2; "
             "}; });",
         "lab.cfg:3: traffic.addresses = 2: must be that of the throughput test of line 2, 3 (RFC 9004 section 5)"},
        /* A mix has no result for a single length, so it is not what back_to_back rests on. */
        {SIM "run = ({ test = \"throughput\"; traffic = { addresses = 3; sizes = \"imix\"; }; },\n{ test = "
             "\"back_to_back\"; });",
         NULL},
        /* Another seed draws other pairs of hosts, so other flows; for one address nothing is drawn. */
        {SIM "traffic = { pattern = \"mesh\"; addresses = 3; };\nrun = ({ test = \"throughput\"; },\n{ test = "
             "\"back_to_back\"; traffic = { seed = 9; }; });",
         "lab.cfg:4: traffic.seed = 9: must be that of the throughput test of line 3, 1 (RFC 9004 section 5)"},
        {SIM "traffic = { pattern = \"mesh\"; };\nrun = ({ test = \"throughput\"; },\n{ test = "
             "\"back_to_back\"; traffic = { seed = 9; }; });",
         NULL},
        {SIM "run = ({ test = \"throughput\"; },\n{ test = \"back_to_back\"; traffic = { seed = 9; }; });", NULL},
};

/* No complaint: the plan is right. */
static void expect_complaints(const struct wrong *wrong, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *complaint = wrong[i].complaint;
		struct plan *plan = NULL;
		struct error error = {0};

		write_octets("lab.cfg", wrong[i].text, strlen(wrong[i].text));
		cr_expect_eq(plan_read("lab.cfg", &BENCHMARK_KEYS, NULL, 0, &plan, &error), complaint ? ERROR_PLAN : 0,
		             "%s\n%s", wrong[i].text, error.text);
		cr_expect_str_eq(error.text, complaint ? complaint : "", "\n  got:      %s\n  expected: %s", error.text,
		                 complaint ? complaint : "");
		plan_free(plan);
	}
}

Test(plan_traffic, a_value_that_no_traffic_has_is_refused_with_its_limit)
{
	expect_complaints(VALUES, sizeof(VALUES) / sizeof(VALUES[0]));
}

Test(plan_traffic, settings_that_contradict_each_other_are_refused_with_what_to_write)
{
	expect_complaints(TOGETHER, sizeof(TOGETHER) / sizeof(TOGETHER[0]));
}

/* [64, 64] is 64 octets with another name: whatever is foreseen of it must be the same, down to the loads of goals. */
Test(plan_traffic, what_is_foreseen_of_a_mix_follows_its_rate)
{
	static const char *const TESTS[] = {"test = \"throughput\"; resolution = 7000;",
	                                    "test = \"throughput\"; search = \"mlrsearch\"; min_load = 1000;",
	                                    "test = \"mlrsearch\"; max_load = \"50%\";"};
	const uint64_t link_bps = 100000000000;

	for (size_t i = 0; i < sizeof(TESTS) / sizeof(TESTS[0]); i++) {
		char text[300], frames[PLAN_FRAMES_TEXT];
		struct error error = {0};
		struct extent single, mixed;
		struct plan *plan;

		snprintf(text, sizeof(text),
		         SIM "run = ({ %s frame_sizes = [64]; }, { %s traffic = { sizes = [64, 64]; }; });", TESTS[i],
		         TESTS[i]);
		plan = read_text(text);
		cr_expect_eq(
		        rate_compare(plan_max_rate(&plan->tests[1], 0, link_bps), rate_max_theoretical(link_bps, 64)),
		        0);
		cr_expect_str_eq(plan_frames_text(&plan->tests[0], 64, frames, sizeof(frames)), "64 octets");
		cr_expect_str_eq(plan_frames_text(&plan->tests[1], 0, frames, sizeof(frames)), "genome:aa");
		single = benchmark_of(&plan->tests[0])->extent(&plan->tests[0], 64, link_bps);
		mixed = benchmark_of(&plan->tests[1])->extent(&plan->tests[1], 0, link_bps);
		cr_expect(single.least.trials == mixed.least.trials && single.most.trials == mixed.most.trials, "%s",
		          TESTS[i]);
		cr_expect(single.least.sending_s == mixed.least.sending_s &&
		                  single.most.sending_s == mixed.most.sending_s,
		          "%s", TESTS[i]);
		cr_expect_eq(benchmark_of(&plan->tests[1])->check(&plan->tests[1], 0, link_bps, &error), 0, "%s",
		             error.text);
		plan_free(plan);
	}
}
