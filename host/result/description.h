/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a benchmark, described: metrics, tables, charts, parameters. Pure data. Reports are written from this,
 * without knowing any benchmark.
 *
 * Keys are those of the JSON; "counters.lost_frames" is a key of an inner object.
 *
 * Texts of parameters and remarks have values in braces, shown in the unit that ends the key: "drain at most
 * {drain_s}". {key:3} is a number with three places, {key:%} a ratio as a percentage, {key:fps} a rate with its unit. A
 * parameter is looked up in the parameters, then in the result; a remark the other way round. Text in brackets is left
 * out when a value in it is unknown or, if it begins with a question mark, when that value is not above zero:
 * "[?warm_up_s for {warm_up_s}]". "[key=value text]" is left out when the key is known to have another value than that
 * text, "[key!value text]" unless it is. Elsewhere an unknown value is shown as "-"; a line without any known value is
 * left out. */
#ifndef FPGAUGE_RESULT_DESCRIPTION_H
#define FPGAUGE_RESULT_DESCRIPTION_H

#include "host/result/metric.h"

struct result_column {
	const char *key; /* "min_frames,max_frames": several keys, which share one column where there is little room */
	const char *heading; /* includes its unit; several keys: separated by commas; NULL: heading of the metric */
	bool details;        /* too much for a terminal */
	bool sql;            /* a column of the SQL view too */
	unsigned places;     /* decimal places, in a listing, of what is not whole */
};

/* The columns of a table or of a listing, with what ends them. */
#define COLUMNS(...) ((const struct result_column[]){__VA_ARGS__, {0}})

enum result_rows {
	ROWS_ALL,
	ROWS_TESTED,     /* not those of frame sizes that the RFC leaves out */
	ROWS_WITH_TRUTH, /* results of a simulated device, which states what it really does */
};

struct result_table {
	const char *name;                    /* one word, for style sheets and tests */
	const char *caption;                 /* NULL: the title of the description */
	const struct result_column *columns; /* ends with a key of NULL */
	enum result_rows rows;
	const char *needs; /* key: only of results that have a number there; NULL */
	bool details;      /* too much for a terminal */
};

enum result_mark {
	MARK_LINE,
	MARK_DASHES,
	MARK_STEPS,
	MARK_POINTS,
	MARK_LINE_POINTS,
	MARK_DASHES_POINTS,
	MARK_RANGES, /* y between low and high */
	MARK_BARS,
};

struct result_series {
	const char *label;
	enum result_mark mark;
	const char *y, *low, *high; /* keys; low and high of ranges */
	bool reference;             /* a value that the link or the theory gives, not a measurement */
};

/* Values against frame size. The axis has the unit of the first y. */
struct result_chart {
	const char *name, *title, *description;
	const char *y_label; /* words before the unit: "latency"; NULL: only the unit, per sending port */
	const struct result_series *series; /* ends with a label of NULL */
	const char *by;                     /* key: measured series are drawn once for each of its values; NULL */
	const char *needs;                  /* key: only of results that have a number there; NULL */
	bool y_log;                         /* where values span more than a decade */
};

/* A list of bins in a result, drawn as one histogram per result, with a table. */
struct result_bins {
	const char *list, *from, *to, *count; /* keys: in the result, and in each bin */
	const char *title, *lead;
	const char *x_label, *y_label;
	const char *headings[3];
	enum metric_unit unit; /* unit of the edges */
};

/* Two values of the objects in a list against each other, one curve per result; both axes begin at 0. */
struct result_curves {
	const char *name, *title, *description;
	const char *x, *y; /* keys in the objects; an object without one of them is a gap in the curve */
	const char *x_label, *y_label;
	const char *x_word, *y_word; /* words before the values of a point: "load" */
	double x_end, y_end;         /* ends of the axes; 0: where the points end */
};

/* The objects of a list as a square: what a port sent to another one. In a cell is the share of `part` in `whole`, in
 * percent, and the more it is, the stronger is its colour. */
struct result_matrix {
	const char *caption;
	const char *row, *column; /* keys of numbers of ports */
	const char *part, *whole;
};

/* A list in a result, as a table with a row for each of its objects; in CSV it is a file of its own, named like the
 * list. Unless it is `always` shown, there is none for fewer than three rows of a test between pairs of ports: it would
 * say what the sums say. */
struct result_listing {
	const char *list; /* key in the result */
	const char *caption;
	const struct metric_slice *items;    /* metrics of the objects: those with a heading are its columns */
	const struct result_column *columns; /* another order, all with headings; ends as above; NULL: the items */
	const char *worst; /* a terminal has the rows of a result with most of this, if there are more than `most` */
	size_t most;
	const char *which;                  /* says which rows those are: "those that lost most" */
	const struct result_curves *curves; /* drawn above the table, where there is room for charts; NULL */
	const struct result_matrix *matrix; /* likewise */
	bool always;
};

/* A chart, the table of its values, and histograms; each may be missing. */
struct result_view {
	const struct result_chart *chart;
	const struct result_table *table;
	const struct result_bins *bins;
};

struct result_line {
	const char *heading; /* NULL: continues the line before it */
	const char *text;
	bool each_goal; /* once per goal, not once per test */
};

struct result_description {
	const char *test;           /* name of the benchmark, as in results */
	const char *when;           /* key: describes results where it is above zero; NULL: all */
	const char *title;          /* "Throughput" */
	const char *clause;         /* "RFC 2544 section 26.1" */
	const char *qualifier;      /* precedes the test's name, where that promises something else: "conditional " */
	const char *rfc;            /* the `rfc` of its results; NULL: the clause of the benchmark */
	const char *answer;         /* key of the metric that answers the question of the test */
	const char *answer_unit;    /* unit in words; NULL: that of the metric */
	const char *answer_percent; /* key of the same as a percentage of line rate; NULL */
	const struct metric_slice *const *metrics;    /* ends with NULL */
	const struct result_line *parameters;         /* end with a text of NULL */
	const struct result_line *remarks;            /* lines on each result, below the tables; NULL */
	const struct result_view *views;              /* ordered as shown; end with an empty one */
	const struct result_listing *const *listings; /* shown behind the views; end with NULL; NULL: none */
	const char *sql;                              /* name of its view in the run file; NULL: none */
	const struct result_column *sql_columns;      /* NULL: those of the first table that are `sql` */
};

enum { LISTING_COLUMNS = 16 /* includes the empty one that ends them */ };

/* The columns of a listing, with what ends them. */
void listing_columns(const struct result_listing *rows, struct result_column columns[LISTING_COLUMNS]);

/* The metrics in order; NULL after the last. */
const struct metric *description_at(const struct result_description *description, size_t index);

/* The metric with that key, or NULL. */
const struct metric *description_metric(const struct result_description *description, const char *key);

/* "frames/s"; "" if there is none. */
const char *metric_unit_word(enum metric_unit unit);

/* True if it is null where it was not measured. */
bool metric_may_be_null(const struct metric *metric);

/* True if those metrics are among its own. */
bool description_has(const struct result_description *description, const struct metric_slice *wanted);

#endif
