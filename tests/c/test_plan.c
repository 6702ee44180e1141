/* SPDX-License-Identifier: Apache-2.0 */
/* Valid plans, and what they mean. */
#include <inttypes.h>
#include <string.h>

#include "host/bench/rfc2544/throughput.h"
#include "host/bench/rfc9004/back_to_back.h"
#include "tests/c/plan_files.h"

TestSuite(plan, .init = enter_plan_directory, .fini = leave_plan_directory);

static struct plan *read_text(const char *text, const char *const *overrides, size_t count)
{
	struct plan *plan = NULL;
	struct error error = {0};

	write_octets("lab.cfg", text, strlen(text));
	cr_assert_eq(plan_read("lab.cfg", &BENCHMARK_KEYS, overrides, count, &plan, &error), 0, "%s", error.text);
	return plan;
}

static const char *option(const struct plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->device.option_count; i++) {
		if (!strcmp(plan->device.options[i].name, name))
			return plan->device.options[i].value;
	}
	return "(none)";
}

/* The plan of docs/architecture.md. */
static const char LAB[] =
        "device = { backend = \"sim\"; library = \"rtl\"; };          # \"rtl\", \"twin\"\n"
        "link   = { speed = \"100G\"; };\n"
        "dut    = { model = \"fifo\"; buffer_frames = 2000; service_fps = \"100M\"; latency_ns = 800; };\n"
        "run    = (\n"
        "  { test = \"throughput\";   frame_sizes = [64, 128]; search = \"binary\"; },\n"
        "  { test = \"back_to_back\"; repetitions = 5; search = \"loss_verification\"; }\n"
        ");\n";

Test(plan, keeps_what_it_says)
{
	struct plan *plan = read_text(LAB, NULL, 0);

	cr_expect_str_eq(plan->path, "lab.cfg");
	cr_expect_str_eq(plan->text, LAB);
	cr_expect_str_eq(plan->device.backend, "sim");
	cr_expect_str_eq(plan->device.library, "rtl");
	cr_expect_eq(plan->link_bps, 100000000000u);
	cr_expect_eq(plan->device.option_count, 4);
	cr_expect_str_eq(option(plan, "dut.model"), "fifo");
	cr_expect_str_eq(option(plan, "dut.buffer_frames"), "2000");
	cr_expect_str_eq(option(plan, "dut.service_fps"), "100M");
	cr_assert_eq(plan->test_count, 2);
	cr_expect_str_eq(plan_test_name(&plan->tests[0]), "throughput");
	cr_expect_eq(plan->tests[0].line, 5);
	cr_expect_eq(plan->tests[0].frame_size_count, 2);
	cr_expect_eq(plan->tests[0].frame_sizes[1], 128);
	cr_expect_str_eq(plan_test_name(&plan->tests[1]), "back_to_back");
	cr_expect_eq(plan->tests[1].line, 6);
	cr_expect_eq(plan->tests[1].search, PLAN_SEARCH_LOSS_VERIFICATION);
	cr_expect_eq(back_to_back_settings(&plan->tests[1])->repetitions, 5);
	plan_free(plan);
}

#define SHORT "device = { backend = \"sim\"; };\n"

