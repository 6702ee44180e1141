/* SPDX-License-Identifier: Apache-2.0 */
/* One measure of a trend: every run as a point, the median of each level, and the steps between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "host/report/html/page.h"
#include "host/report/value.h"
#include "host/report/xml_text.h"

enum { MOST_VERSIONS = 40, WIDE_TICS = 8, SMALL_TICS = 4 };

static const json_t *run_at(const json_t *runs, const json_t *number)
{
	return json_array_get(runs, (size_t)json_integer_value(number) - 1);
}

struct format_text html_trend_name(const json_t *series)
{
	struct format_text out = {""};

	text_add(out.text, sizeof(out.text), 0, "%s\xc2\xa0%.30s, %s%s", value_text(series, "test_number", 0).text,
	         value_string(series, "title"), value_frames(series).text, value_goal(series).text);
	return out;
}

/* Only digits reach gnuplot, whatever the file says. */
struct format_text html_trend_date(const json_t *run)
{
	unsigned year, month, day;
	struct format_text out = {"-"};

	if (sscanf(value_string(run, "started"), "%4u-%2u-%2uT", &year, &month, &day) == 3)
		snprintf(out.text, sizeof(out.text), "%04u-%02u-%02u", year, month, day);
	return out;
}

static enum metric_unit unit_of(const char *key)
{
	static const struct {
		const char *end;
		enum metric_unit unit;
	} UNITS[] = {{"_fps", METRIC_FPS},         {"_ns", METRIC_NS},         {"_s", METRIC_S},
	             {"_percent", METRIC_PERCENT}, {"_frames", METRIC_FRAMES}, {"_octets", METRIC_OCTETS}};

	for (size_t i = 0; i < sizeof(UNITS) / sizeof(UNITS[0]); i++) {
		if (value_ends_in(key, UNITS[i].end))
			return UNITS[i].unit;
	}
	return METRIC_NUMBER;
}

/* State that a chart is drawn with. */
struct drawing {
	struct chart *chart;
	const json_t *runs, *series;
	const char *key;
	double factor;
};

/* Versions and reasons are anybody's words, and labels do not go through html_text(). */
static void clean(char *to, size_t size, const char *text)
{
	char *cleaned = xml_text(text);

	text_copy(to, size, cleaned ? cleaned : "-");
	free(cleaned);
}

static void label_point(const struct drawing *drawing, struct chart_point *mark, const json_t *point)
{
	const json_t *run = run_at(drawing->runs, json_object_get(point, "run"));
	const char *key = drawing->key;
	char version[60];

	clean(version, sizeof(version), value_string(run, "firmware"));

	if (json_integer_value(json_object_get(point, "count")) > 1)
		chart_label(
		        mark, "run %s, %s, version %s: %s, %s to %s of %s values", value_text(point, "run", 0).text,
		        html_trend_date(run).text, version, html_quantity(key, json_object_get(point, "value"), 2).text,
		        html_quantity(key, json_object_get(point, "min"), 2).text,
		        html_quantity(key, json_object_get(point, "max"), 2).text, value_text(point, "count", 0).text);
	else
		chart_label(mark, "run %s, %s, version %s: %s", value_text(point, "run", 0).text,
		            html_trend_date(run).text, version,
		            html_quantity(key, json_object_get(point, "value"), 2).text);
}

static bool has_spread(const json_t *points)
{
	const json_t *point;
	size_t i;

	json_array_foreach(points, i, point)
	{
		if (json_integer_value(json_object_get(point, "count")) > 1)
			return true;
	}
	return false;
}

static void add_points(const struct drawing *drawing)
{
	const json_t *points = json_object_get(drawing->series, "points"), *point;
	const bool spread = has_spread(points);
	struct chart_series *marks = chart_series(drawing->chart, spread ? MARK_RANGES : MARK_POINTS, 1, "%s",
	                                          spread ? "a run: mean, smallest and largest value" : "a run");
	size_t i;

	json_array_foreach(points, i, point) label_point(drawing,
	                                                 chart_range(drawing->chart, marks, value_number(point, "run"),
	                                                             value_number(point, "min") / drawing->factor,
	                                                             value_number(point, "value") / drawing->factor,
	                                                             value_number(point, "max") / drawing->factor),
	                                                 point);
}

static void add_levels(const struct drawing *drawing)
{
	const json_t *levels = json_object_get(drawing->series, "levels"), *level;
	struct chart_series *line = chart_series(drawing->chart, MARK_LINE, 2, "median of a level");
	size_t i;

	json_array_foreach(levels, i, level)
	{
		const double y = value_number(level, "median") / drawing->factor;

		chart_gap(line);
		chart_point(drawing->chart, line, value_number(level, "from") - 0.5, y);
		chart_point(drawing->chart, line, value_number(level, "to") + 0.5, y);
	}
}

