/* SPDX-License-Identifier: Apache-2.0 */
/* Latency and gaps over the frame size, as ranges: smallest, mean and largest are what the run file has of them. */
#include <math.h>
#include <string.h>

#include "host/report/html/page.h"
#include "host/report/rate_words.h"
#include "host/report/value.h"

/* The values are in the table of the trials that settled the results. */
void html_latency(struct page *page, const struct part *part)
{
	struct html_chart chart = {
	        .name = "latency",
	        .description = "Smallest, mean and largest latency of every frame of the trial that settled each "
	                       "result: first octet "
	                       "in to first octet out (FIFO latency, RFC 1242). The values are in the table below.",
	        .y_log = true,
	};
	struct html_series *series = chart_series(&chart, MARK_RANGES, 1, "mean, with minimum and maximum");
	struct chart_scale scale;
	double most = 0;

	for (size_t i = 0; i < part->count; i++)
		most = fmax(most, value_number(part->results[i], "latency_max_ns") * 1e-9);
	snprintf(chart.title, sizeof(chart.title), "%s", rate_words(part->results[0])->latency);
	scale = chart_scale_time(most);
	snprintf(chart.y_label, sizeof(chart.y_label), "latency, %s", scale.unit);
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];
		double factor = 1e-9 / scale.factor;

		chart_range(&chart, series, value_number(result, "frame_octets"),
		            value_number(result, "latency_min_ns") * factor,
		            value_number(result, "latency_mean_ns") * factor,
		            value_number(result, "latency_max_ns") * factor,
		            "%s octets: minimum %s, mean %s, maximum %s", value_text(result, "frame_octets", 0).text,
		            html_time(result, "latency_min_ns", 1e-9).text,
		            html_time(result, "latency_mean_ns", 1e-9).text,
		            html_time(result, "latency_max_ns", 1e-9).text);
	}
	chart_size_tics(&chart, part);
	if (chart_draw(page, &chart))
		chart_end(page);
}

/* Received: over the valid bursts of this test at this size. */
static struct gap_stats received_gaps(const struct page *page, unsigned test_number, double frame_octets)
{
	struct gap_stats sum = {0};

	for (size_t i = 0; i < page->trial_count; i++) {
		const struct html_trial *trial = &page->trials[i];
		const struct gap_stats *gaps = &trial->rx_gap;

		if (trial->place.test_number != test_number || trial->place.frame_octets != frame_octets ||
		    !trial->burst || !trial->valid || gaps->gaps == 0)
			continue;
		if (sum.gaps == 0 || gaps->min_octets < sum.min_octets)
			sum.min_octets = gaps->min_octets;
		if (sum.gaps == 0 || gaps->max_octets > sum.max_octets)
			sum.max_octets = gaps->max_octets;
		sum.gaps += gaps->gaps;
		sum.sum_octets += gaps->sum_octets;
	}
	return sum;
}

static void draw_gaps(struct page *page, const struct part *part)
{
	struct html_chart chart = {
	        .name = "gaps",
	        .title = "Gaps between the frames of bursts",
	        .description = "Smallest, mean and largest gap as measured at the line, sent and received, over all "
	                       "bursts. At the "
	                       "minimum gap the mean is 12 octets; single gaps differ, because frames begin on whole "
	                       "groups of "
	                       "octets (deficit idle count). The values are in the table below.",
	        .y_label = "gap, octets",
	        .y_log = true,
	};
	struct html_series *sent = chart_series(&chart, MARK_RANGES, 1, "sent");
	struct html_series *received = chart_series(&chart, MARK_RANGES, 2, "received");

	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];
		double octets = value_number(result, "frame_octets");
		struct gap_stats gaps = received_gaps(page, part->test_number, octets);
		double mean = gaps.gaps ? (double)gaps.sum_octets / (double)gaps.gaps : (double)NAN;

		/* apart by a little, so that neither hides the other */
		chart_range(&chart, sent, octets / 1.015, value_number(result, "gap_min_octets"),
		            value_number(result, "gap_mean_octets"), value_number(result, "gap_max_octets"),
		            "%.0f octets, sent: minimum %.0f, mean %.3f, maximum %.0f", octets,
		            value_number(result, "gap_min_octets"), value_number(result, "gap_mean_octets"),
		            value_number(result, "gap_max_octets"));
		chart_range(&chart, received, octets * 1.015, (double)gaps.min_octets, mean, (double)gaps.max_octets,
		            "%.0f octets, received: minimum %.0f, mean %.3f, maximum %.0f", octets,
		            (double)gaps.min_octets, mean, (double)gaps.max_octets);
	}
	chart_size_tics(&chart, part);
	if (chart_draw(page, &chart))
		chart_end(page);
}

static void gap_table(struct page *page, const struct part *part)
{
	static const char *const HEADINGS[] = {"Size, octets",
	                                       "Bursts proven",
	                                       "not proven",
	                                       "Sent: gap min, octets",
	                                       "mean",
	                                       "max",
	                                       "Received: gap min, octets",
	                                       "mean",
	                                       "max",
	                                       "Forwarding rate, frames/s",
	                                       "Longest allowed, frames",
	                                       "Trials"};

	html_table(page, "gaps", "Proof of the bursts: gaps as measured at the line", HEADINGS,
	           sizeof(HEADINGS) / sizeof(HEADINGS[0]));
	for (size_t i = 0; i < part->count; i++) {
		const json_t *result = part->results[i];
		struct gap_stats gaps = received_gaps(page, part->test_number, value_number(result, "frame_octets"));
		bool known = gaps.gaps > 0;

		if (value_true(result, "skipped"))
			continue;
		html_row(page, result);
		html_cell_value(page, result, "frame_octets", 0);
		html_cell_value(page, result, "bursts_proven", 0);
		html_cell_value(page, result, "bursts_unproven", 0);
		html_cell_value(page, result, "gap_min_octets", 0);
		html_cell_value(page, result, "gap_mean_octets", 4);
		html_cell_value(page, result, "gap_max_octets", 0);
		html_cell_number(page, "received_gap_min_octets", known ? (double)gaps.min_octets : NAN, 0);
		html_cell_number(page, "received_gap_mean_octets",
		                 known ? (double)gaps.sum_octets / (double)gaps.gaps : NAN, 4);
		html_cell_number(page, "received_gap_max_octets", known ? (double)gaps.max_octets : NAN, 0);
		html_cell_value(page, result, "forwarding_rate_fps", 1);
		html_cell_value(page, result, "max_burst_frames", 0);
		html_cell_value(page, result, "trials", 0);
		html_close(page);
	}
	html_table_end(page);
}

void html_gaps(struct page *page, const struct part *part)
{
	draw_gaps(page, part);
	gap_table(page, part);
	html_gap_spread(page, part);
}
