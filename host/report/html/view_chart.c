/* SPDX-License-Identifier: Apache-2.0 */
/* A chart of a description over the frame size: its series from the results of a test. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/described.h"
#include "host/report/html/page.h"
#include "host/report/latency_error.h"
#include "host/report/value.h"

struct drawing {
	const struct part *part;
	const struct result_description *description;
	const struct result_chart *view;
	struct chart chart;
	struct chart_series *invalid; /* points of results that say nothing about the device */
	double factor;                /* turns values into the unit of the axis */
	double values[MOST_GOALS];    /* values of the key that tells series apart */
	size_t value_count;
	bool cut; /* there are more */
	size_t sizes;
	size_t beside;      /* series with bars or ranges, which are side by side, so that none hides another */
	double step, width; /* step from one of them to the next: for ranges a factor, for bars a part of their
	                     * category */
};

static bool stands_beside(const struct result_series *series)
{
	return !series->reference && (series->mark == MARK_RANGES || series->mark == MARK_BARS);
}

static bool has_bars(const struct result_chart *view)
{
	for (const struct result_series *series = view->series; series->label; series++) {
		if (series->mark == MARK_BARS)
			return true;
	}
	return false;
}

static double value_of(const struct drawing *drawing, const json_t *result, const char *key)
{
	const char *needs = drawing->view->needs;

	if (!key || (needs && !isfinite(described_number(result, needs))))
		return (double)NAN;
	return described_number(result, key);
}

/* The largest value; NAN when nothing was measured. What follows from the link or from theory is not a result. */
static double largest(const struct drawing *drawing)
{
	double most = 0;
	bool measured = false;

	for (const struct result_series *series = drawing->view->series; series->label; series++) {
		for (size_t i = 0; i < drawing->part->count; i++) {
			const json_t *result = drawing->part->results[i];
			double y = value_of(drawing, result, series->y);

			measured |= !series->reference && isfinite(y);
			most = fmax(most, fmax(y, value_of(drawing, result, series->high)));
		}
	}
	return measured ? most : (double)NAN;
}

static bool seen(const struct drawing *drawing, double value)
{
	for (size_t i = 0; i < drawing->value_count; i++) {
		if (drawing->values[i] == value)
			return true;
	}
	return false;
}

/* Values are in the order of the results. */
static void find_values(struct drawing *drawing)
{
	const struct part *part = drawing->part;

	drawing->values[0] = (double)NAN;
	drawing->value_count = !drawing->view->by;
	for (size_t i = 0; drawing->view->by && i < part->count; i++) {
		double value = described_number(part->results[i], drawing->view->by);

		if (!isfinite(value) || seen(drawing, value))
			continue;
		drawing->cut |= drawing->value_count == MOST_GOALS;
		if (drawing->value_count < MOST_GOALS)
			drawing->values[drawing->value_count++] = value;
	}
}

/* Returns whether the previous result is of the same size, as with several goals. */
static bool size_again(const struct part *part, size_t i)
{
	return i > 0 && !strcmp(value_size(part->results[i]).text, value_size(part->results[i - 1]).text);
}

/* The closer the sizes, the less room is left for ranges side by side. */
static void make_room(struct drawing *drawing)
{
	const struct part *part = drawing->part;
	double nearest = 2, last = 0;

	for (const struct result_series *series = drawing->view->series; series->label; series++)
		drawing->beside += stands_beside(series) ? drawing->value_count : 0;
	for (size_t i = 0; i < part->count; i++) {
		double octets = value_number(part->results[i], "frame_octets");

		if (size_again(part, i))
			continue;
		drawing->sizes++;
		if (octets > 0 && last > 0)
			nearest = fmin(nearest, fmax(octets / last, last / octets));
		last = octets;
	}
	drawing->step = fmin(1.04, pow(nearest, 0.7 / fmax((double)drawing->beside, 1)));
	drawing->width = 0.72 / fmax((double)drawing->beside, 1);
}

/* Bars are placed by category. Sizes that were left out keep their place, so that the axis is that of other charts. */
static double x_of(const struct drawing *drawing, const struct result_series *series, size_t place, size_t category,
                   double octets)
{
	double aside = stands_beside(series) ? (double)place - ((double)drawing->beside - 1) / 2 : 0;

	if (drawing->chart.bar_width > 0)
		return (double)category + aside * drawing->width;
	return octets * pow(drawing->step, aside);
}

/* "longest burst 683.00 frames" */
static void write_value(FILE *out, const struct drawing *drawing, const json_t *result, const char *key)
{
	const struct metric *metric = key ? description_metric(drawing->description, key) : NULL;
	bool word = metric && islower((unsigned char)metric->heading[1]);

	if (metric)
		fprintf(out, " %c%s %s", word ? tolower((unsigned char)metric->heading[0]) : metric->heading[0],
		        metric->heading + 1,
		        html_quantity(metric->key, described_value(result, key), (int)metric->places).text);
}

