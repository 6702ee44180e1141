/* SPDX-License-Identifier: Apache-2.0 */
/* The course of the searches: one chart per frame size, every trial at its load or burst length. Repeated searches (RFC
 * 9004 section 6.3) are overlaid; those of their trials that are alike are one point and one row, with their number. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/format.h"
#include "host/report/described.h"
#include "host/report/html/page.h"
#include "host/report/value.h"
#include "host/traffic/shape.h"

enum { MOST_TRACES = 24 }; /* charts per test; every trial is in the run file */

enum outcome { CLEAN, LOSSY, INVALID, OUTCOMES };

/* Trials at the same position in their searches, at the same point, with the same outcome. */
struct step {
	unsigned index; /* number of the trial in its search, from 1 */
	double point;   /* frames a second, frames of a burst, or octets between bursts */
	enum outcome outcome;
	uint64_t low, high; /* bounds before it */
	bool same_bounds;
	double duration_s; /* NAN for a burst */
	uint64_t trials, offered_frames, lost_frames;
};

struct trace {
	const struct part *part;
	const struct html_trial *first; /* the trial which has its frames and modifiers */
	bool burst, gap;                /* true: the points are these instead of loads; both: octets between bursts */
	unsigned searches;
	struct step *steps;
	size_t count;
};

static int compare(const void *a, const void *b)
{
	const struct step *left = a, *right = b;

	if (left->index != right->index)
		return left->index < right->index ? -1 : 1;
	if (left->point < right->point || left->point > right->point)
		return left->point < right->point ? -1 : 1;
	return (int)left->outcome - (int)right->outcome;
}

static void merge(struct step *to, const struct step *more)
{
	to->same_bounds &= more->same_bounds && to->low == more->low && to->high == more->high;
	to->trials += more->trials;
	to->offered_frames += more->offered_frames;
	to->lost_frames += more->lost_frames;
}

static struct step step_of(const struct html_trial *trial, unsigned index)
{
	bool known = isfinite(html_loss_percent(trial));

	return (struct step){
	        .index = index,
	        .point = trial->burst_gap_octets ? (double)trial->burst_gap_octets
	                 : trial->burst          ? (double)trial->burst_frames
	                                         : trial->load_fps,
	        .outcome = !trial->valid            ? INVALID
	                   : trial->lost_frames > 0 ? LOSSY
	                                            : CLEAN,
	        .low = trial->place.low,
	        .high = trial->place.high,
	        .same_bounds = true,
	        .duration_s = trial->burst ? (double)NAN : trial->duration_s,
	        .trials = 1,
	        .offered_frames = known ? trial->offered_frames : 0,
	        .lost_frames = known ? trial->lost_frames : 0,
	};
}

/* Returns whether both are of the same test, with the same frames. */
static bool is_alike(const struct html_trial *one, const struct html_trial *other)
{
	return one->place.test_number == other->place.test_number &&
	       one->place.frame_octets == other->place.frame_octets && one->modifiers == other->modifiers;
}

static void collect(const struct page *page, struct trace *trace)
{
	unsigned repetition = 0, index = 0;
	size_t all = 0;

	for (size_t i = 0; i < page->trial_count; i++) {
		const struct html_trial *trial = &page->trials[i];

		if (!is_alike(trial, trace->first))
			continue;
		if (trial->place.repetition != repetition) {
			repetition = trial->place.repetition;
			trace->searches++;
			index = 0;
		}
		trace->burst = trial->burst;
		trace->gap = trial->burst_gap_octets != 0;
		trace->steps[all++] = step_of(trial, ++index);
	}
	qsort(trace->steps, all, sizeof(*trace->steps), compare);
	for (size_t i = 0; i < all; i++) {
		if (trace->count && compare(&trace->steps[trace->count - 1], &trace->steps[i]) == 0)
			merge(&trace->steps[trace->count - 1], &trace->steps[i]);
		else
			trace->steps[trace->count++] = trace->steps[i];
	}
}

/* The axis spans what was tried; bounds far outside, as they are before the first trial, leave the chart. */
static struct chart_scale fit(const struct trace *trace, struct chart *chart)
{
	double low = INFINITY, high = 0;
	struct chart_scale scale;

	for (size_t i = 0; i < trace->count; i++) {
		low = fmin(low, trace->steps[i].point);
		high = fmax(high, trace->steps[i].point);
	}
	scale = trace->gap     ? (struct chart_scale){1, "octets between bursts"}
	        : trace->burst ? (struct chart_scale){1, "frames of burst"}
	                       : chart_scale_rate(high);
	chart->y_log = low > 0 && high > 10 * low;
	chart->y_low = chart->y_log ? low / 1.4 / scale.factor : low * 0.96 / scale.factor;
	chart->y_high = chart->y_log ? high * 1.4 / scale.factor : (high * 1.04 + 1e-9) / scale.factor;
	snprintf(chart->y_label, sizeof(chart->y_label), "%s", scale.unit);
	chart->x_low = 0.5;
	chart->x_high = trace->count ? trace->steps[trace->count - 1].index + 0.5 : 1.5;
	return scale;
}

