/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark that the program does not have: what host/plan must know about it is in its row, so a plan can ask for it
 * although no file in host/plan or host/bench mentions its name. */
#include <string.h>

#include "host/plan/key_slices.h"
#include "host/plan/plan_benchmark.h"
#include "tests/c/plan_files.h"

TestSuite(plan_benchmark, .init = enter_plan_directory, .fini = leave_plan_directory);

struct warm_settings {
	unsigned rounds;
	uint64_t heat_ns, rest_ns;
	struct quantity pace;
};

#define SETTINGS struct warm_settings

static const struct plan_key KEYS[] = {
        {.name = "rounds",
         .value = COUNT(rounds),
         .ranges = {{"1", "9"}},
         .unit = "rounds",
         .default_text = "3",
         .doc = "How often."},
        {.name = "heat", .value = TIME(heat_ns), .ranges = {{"1s", "9s"}}, .default_text = "2s", .doc = "How long."},
        {.name = "rest", .value = TIME(rest_ns), .ranges = {{"1s", "9s"}}, .doc = "default: heat."},
        {.name = "pace", .value = QUANTITY(pace), .ranges = {{"1%", "100%"}, {"1", "1T"}}, .doc = "Of frames."},
};
static const struct key_slice WARM_KEYS = {OWN_SLICE(KEYS)};

static int finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	struct warm_settings *settings = test->settings;

	if (!node_child(group, "rest"))
		settings->rest_ns = settings->heat_ns;
	if (settings->rest_ns < settings->heat_ns)
		return plan_complain(error, node_child(group, "rest"), "rest", "must be at least heat");
	return plan_check_rate(plan, test, group, "pace", &settings->pace, error);
}

static const struct metric BOTH[] = {
        {.key = "heat_ns", .heading = "Heat", .unit = METRIC_NS, .better = BETTER_LESS},
        {.key = "cause", .heading = "Cause", .unit = METRIC_TEXT},
};
static const struct metric ONE[] = {{.key = "one_fps", .heading = "One", .unit = METRIC_FPS, .better = BETTER_MORE}};
static const struct metric MANY[] = {{.key = "many_fps", .heading = "Many", .unit = METRIC_FPS, .better = BETTER_MORE}};
static const struct metric_slice BOTH_SLICE = METRIC_SLICE(BOTH), ONE_SLICE = METRIC_SLICE(ONE),
                                 MANY_SLICE = METRIC_SLICE(MANY);
static const struct result_description MANY_RESULTS = {
        .test = "warm",
        .when = "parameters.rounds_above_one",
        .title = "Many",
        .clause = "RFC 99999 section 7",
        .answer = "many_fps",
        .metrics = (const struct metric_slice *const[]){&MANY_SLICE, &BOTH_SLICE, NULL},
};
static const struct result_description ONE_RESULTS = {
        .test = "warm",
        .title = "One",
        .clause = "RFC 99999 section 6",
        .answer = "one_fps",
        .metrics = (const struct metric_slice *const[]){&ONE_SLICE, &BOTH_SLICE, NULL},
};

static const struct result_description *results_of(const struct plan_test *test)
{
	const struct warm_settings *settings = test->settings;

	return settings->rounds > 1 ? &MANY_RESULTS : &ONE_RESULTS;
}

static const struct plan_benchmark COLD = {
        .keys = {.name = "cold", .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION)},
        .why_unmixed = "cold is one size at a time",
};
static const struct plan_benchmark WARM = {
        .keys = {.name = "warm", .slices = SLICES(&KEYS_TEST, &KEYS_BISECTION, &WARM_KEYS)},
        .settings_size = sizeof(struct warm_settings),
        .searches = BY_LOSS_VERIFICATION,
        .why_searches = "because it is warm",
        .why_unmixed = "warm is one size at a time",
        .prerequisite = "cold",
        .prerequisite_clause = "RFC 99999 section 5",
        .finish = finish,
        .results = (const struct result_description *const[]){&MANY_RESULTS, &ONE_RESULTS, NULL},
        .results_of = results_of,
};

static const struct key_set *set_of(size_t index)
{
	static const struct key_set *const SETS[] = {&COLD.keys, &WARM.keys, NULL};

	return SETS[index];
}

static const struct key_family FAMILY = {.set = set_of, .of = "", .quote = ""};

static struct plan *read_run(const char *run, struct error *error)
{
	struct plan *plan = NULL;
	char text[600];