static void add_upright(struct chart *chart, struct chart_series *line, double run)
{
	chart_gap(line);
	chart_point(chart, line, run - 0.5, chart->y_low);
	chart_point(chart, line, run - 0.5, chart->y_high);
}

static void add_steps(const struct drawing *drawing, const char *verdict, unsigned colour)
{
	const json_t *steps = json_object_get(drawing->series, "steps"), *step;
	struct chart_series *line = chart_series(drawing->chart, MARK_LINE, colour, "step for the %s", verdict);
	size_t i;

	json_array_foreach(steps, i, step)
	{
		if (!strcmp(value_string(step, "verdict"), verdict))
			add_upright(drawing->chart, line, value_number(step, "run"));
	}
}

/* Where nearly every run has a version of its own, lines would hide the points. */
static void add_versions(const struct drawing *drawing)
{
	struct chart_series *line = chart_series(drawing->chart, MARK_DASHES, COLOUR_MUTED, "another version");
	const json_t *run;
	size_t changes = 0, i;

	for (int pass = 0; pass < 2; pass++) {
		json_array_foreach(drawing->runs, i, run)
		{
			if (i == 0 || json_equal(json_object_get(run, "firmware"),
			                         json_object_get(json_array_get(drawing->runs, i - 1), "firmware")))
				continue;
			if (pass == 0)
				changes++;
			else if (changes <= MOST_VERSIONS)
				add_upright(drawing->chart, line, value_number(run, "run"));
		}
	}
}

/* Invalid runs are drawn at the lower edge: they have no value. */
static void add_invalid(const struct drawing *drawing)
{
	const json_t *invalid = json_object_get(drawing->series, "invalid"), *one;
	struct chart_series *marks = chart_series(drawing->chart, MARK_POINTS, COLOUR_BAD, "INVALID");
	size_t i;

	json_array_foreach(invalid, i, one)
	{
		char why[200];

		clean(why, sizeof(why), value_string(one, "why"));
		chart_label(chart_point(drawing->chart, marks, value_number(one, "run"), drawing->chart->y_low),
		            "run %s, %s: INVALID: %s", value_text(one, "run", 0).text,
		            html_trend_date(run_at(drawing->runs, json_object_get(one, "run"))).text, why);
	}
}

/* The axis does not begin at 0: a step of some percent is to be seen. */
static double fit_axes(struct chart *chart, const json_t *points, size_t runs, const char *key)
{
	double low = INFINITY, high = -INFINITY, room;
	struct chart_scale scale;
	const json_t *point;
	size_t i;

	json_array_foreach(points, i, point)
	{
		low = fmin(low, value_number(point, "min"));
		high = fmax(high, value_number(point, "max"));
	}
	scale = html_scale(unit_of(key), fmax(fabs(low), fabs(high)));
	room = high > low ? 0.12 * (high - low) : high != 0 ? 0.05 * fabs(high) : 1;
	chart->y_low = (low - room) / scale.factor;
	chart->y_high = (high + room) / scale.factor;
	chart->x_low = 0.5;
	chart->x_high = (double)runs + 0.5;
	snprintf(chart->y_label, sizeof(chart->y_label), "%s", scale.unit);
	return scale.factor;
}

static void add_tics(struct chart *chart, const json_t *runs, size_t most)
{
	const size_t count = json_array_size(runs), tics = count < most ? count : most;

	for (size_t i = 0; i < tics; i++) {
		const size_t at = tics > 1 ? i * (count - 1) / (tics - 1) : 0;

		chart_tic(chart, (double)(at + 1), "%.10s", html_trend_date(json_array_get(runs, at)).text);
	}
}

static bool draw(struct page *page, const json_t *runs, const json_t *series, bool wide)
{
	const json_t *points = json_object_get(series, "points");
	struct chart chart = {.name = "trend", .x_label = "runs in the order of their dates", .small = !wide};
	struct drawing drawing = {&chart, runs, series, value_string(series, "key"), 1};

	if (json_array_size(points) == 0)
		return false;
	drawing.factor = fit_axes(&chart, points, json_array_size(runs), drawing.key);
	snprintf(chart.title, sizeof(chart.title), "%s: %.60s", html_trend_name(series).text, drawing.key);
	snprintf(chart.description, sizeof(chart.description),
	         "Every run is a point; %s is better. The vertical axis does not begin at 0.",
	         value_string(series, "better"));
	add_tics(&chart, runs, wide ? WIDE_TICS : SMALL_TICS);
	add_versions(&drawing);
	add_points(&drawing);
	add_levels(&drawing);
	add_steps(&drawing, "better", COLOUR_GOOD);
	add_steps(&drawing, "worse", COLOUR_BAD);
	add_invalid(&drawing);
	return html_figure(page, &chart);
}

