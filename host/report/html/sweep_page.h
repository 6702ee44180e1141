/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of the page of a sweep share. page->report is the report of the sweep
 * (docs/sweeps.md), a point one of its runs. */
#ifndef FPGAUGE_REPORT_HTML_SWEEP_PAGE_H
#define FPGAUGE_REPORT_HTML_SWEEP_PAGE_H

#include "host/report/html/page.h"

const json_t *html_sweep_points(const struct page *page);
bool html_sweep_is_done(const json_t *point);
bool html_sweep_passes(const json_t *point);

/* Invalid, or misses a limit. */
bool html_sweep_is_bad(const json_t *result);

/* A list with a result of each test of any run; the caller's. */
json_t *html_sweep_tests(const struct page *page);

/* The table of such a test. number: for its address on the page. */
void html_sweep_section(struct page *page, size_t number, const json_t *test);

#endif