Test(plan, has_the_defaults_of_the_rfcs)
{
	static const uint32_t SIZES[] = {64, 128, 256, 512, 1024, 1280, 1518};
	struct plan *plan = read_text(SHORT "run = ({test=\"throughput\";}, {test=\"back_to_back\";});", NULL, 0);
	const struct throughput_settings *rates = throughput_settings(&plan->tests[0]);
	const struct back_to_back_settings *bursts = back_to_back_settings(&plan->tests[1]);

	cr_expect_str_eq(plan->device.library, "rtl");
	cr_expect_eq(plan->device.ports, 0);
	cr_expect_eq(plan->link_bps, 0);
	for (size_t i = 0; i < 2; i++) {
		const struct plan_test *test = &plan->tests[i];

		cr_assert_eq(test->frame_size_count, 7);
		cr_expect_eq(memcmp(test->frame_sizes, SIZES, sizeof(SIZES)), 0);
		cr_expect_eq(test->search, PLAN_SEARCH_BINARY);
		cr_expect_eq(test->max_trials, 1, "Binary Search never looks twice");
		cr_expect_eq(test->settle_ns, 2000000000);
		cr_expect_eq(test->drain_ns, 2000000000);
		cr_expect_eq(test->shape.bidirectional, true);
		cr_expect_eq(test->shape.addresses, 1);
	}
	cr_expect_eq(rates->trial_duration_ns, 60000000000);
	cr_expect_eq(rates->search_trial_duration_ns, 60000000000);
	cr_expect(rates->resolution.unit == QUANTITY_PERCENT && rates->resolution.denominator == 1000 &&
	          rates->resolution.numerator == 1);
	cr_expect_eq(bursts->repetitions, 50);
	cr_expect(bursts->resolution.unit == QUANTITY_FRAMES && bursts->resolution.numerator == 1);
	cr_expect(bursts->max_burst.unit == QUANTITY_TIME && bursts->max_burst.numerator == 30 &&
	          bursts->max_burst.denominator == 1);
	cr_expect_eq(bursts->test_all_sizes, false);
	cr_expect_eq(bursts->has_actual_rate, false);
	plan_free(plan);
}

Test(plan, takes_every_key)
{
	struct plan *plan = read_text(
	        "device = { backend = \"sim\"; library = \"./mine.so\"; ports = 4; waveform = \"a.fst\"; idle_skip = "
	        "false; };\n"
	        "run = ({ test = \"throughput\"; search = \"loss_verification\"; max_trials = 3; loss_verification_z = "
	        "5;\n"
	        "  trial_duration = \"100us\"; search_trial_duration = \"50 us\"; resolution = \"1M\"; settle = "
	        "\"0s\";\n"
	        "  drain = \"1ms\"; direction = \"unidirectional\"; traffic = { addresses = 256; }; },\n"
	        " { test = \"back_to_back\"; resolution = 8; repetitions = 3; max_burst = \"4096 frames\";\n"
	        "  first_burst = 0; test_all_sizes = true; actual_rate = \"50%\"; search = \"loss_verification\";\n"
	        "  loss_verification_z = \"0.5%\"; direction = \"unidirectional\"; traffic = { addresses = 0x100; }; "
	        "});\n",
	        NULL, 0);
	const struct plan_test *throughput = &plan->tests[0], *burst = &plan->tests[1];
	const struct throughput_settings *rates = throughput_settings(throughput);
	const struct back_to_back_settings *bursts = back_to_back_settings(burst);

	cr_expect_eq(plan->device.ports, 4);
	cr_expect_str_eq(option(plan, "device.waveform"), "a.fst");
	cr_expect_str_eq(option(plan, "device.idle_skip"), "false");
	cr_expect_eq(plan->device.option_count, 2);
	cr_expect_eq(throughput->max_trials, 3);
	cr_expect(throughput->loss_verification_z.unit == QUANTITY_FRAMES &&
	          throughput->loss_verification_z.numerator == 5);
	cr_expect_eq(rates->trial_duration_ns, 100000);
	cr_expect_eq(rates->search_trial_duration_ns, 50000);
	cr_expect(rates->resolution.unit == QUANTITY_PLAIN && rates->resolution.numerator == 1000000);
	cr_expect_eq(throughput->settle_ns, 0);
	cr_expect_eq(throughput->drain_ns, 1000000);
	cr_expect_eq(throughput->shape.bidirectional, false);
	cr_expect_eq(burst->shape.addresses, 256);
	cr_expect_eq(burst->max_trials, 2);
	cr_expect_eq(bursts->resolution.numerator, 8);
	cr_expect_eq(bursts->max_burst.numerator, 4096);
	cr_expect_eq(bursts->first_burst_frames, 0);
	cr_expect_eq(bursts->test_all_sizes, true);
	cr_expect(bursts->has_actual_rate && bursts->actual_rate.unit == QUANTITY_PERCENT &&
	          bursts->actual_rate.denominator == 2);
	cr_expect(burst->loss_verification_z.unit == QUANTITY_PERCENT && burst->loss_verification_z.denominator == 200);
	plan_free(plan);
}

