/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of the HTML report share. Nobody else includes this; report_html() is in report_html.h.
 *
 * Texts reach the page only through html_text() and html_attr(), which escape them: names, plans and reasons come from
 * people, devices and programs, and may contain anything. None of them ever goes into a script for gnuplot. */
#ifndef FPGAUGE_REPORT_HTML_PAGE_H
#define FPGAUGE_REPORT_HTML_PAGE_H

#include <jansson.h>
#include <libxml/xmlwriter.h>
#include <stdbool.h>

#include "host/base/error.h"
#include "host/base/format.h"
#include "host/report/chart/chart.h"
#include "host/report/part.h"
#include "host/result/description.h"
#include "host/store/store.h"

/* The charts' view of a trial; all of it is in the run file. */
struct html_trial {
	struct store_place place;
	uint32_t modifiers;
	double start_octets; /* octets from the start of a frame to that of the next at line rate, on average */
	bool burst, valid;
	uint64_t burst_frames;
	uint64_t burst_gap_octets;   /* gap between several bursts; 0: there is one */
	double load_fps, duration_s; /* load as offered; as asked for */
	uint64_t offered_frames, lost_frames;
	uint64_t expected_frames; /* frames that had to arrive: of a broadcast one at every port */
	struct latency_stats latency;
	struct gap_stats rx_gap; /* gaps over all ports; gaps is 0 if nobody measured them */
};

struct page {
	xmlTextWriterPtr writer;
	json_t *report; /* a copy, with what html_add_received_gaps() adds */
	struct store *store;
	struct html_trial *trials;
	size_t trial_count;
	double link_bps;
	unsigned figures;
	int status; /* the first failure; after it, calls do nothing */
	struct error *error;
};

extern const char HTML_CSS[]; /* html.css, by CMake */

/* document.c: up to <body>, from </body> on, and the file with what `render` writes. */
void html_begin(struct page *page, const char *title);
void html_end(struct page *page);
void html_write(struct page *page, const char *path, void (*render)(struct page *page));

/* frame.c: what is around the contents of every page, in this order. */
void html_header(struct page *page, const char *title, const char *format, ...) __attribute__((format(printf, 3, 4)));
void html_open_contents(struct page *page); /* then links, and html_close() */
void html_link(struct page *page, const char *id, const char *text);
void html_verdict(struct page *page, const char *class, const char *word, const char *why);
void html_tile(struct page *page, const char *name, const char *value); /* one tile of a "dl" of class "tiles" */
void html_count_tile(struct page *page, const char *name, size_t count);
void html_footer(struct page *page, const char *source, bool has_charts); /* source: "the run file" */

