/* SPDX-License-Identifier: Apache-2.0 */
/* The HTML report, printed to PDF by a browser or by WeasyPrint. */
#ifndef FPGAUGE_REPORT_HTML_REPORT_PDF_H
#define FPGAUGE_REPORT_HTML_REPORT_PDF_H

#include <jansson.h>

#include "host/base/error.h"
#include "host/store/store.h"

int report_pdf(const json_t *report, struct store *store, const char *path, struct error *error);

/* Checks, before hours of trials, that report_pdf() will be able to write there, and that a program to print is there.
 */
int report_pdf_check(const char *path, struct error *error);

#endif
