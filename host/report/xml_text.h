/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of people, devices, programs and files for XML and HTML. */
#ifndef FPGAUGE_REPORT_XML_TEXT_H
#define FPGAUGE_REPORT_XML_TEXT_H

/* A copy in which what XML cannot hold, what is no UTF-8, and controls (of a terminal, or bidirectional ones, which
 * would turn the text around) are U+FFFD; free() it. NULL when out of memory. Escaping is libxml2's. */
char *xml_text(const char *text);

#endif
