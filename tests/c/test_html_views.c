/* SPDX-License-Identifier: Apache-2.0 */
/* Charts, tables and histograms of the HTML report, from a description that belongs to no benchmark: the numbers in the
 * page are those of the results, and marks are where those numbers put them. */
#include <criterion/criterion.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/base/format.h"
#include "host/report/described_table.h"
#include "host/report/html/page.h"

/* -- a description ------------------------------------------------------------------------------------------------ */

static const struct metric METRICS_OF_RESULTS[] = {
        {.key = "frame_octets", .heading = "Size", .unit = METRIC_OCTETS, .whole = true},
        {.key = "valid", .heading = "Valid", .unit = METRIC_YES_NO},
        {.key = "skew_ns", .heading = "Skew", .unit = METRIC_NS, .places = 2},
        {.key = "skew_limit_ns", .heading = "Limit", .unit = METRIC_NS, .places = 2},
        {.key = "drift_ns", .heading = "Drift", .unit = METRIC_NS, .places = 2},
        {.key = "odd_percent", .heading = "Odd", .unit = METRIC_PERCENT, .places = 1},
        {.key = "pause_s", .heading = "Pause", .unit = METRIC_S, .places = 6},
        {.key = "state", .heading = "State", .unit = METRIC_TEXT},
        {.key = "locked", .heading = "Locked", .unit = METRIC_YES_NO},
        {.key = "runs_frames", .heading = "Runs", .unit = METRIC_FRAMES_LIST},
        {.key = "inner.depth_frames", .heading = "Depth", .unit = METRIC_FRAMES, .places = 1},
        {.key = "lane", .heading = "Lane", .unit = METRIC_NUMBER, .whole = true},
};
static const struct metric_slice METRICS = METRIC_SLICE(METRICS_OF_RESULTS);

static const struct result_series LINES[] = {
        {"limit", MARK_DASHES, "skew_limit_ns", NULL, NULL, true},
        {"skew", MARK_LINE_POINTS, "skew_ns", NULL, NULL, false},
        {"drift", MARK_POINTS, "drift_ns", NULL, NULL, false},
        {0},
};
static const struct result_series BARS[] = {
        {"skew", MARK_BARS, "skew_ns", NULL, NULL, false},
        {"drift", MARK_BARS, "drift_ns", NULL, NULL, false},
        {0},
};
static const struct result_series LANES[] = {
        {"limit", MARK_LINE, "skew_limit_ns", NULL, NULL, true},
        {"lane", MARK_RANGES, "skew_ns", "drift_ns", "skew_limit_ns", false},
        {0},
};
static const struct result_chart LINE_CHART = {
        .name = "lines", .title = "Skew", .description = "Of clocks.", .y_label = "skew", .series = LINES};
static const struct result_chart BAR_CHART = {.name = "bars",
                                              .title = "Skew",
                                              .description = "Of clocks.",
                                              .y_label = "skew",
                                              .series = BARS,
                                              .needs = "drift_ns"};
static const struct result_chart LANE_CHART = {.name = "lanes",
                                               .title = "Lanes",
                                               .description = "Of clocks.",
                                               .y_label = "skew",
                                               .series = LANES,
                                               .by = "lane"};
static const struct result_table TABLE = {
        .name = "skew",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "skew_ns,drift_ns", .heading = "Min,Max"},
                           {.key = "skew_limit_ns"}, {.key = "odd_percent"},
                           {.key = "pause_s", .heading = "Pause, Sec", .details = true}, {.key = "state"},
                           {.key = "locked"}, {.key = "runs_frames"}, {.key = "inner.depth_frames"},
                           {.key = "nobody_knows"}, {.key = "valid"}),
        .rows = ROWS_TESTED,
};
static const struct result_table NEEDY = {
        .name = "needy",
        .caption = "Of those that drift",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "drift_ns"}),
        .needs = "drift_ns",
};
static const struct result_bins BINS = {
        .list = "skew_bins",
        .from = "from_ns",
        .to = "to_ns",
        .count = "frames",
        .title = "Histogram of skew",
        .lead = "All of them.",
        .x_label = "skew",
        .y_label = "frames",
        .headings = {"From", "to below", "Frames"},
        .unit = METRIC_NS,
};

