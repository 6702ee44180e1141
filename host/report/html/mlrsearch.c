/* SPDX-License-Identifier: Apache-2.0 */
/* MLRsearch, RFC 9971: bounds and conditional throughput of every goal over the frame size. */
#include <math.h>
#include <string.h>

#include "host/report/html/page.h"
#include "host/report/value.h"

/* The highest number of a goal; a file of somebody else may have any. */
static unsigned goals_of(const struct part *part)
{
	double most = 0;

	for (size_t i = 0; i < part->count; i++)
		most = fmax(most, value_number(part->results[i], "goal"));
	return (unsigned)fmin(most, 1e6);
}

/* By this factor goals stand beside one another, so that none hides another; sizes that are near leave them less room.
 */
static double goal_step(const struct part *part, unsigned goals)
{
	double nearest = 2;

	for (size_t i = 1; i < part->count; i++) {
		double a = value_number(part->results[i - 1], "frame_octets");
		double b = value_number(part->results[i], "frame_octets");

		if (a > 0 && b > 0 && a != b)
			nearest = fmin(nearest, fmax(a / b, b / a));
	}
	return fmin(1.04, pow(nearest, 0.7 / fmax(goals, 1)));
}

/* Between its bounds a goal's answer lies; the mark is the conditional throughput. */
static void add_goal(const struct part *part, struct html_chart *chart, unsigned goal, unsigned goals, double factor)
{
	struct html_series *series = chart_series(chart, MARK_RANGES, 1, "goal %u", goal);
	double aside = pow(goal_step(part, goals), goal - (goals + 1) / 2.0);

	chart_look(series, goal);
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];
		double answer = value_number(result, "conditional_throughput_fps");
		double lower = value_number(result, "relevant_lower_bound_fps");
		double upper = value_number(result, "relevant_upper_bound_fps");

		if (value_number(result, "goal") != goal || !value_true(result, "valid"))
			continue;
		chart_range(chart, series, value_number(result, "frame_octets") * aside,
		            fmin(isfinite(lower) ? lower : answer, answer) / factor, answer / factor,
		            fmax(isfinite(upper) ? upper : answer, answer) / factor,
		            "%s octets, goal %u: conditional throughput %s, bounds %s to %s",
		            value_text(result, "frame_octets", 0).text, goal,
		            value_rate(result, "conditional_throughput_fps").text,
		            value_rate(result, "relevant_lower_bound_fps").text,
		            value_rate(result, "relevant_upper_bound_fps").text);
	}
}

static void draw(struct page *page, const struct part *part)
{
	struct html_chart chart = {
	        .name = "mlrsearch",
	        .title = "Conditional throughput over frame size",
	};
	struct html_series *theory = chart_series(&chart, MARK_DASHES, COLOUR_MUTED, "theoretical maximum");
	unsigned goals = goals_of(part), drawn = goals < MOST_GOALS ? goals : MOST_GOALS;
	double most = 0, last = 0;
	bool known = false; /* theory alone is no result */
	struct chart_scale scale;

	for (size_t i = 0; i < part->count; i++)
		most = fmax(most, value_number(part->results[i], "max_theoretical_fps"));
	for (size_t i = 0; i < part->count; i++)
		known |= value_known(part->results[i], "conditional_throughput_fps");
	if (!known)
		return;
	snprintf(chart.description, sizeof(chart.description),
	         "For each goal, the conditional throughput between the relevant lower and the relevant upper bound "
	         "(RFC 9971), below the rate that the link allows. The points are in the table below.");
	if (drawn < goals)
		snprintf(chart.description + strlen(chart.description),
		         sizeof(chart.description) - strlen(chart.description),
		         " Of %u goals only the first %u are drawn.", goals, drawn);
	scale = chart_scale_rate(most);
	snprintf(chart.y_label, sizeof(chart.y_label), "%s, a sending port", scale.unit);
	for (size_t i = 0; i < part->count; i++) {
		double octets = value_number(part->results[i], "frame_octets");

		if (octets != last)
			chart_point(&chart, theory, octets,
			            value_number(part->results[i], "max_theoretical_fps") / scale.factor, NULL);
		last = octets;
	}
	for (unsigned goal = 1; goal <= drawn; goal++)
		add_goal(part, &chart, goal, drawn, scale.factor);
	chart_size_tics(&chart, part);
	if (chart_draw(page, &chart))
		chart_end(page);
}

void html_mlrsearch(struct page *page, const struct part *part)
{
	static const char *const HEADINGS[] = {"Size, octets",
	                                       "Goal",
	                                       "Loss ratio",
	                                       "Relevant lower bound, frames/s",
	                                       "Relevant upper bound, frames/s",
	                                       "Conditional throughput, frames/s",
	                                       "Of line rate, %",
	                                       "Theoretical, frames/s",
	                                       "Width",
	                                       "Trials",
	                                       "Traffic",
	                                       "<Regular",
	                                       "<Valid"};

	draw(page, part);
	html_table(page, "mlrsearch", "Bounds and conditional throughput of each goal", HEADINGS,
	           sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];

		html_row(page, result);
		html_cell_value(page, result, "frame_octets", 0);
		html_cell_value(page, result, "goal", 0);
		html_cell_value(page, json_object_get(result, "parameters"), "goal_loss_ratio", 6);
		html_cell_value(page, result, "relevant_lower_bound_fps", 1);
		html_cell_value(page, result, "relevant_upper_bound_fps", 1);
		html_cell_value(page, result, "conditional_throughput_fps", 1);
		html_cell_value(page, result, "conditional_throughput_percent", 3);
		html_cell_value(page, result, "max_theoretical_fps", 1);
		html_cell_value(page, result, "width", 5);
		html_cell_value(page, result, "trials", 0);
		html_cell_time(page, result, "traffic_s", 1, NULL);
		html_cell(page, "%s", value_true(result, "regular") ? "yes" : "no");
		html_cell_valid(page, result);
		html_close(page);
	}
	html_table_end(page);
}
