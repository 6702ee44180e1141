/* SPDX-License-Identifier: Apache-2.0 */
/* Limits that are met exactly, from the decimal in a plan to the verdict: the device forwards what the limit asks for,
 * as integers, and neither more nor less. A limit one unit of the last place further is missed. */
#include "bench_case.h"
#include "host/base/statistics.h"
#include "host/bench/result.h"
#include "host/bench/rfc9971/mlrsearch.h"
#include "host/report/verdict.h"
#include "plan_files.h"

enum { TENTHS = 1000 /* tenths of a percent, up to all */, SIZE_COUNT = 12 };

static const uint32_t SIZES[SIZE_COUNT] = {64, 65, 128, 256, 512, 1000, 1024, 1280, 1518, 2048, 9000, 9216};
static struct bench_case c;
static struct plan *limits;

struct limit_key {
	const char *name, *unit;
};

/* A plan whose only test has these limits: of the first key 0.1 to 100.0, one a group, and so on. */
static void read_limits(const char *test, const struct limit_key *keys, size_t count)
{
	struct error error = {0};
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	fprintf(out,
	        "device = { backend = \"sim\"; library = \"twin\"; };\nlink = { speed = \"100G\"; };\n"
	        "dut = { model = \"wire\"; };\nrun = ( { test = \"%s\"; frame_sizes = [64]; require = (",
	        test);
	for (size_t key = 0; key < count; key++)
		for (unsigned i = 1; i <= TENTHS; i++) {
			const char *quote = *keys[key].unit ? "\"" : "";

			fprintf(out, "%s{ %s = %s%u.%u%s%s; }", key || i > 1 ? ", " : " ", keys[key].name, quote,
			        i / 10, i % 10, keys[key].unit, quote);
		}
	fprintf(out, " ); } );\n");
	fclose(out);
	write_octets("limits.cfg", text, length);
	free(text);
	cr_assert_eq(plan_read("limits.cfg", &BENCHMARK_KEYS, NULL, 0, &limits, &error), 0, "%s", error.text);
	cr_assert_eq(limits->tests[0].requirement_count, count * TENTHS);
}

static void begin(void)
{
	enter_plan_directory();
}

static void end(void)
{
	plan_free(limits);
	case_end(&c);
	leave_plan_directory();
}

TestSuite(exact_limits, .init = begin, .fini = end);

static const char *verdict(json_t *result, const struct plan_requirement *asked, bool at_least, double limit)
{
	const struct store_requirement one = {
	        .test_number = 1, .key = asked->key, .at_least = at_least, .limit = limit};
	const struct store_run run = {.requirements = &one, .requirement_count = 1};

	verdict_of_result(result, 1, &run);
	return json_string_value(json_object_get(result, "verdict"));
}

/* Returns how many of the four verdicts are wrong. */
static unsigned wrong(json_t *result, const struct plan_requirement *asked)
{
	const double limit = asked->limit;

	unsigned count = strcmp(verdict(result, asked, true, limit), "pass") != 0;

	count += strcmp(verdict(result, asked, false, limit), "pass") != 0;
	count += strcmp(verdict(result, asked, true, nextafter(limit, INFINITY)), "fail") != 0;
	return count + (strcmp(verdict(result, asked, false, nextafter(limit, 0)), "fail") != 0);
}

/* The verdicts on the limits of that many tenths, of all keys, in the results of the last run. */
static void add_wrong(unsigned *count, unsigned *results, unsigned tenths)
{
	const struct plan_test *test = &limits->tests[0];
	json_t *result;
	size_t at;

	json_array_foreach(c.context.results, at, result)
	{
		for (size_t i = tenths - 1; i < test->requirement_count; i += TENTHS)
			*count += wrong(result, &test->requirements[i]);
		++*results;
	}
}

/* Loads from a tenth below to a tenth above, to keep the search short. */
static void search_around(unsigned tenths)
{
	c.tests[0].min_load = (struct quantity){QUANTITY_PERCENT, tenths > 1 ? tenths - 1 : 1, TENTHS};
	c.tests[0].max_load = (struct quantity){QUANTITY_PERCENT, tenths < TENTHS ? tenths + 1 : TENTHS, TENTHS};
	fifo_begin(&c.fifo, 1, tenths, TENTHS);
}