/* -- a page of it ------------------------------------------------------------------------------------------------- */

struct shown {
	xmlDocPtr document;
	xmlXPathContextPtr context;
	xmlBufferPtr buffer;
};

/* Results are JSON with ' instead of ". */
static json_t *results_of(const char *text)
{
	char *copy = strdup(text);
	json_error_t error;
	json_t *results;

	for (char *c = copy; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	results = json_loads(copy, 0, &error);
	cr_assert_not_null(results, "%s", error.text);
	free(copy);
	return results;
}

static struct shown show(const json_t *results, const struct result_view *views)
{
	const struct result_description description = {
	        .test = "clocks",
	        .title = "Clocks & skew",
	        .clause = "none",
	        .answer = "skew_ns",
	        .metrics = (const struct metric_slice *const[]){&METRICS, NULL},
	        .views = views,
	};
	struct shown shown = {.buffer = xmlBufferCreate()};
	struct error error = {0};
	struct page page = {.writer = xmlNewTextWriterMemory(shown.buffer, 0), .error = &error};
	const json_t *list[64];
	struct part part = {list, json_array_size(results), 1, "clocks"};

	cr_assert_leq(part.count, sizeof(list) / sizeof(list[0]));
	for (size_t i = 0; i < part.count; i++)
		list[i] = json_array_get(results, i);
	html_open(&page, "main");
	html_views(&page, &part, &description);
	html_close(&page);
	xmlFreeTextWriter(page.writer);
	cr_assert_eq(page.status, 0, "%s", error.text);
	shown.document = xmlReadMemory((const char *)xmlBufferContent(shown.buffer), xmlBufferLength(shown.buffer),
	                               NULL, NULL, 0);
	cr_assert_not_null(shown.document);
	shown.context = xmlXPathNewContext(shown.document);
	xmlXPathRegisterNs(shown.context, (const xmlChar *)"s", (const xmlChar *)"http://www.w3.org/2000/svg");
	return shown;
}

static void end(struct shown *shown)
{
	xmlXPathFreeContext(shown->context);
	xmlFreeDoc(shown->document);
	xmlBufferFree(shown->buffer);
}

__attribute__((format(printf, 2, 3))) static double count_of(struct shown *shown, const char *format, ...)
{
	char path[400], whole[420];
	va_list arguments;
	xmlXPathObjectPtr found;
	double count;

	va_start(arguments, format);
	vsnprintf(path, sizeof(path), format, arguments);
	va_end(arguments);
	snprintf(whole, sizeof(whole), "count(%s)", path);
	found = xmlXPathEvalExpression((const xmlChar *)whole, shown->context);
	cr_assert_not_null(found, "%s", path);
	count = found->floatval;
	xmlXPathFreeObject(found);
	return count;
}

/* The text of the first node that a path finds, in a buffer of its own. */
__attribute__((format(printf, 2, 3))) static const char *text_of(struct shown *shown, const char *format, ...)
{
	static char text[400];
	char path[400], whole[420];
	va_list arguments;
	xmlXPathObjectPtr found;

	va_start(arguments, format);
	vsnprintf(path, sizeof(path), format, arguments);
	va_end(arguments);
	snprintf(whole, sizeof(whole), "string(%s)", path);
	found = xmlXPathEvalExpression((const xmlChar *)whole, shown->context);
	cr_assert_not_null(found, "%s", path);
	snprintf(text, sizeof(text), "%s", (const char *)found->stringval);
	xmlXPathFreeObject(found);
	return text;
}

static double number_of(struct shown *shown, const char *octets, const char *key)
{
	return strtod(text_of(shown, "//tr[@data-octets='%s']/td[@data-key='%s']/data/@value", octets, key), NULL);
}

struct place {
	double x, y;
};

/* The position of the mark whose title begins with `label`. */
static struct place place_of(struct shown *shown, const char *chart, const char *label)
{
	const char *text = text_of(shown, "//figure[@data-chart='%s']//s:use[starts-with(s:title, '%s')]/@transform",
	                           chart, label);
	struct place place;

	cr_assert_eq(sscanf(text, "translate(%lf,%lf)", &place.x, &place.y), 2, "%s: %s", label, text);
	return place;
}

/* The height of a number on an axis. */
static double tic_of(struct shown *shown, const char *number)
{
	const char *text = text_of(shown, "//s:g[normalize-space(s:text)='%s']/@transform", number);
	double y = NAN;

	cr_assert_eq(sscanf(text, "translate(%*f,%lf)", &y), 1, "%s: %s", number, text);
	return y;
}

/* 1518 is invalid, and the skew at 256 is unknown. */
static const char CLOCKS[] =
        "[{'frame_octets': 64, 'valid': true, 'skew_ns': 1500.25, 'skew_limit_ns': 4000.0, 'drift_ns': 500.0,"
        "  'odd_percent': 12.5, 'pause_s': 0.25, 'state': 'a < b', 'locked': true, 'runs_frames': [3, 3, 3, 9, 9, 3],"
        "  'inner': {'depth_frames': 7.5}},"
        " {'frame_octets': 128, 'valid': true, 'skew_ns': 2500.5, 'skew_limit_ns': 4000.0, 'drift_ns': 1000.0,"
        "  'locked': false, 'runs_frames': []},"
        " {'frame_octets': 256, 'valid': true, 'skew_ns': null, 'skew_limit_ns': 3000.0, 'drift_ns': 2000.0},"
        " {'frame_octets': 512, 'valid': true, 'skew_ns': 3000.0, 'skew_limit_ns': 3000.0, 'drift_ns': null},"
        " {'frame_octets': 1024, 'valid': false, 'skipped': true, 'skew_ns': null},"
        " {'frame_octets': 1518, 'valid': false, 'skew_ns': 3500.0, 'skew_limit_ns': 3000.0, 'drift_ns': 3000.0}]";

/* -- tables ------------------------------------------------------------------------------------------------------- */

Test(html_views, a_table_has_the_numbers_of_the_results_by_their_keys)
{
	json_t *results = results_of(CLOCKS);
	struct shown shown = show(results, (const struct result_view[]){{NULL, &TABLE, NULL}, {0}});

	cr_assert_str_eq(text_of(&shown, "//caption"), "Clocks & skew");
	cr_assert_eq(count_of(&shown, "//tbody/tr"), 5, "1024 was left out");
	cr_assert_eq(number_of(&shown, "64", "skew_ns"), 1500.25);
	cr_assert_eq(number_of(&shown, "64", "drift_ns"), 500);
	cr_assert_eq(number_of(&shown, "128", "skew_ns"), 2500.5);
	cr_assert_eq(number_of(&shown, "64", "odd_percent"), 12.5);
	cr_assert_eq(number_of(&shown, "64", "inner.depth_frames"), 7.5);
	cr_assert_eq(number_of(&shown, "1518", "skew_limit_ns"), 3000);
	cr_assert_str_eq(text_of(&shown, "//tr[@data-octets='256']/td[@data-key='skew_ns']"), "-");
	cr_assert_eq(count_of(&shown, "//tr[@data-octets='256']/td[@data-key='skew_ns']/data"), 0);
	end(&shown);
	json_decref(results);
}

Test(html_views, headings_have_the_unit_and_a_column_a_key)
{
	static const char *const HEADINGS[] = {"Size, octets", "Min",           "Max",   "Limit",
	                                       "Odd, %",       "Pause, Sec",    "State", "Locked",
	                                       "Runs, frames", "Depth, frames", "Valid"};
	enum { COUNT = sizeof(HEADINGS) / sizeof(HEADINGS[0]) };
	json_t *results = results_of(CLOCKS);
	struct shown shown = show(results, (const struct result_view[]){{NULL, &TABLE, NULL}, {0}});

	cr_assert_eq(count_of(&shown, "//thead//th"), COUNT, "what is no metric has no column");
	cr_assert_eq(count_of(&shown, "//tr[@data-octets='64']/td"), COUNT);
	for (size_t i = 0; i < COUNT; i++)
		cr_assert_str_eq(text_of(&shown, "//thead//th[%zu]", i + 1), HEADINGS[i]);
	end(&shown);
	json_decref(results);
}

Test(html_views, cells_are_written_by_the_unit_of_the_metric)
{
	json_t *results = results_of(CLOCKS);
	struct shown shown = show(results, (const struct result_view[]){{NULL, &TABLE, NULL}, {0}});

	cr_assert_str_eq(text_of(&shown, "//tr[@data-octets='64']/td[@data-key='runs_frames']"),
	                 "3 \xc3\x97 3, 9 \xc3\x97 2, 3");
	cr_assert_str_eq(text_of(&shown, "//tr[@data-octets='64']/td[@data-key='pause_s']"), "0.250000",
	                 "the heading says seconds");
	cr_assert_str_eq(text_of(&shown, "//tr[@data-octets='64']/td[@data-key='skew_limit_ns']"), "4.0000 \xc2\xb5s",
	                 "the shortest time of a table without a unit in its heading has five digits");
	cr_assert_str_eq(text_of(&shown, "//tr[@data-octets='64']/td[7]"), "a < b");
	cr_assert_str_eq(text_of(&shown, "//tr[@data-octets='64']/td[8]"), "yes");
	cr_assert_str_eq(text_of(&shown, "//tr[@data-octets='128']/td[8]"), "no");
	cr_assert_str_eq(text_of(&shown, "//tr[@data-octets='256']/td[7]"), "-");
	cr_assert_str_eq(text_of(&shown, "//tr[@data-octets='256']/td[8]"), "-");
	cr_assert_str_eq(text_of(&shown, "//tr[@data-octets='64']/td[11]"), "valid");
	cr_assert_str_eq(text_of(&shown, "//tr[@data-octets='1518']/td[11]"), "INVALID");
	end(&shown);
	json_decref(results);
}

Test(html_views, a_parameter_is_written_by_the_unit_of_its_key)
{
	const struct {
		const char *key;
		double number;
		const char *text;
	} cases[] = {
	        {"uplink_bps", 40e9, "40 Gb/s"},
	        {"loss_percent", 12.5, "12.500%"},
	        {"frame_octets", 1518, "1518 octets"},
	        {"settle_s", 2, "2.00 s"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *value = json_real(cases[i].number);

		cr_expect_str_eq(html_quantity(cases[i].key, value, 0).text, cases[i].text);
		json_decref(value);
	}
}

static const struct result_table NUMBERS = {
        .name = "numbers",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "odd_percent"}, {.key = "inner.depth_frames"}),
        .rows = ROWS_TESTED,
};

