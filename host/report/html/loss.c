/* SPDX-License-Identifier: Apache-2.0 */
/* Frame loss and latency over load, from the trials that all tests made. The axes are those of RFC 2544 section 26.3:
 * both from 0 to 100%, the load in percent of the theoretical rate at that frame size. Most loads are those that
 * searches chose, which is not the procedure of that section, and the page says so. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/format.h"
#include "host/base/ratio.h"
#include "host/report/html/page.h"
#include "host/report/latency_error.h"

enum { MOST_SIZES = 12 }; /* nobody can follow more lines than that */

/* All valid trials of one size at one load. */
struct load_point {
	uint32_t frame_octets;
	double load_fps, load_percent;
	uint64_t trials, offered_frames, expected_frames, lost_frames;
	struct latency_stats latency; /* mean_ot is the sum until finish() */
};

static int compare(const void *a, const void *b)
{
	const struct load_point *left = a, *right = b;

	if (left->frame_octets != right->frame_octets)
		return left->frame_octets < right->frame_octets ? -1 : 1;
	return (left->load_fps > right->load_fps) - (left->load_fps < right->load_fps);
}

/* 100, or the highest load if that is more: with gaps below the minimum, a tester exceeds the theoretical rate (RFC
 * 2889 section 5.6). A load that is above 100 only by rounding counts as 100. */
static double axis_end(const struct load_point *points, size_t count)
{
	double highest = 0;

	for (size_t i = 0; i < count; i++)
		highest = fmax(highest, points[i].load_percent);
	return highest > 100.0001 ? highest : 100;
}

static struct load_point point_of(const struct page *page, const struct html_trial *trial)
{
	struct load_point point = {.frame_octets = trial->place.frame_octets,
	                           .load_fps = trial->load_fps,
	                           .load_percent = html_load_percent(page, trial),
	                           .trials = 1,
	                           .offered_frames = trial->offered_frames,
	                           .expected_frames = trial->expected_frames,
	                           .lost_frames = trial->lost_frames};

	if (trial->latency.frames && trial->latency.frames != COUNT_UNKNOWN) {
		point.latency = trial->latency;
		point.latency.mean_ot *= (double)trial->latency.frames;
	}
	return point;
}

static void merge(struct load_point *to, const struct load_point *more)
{
	to->trials += more->trials;
	to->offered_frames += more->offered_frames;
	to->expected_frames += more->expected_frames;
	to->lost_frames += more->lost_frames;
	if (more->latency.frames == 0)
		return;
	if (to->latency.frames == 0 || more->latency.min_ot < to->latency.min_ot)
		to->latency.min_ot = more->latency.min_ot;
	if (to->latency.frames == 0 || more->latency.max_ot > to->latency.max_ot)
		to->latency.max_ot = more->latency.max_ot;
	to->latency.frames += more->latency.frames;
	to->latency.mean_ot += more->latency.mean_ot;
}

/* The points, sorted by size and load, one for each; NULL with *count 0 when there is none. */
static struct load_point *collect(struct page *page, size_t *count)
{
	struct load_point *points = calloc(page->trial_count + 1, sizeof(*points));
	size_t all = 0, kept = 0;

	*count = 0;
	if (!points) {
		html_fail(page, error_set(page->error, ERROR_INTERNAL, "--html: out of memory"));
		return NULL;
	}
	for (size_t i = 0; i < page->trial_count; i++) {
		const struct html_trial *trial = &page->trials[i];

		/* Mixes have no size that tells one from another; with modifiers it is other traffic. */
		if (!trial->burst && !trial->modifiers && trial->valid && trial->place.frame_octets &&
		    isfinite(html_loss_percent(trial)))
			points[all++] = point_of(page, trial);
	}
	qsort(points, all, sizeof(*points), compare);
	for (size_t i = 0; i < all; i++) {
		if (kept && compare(&points[kept - 1], &points[i]) == 0)
			merge(&points[kept - 1], &points[i]);
		else
			points[kept++] = points[i];
	}
	for (size_t i = 0; i < kept; i++)
		points[i].latency.mean_ot /= points[i].latency.frames ? (double)points[i].latency.frames : 1;
	*count = kept;
	return points;
}

static double loss_percent(const struct load_point *point)
{
	return ratio_percent(point->lost_frames, point->expected_frames);
}

static size_t sizes(const struct load_point *points, size_t count)
{
	size_t different = 0;

	for (size_t i = 0; i < count; i++)
		different += i == 0 || points[i].frame_octets != points[i - 1].frame_octets;
	return different;
}

/* Loss, or with a factor from octet times to the unit of the axis mean latency, where it is known. */
static void add_point(struct chart *chart, struct chart_series *series, const struct load_point *point, double factor)
{
	const double x = fmin(point->load_percent, chart->x_high), mean = point->latency.mean_ot * factor;

	if (factor == 0)
		chart_label(chart_point(chart, series, x, loss_percent(point)), "%u octets at %s load: %s lost",
		            point->frame_octets, format_percent(point->load_percent / 100).text,
		            format_percent(loss_percent(point) / 100).text);
	else if (point->latency.frames)
		chart_label(chart_point(chart, series, x, mean), "%u octets at %s load: mean latency %.5g %s",
		            point->frame_octets, format_percent(point->load_percent / 100).text, mean,
		            strrchr(chart->y_label, ' ') + 1);
}

