// SPDX-License-Identifier: Apache-2.0
/* Head and foot that the pages of a report, a sweep and a trend have in common. */
#include <stdarg.h>
#include <stdio.h>

#include "host/base/text.h"
#include "host/report/html/page.h"
#include "host/report/value.h"

void html_header(struct page *page, const char *title, const char *format, ...)
{
	char lead[10240]; /* room for two paths and more */
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(lead, sizeof(lead), format, arguments);
	va_end(arguments);
	text_repair(lead, sizeof(lead));
	html_open(page, "header");
	html_element(page, "p", "brand", "fpgauge");
	html_element(page, "h1", NULL, "%s", title);
	html_element(page, "p", "lead", "%s", lead);
	html_close(page);
}

void html_open_contents(struct page *page)
{
	html_open(page, "nav");
	html_attr(page, "aria-label", "Contents");
}

void html_link(struct page *page, const char *id, const char *text)
{
	html_open(page, "a");
	html_attr(page, "href", "#%s", id);
	html_text(page, "%s", text);
	html_close(page);
}

void html_verdict(struct page *page, const char *class, const char *word, const char *why)
{
	html_open_class(page, "div", "verdict");
	html_attr(page, "data-verdict", "%s", word);
	html_element(page, "span", class, "%s", word);
	html_element(page, "p", NULL, "%s", why);
	html_close(page);
}

void html_tile(struct page *page, const char *name, const char *value)
{
	html_open(page, "div");
	html_element(page, "dt", NULL, "%s", name);
	html_element(page, "dd", NULL, "%s", value);
	html_close(page);
}

void html_count_tile(struct page *page, const char *name, size_t count)
{
	char text[24];

	snprintf(text, sizeof(text), "%zu", count);
	html_tile(page, name, text);
}

void html_footer(struct page *page, const char *source, bool has_charts)
{
	const char *commit = value_commit(page->report);

	html_element(page, "footer", NULL,
	             "Made by %s%s%s from %s alone. Numbers are rounded where they are shown; the value attribute of "
	             "every <data> element in this file has all digits, by the names of the JSON.%s",
	             value_string(page->report, "tool"), *commit ? ", commit " : "", commit, source,
	             has_charts ? " Charts by gnuplot." : "");
}
