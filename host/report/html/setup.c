/* SPDX-License-Identifier: Apache-2.0 */
/* The circumstances that the results rest on: tester and its identity, link, calibration, versions and hosts,
 * events, the plan itself. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "host/base/rate.h"
#include "host/report/html/page.h"
#include "host/report/load.h"
#include "host/report/value.h"

enum { MOST_EVENTS = 1000 };

static void open_entry(struct page *page, const char *name)
{
	html_open(page, "div");
	html_element(page, "dt", NULL, "%s", name);
	html_open(page, "dd");
}

static void close_entry(struct page *page)
{
	html_close(page);
	html_close(page);
}

static void entry(struct page *page, const char *name, const json_t *object, const char *key)
{
	open_entry(page, name);
	html_value(page, key, json_object_get(object, key));
	close_entry(page);
}

static void number_entry(struct page *page, const char *name, uint64_t value)
{
	open_entry(page, name);
	html_text(page, "%" PRIu64, value);
	close_entry(page);
}

/* RFC 8238 section 4.3: whether the latency of cables was subtracted. A simulation has none. */
static void calibration(struct page *page)
{
	const json_t *made = json_object_get(page->report, "calibration");
	const char *backend = value_string(json_object_get(page->report, "device"), "backend");

	open_entry(page, "Calibration");
	if (made)
		html_text(page, "cable latency is subtracted from every latency, as below; from %s",
		          value_string(made, "file"));
	else if (!strcmp(backend, "exec") || !strcmp(backend, "sim"))
		html_text(page, "none was made: nothing is subtracted from any latency");
	else
		html_text(page, "none: latency has cables and transceivers in it");
	close_entry(page);
}

static void calibrated_ways(struct page *page)
{
	const json_t *ways = json_object_get(json_object_get(page->report, "calibration"), "ports"), *way;
	struct format_time_unit unit;
	double smallest_ns = INFINITY;
	size_t i;

	if (!ways)
		return;
	json_array_foreach(ways, i, way)
	{
		smallest_ns = value_smaller(smallest_ns, way, "latency_ns");
	}
	unit = format_time_unit(smallest_ns * 1e-9);
	html_table(page, "calibration", "Calibration",
	           HEADINGS("From port", "To port", "Subtracted there", "<Measured"));
	json_array_foreach(ways, i, way)
	{
		html_row(page, NULL);
		html_cell_value(page, way, "from_port", 0);
		html_cell_value(page, way, "to_port", 0);
		html_cell_time(page, way, "latency_ns", 1e-9, &unit);
		html_cell(page, "%s", value_string(way, "measured"));
		html_close(page);
	}
	html_table_end(page);
}

/* Says what a card may add to its times, by its own statement. */
static void exactness(struct page *page, const json_t *device)
{
	const double ns = value_number(device, "latency_error_ns");

	if (isnan(ns))
		return; /* an external program does not say */
	if (ns > 0) {
		open_entry(page, "Latency is right within");
		html_text(page, "%.1f ns, beyond a constant: what the tester's adapters and MACs may move a frame by",
		          ns);
		close_entry(page);
	}
	entry(page, "Sent gaps are measured", device, "gaps_measured");
}

/* Nothing is known about an external program but its command and what was agreed with it. */
static void tester(struct page *page)
{
	const json_t *device = json_object_get(page->report, "device");
	const struct store_run *run = store_run(page->store);

	html_element(page, "h3", NULL, "Tester");
	html_open_class(page, "dl", "parameters");
	entry(page, "Version of the program", page->report, "tool");
	entry(page, run->has_device ? "Device" : "External program", device, "name");
	entry(page, "Backend", device, "backend");
	if (run->has_device) {
		entry(page, "Register map, version:hash", device, "regmap");
		if (json_object_get(device, "bitstream"))
			entry(page, "Bitstream", device, "bitstream");
		entry(page, "Ports", device, "ports");
		number_entry(page, "Groups of 8 octets a word", run->device.groups);
		number_entry(page, "Destinations a port", run->device.destinations);
		number_entry(page, "Bins of a latency histogram", run->device.histogram_bins);
		exactness(page, device);
	} else {
		entry(page, "Sending ports", device, "senders");
		entry(page, "Offered frames within", device, "offered_tolerance_percent");
		entry(page, "Time-out (-: by the trial)", device, "timeout_s");
	}
	open_entry(page, "Link");
	html_text(page, "%s Ethernet, preamble %d and minimum gap %d octets",
	          page->link_bps > 0 ? format_bit_rate((uint64_t)page->link_bps).text : "-", PREAMBLE_OCTETS,
	          MIN_GAP_OCTETS);
	close_entry(page);
	calibration(page);
	html_close(page);
	calibrated_ways(page);
}

