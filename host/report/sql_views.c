/* SPDX-License-Identifier: Apache-2.0 */
/* CREATE VIEW statements from descriptions. Keys and headings are ours: none contains a quote. */
#include "host/report/sql_views.h"

#include <stdio.h>
#include <string.h>

#include "host/bench/benchmark.h"
#include "host/report/described_table.h"
#include "host/report/latency_error.h"

/* A benchmark with several descriptions has a view for each: a result is in the view of the first one that applies to
 * it, as in described(). */
static void select_rows(FILE *out, const struct benchmark *benchmark, const struct result_description *description)
{
	fprintf(out, "FROM result WHERE test = '%s'", benchmark_name(benchmark));
	for (const struct result_description *const *one = benchmark->plan.results; *one != description; one++)
		fprintf(out, " AND NOT coalesce(json_extract(document, '$.%s') > 0, 0)", (*one)->when);
	if (description->when)
		fprintf(out, " AND json_extract(document, '$.%s') > 0", description->when);
	fputs(" ORDER BY position;\n", out);
}

/* A heading of the column goes before that of the metric, unless several keys share the column. */
static void select_column(FILE *out, const struct described_column *one)
{
	const struct metric *metric = one->metric;
	const char *own = strcmp(one->key, one->column->key) ? NULL : one->column->heading;
	const char *whole = own ? own : metric->sql_heading;
	const char *unit = metric_unit_word(metric->unit);

	fprintf(out, "  json_extract(document, '$.%s') AS \"%s%s%s\",\n", one->key, whole ? whole : metric->heading,
	        whole || !*unit ? "" : ", ", whole ? "" : unit);
}

static void create_view(FILE *out, const struct benchmark *benchmark, const struct result_description *description)
{
	const struct result_column *own = description->sql_columns;
	struct described_column columns[DESCRIBED_COLUMNS];
	const size_t count = described_columns(
	        description, own ? &(const struct result_table){.columns = own} : description->views->table, columns);
	bool has_latency = false;

	fprintf(out, "CREATE VIEW %s AS SELECT\n  test_number AS \"Test\",\n", description->sql);
	for (size_t i = 0; i < count; i++) {
		if (!own && !columns[i].column->sql)
			continue;
		select_column(out, &columns[i]);
		has_latency = has_latency || latency_error_is_of_key(columns[i].key);
	}
	if (has_latency)
		fputs("  (SELECT json_extract(tester, '$.latency_error_ns') FROM run) AS \"Latency error, ns\",\n",
		      out);
	fputs("  why_invalid AS \"Why not\"\n", out);
	select_rows(out, benchmark, description);
}

char *sql_views(void)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		for (const struct result_description *const *one = BENCHMARKS[i]->plan.results; *one; one++) {
			if ((*one)->sql)
				create_view(out, BENCHMARKS[i], *one);
		}
	}
	return fclose(out) ? NULL : text;
}
