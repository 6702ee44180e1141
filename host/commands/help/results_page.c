/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the tables of result keys; what a key means is only in the descriptions of benchmarks. */
#include "host/commands/help/results_page.h"

#include <string.h>

#include "host/result/common.h"

static const char HEAD[] = "| key | unit | better | meaning |\n|---|---|---|---|\n";

static const char *unit_of(const struct metric *metric)
{
	static const char *const NAMES[] = {
	        [METRIC_TEXT] = "text",     [METRIC_YES_NO] = "true, false",
	        [METRIC_NUMBER] = "number", [METRIC_RATIO] = "ratio",
	        [METRIC_PERCENT] = "%",     [METRIC_FPS] = "frames/s",
	        [METRIC_GBPS] = "Gb/s",     [METRIC_S] = "s",
	        [METRIC_NS] = "ns",         [METRIC_FRAMES] = "frames",
	        [METRIC_OCTETS] = "octets", [METRIC_FRAMES_LIST] = "list",
	        [METRIC_NS_LIST] = "list",  [METRIC_S_LIST] = "list",
	        [METRIC_NUMBERS] = "list",  [METRIC_LIST] = "list",
	        [METRIC_OBJECT] = "object",
	};

	return NAMES[metric->unit];
}

static const char *better_of(const struct metric *metric)
{
	static const char *const NAMES[] = {[BETTER_NEITHER] = "-", [BETTER_MORE] = "more", [BETTER_LESS] = "less"};

	return NAMES[metric->better];
}

/* All other numbers are null where they were not measured. */
static const char *known_of(const struct metric *metric)
{
	if (metric->known == KNOWN_IF_VALID)
		return "; null only in invalid results";
	return metric->known == KNOWN_ALWAYS ? "; never null" : "";
}

static void print_metric(FILE *out, const struct metric *metric)
{
	/* the counters that every result has are listed once, elsewhere */
	if (metric->from_trials || strchr(metric->key, '.'))
		return;
	fprintf(out, "| `%s` | %s | %s | %s%s%s |\n", metric->key, unit_of(metric), better_of(metric), metric->meaning,
	        metric->presence == IN_VALID_RESULTS ? "; only in valid results" : "", known_of(metric));
}

/* Leaves out the metrics that description `known` has too; NULL: there is none. */
static void print_table(FILE *out, const struct result_description *description, const struct result_description *known)
{
	fputs(HEAD, out);
	for (const struct metric_slice *const *slice = description->metrics; *slice; slice++) {
		if (*slice == &EVERY_RESULT || (known && description_has(known, *slice)))
			continue;
		for (size_t i = 0; i < (*slice)->count; i++)
			print_metric(out, &(*slice)->metrics[i]);
	}
}

/* The last of a benchmark's descriptions applies to all results that no other applies to. */
static const struct result_description *usual_description(const struct benchmark *benchmark)
{
	const struct result_description *const *one = benchmark->plan.results;

	while ((*one)->when)
		one++;
	return *one;
}

void results_page_print_benchmark(FILE *out, const struct benchmark *benchmark)
{
	const struct result_description *usual = usual_description(benchmark);

	print_table(out, usual, NULL);
	for (const struct result_description *const *one = benchmark->plan.results; *one != usual; one++) {
		fprintf(out, "\nIf `%s` is above 0: %s (%s). These keys are new, or mean something else:\n\n",
		        (*one)->when, (*one)->title, (*one)->clause);
		print_table(out, *one, usual);
	}
}

void results_page_print_counters(FILE *out)
{
	fputs(HEAD, out);
	for (size_t i = 0; i < COUNTER_METRICS.count; i++) {
		struct metric metric = COUNTER_METRICS.metrics[i];

		metric.key = strchr(metric.key, '.') + 1;
		print_metric(out, &metric);
	}
}

void results_page_print(FILE *out)
{
	fprintf(out, "### counters\n\n");
	results_page_print_counters(out);
	fputc('\n', out);
	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		fprintf(out, "%s### %s (%s)\n\n", i ? "\n" : "", benchmark_name(BENCHMARKS[i]),
		        usual_description(BENCHMARKS[i])->clause);
		results_page_print_benchmark(out, BENCHMARKS[i]);
	}
}
