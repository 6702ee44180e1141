/* SPDX-License-Identifier: Apache-2.0 */
/* libxml2's writer, with texts made fit for XML. */
#include "host/report/xml_write.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include "host/report/xml_text.h"

static const xmlChar *xml(const char *text)
{
	return (const xmlChar *)text;
}

void xml_begin(xmlTextWriterPtr writer, const char *name)
{
	xmlTextWriterStartElement(writer, xml(name));
}

void xml_end(xmlTextWriterPtr writer)
{
	xmlTextWriterEndElement(writer);
}

void xml_attribute(xmlTextWriterPtr writer, const char *name, const char *format, ...)
{
	va_list arguments;
	char *text = NULL, *clean;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	clean = text ? xml_text(text) : NULL;
	xmlTextWriterWriteAttribute(writer, xml(name), xml(clean ? clean : "-"));
	free(clean);
	free(text);
}

void xml_property(xmlTextWriterPtr writer, const char *name, const char *value)
{
	xml_begin(writer, "property");
	xml_attribute(writer, "name", "%s", name);
	xml_attribute(writer, "value", "%s", value);
	xml_end(writer);
}

int xml_write(FILE *out, const void *buffer)
{
	xmlBufferPtr octets = (xmlBufferPtr)(uintptr_t)buffer;
	const size_t length = (size_t)xmlBufferLength(octets);

	return fwrite(xmlBufferContent(octets), 1, length, out) == length ? 0 : -1;
}
