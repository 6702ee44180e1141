/* SPDX-License-Identifier: Apache-2.0 */
/* Elements and texts of the HTML report. libxml2 escapes; elements get full end tags, because HTML has no <td/>. The
 * page is both well-formed XML and HTML. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/html/page.h"
#include "host/report/xml_text.h"

static const xmlChar *xml(const char *text)
{
	return (const xmlChar *)text;
}

void html_fail(struct page *page, int status)
{
	if (status && !page->status)
		page->status = status;
}

static void check(struct page *page, int written)
{
	if (written < 0 && !page->status)
		page->status = error_set(page->error, ERROR_INTERNAL, "--html: out of memory");
}

static char *format_clean(const char *format, va_list arguments)
{
	char *text = NULL, *out;

	if (vasprintf(&text, format, arguments) < 0)
		return NULL;
	out = xml_text(text);
	free(text);
	return out;
}

/* Elements that are not inline get a line of their own. */
static bool is_block(const char *element)
{
	static const char *const INLINE[] = {"td", "th", "data", "code", "span", "a", "strong", "title", "summary"};

	for (size_t i = 0; i < sizeof(INLINE) / sizeof(INLINE[0]); i++) {
		if (!strcmp(element, INLINE[i]))
			return false;
	}
	return true;
}

void html_open(struct page *page, const char *element)
{
	if (is_block(element))
		check(page, xmlTextWriterWriteRaw(page->writer, xml("\n")));
	check(page, xmlTextWriterStartElement(page->writer, xml(element)));
}

void html_open_class(struct page *page, const char *element, const char *class)
{
	html_open(page, element);
	if (class)
		html_attr(page, "class", "%s", class);
}

void html_attr(struct page *page, const char *name, const char *format, ...)
{
	va_list arguments;
	char *value;

	va_start(arguments, format);
	value = format_clean(format, arguments);
	va_end(arguments);
	check(page, value ? xmlTextWriterWriteAttribute(page->writer, xml(name), xml(value)) : -1);
	free(value);
}

static void write_text(struct page *page, const char *format, va_list arguments)
{
	char *text = format_clean(format, arguments);

	check(page, text ? xmlTextWriterWriteString(page->writer, xml(text)) : -1);
	free(text);
}

void html_text(struct page *page, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	write_text(page, format, arguments);
	va_end(arguments);
}

void html_markup(struct page *page, const char *markup)
{
	check(page, xmlTextWriterWriteRaw(page->writer, xml(markup)));
}

void html_close(struct page *page)
{
	check(page, xmlTextWriterFullEndElement(page->writer));
}

void html_element(struct page *page, const char *element, const char *class, const char *format, ...)
{
	va_list arguments;

	html_open_class(page, element, class);
	va_start(arguments, format);
	write_text(page, format, arguments);
	va_end(arguments);
	html_close(page);
}

void html_open_scroll(struct page *page, const char *name)
{
	html_open_class(page, "div", "scroll");
	/* a part that scrolls must be reachable by the keyboard */
	html_attr(page, "role", "region");
	html_attr(page, "aria-label", "%s", name);
	html_attr(page, "tabindex", "0");
}
