/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the terminal report. */
#ifndef FPGAUGE_REPORT_SECTION_H
#define FPGAUGE_REPORT_SECTION_H

#include <jansson.h>
#include <stdio.h>

#include "host/report/part.h"

/* The results of one test of the plan. */
void section_print(const struct part *part, FILE *out);

/* The limits of the plan and how the results meet them; nothing if the plan has none. */
void section_verdict(const json_t *report, FILE *out);

/* Why a result is invalid or left out, and what its reader must know, a line each. where: in front of the frame size.
 */
void section_doubts(const json_t *result, const char *where, FILE *out);

/* The last line of the report: covers all that report_passes() looks at, so it never contradicts the exit code. */
void section_last_line(const json_t *report, FILE *out);

#endif
