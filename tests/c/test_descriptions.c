/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptions of results are data, and a typo in a key would silently drop a column. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "host/bench/benchmark.h"

static void expect_metric(const struct result_description *description, const char *key, const char *where)
{
	cr_expect_not_null(description_metric(description, key), "%s, %s: no metric %s", description->test, where, key);
}

/* "a,b,c" is three keys. */
static void expect_metrics(const struct result_description *description, const char *keys, const char *where)
{
	char list[200], *rest = list;

	cr_assert_lt(strlen(keys), sizeof(list));
	strcpy(list, keys);
	for (char *key; (key = strsep(&rest, ",")) != NULL;)
		expect_metric(description, key, where);
}

static void expect_table(const struct result_description *description, const struct result_table *table)
{
	cr_expect_not_null(table->columns->key, "%s", table->name);
	if (table->needs)
		expect_metric(description, table->needs, table->name);
	for (const struct result_column *column = table->columns; column->key; column++)
		expect_metrics(description, column->key, table->name);
}

static void expect_chart(const struct result_description *description, const struct result_chart *chart)
{
	cr_expect_not_null(chart->title);
	cr_expect_not_null(chart->description);
	cr_expect_lt(strlen(chart->description), 500, "%s: a caption holds no more", chart->name);
	if (chart->by)
		expect_metric(description, chart->by, chart->name);
	if (chart->needs)
		expect_metric(description, chart->needs, chart->name);
	for (const struct result_series *series = chart->series; series->label; series++) {
		expect_metric(description, series->y, chart->name);
		cr_expect_eq(series->mark == MARK_RANGES, series->low != NULL, "%s", chart->name);
		cr_expect_eq(series->mark == MARK_RANGES, series->high != NULL, "%s", chart->name);
		if (series->low && series->high) {
			expect_metric(description, series->low, chart->name);
			expect_metric(description, series->high, chart->name);
		}
		cr_expect_eq(description_metric(description, series->y)->unit,
		             description_metric(description, chart->series->y)->unit, "%s: one axis, one unit",
		             chart->name);
	}
}

static void expect_views(const struct result_description *description)
{
	for (const struct result_view *view = description->views; view->chart || view->table || view->bins; view++) {
		if (view->chart)
			expect_chart(description, view->chart);
		if (view->table) {
			cr_expect_not_null(view->table->caption, "%s", view->table->name);
			expect_table(description, view->table);
		}
		if (view->bins)
			expect_metric(description, view->bins->list, "bins");
	}
}

/* Expects a list of objects, and columns that are of these. */
static void expect_listing(const struct result_description *description, const struct result_listing *listing)
{
	const struct metric *list = description_metric(description, listing->list);
	struct result_column columns[LISTING_COLUMNS];

	cr_assert(list && list->items, "%s: no list %s", description->test, listing->list);
	cr_expect(listing->columns || listing->items == list->items, "%s: %s", description->test, listing->list);
	listing_columns(listing, columns);
	cr_expect_not_null(columns->key, "%s: %s", description->test, listing->list);
	for (const struct result_column *column = columns; column->key; column++) {
		size_t i = 0;

		while (i < list->items->count && strcmp(list->items->metrics[i].key, column->key) != 0)
			i++;
		cr_expect_lt(i, list->items->count, "%s: %s has no %s", description->test, listing->list, column->key);
	}
}

/* Expects what the schema and the page of results need. */
static void expect_definition(const struct metric *metric)
{
	const bool inner = strchr(metric->key, '.') != NULL;

	cr_expect(inner || metric->from_trials || metric->meaning, "%s means nothing", metric->key);
	cr_expect_eq(metric->definition != NULL, metric->unit == METRIC_LIST || metric->unit == METRIC_OBJECT, "%s",
	             metric->key);
	cr_expect_eq(metric->items != NULL, metric->unit == METRIC_LIST, "%s", metric->key);
	cr_expect(!metric->whole || metric->places == 0, "%s", metric->key);
}

