/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of results: figures in the page, and axes by frame size and by unit. */
#include <math.h>

#include "host/report/html/page.h"
#include "host/report/value.h"

/* A tic for every size, with a text where the logarithmic axis has room for one. The last size always has its text. */
void html_size_tics(struct chart *chart, const struct part *part)
{
	double first = 0, last = 0, shown = 0, room;

	chart->x_log = true;
	chart->x_label = "frame size, octets (with FCS; logarithmic)";
	for (size_t i = 0; i < part->count; i++) {
		double octets = value_number(part->results[i], "frame_octets");

		if (!chart_can_show(octets, true))
			continue;
		first = first > 0 ? fmin(first, octets) : octets;
		last = fmax(last, octets);
	}
	if (last == 0)
		return;
	room = pow(last / first, 0.055);
	for (size_t i = 0; i < part->count && chart->tic_count + 1 < MOST_TICS; i++) {
		double octets = value_number(part->results[i], "frame_octets");
		bool fits = octets > shown * room && last > octets * room;

		if (!chart_can_show(octets, true) || octets == last ||
		    (chart->tic_count && octets == chart->tics[chart->tic_count - 1]))
			continue;
		if (fits)
			chart_tic(chart, octets, "%.0f", octets);
		else
			chart_tic(chart, octets, "%s", "");
		shown = fits ? octets : shown;
	}
	chart_tic(chart, last, "%.0f", last);
}

struct chart_scale html_scale(enum metric_unit unit, double largest)
{
	double seconds = html_unit_seconds(unit);
	struct chart_scale scale = {1, metric_unit_word(unit)};

	if (unit == METRIC_FPS)
		return chart_scale_rate(largest);
	if (unit == METRIC_FRAMES && largest >= 1e6)
		return (struct chart_scale){1e6, "million frames"};
	if (seconds > 0) {
		scale = chart_scale_time(largest * seconds);
		scale.factor /= seconds;
	}
	return scale;
}

bool html_figure(struct page *page, struct chart *chart)
{
	xmlBufferPtr svg = NULL;

	snprintf(chart->id, sizeof(chart->id), "chart%u", page->figures + 1);
	if (!page->status && chart_draw(chart, &svg, page->error)) {
		error_prefix(page->error, "--html: ");
		html_fail(page, page->error->code);
	}
	chart_free(chart);
	if (!svg)
		return false;
	page->figures++;
	html_open(page, "figure");
	html_attr(page, "data-chart", "%s", chart->name);
	if (chart->small)
		html_attr(page, "class", "small");
	html_open(page, "figcaption");
	html_element(page, "strong", NULL, "%s.", chart->title);
	if (!chart->small) /* a group of small charts has its explanation once, before all of them */
		html_text(page, " %s", chart->description);
	html_close(page);
	html_open_scroll(page, chart->title);
	html_markup(page, (const char *)xmlBufferContent(svg));
	html_close(page);
	xmlBufferFree(svg);
	return true;
}