/* The text of a cell without the narrow spaces between groups of three digits. */
static struct format_text ungrouped(const char *cell)
{
	struct format_text out;
	size_t length = 0;

	for (; *cell && length + 1 < sizeof(out.text); cell++)
		if ((unsigned char)*cell < 0x80)
			out.text[length++] = *cell;
	out.text[length] = 0;
	return out;
}

static json_t *unlucky_results(unsigned count)
{
	json_t *results = json_array();

	for (unsigned i = 1; i <= count; i++) {
		const double whole = pow(10, i % 12) + i, part = i % 3 == 0 ? 1 : i % 3 == 1 ? whole - 1 : i % 7;

		json_array_append_new(results, json_pack("{s:i, s:b, s:f, s:{s:f}}", "frame_octets", (int)i, "valid", 1,
		                                         "odd_percent", 100 * (part / whole), "inner", "depth_frames",
		                                         i % 5   ? part / whole * pow(10, i % 9)
		                                         : i % 2 ? -0.0
		                                                 : 1 / whole));
	}
	return results;
}

/* Shares next to none and to all, and other numbers of many sizes: what one form shows, all show. */
Test(html_views, a_table_has_the_same_digits_as_on_the_terminal)
{
	enum { COUNT = 60 };
	const struct result_description description = {.test = "clocks",
	                                               .metrics = (const struct metric_slice *const[]){&METRICS, NULL}};
	json_t *results = unlucky_results(COUNT);
	struct shown shown = show(results, (const struct result_view[]){{NULL, &NUMBERS, NULL}, {0}});
	const json_t *list[COUNT];
	const struct part part = {list, COUNT, 1, "clocks"};
	char *terminal = NULL, *row;
	size_t length = 0;
	FILE *out = open_memstream(&terminal, &length);

	for (size_t i = 0; i < COUNT; i++)
		list[i] = json_array_get(results, i);
	described_table_print(&description, &NUMBERS, &part, false, out);
	fclose(out);
	row = strstr(terminal, " 1 ");
	for (unsigned i = 1; i <= COUNT; i++, row = strchr(row, '\n') + 1) {
		struct format_text percent, depth;
		unsigned octets;

		cr_assert_eq(sscanf(row, "%u %60[^%]%% %60s", &octets, percent.text, depth.text), 3, "%s", row);
		cr_assert_eq(octets, i);
		cr_expect_str_eq(ungrouped(text_of(&shown, "//tr[@data-octets='%u']/td[2]", i)).text, percent.text);
		cr_expect_str_eq(ungrouped(text_of(&shown, "//tr[@data-octets='%u']/td[3]", i)).text, depth.text);
	}
	free(terminal);
	end(&shown);
	json_decref(results);
}