Test(plan, passes_numbers_of_the_dut_on_as_they_are_written)
{
	struct plan *plan =
	        read_text(SHORT "dut = { a = 1.250; b = 1e8; c = -5; d = 0x1F; e = 9223372036854775807L; f = +.5;\n"
	                        " g = true; h = \"x y\"; i = 2147483647; j = \"\\x41\\\\\"; };"
	                        "run = ({test=\"throughput\";});",
	                  NULL, 0);

	cr_expect_str_eq(option(plan, "dut.a"), "1.250");
	cr_expect_str_eq(option(plan, "dut.b"), "1e8");
	cr_expect_str_eq(option(plan, "dut.c"), "-5");
	cr_expect_str_eq(option(plan, "dut.d"), "31");
	cr_expect_str_eq(option(plan, "dut.e"), "9223372036854775807");
	cr_expect_str_eq(option(plan, "dut.f"), ".5");
	cr_expect_str_eq(option(plan, "dut.g"), "true");
	cr_expect_str_eq(option(plan, "dut.h"), "x y");
	cr_expect_str_eq(option(plan, "dut.i"), "2147483647");
	cr_expect_str_eq(option(plan, "dut.j"), "A\\");
	plan_free(plan);
}

Test(plan, ignores_what_stands_in_comments_and_texts)
{
	struct plan *plan =
	        read_text("# 99999999999 \"\n// @include \"x\" 1e400\n/* 4294967296\n \" */ " SHORT
	                  "dut = { a = \"99999999999 /* # // 1e400\"; };\r\n run = ({test=\"throughput\";}); # end",
	                  NULL, 0);

	cr_expect_str_eq(option(plan, "dut.a"), "99999999999 /* # // 1e400");
	plan_free(plan);
}

Test(plan, hands_what_a_card_needs_to_the_driver)
{
	struct plan *plan = read_text("device = { backend = \"xrt\"; card = 1; manifest = \"u55c/manifest.cfg\"; };\n"
	                              "run = ({test=\"throughput\";});",
	                              NULL, 0);

	cr_expect_str_eq(plan->device.backend, "xrt");
	cr_expect_null(plan->device.library);
	cr_expect_eq(plan->device.ports, 0);
	cr_expect_eq(plan->device.option_count, 2);
	cr_expect_str_eq(option(plan, "device.card"), "1");
	cr_expect_str_eq(option(plan, "device.manifest"), "u55c/manifest.cfg");
	plan_free(plan);
	plan = read_text("device = { backend = \"pci\"; card = \"10ee:903f\"; bar = 2; sysfs = \"/tmp/sys\"; };\n"
	                 "run = ({test=\"throughput\";});",
	                 NULL, 0);
	cr_expect_eq(plan->device.option_count, 3);
	cr_expect_str_eq(option(plan, "device.card"), "10ee:903f");
	cr_expect_str_eq(option(plan, "device.bar"), "2");
	cr_expect_str_eq(option(plan, "device.sysfs"), "/tmp/sys");
	plan_free(plan);
}

Test(plan, says_where_an_option_stands)
{
	const char *const overrides[] = {"dut.latency_ns=900"};
	struct plan *plan = read_text(LAB, overrides, 1);

	cr_expect_str_eq(plan_option_place(plan, "dut.buffer_frames"), "lab.cfg:3");
	cr_expect_str_eq(plan_option_place(plan, "device.library"), "lab.cfg:1");
	cr_expect_str_eq(plan_option_place(plan, "link.speed"), "lab.cfg:2");
	cr_expect_str_eq(plan_option_place(plan, "dut.latency_ns"), "--set dut.latency_ns=900");
	cr_expect_str_eq(plan_option_place(plan, "device.ports"), "lab.cfg:1", "the group, where the key is not set");
	cr_expect_str_eq(plan_option_place(plan, "nothing"), "lab.cfg");
	plan_free(plan);
}