/* The answer of a wire is then the highest load that may be tried. */
static void search_up_to(unsigned tenths)
{
	c.tests[0].max_load = (struct quantity){QUANTITY_PERCENT, tenths, TENTHS};
	fifo_begin(&c.fifo, 1, 1, 1);
}

/* A device forwards each tenth of a percent: with FPGAUGE_LONG=1 at all sizes, else at two of them in turn. */
static unsigned wrong_verdicts(void (*forward)(unsigned tenths))
{
	const unsigned sizes = getenv("FPGAUGE_LONG") ? SIZE_COUNT : 2, at_once = sizes < 6 ? sizes : 6;
	unsigned count = 0, results = 0;

	c.tests[0].frame_size_count = at_once;
	for (unsigned i = 1; i <= TENTHS; i++)
		for (unsigned done = 0; done < sizes; done += at_once) {
			for (unsigned at = 0; at < at_once; at++)
				c.sizes[at] = SIZES[(i + done + at) % SIZE_COUNT];
			forward(i);
			cr_assert_eq(case_run(&c), 0);
			add_wrong(&count, &results, i);
		}
	cr_expect_eq(results, sizes * TENTHS);
	return count;
}

Test(exact_limits, of_a_throughput_are_met_at_12_sizes)
{
	case_begin(&c, SIZES, 1);
	c.plan.test_count = 1;
	read_limits("throughput", (const struct limit_key[]){{"throughput_percent", "%"}, {"layer_1_gbps", ""}}, 2);
	cr_expect_eq(wrong_verdicts(search_around), 0);
}

Test(exact_limits, of_a_conditional_throughput_are_met_at_12_sizes)
{
	case_begin(&c, SIZES, 1);
	c.plan.test_count = 1;
	c.tests[0].benchmark = &MLRSEARCH.plan;
	c.tests[0].search = PLAN_SEARCH_MLRSEARCH;
	read_limits("mlrsearch",
	            (const struct limit_key[]){{"conditional_throughput_percent", "%"}, {"layer_1_gbps", ""}}, 2);
	cr_expect_eq(wrong_verdicts(search_up_to), 0);
}

/* All of a trial's latencies are the same number of octet times, which is a decimal in nanoseconds. */
Test(exact_limits, of_latencies_of_whole_octet_times_are_met_at_10_speeds)
{
	static const uint64_t SPEEDS[] = {10000000,    100000000,   1000000000,   2500000000,   10000000000,
	                                  25000000000, 40000000000, 100000000000, 400000000000, 800000000000};
	static const char *const KEYS[] = {"latency_min_ns", "latency_mean_ns", "latency_max_ns", "pdv_max_ns"};
	static const unsigned SHARES[][2] = {{1, 1}, {4, 3}, {2, 1}, {1, 1}};
	struct tester tester = {0};
	struct bench_context context = {.tester = &tester};
	const struct session session = {.context = &context};
	unsigned missed = 0;

	for (size_t i = 0; i < 10; i++)
		for (uint64_t ot = 1; ot <= 1000; ot++) {
			const struct latency_stats latency = {3, ot, 2 * ot, (double)(4 * ot) / 3};
			const struct latency_spread none = {0};
			json_t *result = json_object();
			char text[32];

			tester.info.link_bps = SPEEDS[i];
			result_latency_of(result, &session, &latency, &none);
			result_variation_of(result, &session, &latency, &none);
			for (size_t key = 0; key < 4; key++) {
				/* Thousandths of a nanosecond are whole; for the mean, if it is. */
				const uint64_t thousandths = ot * 8000000000000 / SPEEDS[i] * SHARES[key][0];

				if (thousandths % SHARES[key][1])
					continue;
				snprintf(text, sizeof(text), "%llu.%03llu",
				         (unsigned long long)(thousandths / SHARES[key][1] / 1000),
				         (unsigned long long)(thousandths / SHARES[key][1] % 1000));
				missed += number(result, KEYS[key]) != strtod(text, NULL);
			}
			json_decref(result);
		}
	cr_expect_eq(missed, 0);
}

/* Equal repetitions have themselves as their mean. */
Test(exact_limits, of_means_of_equal_values_are_met)
{
	double values[20];

	for (unsigned count = 1; count <= 20; count++)
		for (unsigned hundredths = 1; hundredths <= 1000; hundredths++) {
			for (unsigned i = 0; i < count; i++)
				values[i] = hundredths / 100.0;
			cr_assert_eq(sample_of(values, count).mean, hundredths / 100.0, "%u x %u", count, hundredths);
		}
}
