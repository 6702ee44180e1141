/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of every page: its head, with the policy and the style sheet, and the file. */
#include <stdint.h>

#include "host/report/html/page.h"
#include "host/report/output_file.h"
#include "host/report/value.h"

/* The policy: a page from somewhere else must not load, run or send anything, whatever got into it. The icon: without
 * it, a browser asks the server of the page for one. */
static const char HEAD[] =
        "\n<meta charset=\"utf-8\"/>"
        "\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'\"/>"
        "\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
        "\n<meta name=\"color-scheme\" content=\"light dark\"/>";
static const char ICON[] = "\n<link rel=\"icon\" href=\"data:,\"/>";

static void head(struct page *page, const char *title)
{
	html_open(page, "head");
	html_markup(page, HEAD);
	html_open(page, "meta");
	html_attr(page, "name", "generator");
	html_attr(page, "content", "%s", value_string(page->report, "tool"));
	xmlTextWriterEndElement(page->writer);
	html_markup(page, ICON);
	html_element(page, "title", NULL, "%s", title);
	html_open(page, "style");
	html_markup(page, HTML_CSS);
	html_close(page);
	html_close(page);
}

void html_begin(struct page *page, const char *title)
{
	html_markup(page, "<!DOCTYPE html>");
	html_open(page, "html");
	html_attr(page, "xmlns", "http://www.w3.org/1999/xhtml");
	html_attr(page, "lang", "en");
	head(page, title);
	html_open(page, "body");
}

void html_end(struct page *page)
{
	html_close(page);
	html_close(page);
	html_markup(page, "\n");
}

static int write_page(FILE *out, const void *what)
{
	xmlBufferPtr buffer = (xmlBufferPtr)(uintptr_t)what;
	size_t length = (size_t)xmlBufferLength(buffer);

	return fwrite(xmlBufferContent(buffer), 1, length, out) == length ? 0 : -1;
}

void html_write(struct page *page, const char *path, void (*render)(struct page *page))
{
	xmlBufferPtr buffer = xmlBufferCreate();

	page->writer = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
	if (page->writer) {
		render(page);
		xmlFreeTextWriter(page->writer);
		page->writer = NULL;
	} else {
		html_fail(page, error_set(page->error, ERROR_INTERNAL, "--html: out of memory"));
	}
	if (!page->status)
		page->status = output_file("--html", path, write_page, buffer, page->error);
	if (buffer)
		xmlBufferFree(buffer);
}