Test(plan, includes_are_relative_to_the_plan_and_keep_their_own_lines)
{
	struct plan *plan;
	struct error error = {0};
	static const char MAIN[] =
	        "\n@include \"parts/device.cfg\" // and more\ndut = { b = 2; };\nrun = ({test=\"throughput\";});\n";

	static const char PART[] = "# one\ndevice = {\n backend = \"sim\";\n waveform = \"x\"; };";

	cr_assert_eq(system("mkdir -p sub/parts"), 0);
	write_octets("sub/main.cfg", MAIN, strlen(MAIN));
	write_octets("sub/parts/device.cfg", PART, strlen(PART));
	cr_assert_eq(plan_read("sub/main.cfg", &BENCHMARK_KEYS, NULL, 0, &plan, &error), 0, "%s", error.text);
	cr_expect_str_eq(plan_option_place(plan, "device.waveform"), "sub/parts/device.cfg:4");
	cr_expect_str_eq(plan_option_place(plan, "dut.b"), "sub/main.cfg:3");
	cr_expect_eq(plan->tests[0].line, 4);
	cr_expect_str_eq(plan->text, MAIN, "the report shows the plan as it was written");
	plan_free(plan);
}

Test(plan, overrides_replace_and_add_in_order)
{
	const char *const overrides[] = {
	        "device.library=twin",
	        "dut.model=wire",
	        "run[0].frame_sizes=[1518, 9216]",
	        "run.[1].repetitions=7",
	        "run.[1].repetitions=9",
	        "link.speed=10G",
	        "dut.count=99999999999",
	        "run[1].max_burst=5ms",
	        "run[1].test_all_sizes=true",
	        "dut.text=\"quoted\"",
	        "dut.zero=",
	};
	struct plan *plan = read_text(SHORT "run = ({test=\"throughput\";}, {test=\"back_to_back\";});", overrides,
	                              sizeof(overrides) / sizeof(overrides[0]));

	cr_expect_str_eq(plan->device.library, "twin");
	cr_expect_str_eq(option(plan, "dut.model"), "wire");
	cr_expect_str_eq(option(plan, "dut.count"), "99999999999", "libconfig never sees it");
	cr_expect_str_eq(option(plan, "dut.text"), "quoted");
	cr_expect_str_eq(option(plan, "dut.zero"), "");
	cr_expect_eq(plan->tests[0].frame_size_count, 2);
	cr_expect_eq(plan->tests[0].frame_sizes[1], 9216);
	cr_expect_eq(back_to_back_settings(&plan->tests[1])->repetitions, 9);
	cr_expect(back_to_back_settings(&plan->tests[1])->max_burst.unit == QUANTITY_TIME &&
	          back_to_back_settings(&plan->tests[1])->max_burst.denominator == 200);
	cr_expect_eq(back_to_back_settings(&plan->tests[1])->test_all_sizes, true);
	cr_expect_eq(plan->link_bps, 10000000000u);
	cr_expect_eq(plan->tests[1].line, 2, "a test keeps its line");
	plan_free(plan);
}

Test(plan, a_limit_in_frames_below_the_default_first_burst_begins_at_the_limit)
{
	struct plan *plan = read_text(SHORT "run = ({test=\"back_to_back\"; max_burst = 100;});", NULL, 0);

	cr_expect_eq(back_to_back_settings(&plan->tests[0])->first_burst_frames, 0);
	plan_free(plan);
}

/* -- DEVICE of the command line ------------------------------------------------------------------------------------ */

static struct plan *of_device(const char *device, const char *const *overrides, size_t count)
{
	struct plan *plan = NULL;
	struct error error = {0};

	cr_assert(plan_of_device(device, overrides, count, &plan, &error) == 0, "%s: %s", device, error.text);
	return plan;
}

