/* SPDX-License-Identifier: Apache-2.0 */
/* The report as one page with charts: docs/report-html.md. */
#ifndef FPGAUGE_REPORT_HTML_REPORT_HTML_H
#define FPGAUGE_REPORT_HTML_REPORT_HTML_H

#include <jansson.h>

#include "host/base/error.h"
#include "host/store/store.h"

/* One self-contained HTML file with charts; also for a run that still goes on. Needs gnuplot. */
int report_html(const json_t *report, struct store *store, const char *path, struct error *error);
/* Many runs on one page, in the same form: trend is that of docs/trend.md. */
int report_html_trend(const json_t *trend, const char *path, struct error *error);
/* All runs of a sweep in one table a test: sweep is that of docs/sweeps.md. Needs no gnuplot. */
int report_html_sweep(const json_t *sweep, const char *path, struct error *error);
int report_html_sweep_check(const char *path, struct error *error);
int report_html_check(const char *path, struct error *error);

#endif