static void expect_no_quote(const char *heading, const char *view)
{
	cr_expect(!heading || !strpbrk(heading, "\"'"), "%s", view);
}

static void expect_one_of_its_key(const struct result_description *description, const struct metric *metric)
{
	cr_expect_eq(description_metric(description, metric->key), metric, "%s: %s comes twice", description->test,
	             metric->key);
	cr_expect_not_null(metric->heading, "%s: %s", description->test, metric->key);
	expect_no_quote(metric->heading, metric->key);
	expect_no_quote(metric->sql_heading, metric->key);
	expect_definition(metric);
}

/* Expects a view with columns, of which the metrics are known. */
static void expect_view(const struct result_description *description)
{
	const struct result_column *own = description->sql_columns;
	size_t count = 0;

	for (const struct result_column *column = own ? own : description->views->table->columns; column->key;
	     column++) {
		if (!own && !column->sql)
			continue;
		expect_metrics(description, column->key, description->sql);
		expect_no_quote(column->heading, description->sql);
		count++;
	}
	cr_expect_gt(count, 1, "%s", description->sql);
}

static void expect_description(const struct benchmark *benchmark, const struct result_description *description)
{
	const struct metric *metric;

	cr_expect_str_eq(description->test, benchmark_name(benchmark));
	cr_expect_eq(benchmark_find(description->test), benchmark);
	cr_expect(description->title && description->clause);
	expect_metric(description, description->answer, "answer");
	cr_expect_neq(description_metric(description, description->answer)->better, BETTER_NEITHER);
	if (description->answer_percent)
		expect_metric(description, description->answer_percent, "answer");
	for (size_t i = 0; (metric = description_at(description, i)); i++)
		expect_one_of_its_key(description, metric);
	expect_views(description);
	for (const struct result_listing *const *one = description->listings; one && *one; one++)
		expect_listing(description, *one);
	if (description->sql)
		expect_view(description);
}

Test(descriptions, every_key_in_a_table_or_chart_is_a_metric_of_the_benchmark)
{
	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		const struct result_description *const *one = BENCHMARKS[i]->plan.results;

		cr_assert_not_null(*one, "%s", benchmark_name(BENCHMARKS[i]));
		for (; *one; one++) {
			expect_description(BENCHMARKS[i], *one);
			/* the first that applies to a result is taken: after one for all results, no other ever is */
			cr_expect_eq(one[1] == NULL, (*one)->when == NULL, "%s", benchmark_name(BENCHMARKS[i]));
		}
	}
}

/* Each definition name of the schema has one meaning. */
static void expect_one_meaning(const struct metric *other, const struct metric *metric)
{
	cr_expect(!metric->definition || strcmp(metric->definition, other->definition) != 0 ||
	                  (metric->items == other->items && metric->items_open == other->items_open),
	          "%s and %s have items of one name, and not the same", metric->key, other->key);
}

static void expect_one_meaning_in_all(const struct metric *metric)
{
	const struct metric *other;

	for (size_t i = 0; metric->definition && i < BENCHMARK_COUNT; i++) {
		for (const struct result_description *const *one = BENCHMARKS[i]->plan.results; *one; one++) {
			for (size_t j = 0; (other = description_at(*one, j)); j++)
				expect_one_meaning(metric, other);
		}
	}
}

Test(descriptions, a_definition_of_one_name_is_the_same_in_all_benchmarks)
{
	const struct metric *metric;

	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		for (const struct result_description *const *one = BENCHMARKS[i]->plan.results; *one; one++) {
			for (size_t j = 0; (metric = description_at(*one, j)); j++)
				expect_one_meaning_in_all(metric);
		}
	}
}

Test(descriptions, a_name_that_no_benchmark_has_finds_none)
{
	cr_expect_null(benchmark_find("throughput "));
	cr_expect_null(benchmark_find(""));
}