Test(plan, a_device_of_the_command_line_is_backend_and_library_with_settings)
{
	const char *const overrides[] = {"dut.model=fifo", "dut.buffer_frames=64", "device.ports=2"};
	struct plan *plan = of_device("sim:/tmp/a:b.so", overrides, 3);

	cr_expect_str_eq(plan->device.backend, "sim");
	cr_expect_str_eq(plan->device.library, "/tmp/a:b.so");
	cr_expect(plan->device.ports == 2 && plan->device.option_count == 2 && plan->test_count == 0);
	cr_expect_str_eq(plan->device.options[0].name, "dut.model");
	cr_expect_str_eq(plan->device.options[1].value, "64");
	cr_expect_str_eq(plan_option_place(plan, "device.library"), "sim:/tmp/a:b.so");
	cr_expect_str_eq(plan_option_place(plan, "dut.model"), "--set dut.model=fifo");
	plan_free(plan);
	plan = of_device("sim", NULL, 0);
	cr_expect_str_eq(plan->device.library, "rtl");
	plan_free(plan);
}

Test(plan, a_device_of_the_command_line_that_is_none_is_refused)
{
	const char *const cases[][2] = {{"", "device.backend"},
	                                {"tape:0", "device.backend"},
	                                {"exec:program", "external tester"},
	                                {"exec", "external tester"}};
	const char *const overrides[] = {"run=1"};
	struct error error = {0};
	struct plan *plan;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cr_expect(plan_of_device(cases[i][0], NULL, 0, &plan, &error) == ERROR_PLAN && plan == NULL);
		cr_expect(strstr(error.text, cases[i][1]) != NULL, "%s: %s", cases[i][0], error.text);
	}
	cr_expect(plan_of_device("sim:rtl", overrides, 1, &plan, &error) == ERROR_PLAN && plan == NULL);
	cr_expect(strstr(error.text, "there is no plan here") != NULL, "%s", error.text);
}

Test(plan, every_metric_with_a_better_side_can_have_a_limit_in_its_unit)
{
	struct plan *plan =
	        read_text("device = { backend = \"sim\"; };\nrun = (\n"
	                  "{ test = \"throughput\"; require = { latency_p99_ns = \"2us\"; latency_p99_9_ns = "
	                  "\">= 1ns\"; latency_mean_ns = \"1.5us\"; }; },\n"
	                  "{ test = \"throughput\"; search = \"mlrsearch\"; goals = ( { loss_ratio = \"1%\"; } ); "
	                  "require = { conditional_throughput_percent = \"50%\"; latency_p50_ns = \"1ms\"; }; },\n"
	                  "{ test = \"mlrsearch\"; require = { conditional_throughput_fps = \"1M\"; }; } );\n",
	                  NULL, 0);
	static const struct {
		unsigned test;
		const char *key;
		bool at_least;
		double limit;
	} WANTED[] = {{0, "latency_p99_ns", false, 2000},  {0, "latency_p99_9_ns", true, 1},
	              {0, "latency_mean_ns", false, 1500}, {1, "conditional_throughput_percent", true, 50},
	              {1, "latency_p50_ns", false, 1e6},   {2, "conditional_throughput_fps", true, 1e6}};
	size_t at[3] = {0};

	for (size_t i = 0; i < sizeof(WANTED) / sizeof(WANTED[0]); i++) {
		const struct plan_test *test = &plan->tests[WANTED[i].test];
		const struct plan_requirement *requirement = &test->requirements[at[WANTED[i].test]++];

		cr_assert_leq(at[WANTED[i].test], test->requirement_count);
		cr_expect_str_eq(requirement->key, WANTED[i].key);
		cr_expect_eq(requirement->at_least, WANTED[i].at_least, "%s", WANTED[i].key);
		cr_expect_float_eq(requirement->limit, WANTED[i].limit, 1e-6, "%s", WANTED[i].key);
	}
	plan_free(plan);
}