/* The bracket of a bisection; of several searches, as long as the trials agree. */
static void add_bracket(const struct trace *trace, struct chart *chart, double factor)
{
	struct chart_series *lower = chart_series(chart, MARK_STEPS, 1, "lower bound");
	struct chart_series *upper = chart_series(chart, MARK_STEPS, 2, "upper bound");
	unsigned last = 0;

	for (size_t i = 0; i < trace->count; i++) {
		const struct step *step = &trace->steps[i];

		if (step->index == last || !step->same_bounds)
			continue;
		last = step->index;
		if (step->low)
			chart_point(chart, lower, step->index, (double)step->low / factor);
		if (step->high)
			chart_point(chart, upper, step->index, (double)step->high / factor);
	}
}

/* A bound across the chart, with the mark of its goal at both ends; it is shorter for later goals, so that goals with
 * the same bound do not hide one another. It is a load that was tried, so it is on the axis; the bound of a damaged
 * result is left out. */
static void add_bound(struct chart *chart, enum result_mark mark, unsigned goal, const char *title, double value)
{
	struct chart_series *series = chart_series(chart, mark, 1, "%s", title);
	double aside = (chart->x_high - chart->x_low) * 0.028 * (goal - 1);

	chart_look(series, goal);
	if (!(value >= chart->y_low && value <= chart->y_high))
		return;
	chart_point(chart, series, chart->x_low + aside, value);
	chart_point(chart, series, chart->x_high - aside, value);
}

/* The chart with the final bounds of every goal, as for MLRsearch. NULL: the search has bounds of its own. */
static const struct result_chart *goals_chart(const char *test)
{
	const struct result_description *description = described_test(test);
	const struct result_view *view = description ? description->views : NULL;

	for (; view && (view->chart || view->table || view->bins); view++) {
		if (view->chart && view->chart->by)
			return view->chart;
	}
	return NULL;
}

static void add_goals(const struct trace *trace, struct chart *chart, const struct result_chart *goals, double factor)
{
	const struct result_series *series = goals->series;
	size_t drawn = 0;

	while (series->label && !series->low)
		series++;
	for (size_t i = 0; series->label && i < trace->part->count && drawn < MOST_GOALS; i++) {
		const json_t *result = trace->part->results[i];
		double goal = described_number(result, goals->by);
		double lower = described_number(result, series->low) / factor;
		char title[32];

		if (json_integer_value(json_object_get(result, "frame_octets")) != trace->first->place.frame_octets ||
		    !html_is_of(trace->first->modifiers, result) || !(goal >= 1 && goal <= MOST_GOALS))
			continue;
		snprintf(title, sizeof(title), "%s %.0f", series->label, goal);
		add_bound(chart, MARK_LINE_POINTS, (unsigned)goal, title, lower);
		/* if there is no lower bound, the upper one is in the key */
		add_bound(chart, MARK_DASHES_POINTS, (unsigned)goal, isfinite(lower) ? "" : title,
		          described_number(result, series->high) / factor);
		drawn++;
	}
}

static const char *const OUTCOME_NAMES[] = {"no loss", "loss", "invalid"};

static void add_trials(const struct trace *trace, struct chart *chart, double factor)
{
	static const unsigned COLOUR[] = {COLOUR_GOOD, COLOUR_BAD, COLOUR_MUTED};

	for (unsigned outcome = 0; outcome < OUTCOMES; outcome++) {
		struct chart_series *series =
		        chart_series(chart, MARK_POINTS, COLOUR[outcome], "%s", OUTCOME_NAMES[outcome]);

		for (size_t i = 0; i < trace->count; i++) {
			const struct step *step = &trace->steps[i];

			if (step->outcome != outcome)
				continue;
			chart_label(chart_point(chart, series, step->index, step->point / factor), "trial %u: %s, %s%s",
			            step->index,
			            trace->burst ? html_grouped(step->point, 0).text : format_fps(step->point).text,
			            OUTCOME_NAMES[outcome], step->trials > 1 ? ", in several searches" : "");
		}
	}
}