	snprintf(text, sizeof(text), "device = { backend = \"sim\"; };\nlink = { speed = \"100G\"; };\nrun = (\n%s);\n",
	         run);
	write_octets("lab.cfg", text, strlen(text));
	cr_assert_eq(plan_read("lab.cfg", &FAMILY, NULL, 0, &plan, error), plan ? 0 : ERROR_PLAN);
	return plan;
}

Test(plan_benchmark, a_plan_fills_the_settings_of_a_benchmark_that_is_given_to_it)
{
	struct error error = {0};
	struct plan *plan = read_run("{ test = \"cold\"; },\n{ test = \"warm\"; rounds = 5; heat = \"4s\"; }", &error);
	const struct warm_settings *settings;

	cr_assert(plan, "%s", error.text);
	cr_expect_eq(plan->tests[0].benchmark, &COLD);
	cr_expect_null(plan->tests[0].settings);
	cr_expect_eq(plan->tests[0].search, PLAN_SEARCH_BINARY);
	cr_expect_eq(plan->tests[1].benchmark, &WARM);
	cr_expect_eq(plan->tests[1].search, PLAN_SEARCH_LOSS_VERIFICATION, "the first that it takes");
	settings = plan->tests[1].settings;
	cr_expect_eq(settings->rounds, 5);
	cr_expect_eq(settings->heat_ns, 4000000000u);
	cr_expect_eq(settings->rest_ns, 4000000000u, "a default that follows from another setting");
	plan_free(plan);
}

Test(plan_benchmark, what_its_row_refuses_is_a_complaint_with_the_place)
{
	static const struct {
		const char *run, *complaint;
	} WRONG[] = {
	        {"{ test = \"hot\"; }", "lab.cfg:4: test = \"hot\": must be \"cold\" or \"warm\""},
	        {"{ rounds = 5; }", "lab.cfg:4: test must be given: \"cold\" or \"warm\""},
	        {"{ test = \"cold\"; rounds = 5; }", "lab.cfg:4: rounds = 5: is not a key of cold, only of warm"},
	        {"{ test = \"warm\"; rounds = 50; }", "lab.cfg:4: rounds = 50: must be a whole number, 1 to 9 rounds"},
	        {"{ test = \"warm\";\nrest = \"1s\"; }", "lab.cfg:5: rest = \"1s\": must be at least heat"},
	        {"{ test = \"warm\"; frame_sizes = [64]; pace = 148809524; }",
	         "lab.cfg:4: pace = 148809524: must be at most the line rate, 148809523.8 frames a second of 64 "
	         "octets"},
	        {"{ test = \"warm\"; search = \"binary\"; }",
	         "lab.cfg:4: search = \"binary\": must be \"loss_verification\" because it is warm"},
	        {"{ test = \"warm\"; imix = true; }",
	         "lab.cfg:4: imix = true: must be a list of single sizes: warm is one size at a time"},
	        {"{ test = \"cold\"; direction = \"unidirectional\"; },\n{ test = \"warm\"; }",
	         "lab.cfg:5: direction = \"bidirectional\": must be that of the cold test of line 4, "
	         "\"unidirectional\" (RFC 99999 section 5)"},
	        {"{ test = \"cold\"; },\n{ test = \"warm\";\ntraffic = { addresses = 2; }; }",
	         "lab.cfg:6: traffic.addresses = 2: must be that of the cold test of line 4, 1 (RFC 99999 section 5)"},
	        {"{ test = \"cold\"; },\n{ test = \"warm\"; rounds = 1; require = { many_fps = \"1M\"; }; }",
	         "lab.cfg:5: require.many_fps = \"1M\": must be one_fps here: with these settings the test finds one "
	         "(RFC "
	         "99999 section 6)"},
	        {"{ test = \"cold\"; },\n{ test = \"warm\"; rounds = 2; require = { cause = 1; }; }",
	         "lab.cfg:5: require.cause = 1: is not a key of the results of warm that can have a limit; must be one "
	         "of many_fps, heat_ns"},
	};

	for (size_t i = 0; i < sizeof(WRONG) / sizeof(WRONG[0]); i++) {
		struct error error = {0};

		cr_expect_null(read_run(WRONG[i].run, &error), "%s", WRONG[i].run);
		cr_expect_str_eq(error.text, WRONG[i].complaint);
	}
}

Test(plan_benchmark, of_two_tests_before_it_that_it_may_rest_on_one_with_its_traffic_is_enough)
{
	struct error error = {0};
	struct plan *plan = read_run("{ test = \"cold\"; traffic = { addresses = 2; }; },\n{ test = \"cold\"; },\n"
	                             "{ test = \"warm\"; traffic = { addresses = 2; }; }",
	                             &error);

	cr_expect(plan, "%s", error.text);
	plan_free(plan);
}