Test(html_views, a_table_has_a_row_for_those_that_have_what_it_needs_and_is_not_there_without)
{
	json_t *results = results_of(CLOCKS);
	struct shown shown = show(results, (const struct result_view[]){{NULL, &NEEDY, NULL}, {0}});

	cr_assert_eq(count_of(&shown, "//tbody/tr"), 4, "of 6, 2 do not drift");
	end(&shown);
	json_decref(results);
	results = results_of("[{'frame_octets': 64, 'valid': true, 'skew_ns': 1.0}]");
	shown = show(results, (const struct result_view[]){{NULL, &NEEDY, NULL}, {0}});
	cr_assert_eq(count_of(&shown, "//table"), 0);
	end(&shown);
	json_decref(results);
}

/* -- charts ------------------------------------------------------------------------------------------------------- */

Test(html_views, marks_of_every_series_stand_at_their_values)
{
	static const struct {
		const char *label;
		double octets, value;
	} MARKS[] = {
	        {"64 octets: skew", 64, 1500.25},  {"128 octets: skew", 128, 2500.5},  {"512 octets: skew", 512, 3000},
	        {"64 octets: drift", 64, 500},     {"128 octets: drift", 128, 1000},   {"256 octets: drift", 256, 2000},
	        {"1518 octets: skew", 1518, 3500}, {"1518 octets: drift", 1518, 3000},
	};
	json_t *results = results_of(CLOCKS);
	struct shown shown = show(results, (const struct result_view[]){{&LINE_CHART, NULL, NULL}, {0}});
	const struct place first = place_of(&shown, "lines", MARKS[0].label);
	const struct place last = place_of(&shown, "lines", MARKS[6].label);
	const double across = (last.x - first.x) / log(1518.0 / 64), up = (last.y - first.y) / (3500 - 1500.25);

	cr_assert_gt(across, 100);
	cr_assert_lt(up, -0.01, "more is higher");
	for (size_t i = 0; i < sizeof(MARKS) / sizeof(MARKS[0]); i++) {
		const struct place place = place_of(&shown, "lines", MARKS[i].label);

		cr_assert_float_eq(place.x, first.x + across * log(MARKS[i].octets / 64), 0.05, "%s", MARKS[i].label);
		cr_assert_float_eq(place.y, first.y + up * (MARKS[i].value - 1500.25), 0.05, "%s", MARKS[i].label);
	}
	cr_assert_float_eq(tic_of(&shown, "3") - tic_of(&shown, "1"), up * 2000, 0.05, "the axis is in microseconds");
	cr_assert_eq(count_of(&shown, "//s:text[normalize-space(.)='skew, \xc2\xb5s']"), 1);
	cr_assert_str_eq(text_of(&shown, "//s:title[starts-with(., '128 octets: skew')]"),
	                 "128 octets: skew 2.50 \xc2\xb5s");
	end(&shown);
	json_decref(results);
}