/* The text that is shown when the pointer rests on the mark. NULL: out of memory, and nothing is shown. */
static char *label_of(const struct drawing *drawing, const struct result_series *series, const json_t *result)
{
	const struct result_description *description = drawing->description;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "%s", value_frames(result).text);
	if (drawing->view->by)
		fprintf(out, ", %s %s", series->label, value_text(result, drawing->view->by, 0).text);
	fputc(':', out);
	write_value(out, drawing, result, series->y);
	if (description->answer_percent && !strcmp(series->y, description->answer))
		fprintf(out, ", %s of line rate", value_percent(result, description->answer_percent).text);
	if (series->low) {
		fputc(',', out);
		write_value(out, drawing, result, series->low);
		fputc(',', out);
		write_value(out, drawing, result, series->high);
	}
	if (!value_true(result, "valid"))
		fputs(", not valid", out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static void add_result(struct drawing *drawing, const struct result_series *series, struct chart_series *drawn,
                       const json_t *result, double x)
{
	double y = value_of(drawing, result, series->y) * drawing->factor;
	double low = value_of(drawing, result, series->low) * drawing->factor;
	double high = value_of(drawing, result, series->high) * drawing->factor;
	bool valid = series->reference || value_true(result, "valid");
	struct chart_point *point;

	if (!valid || !isfinite(y))
		chart_gap(drawn);
	point = chart_range(&drawing->chart, valid ? drawn : drawing->invalid, x, isfinite(low) ? low : y, y,
	                    isfinite(high) ? high : y);
	if (point && !series->reference)
		point->label = label_of(drawing, series, result);
}

/* One point per result, or per size if the series is not a measurement. place: among those that are side by side. */
static void add_results(struct drawing *drawing, const struct result_series *series, struct chart_series *drawn,
                        size_t place, double by)
{
	const struct part *part = drawing->part;
	size_t category = 0;

	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];
		bool again = size_again(part, i);
		bool other = isfinite(by) && described_number(result, drawing->view->by) != by;

		category += !again;
		if (!(series->reference ? again : other))
			add_result(drawing, series, drawn, result,
			           x_of(drawing, series, place, category, value_number(result, "frame_octets")));
	}
}

static void add_series(struct drawing *drawing)
{
	enum result_mark bad = has_bars(drawing->view) ? MARK_BARS : drawing->beside ? MARK_RANGES : MARK_POINTS;
	struct chart_series invalid = {.title = "not valid", .mark = bad, .colour = COLOUR_BAD};
	unsigned number = 0;
	size_t place = 0;

	drawing->invalid = &invalid;
	for (const struct result_series *series = drawing->view->series; series->label; series++) {
		for (size_t i = 0; i < (series->reference ? 1 : drawing->value_count); i++) {
			double by = drawing->values[i];
			struct chart_series *drawn =
			        chart_series(&drawing->chart, series->mark, COLOUR_MUTED, "%s", series->label);

			if (!series->reference)
				chart_look(drawn, ++number);
			if (!series->reference && isfinite(by))
				snprintf(drawn->title, sizeof(drawn->title), "%s %.6g", series->label, by);
			add_results(drawing, series, drawn, place, by);
			place += stands_beside(series);
		}
	}
	*chart_series(&drawing->chart, bad, COLOUR_BAD, "not valid") = invalid;
}

/* Labels the categories where there is room. */
static void set_categories(struct drawing *drawing)
{
	const struct part *part = drawing->part;
	struct chart *chart = &drawing->chart;
	size_t category = 0;

	for (size_t i = 0; i < part->count; i++) {
		if (!size_again(part, i) && category++ % (drawing->sizes / MOST_TICS + 1) == 0)
			chart_tic(chart, (double)category, "%s", value_size(part->results[i]).text);
	}
	chart->x_label = "frame size, octets (with FCS)";
	chart->bar_width = 0.94 * drawing->width;
	chart->x_low = 0.4;
	chart->x_high = (double)drawing->sizes + 0.6;
}

static void set_texts(struct drawing *drawing, const char *unit)
{
	const struct result_chart *view = drawing->view;
	struct chart *chart = &drawing->chart;
	size_t length;

	if (!view->y_label)
		snprintf(chart->y_label, sizeof(chart->y_label), "%s, a sending port", unit);
	else
		snprintf(chart->y_label, sizeof(chart->y_label), "%s%s%s", view->y_label, *unit ? ", " : "", unit);
	snprintf(chart->title, sizeof(chart->title), "%s%s", view->title,
	         value_modifier(drawing->part->results[0]).text);
	snprintf(chart->description, sizeof(chart->description), "%s%s", view->description,
	         latency_error_sentence(latency_error_of_series(drawing->part->results[0], view->series)).text);
	length = strlen(chart->description);
	if (drawing->cut)
		snprintf(chart->description + length, sizeof(chart->description) - length,
		         " Only the first %zu series are drawn.", drawing->value_count);
}

void html_view_chart(struct page *page, const struct part *part, const struct result_description *description,
                     const struct result_chart *view)
{
	const struct metric *metric = description_metric(description, view->series->y);
	struct drawing drawing = {.part = part,
	                          .description = description,
	                          .view = view,
	                          .chart = {.name = view->name, .y_log = view->y_log}};
	const double most = largest(&drawing);
	struct chart_scale scale = html_scale(metric ? metric->unit : METRIC_NUMBER, most);

	if (isnan(most))
		return;
	drawing.factor = 1 / scale.factor;
	find_values(&drawing);
	make_room(&drawing);
	set_texts(&drawing, scale.unit);
	if (has_bars(view))
		set_categories(&drawing);
	else
		html_size_tics(&drawing.chart, part);
	add_series(&drawing);
	if (html_figure(page, &drawing.chart))
		html_close(page);
}
