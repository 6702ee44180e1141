/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the terminal report: one function a benchmark, over the results of one test of the plan. */
#ifndef FPGAUGE_REPORT_SECTIONS_H
#define FPGAUGE_REPORT_SECTIONS_H

#include <jansson.h>
#include <stdio.h>

#include "host/report/part.h"

void section_throughput(const struct part *section, FILE *out);
void section_mlrsearch(const struct part *section, FILE *out);
void section_back_to_back(const struct part *section, FILE *out);

/* Limits of the plan against results; nothing where the plan has none. */
void section_verdict(const json_t *report, FILE *out);

/* The last line of the report: all that report_passes() looks at, so that it never contradicts the exit code. */
void section_last_line(const json_t *report, FILE *out);

/* Shared: the line of search, waits and traffic; why results are invalid; flags. */
void section_common_parameters(const json_t *parameters, FILE *out);
void section_goal_parameters(const json_t *parameters, FILE *out); /* one search goal of MLRsearch */
void section_remarks(const struct part *section, FILE *out);

#endif