Test(html_views, what_is_not_valid_is_a_series_of_its_own_and_lines_have_a_gap_there)
{
	json_t *results = results_of(CLOCKS);
	struct shown shown = show(results, (const struct result_view[]){{&LINE_CHART, NULL, NULL}, {0}});
	const char *line;
	size_t pieces = 0;

	cr_assert_eq(count_of(&shown, "//s:text[.='not valid']"), 1);
	cr_assert_eq(count_of(&shown, "//s:g[contains(@class, 'colour-%d')]//s:use[@class]/s:title", COLOUR_BAD), 2);
	cr_assert_str_eq(text_of(&shown, "//s:title[starts-with(., '1518 octets: drift')]"),
	                 "1518 octets: drift 3.00 \xc2\xb5s, not valid");
	cr_assert_eq(count_of(&shown, "//s:g[@data-points='5'][contains(@class, 'colour-%d')]", COLOUR_MUTED), 1,
	             "the limit is known where a result is invalid, too");
	line = text_of(&shown, "//s:g[contains(@class, 'colour-1')][@data-points='3']//s:path/@d");
	for (const char *at = line; (at = strchr(at, 'M')); at++)
		pieces++;
	cr_assert_eq(pieces, 3, "of the key, of 64 and 128, of 512 alone: %s", line);
	end(&shown);
	json_decref(results);
}

