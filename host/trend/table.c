/* SPDX-License-Identifier: Apache-2.0 */
/* A trend for the terminal. */
#include "host/report/text_table.h"
#include "host/report/value.h"
#include "host/trend/trend.h"

static void number_cell(struct text_table *table, const json_t *step, const char *key)
{
	text_table_cell(table, "%s", value_text(step, key, 2).text);
}

static void step_row(struct text_table *table, const json_t *runs, const json_t *series, const json_t *step)
{
	const size_t number = (size_t)json_integer_value(json_object_get(step, "run"));
	const json_t *run = json_array_get(runs, number - 1);

	text_table_cell(table, "%s %s%s%s", value_text(series, "test_number", 0).text, value_string(series, "test"),
	                value_known(series, "goal") ? " goal " : "",
	                value_known(series, "goal") ? value_text(series, "goal", 0).text : "");
	text_table_cell(table, "%s", value_place(series).text);
	text_table_cell(table, "%s", value_string(series, "key"));
	text_table_cell(table, "%.10s", value_string(run, "started"));
	text_table_cell(table, "%.40s", value_string(run, "firmware"));
	number_cell(table, step, "before");
	number_cell(table, step, "after");
	if (value_known(step, "change_percent"))
		text_table_cell(table, "%s", format_change(value_number(step, "change_percent")).text);
	else
		text_table_cell(table, "-");
	text_table_cell(table, "%s", value_string(step, "verdict"));
	text_table_cell(table, "%s", value_string(run, "path"));
}

/* Newest runs that are worse than their level, but too few for a step. */
static void print_doubtful(const json_t *list, FILE *out)
{
	const json_t *series;
	size_t i;

	json_array_foreach(list, i, series)
	{
		if (value_number(series, "doubtful_runs") > 0)
			fprintf(out,
			        "  ! %s %s, %s octets%s, %s: newest runs that are worse than all others of their "
			        "level: %s; too few to tell a step from chance: measure again\n",
			        value_text(series, "test_number", 0).text, value_string(series, "test"),
			        value_place(series).text, value_goal(series).text, value_string(series, "key"),
			        value_text(series, "doubtful_runs", 0).text);
	}
}

/* Memory makes steps harder to tell; a slow drift looks like it. */
static void print_memory(const json_t *list, FILE *out)
{
	const json_t *series;
	double most = 0;
	size_t count = 0, i;

	json_array_foreach(list, i, series)
	{
		const double memory = value_number(series, "autocorrelation");

		count += memory > 0;
		most = memory > most ? memory : most;
	}
	if (count)
		fprintf(out,
		        "  ! %zu measures drift, or have noise that carries over from run to run (autocorrelation up "
		        "to "
		        "%.2f): in these only larger steps are marked\n",
		        count, most);
}

static void print_plan(const json_t *plan, size_t number, FILE *out)
{
	static const char *const HEADINGS[] = {"<Test",  "Size, octets", "<Value", "<Since",   "<Version",
	                                       "Before", "After",        "Change", "<Verdict", "<First run"};
	const json_t *runs = json_object_get(plan, "runs"), *list = json_object_get(plan, "series"), *series, *step;
	struct text_table table;
	size_t i, j, steps = 0;

	fprintf(out, "  Plan %zu: %s, %zu runs, %.10s to %.10s, %zu measures\n", number, value_string(plan, "dut"),
	        json_array_size(runs), value_string(json_array_get(runs, 0), "started"),
	        value_string(json_array_get(runs, json_array_size(runs) - 1), "started"), json_array_size(list));
	text_table_begin(&table, HEADINGS, sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	json_array_foreach(list, i, series)
	{
		json_array_foreach(json_object_get(series, "steps"), j, step)
		{
			step_row(&table, runs, series, step);
			steps++;
		}
	}
	if (!steps)
		fprintf(out, "  no step\n");
	text_table_end(&table, out);
	print_doubtful(list, out);
	print_memory(list, out);
	fputc('\n', out);
}

static void print_summary(const json_t *trend, FILE *out)
{
	const json_t *method = json_object_get(trend, "method");
	const json_int_t measures = json_integer_value(json_object_get(trend, "measures"));
	const json_int_t tested = json_integer_value(json_object_get(trend, "tested"));

	if (tested < measures)
		fprintf(out,
		        "  ! %" JSON_INTEGER_FORMAT
		        " measures have fewer than %s runs: not tested; a step in them cannot "
		        "be seen\n",
		        measures - tested, value_text(method, "least_runs", 0).text);
	fprintf(out,
	        "\n%s of %" JSON_INTEGER_FORMAT " measures have a step of more than %.4g%%; the newest step of %s is "
	        "for the worse.\n",
	        value_text(trend, "with_steps", 0).text, tested, value_number(method, "tolerance_percent"),
	        value_text(trend, "worse", 0).text);
}

static void print_trend(const json_t *trend, FILE *out)
{
	const json_t *plans = json_object_get(trend, "plans"), *one;
	size_t i;

	json_array_foreach(plans, i, one) print_plan(one, i + 1, out);
	json_array_foreach(json_object_get(trend, "passed_over"), i, one)
	        fprintf(out, "  ! not %s: %s\n", value_string(one, "path"), value_string(one, "why"));
	print_summary(trend, out);
}

void trend_table(const json_t *trend, FILE *out)
{
	json_t *shown = value_printable(trend);

	if (shown)
		print_trend(shown, out);
	else
		fprintf(out, "(out of memory: the trend is left out)\n");
	json_decref(shown);
}
