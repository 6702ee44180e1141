/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of an XML file, such as JUnit's. Values may come from people, devices, programs, and other people's files.
 */
#ifndef FPGAUGE_REPORT_XML_WRITE_H
#define FPGAUGE_REPORT_XML_WRITE_H

#include <libxml/xmlwriter.h>
#include <stdio.h>

void xml_begin(xmlTextWriterPtr writer, const char *name);
void xml_end(xmlTextWriterPtr writer);
void xml_attribute(xmlTextWriterPtr writer, const char *name, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

/* <property name="..." value="..."/> */
void xml_property(xmlTextWriterPtr writer, const char *name, const char *value);

/* Writes an xmlBufferPtr, for output_file(). */
int xml_write(FILE *out, const void *buffer);

#endif
