/* SPDX-License-Identifier: Apache-2.0 */
#include "host/commands/sweep/report.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/json_write.h"
#include "host/commands/sweep/manifest.h"
#include "host/commands/sweep/state.h"
#include "host/console/bring_up.h"
#include "host/console/exit_code.h"
#include "host/report/described.h"
#include "host/report/html/report_html.h"
#include "host/report/load.h"
#include "host/report/report.h"
#include "host/report/section.h"
#include "host/report/text_table.h"
#include "host/report/value.h"

enum { SCHEMA = 1 };

static json_t *settings_of(const struct sweep *sweep, size_t number)
{
	json_t *settings = json_object();

	for (size_t i = 0; i < sweep->axis_count; i++)
		json_put(settings, sweep->axes[i].path, json_string(sweep_value(sweep, number, i)));
	return settings;
}

/* The report of a run that `fpgauge report RUN --html` wrote beside its file, under the same name; NULL: there is none.
 */
static json_t *html_file_of(const struct sweep *sweep, const char *run_file)
{
	static const char END[] = ".db";
	char name[SWEEP_FILE_NAME + sizeof(".html")], path[PATH_MAX];

	snprintf(name, sizeof(name), "%.*s.html", (int)(strlen(run_file) - strlen(END)), run_file);
	snprintf(path, sizeof(path), "%s/%s", sweep->directory, name);
	return access(path, R_OK) == 0 ? json_string(name) : NULL;
}

static json_t *point_of(const struct sweep *sweep, size_t number)
{
	struct error why = {0};
	json_t *report, *results, *point;
	char name[SWEEP_FILE_NAME];
	enum point_state state = sweep_state(sweep, number, &report, &why);

	results = json_incref(json_object_get(report, "results"));
	if (!results)
		results = json_array();
	sweep_file_name(sweep, number, name);
	point = json_pack("{s:I, s:o, s:s, s:s, s:o, s:o, s:o*, s:o*}", "number", (json_int_t)number, "settings",
	                  settings_of(sweep, number), "run_file", name, "state", sweep_state_text(state), "passes",
	                  state == POINT_DONE ? json_boolean(report_passes(report)) : json_null(), "results", results,
	                  "why", state == POINT_DAMAGED || state == POINT_FOREIGN ? json_string(why.text) : NULL,
	                  "html_file", html_file_of(sweep, name));
	json_decref(report);
	return point;
}

static json_t *axes_of(const struct sweep *sweep)
{
	json_t *axes = json_array();

	for (size_t i = 0; i < sweep->axis_count; i++)
		json_add(axes, json_string(sweep->axes[i].path));
	return axes;
}

json_t *sweep_report_make(const struct sweep *sweep)
{
	json_t *points = json_array();

	for (size_t number = 1; number <= sweep_points(sweep); number++)
		json_add(points, point_of(sweep, number));
	return json_pack("{s:i, s:s, s:s, s:s, s:s, s:o, s:o}", "fpgauge_sweep_report", SCHEMA, "tool",
	                 "fpgauge " FPGAUGE_VERSION, "directory", sweep->directory, "created", sweep->created,
	                 "plan_path", sweep->files[0].path, "vary", axes_of(sweep), "points", points);
}

static size_t count_state(const json_t *report, const char *state)
{
	const json_t *one;
	size_t count = 0, i;

	json_array_foreach(json_object_get(report, "points"), i, one) count +=
	        !strcmp(value_string(one, "state"), state);
	return count;
}

static size_t count_passed(const json_t *report)
{
	const json_t *one;
	size_t count = 0, i;

	json_array_foreach(json_object_get(report, "points"), i, one) count += value_true(one, "passes");
	return count;
}

bool sweep_report_is_done(const json_t *report)
{
	return count_state(report, "done") == json_array_size(json_object_get(report, "points"));
}

int sweep_report_code(const json_t *report)
{
	return count_passed(report) == json_array_size(json_object_get(report, "points")) ? EXIT_VALID : EXIT_INVALID;
}

/* Number and settings, which only the first row of a run shows. */
static void begin_row(struct text_table *table, const json_t *axes, const json_t *point, bool first)
{
	const json_t *settings = json_object_get(point, "settings"), *axis;
	size_t i;

	text_table_cell(table, "%s", first ? value_text(point, "number", 0).text : "");
	json_array_foreach(axes, i, axis)
	        text_table_cell(table, "%s", first ? value_string(settings, json_string_value(axis)) : "");
}

static const char *word_of(const json_t *point, const json_t *result)
{
	if (strcmp(value_string(point, "state"), "done") != 0)
		return value_string(point, "state");
	if (value_true(result, "skipped"))
		return "not tested";
	if (!strcmp(value_string(result, "verdict"), "fail"))
		return described_has_flags(result) ? "LIMIT MISSED, see !" : "LIMIT MISSED";
	return described_valid(result);
}

static void add_result(struct text_table *table, const json_t *point, const json_t *result)
{
	const struct result_description *description = described(result);
	const char *answer = description ? description->answer : NULL;
	const struct metric *metric = answer ? description_metric(description, answer) : NULL;

	text_table_cell(table, "%s", value_string(result, "test"));
	text_table_cell(table, "%s%s", value_place(result).text, value_goal(result).text);
	text_table_cell(table, "%s", metric ? value_text(result, answer, (int)metric->places).text : "-");
	text_table_cell(table, "%s", answer ? answer : "-");
	text_table_cell(table, "%s", word_of(point, result));
}

