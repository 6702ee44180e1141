/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the terminal report: one function a benchmark, over the results of one test of the plan. */
#ifndef FPGAUGE_REPORT_SECTIONS_H
#define FPGAUGE_REPORT_SECTIONS_H

#include <jansson.h>
#include <stdio.h>

/* Results of one benchmark with one set of parameters, one a frame size. Borrowed. */
struct section {
	const json_t *const *results;
	size_t count;
};

void section_throughput(const struct section *section, FILE *out);
void section_mlrsearch(const struct section *section, FILE *out);
void section_back_to_back(const struct section *section, FILE *out);

/* Limits of the plan against results; nothing where the plan has none. */
void section_verdict(const json_t *report, FILE *out);

/* Shared: the line of search, waits and traffic; why results are invalid; flags. */
void section_common_parameters(const json_t *parameters, FILE *out);
void section_goal_parameters(const json_t *parameters, FILE *out); /* one search goal of MLRsearch */
void section_remarks(const struct section *section, FILE *out);

#endif
