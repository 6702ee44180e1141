/* SPDX-License-Identifier: Apache-2.0 */
/* Results by port. */
#ifndef FPGAUGE_REPORT_PORTS_H
#define FPGAUGE_REPORT_PORTS_H

#include <stdbool.h>
#include <stdio.h>

#include "host/report/part.h"

/* Caption, headings and keys of the table, ending with NULL; the first heading, which has no key, is of the size. */
extern const char PORTS_CAPTION[];
extern const char *const PORTS_HEADINGS[], *const PORTS_KEYS[];

/* Whether there is a table by port: between the two ports of a pair, it would say what the sums say. */
bool ports_are_shown(const json_t *result);

/* A table of the ports of all results of which there is one; nothing without any. */
void ports_print(const struct part *part, FILE *out);

#endif