Test(html_views, bars_of_a_size_stand_beside_one_another_and_are_as_high_as_their_values)
{
	json_t *results = results_of(CLOCKS);
	struct shown shown = show(results, (const struct result_view[]){{&BAR_CHART, NULL, NULL}, {0}});
	double left[2], bottom[2], right[2], top[2];

	cr_assert_eq(count_of(&shown, "//s:polygon[contains(@class, 'mark')]"), 4 + 3, "512 does not drift");
	cr_assert_eq(count_of(&shown, "//s:polygon[contains(@class, 'fill-%d')]/s:title", COLOUR_BAD), 2);
	for (int i = 0; i < 2; i++) {
		const char *points = text_of(&shown, "//s:polygon[starts-with(s:title, '128 octets: %s')]/@points",
		                             i ? "drift" : "skew");

		cr_assert_eq(sscanf(points, "%lf,%lf %lf,%*f %*f,%lf", &left[i], &bottom[i], &right[i], &top[i]), 4);
	}
	cr_assert_float_eq((bottom[0] - top[0]) / (bottom[1] - top[1]), 2500.5 / 1000, 0.01);
	cr_assert_lt(right[0], left[1]);
	cr_assert_lt(left[1] - right[0], right[0] - left[0], "a gap is less than a bar");
	end(&shown);
	json_decref(results);
}

Test(html_views, series_apart_by_a_key_stand_beside_one_another)
{
	json_t *results = results_of("[{'frame_octets': 64, 'lane': 1, 'valid': true, 'skew_ns': 5.0, 'drift_ns': 4.0, "
	                             "'skew_limit_ns': 9.0},"
	                             " {'frame_octets': 64, 'lane': 2, 'valid': true, 'skew_ns': 6.0, 'drift_ns': "
	                             "null, 'skew_limit_ns': 9.0},"
	                             " {'frame_octets': 128, 'lane': 1, 'valid': true, 'skew_ns': 7.0, 'drift_ns': "
	                             "6.0, 'skew_limit_ns': 9.0},"
	                             " {'frame_octets': 128, 'lane': 2, 'valid': true, 'skew_ns': 8.0, 'drift_ns': "
	                             "7.0, 'skew_limit_ns': 9.0}]");
	struct shown shown = show(results, (const struct result_view[]){{&LANE_CHART, NULL, NULL}, {0}});
	const struct place one = place_of(&shown, "lanes", "64 octets, lane 1: skew 5.00 ns, drift 4.00 ns");
	const struct place two = place_of(&shown, "lanes", "64 octets, lane 2: skew 6.00 ns, drift -, limit 9.00 ns");
	const struct place far = place_of(&shown, "lanes", "128 octets, lane 1: skew 7.00 ns");

	cr_assert_gt(two.x - one.x, 5);
	cr_assert_lt(two.x - one.x, (far.x - one.x) / 4);
	cr_assert_float_eq(far.y - one.y, 2 * (two.y - one.y), 0.05);
	cr_assert_eq(count_of(&shown, "//s:g[contains(@class, 'colour-%d')][@data-points='2']", COLOUR_MUTED), 1,
	             "the limit once a size");
	cr_assert_eq(count_of(&shown, "//s:text[.='lane 1' or .='lane 2']"), 2);
	end(&shown);
	json_decref(results);
}