/* write.c: elements and escaped texts. */
void html_open(struct page *page, const char *element);
void html_open_class(struct page *page, const char *element, const char *class);
void html_attr(struct page *page, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
void html_text(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void html_markup(struct page *page, const char *markup); /* only our own */
void html_close(struct page *page);
void html_element(struct page *page, const char *element, const char *class, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
void html_fail(struct page *page, int status);

/* A box that scrolls what is wider than the screen, by keyboard as well. name: for those who do not see it. */
void html_open_scroll(struct page *page, const char *name);

/* cells.c: tables. Numbers are shown rounded, in <data>, whose value attribute has every digit. */
#define HEADINGS(...) ((const char *const[]){__VA_ARGS__, NULL})
void html_table(struct page *page, const char *name, const char *caption, const char *const *headings);
void html_table_end(struct page *page);
void html_row(struct page *page, const json_t *result); /* NULL: not of a result */
#define html_cell(page, ...) html_element(page, "td", "text", __VA_ARGS__)
void html_cell_head(struct page *page, const char *text);
void html_cell_value(struct page *page, const json_t *object, const char *key, int places);
/* A time in seconds (scale 1) or nanoseconds (1e-9). unit: that of the column, so that its times can be compared by
 * eye; NULL: the one that suits each. */
void html_cell_time(struct page *page, const json_t *object, const char *key, double scale,
                    const struct format_time_unit *unit);
void html_cell_number(struct page *page, const char *key, double value, int places); /* NAN: "-" */
void html_cell_digits(struct page *page, const char *key,
                      const json_t *value); /* shows the value with all its digits */
void html_cell_seconds(struct page *page, const char *key, double seconds, const struct format_time_unit *unit);
void html_cell_valid(struct page *page, const json_t *result);
/* A number, shown by the unit that ends its key: "resolution_fps" as a rate. Texts as they are, null as "-". */
void html_value(struct page *page, const char *key, const json_t *value);
void html_key(struct page *page, const char *key); /* "first_lossy_fps": "First lossy" */
/* Writes a value with the unit of its key: "66.96 Mfps", "13.43 µs", "683.00 frames"; "-" if it is not a number.
 * places: decimal places if the unit does not determine them; below 0: as many as there are. */
struct format_text html_quantity(const char *key, const json_t *value, int places);
struct format_text html_grouped(double value, int places);
double html_unit_seconds(enum metric_unit unit); /* the length of one; 0: not a time */

/* figure.c: charts of results. */
void html_size_tics(struct chart *chart, const struct part *part);    /* x is the frame size */
struct chart_scale html_scale(enum metric_unit unit, double largest); /* scale of values in that unit */
/* Opens a figure, draws, and leaves it open for the tables that belong to the chart; frees the points. Returns false,
 * without a figure, if there is no point. */
bool html_figure(struct page *page, struct chart *chart);

/* trials.c */
int html_trials_load(struct page *page);
void html_trials_free(struct page *page);
/* Sets received_gap_min_octets, received_gap_mean_octets and received_gap_max_octets of every result whose trials know
 * them: over its valid bursts. */
void html_add_received_gaps(struct page *page);
double html_load_percent(const struct page *page, const struct html_trial *trial);
double html_loss_percent(const struct html_trial *trial); /* NAN if none had to arrive, or it is not known */
double html_seconds(const struct page *page, double octet_times);

/* Names the frames of trials: "64 octets", for 0 "a mix". */
struct format_text html_frames(uint32_t frame_octets);
struct format_text html_frames_of(const struct html_trial *trial); /* adds modifiers: "64 octets, broadcast" */

/* Returns whether a result is of traffic with these modifiers. */
bool html_is_of(uint32_t modifiers, const json_t *result);

/* The contents of the sections, each in a file of its own; report_html.c has their headings. Those for tests follow
 * the description of the results (host/result/description.h) and do not know any benchmark. */
void html_summary(struct page *page);
void html_section(struct page *page, const struct part *part); /* section.c */
void html_views(struct page *page, const struct part *part, const struct result_description *description);
void html_view_chart(struct page *page, const struct part *part, const struct result_description *description,
                     const struct result_chart *view);
void html_view_table(struct page *page, const struct part *part, const struct result_description *description,
                     const struct result_table *view);
void html_view_bins(struct page *page, const struct part *part, const struct result_bins *bins);
void html_view_rows(struct page *page, const struct part *part, const struct result_listing *rows);
void html_view_matrix(struct page *page, const struct part *part,
                      const struct result_listing *rows); /* rows that form a matrix */
/* Draws, and leaves the figure open for the table of its points; false, without a figure, if there is no point. */
bool html_view_curves(struct page *page, const struct part *part, const struct result_listing *rows);
void html_loss(struct page *page);
void html_trace(struct page *page, const struct part *part);
void html_parameters(struct page *page, const struct part *part);
void html_values(struct page *page, const struct part *part);
void html_setup(struct page *page);
void html_events(struct page *page);
void html_plan(struct page *page);

/* trend_series.c: one measure of a trend, with its chart. runs: of its plan. wide: a chart as wide as the page. */
void html_trend_series(struct page *page, const json_t *runs, const json_t *series, bool wide);
/* "1 Throughput, 64 octets", "1.2.3 of 2026-11-21" */
struct format_text html_trend_name(const json_t *series);
struct format_text html_trend_date(const json_t *run); /* "-" if it is none */
/* Cells of a step: run, date, version, before, after, change, p, verdict. */
void html_trend_step_cells(struct page *page, const json_t *runs, const json_t *series, const json_t *step);

#endif