static void add_point(struct text_table *table, const json_t *axes, const json_t *point)
{
	const json_t *results = json_object_get(point, "results"), *result;
	size_t i;

	json_array_foreach(results, i, result)
	{
		begin_row(table, axes, point, i == 0);
		add_result(table, point, result);
	}
	if (json_array_size(results))
		return;
	begin_row(table, axes, point, true);
	for (i = 0; i < 4; i++)
		text_table_cell(table, "-");
	text_table_cell(table, "%s", value_string(point, "state"));
}

/* Doubts are those that the report of each run has about its results. */
static void print_doubts(const json_t *point, FILE *out)
{
	const json_t *result;
	char where[120];
	size_t i;

	if (json_object_get(point, "why"))
		fprintf(out, "  ! run %s: %s\n", value_text(point, "number", 0).text, value_string(point, "why"));
	json_array_foreach(json_object_get(point, "results"), i, result)
	{
		snprintf(where, sizeof(where), "run %.20s, %.60s, ", value_text(point, "number", 0).text,
		         value_string(result, "test"));
		section_doubts(result, where, out);
	}
}

static size_t count_remarked(const json_t *report)
{
	const json_t *one;
	size_t count = 0, i;

	json_array_foreach(json_object_get(report, "points"), i, one) count +=
	        value_true(one, "passes") && described_any_has_flags(one);
	return count;
}

static void print_table(const json_t *report, FILE *out)
{
	static const char *const REST[] = {"<Test", "Size, octets", "Value", "<Key", "<Valid"};
	const json_t *axes = json_object_get(report, "vary"), *points = json_object_get(report, "points"), *one;
	const char *headings[TEXT_TABLE_COLUMNS] = {"Run"};
	char axis_headings[SWEEP_MAX_AXES][TEXT_TABLE_CELL], remarked[60] = "";
	struct text_table table;
	size_t columns = 1, i;

	json_array_foreach(axes, i, one)
	{
		snprintf(axis_headings[i], sizeof(axis_headings[i]), "<%s", json_string_value(one));
		headings[columns++] = axis_headings[i];
	}
	for (i = 0; i < sizeof(REST) / sizeof(REST[0]); i++)
		headings[columns++] = REST[i];
	fprintf(out, "\nSweep of %s in %s\n\n", value_string(report, "plan_path"), value_string(report, "directory"));
	text_table_begin(&table, headings, columns);
	json_array_foreach(points, i, one) add_point(&table, axes, one);
	text_table_end(&table, out);
	json_array_foreach(points, i, one) print_doubts(one, out);
	if (count_remarked(report))
		snprintf(remarked, sizeof(remarked), " (%zu with remarks, see !)", count_remarked(report));
	fprintf(out,
	        "\n%zu runs: %zu done, %zu of them passed%s; %zu incomplete, %zu not begun. Of each: `fpgauge report "
	        "FILE`, whose name begins with the number.\n",
	        json_array_size(points), count_state(report, "done"), count_passed(report), remarked,
	        count_state(report, "incomplete"), count_state(report, "not begun"));
}

/* Links lead from the folder of the page: a name, if that is the folder of the sweep, else the whole path. */
static void place_links(json_t *report, const char *html_path)
{
	char *folder = realpath(value_string(report, "directory"), NULL), *copy = strdup(html_path);
	char *pages = copy ? realpath(dirname(copy), NULL) : NULL;
	json_t *point;
	size_t i;

	json_array_foreach(json_object_get(report, "points"), i, point)
	{
		const char *name = json_string_value(json_object_get(point, "html_file"));

		if (name && folder && (!pages || strcmp(folder, pages) != 0))
			json_put(point, "html_file", json_sprintf("%s/%s", folder, name));
	}
	free(pages);
	free(copy);
	free(folder);
}

static int write_html(const json_t *report, const char *path, struct error *error)
{
	json_t *placed = json_deep_copy(report);
	int result;

	if (!placed)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	place_links(placed, path);
	result = report_html_sweep(placed, path, error);
	json_decref(placed);
	return result;
}

int sweep_report_write(const json_t *report, const struct output_options *options, struct error *error)
{
	const bool taken = options->json_path && !strcmp(options->json_path, "-");
	json_t *shown;

	if (!options->quiet && !taken) {
		shown = value_printable(report);
		if (!shown)
			return error_set(error, ERROR_INTERNAL, "out of memory");
		print_table(shown, stdout);
		json_decref(shown);
	}
	if (options->html_path && write_html(report, options->html_path, error))
		return error->code;
	return options->json_path ? report_json(report, options->json_path, error) : 0;
}

static int check_options(const char *path, const struct output_options *options, struct error *error)
{
	const char *other = options->csv_path     ? "--csv"
	                    : options->junit_path ? "--junit"
	                    : options->pdf_path   ? "--pdf"
	                                          : NULL;

	if (other)
		return error_set(
		        error, ERROR_PLAN,
		        "%s: is made of one run; of the sweep %s there is a table, --html FILE and --json FILE", other,
		        path);
	if (options->html_path && report_html_sweep_check(options->html_path, error))
		return error->code;
	return options->json_path ? report_json_check(options->json_path, error) : 0;
}

int sweep_report(const char *path, const struct output_options *options, const char *command)
{
	struct sweep sweep = {0};
	struct error error = {0};
	json_t *report = NULL;
	int code = EXIT_VALID;

	if (!check_options(path, options, &error) && !manifest_read(path, &sweep, &error)) {
		report = sweep_report_make(&sweep);
		if (!report)
			error_set(&error, ERROR_INTERNAL, "out of memory");
		else if (!sweep_report_write(report, options, &error))
			code = sweep_report_code(report);
	}
	if (error.code)
		code = exit_code_of(&error, command);
	json_decref(report);
	sweep_free(&sweep);
	return code;
}