Test(html_views, a_chart_says_that_it_has_no_room_for_more)
{
	json_t *results = json_array();
	struct shown shown;

	for (int lane = 1; lane <= MOST_GOALS + 4; lane++)
		json_array_append_new(results, json_pack("{s:i, s:i, s:b, s:f}", "frame_octets", 64, "lane", lane,
		                                         "valid", 1, "skew_ns", (double)lane));
	shown = show(results, (const struct result_view[]){{&LANE_CHART, NULL, NULL}, {0}});
	cr_assert_eq(count_of(&shown, "//s:use[s:title]"), MOST_GOALS);
	cr_assert_eq(count_of(&shown, "//figcaption[contains(., 'Only the first 16 series are drawn.')]"), 1);
	end(&shown);
	json_decref(results);
}

/* Each of 2 broadcasts must arrive at 7 ports: 14 lost frames are all of them, and a point of the chart. */
Test(html_views, a_loss_is_of_the_frames_that_had_to_arrive)
{
	const struct html_trial broadcasts = {.offered_frames = 2, .expected_frames = 14, .lost_frames = 14};
	const struct html_trial nowhere = {.offered_frames = 2};

	cr_expect_float_eq(html_loss_percent(&broadcasts), 100, 1e-9);
	cr_expect(isnan(html_loss_percent(&nowhere)));
}

Test(html_views, theory_alone_is_no_chart)
{
	json_t *results = results_of("[{'frame_octets': 64, 'valid': false, 'skew_ns': null, 'skew_limit_ns': 5.0}]");
	struct shown shown = show(results, (const struct result_view[]){{&LINE_CHART, NULL, NULL}, {0}});

	cr_assert_eq(count_of(&shown, "//figure"), 0);
	end(&shown);
	json_decref(results);
}

/* -- histograms --------------------------------------------------------------------------------------------------- */

Test(html_views, a_histogram_has_a_bar_and_a_row_for_every_bin)
{
	json_t *results =
	        results_of("[{'frame_octets': 64, 'skew_bins': [{'from_ns': 1000.0, 'to_ns': 1100.0, 'frames': 5},"
	                   " {'from_ns': 1100.0, 'to_ns': 1200.0, 'frames': 20},"
	                   " {'from_ns': 1400.0, 'to_ns': 1500.0, 'frames': 10}]},"
	                   " {'frame_octets': 128, 'skew_bins': []}]");
	struct shown shown = show(results, (const struct result_view[]){{NULL, NULL, &BINS}, {0}});

	cr_assert_eq(count_of(&shown, "//figure"), 1, "a list that is empty is no histogram");
	cr_assert_eq(count_of(&shown, "//s:polygon[@class]"), 3);
	cr_assert_str_eq(text_of(&shown, "(//s:polygon/s:title)[3]"), "1.4 to 1.5 \xc2\xb5s: 10");
	cr_assert_eq(count_of(&shown, "//table[@data-table='skew_bins']/tbody/tr"), 3);
	cr_assert_str_eq(text_of(&shown, "//tbody/tr[2]/td[@data-key='from_ns']/data/@value"), "1100");
	cr_assert_str_eq(text_of(&shown, "//tbody/tr[2]/td[@data-key='frames']"), "20");
	end(&shown);
	json_decref(results);
}

Test(html_views, histograms_beyond_the_first_24_are_counted)
{
	json_t *results = json_array();
	struct shown shown;

	for (int i = 0; i < 26; i++)
		json_array_append_new(results, json_pack("{s:i, s:[{s:i, s:i, s:i}]}", "frame_octets", 64 + i,
		                                         "skew_bins", "from_ns", 1, "to_ns", 2, "frames", 3));
	shown = show(results, (const struct result_view[]){{NULL, NULL, &BINS}, {0}});
	cr_assert_eq(count_of(&shown, "//figure"), 24);
	cr_assert_eq(count_of(&shown, "//p[contains(., 'Of 26 histograms the first 24 are drawn.')]"), 1);
	end(&shown);
	json_decref(results);
}

/* -- gaps of bursts as received ----------------------------------------------------------------------------------- */

