/* SPDX-License-Identifier: Apache-2.0 */
/* Curves through the objects of a list: loss over load. */
#include <math.h>

#include "host/report/html/page.h"
#include "host/report/rows.h"
#include "host/report/value.h"

enum { MOST_CURVES = 12, /* nobody can follow more lines than that */ DIGITS = 5 };

static void add_curve(struct chart *chart, unsigned number, const struct result_listing *rows, const json_t *result)
{
	const struct result_curves *curves = rows->curves;
	const struct format_text frames = value_frames(result);
	/* A title goes to gnuplot, and a mix is text from a plan. */
	struct chart_series *series = value_known(result, "frame_octets")
	                                      ? chart_series(chart, MARK_LINE_POINTS, 1, "%s", frames.text)
	                                      : chart_series(chart, MARK_LINE_POINTS, 1, "%s", html_frames(0).text);
	const json_t *row;
	size_t i;

	chart_look(series, number);
	json_array_foreach(json_object_get(result, rows->list), i, row)
	{
		const double x = value_number(row, curves->x), y = value_number(row, curves->y);

		if (isfinite(x) && isfinite(y))
			chart_label(chart_point(chart, series, x, y), "%s: %s %s, %s %s", frames.text, curves->x_word,
			            html_quantity(curves->x, json_object_get(row, curves->x), DIGITS).text,
			            curves->y_word,
			            html_quantity(curves->y, json_object_get(row, curves->y), DIGITS).text);
		else
			chart_gap(series);
	}
}

bool html_view_curves(struct page *page, const struct part *part, const struct result_listing *rows)
{
	const struct result_curves *curves = rows->curves;
	struct chart chart = {
	        .name = curves->name, .x_label = curves->x_label, .x_high = curves->x_end, .y_high = curves->y_end};
	unsigned number = 0;

	for (size_t i = 0; i < part->count && number < MOST_CURVES; i++) {
		if (rows_are_shown(rows, part->results[i]))
			add_curve(&chart, ++number, rows, part->results[i]);
	}
	snprintf(chart.title, sizeof(chart.title), "%s", curves->title);
	snprintf(chart.y_label, sizeof(chart.y_label), "%s", curves->y_label);
	snprintf(chart.description, sizeof(chart.description), "%s%s", curves->description,
	         part->count > MOST_CURVES ? " Only the first 12 frame sizes are drawn." : "");
	return html_figure(page, &chart);
}
