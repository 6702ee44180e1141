/* SPDX-License-Identifier: Apache-2.0 */
/* CREATE VIEW statements from descriptions. Keys and headings are ours: none contains a quote. */
#include "host/report/sql_views.h"

#include <stdio.h>

#include "host/bench/benchmark.h"
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

static void create_view(FILE *out, const struct benchmark *benchmark, const struct result_description *description)
{
	fprintf(out, "CREATE VIEW %s AS SELECT\n  test_number AS \"Test\",\n", description->sql->name);
	for (const struct result_column *column = description->sql->columns; column->key; column++)
		fprintf(out, "  json_extract(document, '$.%s') AS \"%s\",\n", column->key,
		        column->heading ? column->heading : column->key);
	if (latency_error_is_of(description->sql->columns))
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
