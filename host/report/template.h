/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a report from the texts of a description: "settle {settle_s}, drain at most {drain_s}". Their syntax is in
 * host/result/description.h. */
#ifndef FPGAUGE_REPORT_TEMPLATE_H
#define FPGAUGE_REPORT_TEMPLATE_H

#include <jansson.h>

/* The text with its values, which are looked up in `first`, then in `second`. The caller's to free; NULL: none of them
 * is known, or out of memory. */
char *template_text(const char *text, const json_t *first, const json_t *second);

#endif