static bool draw(struct page *page, const struct trace *trace)
{
	struct chart chart = {.name = "search_trace", .small = true, .x_label = "trial of the search"};
	const struct result_chart *goals = goals_chart(trace->part->test);
	struct chart_scale scale = fit(trace, &chart);

	snprintf(chart.title, sizeof(chart.title), "Search trace, %s", html_frames_of(trace->first).text);
	snprintf(chart.description, sizeof(chart.description),
	         "Every trial in the order of its search, at the %s it asked for. The points are in the table below.",
	         trace->gap     ? "gap between bursts"
	         : trace->burst ? "length of burst"
	                        : "load");
	if (goals)
		add_goals(trace, &chart, goals, scale.factor);
	else
		add_bracket(trace, &chart, scale.factor);
	add_trials(trace, &chart, scale.factor);
	return html_figure(page, &chart);
}

static void table(struct page *page, const struct trace *trace)
{
	char caption[120];

	snprintf(caption, sizeof(caption), "Trials of the searches at %s", html_frames_of(trace->first).text);
	html_table(page, "search_trace", caption,
	           HEADINGS("Trial",
	                    trace->gap     ? "Gap, octets"
	                    : trace->burst ? "Burst, frames"
	                                   : "Load, frames/s",
	                    "Duration", "<Outcome", "Searches", "Offered, frames", "Lost, frames", "Lower bound before",
	                    "Upper bound before"));
	for (size_t i = 0; i < trace->count; i++) {
		const struct step *step = &trace->steps[i];

		html_row(page, NULL);
		html_cell_number(page, "trial", step->index, 0);
		html_cell_number(page, "point", step->point, trace->burst ? 0 : 1);
		html_cell_seconds(page, "duration_s", step->duration_s, NULL);
		html_cell(page, "%s", OUTCOME_NAMES[step->outcome]);
		html_cell_number(page, "trials", (double)step->trials, 0);
		html_cell_number(page, "offered_frames", (double)step->offered_frames, 0);
		html_cell_number(page, "lost_frames", (double)step->lost_frames, 0);
		html_cell_number(page, "low", step->same_bounds ? (double)step->low : NAN, 0);
		html_cell_number(page, "high", step->same_bounds ? (double)step->high : NAN, 0);
		html_close(page);
	}
	html_table_end(page);
}

static void show(struct page *page, const struct part *part, const struct html_trial *first)
{
	struct trace trace = {.part = part, .first = first};

	trace.steps = calloc(page->trial_count + 1, sizeof(*trace.steps));
	if (!trace.steps) {
		html_fail(page, error_set(page->error, ERROR_INTERNAL, "--html: out of memory"));
		return;
	}
	collect(page, &trace);
	if (draw(page, &trace)) {
		html_open_class(page, "details", "points");
		html_element(page, "summary", NULL, "Trials at %s: %u %s", html_frames_of(first).text, trace.searches,
		             trace.searches == 1 ? "search" : "searches");
		table(page, &trace);
		html_close(page);
		html_close(page);
	}
	free(trace.steps);
}

/* Returns whether trial i is the first of its test with its frames and modifiers. */
static bool begins_size(const struct page *page, size_t i)
{
	const struct html_trial *trial = &page->trials[i];

	for (size_t j = i; j-- > 0;) {
		const struct html_trial *before = &page->trials[j];

		if (before->place.test_number != trial->place.test_number)
			break; /* trials of a test are contiguous */
		if (is_alike(before, trial))
			return false;
	}
	return true;
}

/* Trials that verify filters stand beside searches, and those with a new network repeat others. */
static bool is_of_no_search(const struct html_trial *trial)
{
	return trial->modifiers &
	       (traffic_modifier_bit(TRAFFIC_FILTER_CHECK) | traffic_modifier_bit(TRAFFIC_NEW_NETWORK));
}

void html_trace(struct page *page, const struct part *part)
{
	size_t shown = 0, all = 0;

	for (size_t i = 0; i < page->trial_count && !page->status; i++) {
		if (page->trials[i].place.test_number != part->test_number || !begins_size(page, i) ||
		    is_of_no_search(&page->trials[i]))
			continue;
		if (all++ == 0) {
			html_element(page, "h3", NULL, "Course of the searches");
			html_element(page, "p", "lead",
			             "Every trial in the order of its search, at what it asked for, and %s. Searches "
			             "that are "
			             "repeated lie over one another; trials that are alike are one point.",
			             goals_chart(part->test)
			                     ? "the bounds that each goal came to (a line the lower, dashes "
			                       "the upper)"
			                     : "the bounds that the search had before it");
			html_open_class(page, "div", "pair");
		}
		if (shown < MOST_TRACES) {
			show(page, part, &page->trials[i]);
			shown++;
		}
	}
	if (all)
		html_close(page);
	if (all > shown)
		html_element(page, "p", NULL,
		             "Of %zu frame sizes the first %zu are drawn. All are in the run file: view search_trace.",
		             all, shown);
}
