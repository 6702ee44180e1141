/* SPDX-License-Identifier: Apache-2.0 */
/* Texts from people, devices, programs and files, for XML and HTML. */
#ifndef FPGAUGE_REPORT_XML_TEXT_H
#define FPGAUGE_REPORT_XML_TEXT_H

/* A copy with U+FFFD in place of what XML cannot hold, what is not UTF-8, and control characters (a terminal's, or
 * bidirectional ones, which would turn the text around); free() it. NULL when out of memory. Escaping is libxml2's. */
char *xml_text(const char *text);

#endif