/* One series per size, as many as there is room for. */
static void draw(struct page *page, struct chart *chart, const struct load_point *points, size_t count, double factor)
{
	struct chart_series *series = NULL;
	unsigned number = 0;

	for (size_t i = 0; i < count; i++) {
		if (i == 0 || points[i].frame_octets != points[i - 1].frame_octets) {
			if (number >= MOST_SIZES)
				break;
			series = chart_series(chart, MARK_LINE_POINTS, 1, "%u octets", points[i].frame_octets);
			chart_look(series, ++number);
		}
		add_point(chart, series, &points[i], factor);
	}
	if (html_figure(page, chart))
		html_close(page);
}

static void draw_loss(struct page *page, const struct load_point *points, size_t count)
{
	size_t different = sizes(points, count);
	struct chart chart = {
	        .name = "loss_over_load",
	        .title = "Frame loss over load",
	        .x_label = "load, % of the theoretical rate at that frame size",
	        .y_label = "frames lost, %",
	        .x_high = axis_end(points, count),
	        .y_high = 100,
	};

	snprintf(
	        chart.description, sizeof(chart.description),
	        "Axes as RFC 2544 section 26.3 asks. The points are all valid trials of this run at a constant load, "
	        "at "
	        "the loads and over the lengths that the searches chose; the procedure of that section, from 100%% "
	        "down "
	        "in steps, is a test of its own. Trials with modifiers (RFC 2544 section 11) are not among them.%s The "
	        "points are in the table below.",
	        different > MOST_SIZES ? " Only the first 12 frame sizes are drawn." : "");
	draw(page, &chart, points, count, 0);
}

/* The device's key is that of its results. */
static struct format_text latency_error(const struct page *page)
{
	return latency_error_of_keys(json_object_get(page->report, "device"), "latency_mean_ns");
}

static void draw_latency(struct page *page, const struct load_point *points, size_t count)
{
	struct chart chart = {
	        .name = "latency_over_load",
	        .title = "Mean latency over load",
	        .x_label = "load, % of the theoretical rate at that frame size",
	        .y_log = true,
	        .x_high = axis_end(points, count),
	};
	double most = 0;
	struct chart_scale scale;

	snprintf(chart.description, sizeof(chart.description),
	         "Of all frames that came back in the trials of the chart above: first octet in to first octet out "
	         "(FIFO "
	         "latency).%s The points are in the table below.",
	         latency_error_sentence(latency_error(page)).text);
	for (size_t i = 0; i < count; i++)
		most = fmax(most, points[i].latency.frames ? html_seconds(page, points[i].latency.mean_ot) : 0);
	scale = chart_scale_time(most);
	snprintf(chart.y_label, sizeof(chart.y_label), "mean latency, %s", scale.unit);
	draw(page, &chart, points, count, html_seconds(page, 1) / scale.factor);
}

static void table(struct page *page, const struct load_point *points, size_t count)
{
	struct format_time_unit unit;
	double smallest_s = INFINITY;
	char caption[160];

	snprintf(caption, sizeof(caption), "Loss and latency at every load that was tried, lowest load first%s",
	         latency_error(page).text);
	html_table(page, "loss_over_load", caption,
	           HEADINGS("Size, octets", "Load, %", "Load, frames/s", "Trials", "Offered, frames", "Lost, frames",
	                    "Loss, %", "Latency min", "Latency mean", "Latency max"));
	for (size_t i = 0; i < count; i++) {
		if (points[i].latency.frames && points[i].latency.min_ot)
			smallest_s = fmin(smallest_s, html_seconds(page, (double)points[i].latency.min_ot));
	}
	unit = format_time_unit(smallest_s);
	for (size_t i = 0; i < count; i++) {
		const struct load_point *point = &points[i];
		bool late = point->latency.frames > 0;

		html_row(page, NULL);
		html_cell_number(page, "frame_octets", point->frame_octets, 0);
		html_cell_number(page, "load_percent", point->load_percent, 3);
		html_cell_number(page, "load_fps", point->load_fps, 1);
		html_cell_number(page, "trials", (double)point->trials, 0);
		html_cell_number(page, "offered_frames", (double)point->offered_frames, 0);
		html_cell_number(page, "lost_frames", (double)point->lost_frames, 0);
		html_cell_number(page, "loss_percent", loss_percent(point), 5);
		html_cell_seconds(page, "latency_min_s", late ? html_seconds(page, (double)point->latency.min_ot) : NAN,
		                  &unit);
		html_cell_seconds(page, "latency_mean_s", late ? html_seconds(page, point->latency.mean_ot) : NAN,
		                  &unit);
		html_cell_seconds(page, "latency_max_s", late ? html_seconds(page, (double)point->latency.max_ot) : NAN,
		                  &unit);
		html_close(page);
	}
	html_table_end(page);
}

void html_loss(struct page *page)
{
	size_t count;
	struct load_point *points = collect(page, &count);

	if (count == 0)
		html_element(page, "p", NULL, "This run has no valid trial at a constant load.");
	draw_loss(page, points, count);
	draw_latency(page, points, count);
	if (count) {
		html_open_class(page, "details", "points");
		html_element(page, "summary", NULL, "Values of these charts: %zu loads", count);
		table(page, points, count);
		html_close(page);
	}
	free(points);
}