static void quantity_cell(struct page *page, const json_t *object, const char *key, const char *unit_key)
{
	const json_t *value = json_object_get(object, key);

	html_open(page, "td");
	html_attr(page, "data-key", "%s", key);
	if (json_is_number(value)) {
		html_open(page, "data");
		html_attr(page, "value", "%s", value_digits(value).text);
		html_text(page, "%s", html_quantity(unit_key, value, 2).text);
		html_close(page);
	} else {
		html_text(page, "-");
	}
	html_close(page);
}

void html_trend_step_cells(struct page *page, const json_t *runs, const json_t *series, const json_t *step)
{
	const json_t *run = run_at(runs, json_object_get(step, "run"));
	const char *key = value_string(series, "key"), *verdict = value_string(step, "verdict");

	html_cell_value(page, step, "run", 0);
	html_cell(page, "%s", html_trend_date(run).text);
	html_cell(page, "%s", value_string(run, "firmware"));
	quantity_cell(page, step, "before", key);
	quantity_cell(page, step, "after", key);
	html_cell_value(page, step, "change_percent", 2);
	html_cell_value(page, step, "p", 5);
	html_open_class(page, "td", "text");
	html_element(page, "span", strcmp(verdict, "worse") ? "badge good" : "badge bad", "%s", verdict);
	html_close(page);
}

static void summary_cells(struct page *page, const json_t *object, const char *key)
{
	static const char *const KEYS[] = {"median", "mean", "stddev", "min", "max"};

	html_cell_value(page, object, "runs", 0);
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++)
		quantity_cell(page, object, KEYS[i], key);
}

static void levels(struct page *page, const json_t *series)
{
	const json_t *list = json_object_get(series, "levels"), *level;
	size_t i;

	html_table(page, "levels", "Levels",
	           HEADINGS("From run", "To run", "Runs", "Median", "Mean", "Standard deviation", "Min", "Max"));
	json_array_foreach(list, i, level)
	{
		html_row(page, NULL);
		html_cell_value(page, level, "from", 0);
		html_cell_value(page, level, "to", 0);
		summary_cells(page, level, value_string(series, "key"));
		html_close(page);
	}
	html_table_end(page);
}

static void versions(struct page *page, const json_t *series)
{
	const json_t *list = json_object_get(series, "versions"), *version;
	const size_t count = json_array_size(list), first = count > MOST_VERSIONS ? count - MOST_VERSIONS : 0;

	if (count < 2)
		return;
	html_open(page, "details");
	html_element(page, "summary", NULL, "By version of the device: %s%zu of %zu", first ? "the newest " : "",
	             count - first, count);
	html_table(page, "versions", "By version of the device",
	           HEADINGS("<Version", "Runs", "Median", "Mean", "Standard deviation", "Min", "Max"));
	for (size_t i = first; i < count; i++) {
		version = json_array_get(list, i);
		html_row(page, NULL);
		html_cell_head(page, value_string(version, "firmware"));
		summary_cells(page, version, value_string(series, "key"));
		html_close(page);
	}
	html_table_end(page);
	html_close(page);
}

void html_trend_series(struct page *page, const json_t *runs, const json_t *series, bool wide)
{
	if (!draw(page, runs, series, wide)) {
		html_element(page, "p", "remarks", "%s: %s: no run has a valid value.", html_trend_name(series).text,
		             value_string(series, "key"));
		return;
	}
	if (!strcmp(value_string(series, "verdict"), "untested"))
		html_element(page, "p", "remarks", "Not tested for steps: it has too few runs.");
	if (value_number(series, "doubtful_runs") > 0)
		html_element(page, "p", "remarks",
		             "Newest runs that are worse than all others of their level: %s. That is too few to tell a "
		             "step from chance: measure again.",
		             value_text(series, "doubtful_runs", 0).text);
	if (value_number(series, "autocorrelation") > 0)
		html_element(page, "p", "remarks",
		             "Its noise carries over from run to run (autocorrelation %s): steps are found among such "
		             "noise only if "
		             "they are larger.",
		             value_text(series, "autocorrelation", 2).text);
	if (json_array_size(json_object_get(series, "steps")))
		levels(page, series);
	if (wide)
		versions(page, series);
	html_close(page);
}