static int session_row(void *user, const struct store_session *session)
{
	struct page *page = user;
	json_t *host = session->host ? json_loads(session->host, 0, NULL) : NULL;

	html_open(page, "tr");
	html_cell_head(page, session->command ? session->command : "-");
	html_cell(page, "%s", session->tool ? session->tool : "-");
	html_open_class(page, "td", "text wrap");
	html_value(page, "", host);
	html_close(page);
	html_cell_number(page, "first_trial", (double)session->first_trial, 0);
	html_cell(page, "%s", session->started ? session->started : "-");
	html_cell(page, "%s", session->ended ? session->ended : "not ended");
	html_open_class(page, "td", "text wrap");
	html_text(page, "%s", session->outcome ? session->outcome : "the program still runs, or died");
	html_close(page);
	html_close(page);
	json_decref(host);
	return page->status;
}

void html_setup(struct page *page)
{
	tester(page);
	html_element(page, "h3", NULL, "Sessions");
	html_table(page, "sessions", "Lives of the program on the run file; times are of the host's clock",
	           HEADINGS("<Command", "<Program", "<Host and its clock", "First trial", "<Started", "<Ended",
	                    "<Outcome"));
	if (!page->status)
		html_fail(page, store_sessions_each(page->store, session_row, page, page->error));
	html_table_end(page);
}

struct event_rows {
	struct page *page;
	size_t count;
};

static int event_row(void *user, const struct store_event_row *event)
{
	struct event_rows *rows = user;
	struct page *page = rows->page;
	json_t *detail;

	if (rows->count++ >= MOST_EVENTS)
		return page->status;
	detail = event->detail ? json_loads(event->detail, 0, NULL) : NULL;
	html_open(page, "tr");
	html_cell_number(page, "session", (double)event->session, 0);
	html_cell(page, "%s", event->time ? event->time : "-");
	html_cell(page, "%s", event->kind ? event->kind : "-");
	html_open_class(page, "td", "text wrap");
	html_value(page, "", detail);
	html_close(page);
	html_close(page);
	json_decref(detail);
	return page->status;
}

void html_events(struct page *page)
{
	struct event_rows rows = {page, 0};

	html_open(page, "details");
	html_element(page, "summary", NULL, "Results as they came, and trials that were not offered as asked");
	html_table(page, "events", "Events, in their order", HEADINGS("Session", "<Time", "<Kind", "<Detail"));
	if (!page->status)
		html_fail(page, store_events_each(page->store, event_row, &rows, page->error));
	html_table_end(page);
	if (rows.count > MOST_EVENTS)
		html_element(page, "p", NULL, "%zu more are in the run file: table event.", rows.count - MOST_EVENTS);
	html_close(page);
}

void html_plan(struct page *page)
{
	const struct store_run *run = store_run(page->store);

	for (size_t i = 0; i < run->file_count; i++) {
		html_element(page, "h3", NULL, "%s", run->files[i].path);
		html_open(page, "pre");
		html_element(page, "code", NULL, "%s", run->files[i].text);
		html_close(page);
	}
	if (run->override_count) {
		html_element(page, "h3", NULL, "Changed on the command line");
		html_open(page, "ul");
		for (size_t i = 0; i < run->override_count; i++) {
			if (!report_shows_setting(run->overrides[i]))
				continue;
			html_open(page, "li");
			html_element(page, "code", NULL, "--set %s", run->overrides[i]);
			html_close(page);
		}
		html_close(page);
	}
}