Test(html_views, received_gaps_are_those_of_the_valid_bursts_of_a_result)
{
	static const struct store_place HERE = {.test_number = 2, .frame_octets = 64};
	static const struct store_place ELSEWHERE = {.test_number = 1, .frame_octets = 64};
	struct html_trial trials[] = {
	        {.place = HERE, .burst = true, .valid = true, .rx_gap = {10, 8, 30, 150}},
	        {.place = HERE, .burst = true, .valid = true, .rx_gap = {30, 12, 20, 450}},
	        {.place = HERE, .burst = true, .valid = true}, /* not measured */
	        {.place = HERE, .burst = true, .valid = false, .rx_gap = {1, 1, 1, 1}},
	        {.place = HERE, .burst = false, .valid = true, .rx_gap = {1, 1, 1, 1}},
	        {.place = ELSEWHERE, .burst = true, .valid = true, .rx_gap = {1, 1, 1, 1}},
	};
	struct page page = {.report = json_pack("{s:[{s:i, s:i}, {s:i, s:i}]}", "results", "test_number", 2,
	                                        "frame_octets", 64, "test_number", 2, "frame_octets", 128),
	                    .trials = trials,
	                    .trial_count = sizeof(trials) / sizeof(trials[0])};
	const json_t *results = json_object_get(page.report, "results"), *first = json_array_get(results, 0);

	html_add_received_gaps(&page);
	cr_assert_eq(json_integer_value(json_object_get(first, "received_gap_min_octets")), 8);
	cr_assert_eq(json_real_value(json_object_get(first, "received_gap_mean_octets")), 15);
	cr_assert_eq(json_integer_value(json_object_get(first, "received_gap_max_octets")), 30);
	cr_assert_null(json_object_get(json_array_get(results, 1), "received_gap_min_octets"), "unknown, not 0");
	json_decref(page.report);
}

/* -- mixes of frame sizes ------------------------------------------------------------------------------------------ */

Test(html_views, a_result_of_a_mix_is_named_by_it_and_has_no_place_on_an_axis_of_sizes)
{
	json_t *results =
	        results_of("[{'frame_octets': null, 'sizes': 'imix', 'valid': true, 'skew_ns': 1500.0, "
	                   "'skew_limit_ns': 4000.0, 'lane': 1,"
	                   "  'drift_ns': 500.0, 'skew_bins': [{'from_ns': 1000.0, 'to_ns': 1100.0, 'frames': 5}]},"
	                   " {'frame_octets': null, 'sizes': '[64, 570]', 'valid': true, 'skew_ns': 2500.0, "
	                   "'skew_limit_ns': 4000.0,"
	                   "  'drift_ns': 1000.0, 'lane': 2}]");
	struct shown shown =
	        show(results,
	             (const struct result_view[]){
	                     {&LINE_CHART, NULL, NULL}, {&BAR_CHART, &TABLE, &BINS}, {&LANE_CHART, NULL, NULL}, {0}});

	cr_expect_str_eq(text_of(&shown, "//tr[@data-octets='imix']/td[1]"), "imix");
	cr_expect_eq(number_of(&shown, "[64, 570]", "skew_ns"), 2500);
	cr_expect_str_eq(text_of(&shown, "//details/summary"), "Bins at imix");
	cr_expect_eq(count_of(&shown, "//figure[@data-chart='bars']//s:text[contains(., 'imix')]"), 1, "a category");
	cr_expect_null(strstr((const char *)xmlBufferContent(shown.buffer), "nan"));
	cr_expect_null(strstr((const char *)xmlBufferContent(shown.buffer), "- octets"));
	end(&shown);
	json_decref(results);
}

Test(html_views, the_load_of_a_mix_is_held_against_the_rate_of_its_average_length)
{
	const struct page page = {.link_bps = 1e11};
	struct html_trial trial = {.start_octets = 84, .load_fps = 1e11 / 8 / 84 / 2};

	cr_expect_float_eq(html_load_percent(&page, &trial), 50, 1e-9);
	cr_expect_str_eq(html_frames(64).text, "64 octets");
	cr_expect_str_eq(html_frames(0).text, "a mix");
}
